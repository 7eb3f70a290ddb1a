# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""AP-BiLSTM against the formulas of dos Santos et al. 2016, one pair of words at a time."""

import pytest
import torch

from haystack_integrations.components.rankers.answer_selection.models import registry
from haystack_integrations.components.rankers.answer_selection.models.ap_bilstm import APBiLSTMConfig, APBiLSTMModel
from haystack_integrations.components.rankers.answer_selection.models.word_model import Texts


def test_words_are_weighed_by_how_well_they_fit_the_other_side():
    torch.manual_seed(1)
    model = APBiLSTMModel(APBiLSTMConfig(embedding_size=5, hidden_size=3)).double().eval()
    lengths = {"question": [3, 7], "answer": [2, 9, 1]}
    sides = {
        name: Texts(torch.randn(len(some), max(some) + 2, 5, dtype=torch.float64), torch.tensor(some))
        for name, some in lengths.items()
    }
    question_of = [0, 0, 1]
    questions, answers = model.encode_questions(sides["question"]), model.encode_answers(sides["answer"])
    question_vectors, answer_vectors = model.compare(questions, answers, torch.tensor(question_of))
    u = model.fit.weight.T  # a layer's weight is applied from the other side
    for pair, number in enumerate(question_of):
        q = questions.values[number, : questions.lengths[number]]
        a = answers.values[pair, : answers.lengths[pair]]
        fit = torch.stack([torch.stack([torch.tanh(x @ u @ y) for y in a]) for x in q])
        question_weights = torch.stack([max(row) for row in fit]).softmax(0)
        answer_weights = torch.stack([max(column) for column in fit.T]).softmax(0)
        question = sum(weight * x for weight, x in zip(question_weights, q, strict=True))
        answer = sum(weight * y for weight, y in zip(answer_weights, a, strict=True))
        torch.testing.assert_close(question_vectors[pair], question, atol=1e-12, rtol=0)
        torch.testing.assert_close(answer_vectors[pair], answer, atol=1e-12, rtol=0)
    cosines = (question_vectors * answer_vectors).sum(1) / question_vectors.norm(dim=1) / answer_vectors.norm(dim=1)
    torch.testing.assert_close(model.classifier(question_vectors, answer_vectors, None), cosines)


def test_parameters():
    model = APBiLSTMModel(APBiLSTMConfig())
    d, m = 141, 300
    assert sum(parameter.numel() for parameter in model.encoder.parameters()) == 2 * (4 * d * (m + d) + 2 * 4 * d)
    assert sum(parameter.numel() for parameter in model.fit.parameters()) == (2 * d) ** 2
    assert model.answer_vector_size is None
    assert model.answers_apart


def test_wrong_options_are_named():
    with pytest.raises(ValueError, match=r"hidden_size must be a whole number of at least 1 and at most .*, but is 0"):
        registry.build("ap_bilstm", ["some text"], hidden_size=0)
