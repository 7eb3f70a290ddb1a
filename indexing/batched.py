# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Taking items some at a time; `itertools` has it from Python 3.12 on."""

from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import Final, TypeVar

T = TypeVar("T")

LOOKUP: Final = 500
"""Ids that are looked up in one request."""


def batched(items: Iterable[T], size: int) -> Iterator[tuple[T, ...]]:
    """
    Give items some at a time.

    :param items: The items.
    :param size: How many at a time; the last ones may be fewer.
    :returns: Them, in their order.
    """
    iterator = iter(items)
    while batch := tuple(islice(iterator, size)):
        yield batch


def streamed(items: Iterable[T], size: int) -> Iterator[Iterator[T]]:
    """
    Give items some at a time, each as it comes: unlike those of :func:`batched` they are not in memory together.

    :param items: The items.
    :param size: How many at a time; the last ones may be fewer.
    :returns: Them, in their order. Each batch has to be taken to its end before the next.
    """
    iterator = iter(items)
    for first in iterator:
        yield chain([first], islice(iterator, size - 1))
