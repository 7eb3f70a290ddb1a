# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
The file of an encoder's weights: as sentence-transformers writes it, or quantized, in a fifth of the size.

Quantized, the table of words has 4 bits a number and every other matrix of the network 8, with a scale for each row.
All other weights are in half precision. Nothing but this module reads such a file, so it has a name of its own: whoever
looks for `model.safetensors` finds none, rather than numbers without their scales.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

import torch
from safetensors.torch import load_file, save_file
from torch import Tensor

from haystack_integrations.components.rankers.answer_selection.encoders.encoder_folder import QUANTIZED_WEIGHTS, WEIGHTS

_SCALES: Final = ".scales"
_WORDS: Final = "word_embeddings.weight"
# Of positions and of types: small, and read by every token.
_TABLES: Final = "_embeddings.weight"
# Two of them are in a byte, each with this added, so that none is below 0.
_MIDDLE: Final = 8
# A row of zeros has no width; any number above 0 will do that half precision has.
_LEAST: Final = 1e-6


def read_weights(file: Path) -> dict[str, Tensor]:
    """
    Read weights, in single precision.

    :param file: The file.
    :returns: The tensors by name.
    :raises ValueError: If quantized weights lack their scales.
    """
    held = load_file(file)
    found = {}
    for name, tensor in held.items():
        if tensor.dtype in (torch.int8, torch.uint8):
            if (scales := held.get(name + _SCALES)) is None or len(scales) != len(tensor):
                msg = f"the scales of {name} are missing, or belong to another matrix"
                raise ValueError(msg)
            steps = _unpacked(tensor) if tensor.dtype == torch.uint8 else tensor
            found[name] = steps.float().mul_(scales.float()[:, None])
        elif not name.endswith(_SCALES):
            found[name] = tensor.float() if tensor.is_floating_point() else tensor
    return found


def bits(name: str, tensor: Tensor) -> int | None:
    """
    Say how many bits a number of a tensor has in a quantized file.

    :param name: The tensor's name.
    :param tensor: The tensor.
    :returns: 4 or 8; None where the tensor is kept in half precision.
    """
    if tensor.dim() != 2 or (name.endswith(_TABLES) and not name.endswith(_WORDS)):
        return None
    # Two numbers of a row make a byte.
    return 4 if name.endswith(_WORDS) and tensor.shape[1] % 2 == 0 else 8


def steps_and_scales(matrix: Tensor, bits: int) -> tuple[Tensor, Tensor]:
    """
    Round a matrix.

    :param matrix: The matrix.
    :param bits: Of each number.
    :returns: Whole numbers, and what each row of them is multiplied by, [rows x 1], as half precision has it.
    """
    most = 2 ** (bits - 1) - 1
    scales = (matrix.float().abs().amax(1, keepdim=True) / most).clamp_min(_LEAST).half().float()
    return (matrix.float() / scales).round().clamp(-most, most), scales


def quantized(weights: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """
    Round weights.

    :param weights: The weights, by name.
    :returns: What is saved, with the scales.
    """
    found = {}
    for name, tensor in weights.items():
        if (of := bits(name, tensor)) is None:
            found[name] = tensor.half() if tensor.is_floating_point() else tensor
            continue
        steps, scales = steps_and_scales(tensor, of)
        found[name] = _packed(steps) if of == 4 else steps.to(torch.int8)
        found[name + _SCALES] = scales[:, 0].half()
    return found


def write_quantized(folder: Path) -> None:
    """
    Write a folder's weights quantized, in place of those that sentence-transformers reads.

    :param folder: The network's folder.
    """
    file = folder / WEIGHTS
    save_file(quantized(load_file(file)), folder / QUANTIZED_WEIGHTS, metadata={"format": "pt"})
    file.unlink()


def _packed(steps: Tensor) -> Tensor:
    numbers = (steps + _MIDDLE).to(torch.uint8)
    return (numbers[:, 0::2] | numbers[:, 1::2] << 4).contiguous()


def _unpacked(packed: Tensor) -> Tensor:
    numbers = torch.stack([packed & 15, packed >> 4], dim=2).flatten(1)
    return numbers.to(torch.int8) - _MIDDLE
