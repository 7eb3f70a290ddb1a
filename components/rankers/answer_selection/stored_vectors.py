# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
Answers' vectors in documents: where they are, and the fingerprint that says of which model and text they are.

A fingerprint has three parts: of the model, of the exact text that was encoded, and of the vector itself. A vector is
used only where all three are right, so that one of another model, of an answer that has changed since, or one that was
overwritten by another component is never taken for the answer's own.
"""

import binascii
import struct
import zlib
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, NamedTuple

import numpy as np
from haystack import Document
from numpy.typing import NDArray

from answer_selection.indexing.encoder import text_fingerprint
from haystack_integrations.components.rankers.answer_selection.models.record import StoredVector

Vector = NDArray[np.float32]

_MENDED_BY: Final = (
    "encode the answers as this pipeline reads them (`answer-selection encode --model MODEL`, or `--pipeline FILE` for "
    "a pipeline of your own)"
)


class StoredVectorError(ValueError):
    """A document has no vector that can be used, and was asked to; the message says what it has and what it should."""


def answer_fingerprint(model: str, text: str) -> str:
    """
    Give the beginning of a fingerprint, which model and text decide.

    :param model: The model's fingerprint.
    :param text: The text that is encoded.
    :returns: Both, with a hyphen at the end.
    """
    return f"{text_fingerprint(model, text)}-"


def vector_bytes(stored: StoredVector, size: int) -> bytes | None:
    """
    Read a vector that a document keeps.

    :param stored: What the document keeps, whose fingerprint is of the right model and text.
    :param size: The vector's size.
    :returns: The vector's numbers, little-endian single precision; None if it is not the one that was written.
    """
    values = stored.values
    try:
        # Of the ways from a list of Python's numbers to bytes this is the fastest, by half.
        data = binascii.a2b_base64(values) if isinstance(values, str) else struct.pack(f"<{len(values)}f", *values)
    except (TypeError, ValueError, OverflowError, struct.error):
        return None
    return data if len(data) == 4 * size and stored.fingerprint.endswith(_checksum(data)) else None


def problem(document_id: str, found: str | None, expected: str) -> StoredVectorError:
    """
    Say why a document's vector cannot be used.

    :param document_id: The document.
    :param found: Its fingerprint, or None if it has none.
    :param expected: The beginning of the one that it should have.
    :returns: The error to raise.
    """
    return StoredVectorError(
        f"document '{document_id}' has no vector that this model can use: {_why(found, expected)} (fingerprint found: "
        f"{found}, expected: {expected}...); {_MENDED_BY}, or leave strict_vectors out to encode such answers for each "
        "question"
    )


def warning(unused: Sequence[tuple[str, str, str]], total: int) -> str:
    """
    Say that answers are encoded although their documents bring vectors.

    :param unused: Of each such document its id, its fingerprint, and the beginning of the one that it should have.
    :param total: How many documents there were.
    :returns: The warning's text.
    """
    document_id, found, expected = unused[0]
    return (
        f"{len(unused)} of {total} documents bring vectors that this model cannot use. Their answers are encoded for "
        f"the question, which is slower. The first is '{document_id}': {_why(found, expected)}. This is logged once; "
        f"{_MENDED_BY}"
    )


def _why(found: str | None, expected: str) -> str:
    if found is None:
        return "it has none"
    if found.partition("-")[0] != expected.partition("-")[0]:
        return "it is another model's"
    if not found.startswith(expected):
        return "it is of another text: the answer, or meta_fields_to_embed, has changed since"
    return "it is not the one that was written: the store leaves it out, or something has changed it"


@dataclass(frozen=True, slots=True)
class VectorPlace:
    """
    Where documents keep vectors and fingerprints.

    :param meta_field: The metadata key of the vector, where it is base64 of little-endian single precision; None is
        `Document.embedding`.
    :param fingerprint_field: The metadata key of the fingerprint: the vector's, or `embedding`, with `_fingerprint` at
        its end.
    """

    meta_field: str | None = None
    fingerprint_field: str = field(init=False)

    def __post_init__(self) -> None:
        """
        Names the fingerprint after the vector.

        :raises ValueError: If the key is the empty string.
        """
        if self.meta_field == "":
            msg = "vector_meta_field must be a metadata key, or None for Document.embedding, but got ''"
            raise ValueError(msg)
        object.__setattr__(self, "fingerprint_field", f"{self.meta_field or 'embedding'}_fingerprint")

    def fingerprint(self, document: Document) -> str | None:
        """
        Read a document's fingerprint.

        :param document: The document.
        :returns: Its fingerprint; None if it has none.
        """
        found = document.meta.get(self.fingerprint_field)
        return found if isinstance(found, str) else None

    def values(self, document: Document) -> Sequence[float] | str | None:
        """
        Read a document's vector as it is kept.

        :param document: The document.
        :returns: The vector; None if it has none.
        """
        return document.embedding if self.meta_field is None else document.meta.get(self.meta_field)

    def change(self, vector: Vector, fingerprint: str) -> "VectorChange":
        """
        Give what a document is to keep.

        :param vector: The answer's vector [d].
        :param fingerprint: The beginning that :func:`answer_fingerprint` gives.
        :returns: What is new in the document.
        """
        if self.meta_field is not None:
            data = vector.astype("<f4").tobytes()
            kept = {self.meta_field: b64encode(data).decode("ascii")}
            return VectorChange(None, {**kept, self.fingerprint_field: fingerprint + _checksum(data)})
        embedding = _short(vector)
        checksum = _checksum(np.array(embedding, "<f4").tobytes())
        return VectorChange(embedding, {self.fingerprint_field: fingerprint + checksum})


class VectorChange(NamedTuple):
    """
    What is new in a document that gets a vector.

    :param embedding: Its embedding; None leaves that as it is.
    :param meta: Metadata.
    """

    embedding: list[float] | None
    meta: dict[str, Any]

    def apply(self, document: Document) -> Document:
        """
        Give a document that keeps the vector.

        :param document: The document, which is left as it is.
        :returns: A new document.
        """
        embedding = document.embedding if self.embedding is None else self.embedding
        return replace(document, embedding=embedding, meta={**document.meta, **self.meta})


def _checksum(data: bytes) -> str:
    return f"{zlib.crc32(data):08x}"


def _short(vector: Vector) -> list[float]:
    """
    Round to eight digits of the largest number: what single precision knows of it.

    As JSON it is then half as long, and read in less than half the time.
    """
    largest = float(np.abs(vector).max(initial=0.0))
    digits = 8 - int(np.ceil(np.log10(largest))) if largest else 0
    rounded: list[float] = np.round(vector.astype(np.float64), digits).tolist()
    return rounded
