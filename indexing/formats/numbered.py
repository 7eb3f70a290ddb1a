# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
Plain text whose questions stand in lines of their own: numbered, underlined, or further out than their answers.

A line that begins with a number may be a question, a line of the table of contents or an item of a list in an answer.
What tells them apart is the whole file: a line of the contents comes again, and questions go on counting.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from textwrap import dedent
from typing import Final

from answer_selection.indexing.formats import outline
from answer_selection.indexing.formats.outline import Heading, Section
from answer_selection.indexing.formats.questions import (
    asks,
    leads_elsewhere,
    names_faq,
    without_answer_mark,
    without_marks,
)
from answer_selection.indexing.formats.raw import Problem, RawEntry

# "1. How", "1.2 How", "4.1.", "(3): How", "[1] How", "#12. How", "Q1: How", "Question 1.1.  How", "6b. How".
_NUMBERED: Final = re.compile(
    r"[ \t]{0,12}(?P<before>(?i:(?:subject: ?)?(?:question|chapter|section|part|q)?) ?[#(\[<]?)"
    r"(?P<number>[0-9]{1,3}(?:[.-][0-9]{1,3}){0,4}[a-z]?)(?P<after>[.:)\]>]{0,3})(?:[ \t\u00a0]+(?:--? )?|$)"
)
_RULE: Final = re.compile(r"[ \t]*([-=_*~#^+\"])(?:[ \t]?\1){2,}[ \t]*")
# "== Title" and "**** Title ****"; what is at its end, too, is taken off.
_DECORATED: Final = re.compile(r"[ \t]{0,8}(={1,5}|\*{2,9}|#{2,9}|-{2,9})[ \t]+(?=\w)")
_ITEM: Final = re.compile(r"[-*+o\u2022] |[a-zA-Z][.)] ")
_WORDS: Final = re.compile(r"[A-Z][\w ]{1,60}")
_LETTERS: Final = re.compile(r"[\W_]+")
# "How?", "How? (Or not)", perhaps bold or in quotes.
_ASKING: Final = re.compile(r"\?[ \t\"'*_)]*(?:\([^()]{1,60}\)[ \t]*)?$")
# "I get an error saying:", "What does the following mean:"; what they quote is below.
_QUOTING: Final = re.compile(
    r"(?i)(?:(?<!\w)following(?: \w+){0,4}|(?<!\w)(?:about|errors?|like|messages?|says|saying|this|warnings?)):[ \t]*$"
)
# The sign of "4 History", whose number has none, above a line of signs.
_UNDERLINED: Final = "underlined"
_LONGEST_TITLE: Final = 5  # lines
_LONGEST_QUOTE: Final = 8
_FEWEST: Final = 2
# A line that is shorter ends where its author wanted it to.
_FULL_LINE: Final = 60
_LONGEST_NAME: Final = 70
_COMPARED: Final = 20


@dataclass(slots=True)
class _Line:
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
        return self.sign, len(self.number), self.indent // 2


def entries(text: str) -> list[RawEntry | Problem]:
    """
    Find the questions of a text.

    :param text: the whole of a file.
    :returns: raw entries, and problems, in the file's order, of the form in which it has most questions.
    """
    lines = text.split("\n")
    titles = _titles(lines)
    forms = (_numbered(lines, titles), titles, _outdented(lines))
    found = [list(_entries(lines, headings)) for headings in forms]
    most = max(map(len, found))
    # What is numbered is certain, and may have titles, and questions of the author's, between.
    return next(some for some in found if 2 * len(some) >= most)


def led_to(lines: Sequence[str], start: int) -> dict[int, tuple[int, str]]:
    """
    Find the questions with numbers that lists of contents lead to.

    :param lines: a text.
    :param start: the number of the first line that such a list may begin in. What one above all questions leads to are
        chapters.
    :returns: by the number of a line that begins one, the number of the line below it and the title; lines of the lists
        have an empty title.
    """
    found = _numbered_lines(lines)
    last = {_key(line): line for line in found}
    blocks: list[list[_Line]] = [[]]
    for line in found:
        if last[_key(line)] is line or (blocks[-1] and blocks[-1][-1].end < line.start):
            blocks.append([])
        if last[_key(line)] is not line:
            blocks[-1].append(line)
    led: dict[int, tuple[int, str]] = {}
    for block in blocks:
        headings = [last[_key(line)] for line in block]
        # Items of a list that comes twice have no text below them.
        have_text = all(
            any(lines[number].strip() for number in range(line.end, len(lines) if after is None else after.start))
            for line, after in _with_next(headings)
        )
        if len(block) >= _FEWEST and block[0].start >= start and have_text:
            led |= {line.start: (line.end, "") for line in block}
            led |= {line.start: (line.end, line.title) for line in headings}
    return led


