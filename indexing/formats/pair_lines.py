# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
Plain text of pairs, line by line: which lines are a question, which are its answer, and the titles of sections.

A question begins with ``Q:`` and its answer with ``A:``, where the text has such marks at all.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from answer_selection.indexing.formats.heading_lines import CLOSED, FULL_LINE, indent_of
from answer_selection.indexing.formats.joining import joined
from answer_selection.indexing.formats.parting import rules_inside
from answer_selection.indexing.formats.questions import names_faq, without_marks

# "Q: ", "Q1. ", "Q 2) ", "Question: ", perhaps bold in Markdown, perhaps an item of a list.
_ITEM: Final = r"[ \t]*(?:(?:[-*+\u2022]|[0-9]{{1,4}}[.)])[ \t]+)?"
_NUMBER: Final = r" ?[0-9]{{0,4}}(?:\.[0-9]{{1,4}}){{0,4}}"
_MARK: Final = _ITEM + r"(?:\*\*)?(?:{0})" + _NUMBER + r"(?:\*\*)? ?[:.)](?:\*\*)?(?:[ \t]+|$)"
# "q." and "a)" are letters of a list.
_SMALL: Final = "(?=[*]{0,2} ?[0-9.]{0,9}:)"
# "(see the next", and below, "question) there are", is a sentence that goes on.
_SENTENCE: Final = "(?!(?:question|answer|ans)[.)])"
QUESTION: Final = re.compile(_MARK.format(_SENTENCE + "(?i:Question)|Q|q" + _SMALL))
ANSWER: Final = re.compile(_MARK.format(_SENTENCE + "(?i:Answer|Ans)|A|a" + _SMALL))
# In Markdown, which has other marks for lists and bold print.
PAIR: Final = re.compile(r"(?:Q|A|Question|Answer)[ ]?[0-9]{0,4}[:.]")
# "Q1: How? A: So." on one line.
_ANSWER_INLINE: Final = re.compile(r"\?\s+A:(?:\s+|$)")

_DIGITS: Final = re.compile(r"[0-9]+")
_LISTED: Final = re.compile(r"[ \t]{0,40}(?:[-*+\u2022]|[0-9]{1,2}[.)])[ \t]{1,40}\S")
_COLUMNS: Final = re.compile(r"\S(?:  |\t)")
# Not two spaces behind a sentence.
_CELLS: Final = re.compile(r"[^\s.:!?](?:  |\t)")
# Of one sign or of several. Other than below headings, not of quotes and the like, which stand in code.
_RULE: Final = re.compile(r"[ \t]*(?:[-=_*~#][ \t]?){3,}[ \t]*")
_FEWEST_FRAMES: Final = 2
# "-= Title =-", "--- Title ---"
_FRAMED: Final = re.compile(
    r"[ \t]{0,80}(?P<before>[-=*~#]{2,9})[ \t]{1,20}(?P<title>\w[^\n]{0,80}?)[ \t]{1,20}(?P<behind>[-=*~#]{2,9})[ \t]*"
)
# "-Title--------------------"
_IN_A_RULE: Final = re.compile(
    r"[ \t]{0,8}(?P<sign>[-=_*~#])(?P=sign){0,9}[ \t]?(?P<title>\w[^\n]{0,60}?)[ \t]?(?P=sign){10,100}[ \t]*"
)
# ". . . ."; three stand for what is left out.
_DOTS: Final = re.compile(r"[ \t]{0,80}(?:\.[ \t]?){4,100}[ \t]*")
_LONGEST_CODE: Final = 100  # lines
_FEWEST_ASKED: Final = 2
_LONGEST_ASKED: Final = 4  # lines


@dataclass(frozen=True, slots=True)
class Pair:
    """
    A question and its answer.

    :param line: the number of the line that the question begins in.
    :param question: its text.
    :param parts: the lines of its answer, by the marks that they stand behind.
    :param is_own: whether "A:" stands between this question and the next.
    :param section: the title that it stands below; empty if there is none.
    """

    line: int
    question: str
    parts: tuple[list[str], ...]
    is_own: bool
    section: str = ""

    @property
    def answer(self) -> str:
        """Its parts, an empty line between two, without the indentation that their lines have in common."""
        return "\n\n".join(filter(None, map(_without_indent, self.parts)))


