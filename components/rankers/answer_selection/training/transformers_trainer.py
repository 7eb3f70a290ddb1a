# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""What every training run tells `transformers.Trainer`: arguments, where to save and to measure, a log."""

import math
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from transformers import TrainerCallback, TrainerControl, TrainerState, TrainingArguments

from haystack_integrations.components.rankers.answer_selection.training.device import on_cpu

if TYPE_CHECKING:
    from haystack_integrations.components.rankers.answer_selection.training.pretraining_settings import (
        PretrainingSettings,
    )
    from haystack_integrations.components.rankers.answer_selection.training.settings import TrainingSettings

# `Trainer` wants numbers of steps between evaluations and checkpoints; ours come where the run is divided.
_NEVER: Final = 10**9

StepCallback = Callable[[int, int, dict[str, float]], None]
"""Called after every step with the step, the number of steps and the latest logged figures."""


class Stops(TrainerCallback):
    """
    Saves and measures where a run is divided, and tells the progress.

    :param stops: the steps after which it does.
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


def arguments(
    checkpoints: Path, settings: "TrainingSettings | PretrainingSettings", steps: int, **own: Any
) -> TrainingArguments:
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
