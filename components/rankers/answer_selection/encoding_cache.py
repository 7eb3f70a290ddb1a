# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Answers' encodings kept for answers that are seen again, within a bound on memory."""

import sys
from collections import OrderedDict
from collections.abc import Sequence
from threading import Lock
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from torch import Tensor

# What a small tensor and its place in the dictionary take beside numbers and text.
_OVERHEAD: Final = 1024


class EncodingCache:
    """
    The encodings that were used last, by the answers' texts. Any number of threads may use it.

    A copy, also a pickled one, begins empty.
    """

    def __init__(self, most_bytes: int) -> None:
        """
        Creates a cache.

        :param most_bytes: What it may hold; 0 is nothing.
        """
        self.most_bytes = most_bytes
        self.bytes = 0
        self._rows: OrderedDict[str, Tensor] = OrderedDict()
        self._lock = Lock()

    def get(self, texts: Sequence[str]) -> "list[Tensor | None]":
        """
        Looks up encodings.

        :param texts: The answers.
        :returns: Their encodings, None for those that are not there.
        """
        with self._lock:
            found = [self._rows.get(text) for text in texts]
            for text, row in zip(texts, found, strict=True):
                if row is not None:
                    self._rows.move_to_end(text)
        return found

    def put(self, text: str, row: "Tensor") -> None:
        """
        Keeps an encoding, and forgets those that were not used for longest where there is no more room.

        :param text: The answer.
        :param row: Its encoding, which is copied: it may be a part of a larger tensor.
        """
        size = _size(text, row)
        if size > self.most_bytes:
            return
        row = row.clone()
        with self._lock:
            self._forget(text)
            while self.bytes + size > self.most_bytes:
                self._forget(next(iter(self._rows)))
            self._rows[text] = row
            self.bytes += size

    def clear(self) -> None:
        """Forgets all."""
        with self._lock:
            self._rows.clear()
            self.bytes = 0

    def __len__(self) -> int:
        """How many encodings there are."""
        return len(self._rows)

    def __getstate__(self) -> dict[str, Any]:
        """What a copy is made of."""
        return {"most_bytes": self.most_bytes}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Makes a copy."""
        self.__init__(state["most_bytes"])  # type: ignore[misc]

    def _forget(self, text: str) -> None:
        row = self._rows.pop(text, None)
        if row is not None:
            self.bytes -= _size(text, row)


def _size(text: str, row: "Tensor") -> int:
    return row.nbytes + sys.getsizeof(text) + _OVERHEAD
