# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
One score of two, BM25's b and the cosine c of vectors, over the documents that either search has found.

weighted: b + w * c. A document's score does not depend on what else was found, so scores of one index can be compared
between questions. BM25 is a sum of log-odds and the cosine nearly one, so neither is brought to a common scale first:
over questions to five FAQs, with two encoders, one weight then serves all within a point of each one's best, but for
a strong encoder on an FAQ of software, which wants twice as much. Shares of the greatest score serve fewer.

reciprocal_rank: w / (60 + rank by c) + 1 / (60 + rank by b), where a search that has not found a document adds nothing
(Cormack, Clarke and Büttcher 2009).
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Generic, Literal, NamedTuple, TypeVar, get_args

import numpy as np
from numpy.typing import NDArray

from answer_selection.indexing.ranking_fields import VECTOR_SCORE

FusionMethod = Literal["weighted", "reciprocal_rank"]

VECTOR_WEIGHT: Final = 75.0
"""The vectors' weight where none is named, for `weighted`; between 60 and 90 little changes."""

_RANK_CONSTANT: Final = 60

# A document's id, or its place in an order.
K = TypeVar("K", bound=Any)


class ScoredByBoth(NamedTuple, Generic[K]):
    """
    What a search by BM25 and by vectors says of a document.

    :param id: Which document.
    :param score: Its score by both.
    :param bm25_score: Its BM25 score; 0 if it holds no word of the query.
    :param vector_score: Its cosine with the query, with that of its passages in it; None if it has no vector.
    """

    id: K
    score: float
    bm25_score: float
    vector_score: float | None


def has_cosine(meta: Mapping[str, Any]) -> bool:
    """
    Say whether a document was found where vectors are searched too.

    :param meta: Its metadata, or a candidate's.
    :returns: Whether its cosine with the query is in them.
    """
    return meta.get(VECTOR_SCORE) is not None


def with_passages(cosine: float, best: float | None) -> float:
    """
    Give the cosine of an entry that has passages.

    :param cosine: That of the whole entry.
    :param best: The best of its passages'; None if it has none.
    :returns: The mean of both.
    """
    return cosine if best is None else (cosine + best) / 2


@dataclass(frozen=True, slots=True)
class Fusion:
    """
    Makes one score of two.

    :param method: How: "weighted" or "reciprocal_rank".
    :param weight: The vectors' weight; that of BM25 is 1. None is 75 for "weighted", 1 for "reciprocal_rank".
    """

    method: FusionMethod = "weighted"
    weight: float | None = None

    def __post_init__(self) -> None:
        """
        Look at the parameters.

        :raises ValueError: If the method is unknown, or the weight is no number of at least 0.
        """
        if self.method not in get_args(FusionMethod):
            msg = f"fusion must be one of {', '.join(get_args(FusionMethod))}, got {self.method!r}"
            raise ValueError(msg)
        if self.weight is None:
            return
        number = isinstance(self.weight, (int, float)) and not isinstance(self.weight, bool)
        if not number or not 0 <= self.weight < math.inf:
            msg = f"weight must be a number of at least 0, got {self.weight!r}"
            raise ValueError(msg)

    def best(
        self,
        bm25: Mapping[K, float],
        nearest: Mapping[K, float],
        top_k: int,
        *,
        other_bm25: Mapping[K, float],
        other_cosines: Mapping[K, float],
        passages: Mapping[K, float],
    ) -> list[ScoredByBoth[K]]:
        """
        Make one list of what both searches have found.

        :param bm25: The BM25 scores of what BM25 has found.
        :param nearest: The cosines of what the search by vectors has.
        :param top_k: Greatest number of documents.
        :param other_bm25: BM25 scores of those that only the search by vectors has found; the others' are 0.
        :param other_cosines: Cosines of those that only BM25 has found; one that is missing, or NaN, has no vector.
        :param passages: The best cosines of the passages of those that have some; one with a cosine of its own gets the
            mean of both.
        :returns: The documents with both scores, the best first, equal scores in the order of the ids.
        """
        ids = sorted(bm25.keys() | nearest.keys())
        words, cosines = {**other_bm25, **bm25}, {**other_cosines, **nearest}
        by_bm25 = np.array([words.get(id_, 0.0) for id_ in ids], np.float64)
        by_vectors = np.array([with_passages(cosines.get(id_, math.nan), passages.get(id_)) for id_ in ids], np.float64)
        in_bm25, in_nearest = (np.array([id_ in found for id_ in ids], bool) for found in (bm25, nearest))
        scores = self.scores(by_bm25, by_vectors, in_bm25, in_nearest)
        return [
            ScoredByBoth(
                ids[i], float(scores[i]), float(by_bm25[i]), None if np.isnan(by_vectors[i]) else float(by_vectors[i])
            )
            for i in np.argsort(-scores, kind="stable")[:top_k].tolist()
        ]

    def scores(
        self,
        bm25: NDArray[np.float64],
        cosines: NDArray[np.float64],
        in_bm25: NDArray[np.bool_],
        in_nearest: NDArray[np.bool_],
    ) -> NDArray[np.float64]:
        """
        Score documents. Of those with equal scores the one that stands first here has the better rank.

        :param bm25: The documents' BM25 scores [n].
        :param cosines: Their cosines [n]; NaN for one without a vector, which counts as the mean.
        :param in_bm25: Whether BM25 has found them [n].
        :param in_nearest: Whether the search by vectors has [n].
        :returns: The scores [n].
        """
        if self.method == "weighted":
            weight = VECTOR_WEIGHT if self.weight is None else self.weight
            known = ~np.isnan(cosines)
            # A document without a vector is neither near nor far.
            neutral = cosines[known].mean() if known.any() else 0.0
            return bm25 + weight * np.where(known, cosines, neutral)
        weight = 1.0 if self.weight is None else self.weight
        return weight * _reciprocal_ranks(cosines, in_nearest) + _reciprocal_ranks(bm25, in_bm25)


def _reciprocal_ranks(scores: NDArray[np.float64], found: NDArray[np.bool_]) -> NDArray[np.float64]:
    places = np.flatnonzero(found)
    ranked = places[np.argsort(-scores[places], kind="stable")]
    reciprocals = np.zeros(len(scores))
    reciprocals[ranked] = 1 / (_RANK_CONSTANT + np.arange(1, len(ranked) + 1))
    return reciprocals
