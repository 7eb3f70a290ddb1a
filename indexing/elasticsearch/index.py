# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""An index in Elasticsearch, read as mining, training and adapting do: many queries at once, and page by page."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from functools import partial
from itertools import chain
from threading import Event
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from haystack import Document
from numpy.typing import NDArray

from answer_selection.indexing.batched import batched
from answer_selection.indexing.corpus_index import DocumentUpdate
from answer_selection.indexing.elasticsearch.connection import ElasticsearchError, clear_errors, connect
from answer_selection.indexing.elasticsearch.hybrid import (
    BM25,
    MOST,
    VECTORS,
    Cosines,
    HybridSearch,
    bm25_score,
    cosine,
    makes_vectors,
)
from answer_selection.indexing.elasticsearch.many_searches import WordSearch, find, scored
from answer_selection.indexing.elasticsearch.pages import iter_hits
from answer_selection.indexing.elasticsearch.question import Question
from answer_selection.indexing.elasticsearch.retry import patiently, server_patience
from answer_selection.indexing.elasticsearch.settings import read_encoder
from answer_selection.indexing.elasticsearch.template import OWN_META, check_name, put_stored_only
from answer_selection.indexing.elasticsearch.versions import count_documents, own_operations
from answer_selection.indexing.elasticsearch.writer import Batch, BulkWriter, Operation
from answer_selection.indexing.encoder import FINGERPRINT_FIELD, EncoderRecord
from answer_selection.indexing.fusion import Fusion, ScoredByBoth
from answer_selection.indexing.in_pieces import in_pieces
from answer_selection.indexing.passages import PASSAGES_FIELD, best_cosines, usable_of
from answer_selection.indexing.search_fields import check_fields
from answer_selection.indexing.unit_vector import check_width, unit

if TYPE_CHECKING:
    from elasticsearch import Elasticsearch

Vector = NDArray[np.float64]

# The answer to so many queries, with a thousand ids each, has about two megabytes; so many of them are on their way.
_QUERIES, _REQUESTS = 32, 4
# By vectors the server is busy for longer.
_HYBRID_QUERIES: Final = 8
# Documents that are brought up to date in one request; with their vectors they have a few megabytes.
_UPDATES: Final = 250
# Documents whose passages are asked for in one request; they have a few megabytes.
_PASSAGES: Final = 1000
# Documents whose passages are in memory while many queries are asked; of the usual encoders' vectors 100 to 400 MB.
_KEPT_PASSAGES: Final = 1 << 15


