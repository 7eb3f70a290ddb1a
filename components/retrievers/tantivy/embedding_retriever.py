# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Retrieval by embeddings from the embedded document store."""

from typing import Any

from haystack import Document, component
from haystack.document_stores.types import FilterPolicy

from haystack_integrations.components.retrievers.answer_selection.store_retriever import StoreRetriever, check_store
from haystack_integrations.document_stores.tantivy import TantivyDocumentStore


@component
class TantivyEmbeddingRetriever(StoreRetriever):
    """
    Retrieves from a :class:`TantivyDocumentStore` the documents whose embeddings are nearest to a query's (cosine).

    Every embedding is compared, so these are the very best.

    ```python
    from haystack import Document
    from haystack_integrations.components.retrievers.tantivy import TantivyEmbeddingRetriever
    from haystack_integrations.document_stores.tantivy import TantivyDocumentStore

    store = TantivyDocumentStore(path="embedded-index")
    store.write_documents([Document(content="At any desk.", embedding=[0.1, 0.9, 0.2])])
    retriever = TantivyEmbeddingRetriever(document_store=store, top_k=20)
    documents = retriever.run(query_embedding=[0.2, 0.8, 0.1])["documents"]
    ```
    """

    def __init__(
        self,
        *,
        document_store: TantivyDocumentStore,
        filters: dict[str, Any] | None = None,
        top_k: int = 10,
        filter_policy: FilterPolicy | str = FilterPolicy.REPLACE,
    ) -> None:
        """
        Set what a run may override.

        :param document_store: The store to search.
        :param filters: A filter in Haystack's syntax.
        :param top_k: Greatest number of documents.
        :param filter_policy: Whether a run's filters replace these or are joined to them.
        :raises TypeError: If the store is of another class.
        :raises ValueError: If `top_k` is less than 1.
        """
        check_store(document_store, TantivyDocumentStore)
        document_store.check_search(top_k, None)
        # `component` makes a class of its own of this one, with which `super()` does not go.
        StoreRetriever.__init__(
            self, document_store=document_store, filters=filters, top_k=top_k, filter_policy=filter_policy
        )

    @component.output_types(documents=list[Document])
    def run(
        self, query_embedding: list[float], filters: dict[str, Any] | None = None, top_k: int | None = None
    ) -> dict[str, list[Document]]:
        """
        Retrieve documents.

        :param query_embedding: The query's embedding, by the model that embedded the documents.
        :param filters: A filter in Haystack's syntax; an empty one filters nothing.
        :param top_k: Greatest number of documents.
        :returns: `documents`: the documents with their cosines as scores, the best first.
        :raises ValueError: If `top_k` is less than 1, or the embedding is of another width than the documents'.
        :raises haystack.errors.FilterError: If the filter is malformed.
        :raises haystack_integrations.document_stores.tantivy.IndexOpenError: If there is no index to search.
        :raises haystack.document_stores.errors.DocumentStoreError: If no document has an embedding.
        """
        arguments = self._arguments(filters, top_k=top_k)
        return {"documents": self.document_store.embedding_retrieval(query_embedding, **arguments)}

    @component.output_types(documents=list[Document])
    async def run_async(
        self, query_embedding: list[float], filters: dict[str, Any] | None = None, top_k: int | None = None
    ) -> dict[str, list[Document]]:
        """Do what :meth:`run` does, without blocking the event loop."""
        arguments = self._arguments(filters, top_k=top_k)
        return {"documents": await self.document_store.embedding_retrieval_async(query_embedding, **arguments)}
