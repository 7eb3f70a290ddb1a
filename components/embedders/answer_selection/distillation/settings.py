# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""What a distillation is told."""

from dataclasses import dataclass

from haystack_integrations.components.rankers.answer_selection.training.run_settings import RunSettings


@dataclass(frozen=True, slots=True, kw_only=True)
class DistillationSettings(RunSettings):
    """
    How to make a small sentence encoder. What all runs have is in :class:`RunSettings`. An error names the field.

    :param vocabulary: the most tokens that are kept of the teacher's.
    :param layers: the encoder's layers, at most the teacher's.
    :param quantized: whether matrices are saved in 4 bits a number. The encoder learns with them rounded. Only this
        package reads it; otherwise it is saved in half precision, as sentence-transformers reads it.
    :param max_length: tokens of a text, special ones included. Longer texts are cut.
    :param epochs: passes over the texts, given and made; fractions are allowed.
    :param batch_tokens: tokens a step, padding included.
    :param misspelt: the part of the questions that are learned from with a slip of the typist.
    :param evaluations: how often, over the whole run, held-out texts are measured. A checkpoint is written then,
        and every 250 steps.
    :param seed: of weights, order, slips, drawn words, and of which texts are held out.
    """

    learning_rate: float = 2e-4
    warmup: float = 0.02
    vocabulary: int = 24_000
    layers: int = 4
    quantized: bool = False
    max_length: int = 128
    epochs: float = 1.5
    batch_tokens: int = 1536
    misspelt: float = 0.1
    evaluations: int = 20

    def __post_init__(self) -> None:
        """
        Check every value.

        :raises ValueError: naming the field, what it is and what was expected.
        """
        self.check_run(counts=("layers", "evaluations"), positive=("epochs",))
        if self.max_length < 8:
            self.refuse("max_length", "at least 8")
        if self.batch_tokens < self.max_length:
            self.refuse("batch_tokens", f"at least the {self.max_length} tokens of max_length")
        if not 0 <= self.misspelt <= 1:
            self.refuse("misspelt", "between 0 and 1, a part of the questions")
