# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The forget-gate recurrence where no kernel is at hand: one torch operation a step, written into place."""

import torch
from torch import Tensor
from torch.nn import functional


def forward(f: Tensor, z: Tensor, lengths: Tensor) -> Tensor:
    """See :func:`recurrence_numba.forward`; any dtype and device."""
    c = torch.empty_like(z, memory_format=torch.contiguous_format)
    previous = torch.zeros_like(z[:, 0])
    for t in range(f.shape[1]):
        torch.lerp(z[:, t], previous, f[:, t], out=c[:, t])
        previous = c[:, t]
    return c.mul_(_steps_within(lengths, c))


def backward(f: Tensor, z: Tensor, lengths: Tensor, c: Tensor, d_c: Tensor) -> tuple[Tensor, Tensor]:
    """See :func:`recurrence_numba.backward`; any dtype and device."""
    # From the right: total_t = d_c_t + f_{t+1} total_{t+1}; steps from a row's length on give nothing.
    total = d_c * _steps_within(lengths, c)
    for t in range(f.shape[1] - 2, -1, -1):
        total[:, t].addcmul_(f[:, t + 1], total[:, t + 1])
    previous = functional.pad(c[:, :-1], (0, 0, 1, 0))
    d_f = (previous - z).mul_(total)
    kept = f * total
    return d_f, total - kept


def _steps_within(lengths: Tensor, like: Tensor) -> Tensor:
    """1 at a row's steps, 0 from its length on: [B, L, 1]."""
    return (torch.arange(like.shape[1], device=like.device) < lengths.unsqueeze(1)).unsqueeze(-1).to(like.dtype)
