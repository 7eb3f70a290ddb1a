# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""A page that was made of a file of another format, which alone its reader has seen."""

from collections.abc import Callable, Iterator
from typing import Any

from answer_selection.indexing.formats import sections, unread
from answer_selection.indexing.formats.own_words import told_apart
from answer_selection.indexing.formats.raw import Problem, RawEntry
from answer_selection.indexing.formats.readable import CutOffHtmlError


def entries(
    root: Any,
    cut_off: CutOffHtmlError | None,
    *,
    is_page: bool,
    placed: Callable[[RawEntry | Problem], RawEntry | Problem],
    expected: str | None,
) -> Iterator[RawEntry | Problem]:
    """
    Find the page's questions, by its headings and all else that is a question in HTML.

    :param root: the page's root element.
    :param cut_off: what ended the page before its text did.
    :param is_page: whether the file is an FAQ.
    :param placed: says where an entry or problem is in the file: its place in the page is nobody's.
    :param expected: what the file's questions are, "titles"; None if why there is none has been said.
    :returns: the entries and problems, lines that ask and are in no entry among them.
    """
    shown = unread.lines_of_page(root)
    found = list(told_apart(sections.entries(root, is_page=is_page)))
    yield from map(placed, found)
    yield from unread.unread(shown, found)
    if cut_off is not None:
        yield Problem("", None, str(cut_off))
    elif not found and expected:
        yield Problem("", None, f"expected {expected}, which are the questions; found none", nothing=True)
