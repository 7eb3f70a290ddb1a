# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Fine-tuning a sentence encoder on questions and their answers, by ``transformers.Trainer``."""

import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from answer_selection.indexing.artifact import text_digest
from answer_selection.indexing.progress import Progress
from haystack_integrations.components.embedders.answer_selection.tuning.loss import multiple_negatives_loss
from haystack_integrations.components.embedders.answer_selection.tuning.pairs import Pair, TuningBatches
from haystack_integrations.components.embedders.answer_selection.tuning.settings import TuningSettings
from haystack_integrations.components.embedders.answer_selection.tuning.trainable_encoder import TrainableEncoder
from haystack_integrations.components.rankers.answer_selection.encoders.encoder_folder import find_folder, read_folder
from haystack_integrations.components.rankers.answer_selection.models.model_folder import refused
from haystack_integrations.components.rankers.answer_selection.training.checkpoints import CHECKPOINTS, LOGS, begin
from haystack_integrations.components.rankers.answer_selection.training.device import check_precision
from haystack_integrations.components.rankers.answer_selection.training.transformers_trainer import (
    BatchesTrainer,
    Stops,
    batch_arguments,
    even_stops,
    tensorboard,
)


@dataclass(frozen=True, slots=True)
class TuningResult:
    """
    What a run came to.

    :param folder: the encoder's folder.
    :param pairs: pairs that were learned from.
    :param steps: steps taken.
    :param history: what was logged, step by step.
    """

    folder: Path
    pairs: int
    steps: int
    history: list[dict[str, float]]


class _Trainer(BatchesTrainer[TuningBatches]):
    """`Trainer` with our batches and loss."""

    def compute_loss(
        self,
        model: nn.Module,
        inputs: dict[str, Tensor],
        return_outputs: bool = False,  # noqa: ARG002
        num_items_in_batch: Any = None,  # noqa: ARG002
    ) -> Any:
        questions = model(inputs["question_ids"], inputs["question_mask"])
        texts = model(inputs["text_ids"], inputs["text_mask"])
        # Products of unit vectors need more digits than bfloat16 has.
        with torch.autocast(questions.device.type, enabled=False):
            return multiple_negatives_loss(
                questions.float(), texts.float(), inputs["also_right"], self.batches.settings.scale
            )


def tune(
    encoder: str,
    pairs: Sequence[Pair],
    output_dir: Path,
    settings: TuningSettings,
    progress: Progress,
    *,
    finish: Callable[[TuningResult], object],
) -> TuningResult:
    """
    Fine-tune a sentence encoder.

    A run that was killed goes on from its last checkpoint when it is called again with the same arguments, and gives
    the weights that it would have given, but for their last bits; its checkpoints lie in ``<output_dir>/checkpoints``
    until it is done. TensorBoard logs lie in ``<output_dir>/logs``.

    :param encoder: a folder, a name on the hub, or that of the encoder of this package.
    :param pairs: what is learned from.
    :param output_dir: the encoder's folder to be.
    :param settings: how to train.
    :param progress: shows progress.
    :param finish: what is done with the encoder once its folder is written. It is called while the run can still be
        gone on with.
    :returns: what came out.
    :raises FileExistsError: if there is an unfinished run of something else in `output_dir`.
    :raises ValueError: if there is no such encoder, or none that can be trained, or too few pairs.
    :raises FloatingPointError: if training diverges.
    """
    check_precision(settings.precision, use_cpu=settings.use_cpu)
    if len(pairs) < 2:
        msg = f"there are {len(pairs)} questions with an answer; expected at least 2, and better hundreds"
        raise ValueError(msg)
    folder = read_folder(find_folder(encoder, None, None))
    digest = text_digest(chain.from_iterable(map(_texts, pairs)))
    inputs = settings.to_dict() | {"encoder": folder.fingerprint(), "pairs": digest}
    checkpoint = begin(output_dir, inputs, overwrite=False)
    checkpoints = output_dir / CHECKPOINTS
    # Before the network is read: a pooling layer that the file lacks is drawn at random.
    torch.manual_seed(settings.seed)
    with refused(f"the encoder in {folder.path} cannot be trained"):
        model = TrainableEncoder(folder)
    batches = TuningBatches(pairs, model.tokenizer, model.padding, settings)
    with progress("fine-tuning the encoder", len(batches)) as bar:
        trainer = _Trainer(
            model=model,
            args=batch_arguments(checkpoints, settings, len(batches)),
            batches=batches,
            callbacks=[
                Stops(
                    even_stops(len(batches), settings.checkpoints),
                    measured=False,
                    progress=lambda step, steps, _: bar(step, steps),
                ),
                *tensorboard(output_dir / LOGS),
            ],
        )
        trainer.take_steps(checkpoint)
    if not all(torch.isfinite(weights).all() for weights in model.parameters()):
        msg = "the encoder's weights are no longer finite; a lower learning_rate or max_grad_norm may help"
        raise FloatingPointError(msg)
    model.save(output_dir)
    result = TuningResult(output_dir, len(pairs), trainer.state.global_step, trainer.state.log_history)
    finish(result)
    shutil.rmtree(checkpoints, ignore_errors=True)
    return result


def _texts(pair: Pair) -> list[str]:
    return [pair.question, pair.right.text, *(text.text for text in pair.wrong)]
