# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
Plain text whose questions stand in lines of their own: numbered, underlined, or further out than their answers.

A line that begins with a number may be a question, a line of the table of contents or an item of a list in an answer.
What tells them apart is the whole file: a line of the contents comes again, and questions go on counting.
"""

import re
from bisect import bisect
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, pairwise
from textwrap import dedent
from typing import Final

from answer_selection.indexing.formats import number_spaces, outline
from answer_selection.indexing.formats.counting import (
    below_their_sections,
    in_order,
    sections_above,
    titles_above,
    with_others,
)
from answer_selection.indexing.formats.heading_lines import (
    CLOSED,
    FEWEST,
    FULL_LINE,
    ITEM,
    LONGEST_TITLE,
    NUMBERED,
    RULE,
    HeadingLine,
    ends_asking,
    indent_of,
    key_of,
    numbered_lines,
    with_next,
    without_contents,
)
from answer_selection.indexing.formats.joining import joined
from answer_selection.indexing.formats.outline import Heading, Section
from answer_selection.indexing.formats.parting import rules_inside
from answer_selection.indexing.formats.questions import (
    asks,
    leads_elsewhere,
    names_faq,
    says_what_it_is,
    seems_to_ask,
    without_answer_mark,
    without_marks,
)
from answer_selection.indexing.formats.raw import Problem, RawEntry

# "== Title" and "**** Title ****"; what is at its end, too, is taken off.
_DECORATED: Final = re.compile(r"[ \t]{0,8}(={1,6}|\*{2,9}|#{2,9}|-{2,9})[ \t]+(?=[\"'(]?\w)")
# "* Title" above "** Title", as Emacs writes outlines.
_HIGHEST_OF_AN_OUTLINE: Final = re.compile(r"\*[ \t]+(?=\w)")
_BELOW_IT: Final = re.compile(r"\*{2}[ \t]+\S")
# "==Title==" of wikis.
_OF_A_WIKI: Final = re.compile(r"={2,5}[ \t]?(?P<title>\w[^=\n]{0,100}?)[ \t]?={2,5}[ \t]{0,9}")
# What a table has above and below its rows: "=====  ===".
_BORDER: Final = re.compile(r"[ \t]*([=-])\1+(?:[ \t]+\1{2,})+[ \t]*")
# "-----[ The end ]-----"
_TITLE_IN_A_RULE: Final = re.compile(r"[ \t]{0,8}([-=*])\1{3,80}\[[^\[\]]{1,60}\]\1{4,80}[ \t]{0,8}")
_WORDS: Final = re.compile(r"[A-Z][\w ]{1,60}")
_SECOND_LETTER: Final = re.compile(r"(?m)^[ \t]*B ?[.):]")
_ANSWER: Final = re.compile(r"(?m)^(?:A|Answer):[ \t]")
_ABBREVIATIONS: Final = ("etc.", "e.g.", "i.e.")
_LONGEST_NAME: Final = 70
# "[ please read OVEN.FAQ first ]", "See also FAQ.txt"
_OF_ANOTHER: Final = re.compile(
    r"(?i)^[ \t]{0,40}\[.{0,40}\b(?:see|read|refer|consult)\b|\b(?:see|read|refer|consult)\b.{0,40}(?:\w\.faq|faq\.\w)"
)
_FEWEST_CLOSED: Final = 3
_PARTS: Final = 2  # of "2.1"
_FEWEST_PARTING: Final = 5  # lines of signs
NUMBERS: Final = "numbers"
TITLES: Final = "titles"
INDENTS: Final = "indents"
"""How the questions of a text are told: by numbers, by lines of signs, or as they stand further out."""


def entries(text: str, *, is_faq: bool = False) -> tuple[list[RawEntry | Problem], str]:
    """
    Find the questions of a text.

    :param text: the whole of a file.
    :param is_faq: whether it is known to be an FAQ, whatever it says.
    :returns: raw entries, and problems, in the file's order, of the form in which it has most questions; and which this
        is: :data:`NUMBERS`, :data:`TITLES` or :data:`INDENTS`; empty if there are none.
    """
    lines = number_spaces.with_spaces(text.split("\n"))
    titles = _titles(lines)
    sections = sorted([*titles, *_wiki_titles(lines)], key=lambda line: line.start)
    forms = {
        NUMBERS: _numbered(lines, sections, is_faq=is_faq),
        TITLES: titles,
        INDENTS: _outdented(lines, is_faq=is_faq),
    }
    found = {form: list(_entries(lines, headings, is_page=is_faq)) for form, headings in forms.items()}
    most = max(map(len, found.values()))
    # What is numbered is certain, and may have titles, and questions of the author's, between.
    form = next(form for form, some in found.items() if 2 * len(some) >= most)
    return found[form], form if most else ""


def in_section(text: str) -> list[RawEntry]:
    """
    Find the questions of a section of an FAQ that has nothing but them.

    :param text: the section's text.
    :returns: the paragraphs that begin with "2.1.", "2.2." and so on, and what is below each; none if the text does not
        begin with such a number, one is missing, or one has no text below it, or if they are steps or clauses: less
        than two of them ask, and most answers do not begin with "A:".
    """
    lines = text.split("\n")
    headings = [line for line in numbered_lines(lines) if len(line.number) == _PARTS and line.sign[-1:] != "|"]
    begins = next((number for number, line in enumerate(lines) if line.strip()), 0)
    if len(headings) < FEWEST or headings[0].start != begins:
        return []
    chapter = headings[0].number[0]
    if [line.number for line in headings] != [(chapter, float(number + 1)) for number in range(len(headings))]:
        return []
    answers = ["\n".join(lines[line.end : after.start if after else None]) for line, after in with_next(headings)]
    marked = sum(_ANSWER.search(answer) is not None for answer in answers)
    if sum(seems_to_ask(line.title) for line in headings) < FEWEST and 2 * marked < len(answers):
        return []
    found = [item for item in _entries(lines, headings, is_page=True) if isinstance(item, RawEntry)]
    return found if len(found) == len(headings) else []


def led_to(lines: Sequence[str], start: int) -> dict[int, tuple[int, str]]:
    """
    Find the questions with numbers that lists of contents lead to.

    :param lines: a text.
    :param start: the number of the first line that such a list may begin in. What one above all questions leads to are
        chapters.
    :returns: by the number of a line that begins one, the number of the line below it and the title; lines of the lists
        have an empty title.
    """
    found = numbered_lines(lines)
    last = {key_of(line): line for line in found}
    blocks: list[list[HeadingLine]] = [[]]
    for line in found:
        if last[key_of(line)] is line or (blocks[-1] and blocks[-1][-1].end < line.start):
            blocks.append([])
        if last[key_of(line)] is not line:
            blocks[-1].append(line)
    # The first line that is not empty, from each on.
    below = [len(lines)] * (len(lines) + 1)
    for number in range(len(lines) - 1, -1, -1):
        below[number] = number if lines[number].strip() else below[number + 1]
    led: dict[int, tuple[int, str]] = {}
    are_asked = False
    for block in blocks:
        headings = [last[key_of(line)] for line in block]
        # Items of a list that comes twice have no text below them.
        have_text = all(
            below[line.end] < (len(lines) if after is None else after.start) for line, after in with_next(headings)
        )
        if len(block) >= FEWEST and block[0].start >= start and have_text:
            # An overview of steps, and the steps below it, do not ask. Where others do, sentences may, too.
            do_ask = any(asks(line.title) for line in headings)
            if do_ask or all(line.title[-1] in ".!" for line in headings):
                led |= {line.start: (line.end, "") for line in block}
                led |= {line.start: (line.end, line.title) for line in headings}
            are_asked = are_asked or do_ask
    return led if are_asked else {}


def _entries(
    lines: Sequence[str], headings: Sequence[HeadingLine], *, is_page: bool = False
) -> Iterator[RawEntry | Problem]:
    if is_page and all(_rank(line) == 1 and not asks(line.title) for line in headings):
        # The first may be the title of the whole.
        titles = sum(says_what_it_is(line.title) for line in headings[:1])
        headings = [replace(line, level=1 if place < titles else 2) for place, line in enumerate(headings)]
    bottom = [here for here, after in with_next(headings) if after is None or _rank(after) <= _rank(here)]
    asking = sum(asks(line.title) for line in bottom)
    is_only_one = len(bottom) == 1 and asking and any(names_faq(line.title) for line in headings if line not in bottom)
    if len(bottom) < FEWEST and not is_only_one:
        return
    is_page = is_page or (asking >= FEWEST and 2 * asking >= len(bottom)) or _names_faq(lines[: headings[0].start])
    is_page = is_page or _entitles_others(lines, headings)
    # Where a line of signs stands above each question, one ends the last answer as well.
    ends = [0, *(line.end for line in headings)]
    ruled = sum(_is_below_a_rule(lines, line, end) for line, end in zip(headings, ends, strict=False))
    answers = [
        (line.end, len(lines) if after is None else _begin(lines, after, line.end))
        for line, after in with_next(headings)
    ]
    inside = rules_inside(lines, answers, _is_rule)
    is_ruled = 2 * ruled >= len(headings)
    bodies = [_body(lines, begin, end, inside, ends_at_rule=is_ruled) for begin, end in answers]
    # Where it is no letter of a list, most answers begin with "A.".
    unmarked = [_without_mark(body) for body in bodies]
    marked = sum(body != some for body, some in zip(bodies, unmarked, strict=True))
    if 2 * marked >= sum(map(bool, bodies)):
        bodies = unmarked
    sections = []
    for (line, after), body in zip(with_next(headings), bodies, strict=True):
        # Of a section, what introduces it is no answer; of a question, the contents of what is below.
        is_section = line.number[1:] == () and not asks(line.title)
        is_left_out = after is not None and _rank(after) > _rank(line) and (is_section or _are_contents(body))
        title, had_q = without_marks(line.title)
        heading = Heading(_rank(line), title, f"line {line.start + 1}", had_q=had_q)
        sections.append(Section(heading, "" if is_left_out else body))
    yield from outline.entries(sections, is_page=is_page)


def _entitles_others(lines: Sequence[str], headings: Sequence[HeadingLine]) -> bool:
    """Whether the first, right above the next, names an FAQ, and others have its rank: "* The FAQ *", "* Heat *"."""
    title, *others = headings
    if not others or any(map(str.strip, lines[title.end : others[0].start])) or not _names_faq([title.title]):
        return False
    return _rank(title) == min(map(_rank, others))


def _without_mark(body: str) -> str:
    # "A. Blue", "B. Red".
    rest = body if _SECOND_LETTER.search(body) else without_answer_mark(body, had_q=True)
    # What follows the mark's line stands below its text.
    return body if rest == body else dedent(" " * (len(body) - len(rest)) + rest).strip()


def _rank(line: HeadingLine) -> int:
    return line.level or 1 + len(line.number)


def _names_faq(lines: Sequence[str]) -> bool:
    return any(len(line) <= _LONGEST_NAME and names_faq(line) and not _OF_ANOTHER.search(line) for line in lines)


def _is_below_a_rule(lines: Sequence[str], heading: HeadingLine, end: int) -> bool:
    """Whether a line of signs stands above a heading that belongs neither to it nor to the one that ends before."""
    begin = _begin(lines, heading, end)
    above = next((line for line in reversed(lines[max(end, begin - 4) : begin]) if line.strip()), "")
    return _is_rule(above)


def _begin(lines: Sequence[str], heading: HeadingLine, end: int) -> int:
    """Where a heading begins: with the line of signs above it, if the same is below."""
    above = lines[heading.start - 1].strip() if heading.start > end else ""
    return heading.start - 1 if above and above == lines[heading.end - 1].strip() else heading.start


def _is_rule(line: str) -> bool:
    return RULE.fullmatch(line) is not None and not _BORDER.fullmatch(line)


def _body(lines: Sequence[str], begin: int, end: int, inside: Collection[int], *, ends_at_rule: bool) -> str:
    """The lines from one to another as an answer; of the lines of signs, those inside do not end it."""
    kept: list[str] = []
    for number, line in enumerate(lines[begin:end], start=begin):
        if _is_rule(line):
            if ends_at_rule and number not in inside and any(map(str.strip, kept)):
                break
            if not any(map(str.strip, kept)):
                continue
        kept.append(line.rstrip())
    while kept and (not kept[-1] or _is_rule(kept[-1]) or _TITLE_IN_A_RULE.fullmatch(kept[-1])):
        kept.pop()
    width = min((indent_of(line) for line in kept if line), default=0)
    # A tab is not cut in the middle.
    cut = [line.expandtabs() if line[:width].strip(" ") else line for line in kept]
    return "\n".join(line[width:] for line in cut).strip("\n")


def _are_contents(body: str) -> bool:
    return all(NUMBERED.match(line) for line in body.split("\n") if line.strip())


def _numbered(lines: Sequence[str], titles: Sequence[HeadingLine], *, is_faq: bool) -> list[HeadingLine]:
    """The lines that begin with a number and are headings, with those of the titles that stand between them."""
    found = without_contents(numbered_lines(lines), lines)
    shapes: dict[tuple[str, int, int], list[HeadingLine]] = {}
    for line in found:
        shapes.setdefault(line.shape, []).append(line)
    for mixed in _mixed(shapes.values(), lines):
        shapes[mixed[0].shape] = mixed
    # Of each depth the most frequent.
    best: dict[int, list[HeadingLine]] = {}
    for (_, depth, _), some in shapes.items():
        chosen = in_order(some, lines)
        if len(chosen) > len(best.get(depth, ())):
            best[depth] = chosen
    best = {depth: with_others(chosen, found) for depth, chosen in best.items()}
    deep = below_their_sections(line for depth, some in best.items() for line in some if depth > 1)
    highest = best.get(1, [])
    if len(deep) >= FEWEST:
        sections = sections_above(shapes, deep)
        # Questions before all sections are another FAQ's.
        first = min(line.start for line in [*sections, *deep])
        before = [line for line in highest if line.start < first]
        are_questions = len(before) >= FEWEST and _are_questions(before, lines, is_faq=is_faq)
        # Or these are chapters without sections.
        opens = len(before) > 0 and asks(before[-1].title) and before[-1].number[0] + 1 == deep[0].number[0]
        highest = [*(before if are_questions or opens else ()), *sections]
    elif not _are_questions(highest, lines, is_faq=is_faq):
        return []
    else:
        deep = []
    headings = sorted([*highest, *deep], key=lambda line: line.start)
    return _with_titles(lines, titles if deep else [*titles, *titles_above(lines, highest)], headings)


def _mixed(shapes: Iterable[list[HeadingLine]], lines: Sequence[str]) -> list[list[HeadingLine]]:
    """Join lines with the same parts of a number in one column if all count on: "1.2 How?" and then "2.1. How?"."""
    columns: dict[tuple[int, int], list[list[HeadingLine]]] = {}
    for some in shapes:
        _, depth, column = some[0].shape
        if depth == _PARTS and len(some) >= FEWEST and any(asks(line.title) for line in some):
            columns.setdefault((depth, column), []).append(some)
    joined = [
        sorted(chain.from_iterable(parts), key=lambda line: line.start) for parts in columns.values() if parts[1:]
    ]
    return [some for some in joined if len(in_order(some, lines)) == len(some)]


def _are_questions(some: Sequence[HeadingLine], lines: Sequence[str], *, is_faq: bool) -> bool:
    """Whether lines with one number are, and no list: most of them ask, or the file says that it is an FAQ."""
    if not some:
        return False
    asking = sum(asks(line.title) for line in some)
    return 2 * asking >= len(some) or ((is_faq or _names_faq(lines[: some[0].start])) and asking > 0)


def _with_titles(
    lines: Sequence[str], titles: Sequence[HeadingLine], headings: Sequence[HeadingLine]
) -> list[HeadingLine]:
    """Add the titles of sections between numbered headings, which end the answer above them."""
    taken = {number for line in headings for number in range(line.start, line.end)}
    starts = {line.start for line in headings}
    titles = [line for line in titles if not any(number in taken for number in range(line.start, line.end))]
    found: list[HeadingLine] = []
    signs: set[str] = set()
    for line in titles:
        below = next((number for number in range(line.end, len(lines)) if lines[number].strip()), 0)
        is_after = len(headings) > 0 and line.start > headings[-1].start
        here = bisect(headings, line.start, key=lambda heading: heading.start)
        # Of another FAQ, where counting begins again below.
        is_next_faq = (
            0 < here < len(headings) and headings[here].number < headings[here - 1].number and names_faq(line.title)
        )
        # The heading of a table in an answer has no question below it, nor names an FAQ.
        if below in starts or is_next_faq or (is_after and line.sign in signs):
            signs.add(line.sign)
            found.append(replace(line, title=line.title.rstrip(" :"), level=1))
    return sorted([*headings, *found], key=lambda line: line.start)


def _end_of_hanging(lines: Sequence[str], number: int) -> int:
    """Where a paragraph ends whose lines are further in than its first; 0 if it is none."""
    for end in range(number + 1, min(number + 1 + LONGEST_TITLE, len(lines))):
        if not lines[end].strip():
            return end
        if indent_of(lines[end]) <= indent_of(lines[number]):
            return 0
    return len(lines) if number + 1 == len(lines) else 0


def _wiki_titles(lines: Sequence[str]) -> list[HeadingLine]:
    """The lines such as "==Title==" right above a number."""
    found: list[HeadingLine] = []
    for number, line in enumerate(lines):
        title = _OF_A_WIKI.fullmatch(line)
        below = "" if title is None else next((line for line in lines[number + 1 : number + 4] if line.strip()), "")
        if title is not None and NUMBERED.match(below):
            found.append(HeadingLine(number, number + 1, 0, title["title"], sign="==", level=1))
    return found


def _titles(lines: Sequence[str]) -> list[HeadingLine]:
    """The lines with signs below or before them."""
    found: list[HeadingLine] = []
    underlined: dict[int, bool] = {}  # whether it is no sentence, by the line that each begins in
    like_code: set[int] = set()  # the lines that those begin in which code may be, between two lines of signs
    borders = {line for line, times in Counter(lines).items() if times >= FEWEST and _BORDER.fullmatch(line)}
    alone = Counter(
        mark[1] for line, after in pairwise([*lines, ""]) if not after.strip() and (mark := _DECORATED.match(line))
    )
    are_closed = sum(CLOSED.fullmatch(line) is not None for line in lines) >= _FEWEST_CLOSED
    between = _between_questions(lines)
    end = 0
    for number, line in enumerate(lines):
        if number < end or not line.strip() or (number and lines[number - 1].strip() and number != end):
            is_below_a_rule = number and RULE.fullmatch(lines[number - 1]) and line.strip() and number >= end
            if not is_below_a_rule and not (are_closed and number >= end and CLOSED.fullmatch(line)):
                continue
        mark = _DECORATED.match(line)
        if mark is not None and not RULE.fullmatch(line):
            is_closed = mark[1][0] == "=" and line.rstrip().endswith(f" {mark[1]}")
            below = number + 1 if is_closed else _end_of_hanging(lines, number)
            title = " ".join(" ".join(lines[number:below])[mark.end() :].split()).rstrip(mark[1][0]).strip()
            # Where other titles have one line, one may go on in lines that are further in.
            if title and below and (below == number + 1 or alone[mark[1]] >= FEWEST):
                end = below
                level = len(mark[1]) if mark[1][0] in "=*" else 1
                found.append(HeadingLine(number, end, 0, title, sign=mark[1][0], level=min(level, 6)))
            continue
        if (mark := _HIGHEST_OF_AN_OUTLINE.match(line)) and _is_above_a_lower(lines, number):
            end = number + 1
            found.append(HeadingLine(number, end, 0, line[mark.end() :].strip(), sign="*", level=1))
            continue
        below = next((i for i in range(number + 1, min(number + 4, len(lines))) if RULE.fullmatch(lines[i])), 0)
        if not below or lines[below] in borders or RULE.fullmatch(line) or not all(map(str.strip, lines[number:below])):
            continue
        text = joined(lines[number:below])
        # "----- Title -----"
        if text[:3] == text[-3:] and RULE.fullmatch(text[:3]):
            text = text.strip(f"{text[0]} ")
        width = max(len(some.expandtabs().strip()) for some in lines[number:below])
        if lines[below].rstrip() in between and len(lines[below].strip()) != width:
            continue
        sign = lines[below].strip()[0]
        # "[It is old. - Ed.]" ends an answer above a line of signs between two.
        is_text = sign == "_" or len(text) < 2 or (text[0] == "[" and ". " in text)
        # One that begins in lower case goes on from the paragraph above.
        is_text = is_text or (text[0].islower() and text.endswith("."))
        # A sentence above a line that only parts it from the next is seldom as long as it.
        is_sentence = text.endswith(".")
        fits = below == number + 1 and len(lines[below].rstrip()) == len(line.rstrip())
        if 2 * abs(len(lines[below].strip()) - width) <= width and not is_text and (fits or not is_sentence):
            end = below + 1
            if text[0].islower() and _is_between_rules(lines, number, below):
                like_code.add(number)
            underlined[number] = not is_sentence
            found.append(HeadingLine(number, end, indent_of(line), text, sign=sign))
    if sum(line.start not in like_code and asks(line.title) for line in found) >= FEWEST:
        found = [line for line in found if line.start not in like_code or asks(line.title)]
    return _ranked(lines, _turned(_from_the_highest(found)), underlined)


def _is_between_rules(lines: Sequence[str], number: int, below: int) -> bool:
    """Whether the same line of signs stands above a text, below an empty line, as below it."""
    is_below_one = number > 1 and lines[number - 1].rstrip() == lines[below].rstrip()
    return is_below_one and not lines[number - 2].strip()


def _is_above_a_lower(lines: Sequence[str], number: int) -> bool:
    """Whether nothing stands between a line and one that begins with "**"."""
    below = next((line for line in lines[number + 1 : number + 4] if line.strip()), "")
    return not "".join(lines[number + 1 : number + 2]).strip() and _BELOW_IT.match(below) is not None


def _from_the_highest(found: Sequence[HeadingLine]) -> list[HeadingLine]:
    """Give the titles with the fewest stars the first rank."""
    fewest = min((line.level for line in found if line.sign == "*" and line.level), default=1)
    return [replace(line, level=line.level + 1 - fewest) if line.sign == "*" and line.level else line for line in found]


def _between_questions(lines: Sequence[str]) -> set[str]:
    """The lines of signs that come often, half of them below an empty line and right above a number."""
    above = Counter(line.rstrip() for line in lines if RULE.fullmatch(line))
    parting: Counter[str] = Counter()
    for number, line in enumerate(lines):
        if line.rstrip() in above and number and not lines[number - 1].strip():
            below = next((line for line in lines[number + 1 : number + 4] if line.strip()), "")
            parting[line.rstrip()] += NUMBERED.match(below) is not None
    return {line for line, times in parting.items() if times >= _FEWEST_PARTING and 2 * times >= above[line]}


def _turned(found: Sequence[HeadingLine]) -> list[HeadingLine]:
    """Turn the ranks of "== Title ==" below a first "=== Name ===", as WordPress and DokuWiki write them."""
    levels = [line.level for line in found if line.sign == "=" and line.level]
    most = levels[0] if levels else 0
    if max(levels[1:], default=most) != most - 1:
        return list(found)
    return [replace(line, level=most + 1 - line.level) if line.sign == "=" and line.level else line for line in found]


def _ranked(lines: Sequence[str], found: Sequence[HeadingLine], underlined: Mapping[int, bool]) -> list[HeadingLine]:
    """
    Give underlined titles the ranks of their signs.

    Left out are sentences whose sign no other title has, and those that are all the text of the title above.
    """
    signs = {line.sign for line in found if underlined.get(line.start)}
    ranks: dict[str, int] = {}
    kept: list[HeadingLine] = []
    for line in found:
        if line.start not in underlined:
            kept.append(line)
        elif line.sign in signs:
            level = min(ranks.setdefault(line.sign, len(ranks) + 1), 6)
            is_right_below = len(kept) > 0 and not any(map(str.strip, lines[kept[-1].end : line.start]))
            if underlined[line.start] or not is_right_below or level > kept[-1].level:
                kept.append(replace(line, level=level))
    return kept


def _outdented(lines: Sequence[str], *, is_faq: bool) -> list[HeadingLine]:
    """The paragraphs that ask and stand further out than what follows, as in a manual page."""
    paragraphs: list[HeadingLine] = []
    begin = 0
    for number in range(len(lines) + 1):
        if number < len(lines) and lines[number].strip():
            above = lines[number - 1]
            # Below a title or a question, without an empty line.
            ends = above.rstrip().endswith((".", "!")) and not above.rstrip().endswith(_ABBREVIATIONS)
            is_whole = ends_asking(above) or len(above) < FULL_LINE or (ends and not ends_asking(lines[number]))
            is_below = number > begin and is_whole
            if not is_below or indent_of(lines[number]) <= indent_of(lines[begin]):
                continue
        if begin < number:
            text = joined(lines[begin:number])
            size = number - begin
            if size <= LONGEST_TITLE or indent_of(lines[begin]) == 0:
                paragraphs.append(HeadingLine(begin, number, indent_of(lines[begin]), text))
        begin = number if number < len(lines) and lines[number].strip() else number + 1
    paragraphs = [line for line in paragraphs if not ITEM.match(line.title)]
    asking = [line for line, after in pairwise(paragraphs) if after.indent > line.indent and ends_asking(line.title)]
    if len(asking) <= FEWEST:
        return []
    indents = Counter(line.indent for line in asking)
    column = max(indents, key=lambda indent: indents[indent])
    beside = sum(line.indent == column for line in paragraphs)
    # In a text that is no FAQ somebody may ask, too.
    if 2 * indents[column] < max(len(asking), beside) and not (is_faq or _names_faq(lines[: asking[0].start])):
        return []
    headings: list[HeadingLine] = []
    for line, after in with_next(paragraphs):
        if line.indent > column or leads_elsewhere(line.title) or RULE.fullmatch(lines[line.start]):
            continue
        # Code of an answer may stand at the edge: the title of a section has a question below it, or is one of words.
        is_section = (after is not None and after.indent <= column) or (
            line.start > asking[-1].start and _WORDS.fullmatch(line.title) is not None
        )
        if line.indent == column or is_section:
            headings.append(replace(line, level=2 if line.indent == column else 1))
    questions = [number for number, line in enumerate(headings) if line.level == 2 and asks(line.title)]
    if not questions:
        return []
    # In its section and those before it, others may stand that do not ask.
    hanging = {line.start for line, after in pairwise(paragraphs) if after.indent > line.indent}
    begin = max(0, questions[0] - 1)
    for number in range(questions[0] - 1, -1, -1):
        is_section = headings[number].level == 1
        if not (headings[number + 1].level == 2 if is_section else headings[number].start in hanging):
            break
        begin = min(begin, number) if is_section else begin
    return headings[begin:]
