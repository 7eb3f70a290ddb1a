# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The encoders that transformers reads from a folder or the hub, and what it cannot read: quantized weights."""

from pathlib import Path
from typing import Any

from transformers import PreTrainedConfig

from haystack_integrations.components.rankers.answer_selection.models.quantized_weights import (
    QUANTIZED_WEIGHTS,
    read_weights,
    weights_file,
)
from haystack_integrations.components.rankers.answer_selection.models.weights import without_storage


def from_pretrained(kind: Any, source: str | Path, config: PreTrainedConfig, **options: Any) -> Any:
    """
    Read a network as transformers does, from safetensors only, or from a folder with quantized weights.

    :param kind: one of transformers' auto classes.
    :param source: the folder, or the name of a model on the hub.
    :param config: its configuration.
    :param options: what else transformers' `from_pretrained` takes.
    :returns: what that returns.
    """
    file = weights_file(Path(source))
    if file.name != QUANTIZED_WEIGHTS:
        return kind.from_pretrained(source, config=config, use_safetensors=True, **options)
    # Weights without a folder need the network's own class.
    with without_storage():
        own = type(kind.from_config(config))
    return own.from_pretrained(None, config=config, state_dict=read_weights(file), **options)
