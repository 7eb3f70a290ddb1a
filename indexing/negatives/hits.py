# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Where a query's hits come from: a search of the index, or chance."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

from answer_selection.indexing.corpus import Query
from answer_selection.indexing.corpus_index import CorpusIndex
from answer_selection.indexing.negatives.answers import AnswerTable
from answer_selection.indexing.negatives.hybrid import HybridSearch
from answer_selection.indexing.negatives.plan import SamplingPlan
from answer_selection.indexing.ranking_fields import BM25_SCORE, RETRIEVER_RANK, RETRIEVER_SCORE, VECTOR_SCORE
from answer_selection.indexing.text.tree import TREE_FIELD


@dataclass(frozen=True, slots=True)
class Hit:
    """
    An entry that was found, or drawn, for a query.

    :param id: its id.
    :param rank: its place among those that were found, counted from 1.
    :param score: the search's score.
    :param bm25_score: where BM25 and vectors are searched, its BM25 score.
    :param vector_score: there, its cosine with the query.
    """

    id: str
    rank: int | None = None
    score: float | None = None
    bm25_score: float | None = None
    vector_score: float | None = None

    def meta(self) -> dict[str, Any]:
        """
        Say as a candidate's metadata where it was found.

        :returns: what is known of it.
        """
        found = {
            RETRIEVER_RANK: self.rank,
            RETRIEVER_SCORE: self.score,
            BM25_SCORE: self.bm25_score,
            VECTOR_SCORE: self.vector_score,
        }
        return {name: value for name, value in found.items() if value is not None}


class Source(Protocol):
    """Finds the entries that a query's candidates are taken from, and sees to it that their answers are at hand."""

    def hits(self, queries: Sequence[Query]) -> Iterator[list[Hit]]:
        """Find them, one list a query."""
        ...


def open_source(
    store: CorpusIndex, answers: AnswerTable, plan: SamplingPlan, hybrid: HybridSearch | None = None
) -> Source:
    """
    Choose where the hits come from.

    :param store: the index.
    :param answers: where their answers go.
    :param plan: which hits are wanted.
    :param hybrid: how an index with vectors is searched by them too; None is BM25 alone.
    :returns: the source.
    """
    if plan.mode == "random":
        return RandomSource(store, answers, plan)
    return IndexSource(store, answers, plan) if hybrid is None else HybridSource(store, answers, plan, hybrid)


READ: Final = ["id", "content", "meta.question", f"meta.{TREE_FIELD}"]
"""What candidate lists hold of documents."""


class IndexSource:
    """Hits and answers of the index. Scores are asked for only where the lists are to be ranked."""

    def __init__(self, index: CorpusIndex, answers: AnswerTable, plan: SamplingPlan) -> None:
        self.index, self.answers, self.plan = index, answers, plan
        for page in index.iter_pages(READ):
            answers.add(tuple(row[field] for field in READ) for row in page)

    def hits(self, queries: Sequence[Query]) -> Iterator[list[Hit]]:
        """Search the index for each query."""
        texts, depth, fields = [query.query for query in queries], self.plan.depth, self.plan.fields
        if self.plan.mode == "retrieved":
            for scored in self.index.search_scored(texts, depth, fields):
                yield [Hit(id_, rank, score) for rank, (id_, score) in enumerate(scored, start=1)]
        else:
            for ids in self.index.search_ids(texts, depth, fields):
                yield [Hit(id_, rank, None) for rank, id_ in enumerate(ids, start=1)]


class HybridSource(IndexSource):
    """Hits of an index with vectors, by BM25 and by vectors. Every one has both scores."""

    def __init__(self, index: CorpusIndex, answers: AnswerTable, plan: SamplingPlan, search: HybridSearch) -> None:
        super().__init__(index, answers, plan)
        self.search = search

    def hits(self, queries: Sequence[Query]) -> Iterator[list[Hit]]:
        """Search the index for each query."""
        texts, plan = [query.query for query in queries], self.plan
        vectors, ranked = self.search.vectors(texts).tolist(), plan.mode == "retrieved"
        for found in self.index.search_hybrid(texts, vectors, plan.depth, plan.fields, weight=self.search.weight):
            yield [
                Hit(each.id, rank, each.score if ranked else None, each.bm25_score, each.vector_score)
                for rank, each in enumerate(found, start=1)
            ]


class RandomSource(IndexSource):
    """As many entries for a query, drawn at random, whatever a search finds."""

    def __init__(self, index: CorpusIndex, answers: AnswerTable, plan: SamplingPlan) -> None:
        super().__init__(index, answers, plan)
        self.count = answers.number()

    def hits(self, queries: Sequence[Query]) -> Iterator[list[Hit]]:
        """Draw entries at random for each query."""
        for query in queries:
            random = self.plan.random("drawn", query.query_id)
            drawn = random.choice(self.count, min(self.plan.depth, self.count), replace=False)
            yield [Hit(id_) for id_ in self.answers.numbered((drawn + 1).tolist())]
