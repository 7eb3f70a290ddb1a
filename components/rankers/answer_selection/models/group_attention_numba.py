# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
Attention within groups of words on the CPU: machine code by numba, forward and backward.

A group of ten words and a head of fifty features make products of matrices so small that calling a library for each
costs more than the products, and cutting all texts into groups beforehand costs more again. So a group's rows are
copied from where they are into a few arrays that stay in the core's nearest cache, and the products are loops over
these.
"""

import functools

import numpy as np
import torch
from torch import Tensor

from haystack_integrations.components.rankers.answer_selection.models.numba_kernels import in_parallel, jit

# Rows of a group are worked on so many at a time, and its arrays have a multiple of so many columns, the rest zero:
# then there is nothing left over after loops over whole vectors. The products below are written out for five rows.
_ROWS, _LANES = 5, 16

_compiled = functools.partial(jit, reassociate=True)

# Texts arrive flat. The 3d features of a word are neighbours: all heads' query, then key, then value.


@jit
def _take(flat, at, step, rows, count, size):  # type: ignore[no-untyped-def] # noqa: ANN001, ANN202
    """Copies `count` rows into the group's array, and zeros up to a multiple of the rows worked on at a time."""
    for i in range(count):
        source, row = flat[at + i * step : at + i * step + size], rows[i]
        for c in range(size):
            row[c] = source[c]
    for i in range(count, -(-count // _ROWS) * _ROWS):
        rows[i] = 0


@jit
def _give(rows, flat, at, step, count, size):  # type: ignore[no-untyped-def] # noqa: ANN001, ANN202
    for i in range(count):
        target, row = flat[at + i * step : at + i * step + size], rows[i]
        for c in range(size):
            target[c] = row[c]


@_compiled
def _products(a, b, out, count):  # type: ignore[no-untyped-def] # noqa: ANN001, ANN202
    """A times B transposed: the products of all rows of A with all rows of B."""
    for i in range(count):
        row = a[i]
        for j in range(0, count, 5):
            b_0, b_1, b_2, b_3, b_4 = b[j], b[j + 1], b[j + 2], b[j + 3], b[j + 4]
            s_0 = s_1 = s_2 = s_3 = s_4 = a.dtype.type(0)
            for c in range(len(row)):
                x = row[c]
                s_0 += x * b_0[c]
                s_1 += x * b_1[c]
                s_2 += x * b_2[c]
                s_3 += x * b_3[c]
                s_4 += x * b_4[c]
            out[i, j], out[i, j + 1], out[i, j + 2], out[i, j + 3], out[i, j + 4] = s_0, s_1, s_2, s_3, s_4


@_compiled
def _sums(weights, b, out, count):  # type: ignore[no-untyped-def] # noqa: ANN001, ANN202
    """W times B: sums of the rows of B, weighted."""
    for i in range(count):
        row = out[i]
        for j in range(0, count, 5):
            b_0, b_1, b_2, b_3, b_4 = b[j], b[j + 1], b[j + 2], b[j + 3], b[j + 4]
            w_0, w_1, w_2 = weights[i, j], weights[i, j + 1], weights[i, j + 2]
            w_3, w_4 = weights[i, j + 3], weights[i, j + 4]
            if j == 0:
                for c in range(len(row)):
                    row[c] = w_0 * b_0[c] + w_1 * b_1[c] + w_2 * b_2[c] + w_3 * b_3[c] + w_4 * b_4[c]
            else:
                for c in range(len(row)):
                    row[c] += w_0 * b_0[c] + w_1 * b_1[c] + w_2 * b_2[c] + w_3 * b_3[c] + w_4 * b_4[c]


@jit
def _rows_of_a_group(group, size, dtype_of):  # type: ignore[no-untyped-def] # noqa: ANN001, ANN202
    return np.zeros((-(-group // _ROWS) * _ROWS, -(-size // _LANES) * _LANES), dtype_of.dtype)


@jit
def _pairs_of_a_group(group, dtype_of):  # type: ignore[no-untyped-def] # noqa: ANN001, ANN202
    rows = -(-group // _ROWS) * _ROWS
    return np.zeros((rows, rows), dtype_of.dtype)


# All three kernels go through the groups alike: first those of the heads without an offset, then those of the others,
# whose first group ends where the offset says.


@jit
def _exponents(  # type: ignore[no-untyped-def] # noqa: ANN202
    qkv, lengths, weights, start, stop, steps, heads, size, group, offset, scale  # noqa: ANN001
):  # fmt: skip
    """What the softmax takes the exponential of, its greatest value subtracted; -inf where a group has fewer words."""
    q, k, products = (
        _rows_of_a_group(group, size, qkv),
        _rows_of_a_group(group, size, qkv),
        _pairs_of_a_group(group, qkv),
    )
    width = heads * size
    for text in range(start, stop):
        length = lengths[text]
        weights[(text * steps + length) * heads * group : (text + 1) * steps * heads * group] = 0
        for half in range(2):
            shift = (group - offset) % group if half else 0
            for first in range(-shift, length, group):
                low, high = max(first, 0), min(first + group, length)
                count = high - low
                for head in range(half * (heads - heads // 2), heads if half else heads - heads // 2):
                    at = (text * steps + low) * 3 * width + head * size
                    _take(qkv, at, 3 * width, q, count, size)
                    _take(qkv, at + width, 3 * width, k, count, size)
                    _products(q, k, products, count)
                    for i in range(count):
                        at = ((text * steps + low + i) * heads + head) * group
                        row, product = weights[at : at + group], products[i]
                        greatest = product[0]
                        for j in range(1, count):
                            greatest = max(greatest, product[j])
                        for j in range(count):
                            row[j] = (product[j] - greatest) * scale
                        for j in range(count, group):
                            row[j] = -np.inf


@jit
def _forward(  # type: ignore[no-untyped-def] # noqa: ANN202
    qkv, lengths, weights, out, start, stop, steps, heads, size, group, offset  # noqa: ANN001
):  # fmt: skip
    """Exponentials come in as `weights` and become the softmax's weights."""
    v, sums, matrix = (
        _rows_of_a_group(group, size, qkv),
        _rows_of_a_group(group, size, qkv),
        _pairs_of_a_group(group, qkv),
    )
    width = heads * size
    for text in range(start, stop):
        length = lengths[text]
        out[(text * steps + length) * width : (text + 1) * steps * width] = 0
        for half in range(2):
            shift = (group - offset) % group if half else 0
            for first in range(-shift, length, group):
                low, high = max(first, 0), min(first + group, length)
                count = high - low
                for head in range(half * (heads - heads // 2), heads if half else heads - heads // 2):
                    at = (text * steps + low) * 3 * width + 2 * width + head * size
                    _take(qkv, at, 3 * width, v, count, size)
                    for i in range(count):
                        at = ((text * steps + low + i) * heads + head) * group
                        row, weight = weights[at : at + group], matrix[i]
                        total = row[0]
                        for j in range(1, count):
                            total += row[j]
                        for j in range(group):
                            row[j] /= total
                            weight[j] = row[j]
                    _sums(matrix, v, sums, count)
                    _give(sums, out, (text * steps + low) * width + head * size, width, count, size)


@jit
def _backward(  # type: ignore[no-untyped-def] # noqa: ANN202
    qkv, lengths, weights, d_out, d_qkv, start, stop, steps, heads, size, group, offset, scale  # noqa: ANN001
):  # fmt: skip
    q, k, v = _rows_of_a_group(group, size, qkv), _rows_of_a_group(group, size, qkv), _rows_of_a_group(group, size, qkv)
    d, sums = _rows_of_a_group(group, size, qkv), _rows_of_a_group(group, size, qkv)
    products, d_scores = _pairs_of_a_group(group, qkv), _pairs_of_a_group(group, qkv)
    d_scores_turned, weights_turned = _pairs_of_a_group(group, qkv), _pairs_of_a_group(group, qkv)
    width = heads * size
    for text in range(start, stop):
        length = lengths[text]
        d_qkv[(text * steps + length) * 3 * width : (text + 1) * steps * 3 * width] = 0
        for half in range(2):
            shift = (group - offset) % group if half else 0
            for first in range(-shift, length, group):
                low, high = max(first, 0), min(first + group, length)
                count = high - low
                for head in range(half * (heads - heads // 2), heads if half else heads - heads // 2):
                    at = (text * steps + low) * 3 * width + head * size
                    _take(qkv, at, 3 * width, q, count, size)
                    _take(qkv, at + width, 3 * width, k, count, size)
                    _take(qkv, at + 2 * width, 3 * width, v, count, size)
                    _take(d_out, (text * steps + low) * width + head * size, width, d, count, size)
                    _products(d, v, products, count)
                    if count < group:  # a greater group before it has left what it had
                        d_scores[:] = 0
                        d_scores_turned[:] = 0
                        weights_turned[:] = 0
                    for i in range(count):
                        row_at = ((text * steps + low + i) * heads + head) * group
                        row, product = weights[row_at : row_at + group], products[i]
                        mean = row[0] * product[0]
                        for j in range(1, count):
                            mean += row[j] * product[j]
                        for j in range(count):
                            d_score = row[j] * (product[j] - mean) * scale
                            d_scores[i, j] = d_score
                            d_scores_turned[j, i] = d_score
                            weights_turned[j, i] = row[j]
                    _sums(d_scores, k, sums, count)
                    _give(sums, d_qkv, at, 3 * width, count, size)
                    _sums(d_scores_turned, q, sums, count)
                    _give(sums, d_qkv, at + width, 3 * width, count, size)
                    _sums(weights_turned, d, sums, count)
                    _give(sums, d_qkv, at + 2 * width, 3 * width, count, size)


def forward(qkv: Tensor, lengths: Tensor, heads: int, group_size: int, offset: int) -> tuple[Tensor, Tensor]:
    """
    Attend within groups; see :func:`group_attention.group_attention`.

    :param qkv: [N, L, 3D], float32 or float64, contiguous.
    :param lengths: [N], int64, at most L.
    :param heads: how many parts D is divided into.
    :param group_size: l.
    :param offset: less than l.
    :returns: what was attended to [N, L, D], 0 from a row's length on, and the weights [N, L, heads, l].
    """
    texts, steps, size = qkv.shape[0], qkv.shape[1], qkv.shape[2] // 3 // heads
    out, weights = qkv.new_empty((texts, steps, heads * size)), qkv.new_empty((texts, steps, heads, group_size))
    x, flat, n = qkv.view(-1).numpy(), weights.view(-1).numpy(), lengths.numpy()
    y, shape = out.view(-1).numpy(), (steps, heads, size, group_size, offset)
    scale = x.dtype.type(size**-0.5)
    in_parallel(lambda start, stop: _exponents(x, n, flat, start, stop, *shape, scale), texts, qkv.numel())
    torch.exp(weights, out=weights)  # much faster than one exponential at a time
    in_parallel(lambda start, stop: _forward(x, n, flat, y, start, stop, *shape), texts, qkv.numel())
    return out, weights


def backward(qkv: Tensor, lengths: Tensor, weights: Tensor, offset: int, d_out: Tensor) -> Tensor:
    """
    The gradient of :func:`forward`.

    :param qkv: as given to it.
    :param lengths: as given to it.
    :param weights: as it returned them.
    :param offset: as given to it.
    :param d_out: the gradient of what it returned [N, L, D], contiguous.
    :returns: the gradient of `qkv`.
    """
    texts, steps, heads, group_size = weights.shape
    size = d_out.shape[2] // heads
    d_qkv = torch.empty_like(qkv)
    arrays = (qkv.view(-1).numpy(), lengths.numpy(), *(x.view(-1).numpy() for x in (weights, d_out, d_qkv)))
    shape = (steps, heads, size, group_size, offset, arrays[0].dtype.type(size**-0.5))
    in_parallel(lambda start, stop: _backward(*arrays, start, stop, *shape), texts, 2 * qkv.numel())
    return d_qkv
