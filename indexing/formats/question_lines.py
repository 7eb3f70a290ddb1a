# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
Plain text of pairs: a line that begins with ``Q:`` and, after it, one that begins with ``A:``.

Where a text has more questions with numbers, underlined or further out than their answers, these are read.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from textwrap import dedent
from typing import Final

from answer_selection.indexing.formats import numbered
from answer_selection.indexing.formats.footers import without_footer
from answer_selection.indexing.formats.heading_lines import FULL_LINE
from answer_selection.indexing.formats.numbered_marks import with_colons, with_spaces
from answer_selection.indexing.formats.own_words import told_apart
from answer_selection.indexing.formats.pair_lines import ANSWER, QUESTION, Pair, PairReader
from answer_selection.indexing.formats.pair_marks import in_english, problems_in_english
from answer_selection.indexing.formats.plain_questions import (
    PlainQuestion,
    names_itself,
    plain_questions,
    quoted_questions,
)
from answer_selection.indexing.formats.questions import is_troubleshooting, without_marks
from answer_selection.indexing.formats.raw import Problem, RawEntry

# Manual pages print a letter, go back, and print it again, which is bold.
_OVERSTRUCK: Final = re.compile(r"[^\n\b]?[\b]")
# "> Q: How?", and below, ">> A: So."
_QUOTED: Final = re.compile(r"(?m)^>{1,3} ?")
_QUOTED_PAIR: Final = re.compile(r"(?m)^>{1,3} ?Q[0-9]{0,4} ?[:.)][^\n]{0,1000}\n>{1,3} ?A[0-9]{0,4} ?[:.)]")
# "Opening hours", at the edge; no sentence, nor code ("BEGIN").
_TITLE: Final = re.compile(r"(?![A-Z]+$)[A-Z][^.:;!?|=<>$\\]{1,69}")
# "oven (the new one)" or "It is warm."
_BELOW: Final = re.compile(r"[^.:;!?|=<>$\\\s]+(?: [^.:;!?|=<>$\\\s]+){2,}|\w.*[.!?:]|" + _TITLE.pattern)
_FEWEST: Final = 2
_FEWEST_LISTED: Final = 4


def entries(text: str, *, is_faq: bool = False) -> tuple[list[RawEntry | Problem], bool]:
    """
    Find the questions of a text.

    :param text: the whole of a file.
    :param is_faq: whether it is known to be an FAQ, whatever it says.
    :returns: one raw entry a pair, or a problem if there is none; and whether "Q:" or numbers tell the questions, and
        not only how the lines stand.
    """
    text = without_footer(_OVERSTRUCK.sub("", text))
    if len(_QUOTED_PAIR.findall(text)) >= _FEWEST:
        # Where others ask, too, an answer quotes these.
        if not any("?" in line and not line.startswith(">") for line in text.split("\n")):
            text = _QUOTED.sub("", text)
    text = with_colons(with_spaces(text))
    text = in_english(text, by_letters=is_faq or names_itself(text.split("\n")))
    lines = text.split("\n")
    _, pairs = split(text, None)
    others, form = numbered.entries(text)
    are_numbered = form == numbered.NUMBERS
    # Without "A:", lines that begin with "Q1:" may be those of a table of contents.
    are_pairs = 2 * sum(ANSWER.match(line) is not None for line in lines) >= len(pairs)
    more = sum(isinstance(other, RawEntry) and bool(other.fields["answer"]) for other in others)
    found: Sequence[RawEntry | Problem] = pairs
    # What only stands further out says less than "Q:".
    are_pairs = are_pairs or (form == numbered.INDENTS and all(pair.fields["answer"] for pair in pairs))
    if more > len(pairs) * (2 if are_pairs else 0.5):
        found = others
    elif pairs:
        first = next(number for number, line in enumerate(lines) if QUESTION.match(line))
        if numbers := numbered.led_to(lines, first):
            _, found = split(text, None, numbers)
    # Other forms may have quotations in their answers.
    if all(isinstance(one, RawEntry) and one.fields["question"].startswith(">") for one in found):
        if quoted := quoted_questions(lines):
            return list(told_apart(map(_entry, quoted))), True
    plain = [] if found else plain_questions(lines, is_faq=is_faq)
    if len(found) < _FEWEST and (is_faq or _is_of_troubles(lines)):
        # Where one asks, or none does, others may be titles.
        titles, form = numbered.entries(text, is_faq=True)
        if len(titles) > max(_FEWEST, 2 * len(plain), 2 * len(found)):
            return list(told_apart(titles)), form == numbered.NUMBERS
    if plain:
        return list(told_apart(map(_entry, plain))), False
    if not found and (told := problems_in_english(text)) != text:
        return list(told_apart(split(told, None)[1])), True
    if not found and text.strip():
        message = (
            "expected pairs of a line that begins with 'Q:' and one that begins with 'A:', questions with numbers or "
            "lines below them, or paragraphs that ask below a title that says 'FAQ'; found none"
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
    if location is not None:
        text = in_english(with_spaces(text), by_letters=False)
    lines = text.split("\n")
    found = PairReader(lines, numbers, is_file=location is None).read()
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


def _is_of_troubles(lines: Sequence[str]) -> bool:
    """Whether the title of a text says "Troubleshooting"."""
    return is_troubleshooting(next((line.strip() for line in lines if line.strip()), ""))


def _entry(one: PlainQuestion) -> RawEntry:
    answer = dedent("\n".join(one.answer).strip("\n")).rstrip()
    fields = {"question": without_marks(one.question)[0], "answer": answer}
    return RawEntry(f"line {one.start + 1}", fields, (one.section,) if one.section else ())


def begins_a_question(text: str) -> bool:
    """
    Tell whether a text begins as a question does.

    :param text: a paragraph.
    :returns: whether it has "Q:", "Q1." or the like before it.
    """
    return QUESTION.match(text) is not None


def _without_contents(pairs: Sequence[Pair]) -> list[Pair]:
    """Leave out the lines of a table of contents: their questions come again, with answers of their own."""
    ranks = [(1 + pair.is_own) if pair.answer else 0 for pair in pairs]
    keys = [pair.question.casefold() for pair in pairs]
    highest: dict[str, int] = {}
    for key, rank in zip(keys, ranks, strict=True):
        highest[key] = max(rank, highest.get(key, 0))
    kept = [rank == highest[key] for key, rank in zip(keys, ranks, strict=True)]
    # Of a list that comes again, some lines may be worded in another way.
    for own, group in groupby(range(len(pairs)), key=lambda place: pairs[place].is_own):
        places = list(group)
        if not own and len(places) >= _FEWEST_LISTED and 2 * sum(kept[place] for place in places) <= len(places):
            for place in places:
                kept[place] = False
    return [pair for pair, is_kept in zip(pairs, kept, strict=True) if is_kept]


def _without_titles(pairs: Sequence[Pair]) -> list[Pair]:
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
