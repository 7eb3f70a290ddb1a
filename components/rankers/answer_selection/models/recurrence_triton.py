# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
The forget-gate recurrence on a GPU, by Triton.

One program per row of the batch and block of features walks over time with its state in registers. torch's CUDA
builds bring Triton along; on other machines this file is not imported.
"""

import torch
import triton
import triton.language as tl
from torch import Tensor

_BLOCK = 128


@triton.jit  # type: ignore[untyped-decorator]
def _forward(  # type: ignore[no-untyped-def] # noqa: ANN202
    f, z, lengths, c,  # noqa: ANN001
    steps, size, f_batch, f_time, z_batch, z_time, BLOCK: tl.constexpr,  # noqa: ANN001, N803
):  # fmt: skip
    b = tl.program_id(0).to(tl.int64)
    i = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    inside = i < size
    length = tl.load(lengths + b)
    state = tl.zeros([BLOCK], tl.float32)
    for t in range(0, steps):
        gate = tl.load(f + b * f_batch + t * f_time + i, mask=inside, other=0.0).to(tl.float32)
        value = tl.load(z + b * z_batch + t * z_time + i, mask=inside, other=0.0).to(tl.float32)
        state = tl.where(t < length, value + gate * (state - value), 0.0)
        tl.store(c + (b * steps + t) * size + i, state.to(c.dtype.element_ty), mask=inside)


@triton.jit  # type: ignore[untyped-decorator]
def _backward(  # type: ignore[no-untyped-def] # noqa: ANN202
    f, z, lengths, c, d_c, d_f, d_z,  # noqa: ANN001
    steps, size, f_batch, f_time, z_batch, z_time, BLOCK: tl.constexpr,  # noqa: ANN001, N803
):  # fmt: skip
    b = tl.program_id(0).to(tl.int64)
    i = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    inside = i < size
    length = tl.load(lengths + b)
    carry = tl.zeros([BLOCK], tl.float32)
    for back in range(0, steps):
        t = steps - 1 - back
        at = (b * steps + t) * size + i
        gate = tl.load(f + b * f_batch + t * f_time + i, mask=inside, other=0.0).to(tl.float32)
        value = tl.load(z + b * z_batch + t * z_time + i, mask=inside, other=0.0).to(tl.float32)
        before = tl.zeros([BLOCK], tl.float32)
        if t > 0:
            before = tl.load(c + at - size, mask=inside, other=0.0).to(tl.float32)
        total = carry + tl.load(d_c + at, mask=inside, other=0.0).to(tl.float32)
        total = tl.where(t < length, total, 0.0)
        carry = gate * total
        tl.store(d_f + at, (total * (before - value)).to(d_f.dtype.element_ty), mask=inside)
        tl.store(d_z + at, (total - carry).to(d_z.dtype.element_ty), mask=inside)


def _shape(f: Tensor, z: Tensor) -> tuple[int, ...]:
    return f.shape[1], f.shape[2], f.stride(0), f.stride(1), z.stride(0), z.stride(1)


def forward(f: Tensor, z: Tensor, lengths: Tensor) -> Tensor:
    """See :func:`recurrence_numba.forward`; float32, float16 and bfloat16, the state is kept in float32."""
    c = torch.empty_like(z, memory_format=torch.contiguous_format)
    grid = (f.shape[0], triton.cdiv(f.shape[2], _BLOCK))
    _forward[grid](f, z, lengths, c, *_shape(f, z), BLOCK=_BLOCK)
    return c


def backward(f: Tensor, z: Tensor, lengths: Tensor, c: Tensor, d_c: Tensor) -> tuple[Tensor, Tensor]:
    """See :func:`recurrence_numba.backward`; float32, float16 and bfloat16, the state is kept in float32."""
    d_f, d_z = torch.empty_like(c), torch.empty_like(c)
    grid = (f.shape[0], triton.cdiv(f.shape[2], _BLOCK))
    _backward[grid](f, z, lengths, c, d_c, d_f, d_z, *_shape(f, z), BLOCK=_BLOCK)
    return d_f, d_z
