# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Questions that wait are answered together. Who becomes free takes them; nobody waits for a batch to be full."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from typing import Generic, TypeVar

# More at once gain nothing on a processor, and the first of them would wait for the last.
LARGEST = 16

Asked = TypeVar("Asked")
Answered = TypeVar("Answered")


class FullError(RuntimeError):
    """As many questions wait as may wait."""


class MicroBatches(Generic[Asked, Answered]):
    """
    Collects questions while all who could answer are busy.

    :param answer: Answers several together: one answer or error each, in their order.
    :param at_once: How many batches may be answered at the same time.
    :param most_waiting: The most questions that may wait.
    :param observe: Told the size of each batch.
    """

    def __init__(
        self,
        answer: Callable[[list[Asked]], Awaitable[Sequence[Answered | Exception]]],
        *,
        at_once: int,
        most_waiting: int,
        observe: Callable[[int], object] = lambda _: None,
    ) -> None:
        self._answer, self._free, self._most_waiting, self._observe = answer, at_once, most_waiting, observe
        self._waiting: deque[tuple[Asked, asyncio.Future[Answered]]] = deque()
        self._running: set[asyncio.Task[None]] = set()

    @property
    def waiting(self) -> int:
        """How many questions wait."""
        return len(self._waiting)

    async def ask(self, asked: Asked) -> Answered:
        """
        Wait for an answer. Who is cancelled meanwhile leaves the queue.

        :param asked: The question.
        :returns: Its answer.
        :raises FullError: If too many wait already.
        """
        if len(self._waiting) >= self._most_waiting:
            raise FullError
        future: asyncio.Future[Answered] = asyncio.get_running_loop().create_future()
        place = (asked, future)
        self._waiting.append(place)
        self._start()
        try:
            return await future
        finally:
            if future.cancelled() and place in self._waiting:
                self._waiting.remove(place)

    def _start(self) -> None:
        while self._free and self._waiting:
            # What waits is shared among all who are free.
            size = min(LARGEST, -(-len(self._waiting) // self._free))
            batch = [self._waiting.popleft() for _ in range(size)]
            self._free -= 1
            self._observe(size)
            task = asyncio.create_task(self._run(batch))
            self._running.add(task)
            task.add_done_callback(self._running.discard)

    async def _run(self, batch: list[tuple[Asked, asyncio.Future[Answered]]]) -> None:
        outcomes: Sequence[Answered | Exception]
        try:
            outcomes = await self._answer([asked for asked, _ in batch])
        except Exception as error:
            outcomes = [error] * len(batch)
        finally:
            self._free += 1
        for (_, future), outcome in zip(batch, outcomes, strict=True):
            if future.done():
                continue
            if isinstance(outcome, Exception):
                future.set_exception(outcome)
            else:
                future.set_result(outcome)
        self._start()
