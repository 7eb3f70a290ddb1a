# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Looking for damage in a whole index."""

from collections.abc import Callable
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path

from answer_selection.indexing.encoder import EncoderRecord
from haystack_integrations.document_stores.tantivy.checksums import (
    CHECKSUMS_FILE,
    META_FILE,
    file_checksum,
    has_checksums,
    index_files,
    read_checksums,
)
from haystack_integrations.document_stores.tantivy.document_store import TantivyDocumentStore
from haystack_integrations.document_stores.tantivy.errors import IndexDamagedError, IndexOpenError, missing
from haystack_integrations.document_stores.tantivy.folder import INDEX_FOLDER, locked


@dataclass(slots=True)
class Verification:
    """
    What was looked at, and what is damaged.

    :param files: Number of files that were compared with their checksums; 0 for an index of an earlier version, which
        has no checksums.
    :param documents: Number of documents that were read, which is done only where no file is damaged.
    :param encoder: The encoder of the documents' vectors, if it is known.
    :param without_vector: Number of documents that have no vector of it.
    :param unchecked: Files that have no checksum yet, since a writer was killed.
    :param damaged: The damaged files; or documents that were damaged before their file was written, as they are when
        they come from a damaged one: by their ids, if these can still be read.
    """

    files: int = 0
    documents: int = 0
    encoder: EncoderRecord | None = None
    without_vector: int = 0
    unchecked: list[str] = field(default_factory=list)
    damaged: list[str] = field(default_factory=list)


def verify(path: Path, progress: Callable[[int, int], None] | None = None) -> Verification:
    """
    Compare every file and every document of an index with its checksum, and every vector with its document.

    Nobody can write meanwhile.

    :param path: The store's folder.
    :param progress: Called with the number of documents read so far, and of all.
    :returns: What was found.
    :raises IndexOpenError: If there is no index.
    :raises IndexLockedError: If a writer is at work.
    """
    folder = path / INDEX_FOLDER
    if not folder.is_dir():
        raise missing(path)
    found = Verification()
    with ExitStack() as held:
        # If it can't be opened, nobody can write into it either.
        with suppress(IndexOpenError):
            held.enter_context(locked(path))
        _verify_files(folder, found)
        # Reading damaged files could end this process.
        if not found.damaged:
            _verify_documents(path, found, progress)
    return found


def _verify_files(folder: Path, found: Verification) -> None:
    if not has_checksums(folder):
        return
    try:
        kept = read_checksums(folder)
    except (ValueError, OSError):
        found.damaged.append(CHECKSUMS_FILE)
        return
    killed = META_FILE not in kept
    for name, checksum in kept.items():
        if killed and not (folder / name).exists():
            # The commit of a killed writer may need it no more. If it does, the documents can't be read.
            continue
        found.files += 1
        try:
            sound = file_checksum(folder / name) == checksum
        except OSError:
            sound = False
        if not sound:
            found.damaged.append(name)
    if not found.damaged:
        found.unchecked.extend(name for name in index_files(folder) if name not in kept)


def _verify_documents(path: Path, found: Verification, progress: Callable[[int, int], None] | None) -> None:
    try:
        store = TantivyDocumentStore.open(path)
        total = store.count_documents()
        for damage in store.check_documents():
            found.documents += 1
            if damage is not None:
                found.damaged.append(damage.what)
            if progress:
                progress(found.documents, total)
        if not found.damaged and (encoder := store.encoder) is not None:
            found.encoder = encoder
            found.without_vector = sum(1 for _ in store.documents_without_embedding_of(encoder))
    except IndexDamagedError as error:
        found.damaged.append(error.what)
    except IndexOpenError as error:
        found.damaged.append(str(error))
