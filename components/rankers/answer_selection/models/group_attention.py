# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
Multi-head self-attention without its projections: within groups of words, over all words, or over a sliding window.

All three take queries, keys and values side by side, as one projection makes them, and scale by the root of a head's
size. Only real words are attended to.
"""

import functools
import importlib
import logging
from types import ModuleType
from typing import Any, Final

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable
from torch.nn import functional

from haystack_integrations.components.rankers.answer_selection.models.pooling import real_words

ATTENTIONS: Final = ("group", "global", "local")
"""The kinds that a configuration names."""

logger = logging.getLogger(__name__)


def attend(kind: str, qkv: Tensor, lengths: Tensor, *, heads: int, group_size: int, offset: int) -> Tensor:
    """
    Attend in the way that a configuration names.

    :param kind: of :data:`ATTENTIONS`.
    :param qkv: queries, keys and values side by side [N, L, 3D].
    :param lengths: the rows' lengths [N], at least 1.
    :param heads: how many parts D is divided into.
    :param group_size: the words of a group or of a window; of no use to "global".
    :param offset: see :func:`group_attention`; of no use to the others.
    :returns: [N, L, D]; anything from a row's length on.
    """
    if kind == "group":
        return group_attention(qkv, lengths, heads=heads, group_size=group_size, offset=offset)
    if kind == "local":
        return local_attention(qkv, lengths, heads=heads, window=group_size)
    return global_attention(qkv, lengths, heads=heads)


def group_attention(qkv: Tensor, lengths: Tensor, *, heads: int, group_size: int, offset: int) -> Tensor:
    """
    Attend within groups of neighbouring words (sections 3.1.1 and 3.1.2 of the GGSA paper), in O(L * l * D).

    In the first half of the heads a text's groups are its first l words, the next l words and so on. In the other half
    the first group is the first o words, so that words at the edge of a group in one half are inside one in the other.

    :param qkv: queries, keys and values side by side [N, L, 3D].
    :param lengths: the rows' lengths [N], at least 1.
    :param heads: n, how many parts D is divided into.
    :param group_size: l.
    :param offset: o, less than l; 0 for the same groups in all heads.
    :returns: [N, L, D]; anything from a row's length on. Gradients flow once (no second derivatives).
    """
    # A compiler sees through torch's operations only, and fuses them.
    if qkv.device.type != "cpu" or torch.compiler.is_compiling() or (kernels := _kernels()) is None:
        return _by_torch(qkv, lengths, heads, group_size, offset)
    # The kernel knows no half precision. What it works in is wider, so that nothing is lost.
    x = qkv if qkv.dtype in (torch.float32, torch.float64) else qkv.float()
    attended: Tensor = _GroupAttention.apply(kernels, x, lengths, heads, group_size, offset)
    return attended.to(qkv.dtype)


class _GroupAttention(torch.autograd.Function):
    """Forward and backward on the CPU."""

    @staticmethod
    def forward(
        ctx: Any, kernels: ModuleType, qkv: Tensor, lengths: Tensor, heads: int, group_size: int, offset: int
    ) -> Tensor:
        qkv, lengths = qkv.contiguous(), lengths.contiguous()
        out, weights = kernels.forward(qkv, lengths, heads, group_size, offset)
        ctx.save_for_backward(qkv, lengths, weights)
        ctx.kernels, ctx.offset = kernels, offset
        return out  # type: ignore[no-any-return]

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, d_out: Tensor) -> tuple[None, Tensor, None, None, None, None]:
        d_qkv = ctx.kernels.backward(*ctx.saved_tensors, ctx.offset, d_out.contiguous())
        return None, d_qkv, None, None, None, None


@functools.cache
def _kernels() -> ModuleType | None:
    """The compiled kernels, imported on first use; None where they are not to be had."""
    try:
        return importlib.import_module(f"{__package__}.group_attention_numba")
    except ImportError as error:
        logger.warning("Group attention runs by torch's operations, which is slower: %s", error)
        return None


def _by_torch(qkv: Tensor, lengths: Tensor, heads: int, group_size: int, offset: int) -> Tensor:
    """The same by torch's operations, for any device: every group is a row of a batch."""
    x = _by_heads(qkv, heads)
    texts, steps, _, _, size = x.shape
    shift = (group_size - offset) % group_size
    groups = -(-(steps + shift) // group_size)
    after = groups * group_size - steps
    there = real_words(lengths, steps)
    out = []
    for part, before in zip(x.tensor_split([heads - heads // 2], dim=3), (0, shift), strict=True):
        width = part.shape[3]
        grouped = functional.pad(part, (0, 0, 0, 0, 0, 0, before, after - before))
        q, k, v = grouped.view(texts * groups, group_size, 3, width, size).permute(2, 0, 3, 1, 4).unbind(0)
        keys = functional.pad(there, (before, after - before)).view(texts * groups, 1, 1, group_size)
        # Where a whole group is padding, all of it is looked at: whatever comes of it, it is no NaN.
        keys = keys | ~keys.any(-1, keepdim=True)
        attended = functional.scaled_dot_product_attention(q, k, v, attn_mask=keys)
        flat = attended.transpose(1, 2).reshape(texts, groups * group_size, width * size)
        out.append(flat[:, before : before + steps])
    return torch.cat(out, -1)


def global_attention(qkv: Tensor, lengths: Tensor, *, heads: int) -> Tensor:
    """
    Attend to all words of a text (section 2.1 of the GGSA paper; Vaswani et al. 2017), in O(L * L * D).

    :param qkv: queries, keys and values side by side [N, L, 3D].
    :param lengths: the rows' lengths [N], at least 1.
    :param heads: how many parts D is divided into.
    :returns: [N, L, D]; anything from a row's length on.
    """
    q, k, v = _by_heads(qkv, heads).permute(2, 0, 3, 1, 4).unbind(0)
    keys = real_words(lengths, qkv.shape[1])[:, None, None]
    return functional.scaled_dot_product_attention(q, k, v, attn_mask=keys).transpose(1, 2).flatten(2)


def local_attention(qkv: Tensor, lengths: Tensor, *, heads: int, window: int) -> Tensor:
    """
    Attend to the words around each word (Figure 4b of the GGSA paper), in O(L * w * D) of time and memory.

    :param qkv: queries, keys and values side by side [N, L, 3D].
    :param lengths: the rows' lengths [N], at least 1.
    :param heads: how many parts D is divided into.
    :param window: w, the words that a word sees: itself, half of the others before and half after it (of an odd number
        of others one more before).
    :returns: [N, L, D]; anything from a row's length on.
    """
    q, k, v = _by_heads(qkv, heads).unbind(2)
    before = window // 2
    around = (before, window - 1 - before)
    k, v = (functional.pad(x, (0, 0, 0, 0, *around)).unfold(1, window, 1) for x in (k, v))  # [N, L, heads, d, w]
    there = functional.pad(real_words(lengths, qkv.shape[1]), around).unfold(1, window, 1)[:, :, None, None]
    there = there | ~there.any(-1, keepdim=True)
    scores = (q.unsqueeze(-2) @ k) * q.shape[-1] ** -0.5
    weights = scores.masked_fill(~there, -torch.inf).softmax(-1)
    attended: Tensor = v @ weights.transpose(-1, -2)
    return attended.flatten(2)


def _by_heads(qkv: Tensor, heads: int) -> Tensor:
    """[N, L, 3D] as [N, L, 3, heads, d]."""
    return qkv.view(*qkv.shape[:2], 3, heads, qkv.shape[2] // 3 // heads)
