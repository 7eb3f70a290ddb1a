# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""An encoder that others have published: where it is, and what a model's card says of it."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from answer_selection.pipelines.experiments.keys import key_of_encoder
from answer_selection.pipelines.training.recipe import Recipe
from haystack_integrations.components.rankers.answer_selection.training.model_card import DataSource, card_of

_FETCHED: Final = ("config.json", "*.safetensors", "tokenizer*", "vocab*", "merges.txt", "README.md")


@dataclass(frozen=True, slots=True)
class PublishedEncoder:
    """
    An encoder that an experiment's models are built on as it is.

    :param name: Its name on the hub.
    :param folder: Its folder.
    :param key: Tells its files from any others.
    """

    name: str
    folder: Path
    key: str

    @classmethod
    def find(cls, name: str, data: Path) -> "PublishedEncoder":
        """
        Find an encoder among the data, or else on the hub.

        :param name: Its name on the hub.
        :param data: The folder with all data sets' folders; its folder `encoders` may have the encoder.
        :returns: The encoder.
        :raises ValueError: If it is in neither place.
        """
        folder = data / "encoders" / name.rpartition("/")[2]
        if not folder.is_dir():
            folder = _from_hub(name, folder)
        return cls(name, folder, key_of_encoder(folder))

    @property
    def source(self) -> DataSource:
        """What a card says of it: its licence is that of its own card."""
        known = card_of(self.folder, "pretrained encoder")
        return replace(known, name=self.name, source=f"https://huggingface.co/{self.name}")

    def built_on(self, recipe: Recipe) -> Recipe:
        """
        Give a recipe whose model is built on the encoder.

        :param recipe: The recipe without an encoder.
        :returns: The recipe with it.
        """
        return replace(recipe, options={**recipe.options, "encoder": str(self.folder)})


def _from_hub(name: str, instead_of: Path) -> Path:
    from huggingface_hub import snapshot_download

    try:
        return Path(snapshot_download(name, allow_patterns=list(_FETCHED)))
    except Exception as error:  # the hub's own errors, and whatever the network's client raises
        found = str(error).strip().partition("\n")[0]
        msg = (
            f"there is no folder {instead_of} with the encoder '{name}', nor could it be fetched from the hub: {found}"
        )
        raise ValueError(msg) from error
