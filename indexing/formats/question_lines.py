# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
Plain text of pairs: a line that begins with ``Q:`` and, after it, one that begins with ``A:``.

Where a text has more questions with numbers, underlined or further out than their answers, these are read.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from answer_selection.indexing.formats import numbered
from answer_selection.indexing.formats.heading_lines import FULL_LINE, indent_of
from answer_selection.indexing.formats.own_words import told_apart
from answer_selection.indexing.formats.questions import names_faq, without_marks
from answer_selection.indexing.formats.raw import Problem, RawEntry

# "Q: ", "Q1. ", "Q 2) ", "Question: ", perhaps bold in Markdown, perhaps an item of a list.
_ITEM: Final = r"[ \t]*(?:(?:[-*+\u2022]|[0-9]{{1,4}}[.)])[ \t]+)?"
_NUMBER: Final = r" ?[0-9]{{0,4}}(?:\.[0-9]{{1,4}}){{0,4}}"
_MARK: Final = _ITEM + r"(?:\*\*)?(?:{0})" + _NUMBER + r"(?:\*\*)? ?[:.)](?:\*\*)?(?:[ \t]+|$)"
# "q." and "a)" are letters of a list.
_SMALL: Final = "(?=[*]{0,2} ?[0-9.]{0,9}:)"
_QUESTION: Final = re.compile(_MARK.format("(?i:Question)|Q|q" + _SMALL))
_ANSWER: Final = re.compile(_MARK.format("(?i:Answer|Ans)|A|a" + _SMALL))
# "Q1: How? A: So." on one line.
_ANSWER_INLINE: Final = re.compile(r"\?\s+A:(?:\s+|$)")
_RULE: Final = re.compile(r"[ \t]*(?:[-=_*~#][ \t]?){3,}[ \t]*")
# Manual pages print a letter, go back, and print it again, which is bold.
_OVERSTRUCK: Final = re.compile(r"[^\n\b]?[\b]")
_DIGITS: Final = re.compile(r"[0-9]+")
# "Opening hours", at the edge; no sentence, nor code ("BEGIN").
_TITLE: Final = re.compile(r"(?![A-Z]+$)[A-Z][^.:;!?|=<>$\\]{1,69}")
# "oven (the new one)" or "It is warm."
_BELOW: Final = re.compile(r"[^.:;!?|=<>$\\\s]+(?: [^.:;!?|=<>$\\\s]+){2,}|\w.*[.!?:]|" + _TITLE.pattern)
_COLUMNS: Final = re.compile(r"\S(?:  |\t)")
_FEWEST: Final = 2
_LONGEST_CODE: Final = 100  # lines


@dataclass(frozen=True, slots=True)
class _Pair:
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
        return "\n\n".join(filter(None, map(_without_indent, self.parts)))


def entries(text: str) -> tuple[list[RawEntry | Problem], bool]:
    """
    Find the questions of a text.

    :param text: the whole of a file.
    :returns: one raw entry a pair, or a problem if there is none; and whether "Q:" or numbers tell the questions, and
        not only how the lines stand.
    """
    text = _OVERSTRUCK.sub("", text)
    _, pairs = split(text, None)
    others, are_numbered = numbered.entries(text)
    # Without "A:", lines that begin with "Q1:" may be those of a table of contents.
    are_pairs = 2 * sum(_ANSWER.match(line) is not None for line in text.split("\n")) >= len(pairs)
    more = sum(isinstance(other, RawEntry) and bool(other.fields["answer"]) for other in others)
    found: Sequence[RawEntry | Problem] = pairs
    if more > len(pairs) * (2 if are_pairs else 0.5):
        found = others
    elif pairs:
        lines = text.split("\n")
        first = next(number for number, line in enumerate(lines) if _QUESTION.match(line))
        if numbers := numbered.led_to(lines, first):
            _, found = split(text, None, numbers)
    if not found and text.strip():
        message = (
            "expected pairs of a line that begins with 'Q:' and one that begins with 'A:', or questions with numbers "
            "or lines below them; found none"
        )
        return [Problem("", None, message, nothing=True)], False
    return list(told_apart(found)), len(found) > 0 and (found is not others or are_numbered)


