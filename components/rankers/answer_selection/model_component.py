# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""What components that run a model of this package have in common."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final

from haystack import logging
from haystack.utils import ComponentDevice, Secret

from haystack_integrations.components.rankers.answer_selection.answer_risk import AnswerRisk
from haystack_integrations.components.rankers.answer_selection.hub_component import HubComponent

if TYPE_CHECKING:
    from haystack_integrations.components.rankers.answer_selection.models.base import AnswerSelectionModel, Collator

logger = logging.getLogger(__name__)

_DTYPES: Final = ("float32", "float16", "bfloat16")


@dataclass
class LoadedModel:
    """
    A model on its device.

    :param model: The model.
    :param collator: Its collator.
    :param answer_risk: From which probability on it may answer, if its folder says so.
    """

    model: "AnswerSelectionModel"
    collator: "Collator"
    answer_risk: AnswerRisk | None = None

    @cached_property
    def fingerprint(self) -> str:
        """What tells apart models whose answers' vectors are different."""
        return self.model.encoding_fingerprint(self.collator)


class ModelComponent(HubComponent[LoadedModel]):
    """A component that runs a model of `models.registry`."""

    dtypes: ClassVar[tuple[str, ...]] = _DTYPES

    def __init__(
        self,
        *,
        model: str | Path | None,
        device: ComponentDevice | None,
        token: Secret | None,
        revision: str | None,
        batch_size: int,
        dtype: str | None,
    ) -> None:
        """
        Keeps where the model is and how it is to run.

        :param model: A model folder, or the name of a model on the Hugging Face hub.
        :param device: Where the model runs. None is the first accelerator that is there, else the CPU, found out at
            warm-up.
        :param token: The hub's token, for private models.
        :param revision: The hub model's branch, tag or commit.
        :param batch_size: How many texts or pairs go through the model at once.
        :param dtype: One of `dtypes`; None is the type that the model was saved in.
        :raises ValueError: If `batch_size` is not greater than 0, `dtype` is unknown, or `device` is not a single
            `ComponentDevice`.
        """
        if batch_size <= 0:
            msg = f"batch_size must be > 0, but got {batch_size}"
            raise ValueError(msg)
        if dtype is not None and dtype not in self.dtypes:
            msg = f"dtype must be one of {', '.join(self.dtypes)} or None, but got '{dtype}'"
            raise ValueError(msg)
        HubComponent.__init__(self, model=model, device=device, token=token, revision=revision)
        self.batch_size = batch_size
        self.dtype = dtype

    def _model_name(self) -> str | Path:
        assert self.model is not None
        return self.model

    def _check_model(self, loaded: LoadedModel, name: str | Path) -> None:
        """Raises a ValueError if the component has no use for a model."""

    def _parameters(self) -> dict[str, Any]:
        return {**HubComponent._parameters(self), "batch_size": self.batch_size, "dtype": self.dtype}

    def _load(self) -> LoadedModel:
        import torch

        from haystack_integrations.components.rankers.answer_selection.models import registry

        name, in_int8 = self._model_name(), self.dtype == "int8"
        folder = registry.find_folder(name, token=self._token(), revision=self.revision)
        # What is rounded to 8 bits is in single precision before.
        dtype = None if self.dtype is None else getattr(torch, "float32" if in_int8 else self.dtype)
        loaded = LoadedModel(*registry.load(folder, dtype=dtype, to_score=True), AnswerRisk.load(folder))
        self._check_model(loaded, name)
        device = ComponentDevice.resolve_device(self.device)
        logger.debug("Loaded {name} onto {device}", name=name, device=device)
        torch.nn.Module.to(loaded.model, device=device.to_torch())  # transformers' own `to` has lost its types
        if in_int8:
            _to_int8(loaded, name)
        return loaded


def _to_int8(loaded: LoadedModel, name: str | Path) -> None:
    """Lets a model multiply in 8 bits; where the machine cannot, it says so and leaves the model as it is."""
    try:
        done = loaded.model.to_int8()
        loaded.model.try_out(loaded.collator)
    except (AttributeError, RuntimeError, ValueError) as error:
        msg = f"the model in '{name}' cannot run with dtype 'int8': {error}"
        raise ValueError(msg) from error
    if not done:
        logger.warning(
            "dtype 'int8' needs an x86 CPU with AVX2. On this device, {device}, '{model}' runs in float32.",
            device=loaded.model.device,
            model=name,
        )
