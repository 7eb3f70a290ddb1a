# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Marks of questions and answers that are written without a colon, such as "[Q1]" and "A.1", brought to "Q1:"."""

import re
from collections.abc import Sequence
from typing import Final

from answer_selection.indexing.formats.pair_lines import ANSWER, QUESTION

_BEFORE: Final = r"(?P<before>[ \t]{0,8})"
_PARTS: Final = r"[0-9]{1,4}(?:[.-][0-9]{1,4}){0,3}"
_DASH: Final = r"(?:[ \t]--?(?=[ \t]))?"
# "[Q] - How?" and "[Q1] How?", perhaps with a slip as in "[A1}"; "Q.1 How?"; "Q1-01. How?" and "Q01", a tab, "How?".
_FORMS: Final = (
    re.compile(_BEFORE + rf"(?P<mark>\[(?P<kind>[QA])[ .]?(?P<number>(?:{_PARTS})?)[\])}}][:.]?{_DASH})"),
    re.compile(_BEFORE + rf"(?P<mark>(?P<kind>[QA])\.[ ]?(?P<number>{_PARTS})[.:)]?)(?=[ \t]|$)"),
    re.compile(_BEFORE + rf"(?P<mark>(?P<kind>[QA])[ ]?(?P<number>{_PARTS})[.:)]?)(?=[ \t]|$)"),
)
_FEWEST: Final = 2


def with_colons(text: str) -> str:
    """
    Write "Q1:" and "A1:" where a text has marks without a colon.

    :param text: the whole of a file.
    :returns: the same lines, if it has no marks with a colon, and two answers or more of one form, each with the number
        of a question right above it or without any; or else the text. No mark gets shorter, so that the columns stay.
    """
    lines = text.split("\n")
    if any(mark.match(line) for line in lines for mark in (QUESTION, ANSWER)):
        return text
    for form in _FORMS:
        marks = {place: mark for place, line in enumerate(lines) if (mark := form.match(line))}
        if _belong_together(list(marks.values())):
            for place, mark in marks.items():
                lines[place] = _with_colon(mark)
            return "\n".join(lines)
    return text


def _belong_together(marks: Sequence[re.Match[str]]) -> bool:
    """Whether each answer has the number of a question between it and the answers of others, or none."""
    asked: set[str] = set()
    above = "A"
    answers = 0
    if not marks or marks[0]["kind"] == "A":
        return False
    for mark in marks:
        if mark["kind"] == "Q":
            if above != "Q":
                asked = set()
            asked.add(mark["number"])
        elif not mark["number"] or mark["number"] in asked:
            answers += 1
        else:
            return False
        above = mark["kind"]
    return answers >= _FEWEST and above == "A"


def _with_colon(mark: re.Match[str]) -> str:
    written = f"{mark['kind']}{mark['number'].replace('-', '.')}:".ljust(len(mark["mark"]))
    rest = mark.string[mark.end() :]
    return f"{mark['before']}{written}{rest if not rest or rest[0].isspace() else f' {rest}'}"
