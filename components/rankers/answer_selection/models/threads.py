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
    set_mkls = getattr(openmp, "MKL_Set_Num_Threads_Local", None)
    of_mkl = set_mkls(1) if set_mkls is not None else None
    openmp.omp_set_num_threads(1)
    try:
        yield
    finally:
        openmp.omp_set_num_threads(before)
        if set_mkls is not None:
            set_mkls(of_mkl)


@functools.cache
def _openmp() -> ctypes.CDLL | None:
    """What torch is linked with, where functions of OpenMP and MKL are looked up; None if OpenMP's cannot be found."""
    libraries = ctypes.CDLL(torch._C.__file__)
    return libraries if hasattr(libraries, "omp_set_num_threads") else None
