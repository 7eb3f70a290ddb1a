# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Which lines with numbers are headings: those that go on counting, and those that the deeper ones count on from."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final

from answer_selection.indexing.formats.heading_lines import (
    FEWEST,
    LONGEST_TITLE,
    UNDERLINED,
    HeadingLine,
    indent_of,
    with_next,
)
from answer_selection.indexing.formats.questions import asks

_LINES_OF_TITLE: Final = 3
# "Part: Heat".
_ENDS_OF_NAMES: Final = (":", "\N{EN DASH}", "\N{EM DASH}", "-")


def in_order(some: Sequence[HeadingLine], lines: Sequence[str]) -> list[HeadingLine]:
    """
    Find those that go on counting: no items of lists in answers.

    :param some: lines with numbers, of one shape.
    :param lines: the text.
    :returns: the questions among them.
    """
    # Where numbers begin again in each section, it has a title above its first question.
    begins = [_alone_above(lines, line.start) for line in some if line.number[-1] <= 1 and asks(line.title)]
    titled = _common(lines, begins)
    parts: list[list[HeadingLine]] = [[]]
    for line in some:
        if line.number[-1] <= 1 and (asks(line.title) or _first_word(lines, _alone_above(lines, line.start)) in titled):
            parts.append([])
        parts[-1].append(line)
    # Without titles between, what begins again at 1 may be the items of another list.
    everywhere = {line.number for line in some if asks(line.title)}
    return [line for part in parts for line in _counting(part, None if titled else everywhere, lines)]


def with_others(chosen: Sequence[HeadingLine], found: Sequence[HeadingLine]) -> list[HeadingLine]:
    """
    Add questions whose number is written another way: "1.6." between 1.5 and 1.7.

    :param chosen: the questions of one shape, in their order.
    :param found: all lines with numbers.
    :returns: the questions, and lines between two of them that go on counting, or begin a section that the next goes
        on with.
    """
    others = [line for line in found if chosen and len(line.number) == len(chosen[0].number)]
    kept: list[HeadingLine] = []
    place = 0
    # The first may stand in another column.
    if chosen and chosen[0].number == (2.0,):
        before = [line for line in others if line.start < chosen[0].start and line.number == (1.0,)]
        kept += [line for line in before[-1:] if asks(line.title) and line.sign == chosen[0].sign]
    for line, after in with_next(chosen):
        kept.append(line)
        while place < len(others) and (after is None or others[place].start < after.start):
            other, last = others[place], kept[-1].number
            place += 1
            is_first = last < other.number and _begins_a_section(other, after)
            if other.start <= line.start or (other.number != (*last[:-1], int(last[-1]) + 1) and not is_first):
                continue
            # "2.6 is too old." of an answer asks nothing; where 2.6 is missing, a question does not need to ask.
            is_missing = is_first or (
                after is not None and after.number[:-1] == last[:-1] and other.number < after.number
            )
            does_ask = asks(other.title)
            # "1.2 GHz" of what an answer shows stands further in.
            is_beside = other.indent // 2 == line.indent // 2
            if (does_ask or (is_missing and is_beside)) if len(last) > 1 else (does_ask and is_missing):
                kept.append(other)
    return kept


def _begins_a_section(line: HeadingLine, after: HeadingLine | None) -> bool:
    """Whether a line is "5.1" before 5.2, where sections are counted."""
    *section, number = line.number
    return len(section) > 0 and number == 1 and after is not None and after.number == (*section, 2)


def titles_above(lines: Sequence[str], some: Sequence[HeadingLine]) -> list[HeadingLine]:
    """
    Find titles of sections that have the same first word: "Part: Heat" above 1, "Part: Cake" above the next 1.

    :param lines: the text.
    :param some: its questions.
    :returns: the titles, each with the lines between it and its first question.
    """
    begins = [line.start for line in some if line.number[-1] <= 1]
    # The last line of each answer may have it, too.
    others = {_first_word(lines, _alone_above(lines, line.start)) for line in some if line.number[-1] > 1}
    others |= {_first_word(lines, line.start) for line in some}
    found: dict[int, int] = {}
    starts = {begin: begin for begin in begins}
    for _ in range(_LINES_OF_TITLE):
        above = {begin: _alone_above(lines, start) for begin, start in starts.items()}
        titled = _common(lines, above.values()) - others
        starts = {begin: start for begin, start in above.items() if _first_word(lines, start) in titled}
        found |= starts
    return [HeadingLine(start, begin, indent_of(lines[start]), lines[start].strip()) for begin, start in found.items()]


def below_their_sections(deep: Iterable[HeadingLine]) -> list[HeadingLine]:
    """
    Leave out addresses such as 127.0.0.1, and versions: 3.1.4 is a heading below 3.1, and above 3.2.

    :param deep: lines with numbers of two parts or more.
    :returns: those with two, those that stand below the one that they count on from, and those that ask and are out of
        order.
    """
    kept: list[HeadingLine] = []
    above: tuple[float, ...] = ()
    seen: set[tuple[float, ...]] = set()
    for line in sorted(deep, key=lambda line: line.start):
        above = line.number if not line.number[2:] else above
        seen.add(above)
        if line.number[:2] == above or (line.number[:2] in seen and asks(line.title)):
            kept.append(line)
    return kept