def _entries(lines: Sequence[str], headings: Sequence[_Line]) -> Iterator[RawEntry | Problem]:
    bottom = [here for here, after in _with_next(headings) if after is None or _rank(after) <= _rank(here)]
    asking = sum(asks(line.title) for line in bottom)
    if len(bottom) < _FEWEST:
        return
    is_page = (asking >= _FEWEST and 2 * asking >= len(bottom)) or _names_faq(lines[: headings[0].start])
    # Where a line of signs stands above each question, one ends the last answer as well.
    ruled = sum(_is_below_a_rule(lines, line.start) for line in headings)
    bodies = [
        _body(lines[line.end : len(lines) if after is None else after.start], ends_at_rule=2 * ruled >= len(headings))
        for line, after in _with_next(headings)
    ]
    # Where it is no letter of a list, most answers begin with "A.".
    unmarked = [_without_mark(body) for body in bodies]
    marked = sum(body != some for body, some in zip(bodies, unmarked, strict=True))
    if 2 * marked >= sum(map(bool, bodies)):
        bodies = unmarked
    sections = []
    for (line, after), body in zip(_with_next(headings), bodies, strict=True):
        # Of a section, what introduces it is no answer; of a question, the contents of what is below.
        is_section = line.number[1:] == () and not asks(line.title)
        is_left_out = after is not None and _rank(after) > _rank(line) and (is_section or _are_contents(body))
        title, had_q = without_marks(line.title)
        heading = Heading(_rank(line), title, f"line {line.start + 1}", had_q=had_q)
        sections.append(Section(heading, "" if is_left_out else body))
    yield from outline.entries(sections, is_page=is_page)


def _without_mark(body: str) -> str:
    rest = without_answer_mark(body, had_q=True)
    # What follows the mark's line stands below its text.
    return body if rest == body else dedent(" " * (len(body) - len(rest)) + rest).strip()


def _with_next(lines: Sequence[_Line]) -> Iterator[tuple[_Line, _Line | None]]:
    return zip(lines, [*lines[1:], None], strict=False)


def _rank(line: _Line) -> int:
    return line.level or 1 + len(line.number)


def _names_faq(lines: Sequence[str]) -> bool:
    return any(len(line) <= _LONGEST_NAME and names_faq(line) for line in lines)


def _is_below_a_rule(lines: Sequence[str], number: int) -> bool:
    above = next((line for line in reversed(lines[max(0, number - 4) : number]) if line.strip()), "")
    return _RULE.fullmatch(above) is not None


def _body(lines: Sequence[str], *, ends_at_rule: bool) -> str:
    kept: list[str] = []
    for line in lines:
        if _RULE.fullmatch(line):
            if ends_at_rule and any(map(str.strip, kept)):
                break
            if not any(map(str.strip, kept)):
                continue
        kept.append(line.rstrip())
    while kept and (not kept[-1] or _RULE.fullmatch(kept[-1])):
        kept.pop()
    width = min((_indent(line) for line in kept if line), default=0)
    # A tab is not cut in the middle.
    cut = [line.expandtabs() if line[:width].strip(" ") else line for line in kept]
    return "\n".join(line[width:] for line in cut).strip("\n")


def _are_contents(body: str) -> bool:
    return all(_NUMBERED.match(line) for line in body.split("\n") if line.strip())


def _indent(line: str) -> int:
    spread = line[: len(line) - len(line.lstrip())].expandtabs()
    return len(spread)


