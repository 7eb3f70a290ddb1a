# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
Losses by which a model, the student, follows the scores that another one, the teacher, gives the same candidates.

With s and t the student's and the teacher's logits, labels and list sizes are as in :mod:`losses`. So are the means: a
list counts only where there is something to follow in it, which are at least two candidates that the teacher scored.
"""

import json
from dataclasses import dataclass, replace
from hashlib import sha256

import torch
from torch import Tensor

from haystack_integrations.components.rankers.answer_selection.training.dataset import Floats
from haystack_integrations.components.rankers.answer_selection.training.losses import (
    Loss,
    list_of_pairs,
    log_softmax_by_list,
    over_pairs,
    sum_by_list,
)
from haystack_integrations.components.rankers.answer_selection.training.teacher_settings import TeacherSettings


def kl(logits: Tensor, scores: Tensor, list_sizes: Tensor, *, temperature: float = 1.0) -> Tensor:
    """
    KL divergence of the student's softmax over a list from the teacher's: ``T^2 KL(softmax(t / T) || softmax(s / T))``.

    T is the temperature; its square keeps the gradient's size whatever it is (Hinton et al. 2015, "Distilling the
    knowledge in a neural network", section 2). Averaged over lists.

    :param logits: the student's, ``[n_pairs]``.
    :param scores: the teacher's, ``[n_pairs]``.
    :param list_sizes: pairs a list, ``[n_lists]``.
    :param temperature: above 1 makes both flatter, so that what the teacher thinks of the lower ranks counts more.
    :returns: a scalar.
    :raises ValueError: if the list sizes do not add up to the number of pairs.
    """
    list_of_pair, n_lists = list_of_pairs(list_sizes, len(logits)), len(list_sizes)
    taught = log_softmax_by_list(scores / temperature, list_of_pair, n_lists)
    learned = log_softmax_by_list(logits / temperature, list_of_pair, n_lists)
    counts = list_sizes > 1
    divergence = taught.exp() * (taught - learned) * counts[list_of_pair]
    return temperature**2 * divergence.sum() / counts.sum().clamp(min=1)


def margin_mse(logits: Tensor, scores: Tensor, labels: Tensor, list_sizes: Tensor) -> Tensor:
    """
    MarginMSE: ``((s+ - s-) - (t+ - t-))^2`` over all pairs of a relevant and an irrelevant candidate of a list.

    Hofstätter et al. 2020, "Improving efficient neural ranking models with cross-architecture knowledge distillation",
    arXiv 2010.02666. Where the labels do not tell candidates apart, or there are none, the one that the
    teacher ranks first takes the relevant one's place. Averaged over a list's pairs, then over lists.

    :param logits: the student's, ``[n_pairs]``.
    :param scores: the teacher's, ``[n_pairs]``.
    :param labels: above 0 is relevant, ``[n_pairs]``.
    :param list_sizes: pairs a list, ``[n_lists]``.
    :returns: a scalar.
    :raises ValueError: if the list sizes do not add up to the number of pairs.
    """
    list_of_pair, n_lists = list_of_pairs(list_sizes, len(logits)), len(list_sizes)
    relevant = labels > 0
    n_relevant = sum_by_list(relevant.long(), list_of_pair, n_lists)
    told_apart = (n_relevant > 0) & (n_relevant < list_sizes)
    first = _first_of_list(scores, list_of_pair, n_lists)
    stands_for = torch.where(told_apart[list_of_pair], relevant, first)
    # (s+ - s-) - (t+ - t-) = (s+ - t+) - (s- - t-)
    return over_pairs(logits - scores, stands_for, list_sizes, torch.square)


def _first_of_list(scores: Tensor, list_of_pair: Tensor, n_lists: int) -> Tensor:
    """Whether a candidate is the one that its list's scores put first; of equal ones, the first: ``[n_pairs]``."""
    highest = scores.new_full((n_lists,), -torch.inf).scatter_reduce(0, list_of_pair, scores, "amax")
    places = torch.arange(len(scores), device=scores.device)
    none = torch.full((n_lists,), len(scores), device=scores.device)
    at_top = torch.where(scores == highest[list_of_pair], places, len(scores))
    return places == none.scatter_reduce(0, list_of_pair, at_top, "amin")[list_of_pair]


@dataclass(frozen=True, slots=True)
class Teaching:
    """
    What a teacher says of the lists that are learned from.

    :param settings: how it is followed.
    :param scores: its logits, list after list, [n_pairs].
    """

    settings: TeacherSettings
    scores: Floats

    @property
    def digest(self) -> str:
        """What tells it from any other, wherever the teacher lies."""
        followed = replace(self.settings, model=None).to_dict()
        return sha256(json.dumps(followed, sort_keys=True).encode() + self.scores.tobytes()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class TaughtLoss:
    """
    A loss by labels and one by a teacher's scores: ``(1 - weight) * labels' + weight * teacher's``.

    :param label_loss: the loss by labels.
    :param settings: how the teacher is followed.
    """

    label_loss: Loss
    settings: TeacherSettings

    def __call__(self, logits: Tensor, labels: Tensor, list_sizes: Tensor, scores: Tensor) -> Tensor:
        """
        Compute both.

        :param logits: the student's, ``[n_pairs]``.
        :param labels: above 0 is relevant, below 0 is not known, ``[n_pairs]``.
        :param list_sizes: pairs a list, ``[n_lists]``.
        :param scores: the teacher's, ``[n_pairs]``; NaN for candidates of other lists, which it was not asked for.
        :returns: a scalar.
        """
        list_of_pair = list_of_pairs(list_sizes, len(logits))

        def sizes(of: Tensor) -> Tensor:
            return sum_by_list(of.long(), list_of_pair, len(list_sizes))

        known, scored = labels >= 0, ~scores.isnan()
        by_labels = self.label_loss(logits[known], labels[known], sizes(known))
        followed = logits[scored], scores[scored].to(logits.dtype)
        if self.settings.loss == "kl":
            by_teacher = kl(*followed, sizes(scored), temperature=self.settings.temperature)
        else:
            by_teacher = margin_mse(*followed, labels[scored], sizes(scored))
        return (1 - self.settings.weight) * by_labels + self.settings.weight * by_teacher
