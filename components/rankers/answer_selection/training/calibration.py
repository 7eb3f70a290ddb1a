# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
Making logits mean something: Platt's scaling on validation lists.

Listwise and pairwise losses say which of two candidates is better and leave open how good either is. With scale a and
shift b fitted by logistic regression (Platt 1999, "Probabilistic outputs for support vector machines", section 2),
sigmoid(a * logit + b) is the probability that a candidate is relevant, and a threshold can mean "no good answer". The
order of candidates stays as it is.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from haystack_integrations.components.rankers.answer_selection.mixing import sigmoid
from haystack_integrations.components.rankers.answer_selection.training.dataset import Floats

_LEAST: Final = 5


def fit_scale(logits: Floats, labels: NDArray[np.int8]) -> tuple[float, float] | None:
    """
    Fit scale and shift.

    :param logits: a model's logits, [n_pairs].
    :param labels: 1 is relevant, 0 is not, [n_pairs].
    :returns: scale and shift; None where there are fewer than five candidates of either label, or where higher logits
        do not mean more relevance.
    """
    positives = int(labels.sum())
    negatives = len(labels) - positives
    if min(positives, negatives) < _LEAST:
        return None
    # Platt's targets: as if one more candidate of each label had been seen, so that nothing becomes certain.
    targets = np.where(labels > 0, (positives + 1) / (positives + 2), 1 / (negatives + 2))
    # Fitted on standardised logits, where one start serves all.
    mean, deviation = float(logits.mean()), float(logits.std())
    if deviation == 0.0:
        return None
    x = (logits - mean) / deviation

    def loss(parameters: Floats) -> tuple[float, Floats]:
        z = parameters[0] * x + parameters[1]
        error = sigmoid(z) - targets
        return float(np.mean(np.logaddexp(0.0, z) - targets * z)), np.array([np.mean(error * x), np.mean(error)])

    found = minimize(loss, np.array([1.0, np.log(positives / negatives)]), jac=True, method="L-BFGS-B").x
    scale = float(found[0]) / deviation
    return (scale, float(found[1]) - scale * mean) if scale > 0 else None
