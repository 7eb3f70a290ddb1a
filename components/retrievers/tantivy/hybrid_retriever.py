# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Retrieval by BM25 and by embeddings at once from the embedded document store."""

from typing import Any

from haystack import Document, component, default_from_dict, default_to_dict, logging
from haystack.document_stores.types import FilterPolicy

from answer_selection.indexing.fusion import Fusion, FusionMethod
from haystack_integrations.components.retrievers.tantivy.arguments import (
    applied_filters,
    check_store,
    with_filter_policy,
)
from haystack_integrations.document_stores.tantivy import TantivyDocumentStore
from haystack_integrations.document_stores.tantivy.codec import with_meta
from haystack_integrations.document_stores.tantivy.folder import keeps_vectors

logger = logging.getLogger(__name__)


@component
class TantivyHybridRetriever:
    """
    Retrieves from a :class:`TantivyDocumentStore` by words and by meaning: the best of BM25 and of embeddings.

    Every document has both scores, whichever search has found it: they are in its metadata as `bm25_score` (0 if it
    holds no word of the query) and `vector_score` (the cosine; None if it has no embedding). Its score is made of both,
    see :mod:`answer_selection.indexing.fusion`.

    An index without embeddings is searched by BM25 alone, and the score is BM25's.

    ```python
    from haystack import Document
    from haystack_integrations.components.retrievers.tantivy import TantivyHybridRetriever
    from haystack_integrations.document_stores.tantivy import TantivyDocumentStore

    store = TantivyDocumentStore(path="hybrid-index")
    store.write_documents([Document(content="At any desk.", embedding=[0.1, 0.9, 0.2])])
    retriever = TantivyHybridRetriever(document_store=store, top_k=20)
    documents = retriever.run("Which desk?", query_embedding=[0.2, 0.8, 0.1])["documents"]
    ```
    """

    def __init__(
        self,
        *,
        document_store: TantivyDocumentStore,
        filters: dict[str, Any] | None = None,
        top_k: int = 10,
        search_fields: dict[str, float] | None = None,
        fusion: FusionMethod = "weighted",
        weight: float | None = None,
        filter_policy: FilterPolicy = FilterPolicy.REPLACE,
    ) -> None:
        """
        Set what a run may override, and how one score is made of two.

        :param document_store: The store to search.
        :param filters: A filter in Haystack's syntax.
        :param top_k: Greatest number of documents, of each search and of both.
        :param search_fields: The fields that BM25 searches and their boosts, such as `{"content": 1.0, "question":
            2.0}`; None leaves it to the store.
        :param fusion: "weighted" adds the scores' values, "reciprocal_rank" their ranks.
        :param weight: The vectors' weight; that of BM25 is 1. None is 60 for "weighted", 1 for "reciprocal_rank".
        :param filter_policy: Whether a run's filters replace these or are joined to them.
        :raises TypeError: If the store is of another class.
        :raises ValueError: If `top_k` is less than 1, a search field is not in the store's index, the fusion is unknown
            or the weight less than 0.
        """
        check_store(document_store)
        document_store.check_search(top_k, search_fields)
        Fusion(fusion, weight)
        self.document_store = document_store
        self.filters = filters
        self.top_k = top_k
        self.search_fields = search_fields
        self.fusion = fusion
        self.weight = weight
        self.filter_policy = filter_policy
        self._told_of_bm25 = False

    def to_dict(self) -> dict[str, Any]:
        """
        Serialize the component.

        :returns: A dictionary for :meth:`from_dict`.
        """
        return default_to_dict(
            self,
            document_store=self.document_store,
            filters=self.filters,
            top_k=self.top_k,
            search_fields=self.search_fields,
            fusion=self.fusion,
            weight=self.weight,
            filter_policy=self.filter_policy.value,
        )

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> "TantivyHybridRetriever":
        """
        Make a component from what :meth:`to_dict` gave.

        :param data: The dictionary.
        :returns: The component.
        """
        retriever: TantivyHybridRetriever = default_from_dict(cls, with_filter_policy(data))
        return retriever

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
        :raises ValueError: If `top_k` is less than 1, a search field is not in the index, or the embedding is missing
            or of another width than the documents'.
        :raises haystack.errors.FilterError: If the filter is malformed.
        :raises haystack_integrations.document_stores.tantivy.IndexOpenError: If there is no index to search.
        """
        store, arguments = self.document_store, self._arguments(filters, top_k, search_fields)
        if not store.has_vectors:
            return self._by_bm25_alone(store.bm25_retrieval(query, **arguments))
        return {"documents": store.hybrid_retrieval(query, _needed(query_embedding), **arguments, **self._fusion())}

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
        store, arguments = self.document_store, self._arguments(filters, top_k, search_fields)
        if not store.has_vectors:
            return self._by_bm25_alone(await store.bm25_retrieval_async(query, **arguments))
        embedding = _needed(query_embedding)
        return {"documents": await store.hybrid_retrieval_async(query, embedding, **arguments, **self._fusion())}

    @property
    def searches(self) -> tuple[str, ...]:
        """The searches that find candidates: "bm25" and, if the index has embeddings, "vectors"."""
        return ("bm25", "vectors") if self.document_store.has_vectors else ("bm25",)

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
        store, arguments = self.document_store, self._arguments(filters, top_k, search_fields)
        if search == "bm25":
            return {"documents": store.bm25_retrieval(query, **arguments)}
        del arguments["search_fields"]
        return {"documents": store.embedding_retrieval(_needed(query_embedding), **arguments)}

    def _by_bm25_alone(self, documents: list[Document]) -> dict[str, list[Document]]:
        if not self._told_of_bm25:
            self._told_of_bm25 = True
            path = self.document_store.path
            how = (
                f"`answer-selection index FILE --index {path} --update --encoder NAME` adds them"
                if keeps_vectors(path)
                else "an earlier version made it, so index its files into a new folder"
            )
            logger.warning(
                "the index in {path} has no vectors and is searched by BM25 alone: {how}", path=path, how=how
            )
        return {"documents": [with_meta(one, {"bm25_score": one.score, "vector_score": None}) for one in documents]}

    def _arguments(
        self, filters: dict[str, Any] | None, top_k: int | None, search_fields: dict[str, float] | None
    ) -> dict[str, Any]:
        return {
            "filters": applied_filters(self.filter_policy, self.filters, filters),
            "top_k": self.top_k if top_k is None else top_k,
            "search_fields": self.search_fields if search_fields is None else search_fields,
        }

    def _fusion(self) -> dict[str, Any]:
        return {"fusion": self.fusion, "weight": self.weight}


def _needed(query_embedding: list[float] | None) -> list[float]:
    if query_embedding is None:
        msg = "query_embedding is missing: connect the text embedder whose model embedded the documents"
        raise ValueError(msg)
    return query_embedding
