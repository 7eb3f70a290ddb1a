# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0

from contextlib import contextmanager

from answer_selection.indexing.batched import batched, streamed
from answer_selection.indexing.progress import tracked


def test_items_come_in_batches():
    assert list(batched(range(5), 2)) == [(0, 1), (2, 3), (4,)]
    assert [list(some) for some in streamed(range(5), 2)] == [[0, 1], [2, 3], [4]]
    assert [list(some) for some in streamed(range(4), 2)] == [[0, 1], [2, 3]]
    assert list(streamed([], 2)) == []


def test_a_streamed_batch_is_read_as_it_is_taken():
    read = []
    items = (read.append(number) or number for number in range(5))
    first = next(streamed(items, 4))
    assert [next(first), next(first)] == [0, 1]
    assert read == [0, 1]


def test_progress_is_shown_while_items_are_taken():
    told = []

    @contextmanager
    def progress(description, total):
        told.append((description, total))
        yield lambda done, total=None: told.append(done)
        told.append("end")

    taken = tracked("abc", progress, "reading", 3)
    assert next(taken) == "a"
    assert told == [("reading", 3)]
    assert list(taken) == ["b", "c"]
    assert told == [("reading", 3), 1, 2, 3, "end"]
