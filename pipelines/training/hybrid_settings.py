# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Choosing, by real queries, how much vectors and an entry's question count in hybrid retrieval."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from answer_selection.indexing.corpus import Query
from answer_selection.indexing.corpus_index import CorpusIndex
from answer_selection.indexing.encoder import TextEncoder
from answer_selection.indexing.fusion import VECTOR_WEIGHT

WEIGHTS: Final = (20.0, 40.0, 60.0, 90.0, 120.0)
"""Weights of the vectors that are tried; that of BM25 is 1."""

QUESTION_BOOSTS: Final = (0.25, 0.5, 1.0, 2.0)
"""Boosts of an entry's question that are tried; that of its answer is 1."""

# With fewer queries chance would choose.
_LEAST_QUERIES: Final = 30


@dataclass(frozen=True, slots=True)
class HybridSettings:
    """
    How hybrid retrieval searches an index.

    :param fields: What BM25 searches, with boosts.
    :param weight: The vectors' weight.
    :param mrr: Mean reciprocal rank of the queries that chose them; None if none did.
    :param usual_mrr: The same as the index is searched otherwise.
    """

    fields: Mapping[str, float]
    weight: float = VECTOR_WEIGHT
    mrr: float | None = None
    usual_mrr: float | None = None

    @property
    def chosen(self) -> bool:
        """Whether they are better than what is usual."""
        return self.mrr is not None and self.usual_mrr is not None and self.mrr > self.usual_mrr

    def parameters(self) -> dict[str, Any]:
        """
        Say them as parameters of a hybrid retriever.

        :returns: Their names and values.
        """
        return {"search_fields": dict(self.fields), "weight": self.weight}


def choose_hybrid_settings(
    index: CorpusIndex, encoder: TextEncoder, queries: Sequence[Query], depth: int
) -> HybridSettings:
    """
    Choose the settings by which real queries find their entries best.

    :param index: The index.
    :param encoder: What made its vectors.
    :param queries: The queries.
    :param depth: How many entries a ranker gets.
    :returns: The settings; what is usual where the queries are fewer than 30, or nothing else is better.
    """
    usual = HybridSettings(dict(index.search_fields))
    asked = [query for query in queries if query.relevant]
    if len(asked) < _LEAST_QUERIES:
        return usual
    texts = [query.query for query in asked]
    vectors = encoder.encode(texts).tolist()

    def mrr(fields: Mapping[str, float], weight: float) -> float:
        found = index.search_hybrid(texts, vectors, depth, fields, weight=weight)
        ranks = (
            next((rank for rank, hit in enumerate(hits, 1) if hit.id in query.relevant), None)
            for query, hits in zip(asked, found, strict=True)
        )
        return sum(1 / rank for rank in ranks if rank) / len(asked)

    boosts = QUESTION_BOOSTS if "question" in usual.fields else (None,)
    tried = [
        HybridSettings({**usual.fields, **({} if boost is None else {"question": boost})}, weight)
        for boost in boosts
        for weight in WEIGHTS
    ]
    usual_mrr = mrr(usual.fields, usual.weight)
    reached, _, best = max(
        [(mrr(one.fields, one.weight), -place, one) for place, one in enumerate(tried)], key=lambda each: each[:2]
    )
    if reached <= usual_mrr:
        return usual
    return HybridSettings(best.fields, best.weight, reached, usual_mrr)