def _numbered(lines: Sequence[str], titles: Sequence[_Line]) -> list[_Line]:
    """The lines that begin with a number and are headings, with those of the titles that stand between them."""
    found = _without_contents(_numbered_lines(lines))
    shapes: dict[tuple[str, int, int], list[_Line]] = {}
    for line in found:
        shapes.setdefault(line.shape, []).append(line)
    # Of each depth the most frequent.
    best: dict[int, list[_Line]] = {}
    for (_, depth, _), some in shapes.items():
        chosen = _in_order(some, lines)
        if len(chosen) > len(best.get(depth, ())):
            best[depth] = chosen
    # No address such as 127.0.0.1.
    above = {line.number[:2] for line in best.get(2, ())}
    deep = [line for depth, some in best.items() for line in some if depth == 2 or line.number[:2] in above]
    deep.sort(key=lambda line: line.start)
    highest = best.get(1, [])
    if len(deep) >= _FEWEST:
        sections = _sections(shapes, deep)
        # Questions before all sections are another FAQ's.
        first = min(line.start for line in [*sections, *deep])
        before = [line for line in highest if line.start < first and line not in sections]
        highest = [*(before if len(before) >= _FEWEST and _are_questions(before, lines) else ()), *sections]
    elif not _are_questions(highest, lines):
        return []
    else:
        deep = []
    headings = sorted([*highest, *deep], key=lambda line: line.start)
    return _with_titles(lines, titles if deep else [*titles, *_titles_above(lines, highest)], headings)


def _numbered_lines(lines: Sequence[str]) -> list[_Line]:
    found: list[_Line] = []
    may_begin = True
    end = 0
    for number, line in enumerate(lines):
        if number < end:
            continue
        may_begin = may_begin or _indent(line) < _indent(lines[number - 1])
        mark = _NUMBERED.match(line) if may_begin else None
        # "24 hours" has no sign, "2. " no title.
        is_bare = mark is not None and not (mark["after"] or mark["before"].strip()) and mark["number"].isdigit()
        if mark is not None and (not is_bare or _is_underlined(lines, number)):
            end, title = _title(lines, number, mark.end())
            if title:
                *parts, last = re.split(r"[.-]", mark["number"])
                letter = (ord(last[-1]) - ord("a") + 1) / 100 if not last.isdigit() else 0
                parts_of_it = (*map(float, parts), float(last.rstrip("abcdefghijklmnopqrstuvwxyz")) + letter)
                sign = _UNDERLINED if is_bare else f"{mark['before'].strip().lower()}|{mark['after']}"
                found.append(_Line(number, end, _indent(line), title, parts_of_it, sign))
                continue
            end = 0
        may_begin = not line.strip() or _RULE.fullmatch(line) is not None
    return found


def _is_underlined(lines: Sequence[str], number: int) -> bool:
    return number + 1 < len(lines) and _RULE.fullmatch(lines[number + 1]) is not None


def _title(lines: Sequence[str], number: int, start: int) -> tuple[int, str]:
    """Where a heading ends, and what it says: a question may go on in the next lines, and a line of signs be below."""
    paragraph = [lines[number][start:]]
    indent = _indent(lines[number])
    if end := _end_of_quote(lines, number):
        return end, " ".join(" ".join([*paragraph, *lines[number + 1 : end]]).split())
    for line in lines[number + 1 : number + _LONGEST_TITLE]:
        if not line.strip() or _NUMBERED.match(line) or _indent(line) < indent:
            break
        paragraph.append(line)
    rule = next((i for i, line in enumerate(paragraph) if i and _RULE.fullmatch(line)), 0)
    if rule:
        return number + rule + 1, " ".join(" ".join(paragraph[:rule]).split())
    is_whole = len(paragraph) < _LONGEST_TITLE and not _follows(lines, number + len(paragraph))
    size = next((i + 1 for i in reversed(range(len(paragraph))) if is_whole and _ends_asking(paragraph[i])), 0)
    size = size or next((i + 1 for i, line in enumerate(paragraph) if _ends_asking(line)), 0)
    if not size:
        size = 1
        while size < len(paragraph) and len(lines[number + size - 1].expandtabs()) >= _FULL_LINE:
            size += 1
        if size == len(paragraph) and (end := _end_of_broken(lines, number + size)):
            return end, " ".join(" ".join([*paragraph, *lines[number + size : end]]).split())
    return number + size, " ".join(" ".join(paragraph[:size]).split())


def _end_of_broken(lines: Sequence[str], number: int) -> int:
    """Where a question ends that an empty line breaks: "Why is it so", and below, "cold?"; 0 if none does."""
    begin = number + 1
    is_open = lines[number - 1].rstrip()[-1:].isalnum() and len(lines[number - 1].expandtabs()) >= _FULL_LINE
    if not is_open or begin >= len(lines) or not lines[begin].lstrip()[:1].islower():
        return 0
    end = next((i for i in range(begin, min(begin + _LONGEST_TITLE, len(lines))) if not lines[i].strip()), 0)
    return end if end and _ends_asking(lines[end - 1]) else 0


