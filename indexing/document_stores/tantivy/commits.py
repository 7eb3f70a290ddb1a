# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The commits of an index: the last one is what is read, the next one is written as a whole."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Lock, RLock

from haystack import Document, logging

import tantivy
from haystack_integrations.document_stores.tantivy.analysis import prepare
from haystack_integrations.document_stores.tantivy.checksums import (
    META_FILE,
    begin_writing,
    end_writing,
    find_damage,
    has_checksums,
)
from haystack_integrations.document_stores.tantivy.codec import encode, with_checksum
from haystack_integrations.document_stores.tantivy.errors import (
    IndexDamagedError,
    IndexLockedError,
    IndexOpenError,
    failures_told,
)
from haystack_integrations.document_stores.tantivy.filters import FILTER_FIELD, filter_terms
from haystack_integrations.document_stores.tantivy.folder import (
    DOCUMENT_FIELD,
    ID_FIELD,
    INDEX_FOLDER,
    LARGE_HEAP,
    ORDER_FIELD,
    SMALL_HEAP,
    Settings,
    create_index,
    locked,
    open_index,
    take_writer,
    text_field,
)
from haystack_integrations.document_stores.tantivy.generation import Generation
from haystack_integrations.document_stores.tantivy.searcher import Searcher

logger = logging.getLogger(__name__)


@dataclass(slots=True)
class Transaction:
    """
    One change of an index.

    :param writer: Writes it.
    :param generation: What it starts from.
    :param changed: Whether there is anything to commit.
    """

    writer: tantivy.IndexWriter
    generation: Generation
    changed: bool = False


class Commits:
    """
    Opens the last commit of an index, and makes the next.

    :param path: The store's folder.
    :param settings: What the index is made with.
    """

    def __init__(self, path: Path, settings: Settings) -> None:
        self._path, self._settings = path, settings
        self._open_lock = RLock()
        self._write_lock = Lock()
        self._index: tantivy.Index | None = None
        self._checksums = False
        self._folder_identity: tuple[int, int] | None = None
        self._current: Generation | None = None

    def close(self) -> None:
        """Let go of the index's files. The next use opens them again."""
        with self._open_lock:
            self._index = self._current = self._folder_identity = None

    def last(self) -> Generation | None:
        """
        Give the last commit, whoever made it.

        :returns: The commit; None if there is no index yet.
        :raises IndexOpenError: If the folder holds something else, or the index is damaged or has other settings.
        """
        folder = self._path / INDEX_FOLDER
        with self._open_lock:
            identity = _identity(folder)
            if self._index is None or identity != self._folder_identity:
                self._index = open_index(self._path, self._settings)
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

    def _open_commit(self, index: tantivy.Index, signature: tuple[int, ...]) -> Generation:
        with failures_told(self._path, ValueError, OSError):
            if self._checksums and (damaged := find_damage(self._path / INDEX_FOLDER)):
                raise IndexDamagedError(self._path, damaged)
            index.reload()
            return Generation(index, Searcher(index, self._path, checksums=self._checksums), signature)

    def existing(self) -> Generation:
        """
        Give the last commit of an index that has to be there.

        :returns: The commit.
        :raises IndexOpenError: If there is no index, or not one that can be opened.
        """
        generation = self.last()
        if generation is None:
            msg = f"there is no index in {self._path}: write documents into it first"
            raise IndexOpenError(msg)
        return generation

    @contextmanager
    def transaction(self, *, large: bool = False) -> Iterator[Transaction]:
        """
        Take the index's writer for one change, which is committed as a whole or not at all.

        :param large: Whether much will be written.
        :returns: A context whose value is the change.
        :raises IndexLockedError: If another writer is at work.
        """
        with self._write_lock, failures_told(self._path):
            if self.last() is None:
                create_index(self._path, self._settings)
            index = self.existing().index
            writer = take_writer(index, self._path, LARGE_HEAP if large else SMALL_HEAP)
            try:
                if self._checksums:
                    begin_writing(self._path / INDEX_FOLDER)
                # What killed writers have left; tantivy itself looks for it only after a commit.
                writer.garbage_collect_files()
                # With the lock in hand nobody else can commit, so this is what the change starts from.
                transaction = Transaction(writer, self.existing())
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
            with locked(self._path):
                end_writing(self._path / INDEX_FOLDER)
        except IndexLockedError:
            # Whoever writes next has begun, and will do it.
            return
        except OSError as error:
            # All that was written is there, and the next writer will do this too.
            logger.warning("checksums of the index in {path} can't be kept: {error}", path=self._path, error=error)

    def to_tantivy(self, document: Document, order: int) -> tantivy.Document:
        """
        Write a document in the form of the schema.

        :param document: The document.
        :param order: Its place in the order of writing.
        :returns: What is added to the index.
        """
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
