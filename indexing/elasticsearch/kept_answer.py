# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""What a cluster said of an index, which is not asked again with every question."""

import math
import time
from collections.abc import Callable
from typing import Final, Generic, TypeVar

# How long it is taken to be so still. A new version of the index may be another.
SECONDS: Final = 60

T = TypeVar("T")


class KeptAnswer(Generic[T]):
    """
    An answer that is asked for when it is wanted and older than a minute. An error is not kept.

    :param ask: Asks the cluster.
    """

    def __init__(self, ask: Callable[[], T]) -> None:
        self._ask = ask
        self._answer: T
        self._asked_at = -math.inf

    def get(self) -> T:
        """
        Give the answer.

        :returns: What the cluster said.
        """
        if time.monotonic() >= self._asked_at + SECONDS:
            self._answer = self._ask()
            self._asked_at = time.monotonic()
        return self._answer

    def forget(self) -> None:
        """Ask again the next time."""
        self._asked_at = -math.inf
