# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Lines of signs inside answers, where another line of signs parts the questions of a text."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final

_FEWEST: Final = 2
_LINES_ABOVE: Final = 4


def rules_inside(lines: Sequence[str], answers: Sequence[tuple[int, int]], is_rule: Callable[[str], bool]) -> set[int]:
    """
    Find the lines of signs that end no answer, as the one that does is still to come.

    :param lines: a text.
    :param answers: the numbers of the lines that each answer begins in, and those of the next questions.
    :param is_rule: whether a line is one of signs.
    :returns: the numbers of lines of signs in answers: those above a line that parts questions, and other than it.
        None if no such lines stand below half of the answers or more.
    """
    above = [_last_of(lines[max(begin, end - _LINES_ABOVE) : end]) for begin, end in answers]
    parting = [line for line in above if line and is_rule(line)]
    if len(parting) < _FEWEST or 2 * len(parting) < len(answers):
        return set()
    ending = set(parting)
    found: set[int] = set()
    for begin, end in answers:
        rules = [number for number in range(begin, end) if is_rule(lines[number])]
        last = next((number for number in rules if lines[number].rstrip() in ending), begin)
        inside = _without_title(lines, [number for number in rules if number < last], last)
        times = Counter(lines[number].rstrip() for number in inside)
        # One alone above a line begins a part of the text; two are around code, and a title is above its own.
        found.update(
            number for number in inside if times[lines[number].rstrip()] > 1 or not _is_above_alone(lines, number)
        )
    return found


def _is_above_alone(lines: Sequence[str], number: int) -> bool:
    """Whether a line stands right below a line of signs, and none right above it."""
    return not lines[number - 1].strip() and bool("".join(lines[number + 1 : number + 2]).strip())


def _last_of(lines: Sequence[str]) -> str:
    """The last line that is not empty."""
    return next((line.rstrip() for line in reversed(lines) if line.strip()), "")


def _without_title(lines: Sequence[str], rules: Sequence[int], end: int) -> Sequence[int]:
    """Leave out the line under the title of a section, and perhaps over it, if nothing else is above the end."""
    if not rules or any(map(str.strip, lines[rules[-1] + 1 : end])):
        return rules
    same = [number for number in rules[:-1] if lines[number].rstrip() == lines[rules[-1]].rstrip()]
    if not same:
        return rules[:-1]
    # A line between two others of the same signs; code has more.
    is_title = same[-1] == rules[-1] - 2
    return [number for number in rules if number < same[-1]] if is_title else rules
