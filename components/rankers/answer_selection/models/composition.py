# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Composition: from a vector a word on both sides to the vectors of a pair, with a look at the question."""

from typing import Final

import torch
from torch import Tensor, nn

from haystack_integrations.components.rankers.answer_selection.models.explanation import ANSWER, QUESTION, WordWeights
from haystack_integrations.components.rankers.answer_selection.models.lstm_encoder import LSTMEncoder
from haystack_integrations.components.rankers.answer_selection.models.pooling import (
    max_over_time,
    mean_over_time,
    softmax_over_time,
)
from haystack_integrations.components.rankers.answer_selection.models.word_model import Texts

COMPOSITIONS: Final = ("max", "attention", "multihop")
"""The kinds that a configuration names. "max" has no weights of its own and needs no module."""


class QuestionAttention(nn.Module):
    """
    Max-pooling of an answer whose words are weighted by the question.

    It is that of Tan et al. 2016, "LSTM-based Deep Learning Models for Non-factoid Answer Selection": with o_q the
    max-pooled question and m(t) = tanh(W_a h_a(t) + W_q o_q), h_a(t) is multiplied by the softmax of w·m(t) before it
    is pooled.
    """

    def __init__(self, size: int) -> None:
        """
        Create the weights.

        :param size: d, of a word's vector.
        """
        super().__init__()
        self.answer = nn.Linear(size, size, bias=False)
        self.question = nn.Linear(size, size, bias=False)
        self.weight = nn.Linear(size, 1, bias=False)

    def forward(self, questions: Texts, answers: Texts, question_of: Tensor) -> tuple[Tensor, Tensor]:
        """
        Compose pairs.

        :param questions: [n_questions, Lq, d].
        :param answers: [n_pairs, La, d].
        :param question_of: the question of every pair [n_pairs].
        :returns: the vectors of question and answer, [n_pairs, d] each.
        """
        question = max_over_time(*questions)
        weights = self._shares(question, answers, question_of)
        return question[question_of], max_over_time(answers.values * weights.unsqueeze(-1), answers.lengths)

    def _shares(self, question: Tensor, answers: Texts, question_of: Tensor) -> Tensor:
        m = torch.tanh(self.answer(answers.values) + self.question(question)[question_of].unsqueeze(1))
        return softmax_over_time(self.weight(m).squeeze(-1), answers.lengths)

    def word_weights(self, questions: Texts, answers: Texts, question_of: Tensor) -> list[WordWeights]:
        """
        Give the answers' weights.

        :param questions: the questions' words, one row a question.
        :param answers: the answers' words, one row a pair.
        :param question_of: the question of every pair [n_pairs].
        :returns: the weights.
        """
        shares = self._shares(max_over_time(*questions), answers, question_of)
        about = "The word's share of the question's attention, which its vector is multiplied by."
        return [WordWeights("question's attention", about, True, ANSWER, shares)]


class MultihopAttention(nn.Module):
    """
    Multihop sequential attention (Tran and Niederée 2018, "Multihop Attention Networks for Question Answer Matching").

    A memory m_0, the question's mean, asks the question K times: p_k(t) is the softmax over time of
    w·(tanh(W_h h_q(t)) ⊙ tanh(W_m m_{k-1})), o_q^k = Σ p_k(t) h_q(t), m_k = m_{k-1} + o_q^k. In every hop a
    bidirectional LSTM reads h_a(t) ⊙ W o_q^k; the softmax over time of its outputs, summed over the features, gives the
    weights of the answer's words in o_a^k.
    """

    def __init__(self, size: int, hops: int, lstm_size: int) -> None:
        """
        Create the weights, which are the same for all hops.

        :param size: d, of a word's vector.
        :param hops: K.
        :param lstm_size: the size of the LSTM, each direction.
        """
        super().__init__()
        self.hops = hops
        self.words = nn.Linear(size, size, bias=False)
        self.memory = nn.Linear(size, size, bias=False)
        self.weight = nn.Linear(size, 1, bias=False)
        self.question = nn.Linear(size, size, bias=False)
        self.lstm = LSTMEncoder(size, lstm_size)

    def forward(self, questions: Texts, answers: Texts, question_of: Tensor) -> tuple[Tensor, Tensor]:
        """
        Compose pairs.

        :param questions: [n_questions, Lq, d].
        :param answers: [n_pairs, La, d].
        :param question_of: the question of every pair [n_pairs].
        :returns: the vectors of question and answer, [n_pairs, K, d] each.
        """
        question = self._ask(questions)[0][question_of]
        return question, self._shares(question, answers) @ answers.values

    def word_weights(self, questions: Texts, answers: Texts, question_of: Tensor) -> list[WordWeights]:
        """
        Give the weights of the words of both sides, hop by hop.

        :param questions: the questions' words, one row a question.
        :param answers: the answers' words, one row a pair.
        :param question_of: the question of every pair [n_pairs].
        :returns: the weights.
        """
        question, shares = self._ask(questions)
        sides = ((QUESTION, shares[question_of]), (ANSWER, self._shares(question[question_of], answers)))
        about = "The word's share in its side's vector of this hop."
        return [
            WordWeights(f"attention of hop {hop + 1}", about, True, side, shares[:, hop])
            for side, shares in sides
            for hop in range(self.hops)
        ]

    def _shares(self, question: Tensor, answers: Texts) -> Tensor:
        """The weights of the answers' words for the questions' vectors [n_pairs, K, d], [n_pairs, K, La]."""
        # The hops of an answer differ by the question alone, so that one run of the LSTM does for all of them.
        values = answers.values.unsqueeze(1)
        words = (values * self.question(question).unsqueeze(2)).flatten(0, 1)
        lengths = answers.lengths.repeat_interleave(self.hops)
        return softmax_over_time(self.lstm(words, lengths).sum(-1), lengths).view(len(question), self.hops, -1)

    def _ask(self, questions: Texts) -> tuple[Tensor, Tensor]:
        """Read questions, hop by hop: o_q^1 to o_q^K [n_questions, K, d], and p_1 to p_K [n_questions, K, Lq]."""
        words = torch.tanh(self.words(questions.values))
        memory, found, shares = mean_over_time(*questions), [], []
        for _ in range(self.hops):
            logits = self.weight(words * torch.tanh(self.memory(memory)).unsqueeze(1)).squeeze(-1)
            shares.append(softmax_over_time(logits, questions.lengths))
            found.append((shares[-1].unsqueeze(1) @ questions.values).squeeze(1))
            memory = memory + found[-1]
        return torch.stack(found, 1), torch.stack(shares, 1)
