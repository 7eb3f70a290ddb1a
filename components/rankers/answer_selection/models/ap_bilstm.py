# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""AP-BiLSTM: the words of both sides are weighed by how well they fit the other side's."""

import torch
from torch import Tensor, nn

from haystack_integrations.components.rankers.answer_selection.models.checks import Size
from haystack_integrations.components.rankers.answer_selection.models.explanation import ANSWER, QUESTION, WordWeights
from haystack_integrations.components.rankers.answer_selection.models.lstm_encoder import LSTMEncoder
from haystack_integrations.components.rankers.answer_selection.models.pooling import real_words, softmax_over_time
from haystack_integrations.components.rankers.answer_selection.models.word_model import (
    Head,
    Texts,
    WordModel,
    WordModelConfig,
)


class APBiLSTMConfig(WordModelConfig):  # type: ignore[no-untyped-call]
    """
    The configuration of :class:`APBiLSTMModel`.

    :param hidden_size: the size of a state, per direction.
    """

    model_type = "ap_bilstm"

    hidden_size: Size = 141
    head: Head = "cosine"


class APBiLSTMModel(WordModel):
    """
    Attentive pooling: dos Santos, Tan, Xiang and Zhou 2016, "Attentive Pooling Networks", section 4.

    One bidirectional LSTM reads both sides. G = tanh(Qᵀ U A) says how well each pair of words fits; a word's weight is
    the softmax, over its side, of its greatest value in G. The sides' vectors are their weighted sums.
    """

    config_class = APBiLSTMConfig

    def __init__(self, config: APBiLSTMConfig) -> None:
        """
        Create the network with random weights.

        :param config: its configuration.
        """
        super().__init__(config)
        self.encoder = LSTMEncoder(config.word_size, config.hidden_size)
        self.fit = nn.Linear(self.encoder.size, self.encoder.size, bias=False)
        self.classifier = self.make_head(2 * self.encoder.size)
        self.post_init()

    def encode_questions(self, words: Texts) -> Texts:
        """See :meth:`WordModel.encode_questions`; [n_questions, Lq, 2d]."""
        return Texts(self.encoder(words.values, words.lengths), words.lengths)

    def encode_answers(self, words: Texts) -> Texts:
        """See :meth:`WordModel.encode_answers`; [n_answers, La, 2d]."""
        return self.encode_questions(words)

    def compare(self, questions: Texts, answers: Texts, question_of: Tensor) -> tuple[Tensor, Tensor]:
        """See :meth:`WordModel.compare`."""
        question_weights, answer_weights = self._weights(questions, answers, question_of)
        return (
            (question_weights.unsqueeze(1) @ questions.values[question_of]).squeeze(1),
            (answer_weights.unsqueeze(1) @ answers.values).squeeze(1),
        )

    def _weights(self, questions: Texts, answers: Texts, question_of: Tensor) -> tuple[Tensor, Tensor]:
        """What the words of both sides' encodings count in their sums, [n_pairs, Lq] and [n_pairs, La]."""
        question_lengths = questions.lengths[question_of]
        scores = (self.fit(questions.values)[question_of] @ answers.values.transpose(1, 2)).tanh()
        real_question = real_words(question_lengths, scores.shape[1]).unsqueeze(2)
        real_answer = real_words(answers.lengths, scores.shape[2]).unsqueeze(1)
        return (
            softmax_over_time(scores.masked_fill(~real_answer, -torch.inf).amax(2), question_lengths),
            softmax_over_time(scores.masked_fill(~real_question, -torch.inf).amax(1), answers.lengths),
        )

    def word_weights(self, questions: Texts, answers: Texts, question_of: Tensor) -> list[WordWeights]:
        """See :meth:`WordModel.word_weights`; what words count in the sums."""
        encoded = self.encode_questions(questions), self.encode_answers(answers)
        about = "The word's share in its side's vector, by how well it fits its best match on the other side."
        return [
            WordWeights("attentive pooling", about, True, side, weights)
            for side, weights in zip((QUESTION, ANSWER), self._weights(*encoded, question_of), strict=True)
        ]
