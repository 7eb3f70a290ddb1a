# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""CTRN's alignment: which step of its partner's gates a step uses."""

from typing import Final, NamedTuple

import torch
from torch import Tensor

ALIGNMENTS: Final = ("index", "ratio", "multiple")
"""The kinds that a configuration names."""


class Alignment(NamedTuple):
    """
    How the sides of pairs are aligned, which may share a question. All numbers are int64.

    :param question_of: the question of every pair [n_pairs], ascending.
    :param question_lengths: [n_questions], 1 to Lq.
    :param answer_lengths: [n_pairs], 1 to La.
    :param question_steps: t*, the answer's step whose gates step t of the question uses [n_pairs, Lq].
    :param answer_steps: the question's step for every step of the answer [n_pairs, La].
    """

    question_of: Tensor
    question_lengths: Tensor
    answer_lengths: Tensor
    question_steps: Tensor
    answer_steps: Tensor


def aligned_steps(alignment: str, steps: int, lengths: Tensor, partner_lengths: Tensor) -> Tensor:
    """
    Find the partner's step t* for every step t.

    The paper's formula, t* = t ⌈max(|q|, |a|) / min(|q|, |a|)⌉, leaves the partner where that is the shorter one, and
    may leave a longer one, as the quotient is rounded up. "multiple" is that formula, clipped to the partner's last
    word. "index" is t* = t, clipped alike: what the paper's "simple index-wise alignment" of sequences padded to one
    length amounts to. "ratio" is t* = ⌊t |partner| / |self|⌋, which spreads the partner over the text.

    :param alignment: of :data:`ALIGNMENTS`.
    :param steps: L, the padded length.
    :param lengths: the rows' own lengths [N].
    :param partner_lengths: the partners' lengths [N].
    :returns: t* [N, L]; beyond a row's length any step of the partner.
    """
    t = torch.arange(steps, device=lengths.device).unsqueeze(0)
    if alignment == "ratio":
        t = t * partner_lengths.unsqueeze(1) // lengths.unsqueeze(1)
    elif alignment == "multiple":
        longer, shorter = torch.maximum(lengths, partner_lengths), torch.minimum(lengths, partner_lengths)
        t = t * ((longer + shorter - 1) // shorter).unsqueeze(1)
    return torch.minimum(t, partner_lengths.unsqueeze(1) - 1)
