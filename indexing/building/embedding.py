# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Giving documents vectors and word states while an index is built: only what is new, or has another text, is read."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

import numpy as np
from haystack import Document
from numpy.typing import NDArray

from answer_selection.indexing.computed_fields import COMPUTED_FIELDS
from answer_selection.indexing.encoder import (
    FINGERPRINT_FIELD,
    EncoderRecord,
    TextEncoder,
    document_text,
    vector_fingerprint,
)
from answer_selection.indexing.passages import PASSAGES_FIELD, document_passages, pack, usable, without
from answer_selection.indexing.word_states import (
    WORDS_FIELD,
    ReadEntry,
    ReadsWords,
    stored_words,
    word_fingerprint,
    words_meta,
)

BATCH: Final = 100
"""Documents that are encoded and then written together: a killed run loses no more, some seconds of one core."""


class Embedded(NamedTuple):
    """
    Documents with embeddings.

    :param documents: The documents.
    :param encoded: How many of them got vectors that were made now; the others had theirs.
    """

    documents: list[Document]
    encoded: int


def embed(
    encoder: TextEncoder,
    documents: Sequence[Document],
    stored: Iterable[Document],
    *,
    passages: bool = True,
    words: ReadsWords | None = None,
) -> Embedded:
    """
    Give documents embeddings, the vectors of their passages, the states of their words, and the fingerprints of these.

    :param encoder: Makes the vectors; equal texts are encoded once.
    :param documents: The documents, which are never changed.
    :param stored: The documents with these ids that the index has. If the fingerprint of one is that of the encoder and
        the text, its vectors are kept.
    :param passages: Whether the index has passages.
    :param words: Reads the documents' words; None leaves their states out. What it reads with the same encoder is not
        encoded a second time.
    :returns: The documents in the same order.
    :raises ValueError: If a vector of a passage is none.
    """
    known = {document.id: document for document in stored if document.embedding is not None}
    entries = [_Entry(document, encoder.record, known.get(document.id), passages, words) for document in documents]
    read: dict[str, ReadEntry] = {}
    vectors: dict[str, NDArray[np.float32]] = {}
    if words is not None and (unread := list(dict.fromkeys(entry.text for entry in entries if not entry.is_read))):
        read = dict(zip(unread, words.read(unread), strict=True))
        if words.encoder.fingerprint == encoder.record.fingerprint:
            vectors = {text: each.unit_vector() for text, each in read.items()}
    texts = dict.fromkeys(text for entry in entries for text in entry.missing() if text not in vectors)
    vectors |= dict(zip(texts, encoder.encode(list(texts)), strict=True)) if texts else {}
    new = sum(bool(entry.missing()) or not entry.is_read for entry in entries)
    return Embedded([entry.embedded(vectors, read) for entry in entries], new)


def meta_of(document: Document) -> dict[str, str]:
    """
    Give the metadata that :func:`embed` writes.

    :param document: A document that it gave.
    :returns: The embedding's fingerprint and, where there are some, passages and word states, by their keys.
    """
    return {key: document.meta[key] for key in COMPUTED_FIELDS if key in document.meta}


class _Entry:
    """A document, and what the index has of its vectors."""

    def __init__(
        self,
        document: Document,
        encoder: EncoderRecord,
        known: Document | None,
        passages: bool,
        words: ReadsWords | None,
    ) -> None:
        self._document = document
        self.text = document_text(document)
        self._fingerprint = vector_fingerprint(encoder, self.text)
        self._passages = document_passages(document) if passages else []
        self._embedding: list[float] | None = None
        self._packed: str | None = None
        self._word_fingerprint = None if words is None else word_fingerprint(words.fingerprint, self.text)
        self._words: str | None = None
        if known is not None and known.meta.get(FINGERPRINT_FIELD) == self._fingerprint:
            self._embedding = known.embedding
            vectors = usable(known.meta, encoder.dimension)
            if vectors is not None and len(vectors) == len(self._passages):
                self._packed = known.meta[PASSAGES_FIELD]
        if known and self._word_fingerprint and stored_words(known.meta, self._word_fingerprint) is not None:
            self._words = known.meta[WORDS_FIELD]

    @property
    def is_read(self) -> bool:
        """Whether the states of its words are there, or nobody wants them."""
        return self._words is not None or self._word_fingerprint is None

    def missing(self) -> list[str]:
        """The texts that have to be encoded."""
        passages = [] if self._packed is not None else self._passages
        return passages if self._embedding is not None else [self.text, *passages]

    def embedded(self, vectors: Mapping[str, NDArray[np.float32]], read: Mapping[str, ReadEntry]) -> Document:
        """Give the document, with vectors of texts that were encoded now, and what was read."""
        embedding = vectors[self.text].tolist() if self._embedding is None else self._embedding
        meta = {**without(self._document.meta), FINGERPRINT_FIELD: self._fingerprint}
        if self._packed is not None:
            meta[PASSAGES_FIELD] = self._packed
        elif self._passages:
            found = np.stack([vectors[text] for text in self._passages])
            meta[PASSAGES_FIELD] = pack(self._fingerprint, found, f"document {self._document.id!r}")
        if self._words is not None:
            meta[WORDS_FIELD] = self._words
        elif self._word_fingerprint is not None:
            meta[WORDS_FIELD] = words_meta(read[self.text], self._word_fingerprint)
        return replace(self._document, embedding=embedding, meta=meta)
