# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""What a page gives: its entries, which of its lines ask and are in none, and where it was cut off."""

from collections.abc import Generator, Iterable
from typing import Any

from answer_selection.indexing.formats import unread
from answer_selection.indexing.formats.raw import Problem, RawEntry
from answer_selection.indexing.formats.readable import CutOffHtmlError


def entries(
    root: Any, cut_off: CutOffHtmlError | None, items: Iterable[RawEntry | Problem]
) -> Generator[RawEntry | Problem, None, bool]:
    """
    Give all that there is to say of a page that has something in it.

    :param root: the page's root element, or None.
    :param cut_off: what ended the page before its text did.
    :param items: its entries and problems. Finding them may take parts out of the page, so it has to be lazy.
    :returns: these, and the problems of the page. At the end: whether there was any.
    """
    lines = unread.lines_of_page(root)
    found = list(items)
    yield from found
    yield from unread.unread(lines, found)
    if cut_off is not None:
        yield Problem("", None, str(cut_off))
    return bool(found) or cut_off is not None
