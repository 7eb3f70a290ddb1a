# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""What every model is: a configuration, a network that gives one logit a pair, and the collator that feeds it."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import fields
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, ClassVar, Final, Self, TypeAlias

import numpy as np
import torch
from numpy.typing import ArrayLike, NDArray
from torch import Tensor, nn
from torch.nn import init
from transformers import PreTrainedConfig

from haystack_integrations.components.rankers.answer_selection.models.checks import Count, Range, check, check_numbers
from haystack_integrations.components.rankers.answer_selection.models.explanation import Explanation, Place
from haystack_integrations.components.rankers.answer_selection.models.known_words import KnownWords
from haystack_integrations.components.rankers.answer_selection.models.record import Piece, Record
from haystack_integrations.components.rankers.answer_selection.models.threads import threads_for
from haystack_integrations.components.rankers.answer_selection.models.tree_levels import TextTree

FORMAT_VERSION: Final = 1
"""The version of the model folders that this package writes, and the only one that it reads."""

SCORED_AT_ONCE: Final = 512
"""Pairs, without gradients, unless the model says otherwise."""

WordVectors: TypeAlias = Callable[[Sequence[str], int], ArrayLike]
"""Gives words their vectors: of a vocabulary and a size, a row of so many numbers for each word."""

Encodings: TypeAlias = Tensor | Sequence[Tensor]
"""Texts' encodings: a vector each, [n, d], or a tensor [L, d] each."""


class AnswerSelectionConfig(PreTrainedConfig):  # type: ignore[no-untyped-call]
    """
    What is common to the configurations of all models.

    A configuration is a dataclass, made of keyword arguments. Each value is held against its field's annotation, see
    :mod:`checks`: one of another type or out of its range is a ValueError that names the field.

    :param format_version: the version of the model folder's format.
    :param retriever_weight: how much of the retriever's score a ranker adds to the logit unless it is told.
    :param signals: whether a ranker that is told no weight weighs all that is known of a candidate instead (see
        `signals.py`): BM25's score, the cosine, the words in common and the length beside the logit.
    :param signal_weight: how much the logit weighs among them; None is as much as that of the package's model.
    :param rerank_top_k: how many of a query's candidates the model reads at most where a ranker weighs all signals and
        is told no number; None is all.
    :param rerank_margin: how far one of these may be behind the first, in log-odds by the other signals; None is as far
        as it gets.
    :param retriever_order: whether a ranker that is told no weight keeps the retriever's order, because the model did
        not improve on it: to the retriever's score it then adds the mean of the candidates' logits.
    """

    format_version: int = FORMAT_VERSION
    retriever_weight: Annotated[float, Range(0, 1_000)] = 0.0
    signals: bool = False
    signal_weight: Annotated[float, Range(0, 1_000)] | None = None
    rerank_top_k: Count | None = None
    rerank_margin: Annotated[float, Range(0, 1_000)] | None = None
    retriever_order: bool = False

    def __post_init__(self, **kwargs: Any) -> None:
        theirs = {field.name for field in fields(PreTrainedConfig)}
        check_numbers("", {name: getattr(self, name) for name in theirs} | kwargs)
        for field in fields(self):
            if field.name not in theirs:
                check(field.name, getattr(self, field.name), field.type)
        super().__post_init__(**kwargs)  # type: ignore[no-untyped-call]

    @property
    def gives_bare_cosines(self) -> bool:
        """Whether the logits are nothing but cosines, which are too near to each other for most losses."""
        return False


