# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Searching and reading one commit of an index; whatever damage is met there is one kind of error."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

from haystack import Document

import tantivy
from haystack_integrations.document_stores.tantivy.codec import (
    CHECKSUM_BYTES,
    decode,
    decode_id,
    decode_meta,
    without_checksum,
)
from haystack_integrations.document_stores.tantivy.errors import IndexDamagedError, is_panic
from haystack_integrations.document_stores.tantivy.folder import DOCUMENT_FIELD, ID_FIELD, ORDER_FIELD, VECTOR_FIELD

# Places in the order of writing, and where the documents are.
Hits = list[tuple[int, tantivy.DocAddress]]

_T = TypeVar("_T")

_SEARCHED = "a file that is searched"
# What comes of damaged bytes, beside a panic: from tantivy and the disk, and from decoding.
_OF_DAMAGE = (ValueError, OSError, LookupError, TypeError)


class Searcher:
    """
    Searches and reads one commit.

    :param index: The index.
    :param path: The store's folder, for messages.
    :param checksums: Whether each document has a checksum.
    """

    def __init__(self, index: tantivy.Index, path: Path, *, checksums: bool) -> None:
        self._searcher = index.searcher()
        self._schema = index.schema
        self._path = path
        self._checksums = checksums
        self.damage: IndexDamagedError | None = None
        """What was damaged where something was last read in vain."""

    @property
    def num_docs(self) -> int:
        """The number of documents."""
        return int(self._searcher.num_docs)

    def search(self, query: tantivy.Query, limit: int, **options: Any) -> tantivy.SearchResult:
        """
        Search.

        :param query: The query.
        :param limit: Greatest number of hits.
        :param options: tantivy's own: whether all that match are counted, and the order of the hits.
        :returns: The hits.
        :raises IndexDamagedError: If tantivy can't.
        """
        with self._damage_told():
            return self._searcher.search(query, limit=limit, **{"count": False, **options})

    def with_ids(self, ids: list[str]) -> Hits:
        """
        Find documents by their ids.

        :param ids: The ids.
        :returns: Those that are there, in the order of writing.
        :raises IndexDamagedError: If tantivy can't.
        """
        query = tantivy.Query.term_set_query(self._schema, ID_FIELD, ids)
        hits: Hits = self.search(query, len(ids), order_by_field=ORDER_FIELD, order=tantivy.Order.Asc).hits
        return hits

    def with_rows(self, rows: list[int]) -> Hits:
        """
        Find documents by the rows of their vectors.

        :param rows: The rows.
        :returns: Those that are there: their rows, in place of their places in the order of writing.
        :raises IndexDamagedError: If tantivy can't.
        """
        query = tantivy.Query.term_set_query(self._schema, VECTOR_FIELD, rows)
        hits: Hits = self.search(query, len(rows), order_by_field=VECTOR_FIELD).hits
        return hits

    def orders(self, addresses: list[tantivy.DocAddress]) -> list[int]:
        """
        Give the places of documents in the order of writing.

        :param addresses: Where they are.
        :returns: Their places.
        :raises IndexDamagedError: If tantivy can't.
        """
        with self._damage_told():
            orders: list[int] = self._searcher.fast_field_values(ORDER_FIELD, addresses)  # type: ignore[assignment]
            return orders

    def rows(self, addresses: list[tantivy.DocAddress]) -> list[int | None]:
        """
        Give the rows of documents' vectors.

        :param addresses: Where the documents are.
        :returns: Their rows; None for a document without a vector.
        :raises IndexDamagedError: If tantivy can't.
        """
        with self._damage_told():
            rows: list[int | None] = self._searcher.fast_field_values(VECTOR_FIELD, addresses)  # type: ignore[assignment]
            return rows

    def count_rows(self, first: int | None = None, last: int | None = None) -> int:
        """
        Count the documents that have a vector.

        :param first: The first row that is counted.
        :param last: The last; without both, all are.
        :returns: Their number.
        :raises IndexDamagedError: If tantivy can't.
        """
        if first is None:
            query = tantivy.Query.exists_query(VECTOR_FIELD)
        else:
            query = tantivy.Query.range_query(self._schema, VECTOR_FIELD, tantivy.FieldType.Unsigned, first, last)
        result: Any = self.search(query, 1, count=True)
        return int(result.count)

    def document(
        self, order: int, address: tantivy.DocAddress, score: float | None = None, *, embedding: bool = True
    ) -> Document:
        """
        Read a document.

        :param order: Its place in the order of writing.
        :param address: Where it is.
        :param score: A search's score, which takes the place of the stored one.
        :param embedding: Whether it has its embedding.
        :returns: The document.
        :raises IndexDamagedError: If it is not as it was written.
        """
        return self._read(order, address, lambda data: decode(data, score, embedding=embedding))

    def document_id(self, order: int, address: tantivy.DocAddress) -> str:
        """
        Read only a document's id.

        :param order: Its place in the order of writing.
        :param address: Where it is.
        :returns: The id.
        :raises IndexDamagedError: If the document is not as it was written.
        """
        return self._read(order, address, decode_id)

    def meta(self, order: int, address: tantivy.DocAddress) -> dict[str, Any]:
        """
        Read only a document's metadata.

        :param order: Its place in the order of writing.
        :param address: Where it is.
        :returns: The metadata.
        :raises IndexDamagedError: If the document is not as it was written.
        """
        return self._read(order, address, decode_meta)

    def _read(self, order: int, address: tantivy.DocAddress, decoder: Callable[[bytes], _T]) -> _T:
        data: Any = None
        try:
            data = self._searcher.doc(address).get_first(DOCUMENT_FIELD)
            return decoder(without_checksum(order, data) if self._checksums else data)
        except BaseException as error:
            if not _is_damage(error):
                raise
            raise self._damaged(self._name(order, data)) from error

    def _name(self, order: int, data: bytes | None) -> str:
        """Name a damaged document by its id, if that can still be read, else by its place."""
        if data is not None:
            with suppress(*_OF_DAMAGE):
                document_id = decode_id(data[CHECKSUM_BYTES:] if self._checksums else data)
                # It may be damaged itself, or another document's.
                if order in [found for found, _ in self.with_ids([document_id])]:
                    return f"document {document_id!r}"
        return f"document {order} in the order of writing"

    @contextmanager
    def _damage_told(self) -> Iterator[None]:
        try:
            yield
        except BaseException as error:
            if not _is_damage(error):
                raise
            raise self._damaged(_SEARCHED) from error

    def _damaged(self, what: str) -> IndexDamagedError:
        self.damage = IndexDamagedError(self._path, what)
        return self.damage


def _is_damage(error: BaseException) -> bool:
    return isinstance(error, _OF_DAMAGE) or is_panic(error)
