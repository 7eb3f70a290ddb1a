# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""A sentence encoder that costs nothing: a text's vector is drawn by its hash."""

import hashlib
from collections.abc import Sequence

import numpy as np

from answer_selection.indexing.encoder import EncoderRecord


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
