# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Lines of plain text that may be headings, those that each goes on in, and which of them are a table of contents."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from answer_selection.indexing.formats.joining import columns_of, joined
from answer_selection.indexing.formats.questions import asks, seems_to_ask

# "1. How", "1.2 How", "4.1.", "(3): How", "[1] How", "#12. How", "Q1: How", "Question 1.1.  How", "6b. How",
# "*** 3. How", "2.a. How".
NUMBERED: Final = re.compile(
    r"[ \t]{0,12}(?P<before>(?:\*{2,3} )?(?i:(?:subject: ?)?(?:question|chapter|section|part|q)?)[ \u00a0]?[#(\[<]?)"
    r"(?P<number>[0-9]{1,3}(?:[.-][0-9]{1,3}){0,4}(?:[a-z]|\.[a-j])?)(?P<after>[.:)\]>]{0,3})"
    r"(?:[ \t\u00a0]+(?:--? )?|$)"
)
_OF_STEPS: Final = re.compile(r"\.[a-z]$")
# "-----", "- - -", and "-=-=-" of two signs; not "+-+-+", which is the edge of a table.
RULE: Final = re.compile(r"[ \t]*(?:([-=_*~#^+\"])(?:[ \t]?\1){2,}|(?P<two>([-=_*~#^])[-=_*~#^])(?P=two)+\3?)[ \t]*")
# "== Title ==", as WordPress and wikis write it.
CLOSED: Final = re.compile(r"[ \t]{0,8}(?P<sign>={1,6})[ ](?P<title>[^=\s][^=\n]{0,120}?)[ ](?P=sign)[ \t]{0,8}")
ITEM: Final = re.compile(r"[-*+o\u2022] |[a-zA-Z][.)] ")
# "a. How?" below "1. Heat", which comes again as "1a. How?".
_FIRST_LETTER: Final = re.compile(r"[ \t]{1,40}a[.)] (?P<title>[^\n]*)")
_FIRST_WITH_LETTER: Final = re.compile(r"[ \t]{0,12}(?P<number>[0-9]{1,3}a)[.:)]")
_LETTERS: Final = re.compile(r"[\W_]+")
# "How?", "How? (Or not)", perhaps bold or in quotes.
_ASKING: Final = re.compile(r"[?\uff1f][ \t\"'*_)]*(?:\([^()]{1,60}\)[ \t]*)?$")
# "I get an error saying:", "It says this:"; what they quote is below. "Run this:" has what to run below.
_QUOTING: Final = re.compile(
    r"(?i)(?<!\w)(?:errors?|messages?|says|saying|warnings?)(?: (?:about|following|is|like|the|this)){0,4}:[ \t]*$"
)
# The sign of "4 History", whose number has none, above a line of signs.
UNDERLINED: Final = "underlined"
# The sign of "4 History" above "4.1 When?".
_OPENING: Final = "opening"
_NAME: Final = re.compile(r"[^\W\d_a-z].{0,68}[^\W_][)\"']?")
FEWEST: Final = 2
_FEWEST_CONTENTS: Final = 4
LONGEST_TITLE: Final = 5  # lines
_LONGEST_QUOTE: Final = 8
# A line that is shorter ends where its author wanted it to.
FULL_LINE: Final = 60
_COMPARED: Final = 20
_LETTER: Final = 0.01  # what each letter adds: "6b" comes after 6 and before 7


@dataclass(slots=True)
class HeadingLine:
    """
    A line that may be a heading, with those that it goes on in.

    :param start: its number.
    :param end: the number of the first line that is no part of it, nor of its underline.
    :param indent: the columns before it.
    :param title: what it says, without number.
    :param number: its number's parts; empty if it has none.
    :param sign: what stands around the number.
    :param level: the rank of a heading without number.
    """

    start: int
    end: int
    indent: int
    title: str
    number: tuple[float, ...] = ()
    sign: str = ""
    level: int = 0

    @property
    def shape(self) -> tuple[str, int, int]:
        """What the questions of a text have in common: sign, parts of the number, and half the columns before it."""
        return self.sign, len(self.number), self.indent // 2


