# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
BM25 and the nearest vectors in one `_msearch`, with both scores of every document that either has found.

What BM25 has not found of the nearest documents gets its BM25 score by a named query in a `post_filter` that keeps all:
the server tells a named query's score with each hit (`include_named_queries_score`, a parameter of the request since
8.8), and it is the one that a search of its own would give. What is not among the nearest of BM25's documents comes
with its vector, and its cosine is computed here: another request by ids takes longer, and a script needs leave. Where
many questions want a thousand documents each, all these vectors would take longer: there :class:`Cosines` asks by ids.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple
from urllib.parse import quote

import numpy as np
from numpy.typing import NDArray

from answer_selection.indexing.elasticsearch.question import Question
from answer_selection.indexing.fusion import Fusion
from answer_selection.indexing.passages import best_cosines, usable_of
from answer_selection.indexing.unit_vector import check_width, needed

BM25: Final = "bm25"
VECTORS: Final = "vectors"
"""The names of the two searches."""

FIELD: Final = "embedding"
"""The field that the vectors are in."""

MOST: Final = 10_000
"""How far a search goes (index.max_result_window, and the most candidates of a kNN search)."""

# How many documents of a shard are looked at for each that is wanted; the integration's retrievers have the same.
_CANDIDATES: Final = 10
_NO_COPY: Final = {"allow_partial_search_results": False}
_OTHER_WIDTH = re.compile(r"different number of dimensions \[\d+\] than the document vectors \[(\d+)\]")


class HybridHit(NamedTuple):
    """
    A document that was found.

    :param source: What is stored of it, without its vector.
    :param score: Its score by both.
    :param bm25_score: Its BM25 score; 0 if it holds no word of the query.
    :param vector_score: Its cosine with the query, with that of its passages in it; None if it has no vector.
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

        :returns: Their bodies by their names, for :func:`request`.
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
        sources = {id_: hit["_source"] for id_, hit in (near | matches).items()}
        passages: dict[str, float] = {}
        if self.vector is not None:
            passages = best_cosines(usable_of(sources, len(self.vector)), self.vector)
        best = fusion.best(
            {id_: hit["_score"] for id_, hit in matches.items()},
            {id_: cosine(hit["_score"]) for id_, hit in near.items()},
            self.top_k,
            other_bm25={id_: bm25_score(hit) for id_, hit in near.items()},
            other_cosines={id_: self._cosine(vector) for id_, vector in vectors.items() if id_ not in near},
            passages=passages,
        )
        return [HybridHit(sources[one.id], *one[1:]) for one in best]

    def within(self, clauses: int) -> "HybridSearch":
        """
        Give a search for a server that took this one's question for too long.

        :param clauses: So many clauses a search may have.
        :returns: The search. Both of its searches have the same words.
        """
        # Those that keep all, and the nearest, are none of its words.
        return replace(self, question=self.question.shorter((clauses - 2) // (len(self.boosts) if self.boosts else 1)))

    def check_width(self, name: str, answer: Mapping[str, Any]) -> None:
        """
        Say what is wrong with the vector, if it is that by which a search has failed.

        :param name: The index's name.
        :param answer: The server's answer.
        :raises ValueError: If there is no vector, or one of another width than the documents'.
        """
        other = _OTHER_WIDTH.search(str(answer["error"]))
        if other:
            check_width(len(needed(self.vector)), int(other[1]), repr(name))

    def _cosine(self, embedding: Sequence[float] | None) -> float:
        if embedding is None or self.vector is None:
            return np.nan
        vector = np.array(embedding)
        return float(self.vector @ vector / np.sqrt(vector @ vector))


@dataclass(frozen=True, slots=True)
class Cosines:
    """
    Asks for documents' cosines by their ids. Of so few, all are compared.

    :param question: The question.
    :param vector: Its unit vector.
    :param ids: The documents; one without a vector is not among the hits.
    """

    question: Question
    vector: NDArray[np.float64]
    ids: Sequence[str]

    def bodies(self) -> dict[str, dict[str, Any]]:
        """
        Give the search.

        :returns: Its body by its name.
        """
        number = len(self.ids)
        knn = {
            "field": FIELD,
            "query_vector": self.vector.tolist(),
            "k": number,
            "num_candidates": number,
            "filter": [{"terms": {"id": list(self.ids)}}],
        }
        return {VECTORS: {"knn": knn, "size": number, "track_total_hits": False}}

    def within(self, clauses: int) -> "Cosines":  # noqa: ARG002
        """
        Give this search, which has no words.

        :param clauses: So many clauses a search may have.
        :returns: The search.
        """
        return self


def request(index: str, bodies: Iterable[Mapping[str, Any]], filter_path: str | None = None) -> dict[str, Any]:
    """
    Make one request of some searches.

    :param index: The index.
    :param bodies: The searches' bodies.
    :param filter_path: Which parts of the answers are wanted; None is all.
    :returns: The arguments of the client's `perform_request`: its own `msearch` does not know all parameters.
    """
    params = {"include_named_queries_score": "true", **({} if filter_path is None else {"filter_path": filter_path})}
    return {
        "method": "POST",
        "path": f"/{quote(index, safe='')}/_msearch",
        "params": params,
        "headers": {"accept": "application/json", "content-type": "application/x-ndjson"},
        "body": [line for body in bodies for line in (_NO_COPY, body)],
    }


def makes_vectors(index: str) -> str:
    """
    Say how an index without vectors gets some.

    :param index: The index's name.
    :returns: What the command does.
    """
    return (
        f"`answer-selection index FILE --store elasticsearch --index {index} --rebuild --encoder NAME` makes a version "
        "of it that has"
    )


def cosine(score: float) -> float:
    """
    Give the cosine of a hit of a search by vectors.

    :param score: The server's score.
    :returns: The cosine.
    """
    # The server's score is (1 + cosine) / 2.
    return float(2 * score - 1)


def bm25_score(hit: Mapping[str, Any]) -> float:
    """
    Give the BM25 score of a hit of the second search.

    :param hit: The hit.
    :returns: The score; 0 if it holds no word of the question.
    """
    return float(hit.get("matched_queries", {}).get(BM25, 0.0))
