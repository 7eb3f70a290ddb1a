# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""From the vectors of a pair's two sides to its logit: the papers' perceptron, cosine and linear layer."""

from typing import Final

import torch
from torch import Tensor, nn
from torch.nn import functional

HEADS: Final = ("mlp", "cosine", "linear")
"""The kinds that a configuration names."""


class PairHead(nn.Module):
    """What all heads have in common: pair features, if there are any, and that a logit can be calibrated."""

    @property
    def dtype(self) -> torch.dtype:
        """The type of its weights, which its inputs have to have."""
        raise NotImplementedError

    def forward(self, question: Tensor, answer: Tensor, features: Tensor | None) -> Tensor:
        """
        Score pairs.

        :param question: the questions' vectors [n_pairs, d], or [n_pairs, K, d] where a model makes K of each.
        :param answer: the answers' vectors, as many.
        :param features: the pair features [n_pairs, n_features], if the configuration has any.
        :returns: the logits [n_pairs].
        """
        raise NotImplementedError

    def contributions(self, question: Tensor, answer: Tensor, features: Tensor) -> Tensor | None:  # noqa: ARG002
        """
        Say what each pair feature adds to the logit.

        :param question: the questions' vectors [n_pairs, d] or [n_pairs, K, d].
        :param answer: the answers' vectors, as many.
        :param features: the pair features [n_pairs, n_features].
        :returns: [n_pairs, n_features]; None where features and vectors are not simply added.
        """
        return None

    def scale(self, scale: float, shift: float) -> None:
        """
        Make the head give ``scale * logit + shift`` from now on.

        :param scale: what logits are multiplied by.
        :param shift: what is added.
        """
        raise NotImplementedError


class PairClassifier(PairHead):
    """Dense layers over [q; a] and a two-class softmax, whose log-odds are the logit (equation 2 of the CTRN paper)."""

    def __init__(
        self,
        size: int,
        features: int,
        *,
        layers: int,
        hidden_size: int,
        dropout: float,
        batch_norm: bool,
        shortcut: bool,
    ) -> None:
        """
        Create the layers.

        :param size: of [q; a].
        :param features: how many pair features join it.
        :param layers: hidden layers.
        :param hidden_size: their size.
        :param dropout: the part of the inputs and hidden units that training drops.
        :param batch_norm: whether the inputs are normalised (by running means, once trained).
        :param shortcut: whether the pair features are also added to the logit linearly.
        """
        super().__init__()
        size += features
        self.norm = nn.BatchNorm1d(size) if batch_norm else None
        self.hidden = nn.ModuleList(nn.Linear(hidden_size if layer else size, hidden_size) for layer in range(layers))
        self.output = nn.Linear(hidden_size, 2)
        self.shortcut = nn.Linear(features, 1, bias=False) if features and shortcut else None
        self.dropout = nn.Dropout(dropout)

    @property
    def dtype(self) -> torch.dtype:
        """See :attr:`PairHead.dtype`."""
        return self.output.weight.dtype

    def forward(self, question: Tensor, answer: Tensor, features: Tensor | None) -> Tensor:
        """See :meth:`PairHead.forward`; the logit is the second class's ("right") less the first's."""
        x = _joined(question, answer, features)
        if self.norm is not None:
            x = self.norm(x)
        inputs = x
        x = self.dropout(x)
        for layer in self.hidden:
            x = self.dropout(functional.relu(layer(x)))
        wrong, right = self.output(x).unbind(-1)
        logits: Tensor = right - wrong
        if self.shortcut is not None:
            logits = logits + self.shortcut(inputs[:, -self.shortcut.in_features :]).squeeze(-1)
        return logits

    @torch.no_grad()
    def scale(self, scale: float, shift: float) -> None:
        """See :meth:`PairHead.scale`; it is the last layer that changes."""
        self.output.weight.mul_(scale)
        self.output.bias.mul_(scale)
        self.output.bias[1] += shift
        if self.shortcut is not None:
            self.shortcut.weight.mul_(scale)


