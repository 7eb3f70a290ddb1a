# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""How well the score of the first answer tells whether it is right: calibration, risk and coverage."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binomtest

Values = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Bin:
    """
    Questions whose first answers have similar scores.

    :param score: The mean of the scores.
    :param right: The share of the first answers that are right.
    :param interval: Its 95 % interval (Wilson).
    :param questions: How many they are.
    """

    score: float
    right: float
    interval: tuple[float, float]
    questions: int


def reliability(scores: Values, right: Values, bins: int = 10) -> list[Bin]:
    """
    Cut questions into bins of equal size by the scores of their first answers; equal scores stay together.

    :param scores: The scores, [n_questions].
    :param right: 1 where the first answer is right, else 0, [n_questions].
    :param bins: The most bins.
    :returns: The bins that hold questions, by rising score.
    """
    edges = np.quantile(scores, np.linspace(0, 1, bins + 1)[1:-1])
    place = np.searchsorted(edges, scores, side="left")
    found = []
    for each in np.unique(place):
        inside = place == each
        count, hits = int(inside.sum()), int(right[inside].sum())
        interval = binomtest(hits, count).proportion_ci(method="wilson")
        found.append(Bin(float(scores[inside].mean()), hits / count, (interval.low, interval.high), count))
    return found


def calibration_error(bins: list[Bin]) -> float:
    """
    Expected calibration error (Naeini, Cooper and Hauskrecht 2015), over bins of equal size.

    :param bins: The bins.
    :returns: The mean over questions of the distance between score and share of right answers in their bin.
    """
    return sum(one.questions * abs(one.score - one.right) for one in bins) / sum(one.questions for one in bins)


def risk_by_coverage(scores: Values, right: Values) -> tuple[Values, Values]:
    """
    Say how many answers are wrong where only the surest questions are answered (El-Yaniv and Wiener 2010).

    :param scores: The scores of the first answers, [n_questions].
    :param right: 1 where the first answer is right, else 0, [n_questions].
    :returns: Shares of questions answered, rising to 1, and the share of wrong ones among them; a point for each
        different score.
    """
    order = np.argsort(-scores, kind="stable")
    wrong = np.cumsum(1 - right[order])
    ends = np.flatnonzero(np.append(np.diff(scores[order]) != 0, True))
    return (ends + 1) / len(scores), wrong[ends] / (ends + 1)
