# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""QA-LSTM: one LSTM reads question and answer; each becomes a vector, with or without a look at the question."""

from typing import Annotated, Final

import torch
from torch import Tensor

from haystack_integrations.components.rankers.answer_selection.models.checks import Count, OneOf, Size
from haystack_integrations.components.rankers.answer_selection.models.composition import (
    MultihopAttention,
    QuestionAttention,
)
from haystack_integrations.components.rankers.answer_selection.models.explanation import WordWeights
from haystack_integrations.components.rankers.answer_selection.models.lstm_encoder import LSTMEncoder
from haystack_integrations.components.rankers.answer_selection.models.pooling import max_over_time, mean_over_time
from haystack_integrations.components.rankers.answer_selection.models.word_model import (
    Head,
    Texts,
    WordModel,
    WordModelConfig,
)

COMPOSITIONS: Final = ("max", "mean", "last", "attention", "multihop")


class LSTMConfig(WordModelConfig):  # type: ignore[no-untyped-call]
    """
    The configuration of :class:`LSTMModel`.

    :param hidden_size: the size of a state, per direction.
    :param bidirectional: whether a second LSTM reads from the end.
    :param composition: how words become a vector: the greatest ("max") or mean state, the last one ("last", of the
        second direction that of the first word), max-pooling of answers whose words are weighted by the question
        ("attention"), or several looks at the question, and at the answer with each ("multihop": Tran and Niederée
        2018, the GGSA paper's Multihop-Sequential-LSTM), see :mod:`composition`.
    :param hops: K of "multihop".
    :param hop_lstm_size: the size of each direction of the LSTM of "multihop".
    """

    model_type = "lstm"

    hidden_size: Size = 141
    bidirectional: bool = True
    composition: Annotated[str, OneOf(COMPOSITIONS)] = "max"
    hops: Count = 2
    hop_lstm_size: Size = 50
    head: Head = "cosine"


class LSTMModel(WordModel):
    """
    QA-LSTM: Tan, dos Santos, Xiang and Zhou 2016, "LSTM-based Deep Learning Models for Non-factoid Answer Selection".

    Both sides share the LSTM. Without attention an answer's vector is the same for every question.
    """

    config_class = LSTMConfig

    def __init__(self, config: LSTMConfig) -> None:
        """
        Create the network with random weights.

        :param config: its configuration.
        """
        super().__init__(config)
        self.encoder = LSTMEncoder(config.word_size, config.hidden_size, bidirectional=config.bidirectional)
        size, vectors = self.encoder.size, 2
        self.attention: QuestionAttention | MultihopAttention | None = None
        if config.composition == "attention":
            self.attention = QuestionAttention(size)
        elif config.composition == "multihop":
            self.attention = MultihopAttention(size, config.hops, config.hop_lstm_size)
            vectors *= config.hops
        self.classifier = self.make_head(vectors * size)
        self.post_init()

    @property
    def answer_vector_size(self) -> int | None:
        """See :attr:`WordModel.answer_vector_size`."""
        return self.encoder.size if self.attention is None and self.answers_apart else None

    def encode_questions(self, words: Texts) -> Texts:
        """See :meth:`WordModel.encode_questions`; [n_questions, d], with attention [n_questions, Lq, d]."""
        states, lengths = self.encoder(words.values, words.lengths), words.lengths
        if self.config.composition == "max":
            states = max_over_time(states, lengths)
        elif self.config.composition == "mean":
            states = mean_over_time(states, lengths)
        elif self.config.composition == "last":
            states = self._last(states, lengths)
        return Texts(states, lengths)

    def encode_answers(self, words: Texts) -> Texts:
        """See :meth:`WordModel.encode_answers`; [n_answers, d], with attention [n_answers, La, d]."""
        return self.encode_questions(words)

    def compare(self, questions: Texts, answers: Texts, question_of: Tensor) -> tuple[Tensor, Tensor]:
        """See :meth:`WordModel.compare`."""
        if self.attention is not None:
            return self.attention(questions, answers, question_of)  # type: ignore[no-any-return]
        return questions.values[question_of], answers.values

    def word_weights(self, questions: Texts, answers: Texts, question_of: Tensor) -> list[WordWeights]:
        """See :meth:`WordModel.word_weights`; the composition's, if it looks at the question."""
        if self.attention is None:
            return []
        encoded = self.encode_questions(questions), self.encode_answers(answers)
        return self.attention.word_weights(*encoded, question_of)

    def _last(self, states: Tensor, lengths: Tensor) -> Tensor:
        """Where each direction ends: the first one at the last word, the second at the first."""
        ends = states[torch.arange(len(lengths), device=lengths.device), lengths - 1]
        return torch.cat([ends[:, : self.config.hidden_size], states[:, 0, self.config.hidden_size :]], dim=-1)
