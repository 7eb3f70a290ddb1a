# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""A Haystack document store on disk, searched by BM25, without a server."""

import asyncio
import math
import os
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import chain, islice
from pathlib import Path
from threading import Lock, RLock
from typing import Any, TypeVar

import numpy as np
from answer_selection.indexing.analysis import check_language
from answer_selection.indexing.corpus_index import DocumentUpdate
from answer_selection.indexing.ids import MAX_ID_BYTES
from answer_selection.indexing.search_fields import DEFAULT_SEARCH_FIELDS, check_boosts
from haystack import Document, default_from_dict, default_to_dict, logging
from haystack.document_stores.errors import DuplicateDocumentError
from haystack.document_stores.types import DuplicatePolicy
from haystack_integrations.document_stores.tantivy import metadata
from haystack_integrations.document_stores.tantivy.analysis import build_analyzer, prepare
from haystack_integrations.document_stores.tantivy.checksums import (
    META_FILE,
    begin_writing,
    end_writing,
    find_damage,
    has_checksums,
)
from haystack_integrations.document_stores.tantivy.codec import encode, with_checksum, with_meta
from haystack_integrations.document_stores.tantivy.errors import (
    IndexDamagedError,
    IndexLockedError,
    IndexOpenError,
    failures_told,
)
from haystack_integrations.document_stores.tantivy.filters import FILTER_FIELD, filter_query, filter_terms
from haystack_integrations.document_stores.tantivy.folder import (
    DOCUMENT_FIELD,
    ID_FIELD,
    INDEX_FOLDER,
    LARGE_HEAP,
    ORDER_FIELD,
    SMALL_HEAP,
    create_index,
    locked,
    open_index,
    read_settings,
    settings,
    take_writer,
    text_field,
)
from haystack_integrations.document_stores.tantivy.searcher import Hits, Searcher
from numpy.typing import NDArray

import tantivy

logger = logging.getLogger(__name__)

_T = TypeVar("_T")

# The sigmoid of Haystack's own BM25 retrievers divides by this number.
_SCALING_FACTOR = 8
_LARGE_WRITE = 1000
# How many ids are looked up, or documents visited, in one query.
_BLOCK = 16_384
_QUERIES_PER_TASK = 32
# Documents that are read at a time to be updated.
_UPDATES = 1000


@dataclass(frozen=True, slots=True)
class _Ids:
    """All documents' places in the order of writing, ascending, and their ids."""

    orders: NDArray[np.int64]
    ids: NDArray[np.object_]

    def of(self, orders: NDArray[np.int64]) -> list[str]:
        found: list[str] = self.ids[np.searchsorted(self.orders, orders)].tolist()
        return found


@dataclass(slots=True)
class _Generation:
    """The index as of one commit; searches that began on it end on it, whatever is written meanwhile."""

    index: tantivy.Index
    searcher: Searcher
    signature: tuple[int, ...]
    lock: Lock = field(default_factory=Lock)
    ids: _Ids | None = None


@dataclass(slots=True)
class _Transaction:
    writer: tantivy.IndexWriter
    generation: _Generation
    changed: bool = False


