# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The content of an index as of one commit."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from threading import Lock
from typing import Any, Final

import numpy as np
from haystack import Document
from numpy.typing import NDArray

import tantivy
from answer_selection.indexing.batched import batched
from answer_selection.indexing.encoder import EncoderRecord
from answer_selection.indexing.passages import PASSAGES_FIELD, usable
from answer_selection.indexing.unit_vector import unit
from haystack_integrations.document_stores.tantivy.encoders import has_right_passages, is_vector_of
from haystack_integrations.document_stores.tantivy.filters import filter_query
from haystack_integrations.document_stores.tantivy.folder import ORDER_FIELD, VECTOR_FIELD
from haystack_integrations.document_stores.tantivy.searcher import Hits, Searcher
from haystack_integrations.document_stores.tantivy.vectors import Vectors

BLOCK: Final = 16_384
"""Ids looked up, or documents visited, in one query."""

# Documents whose passages are kept in memory: of the usual encoders' vectors a few dozen megabytes.
_PASSAGES: Final = 1 << 13


@dataclass(frozen=True, slots=True)
class Ids:
    """
    All documents' places in the order of writing, ascending, and their ids.

    :param orders: The places.
    :param ids: The ids.
    """

    orders: NDArray[np.int64]
    ids: NDArray[np.object_]

    def of(self, orders: NDArray[np.int64]) -> list[str]:
        """
        Give documents' ids.

        :param orders: Their places.
        :returns: Their ids.
        """
        found: list[str] = self.ids[np.searchsorted(self.orders, orders)].tolist()
        return found