def numbered_lines(lines: Sequence[str]) -> list[HeadingLine]:
    """
    Find the lines that begin with a number.

    :param lines: a text.
    :returns: those that begin a paragraph, or stand further out than the line above, with what they go on in.
    """
    found: list[HeadingLine] = []
    may_begin = True
    end = 0
    opened = 0  # the number of the last section that is only told by what is below it
    with_letters = {mark["number"] for line in lines if (mark := _FIRST_WITH_LETTER.match(line))}
    for number, line in enumerate(lines):
        if number < end:
            continue
        may_begin = may_begin or indent_of(line) < indent_of(lines[number - 1])
        mark = NUMBERED.match(line) if may_begin else None
        sign = "" if mark is None else _sign(lines, number, mark, opened)
        if mark is not None and sign:
            is_opening = sign == _OPENING
            opened = int(mark["number"]) if is_opening else opened
            if is_opening:
                end, title = number + 1, line[mark.end() :].strip()
            else:
                has_letters = f"{mark['number']}a" in with_letters
                end, title = _title(lines, number, mark.end(), has_letters=has_letters)
            # "2.a. Turn it on" is a step of an answer.
            if title and (asks(title) or not _OF_STEPS.search(mark["number"])):
                found.append(HeadingLine(number, end, indent_of(line), title, _parts_of(mark["number"]), sign))
                continue
            end = 0
        may_begin = not line.strip() or RULE.fullmatch(line) is not None
    return _aligned(found, lines)


def _parts_of(number: str) -> tuple[float, ...]:
    *parts, last = re.split(r"[.-]", number)
    letter = 0 if last.isdigit() else ord(last[-1]) - ord("a") + 1
    digits = last.rstrip("abcdefghijklmnopqrstuvwxyz")
    # "2.b" is a second section, as "2.2" is.
    return (*map(float, parts), float(digits) + letter * _LETTER if digits else float(letter))


def without_contents(found: Sequence[HeadingLine], lines: Sequence[str]) -> list[HeadingLine]:
    """
    Leave out the lines of tables of contents: those that come again, and those above letters that come again.

    :param found: lines with numbers.
    :param lines: the text.
    :returns: the last of each number and title. Where half of a list of contents comes again, no other line of it is
        left whose number does.
    """
    numbers: set[tuple[float, ...]] = set()
    titles: set[tuple[tuple[float, ...], str]] = set()
    kept: list[HeadingLine] = []
    after: HeadingLine | None = None
    for line in reversed(found):
        title = key_of(line)
        is_bare = after is not None and after.start <= line.end + 1 and len(line.number) > 1
        letter = _FIRST_LETTER.match(lines[line.end]) if line.end < len(lines) else None
        if letter is not None and _key((*line.number[:-1], line.number[-1] + _LETTER), letter["title"]) in titles:
            continue
        if title not in titles and not (is_bare and line.number in numbers):
            kept.append(line)
        titles.add(title)
        numbers.add(line.number)
        after = line
    return _without_reworded(found, kept[::-1], lines)


def _without_reworded(
    found: Sequence[HeadingLine], kept: Sequence[HeadingLine], lines: Sequence[str]
) -> list[HeadingLine]:
    """Leave out lines of a list of contents that come again in slightly other words, by those beside them."""
    starts = {line.start for line in kept}
    last = {line.number: line.start for line in kept}
    left_out: set[int] = set()
    for block in _blocks(found, lines):
        again = [place for place, line in enumerate(block) if line.start not in starts]
        size = again[-1] + 1 if again else 0
        # The first question may stand right below the list, but for an empty line.
        while 0 < size < len(block) and block[size].start == block[size - 1].end:
            size += 1
        if size >= _FEWEST_CONTENTS and 2 * len(again) >= size:
            end = block[size - 1].start
            rest = (line for line in block[:size] if line.start in starts)
            left_out.update(line.start for line in rest if last[line.number] > end)
    return [line for line in kept if line.start not in left_out]


def _blocks(found: Sequence[HeadingLine], lines: Sequence[str]) -> Iterator[list[HeadingLine]]:
    """Lines with numbers that have nothing between them."""
    block: list[HeadingLine] = []
    for line, after in with_next(found):
        block.append(line)
        if after is None or any(map(str.strip, lines[line.end : after.start])):
            yield block
            block = []


def key_of(line: HeadingLine) -> tuple[tuple[float, ...], str]:
    """
    Say what a line has in common with the one that leads to it.

    :param line: a line with a number.
    :returns: the number, and the first letters of the title.
    """
    return _key(line.number, line.title)


