# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
How well the words of a question are met by those of an answer, each word as it is meant in its sentence.

One vector of a text says what it is about. It does not say whether "delete" of the question is there, or "remove" in
its place. So each word piece of the question looks for the piece of the answer that is most like it, as in ColBERT
(Khattab and Zaharia 2020, "ColBERT: efficient and effective passage search via contextualized late interaction over
BERT", section 3.3, equation 3):

    s(q, a) = sum_i w_i max_j cos(q_i, a_j) / sum_i w_i

q_i and a_j are a sentence encoder's last states of the pieces, in the directions in which they differ most. The weights
are added: w_i is BM25's idf of the piece among the candidates, as pieces that most of them have tell nothing of them.
"""

import binascii
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Self

import numpy as np
from numpy.typing import NDArray

from answer_selection.indexing.idf import idf_of
from haystack_integrations.components.rankers.answer_selection.mixing import Scores

if TYPE_CHECKING:
    from torch import Tensor


MOST_STEPS: Final = 7
"""The largest of a state's numbers, and with the other sign the smallest: two of them are one byte in a document."""

# Added to a state's numbers, so that none is below 0.
_MIDDLE: Final = 8
_VECTOR: Final = np.dtype("<f2")
_PIECE: Final = np.dtype("<u2")
# Of a state's length, which may be 0.
_LEAST: Final = 1e-6


@dataclass(frozen=True, slots=True)
class ReadText:
    """
    A text as a sentence encoder has read it.

    :param vector: The text's, as far as its encoder reads, at unit length, [d].
    :param pieces: Its word pieces' ids, without the special ones, [n].
    :param states: The pieces' states, of any length, [n, k]; from a :class:`WordReader` whole numbers.
    """

    vector: "Tensor"
    pieces: "Tensor"
    states: "Tensor"

    @property
    def nbytes(self) -> int:
        """What it takes in memory."""
        return self.vector.nbytes + self.pieces.nbytes + self.states.nbytes

    @classmethod
    def joined(cls, windows: Sequence["ReadText"]) -> "ReadText":
        """
        Join what was read of a text in several windows.

        :param windows: The windows in their order, at least one.
        :returns: The text: the vector is that of the first window.
        """
        import torch

        first, *others = windows
        if not others:
            return first
        pieces, states = ([getattr(one, name) for one in windows] for name in ("pieces", "states"))
        return cls(first.vector, torch.cat(pieces), torch.cat(states))

    def clone(self) -> "ReadText":
        """Copy it, as its tensors may be parts of larger ones."""
        return ReadText(self.vector.clone(), self.pieces.clone(), self.states.clone())

    def unit_vector(self) -> NDArray[np.float32]:
        """
        Give the text's vector.

        :returns: The vector, [d].
        """
        return np.asarray(self.vector.numpy(force=True), np.float32)

    def pack(self) -> str:
        """
        Write it: the vector in half precision, the pieces in two bytes each, two numbers of a state in one.

        :returns: Base64.
        """
        shifted = (self.states.numpy() + _MIDDLE).astype(np.uint8)
        nibbles = shifted[:, 0::2] | shifted[:, 1::2] << 4
        parts = (self.unit_vector().astype(_VECTOR), self.pieces.numpy().astype(_PIECE), nibbles)
        return b64encode(b"".join(part.tobytes() for part in parts)).decode("ascii")

    @classmethod
    def unpack(cls, packed: str, dimension: int, directions: int) -> Self | None:
        """
        Read what :meth:`pack` has written.

        :param packed: Base64.
        :param dimension: Numbers of the vector, d.
        :param directions: Numbers of a state, k.
        :returns: The text; None if it is no such text's.
        """
        import torch

        try:
            data = binascii.a2b_base64(packed, strict_mode=True)
        except ValueError:
            return None
        head = dimension * _VECTOR.itemsize
        number, rest = divmod(len(data) - head, _PIECE.itemsize + directions // 2)
        if rest or number < 0:
            return None
        vector = np.frombuffer(data, _VECTOR, dimension).astype(np.float32)
        pieces = np.frombuffer(data, _PIECE, number, head).astype(np.int32)
        nibbles = np.frombuffer(data, np.uint8, offset=head + pieces.size * _PIECE.itemsize).reshape(
            number, directions // 2
        )
        states = np.stack([nibbles & 15, nibbles >> 4], axis=2).reshape(number, directions).astype(np.int8) - _MIDDLE
        if not np.isfinite(vector).all():
            return None
        return cls(*(torch.from_numpy(part) for part in (vector, pieces, states)))


def word_scores(query: ReadText, answers: Sequence[ReadText]) -> Scores:
    """
    Say how well each of a query's candidates meets its words.

    :param query: The query.
    :param answers: The candidates.
    :returns: The scores, between -1 and 1, [n]. An answer without words has the lowest of all. A query without words
        is met alike by all: 0.
    """
    import torch

    from haystack_integrations.components.rankers.answer_selection.models.threads import threads_for

    known = [answer for answer in answers if len(answer.pieces)]
    if not len(query.pieces) or not known:
        return np.zeros(len(answers))
    # [pieces of the query, pieces of all candidates] -> [pieces of the query, candidates]
    states = torch.cat([answer.states for answer in known]).float()
    with threads_for(len(query.pieces) * states.numel()):
        alike = torch.nn.functional.normalize(query.states.float(), dim=-1) @ states.T
        alike /= torch.linalg.vector_norm(states, dim=-1).clamp(min=_LEAST)
    of_each = torch.split(alike, [len(answer.pieces) for answer in known], dim=1)
    best = torch.stack([part.amax(1) for part in of_each], dim=1)
    found = torch.stack([torch.isin(query.pieces, answer.pieces) for answer in answers], dim=1).sum(1).double()
    weights = torch.from_numpy(idf_of(len(answers), found.numpy()))
    met = iter(((weights @ best.double()) / weights.sum()).tolist())
    scores = np.array([next(met) if len(answer.pieces) else np.nan for answer in answers])
    scores[np.isnan(scores)] = np.nanmin(scores)
    return scores
