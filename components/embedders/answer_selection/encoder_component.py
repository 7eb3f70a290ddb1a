# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""What the components that run a sentence encoder have in common: it is loaded at first use, once."""

import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

from haystack.utils import ComponentDevice, Secret

if TYPE_CHECKING:
    from haystack_integrations.components.rankers.answer_selection.encoders.sentence_encoder import SentenceEncoder

# One for all components, not an attribute: a component has to stay copyable, and loading is rare.
LOADING = threading.Lock()


class EncoderComponent:
    """A component that runs a :class:`SentenceEncoder`."""

    def __init__(
        self, *, model: str | Path | None, device: ComponentDevice | None, token: Secret | None, revision: str | None
    ) -> None:
        """
        Keeps where the encoder is and where it is to run.

        :param model: A folder in sentence-transformers' format, or the name of a model on the Hugging Face hub. None is
            the encoder that comes with the package.
        :param device: Where the encoder runs. None is the first accelerator that is there, else the CPU, found out at
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
        self._loaded: SentenceEncoder | None = None

    def warm_up(self) -> None:
        """
        Loads the encoder, once, however many threads ask.

        :raises ValueError: If it cannot be loaded; the message says what is missing, or what it has that is not run
            here.
        """
        self._warm()

    def close(self) -> None:
        """Frees the encoder. A later run loads it again."""
        self._loaded = None

    def _encoder_parameters(self) -> dict[str, Any]:
        """What `to_dict` says of the encoder."""
        return {
            "model": None if self.model is None else str(self.model),
            "device": self.device,
            "token": self.token,
            "revision": self.revision,
        }

    def _warm(self) -> "SentenceEncoder":
        """The encoder, loaded if it is not yet."""
        loaded = self._loaded
        if loaded is None:
            with LOADING:
                loaded = self._loaded
                if loaded is None:
                    loaded = self._loaded = self._load()
        return loaded

    def _load(self) -> "SentenceEncoder":
        from haystack_integrations.components.rankers.answer_selection.encoders.sentence_encoder import SentenceEncoder

        token = self.token.resolve_value() if self.token else None
        return SentenceEncoder.load(self.model, device=self.device, token=token, revision=self.revision)
