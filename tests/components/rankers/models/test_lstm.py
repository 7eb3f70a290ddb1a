# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""QA-LSTM against its formulas, one word at a time."""

import pytest
import torch
from torch.nn import functional

from haystack_integrations.components.rankers.answer_selection.models import registry
from haystack_integrations.components.rankers.answer_selection.models.lstm import LSTMConfig, LSTMModel
from haystack_integrations.components.rankers.answer_selection.models.lstm_encoder import LSTMEncoder
from haystack_integrations.components.rankers.answer_selection.models.word_model import Texts


def read(weights, words):
    """An LSTM's states over one text: equations 1 to 6 of Tan et al. 2016; gates in torch's order."""
    size = weights.hidden_size
    h = c = torch.zeros(size, dtype=words.dtype)
    states = []
    for x in words:
        gates = weights.weight_ih_l0 @ x + weights.bias_ih_l0 + weights.weight_hh_l0 @ h + weights.bias_hh_l0
        i, f, g, o = gates.split(size)
        c = f.sigmoid() * c + i.sigmoid() * g.tanh()
        h = o.sigmoid() * c.tanh()
        states.append(h)
    return torch.stack(states)


def read_both_ways(encoder, words):
    forwards = read(encoder.forwards, words)
    if encoder.backwards is None:
        return forwards
    return torch.cat([forwards, read(encoder.backwards, words.flip(0)).flip(0)], dim=-1)


def side(lengths, size, seed):
    """Texts whose padding is anything but 0."""
    generator = torch.Generator().manual_seed(seed)
    values = torch.randn(len(lengths), max(lengths) + 2, size, generator=generator, dtype=torch.float64)
    return Texts(values, torch.tensor(lengths))


def make(**options):
    torch.manual_seed(1)
    return LSTMModel(LSTMConfig(embedding_size=5, hidden_size=3, **options)).double().eval()


@pytest.mark.parametrize("bidirectional", [True, False])
def test_no_state_has_seen_padding(bidirectional):
    torch.manual_seed(1)
    encoder = LSTMEncoder(5, 3, bidirectional=bidirectional).double()
    texts = side([4, 1, 6], 5, seed=2)
    states = encoder(*texts)
    assert states.shape == (3, 8, encoder.size)
    for row, length in enumerate(texts.lengths):
        expected = read_both_ways(encoder, texts.values[row, :length])
        torch.testing.assert_close(states[row, :length], expected, atol=1e-12, rtol=0)


def composed(model, states):
    """One text's vector."""
    size = model.config.hidden_size
    return {
        "max": states.amax(0),
        "mean": states.mean(0),
        "last": torch.cat([states[-1, :size], states[0, size:]]),
    }[model.config.composition]


@pytest.mark.parametrize("bidirectional", [True, False])
@pytest.mark.parametrize("composition", ["max", "mean", "last"])
def test_scores_are_cosines_of_composed_states(composition, bidirectional):
    model = make(composition=composition, bidirectional=bidirectional)
    questions, answers = side([3, 7], 5, seed=3), side([2, 9, 1], 5, seed=4)
    question_of = [0, 0, 1]
    q, a = model.compare(model.encode_questions(questions), model.encode_answers(answers), torch.tensor(question_of))
    assert a.shape == (3, model.answer_vector_size)
    scores = model.classifier(q, a, None)
    for pair, number in enumerate(question_of):
        vectors = [
            composed(model, read_both_ways(model.encoder, texts.values[row, : texts.lengths[row]]))
            for texts, row in ((questions, number), (answers, pair))
        ]
        expected = functional.cosine_similarity(*vectors, dim=0)
        torch.testing.assert_close(scores[pair], expected, atol=1e-12, rtol=0)


