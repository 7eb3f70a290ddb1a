# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""What a file of weights holds, held against what a configuration asks for, before any memory is taken."""

import math
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any, Final

import torch
from torch import nn
from torch.nn import init
from torch.nn.modules.module import register_module_parameter_registration_hook
from torch.overrides import TorchFunctionMode

from haystack_integrations.components.rankers.answer_selection.models.quantized_weights import shapes_in

_USUAL: Final = 20_000
# What a head that is new may add, in numbers.
_SPARE: Final = 10_000_000


class _NoDraws(TorchFunctionMode):
    """Leaves first values out: without storage there is nothing to draw, and to draw it torch loads its compiler."""

    def __torch_function__(
        self,
        func: Callable[..., Any],
        types: Sequence[type],
        args: Sequence[Any] = (),
        kwargs: Mapping[str, Any] | None = None,
    ) -> Any:
        kwargs = kwargs or {}
        if getattr(func, "__module__", None) == init.__name__:
            return kwargs["tensor"] if "tensor" in kwargs else args[0]
        return func(*args, **kwargs)


def without_first_values() -> AbstractContextManager[Any]:
    """Make modules whose parameters hold any numbers, because others will take their place."""
    return _NoDraws()


@contextmanager
def without_storage(most: int = _USUAL) -> Iterator[None]:
    """
    Make modules whose parameters have shapes and no numbers, and not too many of them.

    A configuration's sizes then cost no memory, and its number of layers no time.

    :param most: how many parameters may be made; one more is a ValueError.
    """
    made, thread = 0, threading.get_ident()

    def count(module: nn.Module, name: str, parameter: nn.Parameter | None) -> None:  # noqa: ARG001
        nonlocal made
        if threading.get_ident() != thread:
            return  # the hook is one for all threads
        made += 1
        if made > most:
            msg = f"it asks for more than {most} parameters; expected fewer layers"
            raise ValueError(msg)

    hook: Any = register_module_parameter_registration_hook(count)
    try:
        with torch.device("meta"), _NoDraws():
            yield
    finally:
        hook.remove()


def most_parameters(found: dict[str, tuple[int, ...]]) -> int:
    """
    Say how many parameters a model may make that is to be read from a file.

    :param found: the file's shapes.
    :returns: the bound for :func:`without_storage`: some are made and then replaced or dropped, as a pooling layer is.
    """
    return 2 * len(found) + 100


def check_size(file: Path, make: Callable[[], nn.Module]) -> None:
    """
    Check that a model which is to be read from a file is not much larger than that.

    :param file: the file.
    :param make: makes the model.
    :raises ValueError: if it asks for more numbers than the file holds, by more than a new head would.
    """
    found = shapes_in(file)
    with without_storage(most_parameters(found)):
        asked = sum(parameter.numel() for parameter in make().parameters())
    if asked > (held := sum(math.prod(shape) for shape in found.values())) + _SPARE:
        msg = f"the configuration asks for {asked:,} numbers and {file} holds {held:,}: they do not belong together"
        raise ValueError(msg)


def first_of(names: Sequence[str]) -> str:
    """
    Name some tensors.

    :param names: at least one name.
    :returns: for a message, the first three and how many there are beside them.
    """
    return ", ".join(names[:3]) + (f" and {len(names) - 3} others" if len(names) > 3 else "")


def check_finite(model: nn.Module) -> None:
    """
    Check that a model's weights are numbers.

    :param model: the model.
    :raises ValueError: if one is NaN or infinite; the message names the tensor.
    """
    for name, tensor in model.state_dict().items():
        # The least and the greatest are NaN where any number is; nothing as large as the tensor is made.
        if tensor.is_floating_point() and tensor.numel() and not torch.stack(tensor.aminmax()).isfinite().all():
            msg = f"{name} has numbers that are NaN or infinite"
            raise ValueError(msg)
