# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""A run's batches: texts of like length, some misspelt, with what the teacher says of them and of their tokens."""

import random
from collections.abc import Iterator, Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from haystack_integrations.components.embedders.answer_selection.distillation.drawn_words import is_question
from haystack_integrations.components.embedders.answer_selection.distillation.settings import DistillationSettings
from haystack_integrations.components.embedders.answer_selection.distillation.teacher import unit_mean
from haystack_integrations.components.embedders.answer_selection.distillation.teacher_states import TeacherStates
from haystack_integrations.components.embedders.answer_selection.distillation.typos import misspell
from haystack_integrations.components.embedders.answer_selection.distillation.vocabulary import PrunedVocabulary
from haystack_integrations.components.rankers.answer_selection.training.transformers_trainer import Batches

Numbers = NDArray[np.int64]

# Texts among which those of like length are looked for.
_WINDOW = 6000
# Of a step. Few long texts say little about which texts are alike, and of many short ones every pair is compared.
_FEWEST, _MOST = 8, 160
# Rows and columns of a batch come in eights, so that few shapes differ: oneDNN makes a kernel for each new one in
# bfloat16, which takes as long as the step itself.
_EIGHT = 8


class DistillationBatches(Batches):
    """
    All batches of a run, one a step. What is in one depends on seed and step alone, so a killed run goes on exactly.

    :param texts: the texts.
    :param states: the teacher's states for them.
    :param learned: the numbers of those that are learned from.
    :param pruned: the student's vocabulary.
    :param settings: how to train.
    :param teacher_size: tokens that the teacher has.
    """

    def __init__(
        self,
        texts: Sequence[str],
        states: TeacherStates,
        learned: Numbers,
        pruned: PrunedVocabulary,
        settings: DistillationSettings,
        teacher_size: int,
    ) -> None:
        self.texts, self.states, self.settings = texts, states, settings
        self._tokenizer = type(pruned.tokenizer).from_str(pruned.tokenizer.to_str())
        self._tokenizer.enable_truncation(settings.max_length)
        self._padding = pruned.padding
        self._own_ids = pruned.own_ids(teacher_size)
        self._steps = list(self._plan(learned))
        self._learned = len(learned)
        self._seen = np.cumsum([len(step) for step in self._steps])

    def __len__(self) -> int:
        """Steps of the run."""
        return len(self._steps)

    def epochs_at(self, step: int) -> float:
        """
        Say how far a step is.

        :param step: the steps taken, at least one.
        :returns: passes over the texts, fractions included.
        """
        return float(self._seen[step - 1] / self._learned)

    def __getitem__(self, step: int) -> dict[str, Tensor]:
        """
        Make a step's batch.

        :param step: the step, counted from 0.
        :returns: see :meth:`batch`.
        """
        if not 0 <= step < len(self):
            raise IndexError(step)
        rng = random.Random(f"{self.settings.seed} {step}")  # noqa: S311  no secret
        numbers = self._steps[step]
        return self.batch(numbers, [self._misspelt(self.texts[number], rng) for number in numbers])

    def measured(self, held_out: Numbers) -> Iterator[dict[str, Tensor]]:
        """
        Give held-out texts, as they are.

        :param held_out: their numbers.
        :returns: the batches.
        """
        for numbers in self._of_like_length(held_out):
            yield self.batch(numbers, [self.texts[number] for number in numbers])

    def batch(self, numbers: Sequence[int] | Numbers, written: Sequence[str]) -> dict[str, Tensor]:
        """
        Make a batch.

        :param numbers: the texts' numbers.
        :param written: the texts as the student reads them, perhaps misspelt.
        :returns: `input_ids`, `attention_mask`; `vectors`, the teacher's for the texts; `states`, its outputs for the
            tokens, and `aligned`, which of them there are: those of texts that both tokenise alike.
        """
        ids = [encoding.ids for encoding in self._tokenizer.encode_batch_fast(list(written))]
        shape = len(ids), self._padded(max(map(len, ids)))
        taught = [self.states[number] for number in numbers]
        found = {
            "input_ids": torch.full(shape, self._padding),
            "attention_mask": torch.zeros(shape, dtype=torch.long),
            "vectors": torch.from_numpy(np.stack([unit_mean(states) for states in taught])),
            "states": torch.zeros(*shape, taught[0].shape[1]),
            "aligned": torch.zeros(shape, dtype=torch.bool),
        }
        for row, (number, own, states) in enumerate(zip(numbers, ids, taught, strict=True)):
            found["input_ids"][row, : len(own)] = torch.tensor(own)
            found["attention_mask"][row, : len(own)] = 1
            if np.array_equal(self._own_ids[self.states.ids[number]], own):
                found["states"][row, : len(own)] = torch.from_numpy(states.astype(np.float32))
                found["aligned"][row, : len(own)] = True
        return found

    def _misspelt(self, text: str, rng: random.Random) -> str:
        drawn = rng.random() < self.settings.misspelt
        return misspell(text, rng) if drawn and is_question(text) else text

    def _padded(self, length: int) -> int:
        return min(-(-length // _EIGHT) * _EIGHT, self.settings.max_length)

    def _plan(self, learned: Numbers) -> Iterator[Numbers]:
        """Say which texts are in each step's batch."""
        rng = np.random.default_rng(self.settings.seed)
        left = int(np.ceil(self.settings.epochs * len(learned)))
        while left > 0:
            order = rng.permutation(learned)[:left]
            left -= len(order)
            for start in range(0, len(order), _WINDOW):
                batches = list(self._of_like_length(order[start : start + _WINDOW]))
                yield from (batches[place] for place in rng.permutation(len(batches)))

    def _of_like_length(self, numbers: Numbers) -> Iterator[Numbers]:
        lengths = np.array([len(self.states.ids[number]) for number in numbers])
        numbers = numbers[np.argsort(-lengths, kind="stable")]
        start = 0
        while start < len(numbers):
            longest = self._padded(len(self.states.ids[numbers[start]]))
            fit = self.settings.batch_tokens // longest // _EIGHT * _EIGHT
            end = start + min(max(fit, _FEWEST), _MOST)
            yield numbers[start:end]
            start = end
