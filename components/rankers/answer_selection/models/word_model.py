# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
What models that read words have in common: word vectors, matching, a head; a model's own file says how it encodes.

A model is three functions of its own: from a question's word vectors to its encoding, from an answer's to its, and from
the two encodings of a pair to two vectors, which the head turns into a logit. Questions are encoded once a list. If the
answer's encoding does not depend on the question (:attr:`WordModel.answers_apart`), it can be made beforehand and kept.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import deepcopy
from typing import Annotated, ClassVar, NamedTuple, Self, TypeAlias

import numpy as np
import torch
from numpy.typing import ArrayLike, NDArray
from torch import Tensor, nn
from torch.nn import functional, init
from torch.nn.utils.rnn import pad_sequence

from haystack_integrations.components.rankers.answer_selection.models import matching
from haystack_integrations.components.rankers.answer_selection.models.base import (
    AnswerSelectionConfig,
    Collator,
    Encodings,
    WordVectors,
)
from haystack_integrations.components.rankers.answer_selection.models.checks import (
    Count,
    OneOf,
    Range,
    Rate,
    Size,
)
from haystack_integrations.components.rankers.answer_selection.models.collator import (
    PAD,
    UNKNOWN,
    WordCollator,
    WordConfig,
)
from haystack_integrations.components.rankers.answer_selection.models.explanation import (
    ANSWER,
    QUESTION,
    Explanation,
    FeatureValues,
    WordWeights,
)
from haystack_integrations.components.rankers.answer_selection.models.extension import extend
from haystack_integrations.components.rankers.answer_selection.models.fingerprint import encoding_fingerprint
from haystack_integrations.components.rankers.answer_selection.models.heads import (
    HEADS,
    Cosine,
    Linear,
    PairClassifier,
    PairHead,
)
from haystack_integrations.components.rankers.answer_selection.models.known_words import KnownWords
from haystack_integrations.components.rankers.answer_selection.models.saved_model import SavedModel

Head: TypeAlias = Annotated[str, OneOf(HEADS)]
"""The name of a head."""


class WordModelConfig(WordConfig):  # type: ignore[no-untyped-call]
    """
    What the configurations of all models that read words have: word vectors and head.

    :param embedding_size: n, the size of a word vector.
    :param embedding_dropout: the part of the word vectors' elements that training drops.
    :param projection_size: m, the size that word vectors are projected to; None leaves them as they are.
    :param head: what makes a logit of a pair's two vectors, of :data:`heads.HEADS`.
    :param mlp_layers: hidden layers of the head "mlp".
    :param mlp_size: h, their size.
    :param dropout: the part of the head's inputs and hidden units that training drops ("mlp", "linear").
    :param cosine_scale: what the head "cosine" multiplies the cosine by.
    :param batch_norm: whether the head's inputs are normalised (by running means, once trained).
    :param feature_shortcut: whether the head "mlp" also adds the pair features to the logit linearly, as the others
        always do.
    """

    embedding_size: Size = 300
    embedding_dropout: Rate = 0.0
    projection_size: Size | None = None
    head: Head = "mlp"
    mlp_layers: Count = 1
    mlp_size: Size = 128
    dropout: Rate = 0.5
    cosine_scale: Annotated[float, Range(0, 1_000_000, above=True)] = 1.0
    batch_norm: bool = False
    feature_shortcut: bool = False

    @property
    def word_size(self) -> int:
        """The size of what an encoder sees of a word: its vector, projected or not, and its match channels."""
        size = self.embedding_size if self.projection_size is None else self.projection_size
        return size + (matching.CHANNELS if self.match_channels else 0)

    @property
    def gives_bare_cosines(self) -> bool:
        """See :attr:`AnswerSelectionConfig.gives_bare_cosines`; pair features, which are added, reach further."""
        return bool(self.head == "cosine" and self.cosine_scale <= 1 and not self.pair_features)


class Texts(NamedTuple):
    """
    One side's texts, as word vectors or as an encoder left them.

    :param values: a vector a word [N, L, d], or a vector a text [N, d].
    :param lengths: the words of each text, at least 1, [N].
    """

    values: Tensor
    lengths: Tensor


