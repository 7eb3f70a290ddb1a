# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""How a sentence encoder is fine-tuned."""

from dataclasses import dataclass

from haystack_integrations.components.rankers.answer_selection.training.checked_settings import CheckedSettings


@dataclass(frozen=True, slots=True, kw_only=True)
class TuningSettings(CheckedSettings):
    """
    How to fine-tune a sentence encoder. Every value is checked, and an error names its field.

    :param epochs: passes over the pairs.
    :param batch_size: pairs a step. Each question is held against all texts of its batch.
    :param hard_negatives: of a question: so many of the best that hybrid retrieval finds. Each epoch draws one.
    :param scale: what cosines are multiplied by before the softmax.
    :param learning_rate: at its highest; AdamW, and a linear decay to 0. The default is for encoders like BERT; one as
        small as `answer-selection-small` hardly moves by it, and wants ten times as much.
    :param warmup: the part of all steps over which it rises from 0.
    :param weight_decay: decoupled; biases and normalisations are spared.
    :param max_grad_norm: gradients of a larger norm are scaled down to it; 0 leaves them.
    :param checkpoints: how often, over the whole run, a checkpoint is written.
    :param seed: of order, drawn negatives and dropout.
    :param precision: what is computed in: float32, bfloat16, or float16 on an accelerator. Weights are in float32 until
        they are saved.
    :param use_cpu: train on the CPU even where there is an accelerator.
    :param log_every: steps between two lines of the log.
    """

    epochs: int = 3
    batch_size: int = 32
    hard_negatives: int = 10
    scale: float = 20.0
    learning_rate: float = 2e-5
    warmup: float = 0.1
    weight_decay: float = 0.01
    max_grad_norm: float = 1.0
    checkpoints: int = 10
    seed: int = 0
    precision: str = "float32"
    use_cpu: bool = False
    log_every: int = 10

    def __post_init__(self) -> None:
        """
        Check every value.

        :raises ValueError: naming the field, what it is and what was expected.
        """
        self.check_run(
            counts=("epochs", "hard_negatives", "checkpoints", "log_every"), positive=("scale", "learning_rate")
        )
        if self.batch_size < 2:
            self.refuse("batch_size", "at least 2: a question learns from the other texts of its batch")
