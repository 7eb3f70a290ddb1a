# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
Questions of an FAQ that nothing marks but the question mark at their end: each begins a paragraph.

It is the last thing to try, where a file has no other form of questions.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from answer_selection.indexing.formats.questions import asks, names_faq, tells_a_trouble

_SIGN: Final = re.compile(r"[ \t]{0,8}(?:(?:#{1,6}|[-*+>\u2022\u25cf\u25ba\u00bb])[ \t]+)?")
_NAME: Final = re.compile(r"[^\W\d_a-z][^.:;,!?]{1,59}")
_MARKS: Final = ("?", "\uff1f", "\u061f")
_LONGEST: Final = 3  # lines of a question
_FEWEST: Final = 2


@dataclass(frozen=True, slots=True)
class PlainQuestion:
    """
    A question and the lines that answer it.

    :param start: the number of its first line.
    :param end: the number of the line below it.
    :param question: its text, without the sign of a list before it.
    :param answer: the lines below it.
    :param section: the title above it that stands alone; empty if there is none.
    """

    start: int
    end: int
    question: str
    answer: tuple[str, ...]
    section: str = ""


def plain_questions(lines: Sequence[str]) -> list[PlainQuestion]:
    """
    Find the questions of an FAQ.

    :param lines: a text.
    :returns: those that begin a paragraph, all with the same sign before them or without any; none if no line above
        the first names an FAQ, there are fewer than two, or one has no answer.
    """
    starts = [
        number for number, line in enumerate(lines) if line.strip() and (not number or not lines[number - 1].strip())
    ]
    asked = [start for start in starts if _end(lines, start)]
    if len(asked) < _FEWEST or not any(map(names_faq, lines[: asked[0]])):
        return []
    found = [(start, end) for start in starts if (end := _end(lines, start) or _end_of_trouble(lines, start))]
    signs = {bool(_sign(lines[start]).strip()) for start, _ in found}
    if len(signs) > 1:
        return []
    questions: list[PlainQuestion] = []
    section = ""
    for (start, end), after in zip(found, [*(start for start, _ in found[1:]), len(lines)], strict=True):
        answer = list(lines[end:after])
        above, section = section, _cut_title(answer) if after < len(lines) else ""
        if not any(map(str.strip, answer)):
            return []
        text = " ".join(" ".join(lines[start:end])[len(_sign(lines[start])) :].split())
        questions.append(
            PlainQuestion(start, end, text, tuple(answer), above or (questions[-1].section if questions else ""))
        )
    return questions


def _sign(line: str) -> str:
    mark = _SIGN.match(line)
    return "" if mark is None else mark[0]


def _end(lines: Sequence[str], start: int) -> int:
    """Where the question ends that begins in a line; 0 if none does."""
    for end in range(start + 1, min(start + 1 + _LONGEST, len(lines) + 1)):
        if not lines[end - 1].strip():
            return 0
        if lines[end - 1].rstrip(" \t*_\"'").endswith(_MARKS):
            return end if asks(" ".join(lines[start:end]).strip()) else 0
    return 0


def _end_of_trouble(lines: Sequence[str], start: int) -> int:
    """Where "I was charged twice" ends, between others that ask; 0 if it is none."""
    return start + 1 if tells_a_trouble(lines[start][len(_sign(lines[start])) :].strip()) else 0


def _cut_title(answer: list[str]) -> str:
    """Take a line off that stands alone at the end of an answer and is the title of what is below."""
    size = next((number + 1 for number in range(len(answer) - 1, -1, -1) if answer[number].strip()), 0)
    if size < _FEWEST or answer[size - 2].strip() or not any(map(str.strip, answer[: size - 1])):
        return ""
    title = answer[size - 1].strip()
    if answer[size - 1][0].isspace() or not _NAME.fullmatch(title):
        return ""
    del answer[size - 1 :]
    return title
