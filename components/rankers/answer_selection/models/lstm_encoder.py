# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""An LSTM over texts of different lengths, in one direction or both."""

import torch
from torch import Tensor, nn


class LSTMEncoder(nn.Module):
    """
    A vector a word: the states of an LSTM, and beside them those of a second one that reads from the end.

    The second one gets the texts turned round, each by its own length, so that padding comes last for it too and no
    state has seen any. That is faster than packed sequences, and needs no lengths on the CPU.
    """

    def __init__(self, size_in: int, hidden_size: int, *, bidirectional: bool = True) -> None:
        """
        Create the layers.

        :param size_in: the size of a word's vector.
        :param hidden_size: the size of a state, per direction.
        :param bidirectional: whether there is a second direction.
        """
        super().__init__()
        self.forwards = nn.LSTM(size_in, hidden_size, batch_first=True)
        self.backwards = nn.LSTM(size_in, hidden_size, batch_first=True) if bidirectional else None
        self.size = hidden_size * (1 + bidirectional)

    def forward(self, values: Tensor, lengths: Tensor) -> Tensor:
        """
        Read texts.

        :param values: their words' vectors [N, L, size_in].
        :param lengths: [N], at least 1.
        :returns: the states [N, L, size], those of the second direction behind those of the first; beyond a row's
            length they say nothing.
        """
        states: Tensor = self.forwards(values)[0]
        if self.backwards is None:
            return states
        from_the_end = self.backwards(_turned(values, lengths))[0]
        return torch.cat([states, _turned(from_the_end, lengths)], dim=-1)


def _turned(values: Tensor, lengths: Tensor) -> Tensor:
    """Each row's words in the opposite order; beyond its length its first word, again and again."""
    places = (lengths.unsqueeze(1) - 1 - torch.arange(values.shape[1], device=lengths.device)).clamp(min=0)
    return values.gather(1, places.unsqueeze(-1).expand_as(values))
