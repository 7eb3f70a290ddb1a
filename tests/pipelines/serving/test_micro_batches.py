# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
import asyncio

import pytest

from answer_selection.pipelines.serving.micro_batches import LARGEST, FullError, MicroBatches


class Slow:
    """Answers with the double, once it is let; keeps the batches."""

    def __init__(self) -> None:
        self.batches, self.let = [], asyncio.Event()

    async def __call__(self, numbers: list[int]) -> list[int | Exception]:
        self.batches.append(numbers)
        await self.let.wait()
        return [ValueError(number) if number < 0 else 2 * number for number in numbers]


async def started(tasks: list) -> None:
    """Each task has come to where it waits."""
    for _ in range(len(tasks) + 5):
        await asyncio.sleep(0)


async def test_the_first_goes_at_once_and_what_waits_goes_together():
    slow = Slow()
    batches = MicroBatches(slow, at_once=1, most_waiting=10)
    tasks = [asyncio.create_task(batches.ask(number)) for number in range(5)]
    await started(tasks)
    assert (slow.batches, batches.waiting) == ([[0]], 4)
    slow.let.set()
    assert await asyncio.gather(*tasks) == [0, 2, 4, 6, 8]
    assert (slow.batches, batches.waiting) == ([[0], [1, 2, 3, 4]], 0)


async def test_what_waits_is_shared_among_those_who_are_free():
    slow = Slow()
    batches = MicroBatches(slow, at_once=2, most_waiting=100)
    tasks = [asyncio.create_task(batches.ask(number)) for number in range(9)]
    await started(tasks)
    slow.let.set()
    await asyncio.gather(*tasks)
    assert slow.batches[:2] == [[0], [1]]
    assert sorted(number for batch in slow.batches for number in batch) == list(range(9))


async def test_a_batch_has_a_bound():
    slow = Slow()
    sizes = []
    batches = MicroBatches(slow, at_once=1, most_waiting=1000, observe=sizes.append)
    tasks = [asyncio.create_task(batches.ask(number)) for number in range(3 * LARGEST)]
    await started(tasks)
    slow.let.set()
    await asyncio.gather(*tasks)
    assert max(sizes) == LARGEST
    assert sizes == [len(batch) for batch in slow.batches]


async def test_no_more_wait_than_may():
    slow = Slow()
    batches = MicroBatches(slow, at_once=1, most_waiting=2)
    tasks = [asyncio.create_task(batches.ask(number)) for number in range(3)]
    await started(tasks)
    with pytest.raises(FullError):
        await batches.ask(3)
    slow.let.set()
    assert await asyncio.gather(*tasks) == [0, 2, 4]
    assert await batches.ask(4) == 8


async def test_who_gives_up_leaves_the_queue():
    slow = Slow()
    batches = MicroBatches(slow, at_once=1, most_waiting=2)
    first = asyncio.create_task(batches.ask(1))
    await started([first])
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.01):
            await batches.ask(2)
    assert batches.waiting == 0
    # One that is being answered may give up as well.
    first.cancel()
    await started([first])
    slow.let.set()
    assert await batches.ask(3) == 6
    assert slow.batches == [[1], [3]]


async def test_an_error_is_its_own_questions_alone_or_the_batchs():
    slow = Slow()
    slow.let.set()
    batches = MicroBatches(slow, at_once=1, most_waiting=10)
    outcomes = await asyncio.gather(*map(batches.ask, (1, -1, 2)), return_exceptions=True)
    assert (outcomes[0], outcomes[2]) == (2, 4)
    assert isinstance(outcomes[1], ValueError)

    async def broken(numbers: list[int]) -> list[int]:
        message = "it ended"
        raise RuntimeError(message)

    batches = MicroBatches(broken, at_once=1, most_waiting=10)
    for _ in range(2):
        with pytest.raises(RuntimeError, match="it ended"):
            await batches.ask(1)
