# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""What a page gives: its entries, what it shows beside them and is in none, and where it was cut off."""

from collections.abc import Generator, Iterable
from typing import Any

from answer_selection.indexing.formats import unread, unread_headings
from answer_selection.indexing.formats.raw import Problem, RawEntry
from answer_selection.indexing.formats.readable import CutOffHtmlError


def entries(
    root: Any, cut_off: CutOffHtmlError | None, items: Iterable[RawEntry | Problem], *, is_page: bool
) -> Generator[RawEntry | Problem, None, bool]:
    """
    Give all that there is to say of a page that has something in it.

    :param root: the page's root element, or None.
    :param cut_off: what ended the page before its text did.
    :param items: its entries and problems. Finding them may take parts out of the page, so it has to be lazy.
    :param is_page: whether the page is an FAQ, so that headings which are in no entry are no questions.
    :returns: these, and the problems of the page. At the end: whether there was any.
    """
    lines, headings = unread.lines_of_page(root), unread_headings.headings_of_page(None if is_page else root)
    found = list(items)
    yield from found
    yield from unread.unread(lines, found)
    yield from unread_headings.unread_headings(headings, found)
    if cut_off is not None:
        yield Problem("", None, str(cut_off))
    return bool(found) or cut_off is not None
