# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""What every training run has around `transformers.Trainer`: a folder to go on from, a quiet terminal, a device."""

import json
import math
import shutil
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import torch
from transformers import TrainerCallback, TrainerControl, TrainerState, TrainingArguments

if TYPE_CHECKING:
    from haystack_integrations.components.rankers.answer_selection.training.pretraining_settings import (
        PretrainingSettings,
    )
    from haystack_integrations.components.rankers.answer_selection.training.settings import TrainingSettings

# `Trainer` wants numbers of steps between evaluations and checkpoints; ours come where the run is divided.
_NEVER: Final = 10**9

Progress = Callable[[int, int, dict[str, float]], None]
"""Called after every step with the step, the number of steps and the latest logged figures."""


class Stops(TrainerCallback):
    """
    Saves and measures where a run is divided, and tells the progress.

    :param stops: the steps after which it does.
    :param measured: whether there is something to measure by.
    :param progress: see :data:`Progress`.
    """

    def __init__(self, stops: set[int], *, measured: bool = True, progress: Progress | None) -> None:
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


def begin(folder: Path, wanted: dict[str, Any], *, overwrite: bool) -> Path | None:
    """
    Look at what is in a run's folder of checkpoints, and note there what the run is of.

    :param folder: the folder; TensorBoard logs lie beside it.
    :param wanted: what the run is of, by name: settings, and digests of what it reads.
    :param overwrite: whether an unfinished run that is there is thrown away.
    :returns: the checkpoint to go on from; None if the run begins.
    :raises FileExistsError: if there is an unfinished run of something else.
    """
    about = folder / "run.json"
    if overwrite:
        shutil.rmtree(folder, ignore_errors=True)
    elif about.exists():
        known = json.loads(about.read_text(encoding="utf-8"))
        different = [name for name in wanted if known.get(name) != wanted[name]]
        checkpoint = _last_checkpoint(folder)
        if not different:
            return checkpoint
        # Before the first checkpoint nothing is lost: a run that failed at once may be mended.
        if checkpoint is not None:
            had = ", ".join(f"{name} {known.get(name)} (now {wanted[name]})" for name in different)
            msg = f"{folder} holds an unfinished run with other settings: {had}; overwrite=True starts anew"
            raise FileExistsError(msg)
        shutil.rmtree(folder)
    shutil.rmtree(folder.parent / "logs", ignore_errors=True)
    folder.mkdir(parents=True, exist_ok=True)
    about.write_text(json.dumps(wanted, indent=2) + "\n", encoding="utf-8")
    return None


def _last_checkpoint(folder: Path) -> Path | None:
    """The newest whole checkpoint; what a kill in the middle of saving left is removed."""
    whole: dict[int, Path] = {}
    for path in folder.glob("checkpoint-*"):
        try:
            # Trainer writes this file last.
            state = json.loads((path / "trainer_state.json").read_text(encoding="utf-8"))
            whole[int(state["global_step"])] = path
        except (OSError, ValueError):
            shutil.rmtree(path)
    return whole[max(whole)] if whole else None


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


def on_cpu(*, use_cpu: bool) -> bool:
    """
    Say where a run computes.

    :param use_cpu: whether it is to be the CPU even where there is an accelerator.
    :returns: whether it is the CPU.
    """
    return use_cpu or not torch.accelerator.is_available()


def check_precision(precision: str, *, use_cpu: bool) -> None:
    """
    Make sure that the device can compute in a precision.

    :param precision: float32, bfloat16 or float16.
    :param use_cpu: see :func:`on_cpu`.
    :raises ValueError: if it cannot.
    """
    if precision == "float16" and on_cpu(use_cpu=use_cpu):
        msg = "training setting 'precision' is 'float16', which needs an accelerator; expected float32 or bfloat16 on "
        msg += "the CPU"
        raise ValueError(msg)


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
