# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Questions with numbers of which some lack the space behind: "10.Is it hot?" between "9. How?" and "11. Why?"."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final, TypeAlias

from answer_selection.indexing.formats.heading_lines import LONGEST_TITLE, ends_asking

# The place of a line, and what it begins with.
_Mark: TypeAlias = tuple[int, re.Match[str]]

# A letter right behind the sign begins a sentence, or is of a script without capitals.
_NUMBERED: Final = re.compile(
    r"(?P<before>[ \t]{0,12})(?P<number>[0-9]{1,3}(?:\.[0-9]{1,3}){0,4})(?P<sign>[.)])"
    r"(?:[ \t]|(?P<joined>(?=[^\W\d_a-z])))"
)


def with_spaces(lines: Sequence[str]) -> list[str]:
    """
    Write "10. Is it hot?" where the space was forgotten.

    :param lines: a text.
    :returns: the same lines, with a space behind each number that begins a paragraph that asks and counts on: from the
        one before it, and the one after it from it, both of which have the same sign and column.
    """
    written = list(lines)
    series: dict[tuple[str, str, int], list[_Mark]] = {}
    for place, line in enumerate(lines):
        mark = _NUMBERED.match(line) if not place or not lines[place - 1].strip() else None
        if mark is not None:
            series.setdefault((mark["before"], mark["sign"], mark["number"].count(".")), []).append((place, mark))
    for marks in series.values():
        for place, mark in _counting(marks):
            if _does_ask(lines[place : place + LONGEST_TITLE]):
                written[place] = f"{mark[0]} {lines[place][mark.end() :]}"
    return written


def _counting(marks: Sequence[_Mark]) -> Iterator[_Mark]:
    """Those without a space that count on; the first and the last have one beside them."""
    numbers = [tuple(map(int, mark["number"].split("."))) for _, mark in marks]
    goes_on = [after == (*number[:-1], number[-1] + 1) for number, after in pairwise(numbers)]
    begins = [number[-1] <= 1 for number in numbers]
    for place, one in enumerate(marks):
        before, after = goes_on[place - 1 : place], goes_on[place : place + 1]
        is_after = before == [True] or begins[place]
        is_before = after != [False] or begins[place + 1]
        if one[1]["joined"] is not None and is_after and is_before and True in (*before, *after):
            yield one


def _does_ask(lines: Sequence[str]) -> bool:
    """Whether one of the lines ends asking, before the first that is empty."""
    size = next((number for number, line in enumerate(lines) if not line.strip()), len(lines))
    return any(map(ends_asking, lines[:size]))
