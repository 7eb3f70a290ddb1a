# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""CTRN: a QRNN whose two sides also run under each other's gates."""

from typing import Any, Final

import torch
from haystack_integrations.components.rankers.answer_selection.models.qrnn import (
    Gates,
    QRNNConfig,
    QRNNModel,
    mean_over_time,
    states,
)
from torch import Tensor
from torch.nn import functional

ALIGNMENTS: Final = ("index", "ratio")


class CTRNConfig(QRNNConfig):  # type: ignore[no-untyped-call]
    """The configuration of :class:`CTRNModel`."""

    model_type = "ctrn"

    def __init__(self, *, alignment: str = "index", **kwargs: Any) -> None:
        """
        Create a configuration.

        :param alignment: which step of the partner's gates a step uses, see :func:`aligned_steps`.
        :param kwargs: see :class:`QRNNConfig`.
        :raises ValueError: if `alignment` is not known, or as for :class:`QRNNConfig`.
        """
        if alignment not in ALIGNMENTS:
            msg = f"alignment must be one of {', '.join(ALIGNMENTS)}, but is {alignment!r}"
            raise ValueError(msg)
        self.alignment = alignment
        super().__init__(**kwargs)


def aligned_steps(alignment: str, steps: int, lengths: Tensor, partner_lengths: Tensor) -> Tensor:
    """
    Find the partner's step t* for every step t.

    The paper's formula, t* = t ⌈max(|q|, |a|) / min(|q|, |a|)⌉, leaves the shorter text for one of the two directions.
    "index" is t* = t, clipped to the partner's last word: what the paper's "simple index-wise alignment" of sequences
    padded to one length amounts to. "ratio" is t* = ⌊t |partner| / |self|⌋, which spreads the partner over the text.

    :param alignment: "index" or "ratio".
    :param steps: L, the padded length.
    :param lengths: the rows' own lengths [N].
    :param partner_lengths: the partners' lengths [N].
    :returns: t* [N, L]; beyond a row's length any step of the partner.
    """
    t = torch.arange(steps, device=lengths.device).unsqueeze(0)
    if alignment == "ratio":
        t = t * partner_lengths.unsqueeze(1) // lengths.unsqueeze(1)
    return torch.minimum(t, partner_lengths.unsqueeze(1) - 1)


class CTRNModel(QRNNModel):  # type: ignore[no-untyped-call]
    """
    Cross Temporal Recurrent Network: Tay, Luu and Hui 2018, section "Our Proposed Approach".

    Each side runs twice, under its own gates and under its partner's; the product of the two hidden states is averaged
    over time ("Lightweight Temporal Crossing"). It has the parameters of the QRNN and no others.
    """

    config_class = CTRNConfig

    def _encode(
        self, question: Gates, question_lengths: Tensor, answer: Gates, answer_lengths: Tensor, question_of: Tensor
    ) -> tuple[Tensor, Tensor]:
        """See :meth:`QRNNModel._encode`."""
        own_lengths = question_lengths[question_of]
        own = states(question, question_lengths)
        z = question.z
        if len(z) != len(question_of):
            own, z = _rows(own, question_of), _rows(z, question_of)
        steps = aligned_steps(self.config.alignment, z.shape[1], own_lengths, answer_lengths)
        answers = torch.arange(len(answer_lengths), device=steps.device)
        crossed = states(_partners_gates(z, answer, answers, steps), own_lengths)
        q = mean_over_time(own * crossed, own_lengths)

        steps = aligned_steps(self.config.alignment, answer.z.shape[1], answer_lengths, own_lengths)
        crossed = states(_partners_gates(answer.z, question, question_of, steps), answer_lengths)
        a = mean_over_time(states(answer, answer_lengths) * crossed, answer_lengths)
        return q, a


def _partners_gates(z: Tensor, partner: Gates, rows: Tensor, steps: Tensor) -> Gates:
    """One side's Z with the gates of row `rows` [N] of the partner, at the steps [N, L]."""
    at = rows.unsqueeze(1) * partner.f.shape[1] + steps
    return Gates(z, _rows(partner.f.flatten(0, 1), at), _rows(partner.o.flatten(0, 1), at))


def _rows(x: Tensor, rows: Tensor) -> Tensor:
    """x[rows]; the backward of an embedding is many times faster on the CPU than that of indexing."""
    return functional.embedding(rows, x.flatten(1)).view(*rows.shape, *x.shape[1:])
