# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""BM25 retrieval from the embedded document store."""

from typing import Any

from haystack import Document, component
from haystack.document_stores.types import FilterPolicy

from haystack_integrations.components.retrievers.answer_selection.store_retriever import StoreRetriever, check_store
from haystack_integrations.document_stores.tantivy import TantivyDocumentStore


@component
class TantivyBM25Retriever(StoreRetriever):
    """
    Retrieves from a :class:`TantivyDocumentStore` the documents that match a query best.

    ```python
    from haystack_integrations.components.retrievers.tantivy import TantivyBM25Retriever
    from haystack_integrations.document_stores.tantivy import TantivyDocumentStore

    retriever = TantivyBM25Retriever(document_store=TantivyDocumentStore(path="library-index"), top_k=20)
    documents = retriever.run("Can I renew a loan?", search_fields={"content": 1.0, "question": 2.0})["documents"]
    ```
    """

    def __init__(
        self,
        *,
        document_store: TantivyDocumentStore,
        filters: dict[str, Any] | None = None,
        top_k: int = 10,
        scale_score: bool = False,
        search_fields: dict[str, float] | None = None,
        filter_policy: FilterPolicy | str = FilterPolicy.REPLACE,
    ) -> None:
        """
        Set what a run may override.

        :param document_store: The store to search.
        :param filters: A filter in Haystack's syntax.
        :param top_k: Greatest number of documents.
        :param scale_score: Squeeze scores into (0, 1) by a sigmoid; else they are BM25's own.
        :param search_fields: The fields to search and their boosts, such as `{"content": 1.0, "question": 2.0}`; None
            leaves it to the store.
        :param filter_policy: Whether a run's filters replace these or are joined to them.
        :raises TypeError: If the store is of another class.
        :raises ValueError: If `top_k` is less than 1, or a search field is not in the store's index.
        """
        check_store(document_store, TantivyDocumentStore)
        document_store.check_search(top_k, search_fields)
        # `component` makes a class of its own of this one, with which `super()` does not go.
        StoreRetriever.__init__(
            self,
            document_store=document_store,
            filters=filters,
            top_k=top_k,
            scale_score=scale_score,
            search_fields=search_fields,
            filter_policy=filter_policy,
        )

    @component.output_types(documents=list[Document])
    def run(
        self,
        query: str,
        filters: dict[str, Any] | None = None,
        top_k: int | None = None,
        scale_score: bool | None = None,
        search_fields: dict[str, float] | None = None,
    ) -> dict[str, list[Document]]:
        """
        Retrieve documents.

        :param query: Any text. It has no syntax; one without a word finds nothing.
        :param filters: A filter in Haystack's syntax; an empty one filters nothing.
        :param top_k: Greatest number of documents.
        :param scale_score: Squeeze scores into (0, 1) by a sigmoid.
        :param search_fields: The fields to search and their boosts.
        :returns: `documents`: the documents with their scores, the best first.
        :raises ValueError: If `top_k` is less than 1, or a search field is not in the index.
        :raises haystack.errors.FilterError: If the filter is malformed.
        :raises haystack_integrations.document_stores.tantivy.IndexOpenError: If there is no index to search.
        """
        arguments = self._arguments(filters, top_k=top_k, scale_score=scale_score, search_fields=search_fields)
        return {"documents": self.document_store.bm25_retrieval(query, **arguments)}

    @component.output_types(documents=list[Document])
    async def run_async(
        self,
        query: str,
        filters: dict[str, Any] | None = None,
        top_k: int | None = None,
        scale_score: bool | None = None,
        search_fields: dict[str, float] | None = None,
    ) -> dict[str, list[Document]]:
        """Do what :meth:`run` does, without blocking the event loop."""
        arguments = self._arguments(filters, top_k=top_k, scale_score=scale_score, search_fields=search_fields)
        return {"documents": await self.document_store.bm25_retrieval_async(query, **arguments)}
