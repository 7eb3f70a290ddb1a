# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Questions in bold print that one paragraph has in lines of their own, with "or" between: they have one answer."""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any, Final

from answer_selection.indexing.formats.elements import HEAVY
from answer_selection.indexing.formats.questions import LONGEST_QUESTION, asks
from answer_selection.indexing.formats.readable import readable_line

_BEFORE: Final = re.compile(r"\s{0,9}(?:(?P<number>[0-9]{1,3})(?P<letter>[a-z])?[.):]\s{0,9})?")
# In the languages that marks of questions are known of, too.
_BEHIND: Final = re.compile(
    r"\s{0,9}(?:[,;]\s{0,9})?(?P<word>or|and|oder|und|ou|et|o|y|e|of|en|eller|och|lub|i|или|и)?\s{0,9}"
)
_FEWEST: Final = 2
_LETTER: Final = re.compile(r"[^\W\d_]")


def questions_of_one_answer(root: Any) -> dict[Any, tuple[Any, bool]]:
    """
    Find them: ``<p>3a. <b>How?</b>, or<br>3b. <b>Why?</b></p>``.

    :param root: the page's root element, or its main part.
    :returns: by the bold print of each, that of the first of its paragraph, and whether another follows in it. Every
        line is no more than one; the last but one has "or" behind it, or they are letters of one number. One of them
        asks, or all have a number.
    """
    found: dict[Any, tuple[Any, bool]] = {}
    for paragraph in root.iterdescendants("p"):
        bold = _lines_of(paragraph)
        found.update((one, (bold[0], one is not bold[-1])) for one in bold)
    return found


def _lines_of(paragraph: Any) -> list[Any]:
    """The bold print of each line of a paragraph that has no more; empty if others stand in it."""
    bold = list(paragraph.iterchildren(*HEAVY))
    if len(bold) < _FEWEST or [part.tag for part in paragraph if part.tag not in HEAVY] != ["br"] * (len(bold) - 1):
        return []
    if any(after.getprevious().tag != "br" or one.getnext().tag != "br" for one, after in pairwise(bold)):
        return []
    before = [_BEFORE.fullmatch(text) for text in _texts_before(paragraph, bold)]
    behind = [_BEHIND.fullmatch(one.tail or "") for one in bold]
    if None in before or None in behind or (bold[-1].tail or "").strip():
        return []
    marks = [mark for mark in before if mark is not None]
    are_joined = behind[-2] is not None and behind[-2]["word"] is not None
    are_of_one_number = len({mark["number"] for mark in marks}) == 1 and all(mark["letter"] for mark in marks)
    if not (are_joined or are_of_one_number):
        return []
    titles = [readable_line(one) for one in bold]
    if not all(len(title) <= LONGEST_QUESTION and _LETTER.search(title) for title in titles):
        return []
    return bold if all(mark["number"] for mark in marks) or any(map(asks, titles)) else []


def _texts_before(paragraph: Any, bold: list[Any]) -> Iterator[str]:
    yield paragraph.text or ""
    for one in bold[1:]:
        yield one.getprevious().tail or ""
