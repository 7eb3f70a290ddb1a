# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
What models over a pretrained encoder have in common: the encoder reads question and answer as one sequence.

Any encoder of transformers that was pretrained to fill in masked tokens will do: BERT, RoBERTa, DistilBERT, ELECTRA,
DeBERTa, MPNet, ModernBERT and others. Where its configuration comes from a folder or the hub, so do its weights and its
tokenizer; of a bare configuration a new encoder is made, and a tokenizer of the corpus.
"""

from collections.abc import Iterable, Mapping
from copy import deepcopy
from pathlib import Path
from typing import Any, ClassVar, Final, Self

import torch
from huggingface_hub.errors import StrictDataclassError
from safetensors import SafetensorError
from safetensors.torch import load
from tokenizers import Tokenizer
from torch import Tensor, nn
from transformers import AutoConfig, AutoModel, AutoTokenizer, PreTrainedConfig
from transformers.models.auto.modeling_auto import MODEL_FOR_MASKED_LM_MAPPING_NAMES
from transformers.utils.generic import ModelOutput

from haystack_integrations.components.rankers.answer_selection.models import int8
from haystack_integrations.components.rankers.answer_selection.models.base import (
    AnswerSelectionConfig,
    Collator,
    WordVectors,
)
from haystack_integrations.components.rankers.answer_selection.models.bert import Bert, is_bert, shapes
from haystack_integrations.components.rankers.answer_selection.models.checks import Length, check_numbers
from haystack_integrations.components.rankers.answer_selection.models.model_folder import PACKAGED
from haystack_integrations.components.rankers.answer_selection.models.pair_collator import PAIR_OPTIONS, PairCollator
from haystack_integrations.components.rankers.answer_selection.models.positions import positions
from haystack_integrations.components.rankers.answer_selection.models.pretrained import from_pretrained
from haystack_integrations.components.rankers.answer_selection.models.quantized_weights import (
    QUANTIZED_WEIGHTS,
    read_weights,
    weights_file,
)
from haystack_integrations.components.rankers.answer_selection.models.record import Record
from haystack_integrations.components.rankers.answer_selection.models.saved_model import SavedModel
from haystack_integrations.components.rankers.answer_selection.models.scoring_encoder import ScoringEncoder
from haystack_integrations.components.rankers.answer_selection.models.transformers_log import quiet_transformers
from haystack_integrations.components.rankers.answer_selection.models.weights import (
    check_finite,
    check_size,
    first_of,
    without_first_values,
    without_storage,
)
from haystack_integrations.components.rankers.answer_selection.models.wordpiece import adopt, train_wordpiece

_USUAL_LENGTH: Final = 256
# What the names of the encoder's weights begin with.
_ENCODER: Final = "encoder."
# By what part two orders of the same sum may differ.
_NOISE: Final = 1e-3


class PairModelConfig(AnswerSelectionConfig):  # type: ignore[no-untyped-call]
    """
    What the configurations of all models over a pretrained encoder have: the encoder.

    :param encoder: the encoder's configuration. It is made of a folder or the name of a model on the hub, where weights
        and tokenizer come from as well; or of the fields of a new encoder, with its `model_type`. None is BERT's of the
        base size.
    :param max_pair_length: the most tokens of a question and its answer, special ones included. None is 256, or
        fewer where the encoder has fewer positions.
    :param mark_matches: whether the encoder is told which tokens question and answer share: a learned vector is
        added to their embeddings. An encoder that has read little has not learned to see it by itself.
    """

    sub_configs: ClassVar[dict[str, Any]] = {"encoder": AutoConfig}

    encoder: Any = None
    max_pair_length: Length | None = None
    mark_matches: bool = False

    def __post_init__(self, **kwargs: Any) -> None:
        self.encoder = _encoder_config(self.encoder)
        super().__post_init__(**kwargs)

    @property
    def encoder_source(self) -> str | None:
        """The folder or the hub's name that the encoder's configuration was read from."""
        return self.encoder._name_or_path or None

    def to_dict(self) -> dict[str, Any]:
        """
        Give all values as a dictionary.

        :returns: the values, without the place that the encoder came from: its weights are the model's own now.
        """
        values: dict[str, Any] = super().to_dict()
        values["encoder"].pop("_name_or_path", None)
        return values


class SinglePrecision(nn.Module):
    """
    A head that works in single precision whatever the rest of the model is in.

    It costs nothing, and scores that differ little keep their order.

    :param head: the head, whose last layer is linear.
    """

    def __init__(self, head: nn.Module) -> None:
        super().__init__()
        self.head = head

    def forward(self, x: Tensor) -> Tensor:
        """
        Apply the head.

        :param x: whatever it takes.
        :returns: whatever it gives.
        """
        with torch.autocast(x.device.type, enabled=False):
            result: Tensor = self.head(x.to(next(self.head.parameters()).dtype))
        return result

    @property
    def last(self) -> nn.Linear:
        """The linear layer that gives the logit."""
        return [module for module in self.head.modules() if isinstance(module, nn.Linear)][-1]

    @torch.no_grad()
    def scale(self, scale: float, shift: float) -> None:
        """
        Make the head give ``scale * logit + shift`` from now on.

        :param scale: greater than 0.
        :param shift: any number.
        """
        self.last.weight.mul_(scale)
        self.last.bias.mul_(scale).add_(shift)


class PairModel(SavedModel):
    """An encoder over the sequence of question and answer; the models say what becomes of its output."""

    config_class = PairModelConfig
    collator_class: ClassVar[type[PairCollator]] = PairCollator
    over_encoder: ClassVar[bool] = True
    auto_class: ClassVar[type[Any]] = AutoModel

    def __init__(self, config: PairModelConfig, encoder: ScoringEncoder | None = None) -> None:
        """
        Create a model without layers of its own. A model's own constructor ends with `post_init`.

        :param config: the configuration.
        :param encoder: an encoder that only scores; None is a new one of transformers, with random weights.
        :raises ValueError: if the encoder has no positions for `max_pair_length` tokens.
        """
        super().__init__(config)
        self.encoder: Any = encoder or self._prepared(self.auto_class.from_config(config.encoder))
        self.supports_gradient_checkpointing = self.encoder.supports_gradient_checkpointing
        most = positions(self.encoder)
        length: int = config.max_pair_length or min(_USUAL_LENGTH, most or _USUAL_LENGTH)
        if most is not None and length > most:
            msg = f"max_pair_length is {length}; expected at most the encoder's {most} positions"
            raise ValueError(msg)
        config.max_pair_length = self.max_pair_length = length
        self.match: nn.Parameter | None = None
        if config.mark_matches:
            # Zero: training begins with the encoder as it was pretrained.
            embeddings: Any = self.get_input_embeddings()
            self.match = nn.Parameter(torch.zeros(embeddings.weight.shape[1]))

    def post_init(self) -> None:
        """See :meth:`SavedModel.post_init`; the encoder has its first values."""
        for part in self.children():
            if part is not self.encoder:
                part.apply(self._init_weights)

    @classmethod
    def build(
        cls,
        config: AnswerSelectionConfig,
        texts: Iterable[str],
        answers: Iterable[str] | None = None,  # noqa: ARG003  those of models that count words
        *,
        max_words: int = 50_000,
        min_count: int = 1,  # noqa: ARG003
        word_vectors: WordVectors | None = None,  # noqa: ARG003
    ) -> tuple[Self, PairCollator]:
        """
        Make a new model, and its collator; see :meth:`AnswerSelectionModel.build`.

        :param config: the configuration, which says where the encoder comes from.
        :param texts: all texts that the model will learn from; read only where a tokenizer is made of them.
        :param answers: not used.
        :param max_words: the most tokens of a new tokenizer; never more than the encoder's `vocab_size`.
        :param min_count: not used.
        :param word_vectors: not used.
        :returns: the model and its collator.
        :raises ValueError: if the encoder cannot be read or does not leave padding out, or its tokenizer is another's.
        """
        assert isinstance(config, PairModelConfig)
        source = config.encoder_source
        if source is None:
            tokenizer = train_wordpiece(texts, min(max_words, config.encoder.vocab_size))
            adopt(config.encoder, tokenizer)
            model = cls(config)
        else:
            tokenizer = _tokenizer(source, config.encoder)
            cls._check_encoder_size(source, config.encoder)
            model = cls(config)
            model.encoder = model._prepared(cls._load_encoder(source, config.encoder))
        collator = model._collator(tokenizer)
        model._check_padding(collator)
        return model, collator

    def to_folder(self, folder: str | Path) -> None:
        """See :meth:`AnswerSelectionModel.to_folder`."""
        super().to_folder(folder)
        # Those of a model before it would be read in place of these.
        (Path(folder) / QUANTIZED_WEIGHTS).unlink(missing_ok=True)

    @classmethod
    def from_folder(cls, folder: str | Path, config: AnswerSelectionConfig, dtype: torch.dtype | None = None) -> Self:
        """See :meth:`AnswerSelectionModel.from_folder`."""
        assert isinstance(config, PairModelConfig)
        # With storage: encoders have numbers that are no weights and come with no file, such as their positions.
        with without_first_values():
            model = cls(config)
        return model._with_weights(_weights(Path(folder)), dtype or _dtype(config))

    @classmethod
    def for_scoring(
        cls, folder: str | Path, config: AnswerSelectionConfig, dtype: torch.dtype | None = None
    ) -> Self | None:
        """See :meth:`AnswerSelectionModel.for_scoring`; for encoders that :mod:`bert` runs."""
        assert isinstance(config, PairModelConfig)
        fields = cls._encoder_fields(config)
        if cls.auto_class is not AutoModel or config.mark_matches or not is_bert(fields):
            return None
        weights = _weights(Path(folder))
        names = [name for name in weights if name.startswith(_ENCODER)]
        of_encoder = {name.removeprefix(_ENCODER): weights.pop(name).float() for name in names}
        bert = Bert.read(fields, of_encoder)
        # It leaves out what it does not need.
        if bert is None or of_encoder.keys() != {name for name, _ in shapes(fields)}:
            return None
        with without_storage():
            model = cls(config, ScoringEncoder(bert))
        own = {name: tensor.shape for name, tensor in model.state_dict().items() if not name.startswith(_ENCODER)}
        if own != {name: tensor.shape for name, tensor in weights.items()}:
            return None
        return model._with_weights(weights, dtype or _dtype(config) or torch.float32)

    def _with_weights(self, weights: Mapping[str, Tensor], dtype: torch.dtype | None) -> Self:
        """The model with weights that were read, for evaluation."""
        self.load_state_dict(weights, strict=False, assign=True)
        if dtype is not None:
            # Not all that an encoder computes with: its frequencies of positions stay as exact as they are.
            for parameter in self.parameters():
                parameter.data = parameter.data.to(dtype)
        self.head.float()
        return self.train(False)

    @classmethod
    def _encoder_fields(cls, config: PairModelConfig) -> dict[str, Any]:
        """What the encoder's own config.json would say, were its weights in a folder of their own."""
        fields: dict[str, Any] = config.encoder.to_dict()
        return fields

    def _check_padding(self, collator: PairCollator) -> None:
        """Refuse an encoder to whose output padding matters: a pair's score would depend on what it is batched with."""
        alone, padded = (
            PairCollator.__call__(collator, [Record("a", answer) for answer in answers])
            for answers in (("a",), ("a", "a b c d"))
        )
        training = self.training
        named = f"encoder of the type '{self.config.encoder.model_type}'"
        self.train(False)
        try:
            with torch.no_grad():
                expected, found = (self._vectors(batch)[:1] for batch in (alone, padded))
        except TypeError as error:
            msg = f"{named} does not take the inputs for a sequence of two texts: {error}"
            raise ValueError(msg) from error
        finally:
            self.train(training)
        difference = (found[:, : expected.shape[1]] - expected).abs().max()
        if not difference <= _NOISE * expected.abs().max():
            msg = f"{named} does not mask padding; expected one that does, such as BERT"
            raise ValueError(msg)

    def _vectors(self, batch: Mapping[str, Tensor]) -> Tensor:
        """What the encoder makes of each pair, without the head: tokens' vectors [n_pairs, L, hidden]."""
        vectors: Tensor = self.encode(**{name: tensor for name, tensor in batch.items() if name != "list_sizes"})[0]
        return vectors

    @property
    def tokens_at_once(self) -> int | None:
        """See :attr:`AnswerSelectionModel.tokens_at_once`; a CPU's caches hold what the layers make of so many."""
        return 1024 if self.device.type == "cpu" else None

    def to_int8(self) -> bool:
        """See :meth:`AnswerSelectionModel.to_int8`; the encoder's linear layers do, what is above it does not."""
        if self.device.type != "cpu" or not int8.is_available():
            return False
        _ = self.weights_per_word  # counted while the weights are parameters
        for name, part in self.pretrained_encoder.named_children():
            if name != "pooler":  # of one token, and next to the head
                int8.to_int8(part)
        return True

    def pairs_at_once(self, pairs_per_batch: int) -> int:
        """See :meth:`AnswerSelectionModel.pairs_at_once`; here it is pairs that fill the memory."""
        return 2 * pairs_per_batch

    @torch.no_grad()
    def try_out(self, collator: Collator) -> None:
        """
        Run the encoder once, over two short pairs.

        :param collator: the model's collator.
        :raises ValueError: if it gives nothing that a head could read.
        """
        assert isinstance(collator, PairCollator)
        # The second has characters that hardly any tokenizer knows.
        batch = PairCollator.__call__(collator, [Record("a", answer) for answer in ("a", "a \u0bf5\U000119e2 c d")])
        states = self.encode(**{name: tensor for name, tensor in batch.items() if name != "list_sizes"})
        if not isinstance(states, ModelOutput):
            msg = f"the encoder returns a {type(states).__name__}; expected its outputs by name (return_dict)"
            raise ValueError(msg)

    def _collator(self, tokenizer: Tokenizer) -> PairCollator:
        """The collator of the model's configuration."""
        config = self.config
        options = {name: True for name in PAIR_OPTIONS if getattr(config, name, False)}
        return self.collator_class(config.encoder, config.max_pair_length, tokenizer, **options)

    @classmethod
    def _check_encoder_size(cls, source: str, config: PreTrainedConfig) -> None:
        """Refuse an encoder whose configuration asks for more than its weights are, before it is made."""
        file = weights_file(Path(source))
        if not file.is_file():
            return  # it comes from the hub, or in several files
        try:
            check_size(file, lambda: cls.auto_class.from_config(config))
        except (OSError, RuntimeError, SafetensorError, ValueError) as error:
            msg = f"encoder is {source!r}, whose weights cannot be read: {error}"
            raise ValueError(msg) from error

    @classmethod
    def _load_encoder(cls, source: str, config: PreTrainedConfig) -> Any:
        """The encoder with its weights, all of them: those of the layers above it may be new."""
        options = {"dtype": torch.float32, "trust_remote_code": False, "output_loading_info": True}
        try:
            with quiet_transformers():
                encoder, loaded = from_pretrained(cls.auto_class, source, config, **options)
            check_finite(encoder)
        except (OSError, RuntimeError, SafetensorError, ValueError) as error:
            msg = f"encoder is {source!r}, whose weights cannot be read: {error}"
            raise ValueError(msg) from error
        alone = encoder.base_model is encoder
        inside = [key for key in loaded["missing_keys"] if alone or key.startswith(f"{encoder.base_model_prefix}.")]
        if missing := sorted(key for key in inside if "pooler" not in key.split(".")):
            msg = f"encoder is {source!r}, whose weights lack {len(missing)} of those that its configuration asks for: "
            msg += first_of(missing)
            raise ValueError(msg)
        return encoder

    def _prepared(self, encoder: Any) -> Any:
        """An encoder as the model uses it: without the pooling layer that some have above the last one."""
        if getattr(encoder, "pooler", None) is not None:
            encoder.pooler = None
        return encoder

    def summarise(self, states: Tensor, real: Tensor) -> Tensor:
        """
        Make one vector of a sequence, for the head.

        :param states: the encoder's last states [n_pairs, L, d].
        :param real: False for padding [n_pairs, L].
        :returns: the vectors [n_pairs, d].
        """
        raise NotImplementedError

    def logits(self, **sequences: Tensor) -> Tensor:
        """
        Score pairs by what the encoder makes of their sequences.

        :param sequences: what :meth:`encode` takes.
        :returns: the logits [n_pairs, 1].
        """
        logits: Tensor = self.head(self.summarise(self.states(**sequences), sequences["attention_mask"].bool()))
        return logits

    def forward(self, *, list_sizes: Tensor, **sequences: Tensor) -> Tensor:  # noqa: ARG002
        """
        Score pairs.

        :param list_sizes: how many consecutive pairs share a question, int64 [n_lists]; not used.
        :param sequences: the other tensors of the collator's batch.
        :returns: the logits [n_pairs].
        """
        return self.logits(**sequences).squeeze(-1)

    def states(self, **sequences: Tensor) -> Tensor:
        """
        Run the encoder.

        :param sequences: what :meth:`encode` takes.
        :returns: its last states [n_pairs, L, d].
        """
        states: Tensor = self.encode(**sequences).last_hidden_state
        return states

    def encode(self, *, input_ids: Tensor, matches: Tensor | None = None, **others: Tensor) -> Any:
        """
        Run the encoder over what :class:`PairCollator` gives.

        :param input_ids: the sequences' tokens [n_pairs, L].
        :param matches: 1 for tokens that both texts have [n_pairs, L], if tokens are marked.
        :param others: `attention_mask` and, if the collator gives them, `token_type_ids` and `position_ids`.
        :returns: what the encoder returns.
        """
        if self.match is None:
            return self.encoder(input_ids=input_ids, **others)
        assert matches is not None
        embeddings = self.get_input_embeddings()(input_ids)
        return self.encoder(inputs_embeds=embeddings + matches.unsqueeze(-1) * self.match, **others)

    def scale_logits(self, scale: float, shift: float) -> None:
        """See :meth:`AnswerSelectionModel.scale_logits`."""
        self.head.scale(scale, shift)

    def probed_vectors(self, batch: Mapping[str, Tensor]) -> Tensor:
        """See :meth:`AnswerSelectionModel.probed_vectors`; what the head's last layer reads of the whole pairs."""
        read: list[Tensor] = []
        hook = self.head.last.register_forward_pre_hook(lambda _, inputs: read.append(inputs[0]))
        try:
            self(**batch)
        finally:
            hook.remove()
        [vectors] = read
        return vectors

    @property
    def head(self) -> SinglePrecision:
        """What gives the logit."""
        head = self.classifier
        assert isinstance(head, SinglePrecision)
        return head

    def train(self, mode: bool = True) -> Self:
        """
        See :meth:`torch.nn.Module.train`; an encoder that does not learn works as it does when it scores.

        :param mode: whether the rest is trained.
        :returns: the model.
        """
        super().train(mode)
        encoder = self.pretrained_encoder
        if not any(parameter.requires_grad for parameter in encoder.parameters()):
            encoder.eval()
        return self

    @property
    def pretrained_encoder(self) -> nn.Module:
        """The encoder, without a head of its own."""
        encoder: nn.Module = self.encoder.base_model
        return encoder

    def get_input_embeddings(self) -> nn.Embedding:
        """See :meth:`AnswerSelectionModel.get_input_embeddings`."""
        embeddings: nn.Embedding = self.encoder.get_input_embeddings()
        return embeddings

    def set_input_embeddings(self, value: nn.Module) -> None:
        """
        Replace the encoder's token embeddings.

        :param value: the new ones.
        """
        self.encoder.set_input_embeddings(value)