@dataclass(slots=True)
class Generation:
    """
    The index as of one commit; searches that began on it end on it, whatever is written meanwhile.

    :param index: The index.
    :param searcher: Searches and reads the commit.
    :param signature: Tells its commit from others.
    :param vectors: The vectors that the commit refers to; None in an index that has no place for them.
    """

    index: tantivy.Index
    searcher: Searcher
    signature: tuple[int, ...]
    vectors: Vectors | None
    _lock: Lock = field(default_factory=Lock)
    _ids: Ids | None = None
    _live_positions: NDArray[np.int64] | None = None
    _some_passages: bool | None = None
    _passages: dict[int, NDArray[np.float16]] = field(default_factory=dict)

    @property
    def encoder(self) -> EncoderRecord | None:
        """The encoder of all vectors; None if there are none, it is not known, or they are of several."""
        return None if self.vectors is None else self.vectors.encoder

    def matching(self, filters: dict[str, Any] | None) -> tantivy.Query:
        """
        Translate a filter.

        :param filters: A filter in Haystack's syntax; None or an empty one keeps all.
        :returns: The query for the documents that it keeps.
        :raises haystack.errors.FilterError: If it is malformed.
        """
        return filter_query(filters, self.index) if filters else tantivy.Query.all_query()

    def count(self, query: tantivy.Query) -> int:
        """
        Count documents.

        :param query: What they match.
        :returns: Their number.
        """
        result: Any = self.searcher.search(query, 1, count=True)
        return int(result.count)

    def hits(self, filters: dict[str, Any] | None = None) -> Iterator[tuple[int, tantivy.DocAddress]]:
        """
        Go through documents in the order in which they were written.

        :param filters: A filter in Haystack's syntax; None or an empty one keeps all.
        :returns: Their places in this order, and where they are.
        """
        return chain.from_iterable(self._blocks(self.matching(filters) if filters else None))

    def documents(self, filters: dict[str, Any] | None = None) -> Iterator[Document]:
        """
        Read documents in the order in which they were written.

        :param filters: A filter in Haystack's syntax; None or an empty one keeps all.
        :returns: The documents.
        """
        return (self.searcher.document(order, address) for order, address in self.hits(filters))

    def existing_ids(self, ids: Iterable[str]) -> set[str]:
        """
        Say which documents are there.

        :param ids: Any ids.
        :returns: Those of documents that are there.
        """
        existing: set[str] = set()
        for piece in batched(ids, BLOCK):
            hits = self.searcher.with_ids(list(piece))
            existing.update(self.searcher.document_id(order, address) for order, address in hits)
        return existing

    def missing_from(self, keep_ids: Iterable[str]) -> list[str]:
        """
        Say which documents are not among those to keep.

        :param keep_ids: Ids of those to keep; read once, in pieces.
        :returns: Their ids, in the order in which they were written.
        """
        kept: set[int] = set()
        for piece in batched(keep_ids, BLOCK):
            kept.update(order for order, _ in self.searcher.with_ids(list(piece)))
        return [self.searcher.document_id(order, address) for order, address in self.hits() if order not in kept]

    def next_order(self) -> int:
        """
        Find the place of the next document that is written.

        :returns: Its place in the order of writing.
        """
        last = self._end(tantivy.Order.Desc)
        return last[0][0] + 1 if last else 0

    def ids(self) -> Ids:
        """
        Read all ids: done once for a commit, kept in memory (about 100 bytes an id).

        :returns: The ids.
        """
        with self._lock:
            if self._ids is None:
                rows = [(order, self.searcher.document_id(order, address)) for order, address in self.hits()]
                orders = np.fromiter((order for order, _ in rows), np.int64, len(rows))
                ids = np.empty(len(rows), object)
                ids[:] = [document_id for _, document_id in rows]
                self._ids = Ids(orders, ids)
            return self._ids

    def live_rows(self, first: int, last: int, query: tantivy.Query | None = None) -> Iterator[NDArray[np.int64]]:
        """
        Say which rows of vectors are documents'.

        :param first: The first row that may be one.
        :param last: The last.
        :param query: Looks only at documents that match it.
        :returns: The rows, ascending, in pieces.
        """
        for low in range(first, last + 1, BLOCK):
            hits = self._block(VECTOR_FIELD, low, min(low + BLOCK, last + 1), query)
            yield np.fromiter((row for row, _ in hits), np.int64, len(hits))

    def vector_positions(self, vectors: Vectors, filters: dict[str, Any] | None) -> NDArray[np.int64] | None:
        """
        Say where documents' vectors are.

        :param vectors: The commit's vectors.
        :param filters: A filter in Haystack's syntax; None or an empty one keeps all.
        :returns: Their positions, ascending; None for all that there are.
        """
        if filters:
            return self._positions(vectors, self.matching(filters))
        if vectors.complete:
            return None
        with self._lock:
            if self._live_positions is None:
                self._live_positions = self._positions(vectors, None)
            return self._live_positions

    def row(self, address: tantivy.DocAddress) -> int | None:
        """
        Give the row of a document's vector.

        :param address: Where the document is.
        :returns: The row; None if it has no vector, or the index has no place for it.
        """
        return None if self.vectors is None else self.searcher.rows([address])[0]

    def passages(
        self, addresses: Mapping[int, tantivy.DocAddress], dimension: int
    ) -> Iterator[tuple[int, NDArray[np.float16]]]:
        """
        Read the vectors of documents' passages. Those that were read lately are in memory.

        :param addresses: Where the documents are, by their places in the order of writing.
        :param dimension: Numbers a vector.
        :returns: The places of those that have passages, with the vectors [k, dimension].
        :raises IndexDamagedError: If a document is not as it was written.
        """
        if self.has_passages:
            for order, address in addresses.items():
                # Other threads may do the same, or forget all.
                kept = self._passages.get(order)
                if kept is None:
                    kept = usable(self.searcher.meta(order, address), dimension)
                    # An array without rows stands for none.
                    kept = np.empty((0, dimension), np.float16) if kept is None else kept
                    if len(self._passages) >= _PASSAGES:
                        self._passages.clear()
                    self._passages[order] = kept
                if len(kept):
                    yield order, kept

    @property
    def has_passages(self) -> bool:
        """Whether any document has passages."""
        with self._lock:
            if self._some_passages is None:
                there = {"field": f"meta.{PASSAGES_FIELD}", "operator": "!=", "value": None}
                self._some_passages = self.count(self.matching(there)) > 0
            return self._some_passages

    @property
    def has_vectors(self) -> bool:
        """Whether any document has an embedding."""
        return self.vectors is not None and bool(self.vectors.parts)

    def encoder_of(self, row: int) -> EncoderRecord | None:
        """
        Say which encoder a vector is of.

        :param row: The vector's row.
        :returns: The encoder; None if it is not known.
        """
        return None if self.vectors is None else self.vectors.encoder_of(row)

    def without_vector_of(self, encoder: EncoderRecord) -> Iterator[Document]:
        """
        Read the documents that have no vector of an encoder.

        :param encoder: The encoder.
        :returns: The documents, in the order in which they were written.
        """
        for hits in self._blocks(None):
            for hit, row in zip(hits, self.searcher.rows([address for _, address in hits]), strict=True):
                found = None if row is None else self.encoder_of(row)
                if found is None or found.fingerprint != encoder.fingerprint:
                    yield self.searcher.document(*hit)

    def has_vector_of(self, document: Document, address: tantivy.DocAddress) -> bool:
        """
        Compare a document's embedding with the vector that is searched, and its fingerprint with encoder and text.

        :param document: The document.
        :param address: Where it is.
        :returns: Whether they agree; the vectors, as far as single precision goes.
        """
        if self.vectors is None:
            return True
        row = self.row(address)
        if row is None or document.embedding is None:
            return row is None and document.embedding is None
        encoder = self.encoder_of(row)
        if encoder is not None and not (is_vector_of(document, encoder) and has_right_passages(document)):
            return False
        vector, expected = self.vectors.vector(row), unit(document.embedding, "the embedding")
        return len(vector) == len(expected) and np.allclose(vector, expected, atol=1e-6)

    def _positions(self, vectors: Vectors, query: tantivy.Query | None) -> NDArray[np.int64]:
        pieces = [
            vectors.positions(rows)
            for part in vectors.parts
            for rows in self.live_rows(int(part.rows[0]), int(part.rows[-1]), query)
        ]
        return np.concatenate(pieces) if pieces else np.empty(0, np.int64)

    def _blocks(self, query: tantivy.Query | None) -> Iterator[Hits]:
        """Go through the documents that a query matches in the order in which they were written."""
        for low, high in self._spans():
            yield self._block(ORDER_FIELD, low, high, query)

    def _block(self, name: str, low: int, high: int, query: tantivy.Query | None) -> Hits:
        """The documents that a query matches of which a field is at least `low` and less than `high`, by that field."""
        span = self._span(name, low, high)
        if query is not None:
            span = tantivy.Query.boolean_query([(tantivy.Occur.Must, span), (tantivy.Occur.Must, query)])
        hits: Hits = self.searcher.search(span, BLOCK, order_by_field=name, order=tantivy.Order.Asc).hits
        return hits

    def _spans(self) -> Iterator[tuple[int, int]]:
        """Ranges of the order that hold at most a block of documents each, together all of them."""
        first, last = self._end(tantivy.Order.Asc), self._end(tantivy.Order.Desc)
        if first:
            for low in range(first[0][0], last[0][0] + 1, BLOCK):
                yield low, low + BLOCK

    def _span(self, name: str, low: int, high: int) -> tantivy.Query:
        """Documents of which a field is at least `low` and less than `high`."""
        return tantivy.Query.range_query(
            self.index.schema,
            name,
            tantivy.FieldType.Unsigned,
            low,
            high,
            include_upper=False,
            use_inverted_index=True,
        )

    def _end(self, direction: tantivy.Order) -> Hits:
        """The first document in the order of writing, or the last; none of none."""
        hits: Hits = self.searcher.search(
            tantivy.Query.all_query(), 1, order_by_field=ORDER_FIELD, order=direction
        ).hits
        return hits
