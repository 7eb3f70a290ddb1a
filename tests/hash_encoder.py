# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""A sentence encoder that costs nothing, a text's vector is drawn by its hash, and a reader of words over it."""

import hashlib
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from answer_selection.indexing.encoder import EncoderRecord
from answer_selection.indexing.word_states import word_fingerprint


class HashEncoder:
    """
    Makes unit vectors, and keeps which texts it was given.

    :param name: Its name, of which its vectors depend too.
    :param dimension: Numbers a vector.
    """

    def __init__(self, name: str = "hash", dimension: int = 16) -> None:
        fingerprint = hashlib.blake2b(f"{name} {dimension}".encode(), digest_size=8).hexdigest()
        self.record = EncoderRecord(name, fingerprint, dimension)
        self.texts: list[str] = []

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        self.texts.extend(texts)
        vectors = np.stack([self._draw(text) for text in texts])
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)

    def _draw(self, text: str) -> np.ndarray:
        seed = hashlib.blake2b(f"{self.record.name}\0{text}".encode(), digest_size=8).digest()
        return np.random.default_rng(int.from_bytes(seed, "big")).standard_normal(self.record.dimension, np.float32)


class HashRead(NamedTuple):
    """A text as it was read."""

    text: str
    vector: np.ndarray

    def unit_vector(self) -> np.ndarray:
        return self.vector

    def pack(self) -> str:
        return hashlib.blake2b(self.text.encode(), digest_size=8).hexdigest()


class HashReader:
    """
    Reads words as `HashEncoder` encodes, and keeps which texts it was given.

    :param encoder: The encoder that it reads with.
    :param name: Its name, on which its fingerprint depends.
    """

    most_bytes = 60

    def __init__(self, encoder: HashEncoder, name: str = "reader") -> None:
        self._encoder, self.fingerprint = HashEncoder(encoder.record.name, encoder.record.dimension), name
        self.encoder = encoder.record
        self.texts: list[str] = []

    def read(self, texts: Sequence[str]) -> list[HashRead]:
        self.texts.extend(texts)
        return [HashRead(*each) for each in zip(texts, self._encoder.encode(texts), strict=True)]

    def stored(self, text: str) -> str:
        """What a document of this text has."""
        return f"{word_fingerprint(self.fingerprint, text)}:{HashRead(text, np.zeros(0)).pack()}"
