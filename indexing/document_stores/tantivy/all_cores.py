# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Many searches at once."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, TypeVar

from answer_selection.indexing.cores import usable_cores
from answer_selection.indexing.in_pieces import in_pieces

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
    workers = usable_cores()
    return in_pieces(search, queries, size=_QUERIES_PER_TASK, threads=workers, ahead=2 * workers)