class ElasticsearchIndex:
    """
    An index that `answer-selection index --store elasticsearch` made.

    What is read is the version that was live when it was opened, even if another takes its place meanwhile.

    :param client: The cluster.
    :param name: Its name.
    :param version: The index behind that name.
    :param search_fields: The fields that are searched, with their boosts, unless a search says otherwise.
    :param encoder: What made its documents' vectors; None if they have none.
    :param has_passages: Whether they have vectors of their passages too.
    """

    def __init__(
        self,
        client: "Elasticsearch",
        name: str,
        version: str,
        search_fields: Mapping[str, float],
        encoder: EncoderRecord | None = None,
        *,
        has_passages: bool = False,
    ) -> None:
        self.client = client
        self.name = name
        self.version = version
        self.search_fields = dict(search_fields)
        self.encoder = encoder
        self.has_passages = has_passages

    @classmethod
    def open(cls, name: str, client: "Elasticsearch | None" = None) -> "ElasticsearchIndex":
        """
        Open an index that is there.

        :param name: Its name.
        :param client: The cluster; by default the one that the environment names.
        :returns: The index.
        :raises ElasticsearchError: If there is none, or one that `answer-selection index` did not make.
        :raises ValueError: If there can't be an index of this name.
        """
        check_name(name)
        client = connect() if client is None else client
        with clear_errors():
            found = client.indices.get(
                index=name,
                filter_path=f"*.settings.index.uuid,*.settings.index.query.default_field,*.mappings._meta.{OWN_META}",
                master_timeout=server_patience(),
            ).body
        if len(found) != 1:
            msg = f"{name!r} is the name of {len(found)} indexes ({', '.join(sorted(found))}); expected one"
            raise ElasticsearchError(msg)
        [(version, described)] = found.items()
        searched = described["settings"]["index"].get("query", {}).get("default_field")
        if "mappings" not in described or not isinstance(searched, list):
            msg = (
                f"the index {name!r} was not made by answer-selection, so it may have another analysis: "
                "`answer-selection index FILE --store elasticsearch --index NAME`, with a new name, makes one"
            )
            raise ElasticsearchError(msg)
        made_with = described["mappings"]["_meta"][OWN_META].get("settings", {})
        return cls(
            client,
            name,
            version,
            dict(map(_field_and_boost, searched)),
            read_encoder(made_with),
            has_passages=bool(made_with.get("passages")),
        )

    @property
    def label(self) -> str:
        """Its name."""
        return self.name

    @property
    def location(self) -> str:
        """The version that is read; where the cluster is is nobody's business who reads a model card."""
        return f"Elasticsearch, index {self.version}"

    def count_documents(self) -> int:
        """
        Count the documents.

        :returns: Their number.
        :raises ElasticsearchError: If the cluster does not say.
        """
        with clear_errors():
            return count_documents(self.client, self.version)

    def search_ids(
        self, queries: Sequence[str], top_k: int, fields: Mapping[str, float] | None = None
    ) -> Iterator[list[str]]:
        """
        Find the ids of the best documents for many queries.

        No documents are fetched, several requests are on their way at a time, and results are given as they come, so
        memory stays the same whatever the number of queries. A query without a word finds nothing.

        :param queries: The queries' texts. Of one that is too long for the server, thousands of different words, the
            first of them are searched.
        :param top_k: Greatest number of ids for a query, at most 10,000.
        :param fields: The fields to search and their boosts, instead of the index's.
        :returns: For each query, in order, its ids, the best first, equal scores in the order of the ids.
        :raises ValueError: If `top_k` is out of its range, or a field is not in the index.
        :raises ElasticsearchError: If the cluster fails on a query, and on trying again; the message names the query.
        """
        return ([id_ for id_, _ in found] for found in self.search_scored(queries, top_k, fields))

    def search_scored(
        self, queries: Sequence[str], top_k: int, fields: Mapping[str, float] | None = None
    ) -> Iterator[list[tuple[str, float]]]:
        """
        Find the ids of the best documents for many queries, and their scores; otherwise as :meth:`search_ids`.

        :param queries: The queries' texts.
        :param top_k: Greatest number of ids for a query, at most 10,000.
        :param fields: The fields to search and their boosts, instead of the index's.
        :returns: For each query, in order, its ids with their scores, the best first.
        :raises ValueError: If `top_k` is out of its range, or a field is not in the index.
        :raises ElasticsearchError: If the cluster fails on a query, and on trying again; the message names the query.
        """
        boosts, stop = self._checked(queries, top_k, fields), Event()
        found = partial(self._find, top_k=top_k, boosts=boosts, stop=stop)
        return in_pieces(found, queries, size=_QUERIES, threads=_REQUESTS, ahead=_REQUESTS, stop=stop)

    def search_hybrid(
        self,
        queries: Sequence[str],
        query_embeddings: Sequence[Sequence[float]],
        top_k: int,
        fields: Mapping[str, float] | None = None,
        *,
        weight: float | None = None,
    ) -> Iterator[list[ScoredByBoth[str]]]:
        """
        Find the best documents for many queries by BM25 and by vectors; otherwise as :meth:`search_ids`.

        :param queries: The queries' texts.
        :param query_embeddings: Their embeddings.
        :param top_k: Greatest number of documents for a query, of each search and of both, at most 10,000.
        :param fields: The fields that BM25 searches and their boosts, instead of the index's.
        :param weight: The vectors' weight; that of BM25 is 1. None is 75.
        :returns: For each query, in order, its documents' ids and scores, the best first, equal scores in the order of
            the ids.
        :raises ValueError: If an argument is not right; while it goes on, if an embedding can't be searched for.
        :raises ElasticsearchError: If the index has no vectors; while it goes on, if the cluster fails on a query, and
            on trying again; the message names the query.
        """
        boosts, fuse, stop = self._checked(queries, top_k, fields), Fusion(weight=weight), Event()
        if len(queries) != len(query_embeddings):
            msg = f"expected one of query_embeddings for each query, got {len(query_embeddings)} for {len(queries)}"
            raise ValueError(msg)
        if self.encoder is None:
            msg = f"the index {self.name!r} has no vectors: {makes_vectors(self.name)}"
            raise ElasticsearchError(msg)
        vectors = map(partial(self._unit, self.encoder), query_embeddings)
        found = partial(self._find_by_both, top_k=top_k, boosts=boosts, fusion=fuse, kept={}, stop=stop)
        pairs = zip(queries, vectors, strict=True)
        return in_pieces(found, pairs, size=_HYBRID_QUERIES, threads=_REQUESTS, ahead=_REQUESTS, stop=stop)

    def iter_pages(self, fields: Sequence[str], page_size: int = 1000) -> Iterator[list[dict[str, Any]]]:
        """
        Go through all documents in the order of their ids, a page at a time.

        The pages show the index as it is when the first is asked for; one page is in memory at a time. If a node is
        lost that this view of the index was on, what is left is read from a new one.

        :param fields: "id", "content", "meta", or "meta.<key>", nested keys with dots between them.
        :param page_size: Number of documents in a page, at most 10,000; the last may have fewer.
        :returns: Pages, each a list of dictionaries from field names to values (None where a document has none).
        :raises ValueError: If a field is unknown or the page size is out of its range.
        :raises ElasticsearchError: If the cluster fails, and on trying again.
        """
        if isinstance(fields, str):
            msg = f"fields must be a sequence of names, got the string {fields!r}"
            raise ValueError(msg)
        paths = {name: _path(name) for name in fields}
        _check_number("page_size", page_size)
        sources = [path[0] if path else "*" for path in paths.values()]
        pages = iter_hits(self.client, self.version, sources, page_size, without=["embedding"])
        return (
            [{name: _value(hit["_source"], path) for name, path in paths.items()} for hit in hits] for hits in pages
        )

    def update_documents(self, updates: Iterable[DocumentUpdate]) -> None:
        """
        Give documents embeddings and metadata; what else they have stays.

        The updates may be a generator, which is read while the server works on those before. Whoever searches sees all
        of them when this returns.

        :param updates: What is new, by ids; those that are not there are passed over.
        :raises ElasticsearchError: If the cluster refuses one, or fails and goes on doing so.
        """
        given = iter(updates)
        first = next(given, None)
        if first is None:
            return
        put_stored_only(
            self.client, self.version, [*first.meta, *(["embedding"] if first.embedding is not None else [])]
        )
        batches = map(Batch, batched(map(_operation, chain([first], given)), _UPDATES))
        with clear_errors(), own_operations(self.client, self.version):
            with closing(BulkWriter(self.client, self.version).write(batches)) as written:
                for _, refused in written:
                    if refused:
                        operation, error = refused[0].operation, refused[0].error
                        msg = f"{self.version} refused the update of {operation.id!r}: {error}"
                        raise ElasticsearchError(msg)
            patiently(lambda: self.client.indices.refresh(index=self.version))

    def _checked(self, queries: Sequence[str], top_k: int, fields: Mapping[str, float] | None) -> Mapping[str, float]:
        """Look at a search's arguments, and give the fields that it searches."""
        if isinstance(queries, str):
            msg = "queries must be a sequence of strings, got one string"
            raise ValueError(msg)
        _check_number("top_k", top_k)
        boosts = self.search_fields if fields is None else fields
        check_fields(boosts, self.search_fields)
        return boosts

    def _find(
        self, queries: Sequence[str], top_k: int, boosts: Mapping[str, float], stop: Event
    ) -> list[list[tuple[str, float]]]:
        searches = [WordSearch(Question(query), top_k, boosts) for query in queries]
        return [list(map(scored, hits[BM25])) for hits in find(self.client, self.version, searches, stop)]

    def _find_by_both(
        self,
        queries: Sequence[tuple[str, Vector]],
        top_k: int,
        boosts: Mapping[str, float],
        fusion: Fusion,
        kept: dict[str, NDArray[np.float16]],
        stop: Event,
    ) -> list[list[ScoredByBoth[str]]]:
        searches = [HybridSearch(Question(text), vector, top_k, boosts) for text, vector in queries]
        found = find(self.client, self.version, searches, stop)
        bm25 = [dict(map(scored, hits[BM25])) for hits in found]
        nearest = [_cosines(hits[VECTORS]) for hits in found]
        lacking = {
            place: Cosines(search.question, queries[place][1], ids)
            for place, search in enumerate(searches)
            if (ids := sorted(bm25[place].keys() - nearest[place].keys()))
        }
        told = find(self.client, self.version, list(lacking.values()), stop)
        cosines = {place: _cosines(hits[VECTORS]) for place, hits in zip(lacking, told, strict=True)}
        unions = [bm25[place].keys() | nearest[place].keys() for place in range(len(found))]
        passages = self._read_passages(sorted(set().union(*unions)), kept, stop)
        return [
            fusion.best(
                bm25[place],
                nearest[place],
                top_k,
                other_bm25={scored(hit)[0]: bm25_score(hit) for hit in hits[VECTORS]},
                other_cosines=cosines.get(place, {}),
                passages=best_cosines(
                    ((id_, passages[id_]) for id_ in sorted(unions[place]) if id_ in passages), queries[place][1]
                ),
            )
            for place, hits in enumerate(found)
        ]

    def _read_passages(
        self, ids: Sequence[str], kept: dict[str, NDArray[np.float16]], stop: Event
    ) -> dict[str, NDArray[np.float16]]:
        """The vectors of documents' passages, of those that have some. What other queries have read is kept."""
        if self.encoder is None or not self.has_passages:
            return {}
        # An array without rows stands for none.
        none = np.empty((0, self.encoder.dimension), np.float16)
        found = {id_: vectors for id_ in ids if (vectors := kept.get(id_)) is not None}
        fields = [FINGERPRINT_FIELD, PASSAGES_FIELD]
        with clear_errors():
            for some in batched([id_ for id_ in ids if id_ not in found], _PASSAGES):
                ask = partial(self.client.mget, index=self.version, ids=list(some), source_includes=fields)
                sources = {each["_id"]: each.get("_source", {}) for each in patiently(ask, stop)["docs"]}
                found.update({**dict.fromkeys(sources, none), **dict(usable_of(sources, self.encoder.dimension))})
        if len(kept) + len(found) > _KEPT_PASSAGES:
            kept.clear()
        kept.update(found)
        return {id_: vectors for id_, vectors in found.items() if len(vectors)}

    def _unit(self, encoder: EncoderRecord, embedding: Sequence[float]) -> Vector:
        vector = unit(embedding, "query_embedding")
        check_width(len(vector), encoder.dimension, repr(self.name))
        return vector


