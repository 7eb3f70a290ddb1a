# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""BM25's scores beside a model's, where a question comes with its candidates: no retriever has left them any."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from haystack import Document

from answer_selection.indexing.candidates import Candidate, CandidateList
from haystack_integrations.components.rankers.answer_selection import AnswerRanker, BM25Ranker


def with_scores(bm25: BM25Ranker, lists: Iterable[CandidateList]) -> Iterator[CandidateList]:
    """
    Give candidates BM25's scores and ranks, as mining gives them those of a retriever.

    :param bm25: BM25, with its statistics.
    :param lists: The lists.
    :returns: The lists, their candidates in the same order.
    """
    for one in lists:
        documents = [Document(id=str(place), content=each.answer) for place, each in enumerate(one.candidates)]
        ranked = bm25.run(query=one.query, documents=documents, top_k=max(len(documents), 1))["documents"]
        found = {document.id: (rank, document.score) for rank, document in enumerate(ranked, 1)}
        yield replace(one, candidates=tuple(_told(each, *found[str(n)]) for n, each in enumerate(one.candidates)))


def _told(candidate: Candidate, rank: int, score: float | None) -> Candidate:
    return replace(candidate, meta={**candidate.meta, "retriever_rank": rank, "retriever_score": score})


@dataclass(frozen=True, slots=True)
class RankerWithBM25:
    """
    A ranker that mixes in BM25's scores of the candidates, with the weight that its model was given.

    :param ranker: The ranker.
    :param bm25: BM25, with its statistics.
    """

    ranker: AnswerRanker
    bm25: BM25Ranker

    def warm_up(self) -> None:
        """Load the model."""
        self.ranker.warm_up()

    def run_batch(
        self,
        queries: Sequence[str],
        documents: Sequence[list[Document]],
        *,
        query_metas: Sequence[Mapping[str, Any]],
        top_k: int,
        score_threshold: float,
    ) -> dict[str, Any]:
        """
        Rank the candidates of several questions.

        :param queries: The questions.
        :param documents: Each one's candidates.
        :param query_metas: What else is known of each.
        :param top_k: The most candidates to return.
        :param score_threshold: The least score of those.
        :returns: What the ranker returns.
        """
        scored = []
        for query, own in zip(queries, documents, strict=True):
            found = self.bm25.run(query=query, documents=own, top_k=max(len(own), 1))["documents"]
            scores = {document.id: document.score for document in found}
            # In the order that they came in, which decides ties.
            scored.append([replace(document, score=scores[document.id]) for document in own])
        ranked: dict[str, Any] = self.ranker.run_batch(
            queries=list(queries),
            documents=scored,
            query_metas=list(query_metas),
            top_k=top_k,
            score_threshold=score_threshold,
        )
        return ranked
