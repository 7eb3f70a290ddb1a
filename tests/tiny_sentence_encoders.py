# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Tiny sentence encoders with random weights, in folders that sentence-transformers itself has written."""

from pathlib import Path

import torch
from sentence_transformers import SentenceTransformer
from sentence_transformers.base.modules import Dense, Normalize, Transformer
from sentence_transformers.sentence_transformer.modules import Pooling

import tiny_encoders
from haystack_integrations.components.rankers.answer_selection.models.transformers_log import quiet_transformers

WIDTH = tiny_encoders.SIZES["hidden_size"]


def save(
    folder: Path,
    kind: str = "electra",
    *,
    dense: int | None = 24,
    bias: bool = False,
    half: bool = False,
    max_seq_length: int = 32,
    pooling: str = "mean",
    activation: torch.nn.Module | None = None,
    normalize: bool = True,
    prompts: dict[str, str] | None = None,
    seed: int = 7,
) -> Path:
    """
    Save an encoder; the defaults are of the shape that the package's own has.

    :param folder: Where.
    :param kind: Of `tiny_encoders.KINDS`.
    :param dense: The width of the linear layer after pooling; None is no such layer.
    :param seed: Of the linear layer's weights.
    :returns: The folder.
    """
    with quiet_transformers():
        transformer = Transformer(tiny_encoders.folder(kind), max_seq_length=max_seq_length)
    torch.manual_seed(seed)
    modules = [transformer, Pooling(WIDTH, pooling_mode=pooling)]
    if dense is not None:
        modules.append(Dense(WIDTH, dense, bias=bias, activation_function=activation or torch.nn.Identity()))
    if normalize:
        modules.append(Normalize())
    encoder = SentenceTransformer(modules=modules, prompts=prompts, device="cpu")
    (encoder.half() if half else encoder).save(str(folder), create_model_card=False)
    return folder


def reference(folder: Path) -> SentenceTransformer:
    """sentence-transformers' own encoder, in single precision."""
    return SentenceTransformer(str(folder), device="cpu").float()
