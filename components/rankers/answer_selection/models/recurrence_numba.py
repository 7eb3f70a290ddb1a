# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The forget-gate recurrence on the CPU: machine code by numba, forward and backward, divided over the batch."""

from typing import Any

import numpy as np
import torch
from torch import Tensor

from haystack_integrations.components.rankers.answer_selection.models.numba_kernels import in_parallel, jit

# Arrays arrive flat, with the strides of batch and time beside them: numba then knows that a row's elements are
# neighbours (and vectorises), while gates may still be slices of one wider array.


@jit
def _forward(  # type: ignore[no-untyped-def] # noqa: ANN202
    f, z, lengths, c, nothing, start, stop, steps, size, f_batch, f_time, z_batch, z_time  # noqa: ANN001
):  # fmt: skip
    for b in range(start, stop):
        previous = nothing
        length = lengths[b]
        for t in range(length):
            at_f = b * f_batch + t * f_time
            at_z = b * z_batch + t * z_time
            at = (b * steps + t) * size
            f_row = f[at_f : at_f + size]
            z_row = z[at_z : at_z + size]
            c_row = c[at : at + size]
            for i in range(size):
                c_row[i] = z_row[i] + f_row[i] * (previous[i] - z_row[i])
            previous = c_row
        c[(b * steps + length) * size : (b + 1) * steps * size] = 0


@jit
def _backward(  # type: ignore[no-untyped-def] # noqa: ANN202
    f, z, lengths, c, nothing, d_c, d_f, d_z,  # noqa: ANN001
    start, stop, steps, size, f_batch, f_time, z_batch, z_time,  # noqa: ANN001
):  # fmt: skip
    for b in range(start, stop):
        carry = np.zeros_like(nothing)
        length = lengths[b]
        d_f[(b * steps + length) * size : (b + 1) * steps * size] = 0
        d_z[(b * steps + length) * size : (b + 1) * steps * size] = 0
        for t in range(length - 1, -1, -1):
            at_f = b * f_batch + t * f_time
            at_z = b * z_batch + t * z_time
            at = (b * steps + t) * size
            f_row = f[at_f : at_f + size]
            z_row = z[at_z : at_z + size]
            d_c_row = d_c[at : at + size]
            d_f_row = d_f[at : at + size]
            d_z_row = d_z[at : at + size]
            previous = c[at - size : at] if t > 0 else nothing
            for i in range(size):
                total = carry[i] + d_c_row[i]
                kept = f_row[i] * total
                d_f_row[i] = total * (previous[i] - z_row[i])
                d_z_row[i] = total - kept
                carry[i] = kept


def _flat(x: Tensor) -> np.ndarray[Any, Any]:
    """The memory from the first to the last element of x [B, L, d], whose last dimension is contiguous."""
    span = sum((size - 1) * stride for size, stride in zip(x.shape, x.stride(), strict=True)) + 1
    return x.as_strided((span,), (1,)).numpy()


def forward(f: Tensor, z: Tensor, lengths: Tensor) -> Tensor:
    """
    c_t = f_t c_{t-1} + (1 - f_t) z_t; 0 from a row's length on.

    :param f: Forget gates [B, L, d], float32 or float64, the last dimension contiguous.
    :param z: Inputs [B, L, d], as `f`.
    :param lengths: Steps of every row [B], int64.
    :returns: c [B, L, d], contiguous.
    """
    batch, steps, size = f.shape
    c = torch.empty((batch, steps, size), dtype=f.dtype)
    arrays = _arrays(f, z, lengths, c)
    shape = (steps, size, f.stride(0), f.stride(1), z.stride(0), z.stride(1))
    in_parallel(lambda start, stop: _forward(*arrays, start, stop, *shape), batch, c.numel())
    return c


def backward(f: Tensor, z: Tensor, lengths: Tensor, c: Tensor, d_c: Tensor) -> tuple[Tensor, Tensor]:
    """
    The gradients of :func:`forward`.

    :param c: What `forward` returned.
    :param d_c: The gradient of c [B, L, d], contiguous.
    :returns: The gradients of f [B, L, d] and z [B, L, d].
    """
    batch, steps, size = f.shape
    d_f, d_z = torch.empty_like(c), torch.empty_like(c)
    arrays = (*_arrays(f, z, lengths, c), *(x.view(-1).numpy() for x in (d_c, d_f, d_z)))
    shape = (steps, size, f.stride(0), f.stride(1), z.stride(0), z.stride(1))
    in_parallel(lambda start, stop: _backward(*arrays, start, stop, *shape), batch, c.numel())
    return d_f, d_z


def _arrays(f: Tensor, z: Tensor, lengths: Tensor, c: Tensor) -> tuple[np.ndarray[Any, Any], ...]:
    """What both kernels read or write; the last one is the state before the first step."""
    nothing = np.zeros(f.shape[2], dtype=c.numpy().dtype)
    return _flat(f), _flat(z), lengths.numpy(), c.view(-1).numpy(), nothing
