# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""From candidate lists to a model folder, by ``transformers.Trainer``."""

import hashlib
import math
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import islice, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import torch
from torch import Tensor
from torch.utils.data import DataLoader
from transformers import Trainer, TrainerControl, TrainerState, TrainingArguments
from transformers.trainer_callback import PrinterCallback

from answer_selection.indexing.artifact import digest
from haystack_integrations.components.rankers.answer_selection.models import registry
from haystack_integrations.components.rankers.answer_selection.models.transformers_log import quiet_transformers
from haystack_integrations.components.rankers.answer_selection.training.batches import (
    StepBatches,
    TrainingBatches,
    TrainingLists,
)
from haystack_integrations.components.rankers.answer_selection.training.checkpoints import (
    CHECKPOINTS,
    LOGS,
    begin,
    refuse_finished,
)
from haystack_integrations.components.rankers.answer_selection.training.dataset import (
    UNLABELLED,
    CandidateFile,
    Floats,
    ListSample,
)
from haystack_integrations.components.rankers.answer_selection.training.device import (
    check_precision,
    component_device,
    on_cpu,
)
from haystack_integrations.components.rankers.answer_selection.training.losses import LOSSES, NEEDS_BOTH_LABELS, Loss
from haystack_integrations.components.rankers.answer_selection.training.optimizer import make_optimizer
from haystack_integrations.components.rankers.answer_selection.training.other_signals import OtherSignals
from haystack_integrations.components.rankers.answer_selection.training.processes import Processes
from haystack_integrations.components.rankers.answer_selection.training.scoring import (
    remove_autocast,
    score_lists,
    without_autocast,
)
from haystack_integrations.components.rankers.answer_selection.training.settings import TrainingSettings
from haystack_integrations.components.rankers.answer_selection.training.teacher_loss import TaughtLoss, Teaching
from haystack_integrations.components.rankers.answer_selection.training.training_result import (
    TrainingResult,
)
from haystack_integrations.components.rankers.answer_selection.training.transformers_trainer import (
    StepCallback,
    Stops,
    arguments,
    tensorboard,
)
from haystack_integrations.components.rankers.answer_selection.training.validation import (
    METRICS,
    Measures,
    measure,
)
from haystack_integrations.components.rankers.answer_selection.training.weighing import calibrate

if TYPE_CHECKING:
    from transformers import PreTrainedModel

    from haystack_integrations.components.rankers.answer_selection.models.base import AnswerSelectionModel, Collator


def make_batch(samples: Sequence[ListSample], collator: "Collator") -> dict[str, Tensor]:
    """
    Collate lists, and tell the loss what it needs beside the model's own tensors.

    :param samples: the lists.
    :param collator: the model's collator.
    :returns: the model's arguments, `labels` [n_pairs] and `loss_list_sizes` [n_lists]; with a teacher `loss_scores`
        [n_pairs].
    """
    batch: dict[str, Tensor] = collator([record for sample in samples for record in sample.records])
    batch["labels"] = torch.tensor([label for sample in samples for label in sample.labels], dtype=torch.float32)
    # The model's `list_sizes` merge neighbours with the same query text; to the loss they remain two lists.
    batch["loss_list_sizes"] = torch.tensor([len(sample.labels) for sample in samples])
    if scores := [score for sample in samples for score in sample.scores]:
        batch["loss_scores"] = torch.tensor(scores, dtype=torch.float32)
    return batch


class _EarlyStopping(Stops):
    """Stops early, too."""

    def __init__(
        self, stops: set[int], patience: int, metric: str, *, validate: bool, progress: StepCallback | None
    ) -> None:
        super().__init__(stops, measured=validate, progress=progress)
        self.patience, self.measured_as = patience, f"eval_{metric}"

    def on_evaluate(
        self,
        args: TrainingArguments,  # noqa: ARG002
        state: TrainerState,
        control: TrainerControl,
        **kwargs: Any,  # noqa: ARG002
    ) -> None:
        # Counted from the log, which a checkpoint keeps, so that a resumed run stops where it would have stopped.
        found = [entry[self.measured_as] for entry in state.log_history if self.measured_as in entry]
        since_best = len(found) - 1 - int(np.argmax(found))
        if 0 < self.patience <= since_best:
            control.should_training_stop = True


