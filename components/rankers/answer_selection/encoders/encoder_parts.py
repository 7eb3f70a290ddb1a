# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The parts of a sentence encoder as its folder has them: network, linear layer, tokenizer."""

import json
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file
from tokenizers import Tokenizer
from tokenizers.normalizers import Lowercase, Normalizer
from tokenizers.normalizers import Sequence as NormalizerSequence
from torch import Tensor, nn

from haystack_integrations.components.rankers.answer_selection.encoders.encoder_folder import EncoderFolder
from haystack_integrations.components.rankers.answer_selection.models.bert import Bert, is_bert
from haystack_integrations.components.rankers.answer_selection.models.checks import check_numbers
from haystack_integrations.components.rankers.answer_selection.models.model_folder import ModelFolderError
from haystack_integrations.components.rankers.answer_selection.models.positions import positions
from haystack_integrations.components.rankers.answer_selection.models.quantized_weights import (
    read_weights,
    weights_file,
)
from haystack_integrations.components.rankers.answer_selection.models.transformers_log import quiet_transformers
from haystack_integrations.components.rankers.answer_selection.models.weights import check_size, first_of


class TransformersEncoder(nn.Module):
    """
    An encoder that transformers runs.

    :param model: The encoder.
    """

    def __init__(self, model: Any) -> None:
        super().__init__()
        self.model = model
        self.width: int = model.config.hidden_size
        self.vocabulary: int = model.config.vocab_size
        self.positions = positions(model)
        self.padding: int = model.config.pad_token_id or 0

    def forward(self, ids: Tensor, real: Tensor | None) -> Tensor:
        """See :meth:`Bert.forward`."""
        real = torch.ones_like(ids) if real is None else real.long()
        states: Tensor = self.model(input_ids=ids, attention_mask=real).last_hidden_state
        return states


def read_network(folder: Path) -> Bert | TransformersEncoder:
    """
    Read the network as it is run, in single precision, not to be trained.

    :param folder: Its folder.
    :returns: The network.
    :raises ModelFolderError: If weights are missing.
    """
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    check_numbers("", config)
    # The weights of others are read by transformers alone, which also tells what is wrong with a folder.
    network = Bert.read(config, read_weights(weights_file(folder))) if is_bert(config) else None
    return network or TransformersEncoder(read_transformer(folder))


def read_transformer(folder: Path) -> nn.Module:
    """
    Read the network as transformers has it, which can train it, in single precision.

    :param folder: Its folder.
    :returns: The network.
    :raises ModelFolderError: If weights are missing.
    """
    # Its models take longer to import than all else.
    from transformers import AutoConfig, AutoModel, PreTrainedConfig

    from haystack_integrations.components.rankers.answer_selection.models.pretrained import from_pretrained

    check_numbers("", PreTrainedConfig.get_config_dict(folder)[0])
    config = AutoConfig.from_pretrained(folder, trust_remote_code=False)
    file = weights_file(folder)
    check_size(file, lambda: AutoModel.from_config(config))  # type: ignore[no-untyped-call]
    options = {"dtype": torch.float32, "local_files_only": True, "trust_remote_code": False}
    with quiet_transformers():
        model, loaded = from_pretrained(AutoModel, folder, config, **options, output_loading_info=True)
    # BERT's own pooling is not used.
    if missing := sorted(name for name in loaded["missing_keys"] if not name.startswith("pooler.")):
        msg = f"{file} lacks {first_of(missing)}"
        raise ModelFolderError(msg)
    network: nn.Module = model.eval().requires_grad_(False)
    return network


def read_dense(folder: Path | None) -> nn.Linear | None:
    """
    Read the linear layer after pooling, in single precision, not to be trained.

    :param folder: Its folder, or None.
    :returns: The layer; None if there is none.
    """
    if folder is None:
        return None
    saved = load_file(folder / "model.safetensors")
    weights = {name.removeprefix("linear."): tensor.float() for name, tensor in saved.items()}
    out_features, in_features = weights["weight"].shape
    dense = nn.Linear(in_features, out_features, bias="bias" in weights)
    dense.load_state_dict(weights)
    return dense.requires_grad_(False)


def read_tokenizer(folder: EncoderFolder, vocabulary: int, positions: int | None) -> Tokenizer:
    """
    Read the tokenizer, which cuts where the folder says so, or where the network has no more positions.

    :param folder: The encoder's folder.
    :param vocabulary: How many tokens the network knows.
    :param positions: How many positions the network has; None if any.
    :returns: The tokenizer; it pads nothing.
    :raises ValueError: If it has tokens that the network does not know.
    """
    tokenizer: Tokenizer = Tokenizer.from_file(str(folder.transformer / "tokenizer.json"))
    if (words := tokenizer.get_vocab_size()) > vocabulary:
        msg = f"it has {words} tokens and the network {vocabulary}: they do not belong together"
        raise ValueError(msg)
    tokenizer.no_padding()
    limits = [limit for limit in (folder.max_seq_length, positions) if limit is not None]
    if limits:
        tokenizer.enable_truncation(min(limits))
    else:
        tokenizer.no_truncation()
    if folder.lower:
        own: list[Normalizer] = [tokenizer.normalizer] if tokenizer.normalizer else []
        tokenizer.normalizer = NormalizerSequence([Lowercase(), *own])
    return tokenizer
