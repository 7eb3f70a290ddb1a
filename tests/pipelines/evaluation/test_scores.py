# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Ranks that are kept give back every metric, by either policy."""

from dataclasses import replace
from random import Random

import pytest

from answer_selection.pipelines.evaluation.metrics import evaluate_questions
from answer_selection.pipelines.evaluation.policies import Policy
from answer_selection.pipelines.evaluation.results import QuestionResult, Ranking
from answer_selection.pipelines.evaluation.scores import METRICS, Scores, compare_scores


def asked(query_id, labels, ids, *, closed=True):
    relevance = {f"{query_id}-{place}": label for place, label in enumerate(labels)}
    ranking = Ranking(ids=tuple(f"{query_id}-{place}" for place in ids), scores=(None,) * len(ids))
    entries = tuple(one for one, label in relevance.items() if label > 0)
    return QuestionResult(query_id, "?", relevance, closed, {"ranker": ranking}, entries)


def some_questions(seed, count=60):
    """Some without a relevant candidate, some with nothing else, and rankings that have not found all."""
    random = Random(seed)
    lists = Random(0)
    for number in range(count):
        labels = [lists.randint(0, 1) for _ in range(lists.randint(1, 6))]
        ids = random.sample(range(9), random.randint(0, 9))
        yield asked(f"q{number}", labels, ids, closed=number % 3 > 0)


@pytest.mark.parametrize("policy", Policy)
def test_the_metrics_are_those_of_ir_measures(policy, tmp_path):
    results = list(some_questions(1))
    Scores.of(results, policy).save(tmp_path / "scores.json")
    scores = Scores.load(tmp_path / "scores.json")
    values = scores.values()
    counted = [one for one in results if one.query_id in scores.questions]
    run = {one.query_id: [(candidate, None) for candidate in one.stages["ranker"].ids] for one in counted}
    expected = evaluate_questions(run, {one.query_id: one.relevance for one in counted}, METRICS)
    assert list(expected) == scores.questions
    for name in METRICS:
        assert values[name].tolist() == pytest.approx([by[name] for by in expected.values()])
        assert scores.means()[name] == pytest.approx(values[name].mean())


def test_questions_with_nothing_but_relevant_candidates_can_be_left_out_afterwards():
    kept = Scores.of(some_questions(1), Policy.WITH_RELEVANT)
    left_out = Scores.of(some_questions(1), Policy.WITH_BOTH)
    assert 0 < len(kept.only_relevant) == len(kept.questions) - len(left_out.questions)
    assert kept.means(Policy.WITH_BOTH) == pytest.approx(left_out.means())
    assert left_out.means(Policy.WITH_BOTH) == left_out.means()
    # In a corpus there is always something else.
    open_ended = Scores.of([asked("q", [1], [0], closed=False)], Policy.WITH_RELEVANT)
    assert open_ended.only_relevant == []
    assert Scores.of([asked("q", [1], [0])], Policy.WITH_RELEVANT).means(Policy.WITH_BOTH) == {}


def test_ranks_are_kept_as_text_that_can_be_read():
    results = [asked("a", [0, 1, 1], [2, 0, 1]), asked("b", [1, 0], [1]), asked("c", [0, 1], [1, 0])]
    assert Scores.of(results, Policy.WITH_RELEVANT).ranks == "1,3 - 1"


def test_scores_of_other_questions_are_not_compared():
    scores, other = (Scores.of(some_questions(seed), Policy.WITH_RELEVANT) for seed in (1, 2))
    assert scores.asked == other.asked
    found = compare_scores([scores], [other])
    assert list(found) == list(METRICS)
    assert found["MAP"].difference == pytest.approx(other.means()["MAP"] - scores.means()["MAP"])
    with pytest.raises(ValueError, match="scores of different questions"):
        compare_scores([scores], [replace(other, relevant=[1] * len(other.relevant))])
    with pytest.raises(ValueError, match="no question is left"):
        Scores.of([], Policy.ALL)
