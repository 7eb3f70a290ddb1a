# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""What was made of texts, kept for texts that are seen again, within a bound on memory."""

import sys
from collections import OrderedDict
from collections.abc import Sequence
from threading import Lock
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

if TYPE_CHECKING:
    from torch import Tensor

    from haystack_integrations.components.rankers.answer_selection.word_match import ReadText

Kept = TypeVar("Kept", "Tensor", "ReadText", str)

# What a small tensor and its place in the dictionary take beside numbers and text.
_OVERHEAD: Final = 1024


class TextCache(Generic[Kept]):
    """
    The answers' encodings, texts as an encoder has read them, or texts' trees, that were used last.

    Any number of threads may use it.

    A copy, also a pickled one, begins empty.
    """

    def __init__(self, most_bytes: int) -> None:
        """
        Creates a cache.

        :param most_bytes: What it may hold; 0 is nothing.
        """
        self.most_bytes = most_bytes
        self.bytes = 0
        self._kept: OrderedDict[str, Kept] = OrderedDict()
        self._lock = Lock()

    def get(self, texts: Sequence[str]) -> list[Kept | None]:
        """
        Looks up what is kept.

        :param texts: The texts.
        :returns: What was made of them, None for those of which nothing is there.
        """
        with self._lock:
            found = [self._kept.get(text) for text in texts]
            for text, made in zip(texts, found, strict=True):
                if made is not None:
                    self._kept.move_to_end(text)
        return found

    def put(self, text: str, made: Kept) -> None:
        """
        Keeps what was made of a text, and forgets what was not used for longest where there is no more room.

        :param text: The text.
        :param made: Its encoding, which is copied, as it may be a part of a larger tensor; or its tree.
        """
        size = _size(text, made)
        if size > self.most_bytes:
            return
        kept = made if isinstance(made, str) else made.clone()
        with self._lock:
            self._forget(text)
            while self.bytes + size > self.most_bytes:
                self._forget(next(iter(self._kept)))
            self._kept[text] = kept
            self.bytes += size

    def clear(self) -> None:
        """Forgets all."""
        with self._lock:
            self._kept.clear()
            self.bytes = 0

    def __len__(self) -> int:
        """Of how many texts something is kept."""
        return len(self._kept)

    def __getstate__(self) -> dict[str, Any]:
        """What a copy is made of."""
        return {"most_bytes": self.most_bytes}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Makes a copy."""
        self.__init__(state["most_bytes"])  # type: ignore[misc]

    def _forget(self, text: str) -> None:
        made = self._kept.pop(text, None)
        if made is not None:
            self.bytes -= _size(text, made)


def _size(text: str, made: "Tensor | ReadText | str") -> int:
    size = sys.getsizeof(made) if isinstance(made, str) else made.nbytes
    return size + sys.getsizeof(text) + _OVERHEAD
