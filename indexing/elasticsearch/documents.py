# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The documents of a corpus as Elasticsearch stores them, in an order and with a digest that tell them again."""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import fields
from types import TracebackType
from typing import Any, Final, Self

from haystack import Document

from answer_selection.indexing.elasticsearch.writer import BATCH_DOCUMENTS, Batch, Operation
from answer_selection.indexing.entries import Entry
from answer_selection.indexing.ids import EntryIds
from answer_selection.indexing.sources import Sources, SourcesReport

NOTHING: Final = hashlib.sha256().hexdigest()
"""The digest of no documents."""

_ENCODER: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))
# Names that Document.to_dict does not let metadata have beside the content: a document's own, and those of Haystack 1.
_DOCUMENT_FIELDS: Final = frozenset(
    (*(field.name for field in fields(Document)), "content_type", "id_hash_keys", "dataframe")
)
# Those that are left out of what is stored, as the integration's write_documents does.
_NEVER_STORED: Final = ("blob", "score", "embedding", "sparse_embedding")


def stored(entry: Entry) -> dict[str, Any]:
    """
    Give an entry as the integration's own store writes it, so that it reads it back.

    :param entry: The entry.
    :returns: The document's `_source`.
    """
    if _DOCUMENT_FIELDS.isdisjoint(entry.meta):
        question = {} if entry.question is None else {"question": entry.question}
        return {**entry.meta, "entry_id": entry.entry_id, **question, "id": entry.entry_id, "content": entry.answer}
    document = entry.to_document().to_dict()
    for name in _NEVER_STORED:
        del document[name]
    return document


class DocumentStream:
    """
    Reads the documents of a corpus once, in order.

    :param sources: Where they come from.
    """

    def __init__(self, sources: Sources) -> None:
        self.ids = EntryIds()
        self.found = SourcesReport()
        self.position = 0
        self._entries = sources.read(self.ids, self.found)
        self._hash = hashlib.sha256()

    @property
    def digest(self) -> str:
        """A digest of all documents that were read so far."""
        return self._hash.hexdigest()

    def __iter__(self) -> Iterator[Operation]:
        """Give the documents that were not read yet."""
        for entry in self._entries:
            source = _ENCODER.encode(stored(entry)).encode()
            self._hash.update(source)
            self._hash.update(b"\n")
            self.position += 1
            yield Operation(entry.entry_id, source)

    def starts_with(self, position: int, digest: str) -> bool:
        """
        Read on to a position.

        :param position: How many documents to read, if there are as many.
        :param digest: What their digest should be.
        :returns: Whether it is.
        """
        if self.position < position:
            for _ in self:
                if self.position == position:
                    break
        return self.position == position and self.digest == digest

    def batches(self, most_bytes: int, added_bytes: int = 0) -> Iterator[Batch]:
        """
        Give the documents that were not read yet in batches.

        :param most_bytes: The most bytes of a batch of more than one document.
        :param added_bytes: The most bytes that will be added to each document of it.
        :returns: The batches.
        """
        operations: list[Operation] = []
        size, position, digest = 0, self.position, self.digest
        for operation in self:
            more = operation.size() + added_bytes
            if operations and (len(operations) == BATCH_DOCUMENTS or size + more > most_bytes):
                yield Batch(operations, position, digest)
                operations, size = [], 0
            operations.append(operation)
            size += more
            position, digest = self.position, self.digest
        if operations:
            yield Batch(operations, position, digest)

    def close(self) -> None:
        """Let go of the ids."""
        self.ids.close()

    def __enter__(self) -> Self:
        """Begin a context that closes this."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Close this."""
        self.close()
