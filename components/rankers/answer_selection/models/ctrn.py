# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""CTRN: a QRNN whose two sides also run under each other's gates."""

from typing import Annotated

import torch
from torch import Tensor

from haystack_integrations.components.rankers.answer_selection.models.alignment import (
    ALIGNMENTS,
    Alignment,
    aligned_steps,
)
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


class CTRNConfig(QRNNConfig):  # type: ignore[no-untyped-call]
    """
    The configuration of :class:`CTRNModel`.

    :param alignment: which step of the partner's gates a step uses, see :func:`aligned_steps`.
    """

    model_type = "ctrn"

    alignment: Annotated[str, OneOf(ALIGNMENTS)] = "index"


class CTRNModel(QRNNModel):
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
        return crossed_means(questions.values, answers.values, self._alignment(questions, answers, question_of))

    def word_weights(self, questions: Texts, answers: Texts, question_of: Tensor) -> list[WordWeights]:
        """See :meth:`WordModel.word_weights`; also the partner's gates at the step that each word is aligned with."""
        question, answer = (gates_of(self.convolution(words.values)) for words in (questions, answers))
        alignment = self._alignment(questions, answers, question_of)
        rows = torch.arange(len(question_of), device=question_of.device)
        for_question = partners_gates(question.z[question_of], answer, rows, alignment.question_steps)
        for_answer = partners_gates(answer.z, question, question_of, alignment.answer_steps)
        return [
            *super().word_weights(questions, answers, question_of),
            *gate_weights(QUESTION, for_question.f, for_question.o, whose="partner's "),
            *gate_weights(ANSWER, for_answer.f, for_answer.o, whose="partner's "),
        ]

    def _alignment(self, questions: Texts, answers: Texts, question_of: Tensor) -> Alignment:
        kind, own_lengths = self.config.alignment, questions.lengths[question_of]
        return Alignment(
            question_of,
            questions.lengths,
            answers.lengths,
            aligned_steps(kind, questions.values.shape[1], own_lengths, answers.lengths),
            aligned_steps(kind, answers.values.shape[1], answers.lengths, own_lengths),
        )