def test_attention_weighs_the_answers_words_by_the_question():
    model = make(composition="attention")
    assert model.answer_vector_size is None
    questions, answers = side([3, 7], 5, seed=3), side([2, 9, 1], 5, seed=4)
    question_of = [0, 0, 1]
    q, a = model.compare(model.encode_questions(questions), model.encode_answers(answers), torch.tensor(question_of))
    for pair, number in enumerate(question_of):
        question = read_both_ways(model.encoder, questions.values[number, : questions.lengths[number]]).amax(0)
        states = read_both_ways(model.encoder, answers.values[pair, : answers.lengths[pair]])
        m = [torch.tanh(model.attention.answer.weight @ h + model.attention.question.weight @ question) for h in states]
        weights = torch.stack([model.attention.weight.weight[0] @ one for one in m]).softmax(0)
        answer = torch.stack([weight * h for weight, h in zip(weights, states, strict=True)]).amax(0)
        torch.testing.assert_close(q[pair], question, atol=1e-12, rtol=0)
        torch.testing.assert_close(a[pair], answer, atol=1e-12, rtol=0)


def test_multihop_asks_the_question_and_reads_the_answer_with_each_hop():
    """Tran and Niederée 2018 over the LSTM's states: the GGSA paper's Multihop-Sequential-LSTM."""
    model = make(composition="multihop", hops=3, hop_lstm_size=2)
    assert model.answer_vector_size is None
    questions, answers = side([3, 7], 5, seed=3), side([2, 9, 1], 5, seed=4)
    of = torch.tensor([0, 0, 1])
    q, a = model.compare(model.encode_questions(questions), model.encode_answers(answers), of)
    scores = model.classifier(q, a, None)
    hops = model.attention
    for pair, number in enumerate(of.tolist()):
        h_q = read_both_ways(model.encoder, questions.values[number, : questions.lengths[number]])
        h_a = read_both_ways(model.encoder, answers.values[pair, : answers.lengths[pair]])
        memory, expected = h_q.mean(0), 0.0
        for _ in range(3):
            gate = torch.tanh(hops.memory.weight @ memory)
            logits = [hops.weight.weight[0] @ (torch.tanh(hops.words.weight @ h) * gate) for h in h_q]
            o_q = (torch.stack(logits).softmax(0).unsqueeze(1) * h_q).sum(0)
            memory = memory + o_q
            read_again = read_both_ways(hops.lstm, h_a * (hops.question.weight @ o_q))
            o_a = (read_again.sum(1).softmax(0).unsqueeze(1) * h_a).sum(0)
            expected = expected + functional.cosine_similarity(o_q, o_a, dim=0)
        torch.testing.assert_close(scores[pair], expected, atol=1e-12, rtol=0)
    scores.sum().backward()
    assert all(p.grad is not None and p.grad.any() for p in model.attention.parameters())


def count(*modules):
    return sum(parameter.numel() for module in modules for parameter in module.parameters())


def test_parameters_are_those_of_table_2_of_the_ctrn_paper_and_biases():
    d, m, h = 512, 300, 128
    options = {"projection_size": m, "hidden_size": d, "bidirectional": False, "head": "mlp", "mlp_size": h}
    model = LSTMModel(LSTMConfig(**options))
    counted = count(model.encoder, model.classifier.hidden)
    assert counted == 4 * (m * d + d**2) + 2 * d * h + h + 2 * 4 * d
    assert counted - 2 * 4 * d == pytest.approx(1.79e6, rel=5e-3)


def test_defaults_are_those_of_the_ggsa_paper():
    model = LSTMModel(LSTMConfig())
    assert count(model.encoder) == 2 * (4 * 141 * (300 + 141) + 2 * 4 * 141)
    assert count(model.classifier) == 0
    assert model.answer_vector_size == 2 * 141


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"hidden_size": 0}, "hidden_size must be a whole number of at least 1 and at most .*, but is 0"),
        ({"composition": "min"}, "composition must be one of max, mean, last, attention, multihop, but is 'min'"),
    ],
)
def test_wrong_options_are_named(options, message):
    with pytest.raises(ValueError, match=message):
        registry.build("lstm", ["some text"], **options)
