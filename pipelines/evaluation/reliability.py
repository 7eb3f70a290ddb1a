# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Whether probabilities say how often first answers are right: bins of them, and the expected calibration error."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binomtest

Values = NDArray[np.float64]

_BINS: Final = 10


@dataclass(frozen=True, slots=True)
class Bin:
    """
    Questions whose first answers have similar probabilities.

    :param probability: The mean of the probabilities.
    :param right: The share of the first answers that are right.
    :param interval: Its 95 % interval (Wilson).
    :param questions: How many they are.
    """

    probability: float
    right: float
    interval: tuple[float, float]
    questions: int


def reliability(probabilities: Values, right: Values) -> list[Bin]:
    """
    Cut questions into ten bins of equal width by the probabilities of their first answers.

    :param probabilities: The probabilities, [n_questions].
    :param right: 1 where the first answer is right, else 0, [n_questions].
    :returns: The bins that hold questions, by rising probability.
    """
    place = np.minimum((probabilities * _BINS).astype(int), _BINS - 1)
    found = []
    for each in np.unique(place):
        inside = place == each
        count, hits = int(inside.sum()), int(right[inside].sum())
        interval = binomtest(hits, count).proportion_ci(method="wilson")
        found.append(Bin(float(probabilities[inside].mean()), hits / count, (interval.low, interval.high), count))
    return found


def calibration_error(bins: Sequence[Bin]) -> float:
    """
    Expected calibration error (Guo et al. 2017, "On calibration of modern neural networks").

    :param bins: The bins.
    :returns: The mean over questions of the distance between probability and share of right answers in their bin.
    """
    return sum(one.questions * abs(one.probability - one.right) for one in bins) / sum(one.questions for one in bins)
