# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Questions that are answered together have the answers that each has alone."""

import json
from pathlib import Path

import pytest

from answer_selection.pipelines.definitions import pipeline_yaml
from answer_selection.pipelines.serving.answering import Answering
from answer_selection.pipelines.serving.answers import Answers
from answer_selection.pipelines.serving.errors import QuestionError
from answer_selection.pipelines.serving.question import Question

CATEGORY = {"field": "meta.category", "operator": "==", "value": "Accounts and cards"}


@pytest.fixture(scope="module")
def answering(small_index: Path, small_model: Path) -> Answering:
    definition = pipeline_yaml.point_at(pipeline_yaml.read("answer"), index=small_index, model=small_model)
    made = Answering(definition)
    made.warm_up()
    return made


@pytest.fixture(scope="module")
def questions(small_faq) -> list[Question]:
    """Every third wants two answers, every fourth those of one category."""
    lines = small_faq.queries.read_text(encoding="utf-8").splitlines()
    return [
        Question(
            question=json.loads(line)["query"],
            top_k=None if number % 3 else 2,
            filters=None if number % 4 else CATEGORY,
        )
        for number, line in enumerate(lines[:24])
    ]


def same(together: Answers, alone: Answers) -> None:
    """The same answers. A product of more rows may differ in a score's last bits."""
    assert [each.entry_id for each in together.answers] == [each.entry_id for each in alone.answers]
    for ours, theirs in zip(together.answers, alone.answers, strict=True):
        assert ours.score == pytest.approx(theirs.score, rel=1e-4)
        assert (ours.answer, ours.retriever_score) == (theirs.answer, theirs.retriever_score)


def test_together_or_alone(answering, questions):
    alone = [answering.answer(each.question, each.top_k, each.filters) for each in questions]
    for together, expected in zip(answering.answer_many(questions), alone, strict=True):
        same(together, expected)


def test_they_are_ranked_in_one_call(answering, questions, monkeypatch):
    ranker, calls = answering._pipeline.get_component("ranker"), []
    run_batch = ranker.run_batch
    monkeypatch.setattr(
        ranker,
        "run_batch",
        lambda queries, *rest, **more: calls.append(len(queries)) or run_batch(queries, *rest, **more),
    )
    answering.answer_many([Question(question=each.question) for each in questions])
    assert calls == [len(questions)]


def test_a_question_that_fails_leaves_the_others_theirs(answering, questions):
    wrong = Question(question="what does it cost?", filters={"field": "meta.category"})
    outcomes = answering.answer_many([questions[0], wrong, questions[1]])
    assert isinstance(outcomes[1], QuestionError)
    same(outcomes[0], answering.answer_many(questions[:1])[0])
    same(outcomes[2], answering.answer_many(questions[1:2])[0])


def test_candidates_that_cannot_be_ranked_leave_the_others_theirs(answering, questions, monkeypatch):
    ranker = answering._pipeline.get_component("ranker")
    run_batch = ranker.run_batch

    def failing(queries, *rest, **more):
        if questions[1].question in queries:
            message = "it broke"
            raise ZeroDivisionError(message)
        return run_batch(queries, *rest, **more)

    monkeypatch.setattr(ranker, "run_batch", failing)
    outcomes = answering.answer_many(questions[:3])
    assert [type(each) for each in outcomes] == [Answers, ZeroDivisionError, Answers]


def test_another_pipeline_runs_once_a_question(small_index, questions):
    """Here BM25 alone."""
    definition = pipeline_yaml.point_at(pipeline_yaml.read("answer"), index=small_index)
    del definition["components"]["ranker"]
    definition["connections"] = []
    definition["inputs"] = {"query": ["bm25.query"]}
    definition["outputs"] = {"documents": "bm25.documents"}
    answering = Answering(definition)
    outcomes = answering.answer_many(questions)
    for outcome, each in zip(outcomes, questions, strict=True):
        same(outcome, answering.answer(each.question, each.top_k, each.filters))
