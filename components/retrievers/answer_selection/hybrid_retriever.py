# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""A retriever by words and by meaning, whichever store it searches."""

from abc import abstractmethod
from dataclasses import replace
from typing import Any, ClassVar

from haystack import Document, component, logging
from haystack.document_stores.types import FilterPolicy

from answer_selection.indexing.fusion import Fusion, FusionMethod
from answer_selection.indexing.ranking_fields import BM25_SCORE, VECTOR_SCORE
from haystack_integrations.components.retrievers.answer_selection.store_retriever import StoreRetriever, check_store

logger = logging.getLogger(__name__)


class HybridRetriever(StoreRetriever):
    """
    Retrieves by BM25 and by embeddings; an index without embeddings by BM25 alone, and says so once.
    """

    store_class: ClassVar[type]
    """The store that it is for."""
    search_fields: dict[str, float] | None
    fusion: FusionMethod
    weight: float | None

    def __init__(
        self,
        *,
        document_store: Any,
        filters: dict[str, Any] | None = None,
        top_k: int = 10,
        search_fields: dict[str, float] | None = None,
        fusion: FusionMethod = "weighted",
        weight: float | None = None,
        filter_policy: FilterPolicy | str = FilterPolicy.REPLACE,
    ) -> None:
        """
        Set what a run may override, and how one score is made of two.

        :param document_store: The store to search.
        :param filters: A filter in Haystack's syntax.
        :param top_k: Greatest number of documents, of each search and of both.
        :param search_fields: The fields that BM25 searches and their boosts, such as `{"content": 1.0, "question":
            2.0}`; None leaves it to the store.
        :param fusion: "weighted" adds the scores' values, "reciprocal_rank" their ranks.
        :param weight: The vectors' weight; that of BM25 is 1. None is 75 for "weighted", 1 for "reciprocal_rank".
        :param filter_policy: Whether a run's filters replace these or are joined to them.
        :raises TypeError: If the store is of another class.
        :raises ValueError: If `top_k` or a search field is out of its range, the fusion is unknown or the weight less
            than 0.
        """
        check_store(document_store, self.store_class)
        StoreRetriever.__init__(
            self,
            document_store=document_store,
            filters=filters,
            top_k=top_k,
            search_fields=search_fields,
            fusion=fusion,
            weight=weight,
            filter_policy=filter_policy,
        )
        self._check_search(top_k, search_fields)
        Fusion(fusion, weight)
        self._told_of_bm25 = False

    @component.output_types(documents=list[Document])
    def run(
        self,
        query: str,
        query_embedding: list[float] | None = None,
        filters: dict[str, Any] | None = None,
        top_k: int | None = None,
        search_fields: dict[str, float] | None = None,
    ) -> dict[str, list[Document]]:
        """
        Retrieve documents.

        :param query: Any text. It has no syntax; by one without a word only embeddings are searched.
        :param query_embedding: The query's embedding, by the model that embedded the documents. Only an index without
            embeddings can be searched without one.
        :param filters: A filter in Haystack's syntax; an empty one filters nothing.
        :param top_k: Greatest number of documents, of each search and of both.
        :param search_fields: The fields that BM25 searches and their boosts.
        :returns: `documents`: the documents with their scores, the best first.
        :raises ValueError: If `top_k` or a search field is out of its range, or the embedding is missing, or of another
            width than the documents'.
        :raises haystack.errors.FilterError: If the filter is malformed.
        :raises haystack_integrations.document_stores.tantivy.IndexOpenError: If there is no index on disk to search.
        :raises elasticsearch.ApiError: If the server refuses the search.
        """
        arguments = self._arguments(filters, top_k=top_k, search_fields=search_fields)
        return {"documents": self._find(query, query_embedding, **arguments)}

    @component.output_types(documents=list[Document])
    async def run_async(
        self,
        query: str,
        query_embedding: list[float] | None = None,
        filters: dict[str, Any] | None = None,
        top_k: int | None = None,
        search_fields: dict[str, float] | None = None,
    ) -> dict[str, list[Document]]:
        """Do what :meth:`run` does, without blocking the event loop."""
        arguments = self._arguments(filters, top_k=top_k, search_fields=search_fields)
        return {"documents": await self._find_async(query, query_embedding, **arguments)}

    @property
    @abstractmethod
    def searches(self) -> tuple[str, ...]:
        """The searches that find candidates: "bm25" and, if the index has embeddings, "vectors"."""

    def run_alone(
        self,
        search: str,
        query: str,
        query_embedding: list[float] | None = None,
        filters: dict[str, Any] | None = None,
        top_k: int | None = None,
        search_fields: dict[str, float] | None = None,
    ) -> dict[str, list[Document]]:
        """
        Retrieve by one search alone: a list of those of which :meth:`run`, given the same, makes one.

        :param search: One of :attr:`searches`.
        :param query: The query.
        :param query_embedding: The query's embedding.
        :param filters: A filter.
        :param top_k: Greatest number of documents.
        :param search_fields: The fields that BM25 searches and their boosts.
        :returns: `documents`: the documents with the search's own scores, the best first.
        """
        arguments = self._arguments(filters, top_k=top_k, search_fields=search_fields)
        return {"documents": self._find_alone(search, query, query_embedding, **arguments)}

    @abstractmethod
    def _check_search(self, top_k: int, search_fields: dict[str, float] | None) -> object:
        """Refuse a number or fields that can't be searched."""

    @abstractmethod
    def _find(self, query: str, query_embedding: list[float] | None, **arguments: Any) -> list[Document]:
        """Find documents by both, or by BM25 where there are no embeddings."""

    @abstractmethod
    async def _find_async(self, query: str, query_embedding: list[float] | None, **arguments: Any) -> list[Document]:
        """Do so without blocking."""

    @abstractmethod
    def _find_alone(
        self, search: str, query: str, query_embedding: list[float] | None, **arguments: Any
    ) -> list[Document]:
        """Find documents by one of the searches."""

    @abstractmethod
    def _without_vectors(self) -> tuple[str, str]:
        """What to call an index without embeddings, and how to add some."""

    def _by_bm25_alone(self, documents: list[Document]) -> list[Document]:
        if not self._told_of_bm25:
            self._told_of_bm25 = True
            index, how = self._without_vectors()
            logger.warning(
                "the index {index} has no vectors and is searched by BM25 alone: {how}", index=index, how=how
            )
        return [with_scores(document, document.score, None) for document in documents]


def with_scores(document: Document, bm25_score: float | None, vector_score: float | None) -> Document:
    """
    Give a document both scores of a search.

    :param document: The document.
    :param bm25_score: Its BM25 score.
    :param vector_score: Its cosine with the query; None if it has no embedding.
    :returns: A new document.
    """
    return replace(document, meta={**document.meta, BM25_SCORE: bm25_score, VECTOR_SCORE: vector_score})