class PairReader:
    """Reads the pairs of a text."""

    def __init__(
        self, lines: Sequence[str], numbers: Mapping[int, tuple[int, str]] | None = None, *, is_file: bool
    ) -> None:
        """
        Prepares to read a text.

        :param lines: the text.
        :param numbers: the questions with numbers that stand between pairs, as `numbered.led_to` gives them.
        :param is_file: whether it is the whole of a file: it has sections, and a question without an answer counts.
        """
        self._lines, self._numbers, self._is_file = lines, numbers or {}, is_file
        self._titles = _section_titles(lines) if is_file else {}
        self._frames = _frames(lines) if is_file else {}
        self._inside = _rules_inside(lines)
        self._answered = _answered(lines)
        self._are_marked = any(self._answered)
        self._do_ask = not self._are_marked and _do_ask(lines)
        self._found: list[Pair] = []
        self._section = ""
        self._question: list[str] = []
        # Its parts: each has a mark of its own.
        self._answer: list[list[str]] = []
        self._sign = ""
        self._column = 0  # where the text of the answer stands
        self._edge = 0  # where the mark before it stands
        self._began = 0
        # The line of signs above code that an answer quotes, until the same is below.
        self._quoting = ""
        # Questions in lines right above, which have the same answer.
        self._same: list[tuple[int, str]] = []

    def read(self) -> list[Pair]:
        """
        Read the text, once.

        :returns: its pairs, in its order.
        """
        below = 0  # the last title with a number
        for number, line in enumerate(self._lines):
            if number in self._numbers and not QUESTION.match(line):
                below, title = self._numbers[number]
                self._numbered(number, title)
            elif number >= below:
                self._line(number, line)
        self._end()
        return self._found

    def _numbered(self, number: int, title: str) -> None:
        """A question with a number; without a title it only ends what is above."""
        if self._answer and not title:
            _cut_title(self._answer[-1])
        self._end()
        if title:
            self._began, self._sign = number, ""
            self._question.append(title)
            self._answer.append([""])

    def _line(self, number: int, line: str) -> None:
        if mark := QUESTION.match(line):
            self._begin(number, line[mark.end() :])
        elif self._is_file and (title := CLOSED.fullmatch(line) or self._frames.get(number)):
            self._end()
            self._section = "" if names_faq(title["title"]) else title["title"]
        elif self._answer and _DOTS.fullmatch(line) and _is_above_question(self._lines, number):
            self._end()
        elif not self._question:
            self._section = self._titles.get(number, (self._section, True))[0]
        elif (mark := ANSWER.match(line)) and self._is_of_this_answer(mark[0]):
            self._sign, self._column, self._edge = _sign(mark[0]), mark.end(), indent_of(line)
            self._answer.append([" " * mark.end() + line[mark.end() :]])
        elif _RULE.fullmatch(line) and not (self._answer and self._is_further_in(number)):
            self._rule(number, line)
        elif self._answer:
            self._answer[-1].append(line)
        elif not self._are_marked and self._question[-1].rstrip(" \t*").endswith("?"):
            self._answer.append(["", line])
        elif self._do_ask and not line.strip() and self._ends_told(number):
            self._answer.append([""])  # "Q2. It is hard." says what is wrong
        else:
            self._question.append(line)

    def _is_further_in(self, number: int) -> bool:
        """Whether a line of signs stands in code of the answer, or under a title of its own."""
        lines = self._lines
        return _is_in_code(lines, number, self._column) or _is_under_a_title_inside(lines, number, self._edge)

    def _ends_told(self, number: int) -> bool:
        """Whether a question ends above an empty line though it does not ask: "It is hard.", "Please help!"."""
        if self._question[-1].rstrip(" \t*").endswith("."):
            return True
        # "It burns!", and below, "What can I do?"
        below = next((i for i in range(number, min(number + 4, len(self._lines))) if self._lines[i].strip()), number)
        paragraph = self._lines[below : below + _LONGEST_ASKED]
        return not any(line.rstrip(" \t*").endswith("?") for line in paragraph[: _paragraph(paragraph)])

    def _begin(self, number: int, text: str) -> None:
        """A line that begins with "Q:"."""
        is_below = self._lines[number - 1].strip() and _paragraph(self._question) == len(self._question)
        if self._question and not self._answer and self._are_marked and is_below:
            self._same.append((self._began, _asked(self._question)))
            self._question.clear()
        else:
            self._end()
        self._began, self._sign, self._edge = number, "", indent_of(self._lines[number])
        if inline := _ANSWER_INLINE.search(text):
            self._answer.append([text[inline.end() :]])
            text = text[: inline.start() + 1]
        self._question.append(text or " ")

    def _is_of_this_answer(self, mark: str) -> bool:
        """Whether "A:" is the first of a question, or one of its "A1)" and "A2)"."""
        return not self._answer or (_sign(mark) == self._sign and _DIGITS.search(mark) is not None)

    def _rule(self, number: int, line: str) -> None:
        """A line of signs: it ends a pair, or is a part of it."""
        if self._is_around_code(number, line):
            self._quoting = "" if self._quoting else line.rstrip()
            self._answer[-1].append(line)
            return
        if self._answer and (number in self._inside or _is_below_the_head_of_a_table(self._lines, number)):
            self._answer[-1].append(line)
            return
        # What "A:" stands below, before the next question, is a part of it.
        answered = self._answered[number]
        is_inside = answered != "" and (not self._answer or answered == self._sign)
        if not is_inside and (self._answer or self._are_marked):
            self._end_above(number, line)
        elif self._answer:
            self._answer[-1].append(line)
        elif is_inside and (not _is_above_answer(self._lines, number) or any(map(_RULE.fullmatch, self._question))):
            self._question.append(line)

    def _is_around_code(self, number: int, line: str) -> bool:
        """Whether it stands below "Insert these lines:", and again before the next question; or is that one."""
        if not self._answer or self._quoting:
            return self._quoting == line.rstrip()
        above = self._answer[-1]
        is_title = len(above) > 1 and above[-1].strip() and not above[-2].strip()
        # An empty line may be between.
        last = next((part for part in reversed(above[-2:]) if part.strip()), "")
        if is_title or not last.rstrip().endswith(":"):
            return False
        for below in self._lines[number + 1 : number + 1 + _LONGEST_CODE]:
            if QUESTION.match(below):
                return False
            if _RULE.fullmatch(below):
                return below.rstrip() == line.rstrip()
        return False

    def _end_above(self, number: int, rule: str) -> None:
        is_open = bool(self._question)
        # The line above is the heading that the rule stands under.
        above = self._answer[-1] if self._answer else self._question[_paragraph(self._question) :]
        if rule.strip()[0] in "=-~" and len(above) > 1 and above[-1].strip() and not _goes_on(above, rule):
            (self._answer[-1] if self._answer else self._question).pop()
        self._end()
        # Below an open question it may be a part of the answer, such as the head of a table.
        title, is_sure = self._titles.get(number, (self._section, True))
        self._section = title if is_sure or not is_open else ""

    def _end(self) -> None:
        """End the question that is open, if one is."""
        is_own = len(self._answer) > 0
        if not is_own and (self._are_marked or self._do_ask):
            # What stands below the question, up to the next, is an answer without a mark.
            size = _paragraph(self._question)
            asking = _asked_in(self._question[:size])
            # A list right below is the beginning of what is answered.
            is_above_list = asking < size and _LISTED.match(self._question[asking]) is not None
            if is_above_list or not any(map(str.strip, self._question[size:])):
                size = asking
            self._answer.append(["", *self._question[size:]])
            del self._question[size:]
        has_answer = (self._are_marked and is_own) or any("".join(part).strip() for part in self._answer)
        if self._question and (self._is_file or has_answer):
            parts = tuple(self._answer)
            self._found += [Pair(line, title, parts, is_own=False, section=self._section) for line, title in self._same]
            asked = _asked(self._question)
            self._found.append(Pair(self._began, asked, parts, is_own=is_own, section=self._section))
        self._quoting = ""
        self._same.clear()
        self._question.clear()
        self._answer.clear()


