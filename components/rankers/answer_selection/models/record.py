# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The record: one pair of query and answer, as a model's collator takes it."""

import math
import reprlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple


class StoredVector(NamedTuple):
    """
    An answer's vector as a document keeps it, of the right model and text; that it is whole is not known yet.

    :param values: the numbers, or single-precision ones as base64.
    :param fingerprint: what the document says of it.
    :param document_id: the document.
    """

    values: Sequence[float] | str
    fingerprint: str
    document_id: str


@dataclass(frozen=True, slots=True)
class Record:
    """
    One pair to be scored. Only a model's collator turns it into tensors.

    :param query: the question that is asked, as it was typed: normalisation is the collator's work.
    :param answer: the candidate's text.
    :param query_meta: what else is known of the query (a parse tree, a category), for models that use it.
    :param meta: what else is known of the candidate, for models that use it.
    :param vector: the answer's vector, if it was made before, for models that can use it; the same pair without it is
        an equal record.
    """

    query: str
    answer: str
    query_meta: Mapping[str, Any] = field(default_factory=dict)
    meta: Mapping[str, Any] = field(default_factory=dict)
    vector: StoredVector | None = field(default=None, compare=False)

    def retrieved(self, key: str) -> float | None:
        """
        Give a score that retrieval left in the candidate's metadata.

        :param key: its key.
        :returns: the score; None if there is none.
        :raises ValueError: if it is no finite number.
        """
        score = self.meta.get(key)
        if score is None:
            return None
        if isinstance(score, bool) or not isinstance(score, int | float) or not math.isfinite(score):
            msg = f"'{key}' of the answer {reprlib.repr(self.answer)} is {score!r}; expected a finite number or None"
            raise ValueError(msg)
        return float(score)


@dataclass(frozen=True, slots=True)
class Piece:
    """
    A pair that a model can read to its end, of one whose answer is longer than that.

    :param record: the pair.
    :param title: how many characters of the whole answer's beginning stand in front.
    :param start: where in the whole answer the others begin.
    """

    record: Record
    title: int = 0
    start: int = 0

    def place(self, character: int) -> int:
        """
        Find a character of the piece in the whole answer.

        :param character: its place in the piece's answer.
        :returns: its place in the whole answer.
        """
        return character if character < self.title else character - self.title + self.start
