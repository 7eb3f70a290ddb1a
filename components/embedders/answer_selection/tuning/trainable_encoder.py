# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""A sentence encoder whose weights can be trained, read from its folder and saved as one of the same format."""

import json
import shutil
from pathlib import Path
from typing import Any, Final, cast

import torch
from safetensors.torch import load_file, save_file
from tokenizers import Tokenizer
from torch import Tensor, nn

from haystack_integrations.components.rankers.answer_selection.encoders.encoder_folder import EncoderFolder
from haystack_integrations.components.rankers.answer_selection.encoders.encoder_parts import (
    read_dense,
    read_tokenizer,
    read_transformer,
)
from haystack_integrations.components.rankers.answer_selection.models.positions import positions
from haystack_integrations.components.rankers.answer_selection.models.quantized_weights import WEIGHTS, weights_file
from haystack_integrations.components.rankers.answer_selection.models.transformers_log import quiet_transformers

# So many texts of nearly one length go through a processor at once: a batch that is padded to its longest one is mostly
# padding. An accelerator is faster with all of them.
TOGETHER: Final = 8


class TrainableEncoder(nn.Module):
    """
    From tokens to unit vectors, as `SentenceEncoder` computes them.

    :param folder: the encoder's folder.
    :raises ValueError: if network and tokenizer do not belong together.
    """

    def __init__(self, folder: EncoderFolder) -> None:
        super().__init__()
        self._folder = folder
        self.transformer = cast(Any, read_transformer(folder.transformer))
        self.dense = read_dense(folder.dense)
        config = self.transformer.config
        self.tokenizer: Tokenizer = read_tokenizer(folder, config.vocab_size, positions(self.transformer))
        self.padding: int = config.pad_token_id or 0
        self.requires_grad_()

    def forward(self, ids: Tensor, mask: Tensor) -> Tensor:
        """
        Encode texts.

        :param ids: their tokens [n, L], padded at their ends.
        :param mask: which of them are no padding [n, L].
        :returns: their vectors at unit length [n, d].
        """
        if not ids.is_cpu:
            return self._encode(ids, mask)
        lengths = mask.sum(1)
        order = lengths.argsort()
        alike = [(part, int(lengths[part].max())) for part in torch.split(order, TOGETHER)]
        vectors = [self._encode(ids[part, :longest], mask[part, :longest]) for part, longest in alike]
        return torch.cat(vectors)[order.argsort()]

    def _encode(self, ids: Tensor, mask: Tensor) -> Tensor:
        states = self.transformer(input_ids=ids, attention_mask=mask).last_hidden_state.float()
        real = mask[..., None].to(states.dtype)
        mean = (states * real).sum(1) / real.sum(1)
        return nn.functional.normalize(mean if self.dense is None else self.dense(mean), dim=-1)

    def save(self, folder: Path) -> None:
        """
        Save it beside copies of all else that its folder says, in the precision that this has.

        :param folder: the folder to be.
        """
        source = self._folder.path
        modules = json.loads((source / "modules.json").read_text(encoding="utf-8"))
        for part in {"", *(module["path"] for module in modules)}:
            (folder / part).mkdir(parents=True, exist_ok=True)
            for path in (source / part).glob("*.json"):
                shutil.copyfile(path, folder / part / path.name)
        place = folder / self._folder.transformer.relative_to(source)
        with quiet_transformers():
            self.transformer.save_pretrained(place)
        _save(load_file(place / WEIGHTS), place / WEIGHTS, like=self._folder.transformer)
        if self.dense is not None and self._folder.dense is not None:
            names = load_file(self._folder.dense / WEIGHTS)
            own = self.dense.state_dict()
            weights = {name: own[name.removeprefix("linear.")].cpu() for name in names}
            _save(weights, folder / self._folder.dense.relative_to(source) / WEIGHTS, like=self._folder.dense)


def _save(weights: dict[str, Tensor], path: Path, *, like: Path) -> None:
    """Save weights in the precision that another folder's have; what has 8 bits there gets 16."""
    kept = {tensor.dtype for tensor in load_file(weights_file(like)).values() if tensor.is_floating_point()}
    precision = kept.pop() if len(kept) == 1 else torch.float32
    given = {
        name: (tensor.to(precision) if tensor.is_floating_point() else tensor).contiguous()
        for name, tensor in weights.items()
    }
    save_file(given, path, metadata={"format": "pt"})