def _rules_inside(lines: Sequence[str]) -> set[int]:
    """The lines of signs in answers, where others part the pairs."""
    starts = [number for number, line in enumerate(lines) if QUESTION.match(line)]
    answers = list(pairwise([*starts, len(lines)]))
    # Questions of a table of contents have none.
    marked = [(begin, end) for begin, end in answers if any(map(ANSWER.match, lines[begin:end]))]
    return rules_inside(lines, marked or answers, lambda line: _RULE.fullmatch(line) is not None)


def _frames(lines: Sequence[str]) -> dict[int, re.Match[str]]:
    """The titles between signs, if there are some: a single one may be how an answer ends."""
    found = {number: title for number in range(len(lines)) if (title := _framed(lines, number)) is not None}
    return found if len(found) >= _FEWEST_FRAMES else {}


def _framed(lines: Sequence[str], number: int) -> re.Match[str] | None:
    """The title that a line is, between signs: nothing is right above it, and a question is next."""
    if (number and lines[number - 1].strip()) or not _is_above_question(lines, number):
        return None
    framed = _FRAMED.fullmatch(lines[number])
    if framed is not None and framed["before"] == framed["behind"][::-1]:
        return framed
    return _IN_A_RULE.fullmatch(lines[number])


def _is_above_question(lines: Sequence[str], number: int) -> bool:
    """Whether a question is next."""
    below = next((line for line in lines[number + 1 : number + 4] if line.strip()), "")
    return QUESTION.match(below) is not None


