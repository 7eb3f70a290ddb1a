# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
Questions of an FAQ that nothing marks but the question mark at their end: each begins a paragraph, or an item.

It is the last thing to try, where a file has no other form of questions. Beside these, questions that are quoted.
"""

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

from answer_selection.indexing.formats.heading_lines import RULE
from answer_selection.indexing.formats.joining import joined
from answer_selection.indexing.formats.questions import QUESTION_MARKS, asks, names_faq, tells_a_trouble

_SIGN: Final = re.compile(r"[ \t]{0,8}(?:[-*+\u2022\u25cf\u25ba\u00bb][ \t]+|(?:#{1,6}|>{1,2})[ \t]{0,8})?")
# Of a title: "* Our FAQ *"; no sentence, line of a mail or address.
_TITLE: Final = re.compile(r"[\W_]{0,8}[^.:;,!?@/<>\[\]]{1,70}")
_LANGUAGES_MARK: Final = re.compile(r"[^\W\d_]{1,9}[ \u00a0]?[0-9]{0,4}[:\uff1a]")
_NO_LETTERS: Final = re.compile(r"[\W_]+")
_FENCE: Final = re.compile(r"[ \t]{0,8}(?:`{3}|~{3})")
_INDENT: Final = 4  # of code
_MOST_ABOVE: Final = 3
_LONGEST: Final = 5  # lines of a question
_FEWEST: Final = 2
_FEWEST_QUOTED: Final = 3
_FEWEST_BELOW_RULES: Final = 3
_ITEM: Final = re.compile(r"(?P<edge>[ \t]{1,8})[*+o-] (?=\S)")
_FEWEST_ITEMS: Final = 4
_SIGNED: Final = re.compile(r"(?P<edge>[ ]{0,8})(?P<sign>->|=>|[-*+\u2022\u25cf\u25ba\u00bb])[ \t]{1,4}(?=\S)")
_BOXED: Final = re.compile(r"[ \t]{0,8}([#*=])\1{0,3}[ \t][^\n]{1,80}[ \t]\1{1,4}[ \t]{0,8}")
_ARROWS: Final = frozenset(["->", "=>"])
_FEWEST_SIGNED: Final = 3
_LONGEST_SIGNED: Final = 10  # lines of a question


@dataclass(frozen=True, slots=True)
class PlainQuestion:
    """
    A question and the lines that answer it.

    :param start: the number of its first line.
    :param end: the number of the line below it.
    :param question: its text, without the sign of a list before it.
    :param answer: the lines below it.
    :param section: the title right above it; empty if there is none.
    """

    start: int
    end: int
    question: str
    answer: tuple[str, ...]
    section: str = ""


def names_itself(lines: Sequence[str]) -> bool:
    """
    Tell whether a text says that it is an FAQ.

    :param lines: the text.
    :returns: whether one of its first lines is a title that names one.
    """
    first = islice((line.strip() for line in lines if line.strip()), _MOST_ABOVE)
    return any(_TITLE.fullmatch(line) is not None and names_faq(line) for line in first)


def plain_questions(lines: Sequence[str], *, is_faq: bool = False) -> list[PlainQuestion]:
    """
    Find the questions of an FAQ.

    :param lines: a text.
    :param is_faq: whether it is known to be one, whatever it says.
    :returns: those that begin a paragraph, all with the same sign before them or without any; none if the text is not
        known to be an FAQ, there are fewer than two, or one has no answer. Where a paragraph of an answer asks, too,
        those with the sign of most that ask.
    """
    if not (is_faq or names_itself(lines)):
        return []
    starts = _starts(lines)
    if sum(_end(lines, start) > 0 for start in starts) < _FEWEST:
        return _items(lines) or _signed(lines)
    return _paragraphs(lines, starts) or _signed(lines)


def _paragraphs(lines: Sequence[str], starts: Sequence[int]) -> list[PlainQuestion]:
    """The paragraphs that ask; none if one has no answer, or they have other signs before them."""
    found = [(start, end) for start in starts if (end := _end(lines, start) or _end_of_trouble(lines, start))]
    found = _without_contents(lines, found)
    signs = {bool(_sign(lines[start]).strip()) for start, _ in found}
    # Marks of a language that has them otherwise.
    if len(signs) > 1 or any(_LANGUAGES_MARK.match(_without_sign(lines[start])) for start, _ in found):
        return []
    rule = _rule_above(lines, found)
    questions: list[PlainQuestion] = []
    for (start, end), after in zip(found, [*(start for start, _ in found[1:]), len(lines)], strict=True):
        # What stands below such a line, and is no question, belongs to none.
        below = next((number for number in range(end, after) if rule and lines[number].rstrip() == rule), after)
        answer = _without_rule(lines[end:below])
        if not any(map(str.strip, answer)):
            return []
        questions.append(PlainQuestion(start, end, _text(lines, start, end), answer))
    return questions


def quoted_questions(lines: Sequence[str]) -> list[PlainQuestion]:
    """
    Find the questions of an FAQ that are quoted as in mail: ``>`` begins each of their lines.

    :param lines: a text.
    :returns: the paragraphs that are quoted; none if the text does not say that it is an FAQ, they are few, less than
        a third of them ask, or one has no answer.
    """
    quoted = [line.startswith(">") for line in lines]
    starts = [n for n, here in enumerate(quoted) if here and not (n and (quoted[n - 1] or lines[n - 1].strip()))]
    if len(starts) < _FEWEST_QUOTED or not names_itself(lines):
        return []
    questions: list[PlainQuestion] = []
    for start, after in zip(starts, [*starts[1:], len(lines)], strict=True):
        end = next((number for number in range(start, after) if not quoted[number]), after)
        text = joined(line.removeprefix(">") for line in lines[start:end])
        # An underlined title of the next section ends the answer.
        titles = (n - 1 for n in range(end + 1, after) if RULE.fullmatch(lines[n]) and _underlines(lines, n))
        answer = tuple(lines[end : next(titles, after)])
        if not text or not any(map(str.strip, answer)):
            return []
        questions.append(PlainQuestion(start, end, text, answer))
    return questions if 3 * sum(asks(one.question) for one in questions) >= len(questions) else []


def _without_contents(lines: Sequence[str], found: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Leave out the lines of a list of contents: they come again, with a sign or an answer that these lack."""
    texts = [_text(lines, start, end) for start, end in found]
    signed = {text for text, (start, _) in zip(texts, found, strict=True) if _sign(lines[start]).strip()}
    kept: list[tuple[int, int]] = []
    below: set[str] = set()
    after = len(lines)
    for text, (start, end) in zip(reversed(texts), reversed(found), strict=True):
        answer = [line for line in lines[end:after] if line.strip() and not RULE.fullmatch(line)]
        comes_again = _letters(text) in below
        has_answer = len(answer) > 0 and not (comes_again and _is_made_of(answer, below))
        lacks_sign = text in signed and not _sign(lines[start]).strip()
        if not lacks_sign and (has_answer or not comes_again):
            kept.append((start, end))
        below.add(_letters(text))
        after = start
    return kept[::-1]


