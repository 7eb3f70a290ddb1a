# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""What `rank` gives of a text."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RankedText:
    """
    A text with its score.

    :param index: Its place in the list that was given; 0 is the first.
    :param score: The final score.
    :param probability: The ranker's probability that the text answers the question; None if the ranker has no model, or
        did not read the text.
    :param text: The text.
    """

    index: int
    score: float
    probability: float | None
    text: str
