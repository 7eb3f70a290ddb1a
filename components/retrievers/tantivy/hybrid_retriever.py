# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Retrieval by BM25 and by embeddings at once from the embedded document store."""

import asyncio
from typing import Any

from haystack import Document, component

from answer_selection.indexing.unit_vector import needed
from haystack_integrations.components.retrievers.answer_selection.hybrid_retriever import HybridRetriever
from haystack_integrations.document_stores.tantivy import TantivyDocumentStore
from haystack_integrations.document_stores.tantivy.folder import keeps_vectors


@component
class TantivyHybridRetriever(HybridRetriever):
    """
    Retrieves from a :class:`TantivyDocumentStore` by words and by meaning: the best of BM25 and of embeddings.

    Every document has both scores, whichever search has found it: they are in its metadata as `bm25_score` (0 if it
    holds no word of the query) and `vector_score` (the cosine, with that of its passages in it; None if it has no
    embedding). Its score is made of both, see :mod:`answer_selection.indexing.fusion`. The documents come without their
    embeddings.

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

    store_class = TantivyDocumentStore
    document_store: TantivyDocumentStore

    @property
    def searches(self) -> tuple[str, ...]:
        """The searches that find candidates: "bm25" and, if the index has embeddings, "vectors"."""
        return ("bm25", "vectors") if self.document_store.has_vectors else ("bm25",)

    def _check_search(self, top_k: int, search_fields: dict[str, float] | None) -> object:
        return self.document_store.check_search(top_k, search_fields)

    def _find(self, query: str, query_embedding: list[float] | None, **arguments: Any) -> list[Document]:
        store = self.document_store
        if not store.has_vectors:
            return self._by_bm25_alone(store.bm25_retrieval(query, **arguments))
        return store.hybrid_retrieval(
            query, needed(query_embedding), **arguments, fusion=self.fusion, weight=self.weight
        )

    async def _find_async(self, query: str, query_embedding: list[float] | None, **arguments: Any) -> list[Document]:
        # Even the question whether there are vectors can open the index.
        return await asyncio.to_thread(self._find, query, query_embedding, **arguments)

    def _find_alone(
        self, search: str, query: str, query_embedding: list[float] | None, **arguments: Any
    ) -> list[Document]:
        store = self.document_store
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