class TantivyDocumentStore:
    """
    Keeps documents in an index on disk and finds them by BM25 over several fields (k1 1.2, b 0.75).

    The index is embedded: no server, nothing in memory but what the operating system caches. It is written
    incrementally; when a method that writes returns, what it wrote is on disk and every reader sees it, in other
    processes too. One process at a time may write, any number may read. The folder is made by the first write.

    A document's `content` is the search field `"content"`; any other search field is the metadata of that name (a
    string or a list of strings). What is not text comes back as it was stored, but is not searched.

    ```python
    from haystack import Document
    from haystack_integrations.document_stores.tantivy import TantivyDocumentStore

    store = TantivyDocumentStore(path="library-index")
    store.write_documents([Document(content="At any desk.", meta={"question": "Where can I renew a card?"})])
    print(store.bm25_retrieval("renewing cards")[0].content)
    ```
    """

    def __init__(
        self,
        *,
        path: str | Path,
        language: str | None = "english",
        search_fields: Mapping[str, float] | None = None,
    ) -> None:
        """
        Name the index; nothing is opened or made yet.

        :param path: Folder of the index. It must be new, empty, or hold an index of this store.
        :param language: Language of stemming, one of :data:`answer_selection.indexing.analysis.LANGUAGES`, or None for
            no stemming. It is stored with the index and can't be changed afterwards.
        :param search_fields: Names of the fields that are indexed for search, and the boosts with which they are
            searched unless a search says otherwise. The names are stored with the index and can't be changed
            afterwards, the boosts can. By default :data:`DEFAULT_SEARCH_FIELDS`.
        :raises ValueError: If the language is unknown, or a boost is not a positive number.
        """
        check_language(language)
        self.path = Path(path)
        self.language = language
        self.search_fields = dict(DEFAULT_SEARCH_FIELDS if search_fields is None else search_fields)
        check_boosts(self.search_fields)
        self._settings = settings(language, list(self.search_fields))
        self._analyzer = build_analyzer(language)
        self._open_lock = RLock()
        self._write_lock = Lock()
        self._index: tantivy.Index | None = None
        self._checksums = False
        self._folder_identity: tuple[int, int] | None = None
        self._current: _Generation | None = None

    @classmethod
    def open(cls, path: str | Path, *, search_fields: Mapping[str, float] | None = None) -> "TantivyDocumentStore":
        """
        Open an index that is there, with the language and the fields that it was made with.

        :param path: Folder of the index.
        :param search_fields: Boosts of its fields; by default as in :data:`DEFAULT_SEARCH_FIELDS`, 1.0 for others.
        :returns: The store.
        :raises IndexOpenError: If there is no index, or not one of this store.
        """
        found = read_settings(Path(path))
        boosts = {name: DEFAULT_SEARCH_FIELDS.get(name, 1.0) for name in found.fields}
        return cls(path=path, language=found.language, search_fields=search_fields or boosts)

    def to_dict(self) -> dict[str, Any]:
        """
        Serialize the store's parameters; the documents stay in their folder.

        :returns: A dictionary for :meth:`from_dict`.
        """
        return default_to_dict(
            self, path=str(self.path), language=self.language, search_fields=dict(self.search_fields)
        )

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> "TantivyDocumentStore":
        """
        Make a store from what :meth:`to_dict` gave.

        :param data: The dictionary.
        :returns: The store.
        """
        store: TantivyDocumentStore = default_from_dict(cls, data)
        return store

    def close(self) -> None:
        """Let go of the index's files. The next use opens them again."""
        with self._open_lock:
            self._index = self._current = self._folder_identity = None

    def check(self) -> None:
        """
        Make sure that the index is there, can be opened, and that nothing damaged was met since its last commit.

        It costs microseconds, unless something was written: the first use after that looks at the new files.

        :raises IndexOpenError: If there is no index, or it can't be opened.
        :raises IndexDamagedError: If a file is damaged, or a document that was asked for.
        """
        damage = self._existing_generation().searcher.damage
        if damage is not None:
            raise IndexDamagedError(damage.path, damage.what) from damage

    def check_documents(self) -> Iterator[IndexDamagedError | None]:
        """
        Read every document.

        :returns: For each, in the order of writing, what is wrong with it, or None.
        :raises IndexOpenError: If there is no index, or not one that can be opened.
        """
        generation = self._existing_generation()
        for order, address in chain.from_iterable(_blocks(generation, None)):
            try:
                generation.searcher.document(order, address)
            except IndexDamagedError as damage:
                yield damage
            else:
                yield None

    # --- Haystack's protocol ---

    def count_documents(self) -> int:
        """
        Count the documents.

        :returns: Their number; 0 if there is no index yet.
        :raises IndexOpenError: If the folder holds something else, or the index is damaged or has other settings.
        """
        generation = self._generation()
        return 0 if generation is None else generation.searcher.num_docs

    def filter_documents(self, filters: dict[str, Any] | None = None) -> list[Document]:
        """
        Give the documents that a filter keeps.

        :param filters: A filter in Haystack's syntax; None or an empty one keeps all.
        :returns: The documents in the order in which they were written; none if there is no index yet.
        :raises haystack.errors.FilterError: If the filter is malformed.
        """
        return list(self._documents(self._generation(), filters))

    def write_documents(self, documents: Iterable[Document], policy: DuplicatePolicy = DuplicatePolicy.NONE) -> int:
        """
        Write documents, all or (after an error) none of them.

        A corpus of any size is best written in one call: from a generator it streams, and the index becomes one piece,
        which is searched faster than many small ones.

        :param documents: The documents, in a list or any other iterable. Metadata must be JSON values.
        :param policy: What to do with an id that is there already, or that comes twice: FAIL raises an error, SKIP
            keeps the document that was first, OVERWRITE the one that was last. NONE means FAIL.
        :returns: Number of documents written: all, or with SKIP those that were not skipped.
        :raises ValueError: If something other than documents is given, or a document can't be stored.
        :raises haystack.document_stores.errors.DuplicateDocumentError: With FAIL, if an id is there already.
        :raises IndexLockedError: If another writer is at work.
        """
        if isinstance(documents, (str, bytes, Mapping)) or not isinstance(documents, Iterable):
            msg = f"documents must be Documents in a list or another iterable, got {type(documents).__name__}"
            raise ValueError(msg)
        pieces = _pieces(documents, _BLOCK)
        first = next(pieces, [])
        _check_documents(first)
        if not first:
            return 0
        written = 0
        with self._transaction(large=len(first) >= _LARGE_WRITE) as transaction:
            order = self._next_order(transaction.generation)
            taken: set[str] = set()
            for piece in chain([first], pieces):
                _check_documents(piece)
                taken |= self._existing_ids(transaction.generation, (document.id for document in piece))
                for document in piece:
                    if document.id in taken:
                        if policy == DuplicatePolicy.SKIP:
                            logger.warning("document {document_id} is there already, skipped", document_id=document.id)
                            continue
                        if policy != DuplicatePolicy.OVERWRITE:
                            msg = f"document {document.id!r} is in the store already, or twice in what is written"
                            raise DuplicateDocumentError(msg)
                        transaction.writer.delete_documents_by_term(ID_FIELD, document.id)
                    taken.add(document.id)
                    transaction.writer.add_document(self._to_index(document, order + written))
                    transaction.changed = True
                    written += 1
        return written

    def delete_documents(self, document_ids: list[str]) -> None:
        """
        Delete documents by their ids.

        :param document_ids: The ids; those that are not there are passed over.
        :raises IndexLockedError: If another writer is at work.
        """
        if self._generation() is None:
            return
        with self._transaction() as transaction:
            for document_id in sorted(self._existing_ids(transaction.generation, document_ids)):
                transaction.writer.delete_documents_by_term(ID_FIELD, document_id)
                transaction.changed = True

    # --- more of what Haystack's stores have ---

    def delete_all_documents(self) -> None:
        """
        Delete every document; the index and its settings stay.

        :raises IndexLockedError: If another writer is at work.
        """
        if self._generation() is None:
            return
        with self._transaction() as transaction:
            transaction.writer.delete_all_documents()
            transaction.changed = True

    def delete_by_filter(self, filters: dict[str, Any]) -> int:
        """
        Delete the documents that a filter keeps.

        :param filters: A filter in Haystack's syntax.
        :returns: Number of documents deleted.
        :raises IndexLockedError: If another writer is at work.
        """
        if self._generation() is None:
            return 0
        with self._transaction() as transaction:
            query = _filter(filters, transaction.generation)
            count = _count(transaction.generation, query)
            if count:
                transaction.writer.delete_documents_by_query(query)
                transaction.changed = True
        return count

    def update_by_filter(self, filters: dict[str, Any], meta: dict[str, Any]) -> int:
        """
        Set metadata of the documents that a filter keeps; they keep their place in the order.

        :param filters: A filter in Haystack's syntax.
        :param meta: Keys and values that are added or replaced.
        :returns: Number of documents updated.
        :raises IndexLockedError: If another writer is at work.
        """
        if self._generation() is None:
            return 0
        count = 0
        with self._transaction(large=True) as transaction:
            generation = transaction.generation
            for block in _blocks(generation, _filter(filters, generation)):
                for order, address in block:
                    document = with_meta(generation.searcher.document(order, address), meta)
                    transaction.writer.delete_documents_by_term(ID_FIELD, document.id)
                    transaction.writer.add_document(self._to_index(document, order))
                    transaction.changed = True
                    count += 1
        return count

    def update_documents(self, updates: Iterable[DocumentUpdate]) -> None:
        """
        Give documents embeddings and metadata, all or (after an error) none; they keep their place and all else.

        The updates may be a generator, which is read as they are written; the index is locked for that time.

        :param updates: What is new, by ids; those that are not there are passed over.
        :raises ValueError: If metadata hold something else than JSON values.
        :raises IndexLockedError: If another writer is at work.
        """
        if self._generation() is None:
            return
        with self._transaction(large=True) as transaction:
            generation = transaction.generation
            for piece in _pieces(updates, _UPDATES):
                given = {update.id: update for update in piece}
                for order, address in generation.searcher.with_ids(list(given)):
                    document = generation.searcher.document(order, address)
                    update = given[document.id]
                    document = with_meta(document, update.meta)
                    if update.embedding is not None:
                        document = replace(document, embedding=list(update.embedding))
                    transaction.writer.delete_documents_by_term(ID_FIELD, document.id)
                    transaction.writer.add_document(self._to_index(document, order))
                    transaction.changed = True

    def count_documents_by_filter(self, filters: dict[str, Any]) -> int:
        """
        Count the documents that a filter keeps.

        :param filters: A filter in Haystack's syntax.
        :returns: Their number.
        """
        generation = self._generation()
        return 0 if generation is None else _count(generation, _filter(filters, generation))

    def delete_missing(
        self, keep_ids: Iterable[str], *, filters: dict[str, Any] | None = None, dry_run: bool = False
    ) -> list[str]:
        """
        Delete the documents that are gone from their source.

        :param keep_ids: Ids of all that the source still holds; read once, in pieces, so that a generator will do.
        :param filters: Look only at the documents that this filter keeps, where a store holds several sources.
        :param dry_run: Only say what would be deleted.
        :returns: The deleted ids, in the order in which the documents were written.
        :raises IndexLockedError: If another writer is at work.
        """
        generation = self._generation()
        if generation is None:
            return []
        if dry_run:
            return self._missing(generation, keep_ids, filters)
        with self._transaction() as transaction:
            missing = self._missing(transaction.generation, keep_ids, filters)
            for document_id in missing:
                transaction.writer.delete_documents_by_term(ID_FIELD, document_id)
                transaction.changed = True
        return missing

    def count_unique_metadata_by_filter(self, filters: dict[str, Any], metadata_fields: list[str]) -> dict[str, int]:
        """
        Count the different values of metadata fields among the documents that a filter keeps.

        :param filters: A filter in Haystack's syntax.
        :param metadata_fields: Names of fields, with or without "meta.".
        :returns: For each name, without "meta.", the number of different values.
        """
        return metadata.count_unique(self._metas(filters), metadata_fields)

    def get_metadata_fields_info(self) -> dict[str, dict[str, str]]:
        """
        Tell which metadata fields there are.

        :returns: For each field `{"type": ...}`: boolean, int, float or keyword.
        """
        return metadata.types(self._metas(None))

    def get_metadata_field_min_max(self, metadata_field: str) -> dict[str, Any]:
        """
        Find a metadata field's least and greatest value.

        :param metadata_field: The field's name, with or without "meta.".
        :returns: `min` and `max`, both None if there is nothing to compare.
        """
        return metadata.min_max(self._metas(None), metadata_field)

    def get_metadata_field_unique_values(
        self,
        metadata_field: str,
        search_term: str | None = None,
        from_: int = 0,
        size: int = 10,
        filters: dict[str, Any] | None = None,
    ) -> tuple[list[Any], int]:
        """
        List a metadata field's different values, sorted by their text.

        :param metadata_field: The field's name, with or without "meta.".
        :param search_term: Keep only values that have this in their text, whatever its case.
        :param from_: How many values to pass over.
        :param size: Greatest number of values.
        :param filters: Look only at the documents that this filter keeps.
        :returns: The values, and the number of all of them.
        """
        return metadata.unique_values(self._metas(filters), metadata_field, search_term, from_, size)

    # --- search ---

    def bm25_retrieval(
        self,
        query: str,
        *,
        filters: dict[str, Any] | None = None,
        top_k: int = 10,
        scale_score: bool = False,
        search_fields: Mapping[str, float] | None = None,
    ) -> list[Document]:
        """
        Find the documents that match a query best.

        The query is text: it has no syntax. One that holds no word finds nothing. A document's score is the sum of its
        fields' BM25 scores, each times its boost.

        :param query: Any string.
        :param filters: A filter in Haystack's syntax, evaluated in the index while it is searched.
        :param top_k: Greatest number of documents.
        :param scale_score: Squeeze scores into (0, 1) by a sigmoid, as Haystack's own store does.
        :param search_fields: The fields to search and their boosts, instead of the store's.
        :returns: New documents with their scores, the best first, equal scores in the order of writing.
        :raises ValueError: If `top_k` is less than 1, or a search field is not in the index.
        :raises IndexOpenError: If there is no index, or not one that can be opened.
        """
        boosts = self.check_search(top_k, search_fields)
        generation = self._existing_generation()
        hits = self._search(generation, query, top_k, boosts, filters)
        if not hits:
            return []
        orders = generation.searcher.orders([address for _, address in hits])
        ranked = sorted(
            ((score, order, address) for (score, address), order in zip(hits, orders, strict=True)),
            key=lambda hit: (-hit[0], hit[1]),
        )
        return [
            generation.searcher.document(order, address, _scale(score) if scale_score else score)
            for score, order, address in ranked
        ]

    @property
    def label(self) -> str:
        """The folder's name."""
        return self.path.absolute().name

    @property
    def location(self) -> str:
        """The folder's path."""
        return str(self.path)

    def search_ids(
        self, queries: Sequence[str], top_k: int, fields: Mapping[str, float] | None = None
    ) -> Iterator[list[str]]:
        """
        Find the ids of the best documents for many queries.

        No documents are built, all cores search, and results are given as they come, so memory stays the same
        whatever the number of queries. All queries see the index as it is at the time of the call.

        :param queries: The queries' texts.
        :param top_k: Greatest number of ids for a query.
        :param fields: The fields to search and their boosts, instead of the store's.
        :returns: For each query, in order, its ids, the best first.
        :raises ValueError: If `top_k` is less than 1, or a field is not in the index.
        :raises IndexOpenError: If there is no index, or not one that can be opened.
        """
        return (ids for ids, _ in self._search_many(queries, top_k, fields))

    def search_scored(
        self, queries: Sequence[str], top_k: int, fields: Mapping[str, float] | None = None
    ) -> Iterator[list[tuple[str, float]]]:
        """
        Find the ids of the best documents for many queries, and their scores; otherwise as :meth:`search_ids`.

        :param queries: The queries' texts.
        :param top_k: Greatest number of ids for a query.
        :param fields: The fields to search and their boosts, instead of the store's.
        :returns: For each query, in order, its ids with their scores, the best first.
        :raises ValueError: If `top_k` is less than 1, or a field is not in the index.
        :raises IndexOpenError: If there is no index, or not one that can be opened.
        """
        found = self._search_many(queries, top_k, fields)
        return (list(zip(ids, scores, strict=True)) for ids, scores in found)

    def iter_pages(self, fields: Sequence[str], page_size: int = 1000) -> Iterator[list[dict[str, Any]]]:
        """
        Go through all documents in the order in which they were written, a page at a time.

        The pages show the index as it is at the time of the call; one page is in memory at a time.

        :param fields: Names of a Document's fields ("id", "content", "meta", ...), or "meta.<key>", nested keys with
            dots between them.
        :param page_size: Number of documents in a page; the last may have fewer.
        :returns: Pages, each a list of dictionaries from field names to values (None where a document has none).
        :raises ValueError: If a field is unknown or the page size is less than 1.
        :raises IndexOpenError: If there is no index, or not one that can be opened.
        """
        if isinstance(fields, str):
            msg = f"fields must be a sequence of names, got the string {fields!r}"
            raise ValueError(msg)
        paths = {name: _field_path(name) for name in fields}
        if page_size < 1:
            msg = f"page_size must be at least 1, got {page_size}"
            raise ValueError(msg)
        generation = self._existing_generation()
        places = chain.from_iterable(_blocks(generation, None))

        def pages() -> Iterator[list[dict[str, Any]]]:
            for page in _pieces(places, page_size):
                documents = (generation.searcher.document(order, address) for order, address in page)
                yield [{name: _value(document, path) for name, path in paths.items()} for document in documents]

        return pages()

    # --- the same without blocking an event loop ---

    async def count_documents_async(self) -> int:
        """See :meth:`count_documents`."""
        return await asyncio.to_thread(self.count_documents)

    async def filter_documents_async(self, filters: dict[str, Any] | None = None) -> list[Document]:
        """See :meth:`filter_documents`."""
        return await asyncio.to_thread(self.filter_documents, filters)

    async def write_documents_async(
        self, documents: Iterable[Document], policy: DuplicatePolicy = DuplicatePolicy.NONE
    ) -> int:
        """See :meth:`write_documents`."""
        return await asyncio.to_thread(self.write_documents, documents, policy)

    async def delete_documents_async(self, document_ids: list[str]) -> None:
        """See :meth:`delete_documents`."""
        await asyncio.to_thread(self.delete_documents, document_ids)

    async def delete_all_documents_async(self) -> None:
        """See :meth:`delete_all_documents`."""
        await asyncio.to_thread(self.delete_all_documents)

    async def delete_by_filter_async(self, filters: dict[str, Any]) -> int:
        """See :meth:`delete_by_filter`."""
        return await asyncio.to_thread(self.delete_by_filter, filters)

    async def update_by_filter_async(self, filters: dict[str, Any], meta: dict[str, Any]) -> int:
        """See :meth:`update_by_filter`."""
        return await asyncio.to_thread(self.update_by_filter, filters, meta)

    async def count_documents_by_filter_async(self, filters: dict[str, Any]) -> int:
        """See :meth:`count_documents_by_filter`."""
        return await asyncio.to_thread(self.count_documents_by_filter, filters)

    async def count_unique_metadata_by_filter_async(
        self, filters: dict[str, Any], metadata_fields: list[str]
    ) -> dict[str, int]:
        """See :meth:`count_unique_metadata_by_filter`."""
        return await asyncio.to_thread(self.count_unique_metadata_by_filter, filters, metadata_fields)

    async def get_metadata_fields_info_async(self) -> dict[str, dict[str, str]]:
        """See :meth:`get_metadata_fields_info`."""
        return await asyncio.to_thread(self.get_metadata_fields_info)

    async def get_metadata_field_min_max_async(self, metadata_field: str) -> dict[str, Any]:
        """See :meth:`get_metadata_field_min_max`."""
        return await asyncio.to_thread(self.get_metadata_field_min_max, metadata_field)

    async def get_metadata_field_unique_values_async(
        self,
        metadata_field: str,
        search_term: str | None = None,
        from_: int = 0,
        size: int = 10,
        filters: dict[str, Any] | None = None,
    ) -> tuple[list[Any], int]:
        """See :meth:`get_metadata_field_unique_values`."""
        return await asyncio.to_thread(
            self.get_metadata_field_unique_values, metadata_field, search_term, from_, size, filters
        )

    async def delete_missing_async(
        self, keep_ids: Iterable[str], *, filters: dict[str, Any] | None = None, dry_run: bool = False
    ) -> list[str]:
        """See :meth:`delete_missing`."""
        return await asyncio.to_thread(self.delete_missing, keep_ids, filters=filters, dry_run=dry_run)

    async def bm25_retrieval_async(
        self,
        query: str,
        *,
        filters: dict[str, Any] | None = None,
        top_k: int = 10,
        scale_score: bool = False,
        search_fields: Mapping[str, float] | None = None,
    ) -> list[Document]:
        """See :meth:`bm25_retrieval`."""
        return await asyncio.to_thread(
            self.bm25_retrieval,
            query,
            filters=filters,
            top_k=top_k,
            scale_score=scale_score,
            search_fields=search_fields,
        )

    async def close_async(self) -> None:
        """See :meth:`close`."""
        await asyncio.to_thread(self.close)

    # --- the index's files ---

    def _generation(self) -> _Generation | None:
        """Give the last commit, whoever made it; None if there is no index yet."""
        folder = self.path / INDEX_FOLDER
        with self._open_lock:
            identity = _identity(folder)
            if self._index is None or identity != self._folder_identity:
                self._index = open_index(self.path, self._settings)
                self._checksums = has_checksums(folder)
                self._current, self._folder_identity = None, identity
                if self._index is None:
                    return None
            # A commit puts a new file in the place of this one: asking for it costs microseconds, reading the index
            # anew for each query would cost more than many a query.
            signature = _signature(folder / META_FILE)
            if self._current is None or self._current.signature != signature:
                try:
                    self._current = self._open_commit(self._index, signature)
                except IndexOpenError:
                    self.close()
                    raise
            return self._current

    def _open_commit(self, index: tantivy.Index, signature: tuple[int, ...]) -> _Generation:
        with failures_told(self.path, ValueError, OSError):
            if self._checksums and (damaged := find_damage(self.path / INDEX_FOLDER)):
                raise IndexDamagedError(self.path, damaged)
            index.reload()
            return _Generation(index, Searcher(index, self.path, checksums=self._checksums), signature)

    def _existing_generation(self) -> _Generation:
        generation = self._generation()
        if generation is None:
            msg = f"there is no index in {self.path}: write documents into it first"
            raise IndexOpenError(msg)
        return generation

    @contextmanager
    def _transaction(self, *, large: bool = False) -> Iterator[_Transaction]:
        """Take the index's writer for one change, which is committed as a whole or not at all."""
        with self._write_lock, failures_told(self.path):
            if self._generation() is None:
                create_index(self.path, self._settings)
            index = self._existing_generation().index
            writer = take_writer(index, self.path, LARGE_HEAP if large else SMALL_HEAP)
            try:
                if self._checksums:
                    begin_writing(self.path / INDEX_FOLDER)
                # What killed writers have left; tantivy itself looks for it only after a commit.
                writer.garbage_collect_files()
                # With the lock in hand nobody else can commit, so this is what the change starts from.
                transaction = _Transaction(writer, self._existing_generation())
                try:
                    yield transaction
                except BaseException:
                    writer.rollback()
                    raise
                if transaction.changed:
                    writer.commit()
            finally:
                writer.wait_merging_threads()
                if self._checksums:
                    self._keep_checksums()

    def _keep_checksums(self) -> None:
        try:
            # To wait for its threads the writer has let go of the lock.
            with locked(self.path):
                end_writing(self.path / INDEX_FOLDER)
        except IndexLockedError:
            # Whoever writes next has begun, and will do it.
            return
        except OSError as error:
            # All that was written is there, and the next writer will do this too.
            logger.warning("checksums of the index in {path} can't be kept: {error}", path=self.path, error=error)

    def _to_index(self, document: Document, order: int) -> tantivy.Document:
        """Write a document in the form of the schema."""
        entry = tantivy.Document()
        entry.add_text(ID_FIELD, document.id)
        entry.add_unsigned(ORDER_FIELD, order)
        for name in self._settings.fields:
            texts = document.content if name == "content" else document.meta.get(name)
            for text in [texts] if isinstance(texts, str) else texts if isinstance(texts, list) else []:
                if isinstance(text, str):
                    entry.add_text(text_field(self._settings, name), prepare(text))
        data = encode(document)
        entry.add_bytes(DOCUMENT_FIELD, with_checksum(order, data) if self._checksums else data)
        for term in filter_terms(document):
            entry.add_text(FILTER_FIELD, term)
        return entry

    def _existing_ids(self, generation: _Generation, ids: Iterable[str]) -> set[str]:
        existing: set[str] = set()
        for piece in _pieces(ids, _BLOCK):
            hits = generation.searcher.with_ids(piece)
            existing.update(generation.searcher.document_id(order, address) for order, address in hits)
        return existing

    def _next_order(self, generation: _Generation) -> int:
        last = generation.searcher.search(tantivy.Query.all_query(), 1, order_by_field=ORDER_FIELD).hits
        return int(last[0][0]) + 1 if last else 0

    def _missing(self, generation: _Generation, keep_ids: Iterable[str], filters: dict[str, Any] | None) -> list[str]:
        kept: set[int] = set()
        for piece in _pieces(keep_ids, _BLOCK):
            kept.update(order for order, _ in generation.searcher.with_ids(piece))
        kept_by_filter = _filter(filters, generation) if filters else None
        return [
            generation.searcher.document_id(order, address)
            for block in _blocks(generation, kept_by_filter)
            for order, address in block
            if order not in kept
        ]

    def _documents(self, generation: _Generation | None, filters: dict[str, Any] | None) -> Iterator[Document]:
        if generation is None:
            return
        for block in _blocks(generation, _filter(filters, generation) if filters else None):
            for order, address in block:
                yield generation.searcher.document(order, address)

    def _metas(self, filters: dict[str, Any] | None) -> Iterator[Mapping[str, Any]]:
        return (document.meta for document in self._documents(self._generation(), filters))

    # --- queries ---

    def check_search(self, top_k: int, search_fields: Mapping[str, float] | None) -> Mapping[str, float]:
        """
        Check what a search is asked for, without opening the index.

        :param top_k: Greatest number of results.
        :param search_fields: The fields to search and their boosts; None for the store's.
        :returns: The fields and boosts that will be searched.
        :raises ValueError: If `top_k` is less than 1, or a search field is not in the index.
        """
        _check_top_k(top_k)
        if search_fields is None:
            return self.search_fields
        check_boosts(search_fields)
        unknown = sorted(set(search_fields) - set(self.search_fields))
        if unknown:
            msg = f"search field {unknown[0]!r} is not in the index; it has {', '.join(sorted(self.search_fields))}"
            raise ValueError(msg)
        return search_fields

    def _text_query(self, generation: _Generation, text: str, boosts: Mapping[str, float]) -> tantivy.Query | None:
        """Any of the text's words in any of the fields; None if the text holds no word."""
        if not isinstance(text, str):
            msg = f"a query must be a string, got {type(text).__name__}: {text!r}"
            raise ValueError(msg)
        words = Counter(self._analyzer.analyze(prepare(text)))
        schema = generation.index.schema
        clauses = []
        for name, boost in boosts.items():
            schema_name = text_field(self._settings, name)
            for word, count in words.items():
                query = tantivy.Query.term_query(schema, schema_name, word, "freq")
                weight = boost * count
                clauses.append(
                    (tantivy.Occur.Should, query if weight == 1 else tantivy.Query.boost_query(query, weight))
                )
        return tantivy.Query.boolean_query(clauses) if clauses else None

    def _search(
        self,
        generation: _Generation,
        text: str,
        top_k: int,
        boosts: Mapping[str, float],
        filters: dict[str, Any] | None = None,
    ) -> list[tuple[float, tantivy.DocAddress]]:
        kept = _filter(filters, generation) if filters else None
        query = self._text_query(generation, text, boosts)
        # tantivy makes room for as many hits as it is asked for.
        limit = min(top_k, generation.searcher.num_docs)
        if query is None or limit == 0:
            return []
        if kept is not None:
            query = tantivy.Query.boolean_query([(tantivy.Occur.Must, query), (tantivy.Occur.Must, kept)])
        hits: list[tuple[float, tantivy.DocAddress]] = generation.searcher.search(query, limit).hits
        return hits

    def _search_many(
        self, queries: Sequence[str], top_k: int, fields: Mapping[str, float] | None
    ) -> Iterator[tuple[list[str], list[float]]]:
        """Each query's ids and scores. Arguments and index are looked at now, the searches come with the iteration."""
        if isinstance(queries, str):
            msg = "queries must be a sequence of strings, got one string"
            raise ValueError(msg)
        boosts = self.check_search(top_k, fields)
        return self._search_in_threads(self._existing_generation(), queries, top_k, boosts)

    def _search_in_threads(
        self, generation: _Generation, queries: Sequence[str], top_k: int, boosts: Mapping[str, float]
    ) -> Iterator[tuple[list[str], list[float]]]:
        ids = self._id_map(generation)

        def search(texts: list[str]) -> list[tuple[list[str], list[float]]]:
            results: list[tuple[list[str], list[float]]] = []
            for text in texts:
                orders, scores = _ranked(generation, self._search(generation, text, top_k, boosts))
                results.append((ids.of(orders), scores))
            return results

        workers = _cores()
        with ThreadPoolExecutor(max_workers=workers, thread_name_prefix="search-ids") as executor:
            # tantivy searches without holding the interpreter's lock. A few tasks wait ahead of the reader, no more.
            running: deque[Future[list[tuple[list[str], list[float]]]]] = deque()
            try:
                for texts in _pieces(queries, _QUERIES_PER_TASK):
                    running.append(executor.submit(search, texts))
                    if len(running) > 2 * workers:
                        yield from running.popleft().result()
                while running:
                    yield from running.popleft().result()
            finally:
                executor.shutdown(wait=True, cancel_futures=True)

    def _id_map(self, generation: _Generation) -> _Ids:
        """Read all ids: done once for a commit, kept in memory (about 100 bytes an id)."""
        with generation.lock:
            if generation.ids is None:
                rows = [
                    (order, generation.searcher.document_id(order, address))
                    for block in _blocks(generation, None)
                    for order, address in block
                ]
                orders = np.fromiter((order for order, _ in rows), np.int64, len(rows))
                ids = np.empty(len(rows), object)
                ids[:] = [document_id for _, document_id in rows]
                generation.ids = _Ids(orders, ids)
            return generation.ids


