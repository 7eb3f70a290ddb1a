# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
What kernels on the CPU have in common: machine code by numba, and threads that run it.

Work is given to threads of our own rather than to numba's `prange`: numba's default threading layer ends the process
when two Python threads enter it at once, and its OpenMP layer does the same after a fork. The kernels release the
interpreter lock, share nothing, and wait for nobody, so they may be called from any number of threads.
"""

import logging
import os
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numba
import torch

from answer_selection.indexing.cores import usable_cores

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
            _pool = ThreadPoolExecutor(usable_cores(), thread_name_prefix="kernel")
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
