# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""From a teacher and texts to a small sentence encoder, by ``transformers.Trainer``."""

import math
import shutil
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from torch import Tensor, nn

from answer_selection.indexing.artifact import text_digest
from answer_selection.indexing.progress import Progress
from haystack_integrations.components.embedders.answer_selection.distillation.batches import (
    DistillationBatches,
    Numbers,
)
from haystack_integrations.components.embedders.answer_selection.distillation.drawn_words import drawn_texts
from haystack_integrations.components.embedders.answer_selection.distillation.settings import DistillationSettings
from haystack_integrations.components.embedders.answer_selection.distillation.student import (
    Start,
    Student,
    chosen_layers,
    make_start,
    mean_vectors,
    quantize,
    round_weights,
    save,
)
from haystack_integrations.components.embedders.answer_selection.distillation.teacher import Teacher
from haystack_integrations.components.embedders.answer_selection.distillation.teacher_states import write_states
from haystack_integrations.components.embedders.answer_selection.distillation.vocabulary import prune
from haystack_integrations.components.rankers.answer_selection.training.checkpoints import (
    CHECKPOINTS,
    LOGS,
    begin,
    refuse_finished,
)
from haystack_integrations.components.rankers.answer_selection.training.device import check_precision
from haystack_integrations.components.rankers.answer_selection.training.processes import refuse_several
from haystack_integrations.components.rankers.answer_selection.training.transformers_trainer import (
    BatchesTrainer,
    Stops,
    batch_arguments,
    even_stops,
    tensorboard,
)

# What is measured on: few texts say enough, and measuring should take little of the time.
_HELD_OUT_PART, _MOST_HELD_OUT = 0.01, 1500
# Fewer teach nothing that a table of their vectors would not.
_FEWEST_TEXTS: Final = 50
# A batch's similarities differ by tenths, and their squares by hundredths.
_SIMILARITY_WEIGHT: Final = 10.0


@dataclass(frozen=True, slots=True)
class DistillationResult:
    """
    What a run came to.

    :param folder: the student's folder.
    :param texts: different texts that were given.
    :param made: texts that were made from them.
    :param held_out: texts that were measured by; nothing was learned or made from them.
    :param steps: steps taken.
    :param parameters: numbers that the student has.
    :param start: what they began with.
    :param cosine: the mean cosine of the student's vectors to the teacher's, over the held-out texts.
    :param history: what was logged, step by step.
    """

    folder: Path
    texts: int
    made: int
    held_out: int
    steps: int
    parameters: int
    start: Start
    cosine: float
    history: list[dict[str, float]]

    def verdict(self) -> str:
        """Say plainly what came out."""
        return (
            f"{self.steps} steps on {self.texts - self.held_out} texts and {self.made} that were made from them; the "
            f"vectors of {self.held_out} texts that were held out have a mean cosine of {self.cosine:.4f} to the "
            f"teacher's. The encoder has {self.parameters / 1e6:.1f} million parameters."
        )


def distillation_loss(outputs: Tensor, batch: Mapping[str, Tensor]) -> Tensor:
    """
    Say how far a student is from its teacher.

    Three parts: texts' vectors should point where the teacher's do; texts should be as similar to one another as they
    are to the teacher; and each token's output should point where the teacher's does, which is many signals a text.

    :param outputs: what the student gives for the batch's tokens.
    :param batch: see :class:`DistillationBatches`.
    :returns: the loss.
    """
    outputs = outputs.float()
    vectors, wanted = mean_vectors(outputs, batch["attention_mask"]), batch["vectors"]
    loss = vectors_loss(vectors, wanted)
    aligned = batch["aligned"]
    if aligned.any():
        loss = loss + (1 - nn.functional.cosine_similarity(outputs[aligned], batch["states"][aligned], dim=-1)).mean()
    return loss


def vectors_loss(vectors: Tensor, wanted: Tensor) -> Tensor:
    """
    Say how far texts' vectors are from those that they should have: by where they point, and by how similar they are.

    :param vectors: unit vectors [n, d].
    :param wanted: unit vectors [n, d].
    :returns: the loss.
    """
    off = (1 - (vectors * wanted).sum(1)).mean()
    return off + _SIMILARITY_WEIGHT * (vectors @ vectors.T - wanted @ wanted.T).square().mean()


def mean_cosine(student: Student, batches: Iterable[Mapping[str, Tensor]]) -> float:
    """
    Compare a student's vectors with the teacher's.

    :param student: the student.
    :param batches: texts, see :meth:`DistillationBatches.measured`.
    :returns: their mean cosine.
    """
    device = next(student.parameters()).device
    training, total, count = student.training, 0.0, 0
    student.eval()
    with torch.inference_mode():
        for batch in batches:
            given = {name: batch[name].to(device) for name in ("input_ids", "attention_mask")}
            vectors = mean_vectors(student(**given).float(), given["attention_mask"])
            total += (vectors.cpu() * batch["vectors"]).sum().item()
            count += len(vectors)
    student.train(training)
    return total / count


