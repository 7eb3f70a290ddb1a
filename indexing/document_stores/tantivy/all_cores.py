# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Many searches at once."""

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Final, TypeVar

from answer_selection.indexing.batched import batched

_QUERIES_PER_TASK: Final = 32

T = TypeVar("T")
R = TypeVar("R")


def on_all_cores(search: Callable[[Sequence[T]], list[R]], queries: Iterable[T]) -> Iterator[R]:
    """
    Search in as many threads as there are cores; tantivy and numpy don't hold the interpreter's lock while they do.

    :param search: Searches for some of the queries.
    :param queries: The queries; only a few are read ahead of what was given.
    :returns: What was found, in the order of the queries, as it comes.
    """
    workers = _cores()
    with ThreadPoolExecutor(max_workers=workers, thread_name_prefix="search") as executor:
        running: deque[Future[list[R]]] = deque()
        try:
            for piece in batched(queries, _QUERIES_PER_TASK):
                running.append(executor.submit(search, piece))
                if len(running) > 2 * workers:
                    yield from running.popleft().result()
            while running:
                yield from running.popleft().result()
        finally:
            executor.shutdown(wait=True, cancel_futures=True)


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
