# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Calibration in a pipeline: which questions are asked, without which entries, and what is kept of it."""

import math
import shutil

import pytest

from answer_selection.indexing.corpus import Query, iter_queries
from answer_selection.pipelines.commands.console import bar
from answer_selection.pipelines.definitions import pipeline_yaml
from answer_selection.pipelines.evaluation.risk_calibration import (
    CALIBRATION,
    CHOICE,
    ask_pipeline,
    calibrate_model,
    check_enough,
    halves,
    with_taken_out,
)
from haystack_integrations.components.rankers.answer_selection import CTRNRanker
from haystack_integrations.components.rankers.answer_selection.answer_risk import AnswerRisk


def queries(*relevant):
    return [Query(f"q{place}", f"question {place}", tuple(one)) for place, one in enumerate(relevant)]


def test_the_entries_of_every_second_are_taken_out():
    asked = with_taken_out(queries("a", "a", "b", "cd", "b", "e"))
    assert [one.hidden for one in asked] == [(), (), ("b",), (), ("b",), ("e",)]
    assert [one.query.relevant for one in asked] == [("a",), ("a",), (), ("c", "d"), (), ()]


def test_where_some_questions_have_no_answer_by_themselves_nothing_is_taken_out():
    given = queries("a", "", "b")
    asked = with_taken_out(given)
    assert [one.query for one in asked] == given
    assert not any(one.hidden for one in asked)


def test_halves_share_no_entry_and_only_the_calibrations_has_questions_without_answer():
    given = queries(*["ab", "ac", "b", "c"] * 20, *[f"{one}" for one in "defghijklmnop"], *[""] * 30)
    parts = halves(given)
    assert all(one.relevant for one in parts[CHOICE])
    chosen, calibrated = ({entry for one in parts[name] for entry in one.relevant} for name in (CHOICE, CALIBRATION))
    assert chosen
    assert chosen.isdisjoint(calibrated)
    assert 5 < sum(not one.relevant for one in parts[CALIBRATION]) < 25
    assert parts == halves(given)


def test_too_few_questions_for_a_risk_are_refused_before_anything_is_trained():
    with pytest.raises(ValueError, match=r"asked\.jsonl: 20 questions .* for the risk 0\.1 at least 33 must be"):
        check_enough(queries(*["a"] * 20), [0.2, 0.1], "asked.jsonl")
    check_enough(queries(*["a"] * 33), [0.1], "asked.jsonl")


@pytest.fixture(scope="module")
def definition(small_index, tmp_path_factory):
    model = tmp_path_factory.mktemp("risk") / "model"
    shutil.copytree(CTRNRanker.default_model, model)
    return pipeline_yaml.point_at(pipeline_yaml.read("answer"), index=small_index, model=model)


@pytest.fixture(scope="module")
def found(definition, small_faq):
    pipeline = pipeline_yaml.load(definition)
    asked = with_taken_out(list(iter_queries(small_faq.queries)))
    return asked, *ask_pipeline(pipeline, asked, bar)


@pytest.mark.slow
def test_what_is_taken_out_is_not_found(found):
    asked, answers, _ = found
    hidden = {one.query.query_id: set(one.hidden) for one in asked}
    lost = [one for one in answers if hidden[one.query.query_id]]
    assert lost
    assert not any(one.right for one in lost)
    for one in lost:
        assert hidden[one.query.query_id].isdisjoint(document.meta["entry_id"] for document in one.candidates)
    # The others find theirs, and may find what is hidden from the next question.
    assert any(one.right for one in answers if not hidden[one.query.query_id])
    every = set().union(*hidden.values())
    assert any(document.meta["entry_id"] in every for one in answers for document in one.candidates)


def test_what_the_ranking_depends_on_is_told(found):
    _, answers, ranking = found
    assert ranking["meta_fields_to_embed"] == ["question"]
    assert (ranking["vectors"], ranking["encoder"]) == (False, None)
    assert all(math.isfinite(one.certain) for one in answers)


@pytest.mark.slow
def test_a_model_is_calibrated_in_its_folder_and_its_card(definition, small_faq):
    asked = list(iter_queries(small_faq.queries))
    ranker = definition["components"]["ranker"]["init_parameters"]
    model = small_faq.queries.parent / ranker["model"]
    made = calibrate_model(definition, model, asked, [0.9, 0.001], bar, source="queries.jsonl")
    assert AnswerRisk.load(model) == made
    assert made.without_answer == pytest.approx(made.questions / 2, rel=0.3)
    assert made.thresholds[0.9].probability is not None
    assert made.thresholds[0.001].probability is None
    card = (model / "README.md").read_text(encoding="utf-8")
    assert "- answer_risk 0.9: " in card
    assert "- answer_risk 0.001: no threshold keeps it" in card
    # Calibrated again, the card says it once.
    calibrate_model(definition, model, asked, [0.8], bar, source="queries.jsonl")
    assert (model / "README.md").read_text(encoding="utf-8").count("## When it keeps silent") == 1
    loaded = pipeline_yaml.load(pipeline_yaml.point_at(definition, answer_risk=0.8))
    outcome = loaded.run({"query": asked[0].query})["ranker"]
    assert bool(outcome["documents"]) is not outcome["abstained"]


def test_a_pipeline_without_an_answer_ranker_is_refused(definition):
    other = {**definition, "components": {"retriever": definition["components"]["retriever"]}}
    del other["connections"], other["inputs"], other["outputs"]
    with pytest.raises(pipeline_yaml.PipelineFileError, match="expected a pipeline of a retriever"):
        ask_pipeline(pipeline_yaml.load(other), with_taken_out(queries("a")), bar)


def test_an_entry_that_is_not_in_the_index_is_named(definition, tmp_path):
    with pytest.raises(ValueError, match=r"mine\.jsonl: 1 of 1 relevant entries are not in the index: 'gone'"):
        calibrate_model(definition, tmp_path, [Query("q", "what?", ("gone",))], [0.1], bar, source="mine.jsonl")
