# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Retrieval by BM25 and by embeddings at once from Elasticsearch."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from operator import itemgetter
from typing import Any
from urllib.parse import quote

from elastic_transport import ApiResponse
from elasticsearch import ApiError
from elasticsearch.exceptions import HTTP_EXCEPTIONS
from haystack import Document, component, default_from_dict, default_to_dict, logging
from haystack.document_stores.types import FilterPolicy
from haystack_integrations.document_stores.elasticsearch import ElasticsearchDocumentStore
from haystack_integrations.document_stores.elasticsearch.filters import _normalize_filters

from answer_selection.indexing.elasticsearch.hybrid import (
    BM25,
    FIELD,
    MOST,
    PARAMETERS,
    VECTORS,
    HybridHit,
    HybridSearch,
    cosine,
    together,
)
from answer_selection.indexing.elasticsearch.question import Question
from answer_selection.indexing.fusion import Fusion, FusionMethod
from answer_selection.indexing.search_fields import check_boosts
from haystack_integrations.components.retrievers.tantivy.arguments import applied_filters, with_filter_policy
from haystack_integrations.document_stores.tantivy.vectors import unit

logger = logging.getLogger(__name__)


@component
class ElasticsearchHybridScoreRetriever:
    """
    Retrieves from an `ElasticsearchDocumentStore` by words and by meaning: the best of BM25 and of embeddings.

    It is what :class:`TantivyHybridRetriever` is for the embedded store. Both searches are one request, `_msearch`.
    Every document has both scores, whichever search has found it: they are in its metadata as `bm25_score` (0 if it
    holds no word of the query) and `vector_score` (the cosine; None if it has no embedding). Its score is made of both,
    see :mod:`answer_selection.indexing.fusion`. The documents come without their embeddings.

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

    def __init__(
        self,
        *,
        document_store: ElasticsearchDocumentStore,
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
            2.0}`; None leaves it to the index.
        :param fusion: "weighted" adds the scores' values, "reciprocal_rank" their ranks.
        :param weight: The vectors' weight; that of BM25 is 1. None is 60 for "weighted", 1 for "reciprocal_rank".
        :param filter_policy: Whether a run's filters replace these or are joined to them.
        :raises TypeError: If the store is of another class.
        :raises ValueError: If `top_k` is less than 1 or more than 10,000, a boost is no number above 0, the fusion is
            unknown or the weight less than 0.
        """
        if not isinstance(document_store, ElasticsearchDocumentStore):
            msg = f"document_store must be an ElasticsearchDocumentStore, got {type(document_store).__name__}"
            raise TypeError(msg)
        _check_search(top_k, search_fields)
        self.document_store = document_store
        self.filters = filters
        self.top_k = top_k
        self.search_fields = search_fields
        self.fusion = fusion
        self.weight = weight
        self.filter_policy = filter_policy
        self._fuse = Fusion(fusion, weight)
        self._told_of_bm25 = False
        self._index: str = document_store.to_dict()["init_parameters"]["index"]

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
    def from_dict(cls, data: dict[str, Any]) -> "ElasticsearchHybridScoreRetriever":
        """
        Make a component from what :meth:`to_dict` gave.

        :param data: The dictionary.
        :returns: The component.
        """
        retriever: ElasticsearchHybridScoreRetriever = default_from_dict(cls, with_filter_policy(data))
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
        :raises ValueError: If `top_k` or a boost is out of its range, or the embedding is missing, or of another width
            than the documents'.
        :raises haystack.errors.FilterError: If the filter is malformed.
        :raises elasticsearch.ApiError: If the server refuses the search.
        """
        search = self._search(query, query_embedding, filters, top_k, search_fields)
        response = self.document_store.client.perform_request("POST", self._path, **_request(search.bodies().values()))
        return {"documents": self._documents(search, response)}

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
        search = self._search(query, query_embedding, filters, top_k, search_fields)
        request = _request(search.bodies().values())
        # Unlike `client`, `async_client` does not see to it that the index is there.
        await self.document_store._ensure_initialized_async()
        response = await self.document_store.async_client.perform_request("POST", self._path, **request)
        return {"documents": self._documents(search, response)}

    @property
    def searches(self) -> tuple[str, ...]:
        """The searches that find candidates: "bm25" and, if the index has embeddings, "vectors". It asks the server."""
        embedded = self.document_store.client.search(
            index=self._index, query={"exists": {"field": FIELD}}, size=0, terminate_after=1, track_total_hits=True
        )
        return (BM25, VECTORS) if embedded["hits"]["total"]["value"] else (BM25,)

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
        both = self._search(query, query_embedding, filters, top_k, search_fields)
        request = _request([both.bodies()[search]])
        [hits] = self._answers(both, self.document_store.client.perform_request("POST", self._path, **request))
        score = cosine if search == VECTORS else itemgetter("_score")
        return {"documents": [_document(hit["_source"], score(hit)) for hit in hits]}

    def close(self) -> None:
        """Close the store's connection; the next run opens it again."""
        self.document_store.close()

    async def close_async(self) -> None:
        """Close the store's connection for :meth:`run_async`."""
        await self.document_store.close_async()

    @property
    def _path(self) -> str:
        return f"/{quote(self._index, safe='')}/_msearch"

    def _search(
        self,
        query: str,
        query_embedding: list[float] | None,
        filters: dict[str, Any] | None,
        top_k: int | None,
        search_fields: dict[str, float] | None,
    ) -> HybridSearch:
        top_k = self.top_k if top_k is None else top_k
        search_fields = self.search_fields if search_fields is None else search_fields
        _check_search(top_k, search_fields)
        applied = applied_filters(self.filter_policy, self.filters, filters)
        return HybridSearch(
            Question(query),
            None if query_embedding is None else unit(query_embedding, "query_embedding"),
            top_k,
            search_fields,
            _normalize_filters(applied) if applied else None,
        )

    def _documents(self, search: HybridSearch, response: ApiResponse[Any]) -> list[Document]:
        bm25, nearest = self._answers(search, response)
        if bm25 and not nearest:
            # Of documents with vectors, some are always the nearest.
            self._tell_of_bm25()
            hits = [HybridHit(hit["_source"], hit["_score"], hit["_score"], None) for hit in bm25]
        else:
            hits = search.hits(bm25, nearest, self._fuse)
        return [
            _document(hit.source, hit.score, bm25_score=hit.bm25_score, vector_score=hit.vector_score) for hit in hits
        ]

    def _answers(self, search: HybridSearch, response: ApiResponse[Any]) -> list[list[dict[str, Any]]]:
        """What each search has found."""
        answers = response.body["responses"]
        for answer in answers:
            if "error" in answer:
                search.check_width(self._index, answer)
                _refuse(answer, response)
        return [answer["hits"]["hits"] for answer in answers]

    def _tell_of_bm25(self) -> None:
        if not self._told_of_bm25:
            self._told_of_bm25 = True
            logger.warning(
                "the index {index} has no vectors, so BM25 alone finds candidates: `answer-selection index FILE "
                "--store elasticsearch --index {index} --rebuild` makes a version of it that has",
                index=self._index,
            )


def _request(bodies: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    # The client's own `msearch` has no argument for the parameter.
    headers = {"accept": "application/json", "content-type": "application/x-ndjson"}
    return {"params": PARAMETERS, "headers": headers, "body": together(bodies)}


def _document(source: dict[str, Any], score: float, **scores: float | None) -> Document:
    document = Document.from_dict({**source, "score": score})
    return replace(document, meta={**document.meta, **scores})


def _refuse(answer: Mapping[str, Any], response: ApiResponse[Any]) -> None:
    """Raise what the client would, had the search been a request of its own."""
    error, status = answer["error"], answer["status"]
    meta = replace(response.meta, status=status)
    raise HTTP_EXCEPTIONS.get(status, ApiError)(message=str(error.get("type")), meta=meta, body=dict(answer))


def _check_search(top_k: int, search_fields: Mapping[str, float] | None) -> None:
    if isinstance(top_k, bool) or not isinstance(top_k, int) or not 1 <= top_k <= MOST:
        msg = f"top_k must be an integer from 1 to {MOST}, got {top_k!r}"
        raise ValueError(msg)
    if search_fields is not None:
        check_boosts(search_fields)