def _letters(text: str) -> str:
    """What a question has in common with the line that leads to it."""
    return _NO_LETTERS.sub("", text.casefold())


def _is_made_of(lines: Sequence[str], questions: Collection[str]) -> bool:
    """Whether half of the lines, or more, are questions, each in a few of them."""
    covered = number = 0
    while number < len(lines):
        sizes = (
            size for size in range(1, _LONGEST + 1) if _letters("".join(lines[number : number + size])) in questions
        )
        size = next(sizes, 0)
        covered += size
        number += size or 1
    return 2 * covered >= len(lines)


def _rule_above(lines: Sequence[str], found: Sequence[tuple[int, int]]) -> str:
    """The line of signs that half of the questions stand right below, and three at least; empty if there is none."""
    above = Counter(lines[start - 1].rstrip() for start, _ in found if start and RULE.fullmatch(lines[start - 1]))
    rule, times = next(iter(above.most_common(1)), ("", 0))
    return rule if times >= _FEWEST_BELOW_RULES and 2 * times >= len(found) else ""


def _text(lines: Sequence[str], start: int, end: int) -> str:
    """The question that begins in a line, without its sign."""
    return joined([_without_sign(lines[start]), *lines[start + 1 : end]])


def _underlines(lines: Sequence[str], number: int) -> bool:
    return bool(lines[number - 1].strip()) and len(lines[number].strip()) == len(lines[number - 1].strip())


