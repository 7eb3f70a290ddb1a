# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Risk, coverage and calibration error, on cases that can be computed by hand."""

import json

import numpy as np
import pytest

from answer_selection.pipelines.evaluation.risk_coverage import RiskCoverage


def test_the_curve_and_its_area_by_hand():
    made = RiskCoverage.of([0.9, 0.1, 0.5, 0.7], [True, False, True, False], probabilities=True)
    assert made.curve == ((0.25, 0.0), (0.5, 0.5), (0.75, round(1 / 3, 4)), (1.0, 0.5))
    assert made.aurc == pytest.approx((0 + 1 / 2 + 1 / 3 + 1 / 2) / 4)
    assert made.right == 0.5
    # Each of four bins has one question: |0.9 - 1|, |0.1 - 0|, |0.5 - 1|, |0.7 - 0|.
    assert made.ece == pytest.approx((0.1 + 0.1 + 0.5 + 0.7) / 4)


def test_a_bin_compares_its_mean_probability_with_its_share_of_right_answers():
    made = RiskCoverage.of([0.72] * 10, [True] * 7 + [False] * 3, probabilities=True)
    assert made.ece == pytest.approx(0.02)


def test_the_coverage_at_a_risk_is_the_greatest():
    right = [True] * 10 + [False] + [True] * 19 + [False] * 10
    made = RiskCoverage.of([40.0 - place for place in range(40)], right, probabilities=False)
    assert made.coverage_at == {0.01: 0.25, 0.05: 0.75, 0.1: pytest.approx(32 / 40)}
    assert made.ece is None


def test_equally_sure_answers_are_given_together():
    made = RiskCoverage.of([1.0, 1.0, 0.0, 0.0], [True, False, True, True], probabilities=False)
    assert made.curve == ((0.5, 0.5), (1.0, 0.25))
    assert made.aurc == pytest.approx((0.5 + 0.5 + 0.5 * 2 / 3 + 0.25) / 4)


def test_a_question_without_an_answer_comes_last():
    made = RiskCoverage.of([None, 0.2], [False, True], probabilities=True)
    assert made.curve == ((0.5, 0.0), (1.0, 0.5))
    assert made.ece == pytest.approx((0 + 0.8) / 2)


def test_where_nothing_is_right_nothing_can_be_answered():
    made = RiskCoverage.of([0.9, 0.8, 0.7], [False] * 3, probabilities=True)
    assert (made.aurc, set(made.coverage_at.values())) == (1.0, {0.0})


def test_a_long_curve_is_shown_by_a_hundred_points_with_both_ends():
    random = np.random.default_rng(0)
    made = RiskCoverage.of(list(random.random(5000)), list(random.random(5000) < 0.5), probabilities=False)
    assert (len(made.curve), made.curve[-1][0]) == (100, 1.0)
    assert json.loads(json.dumps(made.to_dict()))["curve"][-1] == {"coverage": 1.0, "risk": made.curve[-1][1]}


def test_without_questions_there_is_no_risk():
    with pytest.raises(ValueError, match="there is no question"):
        RiskCoverage.of([], [], probabilities=True)
