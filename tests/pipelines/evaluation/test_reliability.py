# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Calibration, risk and coverage, against cases that are worked out by hand."""

import numpy as np
import pytest

from answer_selection.pipelines.evaluation.reliability import calibration_error, reliability, risk_by_coverage


def test_bins_have_equal_numbers_of_questions_and_equal_scores_stay_together():
    scores, right = np.array([0.1, 0.2, 0.8, 0.9]), np.array([0.0, 1.0, 1.0, 1.0])
    low, high = reliability(scores, right, bins=2)
    assert (low.score, low.right, low.questions) == (pytest.approx(0.15), 0.5, 2)
    assert (high.score, high.right, high.questions) == (pytest.approx(0.85), 1.0, 2)
    assert low.interval[0] < 0.5 < low.interval[1]
    assert calibration_error([low, high]) == pytest.approx((0.35 + 0.15) / 2)
    [one] = reliability(np.full(7, 0.3), np.array([1.0, 0, 0, 1, 0, 0, 0]))
    assert (one.questions, one.right) == (7, pytest.approx(2 / 7))


def test_risk_is_that_of_the_surest():
    coverage, risk = risk_by_coverage(np.array([0.2, 0.9, 0.5, 0.5]), np.array([0.0, 1.0, 0.0, 1.0]))
    # Two have the same score: they are answered together, or not at all.
    assert coverage.tolist() == [0.25, 0.75, 1.0]
    assert risk == pytest.approx([0, 1 / 3, 0.5])
