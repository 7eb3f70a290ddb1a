# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Several processes that train one model, as ``torchrun`` and ``accelerate launch`` start them, on one machine."""

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import timedelta
from typing import TypeVar

import numpy as np
import torch
from torch import Tensor, distributed

from haystack_integrations.components.rankers.answer_selection.training.dataset import Floats
from haystack_integrations.components.rankers.answer_selection.training.device import on_cpu

_T = TypeVar("_T")

# The others wait while the main process mines lists. If it fails, what has started them ends them.
_PATIENCE = timedelta(days=2)


def launched() -> int:
    """Give the number of processes that were started together; 1 where nothing but this one was."""
    return int(os.environ.get("WORLD_SIZE", "1"))


def refuse_several() -> None:
    """
    Make sure that nothing but this process was started, where several could not share the work.

    :raises ValueError: If others were.
    """
    if (started := launched()) > 1:
        msg = f"{started} processes were started; expected one, started without torchrun"
        raise ValueError(msg)


@dataclass(frozen=True, slots=True)
class Processes:
    """
    The processes of a run, as one of them sees them. By default it is the only one.

    :param count: how many there are.
    :param index: which one this is; 0 is the main one, which alone writes files.
    """

    count: int = 1
    index: int = 0

    @classmethod
    def joined(cls, *, use_cpu: bool) -> "Processes":
        """
        Join the processes that were started together, if that was not done before.

        :param use_cpu: train on the CPU even where there is an accelerator.
        :returns: the processes.
        :raises ValueError: if there are more of them than accelerators.
        """
        if launched() == 1:
            return cls()
        from accelerate import PartialState  # type: ignore[import-untyped]

        cpu = on_cpu(use_cpu=use_cpu)
        here = int(os.environ.get("LOCAL_WORLD_SIZE", launched()))
        if not cpu and here > torch.accelerator.device_count():
            msg = f"{here} processes were started, but there are {torch.accelerator.device_count()} accelerators; "
            msg += "expected at most one process for each"
            raise ValueError(msg)
        state = PartialState(cpu, **({} if distributed.is_initialized() else {"timeout": _PATIENCE}))
        return cls(state.num_processes, state.process_index)

    def leave(self) -> None:
        """Part from the others, at the end."""
        if self.count > 1:
            distributed.destroy_process_group()

    @property
    def main(self) -> bool:
        """Whether this is the one that writes files and shows progress."""
        return self.index == 0

    def once(self, make: Callable[[], _T]) -> _T:
        """
        Let the main process do something, while the others wait.

        :param make: what is done.
        :returns: what came out, in all processes.
        :raises SystemExit: in the others, if it failed: the main process says why.
        """
        if self.count == 1:
            return make()
        done: list[tuple[_T] | None] = [None]
        try:
            if self.main:
                done = [(make(),)]
        finally:
            distributed.broadcast_object_list(done)
        if done[0] is None:
            raise SystemExit(1)
        return done[0][0]

    def spread(self, tensors: Iterable[Tensor]) -> None:
        """
        Give all processes the main one's tensors.

        :param tensors: the tensors, in the same order everywhere; those of the other processes are overwritten.
        """
        if self.count > 1:
            for tensor in tensors:
                distributed.broadcast(tensor, 0)

    def add_up(self, values: Floats, device: torch.device) -> Floats:
        """
        Add up what the processes have.

        :param values: numbers, as many everywhere.
        :param device: where the processes exchange them.
        :returns: their sums.
        """
        if self.count == 1:
            return values
        sums = torch.from_numpy(values).to(device)
        distributed.all_reduce(sums)
        return np.asarray(sums.cpu().numpy())


ALONE = Processes()
