# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""How long-running work reports progress; the caller decides how to show it."""

from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager
from typing import Protocol, TypeVar

T = TypeVar("T")


class Bar(Protocol):
    """One line of progress."""

    def __call__(self, done: int, total: int | None = None) -> None:
        """
        Show how far it is.

        :param done: The number done so far.
        :param total: How many there are, where that is known only now.
        """
        ...


class Progress(Protocol):
    """Shows the progress of one piece of work after the other."""

    def __call__(self, description: str, total: int | None, /) -> AbstractContextManager[Bar]:
        """
        Begin a line.

        :param description: What is being done.
        :param total: How many there are, if that is known.
        :returns: A context whose value is called with the number done so far.
        """
        ...


def tracked(items: Iterable[T], progress: Progress, description: str, total: int | None = None) -> Iterator[T]:
    """
    Show progress while items are taken from an iterable.

    :param items: The items, passed on one by one.
    :param progress: Shows it.
    :param description: What is being done.
    :param total: The number of items, if known.
    :returns: The same items.
    """
    with progress(description, total) as bar:
        for done, item in enumerate(items, start=1):
            yield item
            bar(done)