def sections_above(
    shapes: dict[tuple[str, int, int], list[HeadingLine]], deep: Sequence[HeadingLine]
) -> list[HeadingLine]:
    """
    Find the lines with one number that the deeper ones count on from: "2. Use" above "2.1 How?".

    :param shapes: all lines with numbers, by their shapes.
    :param deep: those that have two parts or more.
    :returns: the sections, of the shape that has most of them.
    """
    best: list[HeadingLine] = []
    for (_, depth, _), some in shapes.items():
        if depth == 1:
            fitting = _fitting(some, deep)
            best = fitting if len(fitting) > len(best) else best
    return best


def _counting(
    part: Sequence[HeadingLine], asked: Collection[tuple[float, ...]] | None, lines: Sequence[str]
) -> Iterator[HeadingLine]:
    asked = {line.number for line in part if asks(line.title)} if asked is None else asked
    leading = _leading(part)
    last: tuple[float, ...] = ()
    left_out: tuple[float, ...] = ()
    for place, line in enumerate(part):
        does_ask = asks(line.title)
        before = last or (0.0,) * len(line.number)
        goes_on = before < line.number and line.number[0] - before[0] <= LONGEST_TITLE
        begins = line.number[-1] <= 1 and (not last or does_ask)
        # "2. Stir" of a list, below "1. Mix"; not between questions 1 and 3.
        is_item = len(left_out) == 1 and line.number == (left_out[0] + 1,)
        is_item = is_item and not (place in leading and last and line.number == (last[0] + 1,))
        is_left_out = not does_ask and (is_item or line.number in asked)
        is_again = does_ask and line.number == last and _is_twice(part, place, lines)
        if not is_left_out and (goes_on or begins or is_again or (does_ask and before < line.number)):
            last, left_out = line.number, ()
            yield line
        else:
            left_out = line.number if is_item or line.number == (1,) else ()


def _is_twice(part: Sequence[HeadingLine], place: int, lines: Sequence[str]) -> bool:
    """
    Whether a line has the number of the question right before it by mistake, as who added it did not count on.

    Both have an answer, the next one asks and goes on counting, and no third has the number.
    """
    if not 0 < place < len(part) - 1 or any(one.number == part[place].number for one in part[place - 2 : place - 1]):
        return False
    before, line, after = part[place - 1 : place + 2]
    *section, number = line.number
    if before.number != line.number or after.number != (*section, number + 1):
        return False
    answers = (lines[one.end : another.start] for one, another in ((before, line), (line, after)))
    return asks(before.title) and asks(after.title) and all(any(map(str.strip, answer)) for answer in answers)


def _leading(part: Sequence[HeadingLine]) -> set[int]:
    """The places of those that the next one that asks goes on counting from, perhaps by way of others."""
    found: set[int] = set()
    numbers: set[tuple[float, ...]] = set()
    for place in range(len(part) - 1, -1, -1):
        line = part[place]
        if asks(line.title):
            numbers = {line.number}
        elif (line.number[0] + 1,) in numbers:
            found.add(place)
            numbers.add(line.number)
    return found


def _fitting(some: Sequence[HeadingLine], deep: Sequence[HeadingLine]) -> list[HeadingLine]:
    fitting: list[HeadingLine] = []
    below = 0
    end = -1  # of the one before
    last: HeadingLine | None = None
    for line, after in with_next(some):
        while below < len(deep) and deep[below].start < line.start:
            below += 1
        is_last = below == len(deep) and after is None and line.number[0] == deep[-1].number[0] + 1
        # "2. Stir" right below "1. Mix", or further in, in the answer of 1.3.
        beside = fitting[-1] if fitting else deep[-1]
        is_last = is_last and end != line.start and line.indent <= beside.indent
        end = line.end
        is_above = below < len(deep) and (after is None or deep[below].start < after.start)
        # A chapter without sections. With its underline it is no item of a list, nor if it asks right after the last.
        counts_on = bool(fitting) and line.number[0] == fitting[-1].number[0] + 1
        asks_on = counts_on and asks(line.title) and last is fitting[-1] and line.indent == last.indent
        goes_on = asks_on or (counts_on and line.sign == UNDERLINED)
        last = line
        # "3. Third" between 3.1 and 3.2 is an item of a list in the answer of 3.1.
        is_inside = 0 < below < len(deep) and line.number < deep[below - 1].number < deep[below].number
        if is_last or goes_on or (is_above and deep[below].number[0] == line.number[0] and not is_inside):
            fitting.append(line)
    return fitting


def _common(lines: Sequence[str], numbers: Collection[int]) -> set[str]:
    # "Back to the top", the same each time, is no title, nor do "The oven" and "The steps" say that they are one.
    words = Counter(text.split()[0] for text in {lines[number].strip() for number in numbers if number >= 0})
    return {
        word
        for word, count in words.items()
        if count >= FEWEST and 2 * count >= len(numbers) and word.endswith(_ENDS_OF_NAMES)
    }


def _alone_above(lines: Sequence[str], number: int) -> int:
    """The number of the line above that has empty lines around it; -1 if there is none."""
    above = [number - i for i in range(1, min(number, 4) + 1) if lines[number - i].strip()]
    return -1 if not above or above[0] == number - 1 or above[1:2] == [above[0] - 1] else above[0]


def _first_word(lines: Sequence[str], number: int) -> str:
    return lines[number].split()[0] if number >= 0 else ""