def _goes_on(above: Sequence[str], rule: str) -> bool:
    """Whether the line above a rule goes on from the one before, or is all there is, and does not fit the rule."""
    line = above[-1]
    is_part = bool(above[-2].strip()) or not any(map(str.strip, above[:-1]))
    return is_part and (indent_of(line) > indent_of(rule) or len(rule.strip()) > 2 * len(line.strip()))


def _do_ask(lines: Sequence[str]) -> bool:
    """Whether a third of the paragraphs with "Q:" ask: others may be quarters of a year, or heat in a formula."""
    starts = [number for number, line in enumerate(lines) if QUESTION.match(line)]
    asked = [lines[start : start + _LONGEST_ASKED] for start in starts]
    asking = sum("?" in "".join(some[: _paragraph(some)]) for some in asked)
    return len(asked) >= _FEWEST_ASKED and 3 * asking >= len(asked)


def _section_titles(lines: Sequence[str]) -> dict[int, tuple[str, bool]]:
    """
    The titles of sections, by the lines of signs under them.

    Each with whether it is certain: a question stands right below it, or it has a number.
    """
    found: dict[int, tuple[str, bool]] = {}
    signs: set[str] = set()
    begin = next((number for number, line in enumerate(lines) if line.strip() and not _RULE.fullmatch(line)), 0)
    for number in range(1, len(lines)):
        title = lines[number - 1].strip()
        if not _RULE.fullmatch(lines[number]) or not title or len(title) >= FULL_LINE:
            continue
        above = lines[number - 2] if number > 1 else ""
        is_marked = QUESTION.match(title) or ANSWER.match(title) or _RULE.fullmatch(title)
        if is_marked or title[-1] in ".?" or (above.strip() and not _RULE.fullmatch(above)):
            continue
        # Further in is what an answer shows; with columns, or a mark in brackets, it is the head of a table or output.
        if lines[number - 1][0].isspace() or title[0] == "[" or _COLUMNS.search(title):
            continue
        # Between two lines of signs, these may be as long as the page is wide.
        width = len(lines[number].expandtabs().rstrip())
        if not above.strip() and 2 * abs(width - len(title)) > len(title):
            continue
        name = without_marks(title)[0]
        below = next((line for line in lines[number + 1 : number + 4] if line.strip()), "")
        is_right_above = QUESTION.match(below) is not None
        found[number] = ("" if names_faq(title) else name.rstrip(" :"), is_right_above or name != title)
        # One at the beginning is that of the file.
        if number - 1 > begin and is_right_above:
            signs.add(lines[number].strip()[0])
    # Where some have a question below, others may have text before it.
    return {number: title for number, title in found.items() if lines[number].strip()[0] in signs}


