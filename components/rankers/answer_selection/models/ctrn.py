# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""CTRN: a QRNN whose two sides also run under each other's gates."""

from typing import Annotated, Final

import torch
from haystack_integrations.components.rankers.answer_selection.models.checks import OneOf
from haystack_integrations.components.rankers.answer_selection.models.crossing import crossed_means, partners_gates
from haystack_integrations.components.rankers.answer_selection.models.explanation import ANSWER, QUESTION, WordWeights
from haystack_integrations.components.rankers.answer_selection.models.qrnn import (
    QRNNConfig,
    QRNNModel,
    gate_weights,
    gates_of,
)
from haystack_integrations.components.rankers.answer_selection.models.word_model import Texts
from torch import Tensor

ALIGNMENTS: Final = ("index", "ratio")


class CTRNConfig(QRNNConfig):  # type: ignore[no-untyped-call]
    """
    The configuration of :class:`CTRNModel`.

    :param alignment: which step of the partner's gates a step uses, see :func:`aligned_steps`.
    """

    model_type = "ctrn"

    alignment: Annotated[str, OneOf(ALIGNMENTS)] = "index"


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

    @property
    def answer_vector_size(self) -> int | None:
        """See :attr:`WordModel.answer_vector_size`: the crossing needs every word of both sides."""
        return None

    def encode_questions(self, words: Texts) -> Texts:
        """See :meth:`WordModel.encode_questions`: before the gates, [n_questions, Lq, 3d]."""
        return Texts(self.convolution(words.values), words.lengths)

    def compare(self, questions: Texts, answers: Texts, question_of: Tensor) -> tuple[Tensor, Tensor]:
        """See :meth:`WordModel.compare`."""
        question_steps, answer_steps = self._steps(questions, answers, question_of)
        return crossed_means(
            questions.values,
            answers.values,
            question_of,
            questions.lengths,
            answers.lengths,
            question_steps,
            answer_steps,
        )

    def word_weights(self, questions: Texts, answers: Texts, question_of: Tensor) -> list[WordWeights]:
        """See :meth:`WordModel.word_weights`; also the partner's gates at the step that each word is aligned with."""
        question, answer = (gates_of(self.convolution(words.values)) for words in (questions, answers))
        question_steps, answer_steps = self._steps(questions, answers, question_of)
        rows = torch.arange(len(question_of), device=question_of.device)
        for_question = partners_gates(question.z[question_of], answer, rows, question_steps)
        for_answer = partners_gates(answer.z, question, question_of, answer_steps)
        return [
            *super().word_weights(questions, answers, question_of),
            *gate_weights(QUESTION, for_question.f, for_question.o, whose="partner's "),
            *gate_weights(ANSWER, for_answer.f, for_answer.o, whose="partner's "),
        ]

    def _steps(self, questions: Texts, answers: Texts, question_of: Tensor) -> tuple[Tensor, Tensor]:
        """The partner's steps for all of the question's [n_pairs, Lq] and of the answer's [n_pairs, La]."""
        own_lengths = questions.lengths[question_of]
        alignment = self.config.alignment
        return (
            aligned_steps(alignment, questions.values.shape[1], own_lengths, answers.lengths),
            aligned_steps(alignment, answers.values.shape[1], answers.lengths, own_lengths),
        )