def split(
    text: str, location: str | None, numbers: Mapping[int, tuple[int, str]] | None = None
) -> tuple[str, list[RawEntry]]:
    """
    Find the pairs in a text.

    :param text: lines.
    :param location: where the text is, or None if it is a file: each pair's own line is named then, and a question
        without an answer is given too.
    :param numbers: the questions with numbers that stand between pairs, as :func:`numbered.led_to` gives them.
    :returns: what stands before the first pair, and the pairs; no pairs if no question has an answer.
    """
    lines = text.split("\n")
    titles = _section_titles(lines) if location is None else {}
    section = ""
    answered = _answered(lines)
    are_marked = any(answered)
    found: list[_Pair] = []
    question: list[str] = []
    # Its parts: each has a mark of its own.
    answer: list[list[str]] = []
    sign = ""
    column = 0  # where the text of the answer stands
    began = 0
    below = 0  # the last title with a number
    # Questions in lines right above, which have the same answer.
    same: list[tuple[int, str]] = []

    def end() -> None:
        is_own = len(answer) > 0
        if are_marked and not is_own:
            # What stands below the question, up to the next, is an answer without its mark.
            size = _paragraph(question)
            answer.append(["", *question[size:]])
            del question[size:]
        if question and (location is None or (are_marked and is_own) or any("".join(part).strip() for part in answer)):
            parts = tuple(answer)
            found.extend(_Pair(line, title, parts, is_own=False, section=section) for line, title in same)
            found.append(_Pair(began, _asked(question), parts, is_own=is_own, section=section))
        same.clear()
        question.clear()
        answer.clear()

    for number, line in enumerate(lines):
        if numbers and number in numbers and not _QUESTION.match(line):
            below, title = numbers[number]
            if answer and not title:
                _cut_title(answer[-1])
            end()
            if title:
                began, sign = number, ""
                question.append(title)
                answer.append([""])
        elif number < below:
            continue
        elif mark := _QUESTION.match(line):
            is_below = lines[number - 1].strip() and _paragraph(question) == len(question)
            if question and not answer and are_marked and is_below:
                same.append((began, _asked(question)))
                question.clear()
            else:
                end()
            began, sign = number, ""
            question.append(line[mark.end() :])
            if inline := _ANSWER_INLINE.search(question[0]):
                answer.append([question[0][inline.end() :]])
                question[0] = question[0][: inline.start() + 1]
            if not question[0]:
                question[0] = " "
        elif not question:
            section = titles.get(number, (section, True))[0]
        elif (mark := _ANSWER.match(line)) and (not answer or (_sign(mark[0]) == sign and _DIGITS.search(mark[0]))):
            sign, column = _sign(mark[0]), mark.end()
            answer.append([" " * mark.end() + line[mark.end() :]])
        elif _RULE.fullmatch(line) and not (answer and _is_in_code(lines, number, column)):
            # What "A:" stands below, before the next question, is a part of it.
            is_inside = answered[number] != "" and (not answer or answered[number] == sign)
            if not is_inside and (answer or are_marked):
                is_open = bool(question)
                # The line above is the heading that the rule stands under.
                above = answer[-1] if answer else question[_paragraph(question) :]
                if line.strip()[0] in "=-~" and len(above) > 1 and above[-1].strip():
                    (answer[-1] if answer else question).pop()
                end()
                # Below an open question it may be a part of the answer, such as the head of a table.
                title, is_sure = titles.get(number, (section, True))
                section = title if is_sure or not is_open else ""
            elif answer:
                answer[-1].append(line)
            elif is_inside and (not _is_above_answer(lines, number) or any(map(_RULE.fullmatch, question))):
                question.append(line)
        elif answer:
            answer[-1].append(line)
        elif not are_marked and question[-1].rstrip(" \t*").endswith("?"):
            answer.append(["", line])
        else:
            question.append(line)
    end()
    pairs = _without_contents(_without_titles(found) if location is None else found)
    entries = [
        RawEntry(
            location or f"line {pair.line + 1}",
            {"question": pair.question, "answer": pair.answer},
            (pair.section,) if pair.section else (),
        )
        for pair in pairs
    ]
    if not any(entry.fields["answer"] for entry in entries):
        return text, []
    return "\n".join(lines[: min(pair.line for pair in pairs)]).strip("\n"), entries


def begins_a_question(text: str) -> bool:
    """
    Tell whether a text begins as a question does.

    :param text: a paragraph.
    :returns: whether it has "Q:", "Q1." or the like before it.
    """
    return _QUESTION.match(text) is not None


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
        is_marked = any(mark.match(title) for mark in (_QUESTION, _ANSWER, _RULE))
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
        is_right_above = _QUESTION.match(below) is not None
        found[number] = ("" if names_faq(title) else name.rstrip(" :"), is_right_above or name != title)
        # One at the beginning is that of the file.
        if number - 1 > begin and is_right_above:
            signs.add(lines[number].strip()[0])
    # Where some have a question below, others may have text before it.
    return {number: title for number, title in found.items() if lines[number].strip()[0] in signs}


