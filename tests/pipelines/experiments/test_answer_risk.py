# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The experiment on a stated risk: its signals by hand, and its halves on certainties whose risk is known."""

import numpy as np
import pytest
from haystack import Document

from answer_selection.indexing.corpus import Query
from answer_selection.pipelines.evaluation.risk_calibration import Found
from answer_selection.pipelines.experiments.answer_risk import chance_error, measure, signals, transferred


def test_each_search_is_judged_by_its_own_first_answer():
    def document(name, bm25, cosine):
        return Document(id=name, content=name, meta={"bm25_score": bm25, "vector_score": cosine})

    candidates = [document("a", 9.0, 0.1), document("b", 0.0, 0.8), document("c", 5.0, None)]
    found = [
        Found(Query("q1", "?", ("b",)), "b", candidates, candidates, 1.5),
        Found(Query("q2", "?", ("a",)), "a", candidates[1:], candidates, 0.5),
    ]
    made = {name: (certain.tolist(), right.tolist()) for name, (certain, right) in signals(found).items()}
    assert made["ranker"] == ([1.5, 0.5], [False, False])
    assert made["BM25"] == ([9.0, 9.0], [False, True])
    assert made["cosine"] == ([0.8, 0.8], [True, False])


def sample(count, shift=0.0):
    random = np.random.default_rng(1)
    certain = random.normal(1.0, 2.0, count)
    return certain, random.random(count) < 1 / (1 + np.exp(shift - certain))


@pytest.mark.slow
def test_halves_of_like_questions_keep_the_risk_and_know_the_probability():
    certain, right = sample(2000)
    made = measure(certain, right, [str(place) for place in range(2000)])
    assert made["ece"]["mean"] < 0.05
    # They are exact, but for the scale that is fitted.
    assert abs(made["ece"]["mean"] - made["ece"]["by_chance"]) < 0.01
    for outcome in made["risks"].values():
        assert outcome["kept"] >= 16
        assert outcome["of"] == 20
    assert made["risks"]["0.1"]["silent"] == 0
    coverages = [outcome["coverage"] for outcome in made["risks"].values()]
    assert coverages == sorted(coverages)


def test_fewer_questions_have_a_greater_calibration_error_by_chance():
    probability = np.linspace(0.05, 0.95, 2000)
    assert chance_error(probability) < 0.03 < chance_error(probability[::20])
    # Of what is certain nothing is left to chance.
    assert chance_error(np.ones(10)) == 0.0


def test_what_is_drawn_as_one_is_never_in_both_halves():
    # One group that is right and one that is wrong: whichever half calibrates, the other is unlike it.
    certain, right = np.r_[np.full(50, 1.0), np.full(50, 0.0)], np.r_[np.ones(50, bool), np.zeros(50, bool)]
    made = measure(certain, right, ["right"] * 50 + ["wrong"] * 50)
    assert made["ece"] is None
    assert made["risks"]["0.1"]["coverage"] == 0.0


def test_a_threshold_of_other_questions_keeps_no_risk():
    made = transferred(sample(2000), sample(2000, shift=3.0))
    assert made["0.1"]["coverage"] > 0.1
    assert made["0.1"]["wrong"] > 0.2
