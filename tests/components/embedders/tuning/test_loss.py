# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The loss beside a slow version that is written from the formula."""

import math

import pytest
import torch
from torch.nn.functional import normalize

from haystack_integrations.components.embedders.answer_selection.tuning.loss import multiple_negatives_loss


def slow(questions, texts, also_right, scale):
    """-1/n * sum_i [ s_ii - log sum_(j not in R_i) exp(s_ij) ], number by number."""
    total = 0.0
    for i, question in enumerate(questions):
        scores = [scale * sum(a * b for a, b in zip(question, text, strict=True)) for text in texts]
        total += scores[i] - math.log(
            sum(math.exp(score) for score, right in zip(scores, also_right[i], strict=True) if not right)
        )
    return -total / len(questions)


@pytest.fixture
def batch():
    torch.manual_seed(3)
    questions, texts = (normalize(torch.randn(count, 6), dim=-1) for count in (4, 7))
    also_right = torch.zeros(4, 7, dtype=torch.bool)
    also_right[0, 2] = also_right[2, 0] = also_right[3, 5] = True
    return questions, texts, also_right


@pytest.mark.parametrize("scale", [1.0, 20.0])
def test_is_what_the_formula_says(batch, scale):
    questions, texts, also_right = batch
    expected = slow(questions.double().tolist(), texts.double().tolist(), also_right.tolist(), scale)
    assert multiple_negatives_loss(*batch, scale).item() == pytest.approx(expected, rel=1e-5)
    nothing_masked = slow(questions.double().tolist(), texts.double().tolist(), [[False] * 7] * 4, scale)
    assert nothing_masked > expected


def test_a_text_that_is_also_right_is_not_pushed_away(batch):
    questions, texts, also_right = batch
    texts.requires_grad_()
    multiple_negatives_loss(questions[:1], texts, also_right[:1], 20.0).backward()
    assert texts.grad[2].abs().sum() == 0
    assert texts.grad[1].abs().sum() > 0
    # Against the gradient the right text comes nearer, and a wrong one goes farther.
    assert texts.grad[0] @ questions[0] < 0
    assert texts.grad[1] @ questions[0] > 0
