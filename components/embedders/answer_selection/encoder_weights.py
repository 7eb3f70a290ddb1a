# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
The file of an encoder's weights: as sentence-transformers writes it, or in 8 bits, in a quarter of the size.

In 8 bits each matrix has a scale for each of its rows, so a number is off by at most half a step, 1/254 of the greatest
in its row. All other weights are in half precision. Nothing but this module reads such a file, so it has a name of its
own: whoever looks for `model.safetensors` finds none, rather than numbers without their scales.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

import torch
from safetensors.torch import load_file, save_file
from torch import Tensor

from haystack_integrations.components.embedders.answer_selection.encoder_folder import INT8_WEIGHTS, WEIGHTS

_SCALES: Final = ".scales"
_STEPS: Final = 127
# A row of zeros has no width; any number above 0 will do that half precision has.
_LEAST: Final = 1e-6


def read_weights(file: Path) -> dict[str, Tensor]:
    """
    Read weights, in single precision.

    :param file: The file.
    :returns: The tensors by name.
    :raises ValueError: If rounded weights lack their scales.
    """
    held = load_file(file)
    found = {}
    for name, tensor in held.items():
        if tensor.dtype == torch.int8:
            if (scales := held.get(name + _SCALES)) is None or len(scales) != len(tensor):
                msg = f"the scales of {name} are missing, or belong to another matrix"
                raise ValueError(msg)
            found[name] = tensor.float().mul_(scales.float()[:, None])
        elif not name.endswith(_SCALES):
            found[name] = tensor.float() if tensor.is_floating_point() else tensor
    return found


def rounded(weights: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """
    Round matrices to 8 bits with a scale for each row, and all else to half precision.

    :param weights: The weights, by name.
    :returns: What is saved, with the scales.
    """
    found = {}
    for name, tensor in weights.items():
        if tensor.dim() != 2:
            found[name] = tensor.half() if tensor.is_floating_point() else tensor
            continue
        # Rounded by the scale as it is saved.
        scales = (tensor.float().abs().amax(1) / _STEPS).clamp_min(_LEAST).half()
        steps = (tensor.float() / scales.float()[:, None]).round().clamp(-_STEPS, _STEPS)
        found[name], found[name + _SCALES] = steps.to(torch.int8), scales
    return found


def write_int8(folder: Path) -> None:
    """
    Write a folder's weights in 8 bits, in place of those that sentence-transformers reads.

    :param folder: The network's folder.
    """
    file = folder / WEIGHTS
    save_file(rounded(load_file(file)), folder / INT8_WEIGHTS, metadata={"format": "pt"})
    file.unlink()
