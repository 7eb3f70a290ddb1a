# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
How models are saved and read: with safetensors alone.

They are no `PreTrainedModel`. To import that takes as long as torch itself, seconds, and 200 MB, which every process
would pay that asks one question.
"""

from pathlib import Path
from typing import ClassVar, Self

import torch
from safetensors.torch import load, save_model

from haystack_integrations.components.rankers.answer_selection.models.base import (
    AnswerSelectionConfig,
    AnswerSelectionModel,
)
from haystack_integrations.components.rankers.answer_selection.models.weights import without_storage

_WEIGHTS = "model.safetensors"


class SavedModel(AnswerSelectionModel):
    """A model whose folder is as transformers writes them. Its constructor ends with :meth:`post_init`."""

    kept_in_float32: ClassVar[str]
    """The part that is in single precision whatever the rest is in."""

    def __init__(self, config: AnswerSelectionConfig) -> None:
        """
        Create a model without layers.

        :param config: the configuration.
        """
        super().__init__()
        self.config = config

    def post_init(self) -> None:
        """Give the weights their first values."""
        self.apply(self._init_weights)

    def to_folder(self, folder: str | Path) -> None:
        """See :meth:`AnswerSelectionModel.to_folder`."""
        self.config.architectures = [type(self).__name__]
        self.config.dtype = str(self.dtype).removeprefix("torch.")
        self.config.save_pretrained(folder)
        save_model(self, str(Path(folder) / _WEIGHTS), metadata={"format": "pt"})

    @classmethod
    def from_folder(cls, folder: str | Path, config: AnswerSelectionConfig, dtype: torch.dtype | None = None) -> Self:
        """See :meth:`AnswerSelectionModel.from_folder`."""
        with without_storage():
            model = cls(config)
        # Not mapped into memory: there they would change with a file that is written over.
        model.load_state_dict(load((Path(folder) / _WEIGHTS).read_bytes()), assign=True)
        # A file may be smaller: the package's own has its word vectors in half precision.
        if (wanted := dtype or config.dtype) is not None:
            model.to(wanted)
        model.get_submodule(cls.kept_in_float32).float()
        return model.train(False)
