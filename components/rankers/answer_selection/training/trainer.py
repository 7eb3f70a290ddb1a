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
from itertools import islice, pairwise, product
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import torch
from haystack_integrations.components.rankers.answer_selection.models import registry
from haystack_integrations.components.rankers.answer_selection.models.base import SCORED_AT_ONCE
from haystack_integrations.components.rankers.answer_selection.models.transformers_log import quiet_transformers
from haystack_integrations.components.rankers.answer_selection.training.batches import (
    StepBatches,
    TrainingBatches,
    TrainingLists,
    pack,
)
from haystack_integrations.components.rankers.answer_selection.training.calibration import fit_scale
from haystack_integrations.components.rankers.answer_selection.training.dataset import (
    CandidateFile,
    Floats,
    ListSample,
)
from haystack_integrations.components.rankers.answer_selection.training.digests import digest
from haystack_integrations.components.rankers.answer_selection.training.losses import LOSSES, NEEDS_BOTH_LABELS, Loss
from haystack_integrations.components.rankers.answer_selection.training.processes import ALONE, Processes
from haystack_integrations.components.rankers.answer_selection.training.runs import (
    Progress,
    Stops,
    arguments,
    begin,
    check_precision,
    tensorboard,
)
from haystack_integrations.components.rankers.answer_selection.training.settings import TrainingSettings
from haystack_integrations.components.rankers.answer_selection.training.validation import (
    METRICS,
    Measures,
    choose_weight,
    measure,
    measure_retriever,
)
from torch import Tensor
from torch.utils.data import DataLoader
from transformers import Trainer, TrainerControl, TrainerState, TrainingArguments
from transformers.trainer_callback import PrinterCallback

if TYPE_CHECKING:
    from haystack_integrations.components.rankers.answer_selection.models.base import AnswerSelectionModel, Collator

# Units of log-odds for one standard deviation of the retriever's score, see `mixing.mix`.
RETRIEVER_WEIGHTS = (0.0, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0)
# The GGSA paper's "RMSProp with momentum" has no number; this is the customary one.
_MOMENTUM = 0.9

# Attributes of a model whose `forward` accelerate has put autocast around.
_AUTOCAST = ("forward", "_original_forward")


@dataclass(frozen=True, slots=True, kw_only=True)
class Validation:
    """
    How the kept model orders the validation lists, beside the retriever's own order.

    :param lists: how many lists.
    :param metric: the measure that decided, one of `validation.METRICS`.
    :param model: the model alone.
    :param retriever: the retriever's order, or None where the lists do not tell it.
    :param mixed: the model with the retriever's score mixed in, or None where the lists have no scores.
    :param retriever_weight: the weight in the model's configuration, which `mixed` was measured with.
    :param weight_was_chosen: whether it was chosen on these lists (`mixed` then looks a little better than it is).
    :param deployed: whether the lists are real queries with what the deployed retriever gives for them. If not, what
        the retriever reached says little of the search that a user will run.
    """

    lists: int
    metric: str
    model: Measures
    retriever: Measures | None
    mixed: Measures | None
    retriever_weight: float
    weight_was_chosen: bool
    deployed: bool

    @property
    def beats_retriever(self) -> bool | None:
        """
        Whether the ranking as deployed is better than the retriever's order; None if that order is not known.

        As deployed, the retriever's score is mixed in with the configured weight, where the lists have scores.
        """
        if self.retriever is None:
            return None
        return (self.mixed or self.model).by(self.metric) > self.retriever.by(self.metric)

    def verdict(self) -> str:
        """Say plainly what came out, the advice first."""
        name = self.metric.upper()
        model = f"the model alone has {name} {self.model.by(self.metric):.4f}"
        if self.mixed is not None and self.retriever_weight:
            model += f", with the retriever's score mixed in (weight {self.retriever_weight:g}) "
            model += f"{self.mixed.by(self.metric):.4f}"
        elif self.weight_was_chosen:
            model += ", and no more with the retriever's score mixed in"
        if self.retriever is None:
            return f"On {self.lists} validation lists {model}. The lists do not say in which order BM25 had them."
        said = f"On {self.lists} validation lists {model}; BM25's own order has {self.retriever.by(self.metric):.4f}."
        if not self.beats_retriever:
            return f"Keep BM25: this model does not improve on it here. {said}"
        if not self.deployed:
            said += (
                " These are not real queries to the search that you will run, so this is no comparison with it: "
                "give real queries (validation) to get one."
            )
        return said


