# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""What is learned from: a question, a text that answers it, and texts that do not."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from tokenizers import Tokenizer
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from haystack_integrations.components.embedders.answer_selection.tuning.settings import TuningSettings
from haystack_integrations.components.rankers.answer_selection.training.transformers_trainer import Batches


@dataclass(frozen=True, slots=True)
class Text:
    """
    A text that is held against questions.

    :param text: the text.
    :param answer: tells the same answers, whatever else the text says.
    """

    text: str
    answer: bytes


@dataclass(frozen=True, slots=True)
class Pair:
    """
    A question and a text that answers it.

    :param question: the question.
    :param right: the text.
    :param answers: what tells all answers that are right for the question.
    :param wrong: texts that do not answer it, hard to tell from those that do; perhaps none.
    """

    question: str
    right: Text
    answers: frozenset[bytes]
    wrong: Sequence[Text]


class TuningBatches(Batches):
    """
    All batches of a run, one a step. What is in one depends on seed and step alone, so a killed run goes on exactly.

    :param pairs: the pairs.
    :param tokenizer: the encoder's, which cuts what is too long.
    :param padding: the id of the token that fills short texts up.
    :param settings: how to train.
    """

    def __init__(self, pairs: Sequence[Pair], tokenizer: Tokenizer, padding: int, settings: TuningSettings) -> None:
        self.pairs, self.settings = pairs, settings
        self._tokenizer, self._padding = tokenizer, padding
        # All of nearly one size: a batch of a single pair would have no other texts.
        self._per_epoch = max(1, (len(pairs) + settings.batch_size - 2) // settings.batch_size)

    def __len__(self) -> int:
        """Steps of the run."""
        return self._per_epoch * self.settings.epochs

    def epochs_at(self, step: int) -> float:
        """
        Say how far a step is.

        :param step: the steps taken.
        :returns: passes over the pairs, fractions included.
        """
        return step / self._per_epoch

    def __getitem__(self, step: int) -> dict[str, Tensor]:
        """
        Make a step's batch.

        :param step: the step, counted from 0.
        :returns: see :meth:`batch`.
        """
        if not 0 <= step < len(self):
            raise IndexError(step)
        epoch, place = divmod(step, self._per_epoch)
        order = np.random.default_rng((self.settings.seed, epoch)).permutation(len(self.pairs))
        numbers = np.array_split(order, self._per_epoch)[place]
        drawn = np.random.default_rng((self.settings.seed, epoch, place))
        pairs = [self.pairs[number] for number in numbers]
        wrong = [pair.wrong[int(drawn.integers(len(pair.wrong)))] for pair in pairs if pair.wrong]
        return self.batch(pairs, wrong)

    def batch(self, pairs: Sequence[Pair], wrong: Sequence[Text]) -> dict[str, Tensor]:
        """
        Make a batch.

        :param pairs: the pairs.
        :param wrong: further texts.
        :returns: tokens of questions and texts, with masks that say which are no padding; `also_right`, see
            :func:`.loss.multiple_negatives_loss`.
        """
        texts = [*(pair.right for pair in pairs), *wrong]
        # The same question may have come with another answer.
        right: dict[str, frozenset[bytes]] = {}
        for pair in pairs:
            right[pair.question] = right.get(pair.question, frozenset()) | pair.answers
        also = torch.tensor([[text.answer in right[pair.question] for text in texts] for pair in pairs])
        also[:, : len(pairs)].fill_diagonal_(fill_value=False)
        question_ids, question_mask = padded_tokens([pair.question for pair in pairs], self._tokenizer, self._padding)
        text_ids, text_mask = padded_tokens([text.text for text in texts], self._tokenizer, self._padding)
        return {
            "question_ids": question_ids,
            "question_mask": question_mask,
            "text_ids": text_ids,
            "text_mask": text_mask,
            "also_right": also,
        }


def padded_tokens(texts: Sequence[str], tokenizer: Tokenizer, padding: int) -> tuple[Tensor, Tensor]:
    """
    Make texts' tokens.

    :param texts: the texts.
    :param tokenizer: the encoder's, which cuts what is too long.
    :param padding: the id of the token that fills short texts up.
    :returns: their tokens [n, L], and which of them are no padding [n, L].
    """
    ids = [torch.tensor(encoding.ids) for encoding in tokenizer.encode_batch_fast(list(texts))]
    masks = [torch.ones_like(own) for own in ids]
    return pad_sequence(ids, batch_first=True, padding_value=padding), pad_sequence(masks, batch_first=True)