def _is_in_code(lines: Sequence[str], number: int, column: int) -> bool:
    """
    Whether a line of signs stands in a paragraph that is as far in as the text of the answer, and ends none.

    If it is no further in, more of that text has to be below: otherwise it may be the title of a section.
    """
    begin = end = number
    while begin and lines[begin - 1].strip() and number - begin < _LONGEST_CODE:
        begin -= 1
    while end + 1 < len(lines) and lines[end + 1].strip() and end - number < _LONGEST_CODE:
        end += 1
    indent = min(map(indent_of, lines[begin : end + 1]))
    if begin == end or indent < column:
        return False
    below = next((line for line in lines[end + 1 : end + 4] if line.strip()), "")
    goes_on = indent > column or indent_of(below) >= column
    return bool(below) and goes_on and not QUESTION.match(below) and not _RULE.fullmatch(below)


def _is_under_a_title_inside(lines: Sequence[str], number: int, edge: int) -> bool:
    """Whether a title is right above a line of signs, further in than the answer's mark, and its text more so."""
    above, begins = lines[number - 1], lines[number - 2 : number - 1]
    indent = min(indent_of(above), indent_of(lines[number]))
    if not above.strip() or "".join(begins).strip() or indent <= edge:
        return False
    below = next((line for line in lines[number + 1 : number + 4] if line.strip()), "")
    return indent_of(below) > indent and not QUESTION.match(below) and not _RULE.fullmatch(below)


def _is_below_the_head_of_a_table(lines: Sequence[str], number: int) -> bool:
    """Whether a line of signs stands between the head of a table and its first row."""
    around = lines[max(number - 1, 0) : number + 2 : 2]
    are_pairs = any(mark.match(line) for mark in (QUESTION, ANSWER) for line in around)
    return len(around) == 2 and not are_pairs and all(_CELLS.search(line.strip()) for line in around)


def _paragraph(lines: Sequence[str]) -> int:
    """How many of the lines stand before the first that is empty."""
    return next((number for number, line in enumerate(lines) if number and not line.strip()), len(lines))


def _asked_in(lines: Sequence[str]) -> int:
    """How many of a paragraph's lines ask: those up to the last of the first that end with a question mark."""
    asking = [line.rstrip(" \t*").endswith("?") for line in lines]
    first = asking.index(True) if any(asking) else len(lines)
    return next((number for number in range(first, len(lines)) if not asking[number]), len(lines))


def _answered(lines: Sequence[str]) -> list[str]:
    """For each line, the sign of the first "A:" in it or below it; empty if the next question comes before."""
    found = [""] * len(lines)
    sign = ""
    for number in range(len(lines) - 1, -1, -1):
        if mark := ANSWER.match(lines[number]):
            sign = _sign(mark[0])
        elif QUESTION.match(lines[number]):
            sign = ""
        found[number] = sign
    return found


def _is_above_answer(lines: Sequence[str], number: int) -> bool:
    """Whether an answer begins in the next line that is not empty."""
    below = next((lines[i] for i in range(number + 1, len(lines)) if lines[i].strip()), "")
    return ANSWER.match(below) is not None


def _sign(mark: str) -> str:
    """What the marks "A1)" and "A2)" of one answer have in common."""
    return _DIGITS.sub("", mark).rstrip()


def _cut_title(part: list[str]) -> None:
    """Take off the line that stands alone above a list of contents, if it is no sentence."""
    size = next((number + 1 for number in range(len(part) - 1, -1, -1) if part[number].strip()), 0)
    if (
        size > 1
        and not part[size - 2].strip()
        and part[size - 1][0].isalnum()
        and part[size - 1].rstrip()[-1] not in ".:;!?"
    ):
        del part[size - 1 :]


def _asked(lines: list[str]) -> str:
    return without_marks(joined(lines))[0].removesuffix("**").strip()


def _without_indent(lines: list[str]) -> str:
    """Leave out the indentation that all lines have after the first, which stands behind its mark."""
    rest = [line for line in lines[1:] if line.strip()]
    width = min((len(line) - len(line.lstrip()) for line in rest), default=0)
    return "\n".join([lines[0].strip(), *(line[width:].rstrip() for line in lines[1:])]).strip()