@dataclass(frozen=True, slots=True)
class TrainingResult:
    """
    What a run came to.

    :param folder: the model folder.
    :param steps: steps taken.
    :param best_step: the step whose weights were kept; 0 if those that the run started with were better than all.
    :param epochs: epochs taken, fractions included.
    :param start: the validation measures before the first step.
    :param validation: the kept model's, or None without validation lists.
    :param history: what was logged, step by step.
    """

    folder: Path
    steps: int
    best_step: int
    epochs: float
    start: Measures | None
    validation: Validation | None
    history: list[dict[str, float]]

    def verdict(self) -> str | None:
        """Say plainly what came out; None without validation lists."""
        if self.validation is None:
            return None
        said = self.validation.verdict()
        if self.best_step:
            return said
        return f"{said} Training did not improve the order: the weights that it started with were kept."


def make_batch(samples: Sequence[ListSample], collator: "Collator") -> dict[str, Tensor]:
    """
    Collate lists, and tell the loss what it needs beside the model's own tensors.

    :param samples: the lists.
    :param collator: the model's collator.
    :returns: the model's arguments, `labels` [n_pairs] and `loss_list_sizes` [n_lists].
    """
    batch: dict[str, Tensor] = collator([record for sample in samples for record in sample.records])
    batch["labels"] = torch.tensor([label for sample in samples for label in sample.labels], dtype=torch.float32)
    # The model's `list_sizes` merge neighbours with the same query text; to the loss they remain two lists.
    batch["loss_list_sizes"] = torch.tensor([len(sample.labels) for sample in samples])
    return batch


def score_lists(
    model: "AnswerSelectionModel",
    collator: "Collator",
    file: CandidateFile,
    *,
    pairs_per_batch: int = SCORED_AT_ONCE,
    processes: Processes = ALONE,
) -> Floats:
    """
    Score all candidates of a file.

    :param model: the model; it is left in evaluation mode.
    :param collator: the model's collator.
    :param file: the lists.
    :param pairs_per_batch: the most pairs in a batch.
    :param processes: those that take a share each of the batches; all score with the main one's weights.
    :returns: log-odds, list after list, [n_pairs].
    :raises FloatingPointError: if a logit is not finite.
    """
    model.train(False)
    processes.spread(model.state_dict().values())
    logits = np.zeros(len(file.labels))
    longest = np.zeros(len(file), dtype=np.int64)
    np.maximum.at(longest, file.list_of_pair, file.lengths)
    order = [index for index in np.argsort(longest, kind="stable") if file.sizes[index]]
    with torch.inference_mode():
        for batch in pack(order, file.sizes, pairs_per_batch)[processes.index :: processes.count]:
            records = [record for i in batch for record in file.sample(i, file.pairs(i)).records]
            places = np.concatenate([file.starts[i] + np.arange(file.sizes[i]) for i in batch])
            for start in range(0, len(records), pairs_per_batch):
                some = slice(start, start + pairs_per_batch)
                logits[places[some]] = model.score(collator(records[some]))
    logits = processes.add_up(logits, model.device)
    if not np.isfinite(logits).all():
        msg = "the model's logits are no longer finite; a lower learning_rate or max_grad_norm may help"
        raise FloatingPointError(msg)
    return logits