# --- what the methods share ---


def _pieces(items: Iterable[_T], size: int) -> Iterator[list[_T]]:
    iterator = iter(items)
    while piece := list(islice(iterator, size)):
        yield piece


def _filter(filters: dict[str, Any], generation: _Generation) -> tantivy.Query:
    return filter_query(filters, generation.index) if filters else tantivy.Query.all_query()


def _count(generation: _Generation, query: tantivy.Query) -> int:
    result: Any = generation.searcher.search(query, 1, count=True)
    return int(result.count)


def _ranked(
    generation: _Generation, hits: list[tuple[float, tantivy.DocAddress]]
) -> tuple[NDArray[np.int64], list[float]]:
    """The places of hits in the order of writing, and their scores: best first, equal scores in that order."""
    scores = [score for score, _ in hits]
    if not hits:
        return np.empty(0, np.int64), scores
    orders = np.array(generation.searcher.orders([address for _, address in hits]), np.int64)
    ranks = np.array(scores)
    # Hits come sorted by score, so only runs of equal scores are to be sorted: by the run's number, then by place.
    runs = np.concatenate(([0], np.cumsum(ranks[1:] != ranks[:-1])))
    return orders[np.lexsort((orders, runs))], scores


def _span(generation: _Generation, low: int, high: int | None) -> tantivy.Query:
    """Documents of which the order is at least `low` and less than `high`."""
    return tantivy.Query.range_query(
        generation.index.schema,
        ORDER_FIELD,
        tantivy.FieldType.Unsigned,
        low,
        high,
        True,
        high is None,
        high is not None,
    )


