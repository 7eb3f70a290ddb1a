# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The paired test and the interval against scipy's exact test, hand-computed cases and simulated nulls."""

import numpy as np
import pytest
from scipy.stats import permutation_test

from answer_selection.pipelines.evaluation.significance import (
    bootstrap_interval,
    compare,
    randomisation_p_value,
    shared_entry_clusters,
)


def alone(count):
    return np.arange(count)


@pytest.mark.parametrize("seed", range(5))
def test_agrees_with_scipys_exact_test(seed):
    generator = np.random.default_rng(seed)
    # Values that tie often, as P@1's do, and some that do not.
    differences = generator.choice([-1.0, 0.0, 1.0, 0.1, -1 / 3], size=12)
    exact = permutation_test(
        (differences, np.zeros(12)),
        lambda x, y, axis: (x - y).mean(axis=axis),
        permutation_type="samples",
        vectorized=True,
        n_resamples=np.inf,
    ).pvalue
    # 20,000 patterns: the standard error is at most 0.0036.
    assert randomisation_p_value(differences, resamples=20_000, seed=seed) == pytest.approx(exact, abs=0.015)


def test_hand_computed():
    # Of the 8 sign patterns only + + + and - - - are as far from 0.
    assert randomisation_p_value(np.ones(3), resamples=40_000) == pytest.approx(0.25, abs=0.01)
    # 0.1 + 0.2 - 0.3 is 0 but for rounding: every pattern is as far.
    assert randomisation_p_value(np.array([0.1, 0.2, -0.3])) == 1.0


def test_never_0_and_1_without_a_difference():
    assert randomisation_p_value(np.ones(100), resamples=999) == 1 / 1000
    assert randomisation_p_value(np.zeros(100)) == 1.0
    assert randomisation_p_value(np.zeros(0)) == 1.0


def test_the_direction_does_not_matter_and_the_seed_decides():
    differences = np.random.default_rng(1).normal(0.1, 1.0, 40)
    assert randomisation_p_value(differences, seed=3) == randomisation_p_value(-differences, seed=3)
    assert randomisation_p_value(differences, seed=3) == randomisation_p_value(differences, seed=3)
    assert randomisation_p_value(differences, seed=3) != randomisation_p_value(differences, seed=4)


def test_questions_that_share_an_entry_are_one_cluster():
    # 0 and 3 share a; 3 and 1 share b, so all three belong together; 4 has no entry; 2 and 5 are alone.
    relevant = [("a",), ("b",), ("c",), ("a", "b"), (), ("d", "e")]
    clusters = shared_entry_clusters(relevant)
    assert clusters[0] == clusters[1] == clusters[3]
    assert len(set(clusters.tolist())) == 4
    assert set(clusters.tolist()) == {0, 1, 2, 3}
    assert shared_entry_clusters([()]).tolist() == [0]


def test_an_entry_that_is_named_like_another_question_does_not_join_them():
    assert len(set(shared_entry_clusters([("1",), ("0",)]).tolist())) == 2


def test_ten_questions_on_one_entry_are_one_observation():
    baseline, other = np.zeros(10), np.ones(10)
    apart = compare(baseline, other, alone(10))
    together = compare(baseline, other, np.zeros(10, dtype=np.int64))
    assert apart.difference == together.difference == 1.0
    assert apart.p_value < 0.01
    assert together.p_value == 1.0
    assert together.interval is None
    assert (apart.clusters, together.clusters, together.questions) == (10, 1, 10)


def test_false_alarms_come_as_often_as_they_should():
    """60 entries of 5 questions whose differences share the entry's own chance: no true difference."""
    generator = np.random.default_rng(7)
    clusters = np.repeat(np.arange(60), 5)
    by_entry, by_question = 0, 0
    for _ in range(300):
        differences = np.repeat(generator.normal(size=60), 5) + 0.3 * generator.normal(size=300)
        sums = np.bincount(clusters, weights=differences)
        by_entry += randomisation_p_value(sums, resamples=399) <= 0.05
        by_question += randomisation_p_value(differences, resamples=399) <= 0.05
    assert 0.02 <= by_entry / 300 <= 0.09
    # What would happen if the questions were taken for independent.
    assert by_question / 300 > 0.2


def test_the_interval_is_the_normal_one_for_many_questions():
    generator = np.random.default_rng(0)
    values = generator.normal(0.2, 1.0, 2000)
    low, high = bootstrap_interval(values, np.ones(2000))
    error = 1.96 * values.std() / np.sqrt(2000)
    assert low == pytest.approx(values.mean() - error, abs=0.005)
    assert high == pytest.approx(values.mean() + error, abs=0.005)


def test_the_interval_is_wider_where_questions_share_entries():
    clusters = np.repeat(np.arange(50), 8)
    differences = np.repeat(np.random.default_rng(0).normal(size=50), 8)
    apart = compare(np.zeros(400), differences, alone(400)).interval
    together = compare(np.zeros(400), differences, clusters).interval
    # Eight copies of each value: the mean's error is that of 50 values, sqrt(8) times as large.
    assert (together[1] - together[0]) / (apart[1] - apart[0]) == pytest.approx(np.sqrt(8), rel=0.1)


@pytest.mark.slow
def test_large_questions_sets_are_tested_in_seconds():
    differences = np.random.default_rng(0).choice([-1.0, 0.0, 0.0, 1.0], size=11_877)
    result = compare(np.zeros(11_877), differences, alone(11_877))
    assert result.interval[0] < result.difference < result.interval[1]


def test_wrong_lengths():
    with pytest.raises(ValueError, match="got 2, 3 and 3"):
        compare(np.zeros(2), np.zeros(3), alone(3))
    with pytest.raises(ValueError, match="at least one question"):
        compare(np.zeros(0), np.zeros(0), alone(0))
