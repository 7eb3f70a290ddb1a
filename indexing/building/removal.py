# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Removing from an index what is gone from its sources: many entries are removed only when that is confirmed."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

MOST: Final = 0.2
"""The share of an index that is removed without being confirmed. More is more often a wrong file than a wish."""


@dataclass(frozen=True, slots=True)
class Removal:
    """
    What an index has and its sources do not.

    :param ids: The ids of these entries.
    :param documents: Documents that the index had before the sources were read.
    :param confirmed: Whether they may be removed however many they are.
    """

    ids: Sequence[str] = ()
    documents: int = 0
    confirmed: bool = False

    @property
    def share(self) -> float:
        """The share of the index that they are."""
        return len(self.ids) / max(self.documents, len(self.ids), 1)

    @property
    def is_refused(self) -> bool:
        """Whether they are too many to be removed without being confirmed."""
        return not self.confirmed and self.share > MOST