def indent_of(line: str) -> int:
    """
    Count the columns before a line.

    :param line: the line.
    :returns: their number, a tab being up to eight.
    """
    spread = line[: len(line) - len(line.lstrip())].expandtabs()
    return len(spread)


def ends_asking(line: str) -> bool:
    """
    Tell whether a line ends a question.

    :param line: the line.
    :returns: whether it ends with a question mark, and perhaps a remark in brackets.
    """
    return _ASKING.search(line) is not None


def with_next(lines: Sequence[HeadingLine]) -> Iterator[tuple[HeadingLine, HeadingLine | None]]:
    """
    Pair each line with the one after it.

    :param lines: lines in their order.
    :returns: the pairs; the last line has None.
    """
    return zip(lines, [*lines[1:], None], strict=False)


def _aligned(found: Sequence[HeadingLine], lines: Sequence[str]) -> list[HeadingLine]:
    """Give numbers that end in one column the same indent: " 9) How?" and "10) Why?"."""
    ends: dict[tuple[str, int, int], int] = {}
    keys: list[tuple[str, int, int]] = []
    for line in found:
        mark = NUMBERED.match(lines[line.start])
        width = 0 if mark is None else len(mark["number"])
        keys.append((line.sign, len(line.number), line.indent + width))
        ends[keys[-1]] = max(line.indent, ends.get(keys[-1], 0))
    return [replace(line, indent=ends[key]) for line, key in zip(found, keys, strict=True)]


def _key(number: tuple[float, ...], title: str) -> tuple[tuple[float, ...], str]:
    return number, _LETTERS.sub("", title.lower())[:_COMPARED]


def _is_underlined(lines: Sequence[str], number: int) -> bool:
    return number + 1 < len(lines) and RULE.fullmatch(lines[number + 1]) is not None


def _sign(lines: Sequence[str], number: int, mark: re.Match[str], opened: int) -> str:
    """What stands around a number, or tells that it is a heading's; empty if nothing does, as in "24 hours"."""
    if mark["after"] or mark["before"].strip() or not mark["number"].isdigit():
        return f"{mark['before'].strip().lower()}|{mark['after']}"
    if _is_underlined(lines, number):
        return UNDERLINED
    value = int(mark["number"])
    # The last one may have no questions.
    goes_on = _opens(lines, number, value) or (opened > 0 and value == opened + 1)
    return _OPENING if goes_on and _may_open(lines, number, mark.end()) else ""


def _opens(lines: Sequence[str], number: int, value: int) -> bool:
    """Whether the next line but for lines of signs begins with the number's first section: "4.1" below "4"."""
    below = lines[number + 1 : number + 1 + _LONGEST_QUOTE]
    first = next((line for line in below if line.strip() and not RULE.fullmatch(line)), "")
    mark = NUMBERED.match(first)
    return mark is not None and mark["number"] in (f"{value}.1", f"{value}.0")


def _may_open(lines: Sequence[str], number: int, start: int) -> bool:
    """Whether a line has empty lines around it, as none of a table of contents has, and is no sentence."""
    around = [*lines[max(0, number - 1) : number], *lines[number + 1 : number + 2]]
    return not "".join(around).strip() and _NAME.fullmatch(lines[number][start:].rstrip()) is not None


def _title(lines: Sequence[str], number: int, start: int, *, has_letters: bool) -> tuple[int, str]:
    """
    Where a heading ends, and what it says: a question may go on in the next lines, and a line of signs be below.

    Letters below it are no part of it if it has some that come again: "a. How?" below "1. Heat", then "1a. How?".
    """
    paragraph = [lines[number][start:]]
    indent = indent_of(lines[number])
    if end := _end_of_quote(lines, number):
        return end, joined([*paragraph, *lines[number + 1 : end]])
    for line in lines[number + 1 : number + LONGEST_TITLE]:
        if not line.strip() or indent_of(line) < indent or _begins_another(line, paragraph, indent):
            break
        if has_letters and _FIRST_LETTER.match(line):
            break
        paragraph.append(line)
    rule = next((i for i, line in enumerate(paragraph) if i and RULE.fullmatch(line)), 0)
    if rule:
        return number + rule + 1, joined(paragraph[:rule])
    if _is_told_below_its_beginning(lines, number, start, paragraph):
        return number + len(paragraph), joined(paragraph)
    is_whole = len(paragraph) < LONGEST_TITLE and not _follows(lines, number + len(paragraph))
    size = next((i + 1 for i in reversed(range(len(paragraph))) if is_whole and ends_asking(paragraph[i])), 0)
    size = size or next((i + 1 for i, line in enumerate(paragraph) if ends_asking(line)), 0)
    if not size:
        size = 1
        while size < len(paragraph) and columns_of(lines[number + size - 1]) >= FULL_LINE:
            size += 1
        if size == len(paragraph) and (end := _end_of_broken(lines, number + size)):
            return end, joined([*paragraph, *lines[number + size : end]])
    return number + size, joined(paragraph[:size])