def _items(lines: Sequence[str]) -> list[PlainQuestion]:
    """The items of a list, at its edge, whose first lines ask, and go on further in: pages as lynx prints them."""
    marks = [(number, mark) for number, line in enumerate(lines) if (mark := _ITEM.match(line))]
    edge = min((len(mark["edge"]) for _, mark in marks), default=0)
    starts = [number for number, mark in marks if len(mark["edge"]) == edge]
    ends = [_end_of_item(lines, start, edge) for start in starts]
    if len(starts) < _FEWEST_ITEMS or 2 * sum(map(bool, ends)) < len(starts):
        return []
    found = [(start, end or start + 1) for start, end in zip(starts, ends, strict=True)]
    questions: list[PlainQuestion] = []
    for (start, end), after in zip(found, [*starts[1:], len(lines)], strict=True):
        # A line of signs, and the title of the next section below it, end the last answer above.
        below = next((n for n in range(end, after) if RULE.fullmatch(lines[n])), after)
        answer = tuple(lines[end:below])
        if any(map(str.strip, answer)):
            questions.append(PlainQuestion(start, end, _text(lines, start, end), answer))
    return questions if 2 * len(questions) >= len(starts) else []


def _signed(lines: Sequence[str]) -> list[PlainQuestion]:
    """The paragraphs with one sign at one edge, as "-> How?", whatever else asks; none if one has no answer."""
    groups: dict[tuple[str, str], list[int]] = {}
    for number, line in enumerate(lines):
        is_first = not number or not lines[number - 1].strip() or RULE.fullmatch(lines[number - 1])
        if is_first and (mark := _SIGNED.match(line)):
            groups.setdefault((mark["edge"], mark["sign"]), []).append(number)
    asking = {group: sum(asks(_signed_text(lines, start)) for start in starts) for group, starts in groups.items()}
    best = max(asking, key=lambda group: asking[group], default=("", ""))
    starts = groups.get(best, [])
    if len(starts) < _FEWEST_SIGNED or (3 if best[1] in _ARROWS else 2) * asking[best] < len(starts):
        return []
    titles = _titles_above(lines, starts, groups)
    questions: list[PlainQuestion] = []
    for start, after in zip(starts, [*starts[1:], len(lines)], strict=True):
        end = _end_of_signed(lines, start)
        answer = _without_rule(lines[end : titles.get(after, after)])
        if not any(map(str.strip, answer)):
            return []
        title = _without_mark(lines[titles[start]]).strip() if start in titles else ""
        questions.append(PlainQuestion(start, end, _signed_text(lines, start), answer, title))
    return questions


def _titles_above(
    lines: Sequence[str], starts: Sequence[int], groups: Mapping[tuple[str, str], Sequence[int]]
) -> dict[int, int]:
    """By the questions' first lines, those right above with another sign; none if half of the questions lack one."""
    for others in groups.values():
        firsts = set(others) - set(starts)
        found = {start: title for start in starts if (title := _line_above(lines, start)) in firsts}
        if 2 * len(found) > len(starts):
            return found
    return {}


def _line_above(lines: Sequence[str], start: int) -> int:
    """The number of the last line above that is not empty; -1 if there is none."""
    return next((number for number in range(start - 1, -1, -1) if lines[number].strip()), -1)


