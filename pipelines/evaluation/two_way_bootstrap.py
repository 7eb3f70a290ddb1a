# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Would other questions and other seeds have given the same difference? A bootstrap of both together."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

RESAMPLES = 9999
_CELLS = 1_000_000  # draws held at once, so that memory does not grow with the number of resamples
_ROUNDING = 1e-12  # means that are equal but for the order of their additions count as equal

Values = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class SeedsComparison:
    """
    How far one ranker lies above another, each trained with several seeds.

    :param difference: The second's mean over seeds and questions less the first's.
    :param interval: The 95 % bootstrap interval of that, or None with fewer than two clusters.
    :param p_value: Two-sided, of the same bootstrap; None with fewer than two clusters.
    :param questions: Questions compared.
    :param clusters: Groups of questions that share no entry with each other; these were resampled.
    :param single_seed: Whether one of the two depends on its seed and has a single one. Then only questions were
        resampled, and the difference is one between these very models.
    """

    difference: float
    interval: tuple[float, float] | None
    p_value: float | None
    questions: int
    clusters: int
    single_seed: bool


def compare_over_seeds(
    baseline: Values,
    other: Values,
    clusters: NDArray[np.int64],
    *,
    fixed: tuple[bool, bool] = (False, False),
    resamples: int = RESAMPLES,
) -> list[SeedsComparison]:
    """
    Compare two rankers on the same questions, as a draw of other questions and other seeds would.

    Every resample weighs each value by the product of its question's weight and its seed's, as in the pigeonhole
    bootstrap (Owen 2007, "The pigeonhole bootstrap"; Owen and Eckles 2012, "Bootstrapping data arrays of arbitrary
    order"). Such products count more than once what belongs to a question and a seed together: the interval is too
    wide rather than too narrow.

    Clusters of questions are drawn with replacement, the same ones for all seeds of both rankers. The seeds of the two
    are independent of each other, and each has two to five: drawn with replacement they would vary too little, by a
    factor of (n - 1) / n, and one seed would stand for all too often (of three seeds, the 95 % interval held the truth
    in 80 % of simulations). So their weights are normal, of the mean 1 / n, the sum 1, and the spread that gives a
    mean over seeds its unbiased variance; and all of them are stretched by the root of f / chi-square(f), f being
    Welch and Satterthwaite's degrees of freedom. Where questions make no difference, the interval is then that of
    Welch's t-test over the seeds' means; where seeds make none, it is the percentile bootstrap over clusters.

    The p-value is that of the same resamples: twice the smaller of the shares that are at most and at least 0, the
    observed sample among them: 2 (1 + count) / (1 + resamples), at most 1 and never 0 (Davison and Hinkley 1997,
    "Bootstrap methods and their application", section 4.2). Where it is below 0.05 the interval leaves out 0.

    :param baseline: The first ranker's values, [n_metrics, n_seeds, n_questions].
    :param other: The second's, [n_metrics, m_seeds, n_questions].
    :param clusters: Per question the number of its cluster, from 0, see `shared_entry_clusters`, [n_questions].
    :param fixed: Of either ranker whether any seed would give the same values. If another one has a single seed, what
        seeds do is not known, and only questions are resampled.
    :param resamples: Samples drawn.
    :returns: By metric.
    :raises ValueError: If shapes do not fit, or there is no question or seed.
    """
    sides = (baseline, other)
    if not baseline.shape[0] == other.shape[0] or any(
        side.ndim != 3 or side.size == 0 or side.shape[2] != len(clusters) for side in sides
    ):
        msg = (
            "expected values of the same metrics and one cluster per question, and at least one seed and one question, "
            f"but got [metrics, seeds, questions] {baseline.shape} and {other.shape}, and {len(clusters)} clusters"
        )
        raise ValueError(msg)
    varying = [place for place in (0, 1) if not fixed[place]]
    single = any(sides[place].shape[1] == 1 for place in varying)
    observed = [side.mean(axis=2) for side in sides]
    differences = observed[1].mean(axis=1) - observed[0].mean(axis=1)
    count = int(clusters.max()) + 1
    if count < 2:
        return [SeedsComparison(float(one), None, None, len(clusters), count, single) for one in differences]

    generator = np.random.default_rng(0)
    rows = np.concatenate([side.reshape(-1, len(clusters)) for side in sides])
    drawn = _means_of_drawn_clusters(rows, clusters, resamples, generator)
    cut = baseline.shape[0] * baseline.shape[1]
    parts = (drawn[:, :cut], drawn[:, cut:])
    means = [part.reshape(resamples, *side.shape[:2]) for part, side in zip(parts, sides, strict=True)]
    resampled = means[1].mean(axis=2) - means[0].mean(axis=2)
    if varying and not single:
        moved = sum(_moved_by_seeds(means[place], generator) for place in varying)
        freedom = _degrees_of_freedom([observed[place] for place in varying])
        resampled += moved * np.sqrt(freedom / generator.chisquare(freedom, size=resampled.shape))
    lows, highs = np.percentile(resampled, [2.5, 97.5], axis=0)
    at_most = np.count_nonzero(resampled <= _ROUNDING, axis=0)
    at_least = np.count_nonzero(resampled >= -_ROUNDING, axis=0)
    p_values = np.minimum(1.0, 2 * (1 + np.minimum(at_most, at_least)) / (1 + resamples))
    return [
        SeedsComparison(float(difference), (float(low), float(high)), float(p), len(clusters), count, single)
        for difference, low, high, p in zip(differences, lows, highs, p_values, strict=True)
    ]


def _means_of_drawn_clusters(
    rows: Values, clusters: NDArray[np.int64], resamples: int, generator: np.random.Generator
) -> Values:
    """Means over questions, whose clusters are drawn with replacement: of each row, [resamples, rows]."""
    sizes = np.bincount(clusters)
    count = len(sizes)
    sums = np.stack([np.bincount(clusters, weights=row) for row in rows], axis=1)
    means, step = np.empty((resamples, len(rows))), max(1, _CELLS // count)
    for start in range(0, resamples, step):
        size = min(step, resamples - start)
        places = generator.integers(0, count, size=(size, count)) + count * np.arange(size)[:, None]
        weights = np.bincount(places.ravel(), minlength=size * count).reshape(size, count).astype(np.float64)
        means[start : start + size] = (weights @ sums) / (weights @ sizes)[:, None]
    return means


def _moved_by_seeds(means: Values, generator: np.random.Generator) -> Values:
    """How far other seeds would move their mean: normal, with its unbiased variance. [resamples, metrics]."""
    seeds = means.shape[2]
    weights = generator.normal(size=(len(means), 1, seeds))
    moved: Values = ((means - means.mean(axis=2, keepdims=True)) * weights).sum(axis=2)
    moved /= np.sqrt(seeds * (seeds - 1))
    return moved


def _degrees_of_freedom(sides: Sequence[Values]) -> Values:
    """Welch and Satterthwaite's, of each metric's difference between means over seeds; sides are [metrics, seeds]."""
    variances = np.stack([side.var(axis=1, ddof=1) / side.shape[1] for side in sides])
    each = np.array([side.shape[1] - 1 for side in sides])
    below = (variances**2 / each[:, None]).sum(axis=0)
    freedom: Values = np.full_like(below, each.sum())
    np.divide(variances.sum(axis=0) ** 2, below, out=freedom, where=below > 0)
    return freedom