class _Trainer(Trainer):
    """`Trainer` with our batches, losses and validation measure."""

    def __init__(
        self,
        *,
        batches: StepBatches,
        collator: "Collator",
        loss: Loss,
        validation: CandidateFile | None,
        others: OtherSignals | None,
        teaching: Teaching | None,
        **kwargs: Any,
    ) -> None:
        self.batches, self.collator, self.validation, self.others = batches, collator, validation, others
        self.loss: Loss | TaughtLoss = loss if teaching is None else TaughtLoss(loss, teaching.settings)
        lists = TrainingLists(batches.batches, None if teaching is None else teaching.scores)
        super().__init__(train_dataset=lists, eval_dataset=validation, **kwargs)

    def get_train_dataloader(self) -> DataLoader[Any]:
        """One epoch of `Trainer` is our whole run."""
        return DataLoader(
            cast(TrainingLists, self.train_dataset),
            batch_sampler=self.batches,
            collate_fn=partial(make_batch, collator=self.collator),
            # Its own, so that iterating takes nothing from the stream that dropout draws from.
            generator=torch.Generator(),
        )

    def get_batch_samples(
        self,
        epoch_iterator: Iterator[dict[str, Any]],
        num_batches: int,
        device: torch.device,  # noqa: ARG002
    ) -> tuple[list[dict[str, Any]], None]:
        """Give a step's batches, each with its weight in the step's mean."""
        step = list(islice(epoch_iterator, num_batches))
        for batch, weight in zip(step, self.batches.weights(self.state.global_step), strict=True):
            batch["loss_weight"] = weight
        return step, None

    def compute_loss(
        self,
        model: torch.nn.Module,
        inputs: dict[str, Tensor],
        return_outputs: bool = False,
        num_items_in_batch: Any = None,  # noqa: ARG002
    ) -> Any:
        inputs = dict(inputs)
        weight = inputs.pop("loss_weight")
        names = ("labels", "loss_list_sizes", "loss_scores")
        told = [inputs.pop(name) for name in names if name in inputs]
        logits = model(**inputs)
        loss = weight * self.loss(logits, *told)
        return (loss, logits) if return_outputs else loss

    def validation_logits(self) -> Floats:
        """Score the validation lists, or what a ranker's other signals leave the model to read of them."""
        assert self.validation is not None
        model, chosen = cast("AnswerSelectionModel", self.model), None
        if self.others is not None:
            chosen = self.others.worth_reading(self.validation, model.config.rerank_top_k, model.config.rerank_margin)
        with without_autocast(model):
            return score_lists(
                model,
                self.collator,
                self.validation,
                pairs_per_batch=model.pairs_at_once(self.batches.batches.max_pairs),
                processes=self.batches.processes,
                chosen=chosen,
            )

    def measured(self) -> Measures:
        """Measure the order of the validation lists that decides: the model's, or the one that it gives a ranker."""
        assert self.validation is not None
        logits = self.validation_logits()
        if self.others is not None:
            weight = cast("AnswerSelectionModel", self.model).config.signal_weight
            logits = self.others.with_model(logits, weight)
        return measure(logits, self.validation)

    def evaluate(self, *args: Any, **kwargs: Any) -> dict[str, float]:  # noqa: ARG002
        found = self.measured()
        metrics = {f"eval_{metric}": found.by(metric) for metric in METRICS}
        self.log(metrics)
        self.control = self.callback_handler.on_evaluate(self.args, self.state, self.control, metrics)
        return metrics

    def log(self, logs: dict[str, float], start_time: float | None = None) -> None:
        super().log(logs, start_time)
        # What it takes for its one epoch is the part of the run that is done.
        self.state.log_history[-1]["epoch"] = logs["epoch"] = self.epochs_done()

    def epochs_done(self) -> float:
        """Our epochs, with the fraction of the one that is not over."""
        ends = [0, *self.batches.batches.epoch_ends]
        done = min(self.state.global_step * self.batches.per_step, ends[-1])
        epoch = min(int(np.searchsorted(ends, done, side="right")), len(ends) - 1) - 1
        return epoch + (done - ends[epoch]) / (ends[epoch + 1] - ends[epoch])

    def _save_rng_state(self, output_dir: str) -> None:
        """Every process has its own; the file that makes a checkpoint a whole one is written after all of them."""
        super()._save_rng_state(output_dir)
        self.accelerator.wait_for_everyone()

    def floating_point_ops(self, inputs: dict[str, Any]) -> int:  # noqa: ARG002
        return 0


