# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The words that an answer shares with its question, by the rule that BM25 searches by."""

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import Final, Literal

from answer_selection.indexing.analysis import CJK_RANGES
from haystack_integrations.document_stores.tantivy.analysis import build_analyzer

Kind = Literal["", "shared", "common"]
Piece = tuple[str, Kind]
"""A part of a text, and whether it is a word of the question; "common" is one that many of the entries have."""

_CJK: Final = "".join(f"{chr(first)}-{chr(last)}" for first, last in CJK_RANGES)
_WORD: Final = re.compile(rf"[{_CJK}]|[^\W_{_CJK}]+")
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
    asked = {term for _, term in _cut(question, language) if term}
    cut = [[_cut(text, language) for text in texts] for texts in entries]
    counts = Counter(term for texts in cut for term in {term for parts in texts for _, term in parts} & asked)
    most = len(entries) / 3 if len(entries) >= _FEW else len(entries)

    def kind(term: str) -> Kind:
        return "" if term not in asked else "common" if counts[term] > most else "shared"

    return [[_joined([(text, kind(term)) for text, term in parts]) for parts in texts] for texts in cut]


def _cut(text: str, language: str | None) -> list[tuple[str, str]]:
    """Words with their terms, and what stands between them with none."""
    parts, done = [], 0
    for match in _WORD.finditer(text):
        parts += [(text[done : match.start()], ""), (match[0], _term(match[0], language))]
        done = match.end()
    return [part for part in (*parts, (text[done:], "")) if part[0]]


@lru_cache(maxsize=1 << 14)
def _term(word: str, language: str | None) -> str:
    return "".join(_analyzer(language).analyze(word))


@lru_cache
def _analyzer(language: str | None):  # type: ignore[no-untyped-def]  # noqa: ANN202  tantivy has no types
    return build_analyzer(language)


def _joined(parts: list[Piece]) -> list[Piece]:
    joined: list[Piece] = []
    for text, kind in parts:
        if joined and not kind and not joined[-1][1]:
            joined[-1] = (joined[-1][0] + text, "")
        else:
            joined.append((text, kind))
    return joined
