# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""What every run that learns by gradients is told."""

from collections.abc import Iterable
from dataclasses import dataclass

from haystack_integrations.components.rankers.answer_selection.training.checked_settings import CheckedSettings

PRECISIONS = ("float32", "bfloat16", "float16")


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSettings(CheckedSettings):
    """
    What all runs have; each class of settings has its own defaults.

    :param learning_rate: at its highest.
    :param warmup: the part of all steps over which it rises from 0.
    :param weight_decay: decoupled (AdamW) where the class says nothing else; biases and normalisations are spared.
    :param max_grad_norm: gradients of a larger norm are scaled down to it; 0 leaves them.
    :param seed: of everything that is drawn.
    :param precision: what training computes in: float32, bfloat16, or float16 on an accelerator. Weights are in float32
        until they are saved.
    :param use_cpu: train on the CPU even where there is an accelerator.
    :param log_every: steps between two lines of the log.
    """

    learning_rate: float
    warmup: float = 0.0
    weight_decay: float = 0.01
    max_grad_norm: float = 1.0
    seed: int = 0
    precision: str = "float32"
    use_cpu: bool = False
    log_every: int = 50

    def check_run(self, *, counts: Iterable[str], positive: Iterable[str] = ()) -> None:
        """
        Check the type of every value, the values that all runs have, and some of the class's own.

        :param counts: further fields that are at least 1.
        :param positive: further fields that are more than 0.
        :raises ValueError: if one is not as it has to be.
        """
        self.check_types()
        if self.precision not in PRECISIONS:
            self.refuse("precision", f"one of {', '.join(PRECISIONS)}")
        for name in (*counts, "log_every"):
            if getattr(self, name) < 1:
                self.refuse(name, "at least 1")
        for name in ("weight_decay", "max_grad_norm", "seed"):
            if getattr(self, name) < 0:
                self.refuse(name, "at least 0")
        for name in (*positive, "learning_rate"):
            if getattr(self, name) <= 0:
                self.refuse(name, "more than 0")
        if not 0 <= self.warmup < 1:
            self.refuse("warmup", "at least 0 and less than 1, a part of all steps")