def _start_digest(model: "AnswerSelectionModel") -> str:
    """
    Tell what a run starts from, so that a killed one never goes on as another model.

    Token and word vectors are left out: those that are trained on a corpus may differ in their last bits.
    """
    known = hashlib.sha256(model.config.to_json_string(use_diff=False).encode())
    vectors = model.get_input_embeddings().weight
    for name, parameter in model.named_parameters():
        if parameter is not vectors:
            known.update(name.encode())
            known.update(parameter.detach().float().cpu().contiguous().numpy().tobytes())
    return known.hexdigest()[:16]


def _loss(settings: TrainingSettings) -> Loss:
    if settings.margin is None:
        return LOSSES[settings.loss]
    with_margin: Callable[..., Tensor] = LOSSES[settings.loss]
    return partial(with_margin, margin=settings.margin)


@contextmanager
def _checkpointed_layers(model: "AnswerSelectionModel", *, wanted: bool) -> Iterator[None]:
    """Let an encoder's layers be computed again in the backward pass, while it is trained."""
    if not wanted:
        yield
        return
    # transformers has renamed it; the old name goes with version 6.
    encoder = cast("PreTrainedModel", model.pretrained_encoder)
    kind = "activation" if hasattr(encoder, "activation_checkpointing_enable") else "gradient"
    getattr(encoder, f"{kind}_checkpointing_enable")({"use_reentrant": False})
    try:
        yield
    finally:
        getattr(encoder, f"{kind}_checkpointing_disable")()


def _arguments(checkpoints: Path, settings: TrainingSettings, steps: int, *, validate: bool) -> TrainingArguments:
    return arguments(
        checkpoints,
        settings,
        steps,
        gradient_accumulation_steps=settings.gradient_accumulation,
        # What a model has and does not use, as the linear one its projection, gets no gradient in any process.
        ddp_find_unused_parameters=True,
        lr_scheduler_type="constant_with_warmup" if settings.schedule == "constant" else settings.schedule,
        eval_strategy="steps" if validate else "no",
        # The best and the last.
        save_total_limit=2,
        load_best_model_at_end=validate,
        metric_for_best_model=settings.metric if validate else None,
        greater_is_better=True if validate else None,
    )


def _evaluation_steps(batches: StepBatches, per_epoch: int) -> set[int]:
    ends = [0, *batches.batches.epoch_ends]
    return {
        batches.step_of(start + math.ceil((end - start) * part / per_epoch))
        for start, end in pairwise(ends)
        for part in range(1, per_epoch + 1)
    }