class _Flow(Stops):
    """Stops early, too."""

    def __init__(
        self, stops: set[int], patience: int, metric: str, *, validate: bool, progress: Progress | None
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
        **kwargs: Any,
    ) -> None:
        self.batches, self.collator, self.loss, self.validation = batches, collator, loss, validation
        super().__init__(train_dataset=TrainingLists(batches.batches), eval_dataset=validation, **kwargs)

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
        labels, list_sizes, weight = (inputs.pop(name) for name in ("labels", "loss_list_sizes", "loss_weight"))
        logits = model(**inputs)
        loss = weight * self.loss(logits, labels, list_sizes)
        return (loss, logits) if return_outputs else loss

    def evaluate(self, *args: Any, **kwargs: Any) -> dict[str, float]:  # noqa: ARG002
        assert self.validation is not None
        model = cast("AnswerSelectionModel", self.model)
        with _without_autocast(model):
            logits = score_lists(
                model,
                self.collator,
                self.validation,
                pairs_per_batch=model.pairs_at_once(self.batches.batches.max_pairs),
                processes=self.batches.processes,
            )
        found = measure(logits, self.validation)
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


@contextmanager
def _without_autocast(model: torch.nn.Module) -> Iterator[None]:
    """Take off the autocast that accelerate puts around an instance's `forward`: what is kept has to do without."""
    wrapped = {name: vars(model).pop(name) for name in _AUTOCAST if name in vars(model)}
    try:
        yield
    finally:
        vars(model).update(wrapped)


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