class Collator:
    """Turns records into a model's tensors. Only here is text tokenised."""

    def __call__(self, records: Sequence[Record]) -> dict[str, Tensor]:
        """
        Make a batch.

        :param records: pairs; consecutive ones with the same query and `query_meta` are one list.
        :returns: the model's arguments, `list_sizes` (int64 [n_lists]) among them.
        """
        raise NotImplementedError

    def pieces(self, record: Record) -> Sequence[Piece]:
        """
        Cut a pair whose answer is longer than the model reads.

        :param record: the pair.
        :returns: one piece at least, the best of which scores the whole; by default the pair itself, of which the
            beginning is read.
        """
        return [Piece(record)]

    def pair_length(self, record: Record) -> int:
        """
        Measure a pair, for batches of pairs of similar length.

        :param record: the pair.
        :returns: its length in tokens.
        """
        raise NotImplementedError

    def places(self, record: Record) -> Mapping[str, Sequence[Place]]:
        """
        Say where in a pair's texts the words stand that a batch has of it.

        :param record: the pair.
        :returns: by :attr:`WordWeights.side`, a place for each word of the pair's row.
        """
        raise NotImplementedError

    def retrieved(self, records: Sequence[Record]) -> NDArray[np.float32] | None:  # noqa: ARG002
        """
        Give what a batch has of pairs beside their texts: numbers that retrieval left in the candidates' metadata.

        :param records: the pairs.
        :returns: a row a pair; None if the model reads none.
        """
        return None

    def known_share(self, records: Sequence[Record]) -> float:  # noqa: ARG002
        """
        Say how much of pairs' texts the model knows.

        :param records: the pairs of one query.
        :returns: the share of words that it knows, from 0 to 1; 1 for most models of pieces of words, which know all.
        """
        return 1.0

    def save_pretrained(self, save_directory: str | Path) -> None:
        """
        Write what the collator needs beside the model's own files.

        :param save_directory: the model folder.
        """
        raise NotImplementedError

    @classmethod
    def from_pretrained(cls, folder: str | Path) -> Self:
        """
        Read a collator from a model folder.

        :param folder: a whole model folder.
        :returns: the collator.
        """
        raise NotImplementedError

    def text_trees(self, record: Record) -> tuple[TextTree, TextTree]:
        """
        Give a pair's trees as the model reads them, if it reads trees.

        :param record: the pair.
        :returns: the question's tree and the answer's.
        :raises TreeError: if a text has no tree, or one that cannot be read or is another text's.
        """
        raise NotImplementedError

    def read_tree(self, text: str, bracketed: object) -> None:
        """
        Read a text's tree, which the next batch will need: so that whoever knows where it is from can tell.

        :param text: the text.
        :param bracketed: what is said to be its tree.
        :raises TreeError: if it cannot be read or is another text's.
        """
        raise NotImplementedError

    def read_part(self, text: str) -> str:
        """
        Give the part of a text that has to come with a tree.

        :param text: the text.
        :returns: its beginning, up to white space, with all tokens that can matter to the model.
        """
        raise NotImplementedError


