# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Sentence encoders as an index sees them: what one is, which one made its vectors, and the text that is encoded."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from haystack import Document

FINGERPRINT_FIELD: Final = "embedding_fingerprint"
"""The metadata key that says which encoder and which text a document's embedding is of."""

ENCODER_FIELD: Final = "embedding_encoder"
"""
The metadata key by which the document embedder tells an index the name of its encoder: so commands can ask an index by
vectors that a pipeline made. The index keeps the name once, and no longer in the document. See :func:`maker_of`.
"""


@dataclass(frozen=True, slots=True)
class EncoderRecord:
    """
    Which encoder made an index's vectors.

    :param name: What loads it again: a folder, a name on the hub, or the name of the encoder of this package.
    :param fingerprint: Tells apart encoders whose vectors are different; it is of weights and vocabulary, not of the
        name.
    :param dimension: Numbers a vector.
    """

    name: str
    fingerprint: str
    dimension: int


class TextEncoder(Protocol):
    """Makes texts' vectors."""

    @property
    def record(self) -> EncoderRecord:
        """What an index keeps of this encoder."""

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """
        Encode texts, questions and entries alike.

        :param texts: The texts.
        :returns: Their vectors at unit length, [n, dimension].
        """


def entry_text(question: str | None, answer: str) -> str:
    """
    Give the text that an entry's vector is made of: the question and the answer in one.

    :param question: The entry's question, or None.
    :param answer: Its answer.
    :returns: The text.
    """
    return f"{question} {answer}" if question else answer


def document_text(document: "Document") -> str:
    """
    Give the text that a document's vector is made of.

    :param document: The document of an entry.
    :returns: The text.
    """
    return entry_text(entry_question(document), document.content or "")


def entry_question(document: "Document") -> str | None:
    """
    Give the question that a document's vectors are made with.

    :param document: The document of an entry.
    :returns: Its question; None if it has none that is a text.
    """
    question = document.meta.get("question")
    return question if isinstance(question, str) else None


def text_fingerprint(maker: str, text: str) -> str:
    """
    Say what was made of which text, and by what.

    :param maker: The fingerprint of what made it.
    :param text: The text.
    :returns: The maker's fingerprint and a digest of the text.
    """
    return f"{maker}-{hashlib.blake2b(text.encode('utf-8', 'surrogatepass'), digest_size=8).hexdigest()}"


def vector_fingerprint(encoder: EncoderRecord, text: str) -> str:
    """
    Say which encoder and which text a vector is of.

    :param encoder: The encoder.
    :param text: The text.
    :returns: The encoder's fingerprint and a digest of the text.
    """
    return text_fingerprint(encoder.fingerprint, text)


def maker_of(name: str, embedding: Sequence[float]) -> str:
    """
    Say which encoder made an embedding, so that it says nothing of another one that takes its place.

    :param name: The encoder's name.
    :param embedding: The embedding.
    :returns: A digest of the embedding, and the name.
    """
    digest = hashlib.blake2b(np.asarray(embedding, np.float32).tobytes(), digest_size=8).hexdigest()
    return f"{digest} {name}"


def is_vector_fingerprint(fingerprint: str) -> bool:
    """
    Say whether a fingerprint is one of :func:`vector_fingerprint`. Those of rankers have a third part, of the vector.

    :param fingerprint: The fingerprint.
    :returns: Whether it is.
    """
    return fingerprint.count("-") == 1
