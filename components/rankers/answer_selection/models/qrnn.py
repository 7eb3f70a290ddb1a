# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""QRNN: quasi-recurrent encoders of question and answer, each apart from the other, averaged over time."""

from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional

from haystack_integrations.components.rankers.answer_selection.models.checks import Count, Size
from haystack_integrations.components.rankers.answer_selection.models.explanation import ANSWER, QUESTION, WordWeights
from haystack_integrations.components.rankers.answer_selection.models.pooling import mean_over_time
from haystack_integrations.components.rankers.answer_selection.models.recurrence import forget_mult
from haystack_integrations.components.rankers.answer_selection.models.word_model import (
    Texts,
    WordModel,
    WordModelConfig,
)


class QRNNConfig(WordModelConfig):  # type: ignore[no-untyped-call]
    """
    The configuration of :class:`QRNNModel`. Letters are those of the CTRN paper.

    :param projection_size: m, the size that word vectors are projected to.
    :param hidden_size: d, the number of filters.
    :param kernel_width: k, the words that a filter sees: the word itself and those before it.
    """

    model_type = "qrnn"

    projection_size: Size | None = 300
    hidden_size: Size = 512
    kernel_width: Count = 2


class Gates(NamedTuple):
    """
    What the convolutions make of one side, before anything recurs.

    :param z: Z = tanh(W_z * X), [N, L, d].
    :param f: F = sigmoid(W_f * X), the forget gates, [N, L, d].
    :param o: O = sigmoid(W_o * X), the output gates, [N, L, d].
    """

    z: Tensor
    f: Tensor
    o: Tensor


class GateConvolution(nn.Module):
    """
    Z, F and O by one causal convolution of width k (equation 1 of the CTRN paper).

    Position t sees t-k+1 to t, and zeros before the text. It is computed as one matrix product over the k vectors side
    by side: [N, L, k*m] x [k*m, 3*d]. The weight has 3kdm elements and there is no bias, as in the paper.
    """

    def __init__(self, size_in: int, size_out: int, width: int) -> None:
        """
        Create the filters.

        :param size_in: m, the size of a word's vector.
        :param size_out: d, the number of filters for each of Z, F and O.
        :param width: k.
        """
        super().__init__()
        self.width = width
        self.filters = nn.Linear(width * size_in, 3 * size_out, bias=False)

    def forward(self, x: Tensor) -> Tensor:
        """
        Convolve.

        :param x: [N, L, m].
        :returns: what :func:`gates_of` makes the gates of, [N, L, 3*d].
        """
        if self.width > 1:
            padded = functional.pad(x, (0, 0, self.width - 1, 0))
            x = torch.cat([padded[:, shift : shift + x.shape[1]] for shift in range(self.width)], dim=-1)
        return self.filters(x)  # type: ignore[no-any-return]


class QRNNModel(WordModel):
    """
    QRNN over pairs: Bradbury et al. 2016, as the CTRN paper uses it for comparison (section "Quasi Recurrent ...").

    Word vectors, a projection and the convolution are shared by both sides; the states are averaged over the real
    words. (The paper's word vectors stay as they are: that is a setting of training.)
    """

    config_class = QRNNConfig

    def __init__(self, config: QRNNConfig) -> None:
        """
        Create the network with random weights.

        :param config: its configuration.
        """
        super().__init__(config)
        self.convolution = GateConvolution(config.word_size, config.hidden_size, config.kernel_width)
        self.classifier = self.make_head(2 * config.hidden_size)
        self.post_init()

    @property
    def answer_vector_size(self) -> int | None:
        """See :attr:`WordModel.answer_vector_size`."""
        return self.config.hidden_size if self.answers_apart else None

    def encode_questions(self, words: Texts) -> Texts:
        """See :meth:`WordModel.encode_questions`; [n_questions, d]."""
        h = states(gates_of(self.convolution(words.values)), words.lengths)
        return Texts(mean_over_time(h, words.lengths), words.lengths)

    def encode_answers(self, words: Texts) -> Texts:
        """See :meth:`WordModel.encode_answers`; [n_answers, d]."""
        return self.encode_questions(words)

    def compare(self, questions: Texts, answers: Texts, question_of: Tensor) -> tuple[Tensor, Tensor]:
        """See :meth:`WordModel.compare`."""
        return questions.values[question_of], answers.values

    def word_weights(self, questions: Texts, answers: Texts, question_of: Tensor) -> list[WordWeights]:
        """See :meth:`WordModel.word_weights`; the forget and the output gates."""
        question, answer = (gates_of(self.convolution(words.values)) for words in (questions, answers))
        return [
            *gate_weights(QUESTION, question.f[question_of], question.o[question_of]),
            *gate_weights(ANSWER, answer.f, answer.o),
        ]


def gate_weights(side: str, forget: Tensor, output: Tensor, whose: str = "") -> list[WordWeights]:
    """
    Give one number a word of each gate: the mean of its elements.

    :param side: the side whose words they open for.
    :param forget: F [n_pairs, L, d].
    :param output: O [n_pairs, L, d].
    :param whose: what is put before the gates' names, if they are not the word's own.
    :returns: both.
    """
    about = {
        "forget gate": "How much of what came before is kept at this word; what is left is the word's own share.",
        "output gate": "How much of what was read up to this word is passed on.",
    }
    if whose:
        about = {name: f"{text} It is that of the other side's word at the same step." for name, text in about.items()}
    return [
        WordWeights(f"{whose}{name}", text, shares=False, side=side, values=gate.mean(-1))
        for (name, text), gate in zip(about.items(), (forget, output), strict=True)
    ]


def gates_of(convolved: Tensor) -> Gates:
    """
    Activate what :class:`GateConvolution` gives.

    :param convolved: [N, L, 3d].
    :returns: the gates.
    """
    size = convolved.shape[-1] // 3
    z, gates = convolved.split([size, 2 * size], dim=-1)  # type: ignore[no-untyped-call]
    f, o = gates.sigmoid().chunk(2, dim=-1)
    return Gates(z.tanh(), f, o)


def states(gates: Gates, lengths: Tensor) -> Tensor:
    """
    Run the cell: c_t = f_t ⊙ c_{t-1} + (1 - f_t) ⊙ z_t, h_t = o_t ⊙ c_t.

    :param gates: Z, F and O, [N, L, d] each.
    :param lengths: [N].
    :returns: the hidden states [N, L, d]; 0 from a row's length on.
    """
    return gates.o * forget_mult(gates.f, gates.z, lengths=lengths)