def train(
    model: "AnswerSelectionModel",
    collator: "Collator",
    train_lists: Path,
    validation_lists: Path | None,
    output_dir: Path,
    settings: TrainingSettings,
    *,
    teaching: Teaching | None = None,
    progress: StepCallback | None = None,
    overwrite: bool = False,
) -> TrainingResult:
    """
    Train a model on candidate lists, and save it as a model folder.

    The model may be new or come from a folder. With validation lists the weights that order them best (by the
    settings' `metric`) are kept, the ones that the run started with among them. A run that was killed goes on from its
    last checkpoint when it is called again with the same arguments, and gives the weights that it would have given, but
    for their last bits; its checkpoints lie in ``<output_dir>/checkpoints`` until it is done. TensorBoard logs lie in
    ``<output_dir>/logs``.

    In several processes (see :mod:`processes`), each calls it with the same arguments and an equal model, takes its
    share of every step's batches, and ends with the same weights; the main one alone writes.

    :param model: the model, trained in place, in single precision.
    :param collator: its collator.
    :param train_lists: candidate lists (JSON Lines).
    :param validation_lists: others, to stop and to choose by; best with what BM25 really gave (`mode="retrieved"`).
    :param output_dir: the model folder to be.
    :param settings: how to train.
    :param teaching: what a teacher says of the training lists, if one is followed.
    :param progress: called after every step with the step, the number of steps and the latest logged figures; in the
        main process alone.
    :param overwrite: whether to replace a model, or to throw away an unfinished run, that is there.
    :returns: what came out.
    :raises FileExistsError: if there is a model or an unfinished run with other settings in `output_dir`.
    :raises ValueError: if a file has a broken line, or no list to learn from, or lists without labels and no teacher,
        or the precision is not the CPU's, or the model cannot do with `gradient_checkpointing`.
    :raises FloatingPointError: if training diverges.
    """
    _check_settings(settings, model)
    processes = Processes.joined(use_cpu=settings.use_cpu)
    output_dir, train_lists = Path(output_dir), Path(train_lists)
    refuse_finished(output_dir, overwrite=overwrite)
    batches = _batches(train_lists, collator, settings, processes, teaching)
    validation = None if validation_lists is None else CandidateFile(validation_lists, collator.pair_length)
    inputs = settings.to_dict() | {
        "train_lists": digest(train_lists),
        "validation_lists": validation and digest(validation.path),
        "model": _start_digest(model),
        "teacher": teaching and teaching.digest,
        "processes": processes.count,
    }
    checkpoint = processes.once(lambda: begin(output_dir, inputs, overwrite=overwrite))

    cast(torch.nn.Module, model).float()
    freeze = model.freezes_embeddings if settings.freeze_embeddings is None else settings.freeze_embeddings
    if model.pretrained_encoder is not None:
        model.pretrained_encoder.requires_grad_(not settings.freeze_encoder)
    model.get_input_embeddings().weight.requires_grad_(not (freeze or settings.freeze_encoder))
    trainer = _trainer(model, collator, batches, validation, output_dir, settings, teaching, progress)
    start = None if validation is None else _Start.of(model, trainer.measured())
    _take_steps(trainer, checkpoint, settings)
    best_step = _keep_best(trainer, start, settings.metric)
    report = None
    if validation is not None:
        report = calibrate(model, collator, trainer.validation_logits(), validation, settings, trainer.others)
    processes.once(lambda: _save(output_dir, model, collator))
    return TrainingResult(
        output_dir,
        trainer.state.global_step,
        best_step,
        trainer.epochs_done(),
        None if start is None else start.measures,
        report,
        trainer.state.log_history,
    )


def _check_settings(settings: TrainingSettings, model: "AnswerSelectionModel") -> None:
    """Refuse what the device, or the model, cannot do."""
    check_precision(settings.precision, use_cpu=settings.use_cpu)
    if settings.gradient_checkpointing and not model.supports_gradient_checkpointing:
        msg = f"training setting 'gradient_checkpointing' is True, but the model '{model.config.model_type}' has no "
        msg += "encoder whose layers can be computed again; expected False"
        raise ValueError(msg)
    if settings.list_size is not None and model.retrieval_meta:
        msg = f"training setting 'list_size' is {settings.list_size}, but the model reads scores of retrieval, which "
        msg += "answers of other lists do not have; expected nothing"
        raise ValueError(msg)
    if settings.encoder_learning_rate is not None and model.pretrained_encoder is None:
        msg = f"training setting 'encoder_learning_rate' is {settings.encoder_learning_rate}, but the model "
        msg += f"'{model.config.model_type}' has no encoder of Hugging Face; expected nothing"
        raise ValueError(msg)
    if settings.freeze_encoder and model.pretrained_encoder is None:
        msg = f"training setting 'freeze_encoder' is True, but the model '{model.config.model_type}' has no encoder of "
        msg += "Hugging Face; expected False"
        raise ValueError(msg)


def _batches(
    lists: Path,
    collator: "Collator",
    settings: TrainingSettings,
    processes: Processes,
    teaching: Teaching | None,
) -> StepBatches:
    """The batches of every step, as many of them as this process takes."""
    file = CandidateFile(lists, collator.pair_length)
    if teaching is None and not file.labelled.all():
        msg = f"{lists}: list {int(np.argmin(file.labelled)) + 1} has no labels ('{UNLABELLED}' in its query_meta); "
        msg += "expected a teacher that ranks its candidates"
        raise ValueError(msg)
    if teaching is not None and len(teaching.scores) != len(file.labels):
        msg = f"{lists}: {len(file.labels)} candidates, but the teacher's scores are {len(teaching.scores)}"
        raise ValueError(msg)
    batches = TrainingBatches(
        file,
        negatives=settings.negatives,
        list_size=settings.list_size,
        max_pairs=settings.pairs_per_batch,
        epochs=settings.epochs,
        seed=settings.seed,
        # A teacher has something to say of every list.
        both_labels=settings.loss in NEEDS_BOTH_LABELS and teaching is None,
    )
    return StepBatches(batches, settings.gradient_accumulation, processes)


