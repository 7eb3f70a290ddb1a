# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""What components with a model of the hub have in common: it is loaded at first use, once, onto a device."""

from pathlib import Path
from typing import Any, Generic, Self, TypeVar

from haystack import default_from_dict
from haystack.utils import ComponentDevice, Secret

from haystack_integrations.components.rankers.answer_selection.made_once import MadeOnce

_Loaded = TypeVar("_Loaded")


class HubComponent(Generic[_Loaded]):
    """A component that runs what lies in a folder, or on the Hugging Face hub."""

    def __init__(
        self, *, model: str | Path | None, device: ComponentDevice | None, token: Secret | None, revision: str | None
    ) -> None:
        """
        Keeps where the model is and where it is to run.

        :param model: A folder, or the name of a model on the Hugging Face hub. None is what comes with the package.
        :param device: Where the model runs. None is the first accelerator that is there, else the CPU, found out at
            warm-up.
        :param token: The hub's token, for private models.
        :param revision: The hub model's branch, tag or commit.
        :raises ValueError: If `device` is not a single `ComponentDevice`.
        """
        if device is not None:
            # Refuses what is no ComponentDevice, and device maps, here rather than in the middle of a run.
            ComponentDevice.resolve_device(device).to_torch_str()
        self.model = model
        self.device = device
        self.token = token
        self.revision = revision
        self._loaded: MadeOnce[_Loaded] = MadeOnce()

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Self:
        """
        Deserializes the component from a dictionary.

        :param data: The dictionary that `to_dict` returned.
        :returns: The component.
        """
        return default_from_dict(cls, data)

    def warm_up(self) -> None:
        """
        Loads the model, once, however many threads ask.

        :raises ValueError: If it cannot be loaded (the message says what is missing), or is not one for this component.
        """
        self._warm()

    def close(self) -> None:
        """Frees the model. A later run loads it again."""
        self._loaded.drop()

    def _parameters(self) -> dict[str, Any]:
        """What `to_dict` says of the model."""
        return {
            "model": None if self.model is None else str(self.model),
            "device": self.device,
            "token": self.token,
            "revision": self.revision,
        }

    def _token(self) -> str | None:
        return self.token.resolve_value() if self.token else None

    def _warm(self) -> _Loaded:
        """The model, loaded if it is not yet."""
        return self._loaded.get(self._load)

    def _load(self) -> _Loaded:
        raise NotImplementedError
