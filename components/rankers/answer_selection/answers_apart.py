# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
Scoring pairs by a model that encodes answers apart from any question.

Every distinct question and answer of a call is encoded once, whatever the number of pairs that it is in, and an answer
whose vector is stored or whose encoding is cached not at all. What is left for a pair is the model's comparison and its
head. Memory is bounded: encodings are held for a part of the answers at a time.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from haystack_integrations.components.rankers.answer_selection.mixing import Scores
from haystack_integrations.components.rankers.answer_selection.models.base import (
    AnswerSelectionModel,
    Collator,
    Encodings,
)
from haystack_integrations.components.rankers.answer_selection.models.explanation import ANSWER, QUESTION
from haystack_integrations.components.rankers.answer_selection.models.record import Record, StoredVector
from haystack_integrations.components.rankers.answer_selection.stored_vectors import problem, vector_bytes
from haystack_integrations.components.rankers.answer_selection.text_cache import TextCache

# Questions whose encodings are held at a time; answers, and pairs that go through the head, where these are vectors.
_QUESTIONS: Final = 1024
_VECTORS: Final = 4096


@dataclass
class ApartScorer:
    """
    Scores pairs.

    :param model: A model with `answers_apart`.
    :param collator: Its collator.
    :param batch_size: How many texts, or pairs of words, go through the model at once.
    :param cache: Where encodings are kept.
    :param strict: Whether a stored vector that is not whole is an error; else the answer is encoded.
    """

    model: AnswerSelectionModel
    collator: Collator
    batch_size: int
    cache: TextCache[Tensor]
    strict: bool

    def score(self, records: Sequence[Record]) -> Scores:
        """
        Score pairs.

        :param records: Pairs; those of one query stand together.
        :returns: The model's log-odds, in the order of `records`, [n_pairs].
        :raises StoredVectorError: If one of them has a stored vector that is not whole, where that is an error.
        """
        logits = np.empty(len(records))
        for start, stop in pairwise(_starts(records)):
            logits[start:stop] = self._score(records[start:stop])
        return logits

    def encode(self, texts: Sequence[str], *, questions: bool = False) -> list[Tensor]:
        """
        Encode texts of one side, those of similar length together.

        :param texts: The texts.
        :param questions: Whether they are questions, not answers.
        :returns: Their encodings, [d] or [L, d] each.
        """
        rows: dict[int, Tensor] = {}
        # Their characters tell how long texts are well enough.
        order = sorted(range(len(texts)), key=lambda index: len(texts[index]))
        for start in range(0, len(order), self.batch_size):
            chosen = order[start : start + self.batch_size]
            side = QUESTION if questions else ANSWER
            rows.update(
                zip(chosen, self.model.encode_apart(self.collator, side, [texts[i] for i in chosen]), strict=True)
            )
        return [rows[index] for index in range(len(texts))]

    def _score(self, records: Sequence[Record]) -> Scores:
        """The same for a number of questions that may be held."""
        asked = list(dict.fromkeys(record.query for record in records))
        questions = {query: index for index, query in enumerate(asked)}
        stored: dict[str, StoredVector | None] = {}
        for record in records:
            if stored.get(record.answer) is None:
                stored[record.answer] = record.vector
        answers = sorted(stored, key=len)
        place = {answer: index for index, answer in enumerate(answers)}
        retrieved = self.collator.retrieved(records)
        rows, kind = (None, np.zeros(len(records), np.int64)) if retrieved is None else _distinct_rows(retrieved)
        kinds = int(kind.max()) + 1
        keys = np.array([place[r.answer] * len(questions) + questions[r.query] for r in records]) * kinds + kind
        # By answer, and of pairs that are equal one, so that equal pairs have equal scores.
        distinct, source = np.unique(keys, return_inverse=True)
        texts_of, kind_of = np.divmod(distinct, kinds)
        answer_of, question_of = np.divmod(texts_of, len(questions))

        of_questions = self.encode(asked, questions=True)
        encoded = torch.stack(of_questions) if of_questions[0].ndim == 1 else of_questions
        vectors = self.model.answer_vector_size is not None
        most_answers = _VECTORS if vectors else self.batch_size
        most_pairs = _VECTORS if vectors and not self.model.matches_words else self.batch_size
        logits = np.empty(len(distinct))
        for first in range(0, len(answers), most_answers):
            texts = answers[first : first + most_answers]
            encodings = self._answers(texts, [stored[text] for text in texts])
            begin, end = np.searchsorted(answer_of, [first, first + len(texts)])
            for start in range(begin, end, most_pairs):
                part = np.arange(start, min(start + most_pairs, end))
                # Models compare the pairs of a question side by side.
                part = part[np.argsort(question_of[part], kind="stable")]
                of, which = question_of[part], answer_of[part] - first
                used, place_of = np.unique(of, return_inverse=True)
                logits[part] = self.model.score_apart(
                    self.collator,
                    ([asked[index] for index in used], _chosen(encoded, used)),
                    ([texts[index] for index in which], _chosen(encodings, which)),
                    place_of,
                    None if rows is None else rows[kind_of[part]],
                )
        return logits[source]

    def _answers(self, texts: Sequence[str], stored: Sequence[StoredVector | None]) -> Encodings:
        """Answers' encodings: stored, cached, or made."""
        size = self.model.answer_vector_size
        if size is None:
            return self._cached(texts)
        read = (None if each is None else self._stored(each, size) for each in stored)
        vectors = {index: data for index, data in enumerate(read) if data is not None}
        left = [index for index in range(len(texts)) if index not in vectors]
        encoded = self._cached([texts[index] for index in left])
        with self.model.threads_for(len(texts)):
            rows = torch.empty(len(texts), size, device=self.model.device, dtype=self.model.dtype)
            if vectors:
                numbers = np.frombuffer(bytearray(b"".join(vectors.values())), "<f4").astype(np.float32, copy=False)
                rows[list(vectors)] = torch.from_numpy(numbers).view(-1, size).to(rows)
            if left:
                rows[left] = torch.stack(encoded)
        return rows

    def _stored(self, stored: StoredVector, size: int) -> bytes | None:
        data = vector_bytes(stored, size)
        if data is None and self.strict:
            expected = stored.fingerprint.rpartition("-")[0] + "-"
            raise problem(stored.document_id, stored.fingerprint, expected)
        return data

    def _cached(self, texts: Sequence[str]) -> list[Tensor]:
        """Answers' encodings: cached, or made."""
        rows = dict(zip(texts, self.cache.get(texts), strict=True))
        left = [text for text, row in rows.items() if row is None]
        for text, row in zip(left, self.encode(left), strict=True):
            rows[text] = row
            self.cache.put(text, row)
        return [row for row in rows.values() if row is not None]


def _starts(records: Sequence[Record]) -> Iterator[int]:
    """Where parts begin that have no more questions than may be held, and where the last one ends."""
    seen: set[str] = set()
    if records:
        yield 0
    for index, record in enumerate(records):
        if record.query not in seen:
            if len(seen) == _QUESTIONS:
                yield index
                seen.clear()
            seen.add(record.query)
    yield len(records)


def _distinct_rows(values: NDArray[np.float32]) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    """The different rows of a matrix, and which of them each of its rows is."""
    rows, which = np.unique(values, axis=0, return_inverse=True)
    return rows, which.reshape(-1)


def _chosen(encodings: Encodings, indexes: NDArray[np.int64]) -> Encodings:
    return encodings[indexes] if isinstance(encodings, Tensor) else [encodings[index] for index in indexes]
