# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""GGSA: gated group self-attention, question and answer each apart from the other."""

from typing import Annotated

from torch import Tensor, nn

from haystack_integrations.components.rankers.answer_selection.models.checks import Count, OneOf, Size
from haystack_integrations.components.rankers.answer_selection.models.composition import (
    COMPOSITIONS,
    MultihopAttention,
    QuestionAttention,
)
from haystack_integrations.components.rankers.answer_selection.models.explanation import ANSWER, QUESTION, WordWeights
from haystack_integrations.components.rankers.answer_selection.models.pooling import max_over_time
from haystack_integrations.components.rankers.answer_selection.models.self_attention import (
    SelfAttentionConfig,
    SelfAttentionEncoder,
)
from haystack_integrations.components.rankers.answer_selection.models.word_model import Texts, WordModel


class GGSAConfig(SelfAttentionConfig):  # type: ignore[no-untyped-call]
    """
    The configuration of :class:`GGSAModel`. Letters are those of the paper.

    :param composition: what makes the vectors of a pair of its words' vectors: "max" pools each side apart,
        "attention" and "multihop" look at the question, see :mod:`composition`.
    :param hops: K of "multihop".
    :param hop_lstm_size: the size of each direction of the LSTM of "multihop".
    """

    model_type = "ggsa"

    composition: Annotated[str, OneOf(COMPOSITIONS)] = "max"
    hops: Count = 2
    hop_lstm_size: Size = 50


class GGSAModel(WordModel):
    """Gated Group Self-Attention: Xu, Ji, Huang, Deng and Li 2019, sections 3.1 and 3.3."""

    config_class = GGSAConfig

    def __init__(self, config: GGSAConfig) -> None:
        """
        Create the network with random weights.

        :param config: its configuration.
        """
        super().__init__(config)
        sides = ("shared",) if config.shared_encoder else ("question", "answer")
        self.encoders = nn.ModuleDict({side: SelfAttentionEncoder(config) for side in sides})
        size, vectors = config.word_size, 2
        self.composition: QuestionAttention | MultihopAttention | None = None
        if config.composition == "attention":
            self.composition = QuestionAttention(size)
        elif config.composition == "multihop":
            self.composition = MultihopAttention(size, config.hops, config.hop_lstm_size)
            vectors *= config.hops
        self.classifier = self.make_head(vectors * size)
        self.post_init()

    @property
    def answer_vector_size(self) -> int | None:
        """See :attr:`WordModel.answer_vector_size`."""
        return self.config.word_size if self.answers_apart and self.composition is None else None

    def encoder(self, side: str) -> SelfAttentionEncoder:
        """
        Find a side's encoder.

        :param side: "question" or "answer".
        :returns: its own or the shared one.
        """
        encoder = self.encoders["shared" if self.config.shared_encoder else side]
        assert isinstance(encoder, SelfAttentionEncoder)
        return encoder

    def encode_questions(self, words: Texts) -> Texts:
        """See :meth:`WordModel.encode_questions`; max-pooled to [n_questions, D] if that is the composition."""
        return self._pooled(self.encoder("question")(words))

    def encode_answers(self, words: Texts) -> Texts:
        """See :meth:`WordModel.encode_answers`; max-pooled to [n_answers, D] if that is the composition."""
        return self._pooled(self.encoder("answer")(words))

    def word_weights(self, questions: Texts, answers: Texts, question_of: Tensor) -> list[WordWeights]:
        """See :meth:`WordModel.word_weights`; the gates, and what the composition weighs by."""
        found = self._gates(questions, answers, question_of) if self.config.gate else []
        if self.composition is not None:
            encoded = self.encode_questions(questions), self.encode_answers(answers)
            found += self.composition.word_weights(*self._met(*encoded, question_of), question_of)
        return found

    def _gates(self, questions: Texts, answers: Texts, question_of: Tensor) -> list[WordWeights]:
        about = "How far the word is let through to attention: the mean of its gate's elements."
        found = []
        for side, words, rows in ((QUESTION, questions, question_of), (ANSWER, answers, slice(None))):
            gates = self.encoder(side).gates(words)
            names = ["gate"] if len(gates) == 1 else [f"gate of block {place}" for place in range(1, len(gates) + 1)]
            found += [
                WordWeights(name, about, shares=False, side=side, values=gate[rows].mean(-1))
                for name, gate in zip(names, gates, strict=True)
            ]
        return found

    def _pooled(self, words: Texts) -> Texts:
        return Texts(max_over_time(*words), words.lengths) if self.composition is None else words

    def compare(self, questions: Texts, answers: Texts, question_of: Tensor) -> tuple[Tensor, Tensor]:
        """See :meth:`WordModel.compare`."""
        if self.composition is None:
            return questions.values[question_of], answers.values
        question, answer = self.composition(*self._met(questions, answers, question_of), question_of)
        return question, answer

    def _met(self, questions: Texts, answers: Texts, question_of: Tensor) -> tuple[Texts, Texts]:  # noqa: ARG002
        """The encodings as they are composed, one row a question and one a pair."""
        return questions, answers
