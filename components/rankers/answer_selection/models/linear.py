# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Models without an encoder: a weighted sum of pair features, or one of them as it is."""

from typing import Any, Final

from torch import Tensor
from torch.nn import init

from haystack_integrations.components.rankers.answer_selection.models.checks import Rate, Size
from haystack_integrations.components.rankers.answer_selection.models.collator import PairFeatures
from haystack_integrations.components.rankers.answer_selection.models.heads import Linear
from haystack_integrations.components.rankers.answer_selection.models.matching import PAIR_FEATURES
from haystack_integrations.components.rankers.answer_selection.models.word_model import (
    Head,
    Texts,
    WordModel,
    WordModelConfig,
)


class LinearConfig(WordModelConfig):  # type: ignore[no-untyped-call]
    """The configuration of :class:`LinearModel`."""

    model_type = "linear"

    pair_features: PairFeatures = PAIR_FEATURES
    head: Head = "linear"
    dropout: Rate = 0.0
    batch_norm: bool = True

    def __post_init__(self, **kwargs: Any) -> None:
        super().__post_init__(**kwargs)
        if not self.pair_features:
            msg = "pair_features is empty; expected at least one: the model sees nothing else"
            raise ValueError(msg)


class LinearModel(WordModel):
    """A head over pair features and nothing else; word vectors count only where words are matched softly."""

    config_class = LinearConfig

    def __init__(self, config: LinearConfig) -> None:
        """
        Create the head with random weights, small ones: what the labels leave open stays near 0.

        :param config: its configuration.
        """
        super().__init__(config)
        self.classifier = self.make_head(0)
        self.post_init()
        if isinstance(self.classifier, Linear):
            init.normal_(self.classifier.output.weight, std=0.01)

    @property
    def why_no_answer_vector(self) -> str:
        """See :attr:`AnswerSelectionModel.why_no_answer_vector`."""
        return "it sees only how an answer's words match the question's"

    def encode_questions(self, words: Texts) -> Texts:
        """See :meth:`WordModel.encode_questions`; nothing, [n_questions, Lq, 0]."""
        return Texts(words.values[..., :0], words.lengths)

    def encode_answers(self, words: Texts) -> Texts:
        """See :meth:`WordModel.encode_answers`; nothing, [n_answers, La, 0]."""
        return self.encode_questions(words)

    def compare(self, questions: Texts, answers: Texts, question_of: Tensor) -> tuple[Tensor, Tensor]:
        """See :meth:`WordModel.compare`; nothing, [n_pairs, 0]."""
        return questions.values[question_of, 0], answers.values[:, 0]


class CountingConfig(LinearConfig):  # type: ignore[no-untyped-call]
    """The configuration of a :class:`CountingModel`: one feature as it is, and next to no word vectors."""

    embedding_size: Size = 1
    batch_norm: bool = False


class CountingModel(LinearModel):
    """
    A linear model that ranks by its feature before any training: the weight starts at 1.

    It is another way to begin, not another model: its folder is that of a linear model.
    """

    config_class: type[CountingConfig]

    def __init__(self, config: CountingConfig) -> None:
        """
        Create the head.

        :param config: its configuration.
        """
        super().__init__(config)
        if isinstance(self.classifier, Linear):
            init.ones_(self.classifier.output.weight)


class BM25Config(CountingConfig):  # type: ignore[no-untyped-call]
    """The configuration of :class:`BM25Model`."""

    pair_features: PairFeatures = ("bm25",)


class BM25Model(CountingModel):
    """BM25 alone."""

    config_class = BM25Config


class WordOverlapConfig(CountingConfig):  # type: ignore[no-untyped-call]
    """The configuration of :class:`WordOverlapModel`."""

    pair_features: PairFeatures = ("overlap",)


class WordOverlapModel(CountingModel):
    """The words that both sides have, over all of them."""

    config_class = WordOverlapConfig


class IdfOverlapConfig(CountingConfig):  # type: ignore[no-untyped-call]
    """The configuration of :class:`IdfOverlapModel`."""

    pair_features: PairFeatures = ("idf_overlap",)


class IdfOverlapModel(CountingModel):
    """The same, each word weighed by its idf."""

    config_class = IdfOverlapConfig


COUNTING: Final = {"bm25": BM25Model, "word_overlap": WordOverlapModel, "idf_overlap": IdfOverlapModel}
"""The counting baselines by name."""
