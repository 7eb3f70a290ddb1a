# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
Losses over lists of candidates.

Each takes ``logits [n_pairs]``, ``labels [n_pairs]`` (above 0 is relevant) and ``list_sizes [n_lists]`` (lists lie one
after another; their sizes add up to n_pairs, 0 is allowed) and returns one scalar, so that every loss fits every model.
A list counts only where the loss has something to say about it: pairwise and listwise losses need a relevant and an
irrelevant candidate in it. Where no list of a batch counts, the loss is 0 with a gradient of 0, never NaN.
"""

from collections.abc import Callable

import torch
from torch import Tensor
from torch.nn import functional

Loss = Callable[[Tensor, Tensor, Tensor], Tensor]


def list_of_pairs(list_sizes: Tensor, n_pairs: int) -> Tensor:
    """The number of its list for every pair: ``[n_lists] -> [n_pairs]``."""
    total = int(list_sizes.sum())
    if total != n_pairs:
        msg = f"The list sizes add up to {total}, but there are {n_pairs} pairs."
        raise ValueError(msg)
    return torch.repeat_interleave(torch.arange(len(list_sizes), device=list_sizes.device), list_sizes)


def sum_by_list(values: Tensor, list_of_pair: Tensor, n_lists: int) -> Tensor:
    """``[n_pairs] -> [n_lists]``."""
    return values.new_zeros(n_lists).index_add(0, list_of_pair, values)


def log_softmax_by_list(values: Tensor, list_of_pair: Tensor, n_lists: int) -> Tensor:
    """The logarithm of the softmax over each list: ``[n_pairs] -> [n_pairs]``."""
    highest = values.detach().new_full((n_lists,), -torch.inf)
    highest = highest.scatter_reduce(0, list_of_pair, values.detach(), "amax")
    shifted = values - highest[list_of_pair]
    log_normaliser = sum_by_list(shifted.exp(), list_of_pair, n_lists).clamp(min=torch.finfo(values.dtype).tiny).log()
    return shifted - log_normaliser[list_of_pair]


def pointwise(logits: Tensor, labels: Tensor, list_sizes: Tensor) -> Tensor:
    """
    Binary cross entropy of every pair on its own, averaged over pairs.

    :param logits: one logit a pair, ``[n_pairs]``.
    :param labels: above 0 is relevant, ``[n_pairs]``.
    :param list_sizes: pairs a list, ``[n_lists]``; it changes nothing here.
    :returns: a scalar.
    :raises ValueError: if the list sizes do not add up to the number of pairs.
    """
    list_of_pairs(list_sizes, len(logits))
    losses = functional.binary_cross_entropy_with_logits(logits, (labels > 0).to(logits.dtype), reduction="none")
    return losses.sum() / max(len(logits), 1)


def over_pairs(
    logits: Tensor, labels: Tensor, list_sizes: Tensor, loss_of_difference: Callable[[Tensor], Tensor]
) -> Tensor:
    """Mean over a list's (relevant, irrelevant) pairs of candidates, then over the lists that have any."""
    list_of_pair = list_of_pairs(list_sizes, len(logits))
    starts = list_sizes.cumsum(0) - list_sizes
    # Every relevant candidate beside every candidate of its list: row r of `partners` counts through the list.
    relevant = (labels > 0).nonzero().squeeze(1)
    partners = list_sizes[list_of_pair[relevant]]
    first_row = partners.cumsum(0) - partners
    left = torch.repeat_interleave(relevant, partners)
    within = torch.arange(len(left), device=logits.device) - torch.repeat_interleave(first_row, partners)
    right = starts[list_of_pair[left]] + within
    differ = labels[right] <= 0
    left, right = left[differ], right[differ]
    n_lists = len(list_sizes)
    losses = loss_of_difference(logits[left] - logits[right])
    sums = sum_by_list(losses, list_of_pair[left], n_lists)
    counts = sum_by_list(torch.ones_like(losses), list_of_pair[left], n_lists)
    return (sums / counts.clamp(min=1)).sum() / (counts > 0).sum().clamp(min=1)


def pairwise(logits: Tensor, labels: Tensor, list_sizes: Tensor, *, margin: float = 1.0) -> Tensor:
    """
    Hinge: ``max(0, margin - relevant + irrelevant)`` over all pairs of a relevant and an irrelevant candidate.

    Averaged over the pairs of a list, then over the lists that have both kinds of candidate, so that a list with many
    relevant answers weighs no more than another.

    :param logits: one logit a pair, ``[n_pairs]``.
    :param labels: above 0 is relevant, ``[n_pairs]``.
    :param list_sizes: pairs a list, ``[n_lists]``.
    :param margin: by how much a relevant candidate's logit should lead.
    :returns: a scalar.
    :raises ValueError: if the list sizes do not add up to the number of pairs.
    """
    return over_pairs(logits, labels, list_sizes, lambda difference: functional.relu(margin - difference))


def pairwise_logistic(logits: Tensor, labels: Tensor, list_sizes: Tensor, *, margin: float = 0.0) -> Tensor:
    """
    RankNet's ``log(1 + exp(margin - relevant + irrelevant))`` (Burges et al. 2005), averaged as in :func:`pairwise`.

    :param logits: one logit a pair, ``[n_pairs]``.
    :param labels: above 0 is relevant, ``[n_pairs]``.
    :param list_sizes: pairs a list, ``[n_lists]``.
    :param margin: where the slope is one half.
    :returns: a scalar.
    :raises ValueError: if the list sizes do not add up to the number of pairs.
    """
    return over_pairs(logits, labels, list_sizes, lambda difference: functional.softplus(margin - difference))


def listwise(logits: Tensor, labels: Tensor, list_sizes: Tensor) -> Tensor:
    """
    KL divergence of the softmax over a list from its normalised labels, averaged over the lists with both kinds.

    For one relevant candidate this is softmax cross entropy (HMDA's listwise loss; Cao et al. 2007, ListNet's top one).

    :param logits: one logit a pair, ``[n_pairs]``.
    :param labels: above 0 is relevant, ``[n_pairs]``.
    :param list_sizes: pairs a list, ``[n_lists]``.
    :returns: a scalar.
    :raises ValueError: if the list sizes do not add up to the number of pairs.
    """
    list_of_pair = list_of_pairs(list_sizes, len(logits))
    n_lists = len(list_sizes)
    relevant = (labels > 0).to(logits.dtype)
    n_relevant = sum_by_list(relevant, list_of_pair, n_lists)
    counts = (n_relevant > 0) & (n_relevant < list_sizes)

    log_probability = log_softmax_by_list(logits, list_of_pair, n_lists)
    target = relevant / n_relevant.clamp(min=1)[list_of_pair]
    divergence = torch.xlogy(target, target) - target * log_probability
    return (divergence * counts[list_of_pair]).sum() / counts.sum().clamp(min=1)


LOSSES: dict[str, Loss] = {
    "pointwise": pointwise,
    "pairwise": pairwise,
    "pairwise_logistic": pairwise_logistic,
    "listwise": listwise,
}

# These learn nothing from a list without a relevant or without an irrelevant candidate.
NEEDS_BOTH_LABELS = frozenset({"pairwise", "pairwise_logistic", "listwise"})
