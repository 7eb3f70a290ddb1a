# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Retrieval by BM25 and by embeddings at once from the embedded document store."""

from typing import Any

from haystack import Document, component
from haystack.document_stores.types import FilterPolicy

from answer_selection.indexing.fusion import FusionMethod
from answer_selection.indexing.unit_vector import needed
from haystack_integrations.components.retrievers.answer_selection.hybrid_retriever import HybridRetriever
from haystack_integrations.components.retrievers.answer_selection.store_retriever import check_store
from haystack_integrations.document_stores.tantivy import TantivyDocumentStore
from haystack_integrations.document_stores.tantivy.folder import keeps_vectors


@component
class TantivyHybridRetriever(HybridRetriever):
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
        check_store(document_store, TantivyDocumentStore)
        document_store.check_search(top_k, search_fields)
        # `component` makes a class of its own of this one, with which `super()` does not go.
        HybridRetriever.__init__(
            self,
            document_store=document_store,
            filters=filters,
            top_k=top_k,
            search_fields=search_fields,
            fusion=fusion,
            weight=weight,
            filter_policy=filter_policy,
        )

    @property
    def searches(self) -> tuple[str, ...]:
        """The searches that find candidates: "bm25" and, if the index has embeddings, "vectors"."""
        return ("bm25", "vectors") if self.document_store.has_vectors else ("bm25",)

    def _find(self, query: str, query_embedding: list[float] | None, **arguments: Any) -> list[Document]:
        store: TantivyDocumentStore = self.document_store
        if not store.has_vectors:
            return self._by_bm25_alone(store.bm25_retrieval(query, **arguments))
        return store.hybrid_retrieval(
            query, needed(query_embedding), **arguments, fusion=self.fusion, weight=self.weight
        )

    async def _find_async(self, query: str, query_embedding: list[float] | None, **arguments: Any) -> list[Document]:
        store: TantivyDocumentStore = self.document_store
        if not store.has_vectors:
            return self._by_bm25_alone(await store.bm25_retrieval_async(query, **arguments))
        return await store.hybrid_retrieval_async(
            query, needed(query_embedding), **arguments, fusion=self.fusion, weight=self.weight
        )

    def _find_alone(
        self, search: str, query: str, query_embedding: list[float] | None, **arguments: Any
    ) -> list[Document]:
        store: TantivyDocumentStore = self.document_store
        if search == "bm25":
            return store.bm25_retrieval(query, **arguments)
        del arguments["search_fields"]
        return store.embedding_retrieval(needed(query_embedding), **arguments)

    def _without_vectors(self) -> tuple[str, str]:
        path = self.document_store.path
        return f"in {path}", (
            f"`answer-selection index FILE --index {path} --update --encoder NAME` adds them"
            if keeps_vectors(path)
            else "an earlier version made it, so index its files into a new folder"
        )
