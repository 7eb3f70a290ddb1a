# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""From a vector a word to a vector a text: real words only, so that padding changes nothing."""

import torch
from torch import Tensor


def real_words(lengths: Tensor, steps: int) -> Tensor:
    """
    Tell words from padding.

    :param lengths: the rows' lengths [N].
    :param steps: L, the padded length.
    :returns: True for words, [N, L].
    """
    return torch.arange(steps, device=lengths.device) < lengths.unsqueeze(1)


def mean_over_time(values: Tensor, lengths: Tensor) -> Tensor:
    """
    Average over a text's words.

    :param values: [N, L, d]; what stands beyond a row's length does not count.
    :param lengths: [N], at least 1.
    :returns: [N, d].
    """
    kept = values.masked_fill(~real_words(lengths, values.shape[1]).unsqueeze(-1), 0.0)
    return kept.sum(1) / lengths.unsqueeze(1).to(values.dtype)


def max_over_time(values: Tensor, lengths: Tensor) -> Tensor:
    """
    Take the greatest value of a text's words, feature by feature.

    :param values: [N, L, d]; what stands beyond a row's length does not count.
    :param lengths: [N], at least 1.
    :returns: [N, d].
    """
    return values.masked_fill(~real_words(lengths, values.shape[1]).unsqueeze(-1), -torch.inf).amax(1)


def softmax_over_time(logits: Tensor, lengths: Tensor) -> Tensor:
    """
    Give a text's words weights that sum to 1.

    :param logits: [N, L].
    :param lengths: [N], at least 1.
    :returns: [N, L], 0 beyond a row's length.
    """
    return logits.masked_fill(~real_words(lengths, logits.shape[1]), -torch.inf).softmax(-1)
