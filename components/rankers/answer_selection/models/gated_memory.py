# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
GSAMN's memory and its gate.

Lai, Tran, Bui and Kihara 2019, "A Gated Self-attention Memory Network for Answer Selection" (EMNLP), sections 2.1 to
2.3. The encoder's output is the memory x_1 … x_n, and a learned vector the controller c. In each hop every one of them
attends to all, itself and the controller included, and what it finds is its gate:

    v_j = W x_j + b,  v_c = W c + b
    a_i = softmax(x_i·v_1, …, x_i·v_n, x_i·v_c)
    g_i = sigmoid(Σ_j a_i^j x_j + a_i^c c),  and g_c the same with c in x_i's place
    x_i ← g_i ⊙ x_i,  c ← g_c ⊙ c + mean_i(x_i)

W and b are the same in all hops: the paper's f has no number of its hop. The b of v_j adds the same x_i·b to all that
x_i is compared with, so that the softmax never sees it; the paper has it.
"""

from collections.abc import Iterator
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional


class _Hop(NamedTuple):
    """
    One hop.

    :param asking: who attends: memory and controller, or the controller alone [N, L + 1 or 1, d].
    :param everything: memory and controller before the hop [N, L + 1, d].
    :param seen: False for padding [N, 1, L + 1].
    :param controller: the controller after the hop [N, 1, d].
    """

    asking: Tensor
    everything: Tensor
    seen: Tensor
    controller: Tensor


class GatedMemory(nn.Module):
    """
    The memory and its controller.

    :param size: d.
    :param hops: how often they are updated.
    :param gate: whether what is attended to becomes a gate; False is plain self-attention, where it takes the place of
        what was gated.
    :param update_memory: whether the memory changes; False updates the controller alone.
    """

    def __init__(self, size: int, *, hops: int = 2, gate: bool = True, update_memory: bool = True) -> None:
        super().__init__()
        self.hops, self.gate, self.update_memory = hops, gate, update_memory
        self.controller = nn.Parameter(torch.zeros(size))
        self.projection = nn.Linear(size, size)

    def forward(self, memory: Tensor, real: Tensor) -> Tensor:
        """
        Read the memory.

        :param memory: x, [N, L, d].
        :param real: False for padding [N, L]; every row has a token.
        :returns: the controller after the last hop [N, d].
        """
        *_, hop = self._hops(memory, real)
        return hop.controller.squeeze(1)

    def attention(self, memory: Tensor, real: Tensor) -> Tensor:
        """
        What the controller attends to.

        :param memory: x, [N, L, d].
        :param real: False for padding [N, L]; every row has a token.
        :returns: a_c of each hop [hops, N, L + 1], the last number that for itself; each row sums to 1.
        """
        places = torch.eye(memory.shape[1] + 1, dtype=memory.dtype, device=memory.device).expand(len(memory), -1, -1)
        # What it finds where each place holds its own number alone are the shares.
        found = [self._find(hop.asking[:, -1:], hop.everything, places, hop.seen) for hop in self._hops(memory, real)]
        return torch.cat(found, dim=1).transpose(0, 1)

    def _hops(self, memory: Tensor, real: Tensor) -> Iterator[_Hop]:
        x, c = memory, self.controller.expand(len(memory), 1, -1).to(memory.dtype)
        seen = functional.pad(real, (0, 1), value=True).unsqueeze(1)  # [N, 1, L + 1]: the controller is never padding
        share = (real / real.sum(dim=1, keepdim=True)).unsqueeze(1).to(x.dtype)  # [N, 1, L]
        for _ in range(self.hops):
            everything = torch.cat([x, c], dim=1)
            asking = everything if self.update_memory else c
            found = self._find(asking, everything, everything, seen)
            updated = torch.sigmoid(found) * asking if self.gate else found
            if self.update_memory:
                x = updated[:, :-1]
            c = updated[:, -1:] + share @ x
            yield _Hop(asking, everything, seen, c)

    def _find(self, asking: Tensor, everything: Tensor, values: Tensor, seen: Tensor) -> Tensor:
        """Σ_j a^j value_j for those who ask."""
        keys = self.projection(everything)
        return functional.scaled_dot_product_attention(asking, keys, values, attn_mask=seen, scale=1.0)