def _spans(generation: _Generation) -> Iterator[tuple[int, int]]:
    """Ranges of the order that hold at most a block of documents each, together all of them."""
    everything = tantivy.Query.all_query()
    ends = [
        generation.searcher.search(everything, 1, order_by_field=ORDER_FIELD, order=direction).hits
        for direction in (tantivy.Order.Asc, tantivy.Order.Desc)
    ]
    if not ends[0]:
        return
    low, last = ends[0][0][0], ends[1][0][0]
    while low <= last:
        yield low, low + _BLOCK
        low += _BLOCK


def _blocks(generation: _Generation, query: tantivy.Query | None) -> Iterator[Hits]:
    """Go through the documents that a query matches in the order in which they were written."""
    for low, high in _spans(generation):
        span = _span(generation, low, high)
        if query is not None:
            span = tantivy.Query.boolean_query([(tantivy.Occur.Must, span), (tantivy.Occur.Must, query)])
        yield generation.searcher.search(span, _BLOCK, order_by_field=ORDER_FIELD, order=tantivy.Order.Asc).hits


def _identity(folder: Path) -> tuple[int, int] | None:
    try:
        status = folder.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


def _signature(path: Path) -> tuple[int, ...]:
    try:
        status = path.stat()
    except OSError:
        return ()
    return status.st_ino, status.st_mtime_ns, status.st_size


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _scale(score: float) -> float:
    return 1 / (1 + math.exp(-score / _SCALING_FACTOR))


