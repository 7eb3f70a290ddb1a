# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""What every training run tells `transformers.Trainer`: arguments, where to save and to measure, a log."""

import math
from collections.abc import Callable
from importlib.util import find_spec
from operator import itemgetter
from pathlib import Path
from typing import Any, Final, Generic, Protocol, TypeVar

import torch
from torch import Tensor
from torch.utils.data import DataLoader, Dataset
from transformers import Trainer, TrainerCallback, TrainerControl, TrainerState, TrainingArguments
from transformers.trainer_callback import PrinterCallback

from haystack_integrations.components.rankers.answer_selection.models.transformers_log import quiet_transformers
from haystack_integrations.components.rankers.answer_selection.training.device import on_cpu

# `Trainer` wants numbers of steps between evaluations and checkpoints; ours come where the run is divided.
_NEVER: Final = 10**9

SAVED_EVERY: Final = 250
"""Steps between checkpoints where a run is not divided: a kill costs a large model minutes, not an epoch of hours."""

StepCallback = Callable[[int, int, dict[str, float]], None]
"""Called after every step with the step, the number of steps and the latest logged figures."""


class TrainerSettings(Protocol):
    """What settings of all kinds of runs say."""

    @property
    def learning_rate(self) -> float:
        """The rate at its highest."""

    @property
    def warmup(self) -> float:
        """The part of all steps over which it rises from 0."""

    @property
    def max_grad_norm(self) -> float:
        """Gradients of a larger norm are scaled down to it."""

    @property
    def seed(self) -> int:
        """Of all that is drawn."""

    @property
    def precision(self) -> str:
        """What is computed in."""

    @property
    def use_cpu(self) -> bool:
        """Whether the CPU computes even where there is an accelerator."""

    @property
    def log_every(self) -> int:
        """Steps between two lines of the log."""


class BatchesSettings(TrainerSettings, Protocol):
    """What settings of runs over :class:`Batches` say."""

    @property
    def weight_decay(self) -> float:
        """Decoupled; biases and normalisations are spared."""


class Batches(Dataset[dict[str, Tensor]]):
    """The batches of a whole run, in their order."""

    def epochs_at(self, step: int) -> float:
        """
        Say how often the texts were read.

        :param step: the step.
        :returns: the epochs until then.
        """
        raise NotImplementedError


OwnBatches = TypeVar("OwnBatches", bound=Batches)


class BatchesTrainer(Trainer, Generic[OwnBatches]):
    """
    `Trainer` over batches that a run makes itself; loss and measure are to be given.

    :param batches: all batches of the run.
    :param kwargs: what else `Trainer` takes.
    """

    def __init__(self, batches: OwnBatches, **kwargs: Any) -> None:
        self.batches = batches
        # Not what `evaluate` reads, but without one `Trainer` measures nothing.
        super().__init__(train_dataset=batches, eval_dataset=batches, **kwargs)
        self.remove_callback(PrinterCallback)

    def take_steps(self, checkpoint: Path | None) -> None:
        """
        Train, and say nothing.

        :param checkpoint: where to go on from, if a run was killed.
        """
        with quiet_transformers():
            self.train(resume_from_checkpoint=None if checkpoint is None else str(checkpoint))

    def get_train_dataloader(self) -> DataLoader[Any]:
        """One epoch of `Trainer` is our whole run."""
        # Its own generator, so that iterating takes nothing from the stream that dropout draws from.
        return DataLoader(self.batches, batch_size=1, collate_fn=itemgetter(0), generator=torch.Generator())

    def measured(self, metrics: dict[str, float]) -> dict[str, float]:
        """
        Tell what `evaluate` has measured.

        :param metrics: the figures.
        :returns: the same.
        """
        self.log(metrics)
        self.control = self.callback_handler.on_evaluate(self.args, self.state, self.control, metrics)
        return metrics

    def log(self, logs: dict[str, float], start_time: float | None = None) -> None:
        """Log figures as `Trainer` does, with our epoch."""
        super().log(logs, start_time)
        # What it takes for its one epoch is the part of the run that is done.
        self.state.log_history[-1]["epoch"] = logs["epoch"] = self.batches.epochs_at(self.state.global_step)

    def floating_point_ops(self, inputs: dict[str, Any]) -> int:  # noqa: ARG002
        """Count nothing: nobody reads it."""
        return 0