def _end_of_quote(lines: Sequence[str], number: int) -> int:
    """Where the text ends that a heading quotes, below a colon and further in; 0 if it quotes none."""
    begin = number
    while not _QUOTING.search(lines[begin]):
        begin += 1
        if begin == number + _LONGEST_TITLE or not _follows(lines, begin) or _ends_asking(lines[begin - 1]):
            return 0
        is_full = len(lines[begin - 1].expandtabs()) >= _FULL_LINE
        if not is_full and not (lines[begin - 1].rstrip()[-1:].isalnum() and lines[begin].lstrip()[:1].islower()):
            return 0
    begin += 1
    is_apart = begin < len(lines) and not lines[begin].strip()
    begin += is_apart
    end = begin
    while end < len(lines) and lines[end].strip():
        if end == begin + _LONGEST_QUOTE or _indent(lines[end]) <= _indent(lines[number]):
            return 0
        end += 1
    if end == begin or _NUMBERED.match(lines[begin]) or _ITEM.match(lines[begin].lstrip()):
        return 0
    # The answer comes after it, and not as far in where an empty line is above the quote.
    answer = next((line for line in lines[end : end + 3] if line.strip()), "")
    if not answer or _NUMBERED.match(answer) or _RULE.fullmatch(answer):
        return 0
    return 0 if is_apart and _indent(answer) >= _indent(lines[begin]) else end


def _follows(lines: Sequence[str], number: int) -> bool:
    """Whether the paragraph goes on in a line."""
    return number < len(lines) and bool(lines[number].strip()) and not _NUMBERED.match(lines[number])


def _ends_asking(line: str) -> bool:
    return _ASKING.search(line) is not None


def _key(line: _Line) -> tuple[tuple[float, ...], str]:
    return line.number, _LETTERS.sub("", line.title.lower())[:_COMPARED]


def _without_contents(found: Sequence[_Line]) -> list[_Line]:
    """Leave out the lines of tables of contents: those that come again."""
    numbers: set[tuple[float, ...]] = set()
    titles: set[tuple[tuple[float, ...], str]] = set()
    kept: list[_Line] = []
    after: _Line | None = None
    for line in reversed(found):
        title = _key(line)
        is_bare = after is not None and after.start <= line.end + 1 and len(line.number) > 1
        if title not in titles and not (is_bare and line.number in numbers):
            kept.append(line)
        titles.add(title)
        numbers.add(line.number)
        after = line
    return kept[::-1]


def _in_order(some: Sequence[_Line], lines: Sequence[str]) -> list[_Line]:
    """Of lines of one shape those that go on counting: no items of lists in answers."""
    # Where numbers begin again in each section, it has a title above its first question.
    begins = [_alone_above(lines, line.start) for line in some if line.number[-1] <= 1 and asks(line.title)]
    titled = _common(lines, begins)
    parts: list[list[_Line]] = [[]]
    for line in some:
        if line.number[-1] <= 1 and (asks(line.title) or _first_word(lines, _alone_above(lines, line.start)) in titled):
            parts.append([])
        parts[-1].append(line)
    return [line for part in parts for line in _counting(part)]


def _titles_above(lines: Sequence[str], some: Sequence[_Line]) -> list[_Line]:
    """The titles of sections that have the same first word: "Part: Heat" above 1, "Part: Cake" above the next 1."""
    begins = [line.start for line in some if line.number[-1] <= 1]
    # The last line of each answer may have it, too.
    others = {_first_word(lines, _alone_above(lines, line.start)) for line in some if line.number[-1] > 1}
    found: dict[int, int] = {}
    starts = {begin: begin for begin in begins}
    while starts:
        above = {begin: _alone_above(lines, start) for begin, start in starts.items()}
        titled = _common(lines, above.values()) - others
        starts = {begin: start for begin, start in above.items() if _first_word(lines, start) in titled}
        found |= starts
    return [_Line(start, begin, _indent(lines[start]), lines[start].strip()) for begin, start in found.items()]


def _common(lines: Sequence[str], numbers: Collection[int]) -> set[str]:
    # "Back to the top", the same each time, is no title.
    words = Counter(text.split()[0] for text in {lines[number].strip() for number in numbers if number >= 0})
    return {word for word, count in words.items() if count >= _FEWEST and 2 * count >= len(numbers)}