def _encoder_config(encoder: str | Mapping[str, Any] | PreTrainedConfig | None) -> PreTrainedConfig:
    """The encoder's configuration, if it is one of an encoder."""
    if encoder is None:
        encoder = {"model_type": "bert"}
    if isinstance(encoder, str):
        try:
            source = PACKAGED.get(encoder, encoder)
            check_numbers("", PreTrainedConfig.get_config_dict(source)[0])
            config: PreTrainedConfig = AutoConfig.from_pretrained(source, trust_remote_code=False)
        except (OSError, ValueError, StrictDataclassError) as error:
            msg = (
                f"encoder is {encoder!r}, which is no folder of a model, nor could it be fetched from the hub: {error}"
            )
            raise ValueError(msg) from error
    elif isinstance(encoder, Mapping):
        check_numbers("encoder", encoder)
        try:
            config = AutoConfig.for_model(**encoder)
        except (TypeError, ValueError, StrictDataclassError) as error:
            msg = f"encoder is not the configuration of a model that transformers knows, with its model_type: {error}"
            raise ValueError(msg) from error
    elif isinstance(encoder, PreTrainedConfig):
        config = deepcopy(encoder)  # the tokenizer's size is written into it
    else:
        msg = f"encoder must be a folder, a model's name or a configuration, but is {encoder!r}"
        raise ValueError(msg)
    named = f"encoder is {encoder!r}" if isinstance(encoder, str) else "encoder"
    if config.is_encoder_decoder:
        msg = f"{named} of the type '{config.model_type}', an encoder-decoder; expected an encoder, such as BERT"
        raise ValueError(msg)
    if getattr(config, "is_decoder", False) or config.model_type not in MODEL_FOR_MASKED_LM_MAPPING_NAMES:
        msg = f"{named} of the type '{config.model_type}', which is not a bidirectional encoder; expected "
        msg += "one that was pretrained to fill in masked tokens, such as BERT"
        raise ValueError(msg)
    return config


