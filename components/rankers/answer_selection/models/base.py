# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""What every model is: a configuration, a network that gives one logit a pair, and the collator that feeds it."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, ClassVar, Final, Protocol, Self

from haystack_integrations.components.rankers.answer_selection.models.checks import Range, check_numbers, checked
from haystack_integrations.components.rankers.answer_selection.models.explanation import Explanation, Place
from haystack_integrations.components.rankers.answer_selection.models.record import Record
from torch import Tensor, nn
from transformers import PreTrainedConfig, PreTrainedModel
from transformers import initialization as init

FORMAT_VERSION: Final = 1
"""The version of the model folders that this package writes, and the only one that it reads."""


class AnswerSelectionConfig(PreTrainedConfig):  # type: ignore[no-untyped-call]
    """What is common to the configurations of all models."""

    @checked
    def __init__(
        self,
        *,
        format_version: int = FORMAT_VERSION,
        retriever_weight: Annotated[float, Range(0, 1_000)] = 0.0,
        **kwargs: Any,
    ) -> None:
        """
        Create a configuration.

        :param format_version: the version of the model folder's format.
        :param retriever_weight: how much of the retriever's score a ranker adds to the logit unless it is told.
        :param kwargs: what `transformers` itself keeps in a configuration.
        :raises ValueError: if a number is out of its range.
        """
        check_numbers("", kwargs)
        self.format_version = format_version
        self.retriever_weight = retriever_weight
        super().__init__(**kwargs)


class AnswerSelectionModel(PreTrainedModel):  # type: ignore[no-untyped-call]
    """
    A network that gives one logit a pair.

    ``model(**collator(records))`` returns the logits [n_pairs], in the order of the records. The probability that the
    answer is right is the logit's sigmoid. Whatever else a batch holds, ``list_sizes`` [n_lists] says how many
    consecutive pairs share a query.
    """

    config_class = AnswerSelectionConfig
    collator_class: ClassVar[type[Any]]
    freezes_embeddings: ClassVar[bool] = False
    """Whether training leaves the input embeddings as they are, unless it is told otherwise."""
    base_model_prefix = ""
    main_input_name = "list_sizes"

    @classmethod
    def build(
        cls,
        config: AnswerSelectionConfig,
        texts: Iterable[str],
        answers: Iterable[str] | None = None,
        *,
        max_words: int = 50_000,
        min_count: int = 1,
    ) -> "tuple[Self, Collator]":
        """
        Make a new model for a corpus, with random weights, and its collator.

        :param config: the configuration; what the corpus decides of it (the vocabulary's size) is set.
        :param texts: all texts that the model will learn from, for its vocabulary; read once.
        :param answers: the answers, for idf; read once. None: `texts` are the answers.
        :param max_words: the most words to keep.
        :param min_count: how often a word must occur to be kept.
        :returns: the model and its collator.
        """
        raise NotImplementedError

    @property
    def pretrained_encoder(self) -> nn.Module | None:
        """The encoder of Hugging Face below the model's own layers, if it has one."""
        return None

    @cached_property
    def weights_per_word(self) -> int:
        """About how many multiply-adds a word costs: the weights that are no embeddings."""
        return int(self.num_parameters(exclude_embeddings=True))

    def scale_logits(self, scale: float, shift: float) -> None:
        """
        Make the model give ``scale * logit + shift`` from now on: how its logits are calibrated after training.

        :param scale: greater than 0, so that the order of candidates stays.
        :param shift: any number.
        """
        raise NotImplementedError

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
                init.zeros_(module.weight[module.padding_idx])
        else:
            super()._init_weights(module)  # type: ignore[no-untyped-call]


class Collator(Protocol):
    """Turns records into a model's tensors. Only here is text tokenised."""

    def __call__(self, records: Sequence[Record]) -> dict[str, Tensor]:
        """
        Make a batch.

        :param records: pairs; consecutive ones with the same query and `query_meta` are one list.
        :returns: the model's arguments, `list_sizes` (int64 [n_lists]) among them.
        """
        ...

    def pair_length(self, record: Record) -> int:
        """
        Measure a pair, for batches of pairs of similar length.

        :param record: the pair.
        :returns: its length in tokens.
        """
        ...

    def places(self, record: Record) -> Mapping[str, Sequence[Place]]:
        """
        Say where in a pair's texts the words stand that a batch has of it.

        :param record: the pair.
        :returns: by :attr:`WordWeights.side`, a place for each word of the pair's row.
        """
        ...

    def save_pretrained(self, save_directory: str | Path) -> None:
        """
        Write what the collator needs beside the model's own files.

        :param save_directory: the model folder.
        """
        ...

    @classmethod
    def from_pretrained(cls, folder: str | Path) -> "Collator":
        """
        Read a collator from a model folder.

        :param folder: a whole model folder.
        :returns: the collator.
        """
        ...


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
