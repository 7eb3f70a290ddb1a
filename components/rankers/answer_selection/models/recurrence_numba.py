# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
The forget-gate recurrence on the CPU: machine code by numba, forward and backward.

Work is divided over the batch and given to threads of our own rather than to numba's `prange`: numba's default
threading layer ends the process when two Python threads enter it at once, and its OpenMP layer does the same after a
fork. The kernels release the interpreter lock, share nothing, and wait for nobody, so they may be called from any
number of threads.
"""

import logging
import os
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numba
import numpy as np
import torch
from torch import Tensor

logger = logging.getLogger(__name__)

# Below this many elements, handing work to another thread costs more than it saves.
_MIN_PARALLEL_ELEMENTS = 1 << 16


def jit(function: Callable[..., Any], *, reassociate: bool = False) -> Callable[..., Any]:
    """
    Compile `function` on its first call; keep the machine code on disk where there is a place for it.

    `contract` allows a fused multiply-add and nothing else: infinities and NaNs behave as in torch.

    :param function: the function.
    :param reassociate: whether sums may be taken in another order, without which a sum is not made by vectors.
    :returns: what compiles it.
    """
    fastmath = {"contract", "reassoc", "nsz"} if reassociate else {"contract"}
    options: dict[str, Any] = {"nogil": True, "error_model": "numpy", "fastmath": fastmath}
    try:
        return numba.njit(cache=True, **options)(function)  # type: ignore[no-any-return]
    except RuntimeError as error:  # no writable cache folder: neither beside this file nor in the user's home
        logger.debug("Compiled code is not kept between runs: %s", error)
        return numba.njit(**options)(function)  # type: ignore[no-any-return]


# Arrays arrive flat, with the strides of batch and time beside them: numba then knows that a row's elements are
# neighbours (and vectorises), while gates may still be slices of one wider array.


@jit
def _forward(  # type: ignore[no-untyped-def] # noqa: ANN202
    f, z, initial, lengths, c, start, stop, steps, size, f_batch, f_time, z_batch, z_time  # noqa: ANN001
):  # fmt: skip
    for b in range(start, stop):
        previous = initial[b * size : b * size + size]
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
    f, z, initial, lengths, c, d_c, d_f, d_z, d_initial,  # noqa: ANN001
    start, stop, steps, size, f_batch, f_time, z_batch, z_time,  # noqa: ANN001
):  # fmt: skip
    for b in range(start, stop):
        carry = d_initial[b * size : b * size + size]
        carry[:] = 0
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
            previous = c[at - size : at] if t > 0 else initial[b * size : b * size + size]
            for i in range(size):
                total = carry[i] + d_c_row[i]
                kept = f_row[i] * total
                d_f_row[i] = total * (previous[i] - z_row[i])
                d_z_row[i] = total - kept
                carry[i] = kept


_pool: ThreadPoolExecutor | None = None
_pool_lock = threading.Lock()


def _forget_pool() -> None:
    """In a forked child, drop the pool: its threads stayed behind in the parent."""
    global _pool, _pool_lock
    _pool, _pool_lock = None, threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_pool)


def _threads() -> ThreadPoolExecutor:
    global _pool  # noqa: PLW0603
    with _pool_lock:
        if _pool is None:
            _pool = ThreadPoolExecutor(max(1, os.cpu_count() or 1), thread_name_prefix="forget-mult")
        return _pool


def in_parallel(kernel: Callable[[int, int], None], count: int, elements: int) -> None:
    """
    Run `kernel(start, stop)` over the range of `count`, in as many parts as torch uses threads.

    :param kernel: The work; it must release the interpreter lock to gain anything.
    :param count: The length of the range that is divided.
    :param elements: The elements touched in all; small work is not divided.
    """
    parts = min(torch.get_num_threads(), count) if elements >= _MIN_PARALLEL_ELEMENTS else 1
    if parts <= 1:
        kernel(0, count)
        return
    edges = [count * part // parts for part in range(parts + 1)]
    threads = _threads()
    futures = [threads.submit(kernel, edges[part], edges[part + 1]) for part in range(1, parts)]
    kernel(edges[0], edges[1])
    for future in futures:
        future.result()


def _flat(x: Tensor) -> np.ndarray[Any, Any]:
    """The memory from the first to the last element of x [B, L, d], whose last dimension is contiguous."""
    span = sum((size - 1) * stride for size, stride in zip(x.shape, x.stride(), strict=True)) + 1
    return x.as_strided((span,), (1,)).numpy()


def forward(f: Tensor, z: Tensor, initial: Tensor, lengths: Tensor) -> Tensor:
    """
    c_t = f_t c_{t-1} + (1 - f_t) z_t; 0 from a row's length on.

    :param f: Forget gates [B, L, d], float32 or float64, the last dimension contiguous.
    :param z: Inputs [B, L, d], as `f`.
    :param initial: The state before the first step [B, d], contiguous.
    :param lengths: Steps of every row [B], int64.
    :returns: c [B, L, d], contiguous.
    """
    batch, steps, size = f.shape
    c = torch.empty((batch, steps, size), dtype=f.dtype)
    arrays = (_flat(f), _flat(z), initial.view(-1).numpy(), lengths.numpy(), c.view(-1).numpy())
    shape = (steps, size, f.stride(0), f.stride(1), z.stride(0), z.stride(1))
    in_parallel(lambda start, stop: _forward(*arrays, start, stop, *shape), batch, c.numel())
    return c


def backward(
    f: Tensor, z: Tensor, initial: Tensor, lengths: Tensor, c: Tensor, d_c: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    """
    The gradients of :func:`forward`.

    :param c: What `forward` returned.
    :param d_c: The gradient of c [B, L, d], contiguous.
    :returns: The gradients of f [B, L, d], z [B, L, d] and initial [B, d].
    """
    batch, steps, size = f.shape
    d_f, d_z, d_initial = torch.empty_like(c), torch.empty_like(c), torch.empty_like(initial)
    tensors = (c, d_c, d_f, d_z, d_initial)
    arrays = (_flat(f), _flat(z), initial.view(-1).numpy(), lengths.numpy(), *(x.view(-1).numpy() for x in tensors))
    shape = (steps, size, f.stride(0), f.stride(1), z.stride(0), z.stride(1))
    in_parallel(lambda start, stop: _backward(*arrays, start, stop, *shape), batch, c.numel())
    return d_f, d_z, d_initial