def even_stops(steps: int, parts: int) -> set[int]:
    """
    Divide a run into equal parts.

    :param steps: how many steps it has.
    :param parts: how many parts.
    :returns: the last step of each.
    """
    return {math.ceil(steps * part / parts) for part in range(1, parts + 1)}


class Stops(TrainerCallback):
    """
    Measures where a run is divided, saves there and every :data:`SAVED_EVERY` steps, and tells the progress.

    :param stops: the steps after which it is divided.
    :param measured: whether there is something to measure by.
    :param progress: see :data:`StepCallback`.
    """

    def __init__(self, stops: set[int], *, measured: bool = True, progress: StepCallback | None) -> None:
        self.stops, self.measured, self.progress = stops, measured, progress
        self.latest: dict[str, float] = {}

    def on_step_end(
        self,
        args: TrainingArguments,  # noqa: ARG002
        state: TrainerState,
        control: TrainerControl,
        **kwargs: Any,  # noqa: ARG002
    ) -> None:
        """Say what `Trainer` is to do after a step."""
        if state.global_step in self.stops:
            control.should_save = True
            control.should_evaluate = self.measured
        elif state.global_step % SAVED_EVERY == 0:
            control.should_save = True
        if self.progress:
            self.progress(state.global_step, state.max_steps, self.latest)

    def on_log(
        self,
        args: TrainingArguments,  # noqa: ARG002
        state: TrainerState,  # noqa: ARG002
        control: TrainerControl,  # noqa: ARG002
        **kwargs: Any,
    ) -> None:
        """Keep the latest figures."""
        self.latest |= kwargs["logs"]


def arguments(checkpoints: Path, settings: TrainerSettings, steps: int, **own: Any) -> TrainingArguments:
    """
    Say what every run tells `Trainer`: one epoch of its is our whole run, which :class:`Stops` divides.

    :param checkpoints: where checkpoints go.
    :param settings: the run's.
    :param steps: how many it has.
    :param own: what else a kind of run tells.
    :returns: the arguments.
    """
    told = TrainingArguments(
        output_dir=str(checkpoints),
        num_train_epochs=1,
        learning_rate=settings.learning_rate,
        warmup_steps=math.ceil(settings.warmup * steps),
        max_grad_norm=settings.max_grad_norm,
        seed=settings.seed,
        use_cpu=on_cpu(use_cpu=settings.use_cpu),
        bf16=settings.precision == "bfloat16",
        fp16=settings.precision == "float16",
        eval_steps=_NEVER,
        save_strategy="steps",
        save_steps=_NEVER,
        logging_steps=settings.log_every,
        logging_nan_inf_filter=False,
        report_to="none",
        disable_tqdm=True,
        remove_unused_columns=False,
        **own,
    )
    # Several GPUs in one process would cut a batch, which is one list or more, or one item, in the middle.
    if told.n_gpu > 1:
        told._n_gpu = 1
    return told


def batch_arguments(checkpoints: Path, settings: BatchesSettings, steps: int, **own: Any) -> TrainingArguments:
    """
    Say what runs over :class:`Batches` tell `Trainer`: each item is a batch, and the last checkpoint is kept.

    :param checkpoints: where checkpoints go.
    :param settings: the run's.
    :param steps: how many it has.
    :param own: what else a kind of run tells.
    :returns: the arguments.
    """
    return arguments(
        checkpoints,
        settings,
        steps,
        per_device_train_batch_size=1,
        save_total_limit=1,
        lr_scheduler_type="linear",
        weight_decay=settings.weight_decay,
        **own,
    )


def tensorboard(folder: Path) -> list[TrainerCallback]:
    """
    Log to TensorBoard.

    :param folder: where the logs go.
    :returns: what does it, for `Trainer`; nothing where TensorBoard is not installed.
    """
    if not find_spec("tensorboard"):
        return []
    from torch.utils.tensorboard import SummaryWriter
    from transformers.integrations.integration_utils import TensorBoardCallback

    return [TensorBoardCallback(SummaryWriter(str(folder)))]  # type: ignore[no-untyped-call]