class Cosine(PairHead):
    """
    The cosine of q and a (of K of each: the sum of the K cosines), to which pair features are added linearly.

    The papers' hinge is on the cosine as it is. A softmax needs a wider range than -1 to 1, so that the cosine can be
    multiplied by a number; calibration then changes that number and the shift, neither of which is trained.
    """

    factor: Tensor
    shift: Tensor

    def __init__(self, features: int, *, cosine_scale: float, batch_norm: bool) -> None:
        """
        Create the head.

        :param features: how many pair features there are.
        :param cosine_scale: what the cosine is multiplied by.
        :param batch_norm: whether the pair features are normalised (by running means, once trained).
        """
        super().__init__()
        self.norm = nn.BatchNorm1d(features) if features and batch_norm else None
        self.shortcut = nn.Linear(features, 1, bias=False) if features else None
        self.register_buffer("factor", torch.tensor(float(cosine_scale)))
        self.register_buffer("shift", torch.tensor(0.0))

    @property
    def dtype(self) -> torch.dtype:
        """See :attr:`PairHead.dtype`."""
        return self.factor.dtype

    def forward(self, question: Tensor, answer: Tensor, features: Tensor | None) -> Tensor:
        """See :meth:`PairHead.forward`."""
        cosines = functional.cosine_similarity(question, answer, dim=-1)
        if cosines.ndim > 1:
            cosines = cosines.sum(-1)
        logits: Tensor = self.factor * cosines + self.shift
        if self.shortcut is not None:
            assert features is not None
            logits = logits + self.shortcut(self._normed(features)).squeeze(-1)
        return logits

    def contributions(self, question: Tensor, answer: Tensor, features: Tensor) -> Tensor:  # noqa: ARG002
        """See :meth:`PairHead.contributions`."""
        assert self.shortcut is not None
        return self._normed(features) * self.shortcut.weight

    def _normed(self, features: Tensor) -> Tensor:
        return features if self.norm is None else self.norm(features)

    @torch.no_grad()
    def scale(self, scale: float, shift: float) -> None:
        """See :meth:`PairHead.scale`."""
        self.factor.mul_(scale)
        self.shift.mul_(scale).add_(shift)
        if self.shortcut is not None:
            self.shortcut.weight.mul_(scale)


class Linear(PairHead):
    """One linear layer over [q; a] and the pair features (equation 15 of the HMDA paper)."""

    def __init__(self, size: int, features: int, *, dropout: float, batch_norm: bool) -> None:
        """
        Create the layer.

        :param size: of [q; a].
        :param features: how many pair features join it.
        :param dropout: the part of the inputs that training drops.
        :param batch_norm: whether the inputs are normalised (by running means, once trained).
        """
        super().__init__()
        self.norm = nn.BatchNorm1d(size + features) if batch_norm else None
        self.output = nn.Linear(size + features, 1)
        self.dropout = nn.Dropout(dropout)

    @property
    def dtype(self) -> torch.dtype:
        """See :attr:`PairHead.dtype`."""
        return self.output.weight.dtype

    def forward(self, question: Tensor, answer: Tensor, features: Tensor | None) -> Tensor:
        """See :meth:`PairHead.forward`."""
        logits: Tensor = self.output(self.dropout(self._inputs(question, answer, features))).squeeze(-1)
        return logits

    def contributions(self, question: Tensor, answer: Tensor, features: Tensor) -> Tensor:
        """See :meth:`PairHead.contributions`."""
        weighted = self._inputs(question, answer, features) * self.output.weight
        return weighted[:, -features.shape[1] :]

    def _inputs(self, question: Tensor, answer: Tensor, features: Tensor | None) -> Tensor:
        x = _joined(question, answer, features)
        return x if self.norm is None else self.norm(x)

    @torch.no_grad()
    def scale(self, scale: float, shift: float) -> None:
        """See :meth:`PairHead.scale`."""
        self.output.weight.mul_(scale)
        self.output.bias.mul_(scale).add_(shift)


def _joined(question: Tensor, answer: Tensor, features: Tensor | None) -> Tensor:
    sides = [question.flatten(1), answer.flatten(1)]
    return torch.cat(sides if features is None else [*sides, features], dim=-1)
