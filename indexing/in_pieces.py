# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Many items at once: some of them in each of a few threads, and what comes out in their order."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Event
from typing import TypeVar

from answer_selection.indexing.batched import batched

T = TypeVar("T")
R = TypeVar("R")


def in_pieces(
    function: Callable[[Sequence[T]], list[R]],
    items: Iterable[T],
    *,
    size: int,
    threads: int,
    ahead: int,
    stop: Event | None = None,
) -> Iterator[R]:
    """
    Do something with some items at a time, in several threads.

    :param function: What to do with some items.
    :param items: The items; only a few are read ahead of what was given.
    :param size: How many it gets at a time.
    :param threads: How many threads do it.
    :param ahead: How many pieces may be done, or wait, beyond the one that is given.
    :param stop: Is set when nobody takes any more: what is still being done may end.
    :returns: What came out, in the order of the items, as it comes.
    """
    with ThreadPoolExecutor(max_workers=threads, thread_name_prefix="search") as executor:
        running: deque[Future[list[R]]] = deque()
        try:
            for piece in batched(items, size):
                running.append(executor.submit(function, piece))
                if len(running) > ahead:
                    yield from running.popleft().result()
            while running:
                yield from running.popleft().result()
        finally:
            if stop is not None:
                stop.set()
            executor.shutdown(wait=True, cancel_futures=True)
