# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""iGGSA: GGSA whose answers are read in the light of the question."""

from torch import Tensor, nn

from haystack_integrations.components.rankers.answer_selection.models.ggsa import GGSAConfig, GGSAModel
from haystack_integrations.components.rankers.answer_selection.models.pooling import max_over_time, mean_over_time
from haystack_integrations.components.rankers.answer_selection.models.self_attention import FeedForward
from haystack_integrations.components.rankers.answer_selection.models.word_model import Texts


class IGGSAConfig(GGSAConfig):  # type: ignore[no-untyped-call]
    """The configuration of :class:`IGGSAModel`."""

    model_type = "iggsa"


class Interaction(nn.Module):
    """The question-aware residual of an answer's words (equation 5 of the GGSA paper and the two after it)."""

    def __init__(self, size: int) -> None:
        """
        Create the layers.

        :param size: D.
        """
        super().__init__()
        self.feed_forward = FeedForward(size)
        self.norm = nn.LayerNorm(size)

    def forward(self, answer: Tensor, question: Tensor) -> Tensor:
        """
        Add the residual: LayerNorm(Y + FFN(Y ⊙ c)).

        :param answer: Y [n_pairs, La, D].
        :param question: c, the mean of the question's words [n_pairs, D].
        :returns: [n_pairs, La, D].
        """
        found: Tensor = self.norm(answer + self.feed_forward(answer * question.unsqueeze(1)))
        return found


class IGGSAModel(GGSAModel):
    """
    GGSA with interaction: section 3.2 of the paper.

    The interaction comes before the last feed-forward layer of the answer's encoder. All before it is the same for
    every question, and is what an answer's encoding is.
    """

    config_class = IGGSAConfig

    def __init__(self, config: IGGSAConfig) -> None:
        """
        Create the network with random weights.

        :param config: its configuration.
        """
        super().__init__(config)
        self.interaction = Interaction(config.word_size)
        # All else has its first values.
        self.interaction.apply(self._init_weights)

    @property
    def answer_vector_size(self) -> int | None:
        """See :attr:`WordModel.answer_vector_size`: the question meets every word."""
        return None

    def encode_questions(self, words: Texts) -> Texts:
        """See :meth:`WordModel.encode_questions`; H [n_questions, Lq, D]."""
        return self.encoder("question")(words)  # type: ignore[no-any-return]

    def encode_answers(self, words: Texts) -> Texts:
        """See :meth:`WordModel.encode_answers`; Y [n_answers, La, D]."""
        return self.encoder("answer").attend(words)

    def compare(self, questions: Texts, answers: Texts, question_of: Tensor) -> tuple[Tensor, Tensor]:
        """See :meth:`WordModel.compare`."""
        if self.composition is not None:
            return super().compare(questions, answers, question_of)
        questions, answers = self._met(questions, answers, question_of)
        return max_over_time(*questions)[question_of], max_over_time(*answers)

    def _met(self, questions: Texts, answers: Texts, question_of: Tensor) -> tuple[Texts, Texts]:
        """The answers after the interaction."""
        means = mean_over_time(*questions)[question_of]
        met = self.interaction(answers.values, means)
        return questions, self.encoder("answer").feed(Texts(met, answers.lengths))