def _check_top_k(top_k: int) -> None:
    if isinstance(top_k, bool) or not isinstance(top_k, int) or top_k < 1:
        msg = f"top_k must be an integer of at least 1, got {top_k!r}"
        raise ValueError(msg)


def _check_documents(documents: list[Any]) -> None:
    for document in documents:
        if not isinstance(document, Document):
            msg = f"only Documents can be written, got {type(document).__name__}: {document!r}"
            raise ValueError(msg)
        _check_id(document.id)


def _check_id(document_id: str) -> None:
    try:
        size = len(document_id.encode("utf-8"))
    except UnicodeEncodeError as error:
        msg = f"document id {document_id!r} is not valid Unicode: {error.reason}"
        raise ValueError(msg) from error
    if size > MAX_ID_BYTES:
        msg = f"document id {document_id[:40]!r}... has {size} bytes, at most {MAX_ID_BYTES} are allowed"
        raise ValueError(msg)


def _field_path(name: str) -> tuple[str, ...]:
    path = tuple(name.split("."))
    if path[0] not in Document.__dataclass_fields__ or (len(path) > 1 and path[0] != "meta"):
        names = ", ".join(Document.__dataclass_fields__)
        msg = f"unknown field {name!r}: expected one of {names}, or meta.<key>"
        raise ValueError(msg)
    return path


def _value(document: Document, path: tuple[str, ...]) -> Any:
    value = getattr(document, path[0])
    for key in path[1:]:
        value = value.get(key) if isinstance(value, dict) else None
    return value