def _dtype(config: PairModelConfig) -> torch.dtype | None:
    """The type that the weights were saved in, if the configuration says it."""
    dtype = config.dtype
    return getattr(torch, dtype) if isinstance(dtype, str) else dtype


def _weights(folder: Path) -> dict[str, Tensor]:
    """A model's weights."""
    file = weights_file(folder)
    # Not mapped into memory: there they would change with a file that is written over.
    return read_weights(file) if file.name == QUANTIZED_WEIGHTS else load(file.read_bytes())


def _tokenizer(source: str, config: PreTrainedConfig) -> Tokenizer:
    try:
        whole = AutoTokenizer.from_pretrained(source, trust_remote_code=False)
        tokenizer: Tokenizer = whole.backend_tokenizer
    except Exception as error:  # whatever the hub, tokenizers and the converters of older formats raise
        msg = f"the tokenizer of the encoder {source!r} cannot be read: {error}"
        raise ValueError(msg) from error
    found, expected = whole.pad_token_id, config.pad_token_id
    if None not in (found, expected) and found != expected:
        msg = f"the tokenizer of the encoder {source!r} pads with the token {found}, the encoder with {expected}: they "
        msg += "do not belong together"
        raise ValueError(msg)
    return Tokenizer.from_str(tokenizer.to_str())
