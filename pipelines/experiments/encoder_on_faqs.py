# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
A sentence encoder learns which entry of an FAQ answers a question that shares few words with it.

    python pipelines/experiments/encoder_on_faqs.py TEXTS --out FOLDER [--encoder ENCODER] [--faqs FOLDER]

A step shows one FAQ: all its entries, and some of the questions to them. The loss is cross entropy over the entries,
whose logits are scaled cosines: entries of one FAQ are each other's hard negatives. So that the encoder stays what it
is for other texts, some of TEXTS (one a line) are shown, too, and their vectors must stay where they were. An encoder
that is quantized computes as its file will have it, so that it learns to. A run that was killed goes on.
"""

import shutil
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import torch
import typer
from safetensors.torch import save_file
from tokenizers import Tokenizer
from torch import Tensor, nn
from torch.nn.utils import parametrize

from answer_selection.indexing.artifact import text_digest
from answer_selection.pipelines.commands.console import STDOUT, bar
from answer_selection.pipelines.experiments.data.invented_faqs import FAQS, Faq, read_faqs
from haystack_integrations.components.embedders.answer_selection.distillation.distiller import vectors_loss
from haystack_integrations.components.embedders.answer_selection.distillation.student import quantize, round_weights
from haystack_integrations.components.embedders.answer_selection.tuning.pairs import padded_tokens
from haystack_integrations.components.embedders.answer_selection.tuning.trainable_encoder import TrainableEncoder
from haystack_integrations.components.rankers.answer_selection.encoders.encoder_folder import find_folder, read_folder
from haystack_integrations.components.rankers.answer_selection.models.quantized_weights import (
    QUANTIZED_WEIGHTS,
    WEIGHTS,
    write_quantized,
)
from haystack_integrations.components.rankers.answer_selection.training.checkpoints import CHECKPOINTS, begin
from haystack_integrations.components.rankers.answer_selection.training.run_settings import RunSettings
from haystack_integrations.components.rankers.answer_selection.training.transformers_trainer import (
    Batches,
    BatchesTrainer,
    Stops,
    batch_arguments,
    even_stops,
)

_SHORTEST_TEXT, _LONGEST_TEXT = 40, 400


@dataclass(frozen=True, slots=True, kw_only=True)
class FaqSettings(RunSettings):
    """
    How to train. What all runs have is in :class:`RunSettings`. An error names the field.

    :param epochs: How often each FAQ is shown.
    :param questions: Of an FAQ: so many, drawn anew each time.
    :param texts: Other texts a step.
    :param scale: What cosines are multiplied by before the softmax.
    :param checkpoints: How often, over the whole run, a checkpoint is written.
    """

    epochs: int
    warmup: float = 0.05
    log_every: int = 20
    questions: int = 24
    texts: int = 12
    scale: float = 20.0
    checkpoints: int = 6

    def __post_init__(self) -> None:
        """
        Check every value.

        :raises ValueError: Naming the field, what it is and what was expected.
        """
        self.check_run(counts=("epochs", "questions", "texts", "checkpoints"), positive=("scale",))


class FaqBatches(Batches):
    """
    All batches of a run, one a step. What is in one depends on seed and step alone, so a killed run goes on exactly.

    :param faqs: The FAQs.
    :param texts: Other texts.
    :param tokenizer: The encoder's, which cuts what is too long.
    :param padding: The id of the token that fills short texts up.
    :param settings: How to train.
    """

    def __init__(
        self, faqs: Sequence[Faq], texts: Sequence[str], tokenizer: Tokenizer, padding: int, settings: FaqSettings
    ) -> None:
        self.faqs, self.texts, self.settings = faqs, texts, settings
        self._tokenizer, self._padding = tokenizer, padding

    def __len__(self) -> int:
        """Steps of the run."""
        return len(self.faqs) * self.settings.epochs

    def epochs_at(self, step: int) -> float:
        """
        Say how far a step is.

        :param step: The steps taken.
        :returns: Passes over the FAQs, fractions included.
        """
        return step / len(self.faqs)

    def __getitem__(self, step: int) -> dict[str, Tensor]:
        """
        Make a step's batch.

        :param step: The step, counted from 0.
        :returns: Tokens of questions, entries and other texts, with masks that say which are no padding; and `right`,
            the number of each question's entry.
        """
        if not 0 <= step < len(self):
            raise IndexError(step)
        epoch, place = divmod(step, len(self.faqs))
        order = np.random.default_rng((self.settings.seed, epoch)).permutation(len(self.faqs))
        drawn = np.random.default_rng((self.settings.seed, epoch, place))
        faq = self.faqs[order[place]]
        number = min(self.settings.questions, len(faq.asked))
        asked = [faq.asked[at] for at in drawn.choice(len(faq.asked), number, replace=False)]
        texts = [self.texts[at] for at in drawn.choice(len(self.texts), self.settings.texts, replace=False)]
        given = {"questions": [question for question, _ in asked], "entries": faq.entries, "texts": texts}
        tokens = {name: padded_tokens(part, self._tokenizer, self._padding) for name, part in given.items()}
        return {
            "right": torch.tensor([at for _, at in asked]),
            **{f"{name}_ids": ids for name, (ids, _) in tokens.items()},
            **{f"{name}_mask": mask for name, (_, mask) in tokens.items()},
        }


class _Trainer(BatchesTrainer[FaqBatches]):
    """`Trainer` with our batches and loss."""

    def __init__(self, *, before: TrainableEncoder, **kwargs: Any) -> None:
        self.before = before
        super().__init__(**kwargs)

    def compute_loss(
        self,
        model: nn.Module,
        inputs: dict[str, Tensor],
        return_outputs: bool = False,  # noqa: ARG002
        num_items_in_batch: Any = None,  # noqa: ARG002
    ) -> Any:
        # All three by one rounding of the matrices.
        with parametrize.cached():
            questions, entries, texts = (
                model(inputs[f"{name}_ids"], inputs[f"{name}_mask"]) for name in ("questions", "entries", "texts")
            )
        with torch.no_grad():
            were = self.before(inputs["texts_ids"], inputs["texts_mask"])
        logits = self.batches.settings.scale * questions @ entries.T
        return nn.functional.cross_entropy(logits, inputs["right"]) + vectors_loss(texts, were)


def main(
    texts: Annotated[list[Path], typer.Argument(help="Files of other texts, one a line.")],
    out: Annotated[Path, typer.Option(help="The encoder's folder to be.")],
    encoder: Annotated[str, typer.Option(help="What training begins with.")] = "answer-selection-small",
    faqs: Annotated[Path, typer.Option(help="Folder of FAQs with questions to them.")] = FAQS,
    epochs: Annotated[int, typer.Option(help="How often each FAQ is shown.")] = 2,
    learning_rate: Annotated[float, typer.Option(help="At its highest.")] = 1e-4,
) -> None:
    """Train an encoder on FAQs."""
    settings = FaqSettings(epochs=epochs, learning_rate=learning_rate)
    lines = [line for file in texts for line in file.read_text(encoding="utf-8").splitlines()]
    others = list(dict.fromkeys(line for line in lines if _SHORTEST_TEXT < len(line) < _LONGEST_TEXT))
    shown = read_faqs(faqs, own=True)
    folder = read_folder(find_folder(encoder, None, None))
    digest = text_digest([*others, *(text for faq in shown for text in (*faq.entries, *dict(faq.asked)))])
    inputs = settings.to_dict() | {"encoder": folder.fingerprint(), "texts": digest}
    checkpoint = begin(out, inputs, overwrite=False)
    torch.manual_seed(settings.seed)
    model = TrainableEncoder(folder)
    before = deepcopy(model).eval().requires_grad_(requires_grad=False)
    is_quantized = (folder.transformer / QUANTIZED_WEIGHTS).exists()
    if is_quantized:
        quantize(model.transformer)
    batches = FaqBatches(shown, others, model.tokenizer, model.padding, settings)
    with bar("learning from FAQs", len(batches)) as progress:
        trainer = _Trainer(
            model=model,
            before=before,
            args=batch_arguments(out / CHECKPOINTS, settings, len(batches)),
            batches=batches,
            callbacks=[
                Stops(
                    even_stops(len(batches), settings.checkpoints),
                    measured=False,
                    progress=lambda step, _steps, _: progress(step),
                )
            ],
        )
        trainer.take_steps(checkpoint)
    round_weights(model.transformer, quantized=is_quantized)
    model.save(out)
    if is_quantized:
        place = out / folder.transformer.relative_to(folder.path)
        named = model.transformer.named_parameters()
        # What pools its first token is not used.
        weights = {name: tensor.detach().contiguous() for name, tensor in named if not name.startswith("pooler.")}
        save_file(weights, place / WEIGHTS, metadata={"format": "pt"})
        write_quantized(place)
    shutil.rmtree(out / CHECKPOINTS)
    losses = [f"{line['loss']:.3f}" for line in trainer.state.log_history if "loss" in line]
    STDOUT.print(f"{len(shown)} FAQs, {len(batches)} steps, loss {', '.join(losses)}: {out}")


if __name__ == "__main__":
    typer.run(main)
