# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Giving documents their embeddings while an index is built: only what is new, or has another text, is encoded."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from haystack import Document

from answer_selection.indexing.encoder import FINGERPRINT_FIELD, TextEncoder, document_text, vector_fingerprint

BATCH: Final = 1000
"""Documents that are encoded and then written together: a killed run loses no more."""


class Embedded(NamedTuple):
    """
    Documents with embeddings.

    :param documents: The documents.
    :param encoded: How many of them got an embedding that was made now; the others had theirs.
    """

    documents: list[Document]
    encoded: int


def embed(encoder: TextEncoder, documents: Sequence[Document], stored: Iterable[Document]) -> Embedded:
    """
    Give documents embeddings and the fingerprints of these.

    :param encoder: Makes the embeddings; equal texts are encoded once.
    :param documents: The documents, which are never changed.
    :param stored: The documents with these ids that the index has. If the fingerprint of one is that of the encoder and
        the text, its embedding is kept.
    :returns: The documents in the same order.
    """
    known = {
        document.id: (document.meta.get(FINGERPRINT_FIELD), document.embedding)
        for document in stored
        if document.embedding is not None
    }
    texts = [document_text(document) for document in documents]
    fingerprints = [vector_fingerprint(encoder.record, text) for text in texts]
    embeddings: list[list[float] | None] = []
    for document, fingerprint in zip(documents, fingerprints, strict=True):
        found, embedding = known.get(document.id, (None, None))
        embeddings.append(embedding if found == fingerprint else None)

    new = [text for text, embedding in zip(texts, embeddings, strict=True) if embedding is None]
    distinct = list(dict.fromkeys(new))
    vectors = dict(zip(distinct, encoder.encode(distinct).tolist(), strict=True)) if distinct else {}
    with_embeddings = [
        replace(
            document,
            embedding=vectors[text] if embedding is None else embedding,
            meta={**document.meta, FINGERPRINT_FIELD: fingerprint},
        )
        for document, text, embedding, fingerprint in zip(documents, texts, embeddings, fingerprints, strict=True)
    ]
    return Embedded(with_embeddings, len(new))
