# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""How well scores order the lists of a file: what early stopping looks at, and BM25 on the same lists."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from haystack_integrations.components.rankers.answer_selection.mixing import normalise
from haystack_integrations.components.rankers.answer_selection.training.dataset import CandidateFile, Floats


@dataclass(frozen=True, slots=True)
class Measures:
    """
    Means over all lists of a file. A list without a relevant candidate counts as 0: its answer was not found.

    :param mrr: mean reciprocal rank of the first relevant candidate.
    :param p1: the part of the lists that have a relevant candidate in front (P@1).
    """

    mrr: float
    p1: float


def measure(scores: Floats, file: CandidateFile) -> Measures:
    """
    MRR and P@1. Candidates with equal scores stand in the list's order, as a ranker leaves them.

    :param scores: one score a candidate, list after list, [n_pairs]; higher is better.
    :param file: the lists.
    :returns: the measures.
    :raises ValueError: if the scores are not as many as the candidates, or one is NaN.
    """
    if scores.shape != file.labels.shape or np.isnan(scores).any():
        msg = f"expected {len(file.labels)} scores, none of them NaN; got {len(scores)}, {np.isnan(scores).sum()} NaN"
        raise ValueError(msg)
    n_lists, of_list = len(file), file.list_of_pair
    relevant = np.flatnonzero(file.labels)
    best = np.full(n_lists, -np.inf)
    np.maximum.at(best, of_list[relevant], scores[relevant])
    first = np.full(n_lists, len(scores))
    leading = relevant[scores[relevant] == best[of_list[relevant]]]
    np.minimum.at(first, of_list[leading], leading)
    places = np.arange(len(scores))
    ahead = (scores > best[of_list]) | ((scores == best[of_list]) & (places < first[of_list]))
    ranks = 1 + np.bincount(of_list[ahead], minlength=n_lists)
    found = file.relevant > 0
    return Measures(float(np.mean(found / ranks)), float(np.mean(found & (ranks == 1))))


def measure_retriever(file: CandidateFile) -> Measures | None:
    """
    The same for the order that the retriever gave; candidates that it did not find come last.

    :param file: the lists.
    :returns: the measures, or None if no candidate knows its rank.
    """
    if np.isnan(file.ranks).all():
        return None
    return measure(np.where(np.isnan(file.ranks), -np.inf, -file.ranks), file)


def choose_weight(logits: Floats, file: CandidateFile, grid: Sequence[float]) -> tuple[float, Measures] | None:
    """
    Choose how much of the retriever's score is mixed in: the weight with the highest MRR, of equal ones the smallest.

    :param logits: the model's log-odds, list after list, [n_pairs].
    :param file: the lists. They have to be real queries with what the retriever gave for them: on an FAQ's own
        questions, or on lists with sampled negatives, the weight comes out wrong.
    :param grid: the weights to try (see ``mixing.mix``).
    :returns: the weight and what it reaches, or None if no candidate has a retriever's score.
    """
    if np.isnan(file.scores).all():
        return None
    ends = (file.starts + file.sizes)[:-1]
    retriever = np.concatenate([normalise(scores) for scores in np.split(file.scores, ends)])
    tried = [(weight, measure(logits + weight * retriever, file)) for weight in sorted(grid)]
    return max(tried, key=lambda pair: pair[1].mrr)