def _end_of_signed(lines: Sequence[str], start: int) -> int:
    """Where a question with a sign ends: below its last line that asks, or else its paragraph."""
    last = min(start + _LONGEST_SIGNED, len(lines))
    end = next((number for number in range(start, last) if not lines[number].strip()), last)
    asking = (number + 1 for number in range(end - 1, start - 1, -1) if lines[number].rstrip().endswith(QUESTION_MARKS))
    return next(asking, end)


def _signed_text(lines: Sequence[str], start: int) -> str:
    rest = lines[start + 1 : _end_of_signed(lines, start)]
    return joined([_without_mark(lines[start]), *rest])


def _without_mark(line: str) -> str:
    mark = _SIGNED.match(line)
    return line if mark is None else line[mark.end() :]


def _without_rule(answer: Sequence[str]) -> tuple[str, ...]:
    """Leave out lines of signs at the end of an answer, which part it from the next question, and a title in them."""
    size = len(answer)
    while size and (not answer[size - 1].strip() or RULE.fullmatch(answer[size - 1]) or _is_in_a_box(answer, size - 1)):
        size -= 1
    return tuple(answer[:size])


def _is_in_a_box(lines: Sequence[str], number: int) -> bool:
    """Whether a line is "## Title ##", with a line of signs above it and below."""
    if not 0 < number < len(lines) - 1 or not _BOXED.fullmatch(lines[number]):
        return False
    return all(RULE.fullmatch(lines[place]) is not None for place in (number - 1, number + 1))


def _end_of_item(lines: Sequence[str], start: int, edge: int) -> int:
    """Where the question of an item ends; 0 if it asks none, or nothing further in is below."""
    end = 0
    for number in range(start, min(start + _LONGEST, len(lines))):
        line = lines[number]
        if not line.strip() or (number > start and len(line) - len(line.lstrip()) <= edge):
            break
        if line.rstrip(" \t!").endswith(QUESTION_MARKS):
            end = number + 1
            break
    below = "" if end in (0, len(lines)) else lines[end]
    return end if below.strip() and len(below) - len(below.lstrip()) > edge else 0


def _starts(lines: Sequence[str]) -> list[int]:
    """The lines that begin a paragraph and are no code."""
    starts: list[int] = []
    in_code = False
    for number, line in enumerate(lines):
        if _FENCE.match(line):
            in_code = not in_code
        elif line.strip() and not in_code and _begins_paragraph(lines, number):
            if len(line) - len(line.lstrip()) < _INDENT:
                starts.append(number)
    return starts


def _begins_paragraph(lines: Sequence[str], number: int) -> bool:
    """Whether nothing stands right above a line but one of signs, which underlines nothing, and it is none."""
    above = lines[number - 1] if number else ""
    if RULE.fullmatch(above):
        return number < 2 or not lines[number - 2].strip()
    return not above.strip() and not RULE.fullmatch(lines[number])


def _sign(line: str) -> str:
    mark = _SIGN.match(line)
    return "" if mark is None else mark[0]


def _without_sign(line: str) -> str:
    return line[len(_sign(line)) :]


def _end(lines: Sequence[str], start: int) -> int:
    """Where the question ends that begins in a line; 0 if none does."""
    for end in range(start + 1, min(start + 1 + _LONGEST, len(lines) + 1)):
        if not lines[end - 1].strip() or RULE.fullmatch(lines[end - 1]):
            return 0
        if lines[end - 1].rstrip(" \t*_\"'").endswith(QUESTION_MARKS):
            return end if asks(" ".join(lines[start:end]).strip()) else 0
    return 0


def _end_of_trouble(lines: Sequence[str], start: int) -> int:
    """Where "I was charged twice" ends, between others that ask; 0 if it is none."""
    return start + 1 if tells_a_trouble(_without_sign(lines[start]).strip()) else 0
