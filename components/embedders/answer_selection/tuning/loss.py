# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The loss that a sentence encoder is fine-tuned by."""

import torch
from torch import Tensor
from torch.nn import functional


def multiple_negatives_loss(questions: Tensor, texts: Tensor, also_right: Tensor, scale: float) -> Tensor:
    """
    Multiple negatives ranking, with false negatives left out.

    Henderson et al. 2017, "Efficient Natural Language Response Suggestion for Smart Reply", section 4.4: the texts of
    the other questions of a batch are a question's wrong ones. With s_ij = scale * cos(q_i, t_j), and R_i the texts
    that are right for question i beside t_i,

        loss = -1/n * sum_i [ s_ii - log sum_(j not in R_i) exp(s_ij) ]

    :param questions: unit vectors [n, d].
    :param texts: unit vectors [m, d], m >= n: first the right one of each question, then those that are wrong for one.
    :param also_right: which texts are right for which questions [n, m]; each question's own text is not among them.
    :param scale: what cosines are multiplied by.
    :returns: the mean over the questions.
    """
    scores = (scale * questions @ texts.T).masked_fill(also_right, -torch.inf)
    return functional.cross_entropy(scores, torch.arange(len(questions), device=scores.device))
