# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""How well scores order the lists of a file: what early stopping looks at, and BM25 on the same lists."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from haystack_integrations.components.rankers.answer_selection.mixing import normalise
from haystack_integrations.components.rankers.answer_selection.training.dataset import CandidateFile, Floats, Ints

METRICS = ("mrr", "map", "p@1")

# The normal distribution's 95th percentile.
_ONE_SIDED: Final = 1.645


@dataclass(frozen=True, slots=True)
class Measures:
    """
    Means over all lists of a file. A list without a relevant candidate counts as 0: its answer was not found.

    :param mrr: mean reciprocal rank of the first relevant candidate.
    :param map: mean average precision, over the relevant candidates of each list.
    :param p1: the part of the lists that have a relevant candidate in front (P@1).
    """

    mrr: float
    map: float
    p1: float

    def by(self, metric: str) -> float:
        """
        Give a measure by its name.

        :param metric: "mrr", "map" or "p@1".
        :returns: its value.
        """
        return {"mrr": self.mrr, "map": self.map, "p@1": self.p1}[metric]


def measure(scores: Floats, file: CandidateFile) -> Measures:
    """
    MRR, MAP and P@1. Candidates with equal scores are in random order: each measure is its expected value.

    A file's own order may tell the labels (relevant candidates first), and would make a model that scores all alike
    look perfect. The expected values are those of McSherry and Najork 2008, "Computing information retrieval
    performance measures efficiently in the presence of tied scores", section 2.

    :param scores: one score a candidate, list after list, [n_pairs]; higher is better.
    :param file: the lists.
    :returns: the measures.
    :raises ValueError: if the scores are not as many as the candidates, or one is NaN.
    """
    if scores.shape != file.labels.shape or np.isnan(scores).any():
        msg = f"expected {len(file.labels)} scores, none of them NaN; got {len(scores)}, {np.isnan(scores).sum()} NaN"
        raise ValueError(msg)
    ties = _Ties(scores, file)
    n_lists = len(file)
    precision = np.bincount(ties.of_list, ties.expected_precision(), n_lists) / np.maximum(file.relevant, 1)
    first = ties.first_relevant()
    return Measures(
        mrr=float(_reciprocal_ranks(ties, file).mean()),
        map=float(precision.mean()),
        p1=float((ties.relevant / ties.size)[first][ties.ahead[first] == 0].sum() / n_lists),
    )


class _Ties:
    """
    The candidates of each list in groups of equal scores, best first.

    Per group: `of_list`, its list; `size`, its candidates; `relevant`, how many of them are; `ahead` and
    `relevant_ahead`, the list's candidates and relevant ones with higher scores, each [n_groups].
    """

    def __init__(self, scores: Floats, file: CandidateFile) -> None:
        order = np.lexsort((-scores, file.list_of_pair))
        lists, ordered = file.list_of_pair[order], scores[order]
        differs = (lists[1:] != lists[:-1]) | (ordered[1:] != ordered[:-1])
        begins = np.flatnonzero(np.r_[True, differs][: len(order)])
        ends = np.r_[begins[1:], len(order)].astype(np.int64)[: len(begins)]
        labels = np.r_[0, np.cumsum(file.labels[order], dtype=np.int64)]
        self.of_list: Ints = lists[begins]
        self.size: Ints = ends - begins
        self.relevant: Ints = labels[ends] - labels[begins]
        self.ahead: Ints = begins - file.starts[self.of_list]
        self.relevant_ahead: Ints = labels[begins] - labels[file.starts[self.of_list]]

    def expected_precision(self) -> Floats:
        """
        Per group the expected sum, over its relevant candidates, of the precision at each one's rank, [n_groups].

        With n candidates, r of them relevant, behind t others, R of these relevant: at rank t + i stands a relevant one
        with the probability r / n, and then R + 1 + (i - 1)(r - 1) / (n - 1) relevant ones up to there are expected.
        """
        group = np.repeat(np.arange(len(self.size)), self.size)
        place = np.arange(len(group)) - np.repeat(np.cumsum(self.size) - self.size, self.size)
        n, r = self.size[group], self.relevant[group]
        found = self.relevant_ahead[group] + 1 + place * (r - 1) / np.maximum(n - 1, 1)
        terms = r / n * found / (self.ahead[group] + place + 1)
        summed: Floats = np.bincount(group, terms, len(self.size)).astype(np.float64)
        return summed

    def first_relevant(self) -> Ints:
        """Number each list's first group that has a relevant candidate; lists without one have none."""
        having = np.flatnonzero(self.relevant)
        return having[np.unique(self.of_list[having], return_index=True)[1]]

    def reciprocal_ranks(self, groups: Ints) -> Floats:
        """
        Per group the expected reciprocal rank of its first relevant candidate, [n].

        None of the first i of n candidates is relevant with the probability of (n - r) (n - r - 1) … (n - r - i + 1)
        divided by n (n - 1) … (n - i + 1).
        """
        expected = np.zeros(len(groups))
        none_yet = np.ones(len(groups))
        n, r, t = self.size[groups], self.relevant[groups], self.ahead[groups]
        for i in range(int(n.max(initial=0))):
            some = np.where(i < n, r / np.maximum(n - i, 1), 0.0).clip(max=1.0)
            expected += none_yet * some / (t + i + 1)
            none_yet *= 1 - some
        return expected


