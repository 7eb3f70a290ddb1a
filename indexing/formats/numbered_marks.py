# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Marks of questions and answers that are written without a colon, such as "[Q1]" and "A.1", brought to "Q1:"."""

import re
from collections.abc import Mapping, Sequence
from typing import Final

from answer_selection.indexing.formats.pair_lines import ANSWER, QUESTION
from answer_selection.indexing.formats.pair_marks import take_turns
from answer_selection.indexing.formats.questions import asks

_BEFORE: Final = r"(?P<before>[ \t]{0,8})"
_PARTS: Final = r"[0-9]{1,4}(?:[.-][0-9]{1,4}){0,3}"
_DASH: Final = r"(?:[ \t]--?(?=[ \t]))?"
# "[Q] - How?" and "[Q1] How?", perhaps with a slip as in "[A1}"; "Q.1 How?"; "Q1-01. How?" and "Q01", a tab, "How?";
# "Q#1: How?"; "1.Q: How?".
_FORMS: Final = (
    re.compile(_BEFORE + rf"(?P<mark>\[(?P<kind>[QA])[ .]?(?P<number>(?:{_PARTS})?)[\])}}][:.]?{_DASH})"),
    re.compile(_BEFORE + rf"(?P<mark>(?P<kind>[QA])\.[ ]?(?P<number>{_PARTS})[.:)]?)(?=[ \t]|$)"),
    re.compile(_BEFORE + rf"(?P<mark>(?P<kind>[QA])[ ]?#?(?P<number>{_PARTS})[.:)]?)(?=[ \t]|$)"),
    re.compile(_BEFORE + rf"(?P<mark>\(?(?P<number>{_PARTS})[.)]?(?P<kind>[QA])[.:)])(?=[ \t]|$)"),
)
# "Q - How?"
_WITH_A_DASH: Final = re.compile(_BEFORE + "(?P<mark>(?P<kind>[QA])(?P<number>)[ \\t](?:--?|\u2013))(?=[ \\t])")
_JOINED: Final = re.compile(r"(?m)^[ \t]{0,8}[QA][.:](?=[A-Z][a-z]|I )")
_SPACED_OR_NOT: Final = {
    sign: re.compile(rf"[ \t]{{0,8}}(?P<kind>[QA]){re.escape(sign)}(?=[A-Z][a-z]|I |[ \t]|$)") for sign in ":."
}
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
            return _written(lines, marks)
    marks = {place: mark for place, line in enumerate(lines) if (mark := _WITH_A_DASH.match(line))}
    return _written(lines, marks) if _take_turns(lines, marks) else text


def with_spaces(text: str) -> str:
    """
    Write "Q: How" where the space behind a mark was forgotten: "Q:How".

    :param text: lines.
    :returns: the same lines, if all marks of a sign, with a space or without, take turns, and some lack the space; or
        else the text. "A.Smith" begins an answer only where all others have a full stop, too.
    """
    if _JOINED.search(text) is None:
        return text
    lines = text.split("\n")
    for sign in ":.":
        marks = [(place, mark) for place, line in enumerate(lines) if (mark := _SPACED_OR_NOT[sign].match(line))]
        kinds = "".join(mark["kind"] for _, mark in marks)
        if take_turns(kinds, fewest=_FEWEST):
            for place, mark in marks:
                if lines[place][mark.end() : mark.end() + 1].strip():
                    lines[place] = f"{mark[0]} {lines[place][mark.end() :]}"
    return "\n".join(lines)


def _take_turns(lines: Sequence[str], marks: Mapping[int, re.Match[str]]) -> bool:
    """Whether each question has an answer before the next, and half of them ask: a list of keys has such marks, too."""
    kinds = "".join(mark["kind"] for mark in marks.values())
    if not take_turns(kinds, fewest=_FEWEST):
        return False
    places = list(marks)
    questions = [" ".join(lines[start:end]) for start, end in zip(places[::2], places[1::2], strict=True)]
    return 2 * sum(map(asks, questions)) >= len(questions)


def _written(lines: Sequence[str], marks: Mapping[int, re.Match[str]]) -> str:
    """The lines with colons in their marks."""
    return "\n".join(_with_colon(marks[place]) if place in marks else line for place, line in enumerate(lines))


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
