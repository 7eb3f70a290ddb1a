# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
The file of a network's weights: as transformers writes it, or quantized, in a seventh of the size.

Quantized, a matrix has 4 bits a number, and every 32 numbers of a row share a scale. A matrix of another width has 8
bits, and a scale for each row. All other weights, a matrix of one row among them, are in half precision. Nothing but
this module reads such a file, so it has a name of its own: whoever looks for `model.safetensors` finds none, rather
than numbers without their scales.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

import torch
from safetensors import safe_open
from safetensors.torch import load_file, save_file
from torch import Tensor

WEIGHTS: Final = "model.safetensors"
QUANTIZED_WEIGHTS: Final = "model_quantized.safetensors"

_SCALES: Final = ".scales"
_WORDS: Final = "word_embeddings.weight"
# Of positions and of types: small, and read by every token.
_TABLES: Final = "_embeddings.weight"
# Numbers of a row that share a scale, where they have 4 bits.
_GROUP: Final = 32
# Two of them are in a byte, each with this added, so that none is below 0.
_MIDDLE: Final = 8
# A row of zeros has no width; any number above 0 will do that half precision has.
_LEAST: Final = 1e-6


def weights_file(folder: Path) -> Path:
    """
    Say which file has a network's weights.

    :param folder: The network's folder.
    :returns: The file; where there is none, where transformers would look for it.
    """
    quantized = folder / QUANTIZED_WEIGHTS
    return quantized if quantized.is_file() else folder / WEIGHTS


def shapes_in(file: Path) -> dict[str, tuple[int, ...]]:
    """
    Read what a file of weights holds from its header.

    :param file: The file.
    :returns: The shape of each tensor, by name, as :func:`read_weights` gives it.
    """
    with safe_open(file, framework="pt") as weights:
        held = {name: weights.get_slice(name) for name in weights.keys()}
        shapes = {name: tuple(tensor.get_shape()) for name, tensor in held.items()}
        if file.name != QUANTIZED_WEIGHTS:
            return shapes
        # Two numbers are in a byte.
        packed = {name for name, tensor in held.items() if tensor.get_dtype() == "U8" and shapes[name]}
    return {
        name: (*shape[:-1], 2 * shape[-1]) if name in packed else shape
        for name, shape in shapes.items()
        if not name.endswith(_SCALES)
    }


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
            steps = _unpacked(tensor) if tensor.dtype == torch.uint8 and tensor.dim() == 2 else tensor
            scales = held.get(name + _SCALES)
            if scales is None or not _belong(steps, scales):
                msg = f"the scales of {name} are missing, or belong to another matrix"
                raise ValueError(msg)
            found[name] = _scaled(steps.float(), scales.float())
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
    if tensor.dim() != 2 or len(tensor) == 1 or (name.endswith(_TABLES) and not name.endswith(_WORDS)):
        return None
    return 8 if tensor.shape[1] % _GROUP else 4


def rounded(matrix: Tensor) -> Tensor:
    """
    Give a matrix as it is after it was saved quantized.

    :param matrix: The matrix, one that has :func:`bits`.
    :returns: The matrix, in single precision.
    """
    return _scaled(*_steps_and_scales(matrix))


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
        steps, scales = _steps_and_scales(tensor)
        found[name] = _packed(steps) if of == 4 else steps.to(torch.int8)
        found[name + _SCALES] = scales.half()
    return found


def write_quantized(folder: Path) -> None:
    """
    Write a folder's weights quantized, in place of those that transformers reads.

    :param folder: The network's folder.
    """
    file = folder / WEIGHTS
    save_file(quantized(load_file(file)), folder / QUANTIZED_WEIGHTS, metadata={"format": "pt"})
    file.unlink()


def _steps_and_scales(matrix: Tensor) -> tuple[Tensor, Tensor]:
    """Give whole numbers [rows x columns], and what each group of them is multiplied by [rows x groups]."""
    size, least = (matrix.shape[1], -128) if matrix.shape[1] % _GROUP else (_GROUP, -_MIDDLE)
    groups = matrix.float().reshape(len(matrix), -1, size)
    # The number farthest from 0 becomes the least one, whatever its sign: so 4 bits have sixteen values, not fifteen.
    lowest, highest = torch.aminmax(groups, dim=2, keepdim=True)
    farthest = torch.where(highest > -lowest, highest, lowest)
    scales = torch.where(farthest.abs() < -least * _LEAST, _LEAST, farthest / least).half().float()
    steps = (groups * scales.reciprocal()).round_().clamp_(least, -least - 1)
    return steps.flatten(1), scales[:, :, 0]


def _belong(steps: Tensor, scales: Tensor) -> bool:
    """Whether each row has one scale, or several."""
    if steps.dim() != 2 or scales.dim() not in (1, 2) or not scales.numel() or len(scales) != len(steps):
        return False
    return steps.shape[1] % scales[0].numel() == 0


def _scaled(steps: Tensor, scales: Tensor) -> Tensor:
    scales = scales.reshape(len(steps), -1, 1)
    return (steps.reshape(len(steps), scales.shape[1], -1) * scales).flatten(1)


def _packed(steps: Tensor) -> Tensor:
    numbers = (steps + _MIDDLE).to(torch.uint8)
    return (numbers[:, 0::2] | numbers[:, 1::2] << 4).contiguous()


def _unpacked(packed: Tensor) -> Tensor:
    numbers = torch.stack([packed & 15, packed >> 4], dim=2).flatten(1)
    return numbers.to(torch.int8) - _MIDDLE