def _reciprocal_ranks(ties: _Ties, file: CandidateFile) -> Floats:
    """Each list's expected reciprocal rank, 0 without a relevant candidate, [n_lists]."""
    ranks, first = np.zeros(len(file)), ties.first_relevant()
    ranks[ties.of_list[first]] = ties.reciprocal_ranks(first)
    return ranks


def is_worse(scores: Floats, file: CandidateFile) -> bool:
    """
    Tell whether an order is worse than the retriever's by more than chance.

    :param scores: one score a candidate, list after list, [n_pairs]; higher is better.
    :param file: the lists, which tell the retriever's order.
    :returns: whether its mean reciprocal rank is lower, at a one-sided level of 5 % by the normal approximation.
    """
    ours, theirs = (_reciprocal_ranks(_Ties(each, file), file) for each in (scores, _retrieved(file)))
    differences = ours - theirs
    error = differences.std(ddof=1) / np.sqrt(len(file)) if len(file) > 1 else np.inf
    return bool(differences.mean() < -_ONE_SIDED * error)


def _retrieved(file: CandidateFile) -> Floats:
    """Scores that give the retriever's order; candidates that it did not find come last."""
    return np.where(np.isnan(file.ranks), -np.inf, -file.ranks)


def measure_retriever(file: CandidateFile) -> Measures | None:
    """
    The same for the order that the retriever gave; candidates that it did not find come last.

    :param file: the lists.
    :returns: the measures, or None if no candidate knows its rank.
    """
    if np.isnan(file.ranks).all():
        return None
    return measure(_retrieved(file), file)


def normalised_scores(file: CandidateFile) -> Floats:
    """
    Give the retriever's scores as they are mixed in.

    :param file: the lists.
    :returns: the scores, normalised list by list, [n_pairs].
    """
    ends = (file.starts + file.sizes)[:-1]
    return np.concatenate([normalise(scores) for scores in np.split(file.scores, ends)])


def choose_weight(
    logits: Floats, file: CandidateFile, grid: Sequence[float], metric: str = "mrr"
) -> tuple[float, Measures] | None:
    """
    Choose how much of the retriever's score is mixed in: the weight with the best measure, of equal ones the smallest.

    :param logits: the model's log-odds, list after list, [n_pairs].
    :param file: the lists. They have to be real queries with what the retriever gave for them: on an FAQ's own
        questions, or on lists with sampled negatives, the weight comes out wrong.
    :param grid: the weights to try (see ``mixing.mix``).
    :param metric: the measure that decides, one of `METRICS`.
    :returns: the weight and what it reaches, or None if no candidate has a retriever's score.
    """
    if np.isnan(file.scores).all():
        return None
    retriever = normalised_scores(file)
    tried = [(weight, measure(logits + weight * retriever, file)) for weight in sorted(grid)]
    return max(tried, key=lambda pair: pair[1].by(metric))
