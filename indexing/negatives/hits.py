# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Where a query's hits come from: an index of this package, chance, or any retriever component."""

import inspect
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeGuard

from haystack import Document

from answer_selection.indexing.corpus import Query
from answer_selection.indexing.corpus_index import CorpusIndex
from answer_selection.indexing.negatives.answers import AnswerTable
from answer_selection.indexing.negatives.hybrid import HybridSearch
from answer_selection.indexing.negatives.plan import SamplingPlan
from answer_selection.indexing.ranking_fields import BM25_SCORE, RETRIEVER_RANK, RETRIEVER_SCORE, VECTOR_SCORE
from answer_selection.indexing.text.tree import TREE_FIELD


class Retriever(Protocol):
    """A BM25 retriever component over a store of another package."""

    document_store: Any

    def run(self, query: str, *, top_k: int) -> dict[str, list[Document]]:
        """Documents, best first."""
        ...


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
    store: CorpusIndex | Retriever, answers: AnswerTable, plan: SamplingPlan, hybrid: HybridSearch | None = None
) -> Source:
    """
    Choose where the hits come from.

    :param store: an index of this package, or a BM25 retriever component over any other store.
    :param answers: where their answers go.
    :param plan: which hits are wanted.
    :param hybrid: how an index with vectors is searched by them too; None is BM25 alone.
    :returns: the source.
    """
    if is_index(store):
        if hybrid is not None and plan.mode != "random":
            return HybridSource(store, answers, plan, hybrid)
        return RandomSource(store, answers, plan) if plan.mode == "random" else IndexSource(store, answers, plan)
    return RetrieverSource(store, answers, plan)  # type: ignore[arg-type]


def is_index(store: CorpusIndex | Retriever) -> TypeGuard[CorpusIndex]:
    """
    Tell an index of this package from a retriever component.

    :param store: one of them.
    :returns: whether it is an index.
    """
    return hasattr(store, "search_ids")


class IndexSource:
    """Hits and answers of an index of this package. Scores are asked for only where the lists are to be ranked."""

    def __init__(self, index: CorpusIndex, answers: AnswerTable, plan: SamplingPlan) -> None:
        self.index, self.answers, self.plan = index, answers, plan
        fields = ["id", "content", "meta.question", f"meta.{TREE_FIELD}"]
        for page in index.iter_pages(fields):
            answers.add(tuple(row[field] for field in fields) for row in page)

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


class RetrieverSource:
    """Hits and answers of a retriever component: slower, but any store has one."""

    def __init__(self, retriever: Retriever, answers: AnswerTable, plan: SamplingPlan) -> None:
        self.retriever, self.answers, self.plan = retriever, answers, plan
        # Haystack's own retrievers search `content` and know no fields; ours is told which.
        takes_fields = "search_fields" in inspect.signature(retriever.run).parameters
        self.options = {"search_fields": plan.fields} if takes_fields else {}

    def hits(self, queries: Sequence[Query]) -> Iterator[list[Hit]]:
        """Ask the retriever for each query."""
        relevant = sorted({id_ for query in queries for id_ in query.relevant})
        filters = {"field": "id", "operator": "in", "value": relevant}
        documents = self.retriever.document_store.filter_documents(filters=filters) if relevant else []
        self.answers.add(_row(document) for document in documents)
        for query in queries:
            documents = self.retriever.run(query.query, top_k=self.plan.depth, **self.options)["documents"]
            self.answers.add(_row(document) for document in documents)
            yield [Hit(document.id, rank, document.score) for rank, document in enumerate(documents, start=1)]


def _row(document: Document) -> tuple[str, str | None, Any, Any]:
    return document.id, document.content, document.meta.get("question"), document.meta.get(TREE_FIELD)
