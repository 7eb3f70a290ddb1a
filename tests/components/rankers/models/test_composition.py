# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0

import pytest
import torch

from haystack_integrations.components.rankers.answer_selection.models.composition import (
    MultihopAttention,
    QuestionAttention,
)
from haystack_integrations.components.rankers.answer_selection.models.word_model import Texts

SIZE, HOPS = 6, 3


def texts(lengths, seed):
    """Random words; what stands beyond a text's length is far out, so that it would be seen in any result."""
    generator = torch.Generator().manual_seed(seed)
    values = torch.randn(len(lengths), max(lengths) + 2, SIZE, generator=generator, dtype=torch.float64)
    for row, length in zip(values, lengths, strict=True):
        row[length:] = 1e3
    return Texts(values, torch.tensor(lengths))


QUESTIONS, ANSWERS = texts([3, 1], 0), texts([4, 7, 1, 9, 2], 1)
QUESTION_OF = torch.tensor([0, 0, 0, 1, 1])


def pairs():
    for pair, row in enumerate(QUESTION_OF):
        yield QUESTIONS.values[row, : QUESTIONS.lengths[row]], ANSWERS.values[pair, : ANSWERS.lengths[pair]]


def test_attention_equals_the_formulas_word_by_word():
    torch.manual_seed(0)
    attention = QuestionAttention(SIZE).double()
    found = attention(QUESTIONS, ANSWERS, QUESTION_OF)
    for pair, (question, answer) in enumerate(pairs()):
        pooled = question.max(0).values
        logits = []
        for word in answer:
            m = (attention.answer.weight @ word + attention.question.weight @ pooled).tanh()
            logits.append(attention.weight.weight[0] @ m)
        weights = torch.stack(logits).softmax(0)
        weighted = torch.stack([weight * word for weight, word in zip(weights, answer, strict=True)])
        torch.testing.assert_close(found[0][pair], pooled)
        torch.testing.assert_close(found[1][pair], weighted.max(0).values)


def lstm(module, words):
    """One direction of an LSTM, by its equations, gate by gate."""
    w_in, w_state, b_in, b_state = (getattr(module, f"{name}_l0") for name in NAMES)
    h = c = torch.zeros(module.hidden_size, dtype=torch.float64)
    states = []
    for word in words:
        i, f, g, o = (w_in @ word + b_in + w_state @ h + b_state).chunk(4)
        c = f.sigmoid() * c + i.sigmoid() * g.tanh()
        h = o.sigmoid() * c.tanh()
        states.append(h)
    return states


NAMES = ("weight_ih", "weight_hh", "bias_ih", "bias_hh")


def test_multihop_attention_equals_the_formulas_hop_by_hop():
    torch.manual_seed(0)
    attention = MultihopAttention(SIZE, HOPS, 5).double()
    found = attention(QUESTIONS, ANSWERS, QUESTION_OF)
    for pair, (question, answer) in enumerate(pairs()):
        memory = question.mean(0)
        for hop in range(HOPS):
            asked = (attention.memory.weight @ memory).tanh()
            logits = [
                attention.weight.weight[0] @ ((attention.words.weight @ word).tanh() * asked) for word in question
            ]
            weights = torch.stack(logits).softmax(0)
            o_q = sum(weight * word for weight, word in zip(weights, question, strict=True))
            memory = memory + o_q
            read = [word * (attention.question.weight @ o_q) for word in answer]
            forward = lstm(attention.lstm.forwards, read)
            backward = lstm(attention.lstm.backwards, read[::-1])[::-1]
            sums = [one.sum() + other.sum() for one, other in zip(forward, backward, strict=True)]
            weights = torch.stack(sums).softmax(0)
            o_a = sum(weight * word for weight, word in zip(weights, answer, strict=True))
            torch.testing.assert_close(found[0][pair, hop], o_q)
            torch.testing.assert_close(found[1][pair, hop], o_a)


@pytest.mark.parametrize("attention", [QuestionAttention(SIZE), MultihopAttention(SIZE, HOPS, 5)])
def test_padding_neither_counts_nor_learns(attention):
    attention.double()
    lengths = ANSWERS.lengths
    values = ANSWERS.values.clone().requires_grad_()
    q, a = attention(QUESTIONS, Texts(values, lengths), QUESTION_OF)
    (q * a).sum().backward()
    beyond = torch.arange(values.shape[1]) >= lengths.unsqueeze(1)
    assert values.grad[beyond].abs().max() == 0
    # Every word that is there counts.
    assert (values.grad[~beyond].abs().sum(-1) > 0).all()
