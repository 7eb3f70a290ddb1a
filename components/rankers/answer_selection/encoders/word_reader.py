# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
The package's sentence encoder as a reader of words, whose states are small enough to be kept with every entry.

A state has 384 numbers in single precision. What tells words apart is in far fewer: states are seen from their mean, in
the directions in which those of many texts differ most (principal components), and rounded to 4 bits. Of 126 word
pieces, the most that the encoder reads at once, 7 kilobytes are left of 190, and questions to FAQs are answered as well
as before. `python pipelines/experiments/word_directions.py` makes the file of mean and directions.

Most answers are longer than that. The one vector of a text needs no more, as passages have vectors of their own, but
each word of a question should find its like wherever it stands. So an answer is read in up to four windows.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Final, Self

import torch
from haystack.utils import ComponentDevice
from safetensors.torch import load
from torch import Tensor

from answer_selection.indexing.batched import batched
from answer_selection.indexing.encoder import EncoderRecord
from haystack_integrations.components.rankers.answer_selection.encoders.sentence_encoder import (
    BATCH_SIZE,
    SentenceEncoder,
)
from haystack_integrations.components.rankers.answer_selection.models.model_folder import refused
from haystack_integrations.components.rankers.answer_selection.word_match import MOST_STEPS, ReadText

FILE: Final = Path(__file__).parent / "word_directions.safetensors"
MEAN: Final = "mean"
DIRECTIONS: Final = "directions"

# To be raised when the same files would give other states.
_VERSION: Final = 2
# Of a text; each is as long as the encoder reads.
_WINDOWS: Final = 4
_LEAST: Final = 1e-6
# Of a text, where an encoder reads any number.
_TOKENS: Final = 512
# Texts whose whole states are in memory at a time, which take twelve times as much.
_SLICE: Final = 256


class WordReader:
    """
    Reads texts word by word; several threads may use it at once.

    It is a :class:`answer_selection.indexing.word_states.ReadsWords`.
    """

    def __init__(self, encoder: SentenceEncoder, mean: Tensor, directions: Tensor, fingerprint: str) -> None:
        """
        Creates the reader; see :meth:`load`.

        :param encoder: The package's encoder.
        :param mean: The mean of its states, [d].
        :param directions: The directions, at unit length, [d, k].
        :param fingerprint: Tells apart readers that read differently.
        """
        self._encoder, self._mean, self._directions = encoder, mean, directions
        self.fingerprint = fingerprint

    @classmethod
    def load(cls, *, device: ComponentDevice | None = None) -> Self:
        """
        Reads what comes with the package; the encoder is the one that is in memory already, if one is.

        :param device: Where it runs. None is the first accelerator that is there, else the CPU.
        :returns: The reader.
        :raises ModelFolderError: If a file is missing or damaged.
        """
        encoder = SentenceEncoder.load(device=device)
        with refused(f"{FILE} cannot be read"):
            data = FILE.read_bytes()
            held = load(data)
            mean, directions = held[MEAN].float(), held[DIRECTIONS].float()
        digest = hashlib.blake2b(f"{_VERSION} {encoder.record.fingerprint} ".encode(), digest_size=8)
        digest.update(data)
        return cls(encoder, mean, directions, digest.hexdigest())

    @property
    def encoder(self) -> EncoderRecord:
        """The encoder that it reads with."""
        return self._encoder.record

    @cached_property
    def known_words(self) -> frozenset[str]:
        """The whole words of its vocabulary, in small letters: those that it takes as they are."""
        return frozenset(self._encoder.words)

    @property
    def directions(self) -> int:
        """Numbers of a state."""
        return self._directions.shape[1]

    @property
    def most_bytes(self) -> int:
        """The most that a text takes in a document: in base64, with its fingerprint."""
        pieces = _WINDOWS * (self._encoder.longest or _TOKENS)
        return (2 * self.encoder.dimension + pieces * (2 + self.directions // 2)) * 4 // 3 + 64

    def read(self, texts: Sequence[str], batch_size: int = BATCH_SIZE) -> list[ReadText]:
        """
        Read texts.

        :param texts: The texts; what does not fit into four windows loses its end.
        :param batch_size: How many windows go through the network at once.
        :returns: Their vectors, as the encoder gives them, and their pieces' states in few directions.
        """
        return [
            replace(one, states=self._rounded(one.states))
            for some in batched(texts, _SLICE)
            for one in self._encoder.read(some, batch_size, _WINDOWS)
        ]

    def unpack(self, packed: str) -> ReadText | None:
        """
        Read what was kept of a text.

        :param packed: What :meth:`ReadText.pack` gave.
        :returns: The text; None if it is nothing that this reader has read.
        """
        return ReadText.unpack(packed, self.encoder.dimension, self.directions)

    def _rounded(self, states: Tensor) -> Tensor:
        seen = (states.float() - self._mean) @ self._directions
        steps = seen.abs().amax(1, keepdim=True).clamp(min=_LEAST) / MOST_STEPS
        return torch.round(seen / steps).to(torch.int8)
