# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""How a sentence encoder is fine-tuned."""

from dataclasses import dataclass

from haystack_integrations.components.rankers.answer_selection.training.run_settings import RunSettings


@dataclass(frozen=True, slots=True, kw_only=True)
class TuningSettings(RunSettings):
    """
    How to fine-tune a sentence encoder. What all runs have is in :class:`RunSettings`. An error names the field.

    :param epochs: passes over the pairs.
    :param batch_size: pairs a step. Each question is held against all texts of its batch.
    :param hard_negatives: of a question: so many of the best that hybrid retrieval finds. Each epoch draws one.
    :param scale: what cosines are multiplied by before the softmax.
    :param learning_rate: at its highest; AdamW, and a linear decay to 0. The default is for encoders like BERT; one as
        small as `answer-selection-small` hardly moves by it, and wants ten times as much.
    :param checkpoints: how often, over the whole run, a checkpoint is written, beside one every 250 steps.
    :param seed: of order, drawn negatives and dropout.
    """

    learning_rate: float = 2e-5
    warmup: float = 0.1
    log_every: int = 10
    epochs: int = 3
    batch_size: int = 32
    hard_negatives: int = 10
    scale: float = 20.0
    checkpoints: int = 10

    def __post_init__(self) -> None:
        """
        Check every value.

        :raises ValueError: naming the field, what it is and what was expected.
        """
        self.check_run(counts=("epochs", "hard_negatives", "checkpoints"), positive=("scale",))
        if self.batch_size < 2:
            self.refuse("batch_size", "at least 2: a question learns from the other texts of its batch")
