# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Progress on long work, for people who wait at a terminal."""

from collections.abc import Iterable, Iterator
from typing import TypeVar

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

T = TypeVar("T")


def tracked(
    items: Iterable[T], description: str, *, total: int | None = None, console: Console | None = None
) -> Iterator[T]:
    """
    Shows a progress bar while items are taken from an iterable.

    :param items: The items, passed on one by one.
    :param description: What is being done.
    :param total: The number of items, if known.
    :param console: Where to show it; standard error by default, so that a table on standard output stays clean.
    :returns: The same items.
    """
    text = TextColumn("{task.description}")
    columns = (text, BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console or Console(stderr=True)) as progress:
        yield from progress.track(items, total=total, description=description)
