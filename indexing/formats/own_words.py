# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Questions of one file that have the same words: each but the first gets some of its own."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import count
from textwrap import shorten
from typing import Final

from answer_selection.indexing.formats.raw import Problem, RawEntry

_LONGEST_LINE: Final = 100
_CUT: Final = " \u2026"
_LIST_SIGN: Final = re.compile(r"\A\s{0,99}(?:(?:[-*\u2022]|[0-9]{1,2}[.)])\s{1,9}){1,9}")


def told_apart(items: Iterable[RawEntry | Problem]) -> Iterator[RawEntry | Problem]:
    """
    Give questions in the same words, under the same headings and with other answers, words of their own.

    Who indexes a file can seldom change it. The first keeps its words. One that ends with a colon goes on in the first
    line of its answer, as an error message does, if no other does so; others are counted.

    :param items: a whole source's, in its order.
    :returns: the same. Those with ids of their own keep their words. A question without an answer that stands with one
        below the same headings, or these and more, is left out: it is of a table of contents.
    """
    known: dict[tuple[str, ...], dict[str, str]] = {}
    taken: set[tuple[str, ...]] = set()
    for item in _without_contents(list(items)):
        fields = item.fields if isinstance(item, RawEntry) else {}
        question, answer = fields.get("question"), fields.get("answer")
        if isinstance(item, RawEntry) and question and answer and "entry_id" not in fields:
            words = known.setdefault((*item.headings, question), {})
            if answer not in words:
                words[answer] = _own_words(question, answer, item.headings, len(words) + 1, taken)
                taken.add((*item.headings, words[answer]))
            if words[answer] != question:
                yield replace(item, fields={**fields, "question": words[answer]})
                continue
        yield item


def _without_contents(items: Sequence[RawEntry | Problem]) -> Iterator[RawEntry | Problem]:
    answered: dict[str, list[tuple[str, ...]]] = {}
    for item in items:
        if isinstance(item, RawEntry) and item.fields.get("answer") and item.fields.get("question"):
            answered.setdefault(item.fields["question"].casefold(), []).append(item.headings)
    for item in items:
        if isinstance(item, RawEntry) and not item.fields.get("answer"):
            elsewhere = answered.get(str(item.fields.get("question")).casefold(), ())
            if any(headings[: len(item.headings)] == item.headings for headings in elsewhere):
                continue
        yield item


def _own_words(question: str, answer: str, headings: tuple[str, ...], number: int, taken: set[tuple[str, ...]]) -> str:
    if number > 1 and question.endswith(":"):
        line = _LIST_SIGN.sub("", answer.partition("\n")[0])
        words = f"{question} {shorten(line, _LONGEST_LINE, placeholder=_CUT)}".rstrip()
        if words != question and (*headings, words) not in taken:
            return words
    counted = (question if place == 1 else f"{question} ({place})" for place in count(number))
    return next(words for words in counted if (*headings, words) not in taken)