def _is_told_below_its_beginning(lines: Sequence[str], number: int, start: int, paragraph: Sequence[str]) -> bool:
    """Whether all lines of a "Subject: 4.5 I have built it, how" stand below the title's first word, and none asks."""
    column = len(lines[number][:start].expandtabs())
    if not 1 < len(paragraph) < LONGEST_TITLE or any(indent_of(line) != column for line in paragraph[1:]):
        return False
    is_subject = "subject" in lines[number][:start].lower() and paragraph[0].rstrip()[-1:].isalnum()
    below = [line for line in lines[number + len(paragraph) :][:_LONGEST_QUOTE] if line.strip()]
    has_answer = len(below) > 0 and not NUMBERED.match(below[0]) and not RULE.fullmatch(below[0])
    return is_subject and has_answer and not any(map(ends_asking, paragraph))


def _begins_another(line: str, above: Sequence[str], indent: int) -> bool:
    """Whether a line has a number of its own, and not one that a question ends with: "Why under HP-UX", "11?"."""
    mark = NUMBERED.match(line)
    if mark is None:
        return False
    is_bare = not mark["before"].strip() and not mark["after"] and mark["number"].isdigit()
    goes_on = seems_to_ask(above[0].strip()) and above[-1].rstrip()[-1:].isalnum()
    is_end = ends_asking(line) and ". " not in line and indent_of(line) > indent
    return not (is_bare and goes_on and is_end)


def _end_of_broken(lines: Sequence[str], number: int) -> int:
    """Where a question ends that an empty line breaks: "Why is it so", and below, "cold?"; 0 if none does."""
    begin = number + 1
    is_open = lines[number - 1].rstrip()[-1:].isalnum() and columns_of(lines[number - 1]) >= FULL_LINE
    if not is_open or begin >= len(lines) or not lines[begin].lstrip()[:1].islower():
        return 0
    end = next((i for i in range(begin, min(begin + LONGEST_TITLE, len(lines))) if not lines[i].strip()), 0)
    return end if end and ends_asking(lines[end - 1]) else 0


def _end_of_quote(lines: Sequence[str], number: int) -> int:
    """Where the text ends that a heading quotes, below a colon and further in; 0 if it quotes none."""
    begin = number
    while not _QUOTING.search(lines[begin]) or "? " in lines[begin]:
        begin += 1
        if begin == number + LONGEST_TITLE or not _follows(lines, begin) or ends_asking(lines[begin - 1]):
            return 0
        is_full = columns_of(lines[begin - 1]) >= FULL_LINE
        if not is_full and not (lines[begin - 1].rstrip()[-1:].isalnum() and lines[begin].lstrip()[:1].islower()):
            return 0
    begin += 1
    is_apart = begin < len(lines) and not lines[begin].strip()
    begin += is_apart
    end = begin
    while end < len(lines) and lines[end].strip():
        if end == begin + _LONGEST_QUOTE or indent_of(lines[end]) <= indent_of(lines[number]):
            return 0
        end += 1
    if end == begin or NUMBERED.match(lines[begin]) or ITEM.match(lines[begin].lstrip()):
        return 0
    # The answer comes after it, and not as far in where an empty line is above the quote.
    answer = next((line for line in lines[end : end + 3] if line.strip()), "")
    if not answer or NUMBERED.match(answer) or RULE.fullmatch(answer):
        return 0
    return 0 if is_apart and indent_of(answer) >= indent_of(lines[begin]) else end


def _follows(lines: Sequence[str], number: int) -> bool:
    """Whether the paragraph goes on in a line."""
    return number < len(lines) and bool(lines[number].strip()) and not NUMBERED.match(lines[number])