def _alone_above(lines: Sequence[str], number: int) -> int:
    """The number of the line above that has empty lines around it; -1 if there is none."""
    above = [number - i for i in range(1, min(number, 4) + 1) if lines[number - i].strip()]
    return -1 if not above or above[0] == number - 1 or above[1:2] == [above[0] - 1] else above[0]


def _first_word(lines: Sequence[str], number: int) -> str:
    return lines[number].split()[0] if number >= 0 else ""


def _counting(part: Sequence[_Line]) -> Iterator[_Line]:
    asked = {line.number for line in part if asks(line.title)}
    last: tuple[float, ...] = ()
    left_out: tuple[float, ...] = ()
    for line in part:
        does_ask = asks(line.title)
        before = last or (0.0,) * len(line.number)
        goes_on = before < line.number and line.number[0] - before[0] <= _LONGEST_TITLE
        begins = line.number[-1] <= 1 and (not last or does_ask)
        # "2. Stir" of a list, below "1. Mix".
        is_item = len(left_out) == 1 and line.number == (left_out[0] + 1,)
        is_left_out = not does_ask and (is_item or line.number in asked)
        if not is_left_out and (goes_on or begins or (does_ask and before < line.number)):
            last, left_out = line.number, ()
            yield line
        else:
            left_out = line.number if is_item or line.number == (1,) else ()


def _sections(shapes: dict[tuple[str, int, int], list[_Line]], deep: Sequence[_Line]) -> list[_Line]:
    """The lines with one number that the deeper ones count on from: "2. Use" above "2.1 How?"."""
    best: list[_Line] = []
    for (_, depth, _), some in shapes.items():
        if depth == 1:
            fitting = _fitting(some, deep)
            best = fitting if len(fitting) > len(best) else best
    return best


def _fitting(some: Sequence[_Line], deep: Sequence[_Line]) -> list[_Line]:
    fitting: list[_Line] = []
    below = 0
    for line, after in _with_next(some):
        while below < len(deep) and deep[below].start < line.start:
            below += 1
        is_last = below == len(deep) and after is None and line.number[0] == deep[-1].number[0] + 1
        is_above = below < len(deep) and (after is None or deep[below].start < after.start)
        # A chapter without sections. With its underline it is no item of a list.
        goes_on = line.sign == _UNDERLINED and bool(fitting) and line.number[0] == fitting[-1].number[0] + 1
        # "3. Third" between 3.1 and 3.2 is an item of a list in the answer of 3.1.
        is_inside = 0 < below < len(deep) and line.number < deep[below - 1].number < deep[below].number
        if is_last or goes_on or (is_above and deep[below].number[0] == line.number[0] and not is_inside):
            fitting.append(line)
    return fitting


def _are_questions(some: Sequence[_Line], lines: Sequence[str]) -> bool:
    """Whether lines with one number are, and no list: most of them ask, or the file says that it is an FAQ."""
    if not some:
        return False
    asking = sum(asks(line.title) for line in some)
    return 2 * asking >= len(some) or (_names_faq(lines[: some[0].start]) and asking > 0)


def _with_titles(lines: Sequence[str], titles: Sequence[_Line], headings: Sequence[_Line]) -> list[_Line]:
    """Add the titles of sections between numbered headings, which end the answer above them."""
    taken = {number for line in headings for number in range(line.start, line.end)}
    starts = {line.start for line in headings}
    titles = [line for line in titles if not any(number in taken for number in range(line.start, line.end))]
    found: list[_Line] = []
    signs: set[str] = set()
    for line in titles:
        below = next((number for number in range(line.end, len(lines)) if lines[number].strip()), 0)
        is_after = len(headings) > 0 and line.start > headings[-1].start
        is_next_faq = len(headings) > 0 and headings[0].start < line.start and names_faq(line.title)
        # The heading of a table in an answer has no question below it, nor names an FAQ.
        if below in starts or is_next_faq or (is_after and line.sign in signs):
            signs.add(line.sign)
            found.append(replace(line, level=1))
    return sorted([*headings, *found], key=lambda line: line.start)


def _end_of_hanging(lines: Sequence[str], number: int) -> int:
    """Where a paragraph ends whose lines are further in than its first; 0 if it is none."""
    for end in range(number + 1, min(number + 1 + _LONGEST_TITLE, len(lines))):
        if not lines[end].strip():
            return end
        if _indent(lines[end]) <= _indent(lines[number]):
            return 0
    return len(lines) if number + 1 == len(lines) else 0


