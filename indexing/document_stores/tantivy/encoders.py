# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Which encoder's vectors may be written into an index, and which document they may be beside."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from haystack import Document
from haystack.document_stores.errors import DocumentStoreError

from answer_selection.indexing.encoder import (
    ENCODER_FIELD,
    FINGERPRINT_FIELD,
    EncoderRecord,
    document_text,
    is_vector_fingerprint,
    maker_of,
    vector_fingerprint,
)
from answer_selection.indexing.passages import unpack
from haystack_integrations.document_stores.tantivy.errors import OtherEncoderError
from haystack_integrations.document_stores.tantivy.vectors import Vectors


def check_encoder(path: Path, vectors: Vectors | None, encoder: EncoderRecord) -> None:
    """
    Make sure that an index can have vectors of an encoder.

    :param path: The store's folder.
    :param vectors: The index's vectors; None if it has no place for any.
    :param encoder: The encoder.
    :raises OtherEncoderError: If those that it has are of another encoder.
    :raises DocumentStoreError: If it has no place for vectors.
    """
    if vectors is None:
        msg = (
            f"the index in {path} was made by an earlier version and has no place for vectors: index its sources into "
            "a new folder"
        )
        raise DocumentStoreError(msg)
    known = vectors.encoder
    if known is not None and known.fingerprint != encoder.fingerprint:
        msg = (
            f"the vectors of the index in {path} are of the encoder {known.name!r} (fingerprint {known.fingerprint}), "
            f"not of {encoder.name!r} ({encoder.fingerprint}): name the first, or index the sources into a new folder "
            "with the other"
        )
        raise OtherEncoderError(msg)


def named_by(documents: Iterable[Document]) -> EncoderRecord | None:
    """
    Say which encoder documents name as that of their embeddings.

    :param documents: The documents.
    :returns: The encoder; None if an embedding has none, they have several, or one is not of its document's text now.
    """
    named = {_named_by(document) for document in documents if document.embedding is not None}
    return named.pop() if len(named) == 1 else None


def _named_by(document: Document) -> EncoderRecord | None:
    claim, fingerprint, embedding = document.meta.get(ENCODER_FIELD), _fingerprint_of(document), document.embedding
    if not isinstance(claim, str) or fingerprint is None or embedding is None:
        return None
    name = claim.partition(" ")[2]
    encoder = EncoderRecord(name, fingerprint.partition("-")[0], len(embedding))
    return encoder if claim == maker_of(name, embedding) and is_vector_of(document, encoder) else None


def _fingerprint_of(document: Document) -> str | None:
    """The fingerprint of a document's embedding; None if it has none, or no embedding."""
    found = None if document.embedding is None else document.meta.get(FINGERPRINT_FIELD)
    return found if isinstance(found, str) and is_vector_fingerprint(found) else None


def without_name(document: Document) -> Document:
    """
    Leave out of a document which encoder made its embedding: the index keeps that once for all.

    :param document: The document, which is not changed.
    :returns: The document without.
    """
    if ENCODER_FIELD not in document.meta or _fingerprint_of(document) is None:
        return document
    return replace(document, meta={key: value for key, value in document.meta.items() if key != ENCODER_FIELD})


def is_vector_of(document: Document, encoder: EncoderRecord) -> bool:
    """
    Say whether a document's embedding is an encoder's, of the text that the document has now.

    :param document: The document.
    :param encoder: The encoder.
    :returns: Whether its fingerprint says so.
    """
    found = document.meta.get(FINGERPRINT_FIELD)
    return bool(found == vector_fingerprint(encoder, document_text(document)))


def has_right_passages(document: Document) -> bool:
    """
    Say whether the vectors of a document's passages can be compared, and are of the encoder and text of its embedding.

    :param document: The document.
    :returns: Whether they are, or there are none.
    """
    try:
        unpack(document.meta, len(document.embedding or []))
    except ValueError:
        return False
    return True


def check_embedding(document: Document, encoder: EncoderRecord) -> None:
    """
    Make sure that a document's vectors are an encoder's, of the text that the document has now.

    :param document: The document.
    :param encoder: The encoder of the index's vectors.
    :raises ValueError: If the embedding's fingerprint does not say so, or the passages can't be compared.
    """
    if is_vector_of(document, encoder):
        try:
            unpack(document.meta, len(document.embedding or []))
        except ValueError as error:
            msg = f"document {document.id!r}: {error}"
            raise ValueError(msg) from error
        return
    found = document.meta.get(FINGERPRINT_FIELD)
    if found is None:
        what = f"has no {FINGERPRINT_FIELD} in its metadata, so that nobody knows whose it is"
    elif str(found).startswith(f"{encoder.fingerprint}-"):
        what = "is of another text than its question and content now"
    else:
        what = f"is another encoder's ({FINGERPRINT_FIELD} {found})"
    msg = (
        f"the embedding of document {document.id!r} {what}. The vectors of the index are of the encoder "
        f"{encoder.name!r}: embed documents by AnswerSelectionDocumentEmbedder with this model, write them without an "
        "embedding, or write all into a new folder"
    )
    raise ValueError(msg)
