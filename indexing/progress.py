# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""How long-running work reports progress; the caller decides how to show it."""

from contextlib import AbstractContextManager
from typing import Protocol


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