def _is_in_code(lines: Sequence[str], number: int, column: int) -> bool:
    """Whether a line of signs stands in a paragraph that is further in than the text of the answer, and ends none."""
    begin = end = number
    while begin and lines[begin - 1].strip() and number - begin < _LONGEST_CODE:
        begin -= 1
    while end + 1 < len(lines) and lines[end + 1].strip() and end - number < _LONGEST_CODE:
        end += 1
    if begin == end or min(map(indent_of, lines[begin : end + 1])) <= column:
        return False
    below = next((line for line in lines[end + 1 : end + 4] if line.strip()), "")
    return bool(below) and not _QUESTION.match(below) and not _RULE.fullmatch(below)


def _paragraph(lines: Sequence[str]) -> int:
    """How many of the lines stand before the first that is empty."""
    return next((number for number, line in enumerate(lines) if number and not line.strip()), len(lines))


def _answered(lines: Sequence[str]) -> list[str]:
    """For each line, the sign of the first "A:" in it or below it; empty if the next question comes before."""
    found = [""] * len(lines)
    sign = ""
    for number in range(len(lines) - 1, -1, -1):
        if mark := _ANSWER.match(lines[number]):
            sign = _sign(mark[0])
        elif _QUESTION.match(lines[number]):
            sign = ""
        found[number] = sign
    return found


def _is_above_answer(lines: Sequence[str], number: int) -> bool:
    """Whether an answer begins in the next line that is not empty."""
    below = next((lines[i] for i in range(number + 1, len(lines)) if lines[i].strip()), "")
    return _ANSWER.match(below) is not None


def _sign(mark: str) -> str:
    """What the marks "A1)" and "A2)" of one answer have in common."""
    return _DIGITS.sub("", mark).rstrip()


def _without_contents(pairs: Sequence[_Pair]) -> list[_Pair]:
    """Leave out the lines of a table of contents: their questions come again, with answers of their own."""
    ranks = [(1 + pair.is_own) if pair.answer else 0 for pair in pairs]
    highest: dict[str, int] = {}
    for pair, rank in zip(pairs, ranks, strict=True):
        highest[pair.question] = max(rank, highest.get(pair.question, 0))
    return [pair for pair, rank in zip(pairs, ranks, strict=True) if rank == highest[pair.question]]


def _without_titles(pairs: Sequence[_Pair]) -> list[_Pair]:
    """End answers whose lines are further in than their marks at the next title, which stands at the edge."""
    indents = [
        min(len(line) - len(line.lstrip()) for line in rest)
        for pair in pairs
        for part in pair.parts
        if (rest := [line for line in part[1 : _end(part)] if line.strip()])
    ]
    hanging = sum(indent > 0 for indent in indents)
    if hanging < _FEWEST or 2 * hanging < len(indents):
        return list(pairs)
    return [replace(pair, parts=tuple(part[: _end(part)] for part in pair.parts)) for pair in pairs]


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


def _end(part: Sequence[str]) -> int:
    """Where the first line at the edge stands, if it is a title with nothing further in below; otherwise the end."""
    number = next((i for i, line in enumerate(part) if i and line.strip() and not line[0].isspace()), len(part))
    is_alone = not "".join(part[number - 1 : number]).strip() and not "".join(part[number + 1 : number + 2]).strip()
    if number == len(part) or not is_alone or not _TITLE.fullmatch(part[number].rstrip()):
        return len(part)
    below = [line.rstrip() for line in part[number + 1 :] if line.strip()]
    # A paragraph of full lines is no answer's, and may have what is further in below it.
    is_text = len(below) > 1 and len(below[0]) >= FULL_LINE and not any(line[0].isspace() for line in below[:2])
    return number if is_text or all(map(_BELOW.fullmatch, below)) else len(part)


def _asked(lines: list[str]) -> str:
    return without_marks(" ".join(" ".join(lines).split()))[0].removesuffix("**").strip()


def _without_indent(lines: list[str]) -> str:
    """Leave out the indentation that all lines have after the first, which stands behind its mark."""
    rest = [line for line in lines[1:] if line.strip()]
    width = min((len(line) - len(line.lstrip()) for line in rest), default=0)
    return "\n".join([lines[0].strip(), *(line[width:].rstrip() for line in lines[1:])]).strip()
