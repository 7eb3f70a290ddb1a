# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
From which certainty on answers may be given, so that at most a stated share of those given is wrong.

The bound is Clopper and Pearson's (1934). Of n questions, sorted by certainty, the first k are answered by a threshold
between the k-th and the next. Given where that threshold lies, the k are independent draws of the questions above it.
The number of their wrong answers is binomial, so that the bound holds for the risk above that threshold.

Many thresholds are tried, so they are tested in a fixed sequence from the surest on, to the first that fails
(Angelopoulos et al. 2021, "Learn then Test", section 2.2; for selective classification Geifman and El-Yaniv 2017 have
the same bound over a binary search). A sequence that starts where a single error ends it would be brittle. So there are
three, which start where 0, 2 and 6 errors would still pass, each at a third of the error probability. That they are
safe rests on one thing beside independent questions: that surer answers are not more often wrong.
"""

import math
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.stats import beta

from haystack_integrations.components.rankers.answer_selection.answer_risk import AnswerRisk, Threshold
from haystack_integrations.components.rankers.answer_selection.training.calibration import fit_scale
from haystack_integrations.components.rankers.answer_selection.training.dataset import Floats

CONFIDENCE: Final = 0.9
_ERRORS_AT_START: Final = (0, 2, 6)


def upper_bound(wrong: ArrayLike, given: ArrayLike, confidence: float = CONFIDENCE) -> Floats:
    """
    Clopper and Pearson's upper bound of a share.

    :param wrong: How many of the answers given were wrong, [n] or one number.
    :param given: How many were given, likewise.
    :param confidence: The probability that the bound holds.
    :returns: The bound, [n] or one number; 1.0 if nothing was given or all was wrong.
    """
    errors, answers = np.asarray(wrong), np.asarray(given)
    right = answers - errors
    return np.where(right > 0, beta.ppf(confidence, errors + 1, np.maximum(right, 1)), 1.0)


def fewest_answers(risk: float) -> int:
    """
    Say how many answers there must be, all of them right, to show that a risk is kept with :data:`CONFIDENCE`.

    :param risk: The risk.
    :returns: How many.
    """
    return _start(risk, _ERRORS_AT_START[0], _level(CONFIDENCE))


def answers_within(certain: Floats, right: NDArray[np.bool_], risk: float, confidence: float = CONFIDENCE) -> int:
    """
    Say how many of the surest answers can be given at a risk.

    Answers of equal certainty are given all or none.

    :param certain: How sure each question's first answer is, [n_questions].
    :param right: Whether it is right, [n_questions].
    :param risk: The most that may be wrong of the answers given, between 0 and 1.
    :param confidence: The probability that this holds for new questions.
    :returns: How many of the surest; 0 if no threshold keeps the risk.
    :raises ValueError: If the risk or the confidence is not between 0 and 1.
    """
    for name, value in (("risk", risk), ("confidence", confidence)):
        if not 0 < value < 1:
            msg = f"the {name} must be between 0 and 1, but is {value!r}"
            raise ValueError(msg)
    order = np.argsort(-certain, kind="stable")
    wrong = np.cumsum(~right[order])
    falling = certain[order]
    # Ranks that a threshold can lie behind.
    ends = np.flatnonzero(np.r_[falling[1:] < falling[:-1], [True] * bool(len(falling))]) + 1
    level = _level(confidence)
    passes = upper_bound(wrong[ends - 1], ends, 1 - level) <= risk
    most = 0
    for errors in _ERRORS_AT_START:
        begins = int(np.searchsorted(ends, _start(risk, errors, level)))
        failed = np.flatnonzero(~passes[begins:])
        stop = begins + int(failed[0]) if len(failed) else len(ends)
        if stop > begins:
            most = max(most, int(ends[stop - 1]))
    return most


def calibrate(
    certain: Sequence[float],
    right: Sequence[bool],
    risks: Sequence[float],
    *,
    without_answer: int,
    ranking: Mapping[str, Any],
    retrieval: Mapping[str, Any],
) -> AnswerRisk:
    """
    Calibrate a ranker on questions that it has not learned from.

    The probability is fitted on the same questions as the thresholds. That is safe: a threshold is a rank among the
    certainties, and the fit keeps their order.

    :param certain: How sure the first answer of each question is, see `answer_risk.certainty`.
    :param right: Whether it is right.
    :param risks: The risks to find thresholds for.
    :param without_answer: How many of the questions had no right answer to be found.
    :param ranking: What the ranker's scores depend on.
    :param retrieval: What finds the candidates.
    :returns: The calibration.
    :raises ValueError: If a risk is not between 0 and 1, or there are fewer than five right answers or wrong ones, or
        surer answers are not more often right.
    """
    sure, correct = np.array(certain, dtype=np.float64), np.array(right, dtype=np.bool_)
    counts = {risk: answers_within(sure, correct, risk) for risk in risks}
    fitted = fit_scale(sure, correct.astype(np.int8)) if len(sure) else None
    if fitted is None:
        msg = (
            f"the first answer is right for {int(correct.sum())} of {len(correct)} questions; expected at least five "
            "right and five wrong ones, and that surer answers are more often right"
        )
        raise ValueError(msg)
    calibration = AnswerRisk(*fitted, CONFIDENCE, len(sure), without_answer, dict(ranking), {})
    order = np.argsort(-sure, kind="stable")
    thresholds = {}
    for risk, count in counts.items():
        least = float(sure[order[count - 1]]) if count else None
        thresholds[risk] = Threshold(
            None if least is None else calibration.probability(least),
            count / len(sure),
            float(np.mean(~correct[order[:count]])) if count else None,
        )
    return AnswerRisk(*fitted, CONFIDENCE, len(sure), without_answer, dict(ranking), thresholds, dict(retrieval))


def _level(confidence: float) -> float:
    return (1 - confidence) / len(_ERRORS_AT_START)


@cache
def _start(risk: float, errors: int, level: float) -> int:
    """The fewest answers of which so many may be wrong."""
    counts = range(errors + 1, errors + 2 + math.ceil(20 * (errors + 1) / risk))
    return counts[bisect_left(counts, True, key=lambda count: bool(upper_bound(errors, count, 1 - level) <= risk))]
