# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Giving documents their vectors while an index is built: only what is new, or has another text, is encoded."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

import numpy as np
from haystack import Document
from numpy.typing import NDArray

from answer_selection.indexing.encoder import (
    FINGERPRINT_FIELD,
    EncoderRecord,
    TextEncoder,
    document_text,
    vector_fingerprint,
)
from answer_selection.indexing.passages import PASSAGES_FIELD, document_passages, pack, usable, without

BATCH: Final = 1000
"""Documents that are encoded and then written together: a killed run loses no more."""


class Embedded(NamedTuple):
    """
    Documents with embeddings.

    :param documents: The documents.
    :param encoded: How many of them got vectors that were made now; the others had theirs.
    """

    documents: list[Document]
    encoded: int


def embed(
    encoder: TextEncoder, documents: Sequence[Document], stored: Iterable[Document], *, passages: bool = True
) -> Embedded:
    """
    Give documents embeddings, the vectors of their passages, and the fingerprints of these.

    :param encoder: Makes the vectors; equal texts are encoded once.
    :param documents: The documents, which are never changed.
    :param stored: The documents with these ids that the index has. If the fingerprint of one is that of the encoder and
        the text, its vectors are kept.
    :param passages: Whether the index has passages.
    :returns: The documents in the same order.
    :raises ValueError: If a vector of a passage is none.
    """
    known = {document.id: document for document in stored if document.embedding is not None}
    entries = [_Entry(document, encoder.record, known.get(document.id), passages) for document in documents]
    texts = dict.fromkeys(text for entry in entries for text in entry.missing())
    vectors = dict(zip(texts, encoder.encode(list(texts)), strict=True)) if texts else {}
    return Embedded([entry.embedded(vectors) for entry in entries], sum(bool(entry.missing()) for entry in entries))


class _Entry:
    """A document, and what the index has of its vectors."""

    def __init__(self, document: Document, encoder: EncoderRecord, known: Document | None, passages: bool) -> None:
        self._document = document
        self._text = document_text(document)
        self._fingerprint = vector_fingerprint(encoder, self._text)
        self._passages = document_passages(document) if passages else []
        self._embedding: list[float] | None = None
        self._packed: str | None = None
        if known is not None and known.meta.get(FINGERPRINT_FIELD) == self._fingerprint:
            self._embedding = known.embedding
            vectors = usable(known.meta, encoder.dimension)
            if vectors is not None and len(vectors) == len(self._passages):
                self._packed = known.meta[PASSAGES_FIELD]

    def missing(self) -> list[str]:
        """The texts that have to be encoded."""
        passages = [] if self._packed is not None else self._passages
        return passages if self._embedding is not None else [self._text, *passages]

    def embedded(self, vectors: Mapping[str, NDArray[np.float32]]) -> Document:
        """Give the document, with vectors of texts that were encoded now."""
        embedding = vectors[self._text].tolist() if self._embedding is None else self._embedding
        meta = {**without(self._document.meta), FINGERPRINT_FIELD: self._fingerprint}
        if self._packed is not None:
            meta[PASSAGES_FIELD] = self._packed
        elif self._passages:
            found = np.stack([vectors[text] for text in self._passages])
            meta[PASSAGES_FIELD] = pack(self._fingerprint, found, f"document {self._document.id!r}")
        return replace(self._document, embedding=embedding, meta=meta)