def _cosines(hits: Iterable[Mapping[str, Any]]) -> dict[str, float]:
    return {id_: cosine(score) for id_, score in map(scored, hits)}


def _operation(update: DocumentUpdate) -> Operation:
    new = dict(update.meta) if update.embedding is None else {**update.meta, "embedding": list(update.embedding)}
    return Operation(update.id, json.dumps({"doc": new}, separators=(",", ":")).encode(), update=True)


def _field_and_boost(searched: str) -> tuple[str, float]:
    field, _, boost = searched.partition("^")
    return field, float(boost or 1)


def _check_number(name: str, number: int) -> None:
    if not 1 <= number <= MOST:
        msg = f"{name} must be from 1 to {MOST}, got {number}"
        raise ValueError(msg)


def _path(name: str) -> list[str]:
    if name == "meta":
        return []
    if name in ("id", "content"):
        return [name]
    if name.startswith("meta.") and all(keys := name.split(".")[1:]):
        return keys
    msg = f"unknown field {name!r}; expected 'id', 'content', 'meta' or 'meta.<key>'"
    raise ValueError(msg)


def _value(source: Any, path: Sequence[str]) -> Any:
    if not path:
        # What the integration's own store would read.
        return Document.from_dict(source).meta
    for key in path:
        source = source.get(key) if isinstance(source, dict) else None
    return source
