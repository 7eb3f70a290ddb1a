# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""A served pipeline that keeps silent where it is not sure enough."""

import re
import shutil
from dataclasses import replace

import pytest

from answer_selection.pipelines.definitions import pipeline_yaml
from answer_selection.pipelines.evaluation.retrieval_before import retrieval_before
from answer_selection.pipelines.experiments.as_typed import as_typed
from answer_selection.pipelines.serving.answering import Answering
from answer_selection.pipelines.serving.question import Question
from haystack_integrations.components.rankers.answer_selection import CTRNRanker
from haystack_integrations.components.rankers.answer_selection.answer_risk import AnswerRisk, AnswerRiskError, Threshold
from haystack_integrations.components.rankers.answer_selection.own_question import LEAD
from haystack_integrations.components.rankers.answer_selection.signals import BM25_WEIGHTS, SCORED_WEIGHTS

QUESTION = "what does it cost to replace a lost card?"
RANKING = {
    "retriever_weight": None,
    "signals": [dict(SCORED_WEIGHTS), dict(BM25_WEIGHTS)],
    "own_question": LEAD,
    "meta_fields_to_embed": ["question"],
    "embedding_separator": "\n",
    "rerank_top_k": None,
    "vectors": False,
    "encoder": None,
}


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    folder = tmp_path_factory.mktemp("risk") / "model"
    shutil.copytree(CTRNRanker.default_model, folder)
    thresholds = {0.1: Threshold(1.0, 0.0, 0.0), 0.5: Threshold(0.0, 1.0, 0.3)}
    AnswerRisk(1.0, 0.0, 0.9, 300, 150, RANKING, thresholds).save(folder)
    return folder


def serve(small_index, model, risk):
    definition = pipeline_yaml.point_at(pipeline_yaml.read("answer"), index=small_index, model=model, answer_risk=risk)
    made = Answering(definition)
    made.warm_up()
    return made


@pytest.mark.slow
@pytest.mark.parametrize(("name", "value"), [("top_k", 10), ("weight", 0.9)])
def test_another_retrieval_than_in_the_calibration_is_refused(small_index, model, tmp_path, name, value):
    definition = pipeline_yaml.point_at(pipeline_yaml.read("answer"), index=small_index, model=tmp_path)
    ranker = definition["components"]["ranker"]["init_parameters"]
    shutil.copytree(model, tmp_path, dirs_exist_ok=True)
    pipeline = pipeline_yaml.load(definition)
    calibration = replace(AnswerRisk.load(model), retrieval=retrieval_before(pipeline, "ranker"))
    calibration.save(tmp_path)
    ranker["answer_risk"] = 0.5
    assert Answering(definition).answer(QUESTION).answers
    before = calibration.retrieval[name]
    definition["components"]["retriever"]["init_parameters"][name] = value
    with pytest.raises(AnswerRiskError, match=f"the retriever's {name} = {re.escape(repr(before))}.*here it is"):
        Answering(definition)
    # Without a promise there is none to break.
    del ranker["answer_risk"]
    assert Answering(definition).answer(QUESTION).answers


@pytest.mark.slow
@pytest.mark.parametrize("calibrated_as_typed", [True, False])
def test_questions_that_are_asked_otherwise_are_other_questions(small_index, model, tmp_path, calibrated_as_typed):
    corrected = pipeline_yaml.point_at(pipeline_yaml.read("answer"), index=small_index, model=tmp_path)
    typed = as_typed(corrected)
    then, now = (typed, corrected) if calibrated_as_typed else (corrected, typed)
    shutil.copytree(model, tmp_path, dirs_exist_ok=True)
    calibration = replace(AnswerRisk.load(model), retrieval=retrieval_before(pipeline_yaml.load(then), "ranker"))
    calibration.save(tmp_path)
    for definition in (then, now):
        definition["components"]["ranker"]["init_parameters"]["answer_risk"] = 0.5
    assert Answering(then).answer(QUESTION).answers
    with pytest.raises(AnswerRiskError, match="the retriever's query_from = "):
        Answering(now)


@pytest.mark.slow
def test_without_a_sure_answer_it_gives_the_closest_entries(small_index, model):
    done = serve(small_index, model, 0.1).answer(QUESTION, top_k=3)
    assert (done.answers, done.abstained, len(done.closest)) == ([], True, 3)
    assert 0 < done.best_probability < 1
    assert "lost-card" in [one.entry_id for one in done.closest]
    assert done.model_dump(mode="json").keys() >= {"answers", "abstained", "best_probability", "closest"}


@pytest.mark.slow
def test_a_sure_answer_is_given_and_many_questions_get_what_each_gets_alone(small_index, model):
    answering = serve(small_index, model, 0.5)
    texts = [QUESTION, "xyzzy"]
    together = answering.answer_many([Question(question=text, top_k=3, filters=None) for text in texts])
    assert [one.abstained for one in together] == [False, True]
    assert (len(together[0].answers), together[0].closest) == (3, [])
    # Nothing has a word of the other one, so there is nothing to give.
    assert (together[1].answers, together[1].closest, together[1].best_probability) == ([], [], None)
    alone = answering.answer(QUESTION, top_k=3)
    assert [one.entry_id for one in alone.answers] == [one.entry_id for one in together[0].answers]
    assert alone.best_probability == pytest.approx(together[0].best_probability)
