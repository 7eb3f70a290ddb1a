# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
The words that an answer shares with its question, by the rule that BM25 searches by.

See :mod:`answer_selection.indexing.analysis`. The store's own analyzer would bring Haystack and torch into the process
that answers requests, which is a tenth as large without them.
"""

import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from typing import Final, Literal

import snowballstemmer

from answer_selection.indexing.analysis import TERM

Kind = Literal["", "shared", "common"]
Piece = tuple[str, Kind]
"""A part of a text, and whether it is a word of the question; "common" is one that many of the entries have."""

# Of fewer entries none can be said to be many.
_FEW: Final = 4


def shared_words(question: str, entries: Sequence[Sequence[str]], language: str | None) -> list[list[list[Piece]]]:
    """
    Mark the words of entries that a question has too, by their stems.

    :param question: The question.
    :param entries: Each entry's texts: its question and its answer.
    :param language: Language of the index's stemmer; None does not stem.
    :returns: Per entry and text its parts, which together are the text. A word that more than a third of the entries
        have hardly tells them apart, and is "common".
    """
    stem = _stemmer(language)
    asked = {term for _, term in _cut(question, stem) if term}
    cut = [[_cut(text, stem) for text in texts] for texts in entries]
    counts = Counter(term for texts in cut for term in {term for parts in texts for _, term in parts} & asked)
    most = len(entries) / 3 if len(entries) >= _FEW else len(entries)

    def kind(term: str) -> Kind:
        return "" if term not in asked else "common" if counts[term] > most else "shared"

    return [[_joined([(text, kind(term)) for text, term in parts]) for parts in texts] for texts in cut]


def _cut(text: str, stem: Callable[[str], str]) -> list[tuple[str, str]]:
    """Words with their terms, and what stands between them with none."""
    parts, done = [], 0
    for match in TERM.finditer(text):
        parts += [(text[done : match.start()], ""), (match[0], stem(match[0]))]
        done = match.end()
    return [part for part in (*parts, (text[done:], "")) if part[0]]


def _stemmer(language: str | None) -> Callable[[str], str]:
    """A stemmer holds state, and calls come from several threads: each has its own."""
    stem = snowballstemmer.stemmer(language).stemWord if language else str

    @cache
    def term(word: str) -> str:
        return str(stem(unicodedata.normalize("NFKC", word).lower()))

    return term


def _joined(parts: list[Piece]) -> list[Piece]:
    joined: list[Piece] = []
    for text, kind in parts:
        if joined and not kind and not joined[-1][1]:
            joined[-1] = (joined[-1][0] + text, "")
        else:
            joined.append((text, kind))
    return joined
