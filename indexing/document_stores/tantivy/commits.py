# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The commits of an index: the last one is what is read, the next one is written as a whole."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Lock, RLock

from haystack import Document, logging

import tantivy
from answer_selection.indexing.encoder import EncoderRecord
from haystack_integrations.document_stores.tantivy.analysis import prepare
from haystack_integrations.document_stores.tantivy.checksums import (
    META_FILE,
    begin_writing,
    end_writing,
    find_damage,
    has_checksums,
)
from haystack_integrations.document_stores.tantivy.codec import encode, with_checksum
from haystack_integrations.document_stores.tantivy.encoders import (
    check_embedding,
    check_encoder,
    named_by,
    without_name,
)
from haystack_integrations.document_stores.tantivy.errors import (
    IndexDamagedError,
    IndexLockedError,
    IndexOpenError,
    failures_told,
    missing,
)
from haystack_integrations.document_stores.tantivy.filters import FILTER_FIELD, filter_terms
from haystack_integrations.document_stores.tantivy.folder import (
    DOCUMENT_FIELD,
    ID_FIELD,
    INDEX_FOLDER,
    LARGE_HEAP,
    ORDER_FIELD,
    SMALL_HEAP,
    VECTOR_FIELD,
    Settings,
    create_index,
    keeps_vectors,
    locked,
    open_index,
    take_writer,
    text_field,
)
from haystack_integrations.document_stores.tantivy.generation import Generation
from haystack_integrations.document_stores.tantivy.searcher import Searcher
from haystack_integrations.document_stores.tantivy.vector_writing import NewVectors, remove_unused, tidy
from haystack_integrations.document_stores.tantivy.vectors import list_files, open_vectors

logger = logging.getLogger(__name__)

_VECTORS = "a file of vectors"


