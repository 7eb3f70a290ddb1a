# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
The plain cross-encoder: a pretrained encoder, fine-tuned with the head that transformers gives it for one label.

The comparison "BERT" of Lai, Tran, Bui and Kihara 2019 (table 1), and what sentence-transformers calls `CrossEncoder`:
a folder of one is read as it is.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar, Self

import torch
from tokenizers import Tokenizer
from torch import Tensor, nn
from transformers import AutoConfig, AutoModelForSequenceClassification, PreTrainedConfig

from haystack_integrations.components.rankers.answer_selection.models.checks import check_numbers
from haystack_integrations.components.rankers.answer_selection.models.pair_collator import PairCollator
from haystack_integrations.components.rankers.answer_selection.models.pair_model import (
    PairModel,
    PairModelConfig,
    SinglePrecision,
)
from haystack_integrations.components.rankers.answer_selection.models.positions import positions
from haystack_integrations.components.rankers.answer_selection.models.weights import check_size


class CrossEncoderConfig(PairModelConfig):  # type: ignore[no-untyped-call]
    """The configuration of a plain cross-encoder."""

    model_type = "cross_encoder"

    def __post_init__(self, **kwargs: Any) -> None:
        super().__post_init__(**kwargs)
        self.encoder.num_labels = 1


class CrossEncoderModel(PairModel):
    """An encoder with its own head for one label."""

    config_class = CrossEncoderConfig
    auto_class: ClassVar[type[Any]] = AutoModelForSequenceClassification

    def __init__(self, config: CrossEncoderConfig) -> None:
        """
        Create the network, with random weights.

        :param config: the configuration.
        """
        super().__init__(config)
        self.post_init()

    @classmethod
    def open(cls, folder: Path, *, dtype: torch.dtype | None = None) -> tuple[Self, PairCollator]:
        """
        Read a folder of transformers' sequence classification, such as sentence-transformers' `CrossEncoder` writes.

        :param folder: config.json, model.safetensors and tokenizer.json.
        :param dtype: the type to hold the weights in, but for the head's; None is the one that they were saved in.
        :returns: the model, in evaluation mode, and its collator.
        :raises ValueError: if it is no encoder with one label, or the tokenizer is another's.
        """
        check_numbers("", PreTrainedConfig.get_config_dict(folder)[0])
        config = AutoConfig.from_pretrained(folder, trust_remote_code=False)
        check_size(folder / "model.safetensors", lambda: cls.auto_class.from_config(config))
        encoder, loaded = cls.auto_class.from_pretrained(
            folder,
            config=config,
            dtype=dtype or "auto",
            use_safetensors=True,
            local_files_only=True,
            trust_remote_code=False,
            output_loading_info=True,
        )
        if missing := sorted(loaded["missing_keys"]):
            msg = f"{folder / 'model.safetensors'} lacks {', '.join(missing)}"
            raise ValueError(msg)
        if encoder.config.num_labels != 1:
            msg = f"{folder} holds a classifier of {encoder.config.num_labels} labels; expected one, relevance"
            raise ValueError(msg)
        about = folder / "tokenizer_config.json"
        told = json.loads(about.read_text(encoding="utf-8")) if about.is_file() else {}
        limits = (told.get("model_max_length"), positions(encoder), encoder.config.max_position_embeddings)
        own = cls.config_class(
            encoder=encoder.config, max_pair_length=int(min(limit for limit in limits if limit is not None))
        )
        with torch.device("meta"):
            model = cls(own)
        model.encoder = model._prepared(encoder)
        model.head.float()
        tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        return model.train(False), model._collator(tokenizer)

    def _prepared(self, encoder: Any) -> Any:
        """An encoder whose head works in single precision."""
        if not isinstance(getattr(encoder, "classifier", None), nn.Module):
            msg = f"a classifier of the type '{encoder.config.model_type}' has no head that is called classifier; "
            msg += "expected one as BERT's and RoBERTa's"
            raise ValueError(msg)
        encoder.classifier = SinglePrecision(encoder.classifier)
        return encoder

    @property
    def head(self) -> SinglePrecision:
        """What gives the logit."""
        head: SinglePrecision = self.encoder.classifier
        return head

    def _vectors(self, batch: Mapping[str, Tensor]) -> Tensor:
        """What the head's last layer reads [n_pairs, hidden]: a single logit can be near to zero by chance."""
        return self.probed_vectors(batch)

    def logits(self, **sequences: Tensor) -> Tensor:
        """See :meth:`PairModel.logits`; the encoder's class has a head of its own."""
        logits: Tensor = self.encode(**sequences).logits
        return logits
