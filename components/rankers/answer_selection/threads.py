# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
Small batches are scored on one thread.

Where a torch operation is divided, OpenMP's threads wait for each other by spinning. A small batch gains nothing by it,
and beside other work it loses much: a thread that has its turn spins until the one that it waits for has got its own.
"""

import ctypes
import functools
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import torch

# Multiply-adds, of which a core does this many in about 20 ms.
_SMALL: Final = 1_000_000_000


@contextmanager
def threads_for(multiply_adds: int) -> Iterator[None]:
    """
    Use one thread for a batch if it is small, and else as many as torch uses anyway.

    The number changes for the calling thread alone. `torch.set_num_threads` would also change it for all threads that
    the program has yet to start. Where OpenMP's functions cannot be found (on Windows), the number stays as it is.

    :param multiply_adds: The batch's work, about.
    """
    before = torch.get_num_threads()  # it also gives a thread its number that has not used torch yet
    openmp = _openmp()
    if before == 1 or openmp is None or multiply_adds > _SMALL:
        yield
        return
    # MKL goes by OpenMP's number, unless it was given its own, as by `torch.set_num_threads`.
    of_mkl = openmp.MKL_Set_Num_Threads_Local(1) if torch.backends.mkl.is_available() else None
    openmp.omp_set_num_threads(1)
    try:
        yield
    finally:
        openmp.omp_set_num_threads(before)
        if of_mkl is not None:
            openmp.MKL_Set_Num_Threads_Local(of_mkl)


@functools.cache
def _openmp() -> ctypes.CDLL | None:
    """The libraries that torch is linked with, if OpenMP's and MKL's functions for a thread can be found in them."""
    libraries = ctypes.CDLL(torch._C.__file__)
    needed = ["omp_set_num_threads"] + ["MKL_Set_Num_Threads_Local"] * torch.backends.mkl.is_available()
    return libraries if all(hasattr(libraries, name) for name in needed) else None