def _trainer(
    model: "AnswerSelectionModel",
    collator: "Collator",
    batches: StepBatches,
    validation: CandidateFile | None,
    output_dir: Path,
    settings: TrainingSettings,
    teaching: Teaching | None,
    progress: StepCallback | None,
) -> _Trainer:
    """What takes the steps: it validates and saves where epochs are divided; the main process alone shows and logs."""
    processes = batches.processes
    others = None
    if validation is not None and _reads_some(model):
        device = component_device(use_cpu=settings.use_cpu)
        others = processes.once(lambda: OtherSignals.of(validation, collator, device))
    trainer = _Trainer(
        model=model,
        args=_arguments(output_dir / CHECKPOINTS, settings, batches.steps, validate=validation is not None),
        batches=batches,
        collator=collator,
        loss=_loss(settings),
        validation=validation,
        others=others,
        teaching=teaching,
        optimizers=(make_optimizer(model, settings), None),
        callbacks=[
            _EarlyStopping(
                _evaluation_steps(batches, settings.evaluations_per_epoch),
                settings.patience,
                settings.metric,
                validate=validation is not None,
                progress=progress if processes.main else None,
            )
        ],
    )
    trainer.remove_callback(PrinterCallback)
    if processes.index:
        # Trainer has seeded all alike; dropout is to be of each one's own.
        torch.manual_seed(settings.seed + processes.index)
    for callback in tensorboard(output_dir / LOGS) if processes.main else ():
        trainer.add_callback(callback)
    return trainer


def _reads_some(model: "AnswerSelectionModel") -> bool:
    """Whether a ranker lets the model read only what the other signals put first."""
    config = model.config
    return config.signals and (config.rerank_top_k is not None or config.rerank_margin is not None)


@dataclass(frozen=True, slots=True)
class _Start:
    """The trained weights before the first step, and what they reach on the validation lists."""

    measures: Measures
    weights: dict[str, Tensor]

    @classmethod
    def of(cls, model: "AnswerSelectionModel", measures: Measures) -> "_Start":
        frozen = {name for name, parameter in model.named_parameters() if not parameter.requires_grad}
        return cls(measures, {name: value.clone() for name, value in model.state_dict().items() if name not in frozen})


@contextmanager
def _plain_attention(model: "AnswerSelectionModel", *, wanted: bool) -> Iterator[None]:
    """Let an encoder attend by plain products of matrices, while it is trained."""
    encoder = cast("PreTrainedModel | None", model.pretrained_encoder)
    if encoder is None or not wanted:
        yield
        return
    usual = encoder.config._attn_implementation
    encoder.set_attn_implementation("eager")
    try:
        yield
    finally:
        encoder.set_attn_implementation(usual)


def _take_steps(trainer: _Trainer, checkpoint: Path | None, settings: TrainingSettings) -> None:
    """Train, from a checkpoint if there is one."""
    model = cast("AnswerSelectionModel", trainer.model)
    # In bfloat16 the backward pass of torch's attention is slow on CPUs.
    plain = settings.precision == "bfloat16" and on_cpu(use_cpu=settings.use_cpu)
    layers = _checkpointed_layers(model, wanted=settings.gradient_checkpointing)
    try:
        with quiet_transformers(), layers, _plain_attention(model, wanted=plain):
            trainer.train(resume_from_checkpoint=None if checkpoint is None else str(checkpoint))
    finally:
        remove_autocast(model)


def _keep_best(trainer: _Trainer, start: _Start | None, metric: str) -> int:
    """Give the model the best weights, those that it started with among them; their step. The last without a start."""
    if start is None:
        return trainer.state.global_step
    # `Trainer` has loaded the best of its own.
    if start.measures.by(metric) > (trainer.state.best_metric or 0.0):
        cast("AnswerSelectionModel", trainer.model).load_state_dict(start.weights, strict=False)
        return 0
    return trainer.state.best_global_step or 0


def _save(output_dir: Path, model: "AnswerSelectionModel", collator: "Collator") -> None:
    """Save the model; only then is the run done, and can no longer be gone on with."""
    with quiet_transformers():
        registry.save(output_dir, model, collator)
    shutil.rmtree(output_dir / CHECKPOINTS)
