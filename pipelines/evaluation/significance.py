# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Is a difference between two rankings more than chance? Paired randomisation and bootstrap by groups of questions."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components
from scipy.stats import bootstrap

RESAMPLES = 9999
_CHUNK = 1000  # resamples held at once, so that memory does not grow with their number


@dataclass(frozen=True, slots=True)
class Comparison:
    """
    The paired difference of two rankings in one metric.

    :param difference: Mean over questions of the second ranking's value less the first's.
    :param interval: The 95 % bootstrap interval of that mean, or None with fewer than two clusters.
    :param p_value: Two-sided p-value of the randomisation test.
    :param questions: Questions compared.
    :param clusters: Groups of questions that share no entry with each other; what was resampled.
    """

    difference: float
    interval: tuple[float, float] | None
    p_value: float
    questions: int
    clusters: int


def shared_entry_clusters(relevant: Sequence[Iterable[str]]) -> NDArray[np.int64]:
    """
    Groups questions that share a relevant entry, directly or by way of others.

    Several questions on one entry succeed and fail together: counted as independent they would make a chance difference
    look certain. Where no two questions share an entry, each is its own group.

    :param relevant: Per question the ids of its relevant entries.
    :returns: Per question the number of its group, 0 to n - 1, [n_questions].
    """
    pairs = [(question, entry) for question, entries in enumerate(relevant) for entry in entries]
    column = {entry: number for number, entry in enumerate(dict.fromkeys(entry for _, entry in pairs), len(relevant))}
    size = len(relevant) + len(column)
    rows = np.array([question for question, _ in pairs], dtype=np.int64)
    columns = np.array([column[entry] for _, entry in pairs], dtype=np.int64)
    graph = coo_array((np.ones(len(pairs), dtype=np.int8), (rows, columns)), shape=(size, size))
    _, labels = connected_components(graph, directed=False)
    numbers = np.unique(labels[: len(relevant)], return_inverse=True)[1]
    return numbers.astype(np.int64)


def randomisation_p_value(sums: NDArray[np.float64], *, resamples: int = RESAMPLES, seed: int = 0) -> float:
    """
    Two-sided paired randomisation test.

    Under the null hypothesis the two rankings of a cluster could have been swapped: the sign of its summed difference
    is a coin's (Smucker, Allan and Carterette 2007, "A comparison of statistical significance tests for information
    retrieval evaluation", section 3.1). The p-value is the share of sign patterns, the observed one among them, whose
    total is at least as far from 0: (1 + b) / (1 + resamples), never 0 (Davison and Hinkley 1997, "Bootstrap methods
    and their application", section 4.2).

    :param sums: Per cluster the sum of its questions' differences, [n_clusters].
    :param resamples: Random sign patterns drawn.
    :param seed: Seed of the patterns.
    :returns: The p-value.
    """
    # A cluster without a difference adds 0 whatever its sign.
    sums = sums[sums != 0]
    total = sums.sum()
    # Totals that are equal but for the order of their additions must count as equal.
    least = abs(total) - 1e-9 * max(1.0, float(np.abs(sums).sum()))
    generator = np.random.default_rng(seed)
    beyond = 0
    for start in range(0, resamples, _CHUNK):
        shape = (min(_CHUNK, resamples - start), (len(sums) + 7) // 8)
        bits = np.unpackbits(generator.integers(0, 256, size=shape, dtype=np.uint8), axis=1, count=len(sums))
        beyond += int(np.count_nonzero(np.abs(2 * (bits @ sums) - total) >= least))
    return (1 + beyond) / (1 + resamples)


def bootstrap_interval(
    sums: NDArray[np.float64], sizes: NDArray[np.float64], *, resamples: int = RESAMPLES, seed: int = 0
) -> tuple[float, float] | None:
    """
    95 % percentile bootstrap interval of a mean over questions; whole clusters are drawn.

    :param sums: Per cluster the sum of its questions' differences, [n_clusters].
    :param sizes: Per cluster the number of its questions, [n_clusters].
    :param resamples: Samples drawn.
    :param seed: Seed of the samples.
    :returns: Lower and upper end, or None with fewer than two clusters, which cannot be resampled.
    """
    if len(sums) < 2:
        return None
    result = bootstrap(
        (sums, sizes),
        lambda drawn, size, axis: drawn.sum(axis=axis) / size.sum(axis=axis),
        paired=True,
        vectorized=True,
        n_resamples=resamples,
        batch=_CHUNK // 5,
        method="percentile",
        rng=np.random.default_rng(seed),
    )
    return float(result.confidence_interval.low), float(result.confidence_interval.high)


def compare(
    baseline: NDArray[np.float64],
    other: NDArray[np.float64],
    clusters: NDArray[np.int64],
    *,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Comparison:
    """
    Compares two rankings of the same questions in one metric.

    :param baseline: Per question the first ranking's value, [n_questions].
    :param other: Per question the second ranking's value, [n_questions].
    :param clusters: Per question the number of its cluster, from 0, see `shared_entry_clusters`, [n_questions].
    :param resamples: Resamples of the test and of the interval.
    :param seed: Seed of both.
    :returns: The difference of `other` over `baseline`.
    :raises ValueError: If the lengths differ, or there is no question.
    """
    if not len(baseline) == len(other) == len(clusters) or len(baseline) == 0:
        msg = (
            "expected one value of each ranking and one cluster per question, and at least one question, "
            f"but got {len(baseline)}, {len(other)} and {len(clusters)}"
        )
        raise ValueError(msg)
    differences = other - baseline
    sums = np.bincount(clusters, weights=differences).astype(np.float64)
    sizes = np.bincount(clusters).astype(np.float64)
    return Comparison(
        difference=float(differences.mean()),
        interval=bootstrap_interval(sums, sizes, resamples=resamples, seed=seed),
        p_value=randomisation_p_value(sums, resamples=resamples, seed=seed),
        questions=len(differences),
        clusters=len(sums),
    )