def _titles(lines: Sequence[str]) -> list[_Line]:
    """The lines with signs below or before them."""
    found: list[_Line] = []
    ranks: dict[str, int] = {}
    alone = Counter(
        mark[1] for line, after in pairwise([*lines, ""]) if not after.strip() and (mark := _DECORATED.match(line))
    )
    end = 0
    for number, line in enumerate(lines):
        if number < end or not line.strip() or (number and lines[number - 1].strip() and number != end):
            if not (number and _RULE.fullmatch(lines[number - 1]) and line.strip() and number >= end):
                continue
        mark = _DECORATED.match(line)
        if mark is not None and not _RULE.fullmatch(line):
            below = _end_of_hanging(lines, number)
            title = " ".join(" ".join(lines[number:below])[mark.end() :].split()).rstrip(mark[1][0]).strip()
            # Where other titles have one line, one may go on in lines that are further in.
            if title and below and (below == number + 1 or alone[mark[1]] >= _FEWEST):
                end = below
                level = len(mark[1]) if mark[1][0] == "=" else 1
                found.append(_Line(number, end, 0, title, sign=mark[1][0], level=min(level, 6)))
            continue
        below = next((i for i in range(number + 1, min(number + 4, len(lines))) if _RULE.fullmatch(lines[i])), 0)
        if not below or _RULE.fullmatch(line) or not all(map(str.strip, lines[number:below])):
            continue
        text = " ".join(" ".join(lines[number:below]).split())
        # "----- Title -----"
        if text[:3] == text[-3:] and _RULE.fullmatch(text[:3]):
            text = text.strip(f"{text[0]} ")
        width = max(len(some.expandtabs().strip()) for some in lines[number:below])
        sign = lines[below].strip()[0]
        is_text = text.endswith(".") or sign == "_" or len(text) < 2
        if 2 * abs(len(lines[below].strip()) - width) <= width and not is_text:
            end = below + 1
            level = ranks.setdefault(sign, len(ranks) + 1)
            found.append(_Line(number, end, _indent(line), text, sign=sign, level=min(level, 6)))
    return found


def _outdented(lines: Sequence[str]) -> list[_Line]:
    """The paragraphs that ask and stand further out than what follows, as in a manual page."""
    paragraphs: list[_Line] = []
    begin = 0
    for number in range(len(lines) + 1):
        if number < len(lines) and lines[number].strip():
            above = lines[number - 1]
            # Below a title or a question, without an empty line.
            is_below = number > begin and (_ends_asking(above) or len(above) < _FULL_LINE)
            if not is_below or _indent(lines[number]) <= _indent(lines[begin]):
                continue
        if begin < number:
            text = " ".join(" ".join(lines[begin:number]).split())
            size = number - begin
            if size <= _LONGEST_TITLE or _indent(lines[begin]) == 0:
                paragraphs.append(_Line(begin, number, _indent(lines[begin]), text))
        begin = number if number < len(lines) and lines[number].strip() else number + 1
    paragraphs = [line for line in paragraphs if not _ITEM.match(line.title)]
    asking = [line for line, after in pairwise(paragraphs) if after.indent > line.indent and _ends_asking(line.title)]
    if len(asking) <= _FEWEST:
        return []
    indents = Counter(line.indent for line in asking)
    column = max(indents, key=lambda indent: indents[indent])
    beside = sum(line.indent == column for line in paragraphs)
    # In a text that is no FAQ somebody may ask, too.
    if 2 * indents[column] < max(len(asking), beside) and not _names_faq(lines[: asking[0].start]):
        return []
    headings: list[_Line] = []
    for line, after in _with_next(paragraphs):
        if line.indent > column or leads_elsewhere(line.title) or _RULE.fullmatch(lines[line.start]):
            continue
        # Code of an answer may stand at the edge: the title of a section has a question below it, or is one of words.
        is_section = (after is not None and after.indent <= column) or (
            line.start > asking[-1].start and _WORDS.fullmatch(line.title) is not None
        )
        if line.indent == column or is_section:
            headings.append(replace(line, level=2 if line.indent == column else 1))
    questions = [number for number, line in enumerate(headings) if line.level == 2 and asks(line.title)]
    return headings[max(0, questions[0] - 1) :] if questions else []