def _optimizer(model: "AnswerSelectionModel", settings: TrainingSettings) -> torch.optim.Optimizer:
    trained = [parameter for _, parameter in model.named_parameters() if parameter.requires_grad]
    if not trained:
        msg = "the model has no parameter that is trained"
        raise ValueError(msg)
    encoder = model.pretrained_encoder
    inside = set() if encoder is None else {id(parameter) for _, parameter in encoder.named_parameters()}
    rates = {True: settings.encoder_learning_rate or settings.learning_rate, False: settings.learning_rate}
    groups = [
        {
            "params": [p for p in trained if (id(p) in inside, p.ndim > 1) == (in_encoder, decayed)],
            "lr": rates[in_encoder],
            "weight_decay": settings.weight_decay if decayed else 0.0,
        }
        for in_encoder, decayed in product((False, True), (True, False))
    ]
    groups = [group for group in groups if group["params"]]
    if settings.optimizer == "rmsprop":
        return torch.optim.RMSprop(groups, lr=settings.learning_rate, momentum=_MOMENTUM)
    kind = torch.optim.AdamW if settings.optimizer == "adamw" else torch.optim.Adam
    return kind(groups, lr=settings.learning_rate)


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
    kind = "activation" if hasattr(model, "activation_checkpointing_enable") else "gradient"
    getattr(model, f"{kind}_checkpointing_enable")({"use_reentrant": False})
    try:
        yield
    finally:
        getattr(model, f"{kind}_checkpointing_disable")()


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
    progress: Progress | None = None,
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
    :param progress: called after every step with the step, the number of steps and the latest logged figures; in the
        main process alone.
    :param overwrite: whether to replace a model, or to throw away an unfinished run, that is there.
    :returns: what came out.
    :raises FileExistsError: if there is a model or an unfinished run with other settings in `output_dir`.
    :raises ValueError: if a file has a broken line, or no list to learn from, or the precision is not the CPU's, or the
        model cannot do with `gradient_checkpointing`.
    :raises FloatingPointError: if training diverges.
    """
    check_precision(settings.precision, use_cpu=settings.use_cpu)
    if settings.gradient_checkpointing and not model.supports_gradient_checkpointing:
        msg = f"training setting 'gradient_checkpointing' is True, but the model '{model.config.model_type}' has no "
        msg += "encoder whose layers can be computed again; expected False"
        raise ValueError(msg)
    if settings.encoder_learning_rate is not None and model.pretrained_encoder is None:
        msg = f"training setting 'encoder_learning_rate' is {settings.encoder_learning_rate}, but the model "
        msg += f"'{model.config.model_type}' has no encoder of Hugging Face; expected nothing"
        raise ValueError(msg)
    processes = Processes.joined(use_cpu=settings.use_cpu)
    output_dir, train_lists = Path(output_dir), Path(train_lists)
    checkpoints = output_dir / "checkpoints"
    # Checkpoints beside a model are of a run that was killed while it saved it, or that was allowed to replace it.
    if (output_dir / "model.safetensors").exists() and not overwrite and not (checkpoints / "run.json").exists():
        msg = f"{output_dir} already holds a model; overwrite=True replaces it"
        raise FileExistsError(msg)
    all_batches = TrainingBatches(
        CandidateFile(train_lists, collator.pair_length),
        negatives=settings.negatives,
        list_size=settings.list_size,
        max_pairs=settings.pairs_per_batch,
        epochs=settings.epochs,
        seed=settings.seed,
        both_labels=settings.loss in NEEDS_BOTH_LABELS,
    )
    batches = StepBatches(all_batches, settings.gradient_accumulation, processes)
    validation = None if validation_lists is None else CandidateFile(validation_lists, collator.pair_length)
    wanted = settings.to_dict() | {
        "train_lists": digest(train_lists),
        "validation_lists": validation and digest(validation.path),
        "model": _start_digest(model),
        "processes": processes.count,
    }
    checkpoint = processes.once(lambda: begin(checkpoints, wanted, overwrite=overwrite))

    cast(torch.nn.Module, model).float()
    freeze = model.freezes_embeddings if settings.freeze_embeddings is None else settings.freeze_embeddings
    model.get_input_embeddings().weight.requires_grad_(not freeze)
    trainer = _Trainer(
        model=model,
        args=_arguments(checkpoints, settings, batches.steps, validate=validation is not None),
        batches=batches,
        collator=collator,
        loss=_loss(settings),
        validation=validation,
        optimizers=(_optimizer(model, settings), None),
        callbacks=[
            _Flow(
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
    for callback in tensorboard(output_dir / "logs") if processes.main else ():
        trainer.add_callback(callback)

    start, start_weights = None, {}
    if validation is not None:
        at_once = model.pairs_at_once(settings.pairs_per_batch)
        scored = score_lists(model, collator, validation, pairs_per_batch=at_once, processes=processes)
        start = measure(scored, validation)
        frozen = {name for name, parameter in model.named_parameters() if not parameter.requires_grad}
        start_weights = {name: value.clone() for name, value in model.state_dict().items() if name not in frozen}
    try:
        with quiet_transformers(), _checkpointed_layers(model, wanted=settings.gradient_checkpointing):
            trainer.train(resume_from_checkpoint=None if checkpoint is None else str(checkpoint))
    finally:
        for name in _AUTOCAST:
            vars(model).pop(name, None)
    best_step = trainer.state.global_step
    if start is not None:
        best_step = trainer.state.best_global_step or 0
        if start.by(settings.metric) > (trainer.state.best_metric or 0.0):
            best_step = 0
            model.load_state_dict(start_weights, strict=False)
    report = None if validation is None else _validate(model, collator, validation, settings, processes)

    def finish() -> None:
        with quiet_transformers():
            registry.save(output_dir, model, collator)
        shutil.rmtree(checkpoints)

    processes.once(finish)
    return TrainingResult(
        output_dir,
        trainer.state.global_step,
        best_step,
        trainer.epochs_done(),
        start,
        report,
        trainer.state.log_history,
    )


def _validate(
    model: "AnswerSelectionModel",
    collator: "Collator",
    file: CandidateFile,
    settings: TrainingSettings,
    processes: Processes,
) -> Validation:
    """Calibrate and measure the kept model; choose the retriever's weight if that is allowed and can be done."""
    at_once = model.pairs_at_once(settings.pairs_per_batch)
    logits = score_lists(model, collator, file, pairs_per_batch=at_once, processes=processes)
    if fitted := fit_scale(logits, file.labels):
        model.scale_logits(*fitted)
        logits = fitted[0] * logits + fitted[1]
    weight = model.config.retriever_weight
    weights = RETRIEVER_WEIGHTS if settings.choose_retriever_weight else (weight,)
    mixed = choose_weight(logits, file, weights, settings.metric)
    chosen = settings.choose_retriever_weight and mixed is not None
    if mixed is not None:
        model.config.retriever_weight = mixed[0]
    return Validation(
        lists=len(file),
        metric=settings.metric,
        model=measure(logits, file),
        retriever=measure_retriever(file),
        mixed=mixed[1] if mixed else None,
        retriever_weight=model.config.retriever_weight,
        weight_was_chosen=chosen,
        deployed=settings.choose_retriever_weight,
    )
