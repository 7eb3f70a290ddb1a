# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The bootstrap over questions and seeds: against a loop, in its two limits, and on simulated nulls."""

import numpy as np
import pytest
from scipy.stats import ttest_1samp, ttest_ind

from answer_selection.pipelines.evaluation import two_way_bootstrap
from answer_selection.pipelines.evaluation.significance import bootstrap_interval
from answer_selection.pipelines.evaluation.two_way_bootstrap import compare_over_seeds


def one_metric(baseline, other, clusters, **options):
    [found] = compare_over_seeds(np.array([baseline]), np.array([other]), np.array(clusters), **options)
    return found


def width(interval):
    return interval[1] - interval[0]


def simulated(generator, clusters, seeds, *, question=0.0, seed=0.0, both=0.0):
    """Two rankers without a true difference: what their questions, their seeds, and both together add by chance."""
    easy = generator.normal(0.5, 0.3, len(clusters))
    of_cluster = generator.normal(0, question, clusters.max() + 1)[clusters]

    def values(count):
        shape = (count, len(clusters))
        return easy + generator.normal(0, seed, (count, 1)) + generator.normal(0, both, shape)

    return values(seeds[0]), values(seeds[1]) + of_cluster


def slow(baseline, other, clusters, resamples, generator):
    """One resample after the other, question by question, from the definition in the docstring."""

    def variance_of_mean(values):
        return np.mean(values, axis=1).var(ddof=1) / len(values)

    variances = [variance_of_mean(baseline), variance_of_mean(other)]
    freedom = sum(variances) ** 2 / (variances[0] ** 2 / (len(baseline) - 1) + variances[1] ** 2 / (len(other) - 1))
    found = []
    for _ in range(resamples):
        drawn = generator.integers(0, max(clusters) + 1, size=max(clusters) + 1).tolist()
        questions = [place for cluster in drawn for place, own in enumerate(clusters) if own == cluster]
        stretched = np.sqrt(freedom / generator.chisquare(freedom))
        means = []
        for side in (baseline, other):
            normal = generator.normal(size=len(side))
            total = 0.0
            for row, one in zip(side, normal, strict=True):
                weight = 1 / len(side) + stretched * (one - normal.mean()) / np.sqrt(len(side) * (len(side) - 1))
                total += weight * sum(row[place] for place in questions) / len(questions)
            means.append(total)
        found.append(means[1] - means[0])
    at_most = sum(one <= 0 for one in found)
    at_least = sum(one >= 0 for one in found)
    return np.percentile(found, [2.5, 97.5]), min(1.0, 2 * (1 + min(at_most, at_least)) / (1 + resamples))


def test_agrees_with_a_loop_from_the_definition():
    generator = np.random.default_rng(3)
    clusters = np.array([0, 0, 1, 2, 2, 2, 3, 4, 5, 6, 7, 8])
    baseline, other = simulated(generator, clusters, (3, 4), question=0.2, seed=0.05, both=0.1)
    other += 0.08
    found = one_metric(baseline, other, clusters)
    interval, p_value = slow(baseline, other, clusters.tolist(), 4000, generator)
    # The ends of 4,000 resamples are known to about 3 % of the width.
    assert found.interval == pytest.approx(interval, abs=0.1 * width(interval))
    assert found.p_value == pytest.approx(p_value, abs=0.04)
    assert found.difference == pytest.approx(np.mean(other) - np.mean(baseline))
    assert (found.questions, found.clusters, found.single_seed) == (12, 9, False)


def test_where_seeds_do_not_differ_it_is_the_bootstrap_over_clusters():
    generator = np.random.default_rng(0)
    clusters = np.repeat(np.arange(150), 2)
    baseline, other = simulated(generator, clusters, (1, 1), question=0.3, both=0.1)
    sums = np.bincount(clusters, weights=(other - baseline)[0])
    expected = bootstrap_interval(sums, np.bincount(clusters).astype(float))
    for found in (
        one_metric(np.repeat(baseline, 3, axis=0), np.repeat(other, 2, axis=0), clusters),
        one_metric(np.repeat(baseline, 3, axis=0), other, clusters, fixed=(True, True)),
        one_metric(baseline, other, clusters),
    ):
        assert found.interval == pytest.approx(expected, abs=0.05 * width(expected))


@pytest.mark.parametrize("gap", [0.0, 0.02, 0.05])
def test_where_questions_make_no_difference_it_is_welchs_test(gap):
    seeds = np.array([[0.40], [0.42], [0.47]]), np.array([[0.45], [0.46], [0.44], [0.445], [0.45]]) + gap
    clusters = np.arange(40)
    baseline, other = (np.repeat(side, 40, axis=1) for side in seeds)
    welch = ttest_ind(seeds[1][:, 0], seeds[0][:, 0], equal_var=False)
    found = one_metric(baseline, other, clusters)
    expected = tuple(welch.confidence_interval(0.95))
    assert found.interval == pytest.approx(expected, abs=0.05 * width(expected))
    assert found.p_value == pytest.approx(welch.pvalue, abs=0.02)
    # Against what has no seed it is Student's test of one sample.
    alone = one_metric(np.full((1, 40), 0.43), other, clusters, fixed=(True, False))
    assert alone.p_value == pytest.approx(ttest_1samp(seeds[1][:, 0], 0.43).pvalue, abs=0.02)
    assert not alone.single_seed


def test_nothing_that_differs_is_no_difference():
    same = np.random.default_rng(0).random((3, 20))
    for baseline, other in ((same[:1], same[:1]), (np.ones((2, 20)), np.ones((3, 20)))):
        found = one_metric(baseline, other, np.arange(20))
        assert (found.difference, found.p_value) == (0.0, 1.0)
        assert found.interval == pytest.approx((0.0, 0.0), abs=1e-12)