@dataclass(slots=True)
class Transaction:
    """
    One change of an index.

    :param writer: Writes it.
    :param generation: What it starts from.
    :param vectors: Takes the documents' vectors; None in an index that has no place for them.
    :param encoder: The encoder of these vectors; None if it is not known.
    :param changed: Whether there is anything to commit.
    """

    writer: tantivy.IndexWriter
    generation: Generation
    vectors: NewVectors | None
    encoder: EncoderRecord | None
    to_tantivy: Callable[[Document, int, int | None], tantivy.Document]
    changed: bool = False

    def learn_encoder(self, documents: Sequence[Document]) -> None:
        """
        Take the encoder that the first vectors of an index are of, if nobody has named one and their documents do.

        :param documents: What is to be added next.
        """
        if self.encoder is None and self.vectors is not None and not (self.generation.has_vectors or self.vectors):
            self.encoder = self.vectors.encoder = named_by(documents)

    def add(self, document: Document, order: int, row: int | None = None) -> None:
        """
        Add a document.

        :param document: The document.
        :param order: Its place in the order of writing.
        :param row: The row of its vector, if that is there already.
        :raises ValueError: If its embedding can't be searched for or is another encoder's than the index's, or its
            metadata can't be stored.
        """
        if self.vectors is not None and document.embedding is not None:
            encoder = self.encoder if row is None else self.generation.encoder_of(row)
            if encoder is not None:
                check_embedding(document, encoder)
            row = self.vectors.add(document.id, document.embedding) if row is None else row
        self.writer.add_document(self.to_tantivy(without_name(document), order, row))
        self.changed = True


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
        self._checksums = self._vectors = False
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
                self._vectors = keeps_vectors(self._path)
            # A commit puts a new file in the place of this one: asking for it costs microseconds, reading the index
            # anew for each query would cost more than many a query.
            signature = _signature(folder / META_FILE)
            if self._current is None or self._current.signature != signature:
                try:
                    self._current = self._open_commit(self._index)
                except IndexOpenError:
                    self.close()
                    raise
            return self._current

    def _open_commit(self, index: tantivy.Index) -> Generation:
        folder = self._path / INDEX_FOLDER
        while True:
            state = signature, _ = _signature(folder / META_FILE), list_files(folder)
            with failures_told(self._path, ValueError, OSError):
                if self._checksums and (damaged := find_damage(folder)):
                    raise IndexDamagedError(self._path, damaged)
                index.reload()
                searcher = Searcher(index, self._path, checksums=self._checksums)
                if not self._vectors:
                    return Generation(index, searcher, signature, None)
                vectors, whole = open_vectors(folder, searcher.count_rows)
            # If a writer has changed something meanwhile, these may not be the vectors of these documents.
            if state == (_signature(folder / META_FILE), list_files(folder)):
                if not whole:
                    raise IndexDamagedError(self._path, _VECTORS)
                return Generation(index, searcher, signature, vectors)

    def existing(self) -> Generation:
        """
        Give the last commit of an index that has to be there.

        :returns: The commit.
        :raises IndexOpenError: If there is no index, or not one that can be opened.
        """
        generation = self.last()
        if generation is None:
            raise missing(self._path)
        return generation

    @contextmanager
    def transaction(
        self, *, large: bool = False, any_width: bool = False, encoder: EncoderRecord | None = None
    ) -> Iterator[Transaction]:
        """
        Take the index's writer for one change, which is committed as a whole or not at all.

        :param large: Whether much will be written.
        :param any_width: Whether vectors may be of another width than those that are there.
        :param encoder: The encoder of the new vectors; None is that of the index, if it is known.
        :returns: A context whose value is the change.
        :raises DocumentStoreError: If the index can't have vectors of this encoder.
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
                generation = self.existing()
                encoder = encoder or generation.encoder
                vectors = self._new_vectors(generation, encoder, any_width=any_width)
                transaction = Transaction(writer, generation, vectors, encoder, self.to_tantivy)
                try:
                    yield transaction
                except BaseException:
                    writer.rollback()
                    if vectors is not None:
                        vectors.discard()
                    raise
                if transaction.changed:
                    if vectors is not None:
                        vectors.finish()
                    writer.commit()
                    self._tidy_vectors()
            finally:
                writer.wait_merging_threads()
                if self._checksums:
                    self._keep_checksums()

    def _new_vectors(
        self, generation: Generation, encoder: EncoderRecord | None, *, any_width: bool
    ) -> NewVectors | None:
        if encoder is not None:
            check_encoder(self._path, generation.vectors, encoder)
        if generation.vectors is None:
            return None
        folder, widths = self._path / INDEX_FOLDER, generation.vectors.widths
        remove_unused(folder, generation.vectors)
        if encoder is not None:
            return NewVectors(folder, encoder.dimension, encoder)
        return NewVectors(folder, None if any_width or not widths else widths[-1], None)

    def _tidy_vectors(self) -> None:
        generation, folder = self.existing(), self._path / INDEX_FOLDER
        if generation.vectors is None:
            return
        try:
            remove_unused(folder, generation.vectors)
            if tidy(folder, generation.vectors, generation.live_rows):
                with self._open_lock:
                    # The next one who asks opens the new files.
                    self._current = None
        except OSError as error:
            # All that was written is there, and the next writer will do this too.
            logger.warning("vectors of the index in {path} can't be tidied: {error}", path=self._path, error=error)

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

    def to_tantivy(self, document: Document, order: int, row: int | None = None) -> tantivy.Document:
        """
        Write a document in the form of the schema.

        :param document: The document.
        :param order: Its place in the order of writing.
        :param row: The row of its vector, if it has one.
        :returns: What is added to the index.
        """
        entry = tantivy.Document()
        entry.add_text(ID_FIELD, document.id)
        entry.add_unsigned(ORDER_FIELD, order)
        if row is not None:
            entry.add_unsigned(VECTOR_FIELD, row)
        for name in self._settings.fields:
            texts = document.content if name == "content" else document.meta.get(name)
            for text in [texts] if isinstance(texts, str) else texts if isinstance(texts, list) else []:
                if isinstance(text, str):
                    entry.add_text(text_field(self._settings, name), prepare(text))
        data = encode(document, packed=self._vectors)
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
