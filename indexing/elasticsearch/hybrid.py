# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
BM25 and the nearest vectors in one `_msearch`, with both scores of every document that either has found.

What BM25 has not found of the nearest documents gets its BM25 score by a named query in a `post_filter` that keeps all:
the server tells a named query's score with each hit (`include_named_queries_score`, a parameter of the request since
8.8), and it is the one that a search of its own would give. What is not among the nearest of BM25's documents comes
with its vector, and its cosine is computed here: another request by ids takes longer, and a script needs leave.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from answer_selection.indexing.elasticsearch.question import Question
from answer_selection.indexing.fusion import Fusion

BM25: Final = "bm25"
VECTORS: Final = "vectors"
"""The names of the two searches."""

FIELD: Final = "embedding"
"""The field that the vectors are in."""

MOST: Final = 10_000
"""How far a search goes (index.max_result_window, and the most candidates of a kNN search)."""

PARAMETERS: Final = {"include_named_queries_score": "true"}
"""Parameters of the request in which :func:`together` is sent."""

# How many documents of a shard are looked at for each that is wanted; the integration's retrievers have the same.
_CANDIDATES: Final = 10
_NO_COPY: Final = {"allow_partial_search_results": False}
_OTHER_WIDTH = re.compile(r"different number of dimensions \[(\d+)\] than the document vectors \[(\d+)\]")


class HybridHit(NamedTuple):
    """
    A document that was found.

    :param source: What is stored of it, without its vector.
    :param score: Its score by both.
    :param bm25_score: Its BM25 score; 0 if it holds no word of the query.
    :param vector_score: Its cosine with the query; None if it has no vector.
    """

    source: dict[str, Any]
    score: float
    bm25_score: float
    vector_score: float | None


@dataclass(frozen=True, slots=True)
class HybridSearch:
    """
    A search by words and by meaning.

    :param question: The words.
    :param vector: The question's unit vector; None can only be asked of an index without vectors.
    :param top_k: Greatest number of documents, of each search and of both.
    :param boosts: The fields that BM25 searches, with their boosts; None leaves them to the index.
    :param condition: A query that the documents match, or None.
    """

    question: Question
    vector: NDArray[np.float64] | None
    top_k: int
    boosts: Mapping[str, float] | None = None
    condition: Mapping[str, Any] | None = None

    def bodies(self) -> dict[str, dict[str, Any]]:
        """
        Give both searches, :data:`BM25` and that of the nearest, :data:`VECTORS`.

        :returns: Their bodies by their names, for :func:`together`.
        """
        words = self.question.query(self.boosts)
        knn = {
            "field": FIELD,
            # An index with vectors refuses the one in the place of none, by its width.
            "query_vector": [0.0] if self.vector is None else self.vector.tolist(),
            "k": self.top_k,
            "num_candidates": min(_CANDIDATES * self.top_k, MOST),
        }
        filtered = [self.condition] if self.condition else []
        bm25 = {"query": {"bool": {"must": [words], "filter": filtered}}, "size": self.top_k}
        nearest = {
            "knn": {**knn, "filter": filtered},
            "size": self.top_k,
            "post_filter": {"bool": {"should": [{"match_all": {}}, {"bool": {"must": [words], "_name": BM25}}]}},
            "_source": {"excludes": [FIELD]},
        }
        return {BM25: {**bm25, "track_total_hits": False}, VECTORS: {**nearest, "track_total_hits": False}}

    def hits(
        self, bm25: Sequence[Mapping[str, Any]], nearest: Sequence[Mapping[str, Any]], fusion: Fusion
    ) -> list[HybridHit]:
        """
        Make one list of two.

        :param bm25: What the first search has found.
        :param nearest: What the second has.
        :param fusion: Makes one score of both.
        :returns: The documents, the best first, equal scores in the order of the ids.
        """
        matches = {hit["_id"]: hit for hit in bm25}
        near = {hit["_id"]: hit for hit in nearest}
        vectors = {id_: hit["_source"].pop(FIELD, None) for id_, hit in matches.items()}
        ids = sorted(matches.keys() | near.keys())
        scores = {id_: hit.get("matched_queries", {}).get(BM25, 0.0) for id_, hit in near.items()}
        scores.update((id_, hit["_score"]) for id_, hit in matches.items())
        cosines = {id_: self._cosine(vector) for id_, vector in vectors.items() if id_ not in near}
        cosines.update((id_, cosine(hit)) for id_, hit in near.items())

        both = fusion.scores(
            np.array([scores[id_] for id_ in ids]),
            np.array([cosines[id_] for id_ in ids]),
            np.array([id_ in matches for id_ in ids], bool),
            np.array([id_ in near for id_ in ids], bool),
        )
        best = np.argsort(-both, kind="stable")[: self.top_k]
        return [
            HybridHit(
                (matches.get(ids[i]) or near[ids[i]])["_source"],
                float(both[i]),
                scores[ids[i]],
                None if np.isnan(cosines[ids[i]]) else cosines[ids[i]],
            )
            for i in best.tolist()
        ]

    def check_width(self, name: str, answer: Mapping[str, Any]) -> None:
        """
        Say what is wrong with the vector, if it is that by which a search has failed.

        :param name: The index's name.
        :param answer: The server's answer.
        :raises ValueError: If there is no vector, or one of another width than the documents'.
        """
        other = _OTHER_WIDTH.search(str(answer["error"]))
        if other and self.vector is None:
            msg = "query_embedding is missing: connect the text embedder whose model embedded the documents"
            raise ValueError(msg)
        if other:
            msg = (
                f"query_embedding has {other[1]} numbers, the vectors of the index {name!r} have {other[2]}: embed "
                "queries by the model that embedded the documents"
            )
            raise ValueError(msg)

    def _cosine(self, embedding: Sequence[float] | None) -> float:
        if embedding is None or self.vector is None:
            return np.nan
        vector = np.array(embedding)
        return float(self.vector @ vector / np.sqrt(vector @ vector))


def together(bodies: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """
    Make one request of some searches.

    :param bodies: Their bodies.
    :returns: Headers and bodies in turn, as an `_msearch` takes them.
    """
    return [line for body in bodies for line in (_NO_COPY, body)]


def cosine(hit: Mapping[str, Any]) -> float:
    """
    Give the cosine of a hit of the second search.

    :param hit: The hit.
    :returns: The cosine.
    """
    # The server's score is (1 + cosine) / 2.
    return float(2 * hit["_score"] - 1)