class AnswerSelectionModel(nn.Module):
    """
    A network that gives one logit a pair.

    ``model(**collator(records))`` returns the logits [n_pairs], in the order of the records. The probability that the
    answer is right is the logit's sigmoid. Whatever else a batch holds, ``list_sizes`` [n_lists] says how many
    consecutive pairs share a query.
    """

    config_class = AnswerSelectionConfig
    collator_class: ClassVar[type[Collator]]
    reads_trees: ClassVar[bool] = False
    """Whether texts have to come with parse trees."""
    over_encoder: ClassVar[bool] = False
    """Whether it stands on a pretrained encoder, whose words and vectors stay; else it has those of its corpus."""
    freezes_embeddings: ClassVar[bool] = False
    """Whether training leaves the input embeddings as they are, unless it is told otherwise."""
    supports_gradient_checkpointing: bool = False
    """Whether it has layers that training can compute again in the backward pass."""
    config: Any

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
    ) -> tuple[Self, Collator]:
        """
        Make a new model for a corpus, with random weights, and its collator.

        :param config: the configuration; what the corpus decides of it (the vocabulary's size) is set.
        :param texts: all texts that the model will learn from, for its vocabulary; read once.
        :param answers: the answers, for idf; read once. None: `texts` are the answers.
        :param max_words: the most words to keep.
        :param min_count: how often a word must occur to be kept.
        :param word_vectors: gives the words their vectors, if the model has words of its own; None: random ones.
        :returns: the model and its collator.
        """
        raise NotImplementedError

    def to_folder(self, folder: str | Path) -> None:
        """
        Write configuration and weights; files that are there are replaced.

        :param folder: the folder, which is there.
        """
        raise NotImplementedError

    @classmethod
    def from_folder(cls, folder: str | Path, config: AnswerSelectionConfig, dtype: torch.dtype | None = None) -> Self:
        """
        Read the weights, which have to fit the configuration.

        :param folder: the folder.
        :param config: the configuration in it.
        :param dtype: the type to hold the weights in, but for the head's; None is the configuration's.
        :returns: the model, in evaluation mode.
        """
        raise NotImplementedError

    @classmethod
    def for_scoring(
        cls,
        folder: str | Path,  # noqa: ARG003
        config: AnswerSelectionConfig,  # noqa: ARG003
        dtype: torch.dtype | None = None,  # noqa: ARG003
    ) -> Self | None:
        """
        Read a model that scores and is neither trained nor saved, if that takes less than :meth:`from_folder`.

        :param folder: the folder.
        :param config: the configuration in it.
        :param dtype: see :meth:`from_folder`.
        :returns: the model, in evaluation mode; None where it would be the same, or the weights do not fit.
        """
        return None

    def get_input_embeddings(self) -> nn.Embedding:
        """Give the vectors of tokens, or of words."""
        raise NotImplementedError

    def extend(self, collator: Collator, texts: Callable[[], Iterable[str]]) -> tuple[Self, Collator]:  # noqa: ARG002
        """
        Bring the model to another corpus, without labels: its words, their vectors, its idf.

        :param collator: the model's collator, which stays as it is.
        :param texts: gives all texts of the corpus, at each call anew.
        :returns: the model and its new collator; as they are, if the model has no words of its own.
        """
        return self, collator

    def try_out(self, collator: Collator) -> None:
        """
        Make sure that the model can read texts, where its configuration may say what has no meaning.

        :param collator: the model's collator.
        :raises ValueError: if it cannot.
        """

    @property
    def pretrained_encoder(self) -> nn.Module | None:
        """The encoder of Hugging Face below the model's own layers, if it has one."""
        return None

    def pairs_at_once(self, pairs_per_batch: int) -> int:  # noqa: ARG002
        """
        Say how many pairs are scored at once while the model is trained, so that it takes no more memory than a step.

        :param pairs_per_batch: how many it learns from at once.
        :returns: how many.
        """
        return SCORED_AT_ONCE

    @property
    def device(self) -> torch.device:
        """Where it is."""
        return next(self.parameters()).device

    @property
    def dtype(self) -> torch.dtype:
        """The type of its weights, but for those of the head."""
        return next(self.parameters()).dtype

    @cached_property
    def weights_per_word(self) -> int:
        """About how many multiply-adds a word costs: the weights that are no embeddings."""
        embeddings = [module.weight for module in self.modules() if isinstance(module, nn.Embedding)]
        return sum(weights.numel() for weights in self.parameters()) - sum(table.numel() for table in embeddings)

    def threads_for(self, words: int) -> AbstractContextManager[None]:
        """
        Use as many threads as so much work is worth, see :mod:`threads`.

        :param words: how many words the model reads.
        :returns: the context of that work.
        """
        return threads_for(self.weights_per_word * words)

    @property
    def tokens_at_once(self) -> int | None:
        """The most tokens of a batch, padding included, that the model is fast with; None is any number."""
        return None

    def to_device(self, batch: Mapping[str, Tensor]) -> dict[str, Tensor]:
        """
        Bring a batch to where the model is.

        :param batch: the tensors.
        :returns: the same.
        """
        return {name: tensor.to(self.device) for name, tensor in batch.items()}

    def score(self, batch: Mapping[str, Tensor]) -> NDArray[np.float64]:
        """
        Score pairs, wherever the model and the batch are.

        :param batch: what the collator gave.
        :returns: the logits [n_pairs].
        """
        with self.threads_for(max(tensor.numel() for tensor in batch.values())):
            logits: NDArray[np.float64] = self(**self.to_device(batch)).double().cpu().numpy()
        return logits

    @property
    def answers_apart(self) -> bool:
        """Whether an answer's encoding is the same for every question, so that it can be made once."""
        return False

    @property
    def answer_vector_size(self) -> int | None:
        """The size of an answer's encoding, if that is one vector that every question can use; else None."""
        return None

    @property
    def why_no_answer_vector(self) -> str:
        """What an answer's encoding is instead, where it is not one vector that every question can use."""
        return "what it makes of an answer depends on the question"

    @property
    def matches_words(self) -> bool:
        """Whether it sees how the words of both sides match, whatever it encodes beforehand."""
        return False

    def known_words(self, collator: Collator) -> KnownWords | None:  # noqa: ARG002
        """
        Give the words that it has vectors of.

        :param collator: the model's collator.
        :returns: the words; None if it reads no words.
        """
        return None

    @property
    def retrieval_meta(self) -> Sequence[str]:
        """The keys of candidates' metadata that it reads: scores of retrieval."""
        return ()

    def encode_apart(self, collator: Collator, side: str, texts: Sequence[str]) -> list[Tensor]:
        """
        Encode texts of one side, apart from the other's. It is there if :attr:`answers_apart` is true.

        :param collator: the model's collator.
        :param side: "question" or "answer".
        :param texts: the texts.
        :returns: their encodings, [d] or [L, d] each.
        """
        raise NotImplementedError

    def score_apart(
        self,
        collator: Collator,
        questions: tuple[Sequence[str], Encodings],
        answers: tuple[Sequence[str], Encodings],
        question_of: NDArray[np.int64],
        retrieved: NDArray[np.float32] | None = None,
    ) -> NDArray[np.float64]:
        """
        Score pairs whose texts are encoded already. It is there if :attr:`answers_apart` is true.

        :param collator: the model's collator.
        :param questions: the questions and what :meth:`encode_apart` gave for them.
        :param answers: the same for the answers, one a pair.
        :param question_of: the question of every pair, [n_pairs].
        :param retrieved: what :meth:`Collator.retrieved` gave for the pairs.
        :returns: the logits [n_pairs].
        """
        raise NotImplementedError

    def encoding_fingerprint(self, collator: Collator) -> str:
        """
        Make a digest of all that decides an answer's encoding. It is there if :attr:`answers_apart` is true.

        :param collator: the model's collator.
        :returns: the same for models that encode every answer alike.
        """
        raise NotImplementedError

    def probed_vectors(self, batch: Mapping[str, Tensor]) -> Tensor:
        """
        Give what the head reads of the answers, for probing.

        :param batch: what `forward` takes.
        :returns: a vector each [n_pairs, d].
        """
        raise NotImplementedError

    def scale_logits(self, scale: float, shift: float) -> None:
        """
        Make the model give ``scale * logit + shift`` from now on: how its logits are calibrated after training.

        :param scale: greater than 0, so that the order of candidates stays.
        :param shift: any number.
        """
        raise NotImplementedError

    def to_int8(self) -> bool:
        """
        Multiply in 8-bit integers from now on, where the model is large enough to gain by it.

        :returns: whether it does; False where the CPU or torch cannot.
        :raises ValueError: if the model has no layers to do it with.
        """
        msg = f"int8 is for models over a pretrained encoder; a model of the type '{self.config.model_type}' is none"
        raise ValueError(msg)

    def explain(self, batch: Mapping[str, Tensor]) -> Explanation:  # noqa: ARG002
        """
        Say how the logits of a batch come about, as far as the model can.

        :param batch: what `forward` takes.
        :returns: numbers of the forward pass; nothing, where no number of it belongs to a word or a feature.
        """
        return Explanation()

    def _init_weights(self, module: nn.Module) -> None:
        """Glorot's uniform initialisation: it keeps the size of activations through tanh and sigmoid layers."""
        if isinstance(module, nn.Linear):
            init.xavier_uniform_(module.weight)
            if module.bias is not None:
                init.zeros_(module.bias)
        elif isinstance(module, nn.Embedding):
            init.uniform_(module.weight, -0.25, 0.25)
            if module.padding_idx is not None:
                with torch.no_grad():
                    module.weight[module.padding_idx] = 0
        elif isinstance(module, nn.LSTM):
            for name, weights in module.named_parameters():
                if "bias" in name:
                    init.zeros_(weights)
                else:
                    init.xavier_uniform_(weights)


def list_sizes(records: Sequence[Record]) -> list[int]:
    """
    Find the lists in a sequence of pairs.

    :param records: pairs.
    :returns: how many consecutive pairs have the same query and `query_meta`, list by list; they sum to the number of
        records.
    """
    sizes: list[int] = []
    previous: tuple[str, Mapping[str, Any]] | None = None
    for record in records:
        if previous is not None and record.query == previous[0] and record.query_meta == previous[1]:
            sizes[-1] += 1
        else:
            sizes.append(1)
            previous = record.query, record.query_meta
    return sizes
