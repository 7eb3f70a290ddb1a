# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
A question's pairs are scored on one thread.

Where a torch operation is divided, OpenMP's threads wait for each other by spinning. A small batch gains little by it,
and beside other work it loses much: a thread that has its turn spins until the one that it waits for has got its own.
"""

import ctypes
import functools
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import torch

from answer_selection.indexing.cores import usable_cores

# Multiply-adds, of which a core does this many in about 200 ms: the few pairs that the package's GSAMN reads of a
# question. On two cores they take two thirds of the time on two threads, and thirteen times beside four busy processes.
_SMALL: Final = 10_000_000_000


@contextmanager
def threads_for(multiply_adds: int) -> Iterator[None]:
    """
    Use one thread for a batch if it is small, and else as many as torch uses anyway, but no more than there are cores.

    The number changes for the calling thread alone. `torch.set_num_threads` would also change it for all threads that
    the program has yet to start. Where OpenMP's functions cannot be found (on Windows), the number stays as it is.

    :param multiply_adds: The batch's work, about.
    """
    before = torch.get_num_threads()  # it also gives a thread its number that has not used torch yet
    openmp = _openmp()
    wanted = 1 if multiply_adds <= _SMALL else min(before, usable_cores())
    if wanted == before or openmp is None:
        yield
        return
    # MKL goes by OpenMP's number, unless it was given its own, as by `torch.set_num_threads`.
    set_mkls = getattr(openmp, "MKL_Set_Num_Threads_Local", None)
    of_mkl = set_mkls(wanted) if set_mkls is not None else None
    openmp.omp_set_num_threads(wanted)
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
