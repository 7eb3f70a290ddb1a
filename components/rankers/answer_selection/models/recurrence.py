# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The recurrence of quasi-recurrent networks: all that is left to do step by step once the gates are known."""

import functools
import importlib
import logging
from types import ModuleType
from typing import Any

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

from haystack_integrations.components.rankers.answer_selection.models import recurrence_torch

logger = logging.getLogger(__name__)


def forget_mult(f: Tensor, z: Tensor, *, lengths: Tensor) -> Tensor:
    """
    The recurrence c_t = f_t ⊙ c_{t-1} + (1 - f_t) ⊙ z_t, from c_0 = 0.

    Bradbury et al. 2016, "Quasi-Recurrent Neural Networks", section 2.1, "fo-pooling"; the first line of the CTRN
    cell in Tay et al. 2018. On the CPU it is a compiled kernel (numba), on a GPU a Triton kernel, elsewhere one torch
    operation a step; forward and backward go over the memory once each. Gradients flow to `f` and `z`, once (no second
    derivatives).

    :param f: Forget gates in [0, 1], shape [B, L, d]; may be a slice of a wider tensor.
    :param z: Candidate inputs, shape [B, L, d], of the same dtype and device.
    :param lengths: Real steps of every row, int64 [B], between 0 and L. From there on c is 0 and no gradient flows.
    :returns: The states c, shape [B, L, d].
    :raises ValueError: If shapes, dtypes or devices do not go together, or a length is not between 0 and L.
    """
    if f.dim() != 3 or f.shape != z.shape:
        msg = f"forget_mult expects f and z of one shape [B, L, d], got {list(f.shape)} and {list(z.shape)}."
        raise ValueError(msg)
    if f.dtype != z.dtype or f.device != z.device or not f.is_floating_point():
        msg = f"forget_mult expects f and z of one floating dtype and device, got {f.dtype} on {f.device} and "
        msg += f"{z.dtype} on {z.device}."
        raise ValueError(msg)
    batch, steps, _ = f.shape
    if lengths.shape != (batch,) or lengths.dtype != torch.int64:
        msg = f"forget_mult expects int64 lengths of shape [{batch}], got {lengths.dtype} {list(lengths.shape)}."
        raise ValueError(msg)
    if f.device.type == "cpu" and batch and not 0 <= int(lengths.min()) <= int(lengths.max()) <= steps:
        msg = f"forget_mult expects lengths between 0 and {steps}, got {int(lengths.min())} to {int(lengths.max())}."
        raise ValueError(msg)
    if f.numel() == 0:
        return torch.zeros_like(z)
    if f.device.type == "cpu" and f.dtype in (torch.bfloat16, torch.float16):
        # The kernel knows no half precision; and a state that is rounded at every step would drift.
        return _ForgetMult.apply(f.float(), z.float(), lengths).to(f.dtype)  # type: ignore[no-any-return]
    return _ForgetMult.apply(f, z, lengths)  # type: ignore[no-any-return]


class _ForgetMult(torch.autograd.Function):
    """Forward and backward of :func:`forget_mult`."""

    @staticmethod
    def forward(ctx: Any, f: Tensor, z: Tensor, lengths: Tensor) -> Tensor:
        # The kernels walk along the features, which therefore have to be neighbours in memory.
        f, z = (x if x.stride(-1) == 1 else x.contiguous() for x in (f, z))
        lengths = lengths.contiguous()
        c = _kernels(f.device.type, f.dtype).forward(f, z, lengths)
        ctx.save_for_backward(f, z, lengths, c)
        return c  # type: ignore[no-any-return]

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, d_c: Tensor) -> tuple[Tensor, Tensor, None]:
        f = ctx.saved_tensors[0]
        d_f, d_z = _kernels(f.device.type, f.dtype).backward(*ctx.saved_tensors, d_c.contiguous())
        return d_f, d_z, None


@functools.cache
def _kernels(device: str, dtype: torch.dtype) -> ModuleType:
    """The module whose `forward` and `backward` serve this device and dtype, imported on first use."""
    name = None
    if device == "cpu" and dtype in (torch.float32, torch.float64):
        name = "recurrence_numba"
    elif device == "cuda" and dtype in (torch.float32, torch.float16, torch.bfloat16):
        name = "recurrence_triton"
    if name is not None:
        try:
            return importlib.import_module(f"{__package__}.{name}")
        except ImportError as error:
            logger.warning("The recurrence runs step by step, which is slower: %s", error)
    return recurrence_torch