class _Trainer(BatchesTrainer[DistillationBatches]):
    """
    `Trainer` with our batches, loss and measure.

    Sentence-transformers' own trainer tokenises columns of texts into batches of so many. Ours are of so many tokens,
    have a target for each token, and depend on seed and step alone, so that a killed run goes on exactly.
    """

    def __init__(self, *, batches: DistillationBatches, held_out: Numbers, **kwargs: Any) -> None:
        self.held_out = held_out
        super().__init__(batches, **kwargs)

    def compute_loss(
        self,
        model: nn.Module,
        inputs: dict[str, Tensor],
        return_outputs: bool = False,  # noqa: ARG002
        num_items_in_batch: Any = None,  # noqa: ARG002
    ) -> Any:
        outputs = model(inputs["input_ids"], inputs["attention_mask"])
        # Products of unit vectors need more digits than bfloat16 has.
        with torch.autocast(outputs.device.type, enabled=False):
            return distillation_loss(outputs, inputs)

    def evaluate(self, *args: Any, **kwargs: Any) -> dict[str, float]:  # noqa: ARG002
        assert isinstance(self.model, Student)
        metrics = {"eval_cosine": mean_cosine(self.model, self.batches.measured(self.held_out))}
        if not math.isfinite(metrics["eval_cosine"]):
            msg = "the student's vectors are no longer finite; a lower learning_rate or max_grad_norm may help"
            raise FloatingPointError(msg)
        return self.measured(metrics)


def distil(
    teacher: Teacher,
    texts: Iterable[str],
    output_dir: Path,
    settings: DistillationSettings,
    progress: Progress,
    *,
    states: Path | None = None,
    finish: Callable[[DistillationResult], object] | None = None,
    overwrite: bool = False,
) -> DistillationResult:
    """
    Make a small sentence encoder that gives nearly a teacher's vectors, in a folder that sentence-transformers reads.

    A run that was killed goes on from its last checkpoint when it is called again with the same arguments, and gives
    the weights that it would have given, but for their last bits; its checkpoints lie in ``<output_dir>/checkpoints``
    until it is done. TensorBoard logs lie in ``<output_dir>/logs``.

    :param teacher: the teacher.
    :param texts: the texts, which memory has to hold.
    :param output_dir: the student's folder to be.
    :param settings: the student's sizes, and how to train.
    :param progress: shows progress.
    :param states: the folder of the teacher's states, which another student can use again. By default they lie with the
        checkpoints and go with them.
    :param finish: writes what else belongs into the folder. It is called while the run can still be gone on with.
    :param overwrite: whether to replace an encoder, or to throw away an unfinished run, that is there.
    :returns: what came out.
    :raises FileExistsError: if there is an encoder or an unfinished run of something else in `output_dir`, or `states`
        are another teacher's or other texts'.
    :raises ValueError: if there are too few texts, the teacher has too few layers, the vocabulary has no room for all
        characters, the precision is not the device's, or several processes were started.
    :raises FloatingPointError: if training diverges.
    """
    refuse_several()
    check_precision(settings.precision, use_cpu=settings.use_cpu)
    given = list(dict.fromkeys(texts))
    if len(given) < _FEWEST_TEXTS:
        msg = f"there are {len(given)} different texts; expected at least {_FEWEST_TEXTS}, and better many thousands"
        raise ValueError(msg)
    # Said before anything is written.
    chosen_layers(settings.layers, teacher.layers)
    if settings.max_length > teacher.max_length:
        settings.refuse("max_length", f"at most {teacher.max_length}, what the teacher reads")
    output_dir = Path(output_dir)
    refuse_finished(output_dir, overwrite=overwrite)
    inputs = settings.to_dict() | {"teacher": teacher.fingerprint, "texts": text_digest(given)}
    checkpoint = begin(output_dir, inputs, overwrite=overwrite)
    checkpoints = output_dir / CHECKPOINTS

    order = np.random.default_rng(settings.seed).permutation(len(given))
    held_out, kept = np.split(order, [min(max(1, int(len(given) * _HELD_OUT_PART)), _MOST_HELD_OUT)])
    # The vocabulary is in the order of its ids.
    words = sorted(vocabulary := teacher.tokenizer.get_vocab(), key=vocabulary.__getitem__)
    drawn = drawn_texts([given[number] for number in sorted(kept)], words, settings.seed)
    whole = list(dict.fromkeys([*given, *drawn]))
    learned = np.concatenate([kept, np.arange(len(given), len(whole))])

    pruned = prune(teacher.tokenizer, given, settings.vocabulary, special=teacher.special)
    taught = write_states(teacher, whole, states or checkpoints / "teacher", progress)
    encoder, start = make_start(checkpoints / "start", teacher, pruned, [given[number] for number in kept], settings)
    student = Student(encoder)
    if settings.quantized:
        quantize(student.network)
    batches = DistillationBatches(whole, taught, learned, pruned, settings, len(vocabulary))
    stops = even_stops(len(batches), settings.evaluations)
    with progress("distilling", len(batches)) as bar:
        trainer = _Trainer(
            model=student,
            args=batch_arguments(checkpoints, settings, len(batches), adam_beta2=0.98, eval_strategy="steps"),
            batches=batches,
            held_out=held_out,
            callbacks=[
                Stops(stops, progress=lambda step, steps, _: bar(step, steps)),
                *tensorboard(output_dir / LOGS),
            ],
        )
        trainer.take_steps(checkpoint)
    round_weights(student.network, quantized=settings.quantized)
    save(student, output_dir, quantized=settings.quantized)
    result = DistillationResult(
        output_dir,
        len(given),
        len(whole) - len(given),
        len(held_out),
        trainer.state.global_step,
        sum(weights.numel() for weights in student.parameters()),
        start,
        mean_cosine(student, batches.measured(held_out)),
        trainer.state.log_history,
    )
    if finish is not None:
        finish(result)
    shutil.rmtree(checkpoints)
    return result
