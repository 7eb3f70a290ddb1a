# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
import math

import numpy as np
import pytest
from haystack import Document

from haystack_integrations.components.rankers.answer_selection.mixing import (
    heard,
    mix,
    normalise,
    retriever_scores,
    sigmoid,
    step_back,
)

NAN = math.nan


def test_sigmoid_is_the_logistic_function_and_does_not_overflow():
    with np.errstate(over="raise", invalid="raise"):
        values = sigmoid(np.array([-1000.0, -2.0, 0.0, 2.0, 1000.0]))
    assert values == pytest.approx([0.0, 1 / (1 + math.exp(2)), 0.5, 1 / (1 + math.exp(-2)), 1.0])


def test_normalised_scores_are_standardised():
    # mean 2, variance (1 + 0 + 1) / 3
    step = 1 / math.sqrt(2 / 3)
    assert normalise(np.array([3.0, 1.0, 2.0])) == pytest.approx([step, -step, 0.0])


@pytest.mark.parametrize("scale", [1e-300, 0.01, 7.0, 1e300])
def test_the_retrievers_scale_does_not_matter(scale):
    scores = np.array([0.3, 0.9, -0.2, 0.4])
    assert normalise(scores * scale) == pytest.approx(normalise(scores))
    assert normalise(scores + 5.0) == pytest.approx(normalise(scores))


@pytest.mark.parametrize(
    "scores",
    [[], [3.0], [NAN], [NAN, NAN], [2.0, NAN], [4.0, 4.0, 4.0], [0.0, 0.0], [0.1 + 0.2, 0.3]],
    ids=["none", "one", "one missing", "all missing", "one known", "equal", "zeros", "equal but for rounding"],
)
def test_scores_that_tell_nothing_contribute_nothing(scores):
    assert normalise(np.array(scores)).tolist() == [0.0] * len(scores)


def test_a_missing_score_neither_gains_nor_loses():
    assert normalise(np.array([1.0, NAN, 3.0])) == pytest.approx([-1.0, 0.0, 1.0])


def test_a_model_is_heard_as_far_as_it_knows_the_words():
    assert [heard(known) for known in (0.0, 0.5, 0.6, 0.7, 1.0)] == pytest.approx([0.0, 0.0, 0.5, 1.0, 1.0])


def test_weight_0_is_the_models_probability_to_the_bit():
    logits = np.array([-3.3, 0.1, 12.0])
    assert mix(logits, np.array([1.0, 50.0, -4.0]), 0.0).tolist() == sigmoid(logits).tolist()


def test_the_weight_is_in_units_of_log_odds_per_standard_deviation():
    mixed = mix(np.array([0.5, -0.5]), np.array([10.0, 20.0]), 2.0)
    assert mixed == pytest.approx([1 / (1 + math.exp(1.5)), 1 / (1 + math.exp(-1.5))])


def test_the_mixture_stays_between_0_and_1():
    mixed = mix(np.array([-30.0, 30.0]), np.array([0.0, 1000.0]), 5.0)
    assert 0.0 < mixed[0] < mixed[1] < 1.0


def test_scores_are_read_from_documents():
    documents = [Document(content="a", score=0.0), Document(content="b"), Document(content="c", score=2)]
    assert retriever_scores(documents) == pytest.approx([0.0, NAN, 2.0], nan_ok=True)


@pytest.mark.parametrize("score", [NAN, math.inf])
def test_a_score_that_is_no_finite_number_is_named(score):
    with pytest.raises(ValueError, match=f"document 'x' came with the score {score}; expected a finite number"):
        retriever_scores([Document(id="x", content="a", score=score)])


@pytest.mark.parametrize(("known", "part"), [(1.0, 1.0), (0.7, 1.0), (0.6, 0.5), (0.5, 0.0), (0.0, 0.0)])
def test_a_model_that_knows_few_of_the_words_steps_back(known, part):
    logits = np.array([3.0, -1.0, 1.0])
    assert step_back(logits, known) == pytest.approx(1.0 + part * np.array([2.0, -2.0, 0.0]))
