# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Retrieval by BM25 and by embeddings at once from Elasticsearch."""

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any

from elastic_transport import ApiResponse
from elasticsearch import ApiError
from elasticsearch.exceptions import HTTP_EXCEPTIONS
from haystack import Document, component
from haystack_integrations.document_stores.elasticsearch import ElasticsearchDocumentStore
from haystack_integrations.document_stores.elasticsearch.filters import _normalize_filters

from answer_selection.indexing.elasticsearch.hybrid import (
    BM25,
    FIELD,
    MOST,
    VECTORS,
    HybridSearch,
    cosine,
    makes_vectors,
    request,
)
from answer_selection.indexing.elasticsearch.index_of import index_of
from answer_selection.indexing.elasticsearch.question import Question
from answer_selection.indexing.fusion import Fusion
from answer_selection.indexing.passages import without
from answer_selection.indexing.search_fields import check_boosts
from answer_selection.indexing.unit_vector import unit
from haystack_integrations.components.retrievers.answer_selection.hybrid_retriever import HybridRetriever, with_scores


@component
class ElasticsearchHybridScoreRetriever(HybridRetriever):
    """
    Retrieves from an `ElasticsearchDocumentStore` by words and by meaning: the best of BM25 and of embeddings.

    It is what :class:`TantivyHybridRetriever` is for the embedded store. Both searches are one request, `_msearch`.
    Every document has both scores, whichever search has found it: they are in its metadata as `bm25_score` (0 if it
    holds no word of the query) and `vector_score` (the cosine, with that of its passages in it; None if it has no
    embedding). Its score is made of both, see :mod:`answer_selection.indexing.fusion`. The documents come
    without their embeddings.

    An index without vectors is searched by BM25 alone, and the score is BM25's.

    The integration's own `ElasticsearchHybridRetriever` asks twice, and leaves one score, of both ranks.

    ```python
    from haystack_integrations.components.retrievers.elasticsearch_hybrid import ElasticsearchHybridScoreRetriever
    from haystack_integrations.document_stores.elasticsearch import ElasticsearchDocumentStore
    from haystack_integrations.document_stores.elasticsearch_nodes import ElasticsearchNodes

    # An index that `answer-selection index FILE --store elasticsearch --encoder NAME` made.
    store = ElasticsearchDocumentStore(hosts=ElasticsearchNodes(), index="faq-index")
    retriever = ElasticsearchHybridScoreRetriever(document_store=store, top_k=20)
    ```
    """

    store_class = ElasticsearchDocumentStore
    document_store: ElasticsearchDocumentStore

    @property
    def searches(self) -> tuple[str, ...]:
        """The searches that find candidates: "bm25" and, if the index has embeddings, "vectors". It asks the server."""
        embedded = self.document_store.client.search(
            index=self._index, query={"exists": {"field": FIELD}}, size=0, terminate_after=1, track_total_hits=True
        )
        return (BM25, VECTORS) if embedded["hits"]["total"]["value"] else (BM25,)

    def close(self) -> None:
        """Close the store's connection; the next run opens it again."""
        self.document_store.close()

    async def close_async(self) -> None:
        """Close the store's connection for :meth:`run_async`."""
        await self.document_store.close_async()

    def _check_search(self, top_k: int, search_fields: dict[str, float] | None) -> None:
        if isinstance(top_k, bool) or not isinstance(top_k, int) or not 1 <= top_k <= MOST:
            msg = f"top_k must be an integer from 1 to {MOST}, got {top_k!r}"
            raise ValueError(msg)
        if search_fields is not None:
            check_boosts(search_fields)

    @cached_property
    def _index(self) -> str:
        return index_of(self.document_store)

    def _search(
        self,
        query: str,
        query_embedding: list[float] | None,
        *,
        filters: dict[str, Any] | None,
        top_k: int,
        search_fields: dict[str, float] | None,
    ) -> HybridSearch:
        self._check_search(top_k, search_fields)
        return HybridSearch(
            Question(query),
            None if query_embedding is None else unit(query_embedding, "query_embedding"),
            top_k,
            search_fields,
            _normalize_filters(filters) if filters else None,
        )

    def _find(self, query: str, query_embedding: list[float] | None, **arguments: Any) -> list[Document]:
        search = self._search(query, query_embedding, **arguments)
        asked = request(self._index, search.bodies().values())
        return self._documents(search, self.document_store.client.perform_request(**asked))

    async def _find_async(self, query: str, query_embedding: list[float] | None, **arguments: Any) -> list[Document]:
        search = self._search(query, query_embedding, **arguments)
        asked = request(self._index, search.bodies().values())
        # Unlike `client`, `async_client` does not see to it that the index is there.
        await self.document_store._ensure_initialized_async()
        return self._documents(search, await self.document_store.async_client.perform_request(**asked))

    def _find_alone(
        self, search: str, query: str, query_embedding: list[float] | None, **arguments: Any
    ) -> list[Document]:
        both = self._search(query, query_embedding, **arguments)
        asked = request(self._index, [both.bodies()[search]])
        [hits] = self._answers(both, self.document_store.client.perform_request(**asked))
        return [
            _document(hit["_source"], cosine(hit["_score"]) if search == VECTORS else hit["_score"]) for hit in hits
        ]

    def _without_vectors(self) -> tuple[str, str]:
        return repr(self._index), makes_vectors(self._index)

    def _documents(self, search: HybridSearch, response: ApiResponse[Any]) -> list[Document]:
        bm25, nearest = self._answers(search, response)
        if bm25 and not nearest:
            # Of documents with vectors, some are always the nearest.
            return self._by_bm25_alone([_document(hit["_source"], hit["_score"]) for hit in bm25])
        return [
            with_scores(_document(hit.source, hit.score), hit.bm25_score, hit.vector_score)
            for hit in search.hits(bm25, nearest, Fusion(self.fusion, self.weight))
        ]

    def _answers(self, search: HybridSearch, response: ApiResponse[Any]) -> list[list[dict[str, Any]]]:
        """What each search has found."""
        answers = response.body["responses"]
        for answer in answers:
            if "error" in answer:
                search.check_width(self._index, answer)
                _refuse(answer, response)
        return [answer["hits"]["hits"] for answer in answers]


def _document(source: dict[str, Any], score: float) -> Document:
    return Document.from_dict({**without(source), "score": score})


def _refuse(answer: Mapping[str, Any], response: ApiResponse[Any]) -> None:
    """Raise what the client would, had the search been a request of its own."""
    error, status = answer["error"], answer["status"]
    meta = replace(response.meta, status=status)
    raise HTTP_EXCEPTIONS.get(status, ApiError)(message=str(error.get("type")), meta=meta, body=dict(answer))
