# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""What takes long to make is made at first use, once, whichever thread asks."""

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

_T = TypeVar("_T")

# One for all, not an attribute: what has this has to stay copyable, and making is rare. What is made may ask for more.
_MAKING = threading.RLock()


class MadeOnce(Generic[_T]):
    """Something that is there once it was asked for. Any thread may drop it at any time: who has it keeps it."""

    def __init__(self) -> None:
        self._made: _T | None = None

    def get(self, make: Callable[[], _T]) -> _T:
        """
        Give it.

        :param make: Makes it, where it is not there.
        :returns: It.
        """
        if (made := self._made) is None:
            with _MAKING:
                if (made := self._made) is None:
                    self._made = made = make()
        return made

    def drop(self) -> None:
        """Forget it. Who asks next has it made again."""
        self._made = None
