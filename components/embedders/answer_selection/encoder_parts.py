# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The parts of a sentence encoder as its folder has them: network, linear layer, tokenizer."""

from pathlib import Path

import torch
from safetensors.torch import load_file
from tokenizers import Tokenizer
from tokenizers.normalizers import Lowercase, Normalizer
from tokenizers.normalizers import Sequence as NormalizerSequence
from torch import nn
from transformers import AutoConfig, AutoModel, PreTrainedConfig

from haystack_integrations.components.embedders.answer_selection.encoder_folder import EncoderFolder
from haystack_integrations.components.rankers.answer_selection.models.checks import check_numbers
from haystack_integrations.components.rankers.answer_selection.models.model_folder import ModelFolderError
from haystack_integrations.components.rankers.answer_selection.models.weights import check_size, first_of


def read_transformer(folder: Path) -> nn.Module:
    """
    Read the network, in single precision, not to be trained.

    :param folder: Its folder.
    :returns: The network, as transformers runs it.
    :raises ModelFolderError: If weights are missing.
    """
    check_numbers("", PreTrainedConfig.get_config_dict(folder)[0])
    config = AutoConfig.from_pretrained(folder, trust_remote_code=False)
    check_size(folder / "model.safetensors", lambda: AutoModel.from_config(config))  # type: ignore[no-untyped-call]
    model, loaded = AutoModel.from_pretrained(
        folder,
        config=config,
        dtype=torch.float32,
        use_safetensors=True,
        local_files_only=True,
        trust_remote_code=False,
        output_loading_info=True,
    )
    # BERT's own pooling is not used.
    if missing := sorted(name for name in loaded["missing_keys"] if not name.startswith("pooler.")):
        msg = f"{folder / 'model.safetensors'} lacks {first_of(missing)}"
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


def read_tokenizer(folder: EncoderFolder, config: PreTrainedConfig, positions: int | None) -> Tokenizer:
    """
    Read the tokenizer, which cuts where the folder says so, or where the network has no more positions.

    :param folder: The encoder's folder.
    :param config: The network's configuration.
    :param positions: How many positions the network has; None if any.
    :returns: The tokenizer; it pads nothing.
    :raises ValueError: If it has tokens that the network does not know.
    """
    tokenizer: Tokenizer = Tokenizer.from_file(str(folder.transformer / "tokenizer.json"))
    if (words := tokenizer.get_vocab_size()) > config.vocab_size:
        msg = f"it has {words} tokens and the network {config.vocab_size}: they do not belong together"
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