class Pairs(NamedTuple):
    """
    A batch as the encoders see it.

    :param questions: the questions' word vectors, one row a question.
    :param answers: the answers', one row a pair.
    :param question_of: the question of every pair [n_pairs].
    :param features: the pair features [n_pairs, n_features], if there are any.
    """

    questions: Texts
    answers: Texts
    question_of: Tensor
    features: Tensor | None


class WordModel(SavedModel):
    """
    A network over the words of two texts; the models say how these are encoded and compared.

    The head always works in the precision that its weights have, which is single precision also where the rest of the
    model is in half: it costs nothing there, and scores that differ little keep their order.
    """

    config_class = WordModelConfig
    collator_class: ClassVar[type[WordCollator]] = WordCollator
    freezes_embeddings: ClassVar[bool] = True
    kept_in_float32 = "classifier"
    classifier: PairHead

    def __init__(self, config: WordModelConfig) -> None:
        """
        Create word vectors and projection, with random weights. A model's own constructor ends with `post_init`.

        :param config: the configuration.
        """
        super().__init__(config)
        self.embedding = nn.Embedding(config.vocab_size, config.embedding_size, padding_idx=PAD)
        self.embedding_dropout = nn.Dropout(config.embedding_dropout)
        projection = config.projection_size
        self.projection = None if projection is None else nn.Linear(config.embedding_size, projection)
        # Not used by the network: the collator's, kept where the rest of what was learned from the corpus is.
        self.register_buffer("idf", torch.zeros(config.vocab_size))

    @classmethod
    def build(
        cls,
        config: AnswerSelectionConfig,
        texts: Iterable[str],
        answers: Iterable[str] | None = None,
        *,
        max_words: int = 50_000,
        min_count: int = 1,
        word_vectors: WordVectors | None = None,
    ) -> tuple[Self, WordCollator]:
        """See :meth:`AnswerSelectionModel.build`."""
        assert isinstance(config, WordModelConfig)
        collator = cls.collator_class.build(config, texts, answers, max_words=max_words, min_count=min_count)
        model = cls(config)
        model.get_buffer("idf").copy_(torch.from_numpy(collator.idf))
        if word_vectors is not None:
            model.set_word_vectors(word_vectors(collator.vocabulary, config.embedding_size))
        return model, collator

    def extend(self, collator: Collator, texts: Callable[[], Iterable[str]]) -> tuple[Self, WordCollator]:
        """See :meth:`AnswerSelectionModel.extend` and :func:`extension.extend`; all other weights stay as they are."""
        assert isinstance(collator, WordCollator)
        trained = self.embedding.weight.requires_grad
        extended, vectors = extend(collator, self.embedding.weight.detach(), texts)
        self.config = deepcopy(self.config)  # a new model shares it with its collator
        self.config.vocab_size = len(vectors)
        rows, size = vectors.shape
        self.embedding = nn.Embedding(rows, size, padding_idx=PAD, _weight=vectors)
        self.embedding.weight.requires_grad_(trained)
        self.idf = torch.from_numpy(extended.idf)
        return self, extended

    def _init_weights(self, module: nn.Module) -> None:
        """See :meth:`AnswerSelectionModel._init_weights`; features join a cosine without random signs."""
        super()._init_weights(module)
        if isinstance(module, Cosine) and module.shortcut is not None:
            init.zeros_(module.shortcut.weight)

    def make_head(self, size: int) -> PairHead:
        """
        Make the head that the configuration names.

        :param size: of both vectors of a pair together.
        :returns: the head, to be the model's `classifier`.
        """
        config, features = self.config, len(self.config.pair_features)
        if config.head == "cosine":
            return Cosine(features, cosine_scale=config.cosine_scale, batch_norm=config.batch_norm)
        if config.head == "linear":
            return Linear(size, features, dropout=config.dropout, batch_norm=config.batch_norm)
        return PairClassifier(
            size,
            features,
            layers=config.mlp_layers,
            hidden_size=config.mlp_size,
            dropout=config.dropout,
            batch_norm=config.batch_norm,
            shortcut=config.feature_shortcut,
        )

    @property
    def answers_apart(self) -> bool:
        """See :attr:`AnswerSelectionModel.answers_apart`."""
        return not self.config.match_channels

    @property
    def why_no_answer_vector(self) -> str:
        """See :attr:`AnswerSelectionModel.why_no_answer_vector`."""
        if self.answers_apart:
            return "each of its answers' words has a vector of its own, which only the ranker's cache can keep"
        return f"{super().why_no_answer_vector} (match_channels)"

    @property
    def matches_words(self) -> bool:
        """See :attr:`AnswerSelectionModel.matches_words`."""
        matches: bool = self.config.matches_words
        return matches

    def known_words(self, collator: Collator) -> KnownWords:
        """See :meth:`AnswerSelectionModel.known_words`."""
        assert isinstance(collator, WordCollator)
        vectors = self.embedding.weight.detach().float().cpu().numpy()
        return KnownWords(collator.vocabulary, vectors, collator.config.stop_words, collator.config.rules)

    @property
    def retrieval_meta(self) -> Sequence[str]:
        """See :attr:`AnswerSelectionModel.retrieval_meta`."""
        keys: list[str] = self.config.retrieval_meta
        return keys

    def encode_apart(self, collator: Collator, side: str, texts: Sequence[str]) -> list[Tensor]:
        """See :meth:`AnswerSelectionModel.encode_apart`."""
        assert isinstance(collator, WordCollator)
        batch = self.to_device(collator.side(side, texts, matching=False))
        ids, encode = batch[f"{side}_ids"], self.question_encodings if side == QUESTION else self.answer_encodings
        with self.threads_for(ids.numel()):
            encoded = encode(ids, batch[f"{side}_lengths"])
        lengths = encoded.lengths.tolist()
        return [row if row.ndim == 1 else row[:n] for row, n in zip(encoded.values, lengths, strict=True)]

    def score_apart(
        self,
        collator: Collator,
        questions: tuple[Sequence[str], Encodings],
        answers: tuple[Sequence[str], Encodings],
        question_of: NDArray[np.int64],
        retrieved: NDArray[np.float32] | None = None,
    ) -> NDArray[np.float64]:
        """See :meth:`AnswerSelectionModel.score_apart`."""
        assert isinstance(collator, WordCollator)
        of = torch.from_numpy(question_of).to(self.device)
        encoded = answers[1]
        with self.threads_for(len(encoded) if isinstance(encoded, Tensor) else sum(map(len, encoded))):
            features = None
            if self.matches_words:
                words = self.to_device(
                    {
                        **collator.side(QUESTION, questions[0], matching=True),
                        **collator.side(ANSWER, answers[0], matching=True),
                        **({} if retrieved is None else collator.retrieved_features(retrieved)),
                    }
                )
                _, features = self.match_words(words["question_ids"], words["answer_ids"], words, of)
            compared = self.compare(_side_by_side(questions[1]), _side_by_side(encoded), of)
            logits: NDArray[np.float64] = self.head_logits(*compared, features).double().cpu().numpy()
        return logits

    def encoding_fingerprint(self, collator: Collator) -> str:
        """See :func:`fingerprint.encoding_fingerprint`."""
        assert isinstance(collator, WordCollator)
        return encoding_fingerprint(self, collator)

    def probed_vectors(self, batch: Mapping[str, Tensor]) -> Tensor:
        """See :meth:`AnswerSelectionModel.probed_vectors`; the answer's vector, and the pair features if it has any."""
        pairs = self.read(**batch)
        _, answer = self._compared(pairs)
        dtype = self.classifier.dtype
        read = [answer.flatten(1), *([] if pairs.features is None else [pairs.features])]
        return torch.cat([vectors.to(dtype) for vectors in read], dim=1)

    def encode_questions(self, words: Texts) -> Texts:
        """
        Encode questions.

        :param words: their words' vectors [n_questions, Lq, word_size].
        :returns: what :meth:`compare` takes of them, one row a question.
        """
        raise NotImplementedError

    def encode_answers(self, words: Texts) -> Texts:
        """
        Encode answers.

        :param words: their words' vectors [n_answers, La, word_size].
        :returns: what :meth:`compare` takes of them, one row an answer: [n_answers, answer_vector_size] where a vector
            is all of it, else [n_answers, L, d], whose rows count no further than their length.
        """
        raise NotImplementedError

    def compare(self, questions: Texts, answers: Texts, question_of: Tensor) -> tuple[Tensor, Tensor]:
        """
        Make the two vectors of every pair.

        :param questions: what :meth:`encode_questions` gave, one row a question.
        :param answers: what :meth:`encode_answers` gave, one row a pair.
        :param question_of: the question of every pair, [n_pairs].
        :returns: the vectors of question and answer for the head, [n_pairs, d] or [n_pairs, K, d] each.
        """
        raise NotImplementedError

    def question_encodings(self, ids: Tensor, lengths: Tensor) -> Texts:
        """
        Encode questions apart from any answer.

        :param ids: their words [n_questions, Lq], 0 for padding.
        :param lengths: their lengths [n_questions], at least 1.
        :returns: see :meth:`encode_questions`.
        """
        return self.encode_questions(Texts(self._look_up(ids, None), lengths))

    def answer_encodings(self, ids: Tensor, lengths: Tensor) -> Texts:
        """
        Encode answers apart from any question.

        :param ids: their words [n_answers, La], 0 for padding.
        :param lengths: their lengths [n_answers], at least 1.
        :returns: see :meth:`encode_answers`.
        """
        return self.encode_answers(Texts(self._look_up(ids, None), lengths))

    def forward(self, **batch: Tensor) -> Tensor:
        """
        Score pairs.

        :param batch: what :meth:`read` takes.
        :returns: the logits [n_pairs].
        """
        pairs = self.read(**batch)
        return self.head_logits(*self._compared(pairs), pairs.features)

    @torch.no_grad()
    def explain(self, batch: Mapping[str, Tensor]) -> Explanation:
        """See :meth:`AnswerSelectionModel.explain`; the words' weights, if it has some, and the pair features."""
        pairs, told = self.read(**batch), None
        if pairs.features is not None:
            dtype = self.classifier.dtype
            inputs = (x.to(dtype) for x in (*self._compared(pairs), pairs.features))
            contributions = self.classifier.contributions(*inputs)
            told = FeatureValues(self.config.pair_features, pairs.features, contributions)
        return Explanation(self.word_weights(pairs.questions, pairs.answers, pairs.question_of), told)

    def word_weights(self, questions: Texts, answers: Texts, question_of: Tensor) -> list[WordWeights]:  # noqa: ARG002
        """
        Give what the network weighs words by.

        :param questions: what :meth:`encode_questions` takes.
        :param answers: what :meth:`encode_answers` takes.
        :param question_of: the question of every pair, [n_pairs].
        :returns: the weights; none where no number of the network belongs to a single word.
        """
        return []

    def read(
        self,
        *,
        list_sizes: Tensor,
        question_ids: Tensor,
        question_lengths: Tensor,
        answer_ids: Tensor,
        answer_lengths: Tensor,
        **words: Tensor,
    ) -> Pairs:
        """
        Look words up, and match them if the configuration asks for it.

        :param list_sizes: how many consecutive pairs share a question, int64 [n_lists].
        :param question_ids: the questions' words [n_lists, Lq], 0 for padding.
        :param question_lengths: their lengths [n_lists], at least 1.
        :param answer_ids: the answers' words [n_pairs, La], 0 for padding.
        :param answer_lengths: their lengths [n_pairs], at least 1.
        :param words: `question_keys`, `_stems`, `_idf`, `_content` [n_lists, Lq] and the same for `answer_`
            [n_pairs, La], if the configuration has pair features or match channels, and [n_pairs] each
            feature that is of retrieval; see :class:`collator.WordCollator`.
        :returns: the batch as the encoders see it.
        """
        question_of = torch.repeat_interleave(list_sizes, output_size=len(answer_lengths))
        features = question_channels = answer_channels = None
        if self.matches_words:
            matched, features = self.match_words(question_ids, answer_ids, words, question_of)
            if self.config.match_channels:
                dtype = self.embedding.weight.dtype
                question_channels = matched.question_channels.to(dtype)
                answer_channels = matched.answer_channels.to(dtype)
                # From here on every pair has a question of its own.
                question_ids, question_lengths = question_ids[question_of], question_lengths[question_of]
                question_of = torch.arange(len(answer_lengths), device=answer_lengths.device)
        questions = Texts(self._look_up(question_ids, question_channels), question_lengths)
        answers = Texts(self._look_up(answer_ids, answer_channels), answer_lengths)
        return Pairs(questions, answers, question_of, features)

    def _compared(self, pairs: Pairs) -> tuple[Tensor, Tensor]:
        questions, answers = self.encode_questions(pairs.questions), self.encode_answers(pairs.answers)
        return self.compare(questions, answers, pairs.question_of)

    def head_logits(self, question: Tensor, answer: Tensor, features: Tensor | None) -> Tensor:
        """
        Give the head a pair's vectors, in the head's own precision.

        :param question: the questions' vectors [n_pairs, d] or [n_pairs, K, d].
        :param answer: the answers' vectors, as many.
        :param features: the pair features [n_pairs, n_features], if there are any.
        :returns: the logits [n_pairs].
        """
        dtype = self.classifier.dtype
        with torch.autocast(question.device.type, enabled=False):
            logits: Tensor = self.classifier(
                question.to(dtype), answer.to(dtype), None if features is None else features.to(dtype)
            )
        return logits

    @torch.no_grad()
    def match_words(
        self, question_ids: Tensor, answer_ids: Tensor, words: dict[str, Tensor], question_of: Tensor
    ) -> tuple[matching.Match, Tensor | None]:
        """
        Match the words of every pair.

        :param question_ids: the questions' words [n_questions, Lq], 0 for padding.
        :param answer_ids: the answers' words [n_pairs, La], 0 for padding.
        :param words: what they are matched by, as :meth:`read` takes it.
        :param question_of: the question of every pair, [n_pairs].
        :returns: how they match, and the configuration's pair features [n_pairs, n_features] if it has any.
        """
        question = self._words("question", words, question_ids, question_of)
        answer = self._words("answer", words, answer_ids, None)
        matched = matching.match(question, answer)
        names = tuple(self.config.pair_features)
        if not names:
            return matched, None
        retrieved = {name: words[name] for name in matching.RETRIEVAL_FEATURES if name in names}
        return matched, matching.pair_features(question, answer, matched, retrieved, names)

    def _words(self, side: str, words: dict[str, Tensor], ids: Tensor, rows: Tensor | None) -> matching.Words:
        """One side's words, a row for every pair."""
        # Unknown words share one vector, which says nothing of whether two of them are alike.
        known = (ids > UNKNOWN).unsqueeze(-1)
        vectors = functional.normalize(self.embedding.weight.detach()[ids].float(), dim=-1) * known
        fields = [*(words[f"{side}_{field}"] for field in ("keys", "stems", "idf", "content")), vectors]
        return matching.Words(*(fields if rows is None else [field[rows] for field in fields]))

    def _look_up(self, ids: Tensor, channels: Tensor | None) -> Tensor:
        """The vectors of words, projected, with their match channels, [N, L, word_size]."""
        x: Tensor = self.embedding_dropout(self.embedding(ids))
        if self.projection is not None:
            x = self.projection(x)
        return x if channels is None else torch.cat([x, channels], dim=-1)

    def scale_logits(self, scale: float, shift: float) -> None:
        """See :meth:`AnswerSelectionModel.scale_logits`."""
        self.classifier.scale(scale, shift)

    def get_input_embeddings(self) -> nn.Embedding:
        """See :meth:`AnswerSelectionModel.get_input_embeddings`."""
        return self.embedding

    def set_word_vectors(self, vectors: ArrayLike) -> None:
        """
        Fill the embedding table; padding stays zero.

        :param vectors: a vector for every word of the collator's vocabulary, in its order, [vocab_size, n].
        :raises ValueError: if the shape is another, or a number is not finite.
        """
        table = torch.as_tensor(vectors, dtype=torch.float32)
        if table.shape != self.embedding.weight.shape or not table.isfinite().all():
            msg = f"expected finite word vectors of shape {list(self.embedding.weight.shape)}, "
            msg += f"but the shape is {list(table.shape)} and {int((~table.isfinite()).sum())} numbers are not finite"
            raise ValueError(msg)
        with torch.no_grad():
            self.embedding.weight.copy_(table)
            self.embedding.weight[PAD] = 0


def _side_by_side(encodings: Encodings) -> Texts:
    """Encodings as a model compares them."""
    if isinstance(encodings, Tensor):
        return Texts(encodings, torch.ones(len(encodings), dtype=torch.int64, device=encodings.device))
    lengths = torch.tensor([len(row) for row in encodings], device=encodings[0].device)
    return Texts(pad_sequence([*encodings], batch_first=True), lengths)
