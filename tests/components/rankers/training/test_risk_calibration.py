# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Thresholds for a stated risk: the bound, the sequence of tests, and that the promise holds."""

import numpy as np
import pytest
from scipy.stats import binomtest

from haystack_integrations.components.rankers.answer_selection.training.risk_calibration import (
    answers_within,
    calibrate,
    fewest_answers,
    upper_bound,
)


@pytest.mark.parametrize(("wrong", "given"), [(0, 1), (0, 45), (3, 65), (64, 65)])
def test_the_bound_is_that_of_an_exact_one_sided_test(wrong, given):
    exact = binomtest(wrong, given, alternative="less").proportion_ci(0.9, "exact").high
    assert upper_bound(wrong, given) == pytest.approx(exact)


def test_where_all_is_wrong_or_nothing_is_given_the_bound_is_one():
    assert upper_bound(0, 0) == upper_bound(5, 5) == 1.0


def test_the_bound_lies_above_the_risk_in_nine_of_ten_samples():
    wrong = np.random.default_rng(0).binomial(120, 0.07, 400)
    held = np.mean([upper_bound(int(one), 120) >= 0.07 for one in wrong])
    assert held >= 0.9


def falling(wrong_places, count):
    """Certainties that fall, and whether each answer is right."""
    right = np.ones(count, dtype=bool)
    right[list(wrong_places)] = False
    return np.arange(count, 0.0, -1.0), right


def test_with_no_wrong_answer_there_must_be_enough_right_ones():
    # 0.9 ** 33 = 0.0309 < 0.1 / 3 < 0.9 ** 32: each of the three sequences has a third of the error probability.
    assert fewest_answers(0.1) == 33
    assert answers_within(*falling([], 33), 0.1) == 33
    assert answers_within(*falling([], 32), 0.1) == 0


def test_the_sequence_stops_before_the_first_threshold_that_fails():
    # 40 right ones, then only wrong ones: at 53 answers one may be wrong, P(Bin(53, 0.1) <= 1) = 0.026.
    assert answers_within(*falling(range(40, 80), 80), 0.1) == 40
    # After an early error the sequence that allows two begins where they would pass, and goes on to the end.
    assert answers_within(*falling([3], 200), 0.1) == 200
    # What is right again behind a failure does not count: the thresholds in between have failed.
    certain, right = falling(range(40, 60), 1000)
    assert answers_within(certain, right, 0.1) == 40


def test_answers_of_equal_certainty_are_given_together_or_not_at_all():
    right = np.r_[np.ones(40, dtype=bool), np.zeros(40, dtype=bool)]
    assert answers_within(np.r_[np.full(40, 2.0), np.full(40, 1.0)], right, 0.1) == 40
    assert answers_within(np.full(80, 1.0), right, 0.1) == 0


def test_the_order_of_equal_certainties_changes_nothing():
    random = np.random.default_rng(0)
    certain, right = np.repeat(np.arange(30.0), 20), random.random(600) < np.repeat(np.linspace(0.2, 1, 30), 20)
    shuffled = random.permutation(600)
    assert answers_within(certain, right, 0.1) == answers_within(certain[shuffled], right[shuffled], 0.1) > 0


def test_where_no_answer_is_right_none_is_given():
    assert answers_within(*falling(range(500), 500), 0.1) == 0
    assert answers_within(np.zeros(0), np.zeros(0, dtype=bool), 0.1) == 0


@pytest.mark.parametrize("risk", [0.0, 1.0, -0.1, float("nan")])
def test_a_risk_is_between_0_and_1(risk):
    with pytest.raises(ValueError, match="the risk must be between 0 and 1"):
        answers_within(*falling([], 10), risk)


@pytest.mark.parametrize("risk", [0.05, 0.1, 0.2])
def test_the_stated_risk_is_kept_in_nine_of_ten_calibrations(risk):
    # Answers are right with the probability of their certainty, so the true risk above a threshold is known.
    random = np.random.default_rng(0)
    population = random.normal(1.0, 2.0, 20_000)
    wrong = 1 / (1 + np.exp(population))
    kept, given = [], []
    for _ in range(200):
        drawn = random.integers(len(population), size=400)
        certain, right = population[drawn], random.random(400) >= wrong[drawn]
        count = answers_within(certain, right, risk)
        above = population >= np.sort(certain)[-count] if count else np.zeros(len(population), dtype=bool)
        kept.append(not above.any() or wrong[above].mean() <= risk)
        given.append(above.mean())
    assert np.mean(kept) >= 0.9
    # It is not kept by silence.
    assert np.mean(given) > 0.05


def calibration(risks=(0.1, 0.01)):
    random = np.random.default_rng(0)
    certain = random.normal(1.0, 2.0, 2000)
    right = random.random(2000) < 1 / (1 + np.exp(1.0 - 2.0 * certain))
    known = {"without_answer": 7, "ranking": {"vectors": True}, "retrieval": {"top_k": 30}}
    return calibrate(list(certain), list(right), risks, **known), certain, right


def test_a_calibration_gives_each_risk_its_threshold_and_says_what_it_came_to():
    made, certain, right = calibration()
    threshold = made.thresholds[0.1]
    given = np.array([made.probability(one) >= threshold.probability for one in certain])
    assert given.sum() == answers_within(certain, right, 0.1) > 0
    assert threshold.answered == pytest.approx(given.mean())
    assert threshold.wrong == pytest.approx(1 - right[given].mean())
    assert threshold.wrong <= 0.1
    assert (made.questions, made.without_answer, made.confidence) == (2000, 7, 0.9)
    assert (made.ranking, made.retrieval) == ({"vectors": True}, {"top_k": 30})


def test_a_calibration_knows_how_probable_a_right_answer_is():
    made, certain, right = calibration()
    assert np.mean([made.probability(one) for one in certain]) == pytest.approx(right.mean(), abs=0.01)
    assert (made.scale, made.shift) == pytest.approx((2.0, -1.0), abs=0.25)


def test_a_risk_that_cannot_be_reached_has_no_threshold():
    made, *_ = calibration(risks=(0.0001,))
    assert made.thresholds[0.0001].probability is None
    assert (made.thresholds[0.0001].answered, made.thresholds[0.0001].wrong) == (0.0, None)


@pytest.mark.parametrize("right", [0, 4, 100])
def test_questions_that_tell_nothing_are_refused(right):
    known = {"without_answer": 0, "ranking": {}, "retrieval": {}}
    with pytest.raises(ValueError, match=f"right for {right} of 100 questions; expected at least five"):
        calibrate(list(range(100)), [place < right for place in range(100)], [0.1], **known)