def test_the_p_value_is_never_0_and_goes_with_the_interval():
    ones = one_metric(np.zeros((2, 30)), np.ones((2, 30)), np.arange(30), resamples=999)
    assert (ones.p_value, ones.interval) == (2 / 1000, (1.0, 1.0))
    generator = np.random.default_rng(5)
    outside = 0
    for _ in range(60):
        baseline, other = simulated(generator, np.arange(50), (3, 3), question=0.2, seed=0.02)
        found = one_metric(baseline, other + 0.05, np.arange(50), resamples=999)
        leaves_out_0 = found.interval[0] > 0 or found.interval[1] < 0
        assert leaves_out_0 or found.p_value >= 0.05
        assert not leaves_out_0 or found.p_value <= 0.054
        outside += leaves_out_0
    assert 0 < outside < 60


def test_it_does_not_matter_which_is_first_and_again_it_is_the_same():
    baseline, other = simulated(np.random.default_rng(1), np.arange(80), (3, 3), question=0.2, seed=0.05, both=0.1)
    found, turned = one_metric(baseline, other, np.arange(80)), one_metric(other, baseline, np.arange(80))
    assert turned.difference == pytest.approx(-found.difference)
    assert turned.interval == pytest.approx((-found.interval[1], -found.interval[0]), abs=0.1 * width(found.interval))
    assert turned.p_value == pytest.approx(found.p_value, abs=0.03)
    assert one_metric(baseline, other, np.arange(80)) == found


def test_a_single_seed_is_said_and_then_only_questions_are_resampled():
    baseline, other = simulated(np.random.default_rng(2), np.arange(60), (1, 4), question=0.2, seed=0.3)
    found = one_metric(baseline, other, np.arange(60))
    assert found.single_seed
    averaged = one_metric(baseline, other.mean(axis=0, keepdims=True), np.arange(60))
    assert found.interval == pytest.approx(averaged.interval, abs=1e-12)
    # What has no seed is none too few; the other one's are then resampled.
    fixed = one_metric(baseline, other, np.arange(60), fixed=(True, False))
    assert not fixed.single_seed
    assert width(fixed.interval) > 2 * width(found.interval)


def test_one_cluster_cannot_be_resampled():
    found = one_metric(np.zeros((2, 5)), np.ones((2, 5)), np.zeros(5, dtype=np.int64))
    assert (found.difference, found.interval, found.p_value, found.clusters) == (1.0, None, None, 1)


@pytest.mark.parametrize(
    ("seeds", "chance"),
    [
        ((3, 3), {"seed": 0.02}),
        ((2, 5), {"seed": 0.02, "question": 0.1}),
        ((5, 5), {"question": 0.3}),
        ((3, 3), {"seed": 0.02, "question": 0.2, "both": 0.1}),
    ],
    ids=("seeds alone", "few and many seeds", "questions alone", "all at once"),
)
def test_false_alarms_come_no_more_often_than_they_should(seeds, chance):
    """60 entries of two questions, 300 pairs of rankers that do not differ."""
    generator = np.random.default_rng(11)
    clusters = np.repeat(np.arange(60), 2)
    alarms = 0
    for _ in range(300):
        found = one_metric(*simulated(generator, clusters, seeds, **chance), clusters, resamples=399)
        alarms += not found.interval[0] <= 0 <= found.interval[1]
    assert alarms / 300 <= 0.08
    # Nor is it blind: what belongs to a question and a seed together is all that is counted more than once.
    assert alarms / 300 >= 0.005


def test_taking_the_seeds_for_fixed_would_raise_false_alarms():
    generator = np.random.default_rng(12)
    clusters, alarms = np.arange(120), [0, 0]
    for _ in range(200):
        pair = simulated(generator, clusters, (3, 3), seed=0.03, question=0.1)
        for place, fixed in enumerate([(False, False), (True, True)]):
            found = one_metric(*pair, clusters, resamples=399, fixed=fixed)
            alarms[place] += found.p_value < 0.05
    assert alarms[0] / 200 <= 0.08
    assert alarms[1] / 200 >= 0.2


def test_how_many_are_held_at_once_changes_nothing(monkeypatch):
    generator = np.random.default_rng(0)
    baseline, other = simulated(generator, np.arange(70), (2, 3), question=0.2, both=0.1)
    whole = one_metric(baseline, other, np.arange(70), resamples=500)
    monkeypatch.setattr(two_way_bootstrap, "_CELLS", 71)
    chunked = one_metric(baseline, other, np.arange(70), resamples=500)
    assert chunked.interval == pytest.approx(whole.interval, abs=1e-9)


def test_metrics_are_compared_each_for_itself():
    generator = np.random.default_rng(0)
    pairs = [simulated(generator, np.arange(50), (2, 2), question=scale) for scale in (0.1, 1.0)]
    found = compare_over_seeds(*(np.array(side) for side in zip(*pairs, strict=True)), np.arange(50))
    assert [one.difference for one in found] == pytest.approx([(other - own).mean() for own, other in pairs])
    assert width(found[1].interval) > 5 * width(found[0].interval)


@pytest.mark.parametrize("shapes", [((1, 2, 3), (1, 2, 4)), ((1, 2, 3), (2, 2, 3)), ((1, 0, 3), (1, 2, 3))])
def test_wrong_shapes(shapes):
    with pytest.raises(ValueError, match=r"expected values of the same metrics and one cluster per question"):
        compare_over_seeds(*map(np.zeros, shapes), np.arange(3))
