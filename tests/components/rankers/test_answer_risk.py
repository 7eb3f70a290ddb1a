# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""A ranker that keeps silent where it is not sure enough, and the file that says from where on it may answer."""

import json
import math
from dataclasses import replace

import numpy as np
import pytest
import torch
from haystack import Document, Pipeline
from haystack.components.routers import ConditionalRouter

from haystack_integrations.components.rankers.answer_selection import AnswerRanker, CTRNRanker
from haystack_integrations.components.rankers.answer_selection.answer_risk import (
    FILE,
    AnswerRisk,
    AnswerRiskError,
    Threshold,
    certainty,
    log_odds_of,
    probabilities,
)
from haystack_integrations.components.rankers.answer_selection.models import registry

QUERY = "When does the reading room close?"
TEXTS = ["The reading room closes at eight.", "A lost card costs two dollars.", "Renew a loan at a desk."]
RANKING = {
    "retriever_weight": 1.0,
    "meta_fields_to_embed": [],
    "embedding_separator": "\n",
    "rerank_top_k": None,
    "vectors": False,
    "encoder": None,
}


@pytest.mark.parametrize("log_odds", [[2.0, -1.0, 0.5], [0.0], [-90.0, -91.0, -90.0], [30.0, 31.0, -1.0]])
def test_of_all_candidates_at_most_one_is_right(log_odds):
    texts = "abc"[: len(log_odds)]
    found = probabilities(np.array(log_odds), texts)
    assert found.sum() <= 1 + 1e-9
    assert np.argsort(-found, kind="stable").tolist() == np.argsort(-np.array(log_odds), kind="stable").tolist()
    assert np.log(found.max() / (1 - found.max())) == pytest.approx(certainty(np.array(log_odds), texts), abs=1e-3)
    odds = np.exp(log_odds)
    assert found == pytest.approx(odds / (1 + odds.sum()))


def documents(scores=(5.0, 4.0, 3.0)):
    return [Document(id=text, content=text, score=score) for text, score in zip(TEXTS, scores, strict=True)]


@pytest.fixture(scope="module")
def uncalibrated(tmp_path_factory):
    torch.manual_seed(0)
    folder = tmp_path_factory.mktemp("ctrn")
    sizes = {"hidden_size": 4, "embedding_size": 4, "projection_size": 4, "mlp_size": 4}
    registry.save(folder, *registry.build("ctrn", [QUERY, *TEXTS], retriever_weight=1.0, **sizes))
    return folder


@pytest.fixture
def model(uncalibrated):
    """A folder whose calibration lets every second answer pass at 0.1, none at 0.01 and all at 0.5."""
    thresholds = {0.1: Threshold(0.6, 0.5, 0.05), 0.01: Threshold(None, 0.0, None), 0.5: Threshold(0.0, 1.0, 0.3)}
    calibration = AnswerRisk(1.0, 0.0, 0.9, 500, 250, RANKING, thresholds)
    calibration.save(uncalibrated)
    yield uncalibrated
    (uncalibrated / FILE).unlink()


def calibrate(folder, **changed):
    AnswerRisk.load(folder).__class__.save(replace(AnswerRisk.load(folder), **changed), folder)


class TestCertainty:
    def test_is_the_share_of_the_first_among_all_that_may_be(self):
        # Odds of 3, 1 and 1/3, and 1 for none of them.
        assert certainty(np.log([1, 3, 1 / 3]), "abc") == pytest.approx(math.log(3 / (1 + 1 + 1 / 3)))

    def test_of_a_single_candidate_is_its_own_probability(self):
        assert certainty(log_odds_of(np.array([0.8])), "a") == pytest.approx(math.log(4))

    def test_falls_with_a_second_candidate_that_is_as_good(self):
        assert (
            certainty(np.array([2.0, 2.0]), "ab")
            < certainty(np.array([2.0, -2.0]), "ab")
            < certainty(np.array([2.0]), "a")
        )

    def test_copies_of_a_text_are_right_together(self):
        once = certainty(np.array([2.0, -1.0]), ["At nine.", "By bus."])
        copies = np.array([2.0, -1.0, 1.9, 2.0]), ["At nine.", "By bus.", "At nine.", "At nine."]
        assert certainty(*copies) == pytest.approx(once)
        found = probabilities(*copies)
        assert found[[0, 1]] == pytest.approx(probabilities(np.array([2.0, -1.0]), ["At nine.", "By bus."]))
        assert found[0] == found[3] > found[2] > found[1]

    def test_is_finite_at_the_ends(self):
        assert math.isfinite(certainty(log_odds_of(np.array([1.0, 1.0, 0.0])), "abc"))
        assert math.isfinite(certainty(log_odds_of(np.array([0.0])), "a"))


class TestSilence:
    def test_an_answer_that_is_sure_enough_is_given(self, model):
        done = AnswerRanker(model=model, answer_risk=0.5).run(QUERY, documents())
        assert [done["abstained"], len(done["documents"]), done["closest_documents"]] == [False, 3, []]
        assert done["best_probability"] == pytest.approx(
            AnswerRisk.load(model).probability(
                certainty(log_odds_of(np.array([one.score for one in done["documents"]])), "abc")
            )
        )

    def test_one_that_is_not_is_kept_back_with_the_closest_documents(self, model):
        usual = AnswerRanker(model=model).run(QUERY, documents())
        done = AnswerRanker(model=model, answer_risk=0.1).run(QUERY, documents())
        assert usual["best_probability"] < 0.6
        assert done == {
            "documents": [],
            "abstained": True,
            "best_probability": usual["best_probability"],
            "certainty": usual["certainty"],
            "closest_documents": usual["documents"],
        }

    def test_without_calibration_nobody_knows_how_probable_it_is(self, uncalibrated):
        done = AnswerRanker(model=uncalibrated).run(QUERY, documents())
        assert done["best_probability"] is None
        assert 0 < done["certainty"] < 1

    def test_one_at_the_threshold_is_given(self, model):
        at = AnswerRanker(model=model).run(QUERY, documents())["best_probability"]
        calibrate(model, thresholds={0.1: Threshold(at, 0.5, 0.05)})
        assert not AnswerRanker(model=model, answer_risk=0.1).run(QUERY, documents())["abstained"]
        calibrate(model, thresholds={0.1: Threshold(float(np.nextafter(at, 1)), 0.5, 0.05)})
        assert AnswerRanker(model=model, answer_risk=0.1).run(QUERY, documents())["abstained"]

    def test_how_many_documents_are_returned_does_not_matter(self, model):
        ranker = AnswerRanker(model=model)
        assert ranker.run(QUERY, documents(), top_k=1)["best_probability"] == pytest.approx(
            ranker.run(QUERY, documents())["best_probability"]
        )

    def test_without_candidates_there_is_nothing_to_give(self, model):
        done = AnswerRanker(model=model, answer_risk=0.5).run(QUERY, [])
        assert (done["abstained"], done["best_probability"], done["documents"]) == (True, None, [])

    def test_many_questions_get_what_each_gets_alone(self, model):
        ranker = AnswerRanker(model=model, answer_risk=0.5)
        lists = [documents(), [], documents((1.0, 2.0, 9.0))]
        together = ranker.run_batch([QUERY] * 3, lists)
        for place, candidates in enumerate(lists):
            alone = ranker.run(QUERY, candidates)
            assert {name: values[place] for name, values in together.items()}.keys() == alone.keys()
            assert together["abstained"][place] == alone["abstained"]
            assert together["best_probability"][place] == pytest.approx(alone["best_probability"])

    def test_a_router_can_send_it_elsewhere(self, model):
        pipeline = Pipeline()
        pipeline.add_component("ranker", AnswerRanker(model=model, answer_risk=0.1))
        routes = [
            {"condition": "{{abstained}}", "output": "{{query}}", "output_name": "person", "output_type": str},
            {
                "condition": "{{not abstained}}",
                "output": "{{documents}}",
                "output_name": "answers",
                "output_type": list[Document],
            },
        ]
        pipeline.add_component("router", ConditionalRouter(routes, unsafe=True))
        pipeline.connect("ranker.abstained", "router.abstained")
        pipeline.connect("ranker.documents", "router.documents")
        done = pipeline.run({"ranker": {"query": QUERY, "documents": documents()}, "router": {"query": QUERY}})
        assert done["router"] == {"person": QUERY}


class TestWhatItHoldsFor:
    def test_a_model_without_calibration_names_the_command(self, uncalibrated):
        ranker = AnswerRanker(model=uncalibrated, answer_risk=0.1)
        with pytest.raises(AnswerRiskError, match=r"needs a calibrated model.*answer-selection train .*--answer-risk"):
            ranker.warm_up()
        with pytest.raises(AnswerRiskError, match="needs a calibrated model"):
            ranker.run(QUERY, documents())

    def test_another_risk_is_refused_with_those_that_are_known(self, model):
        with pytest.raises(AnswerRiskError, match=r"for the risks 0\.1, 0\.01, 0\.5, but answer_risk is 0\.2; .*train"):
            AnswerRanker(model=model, answer_risk=0.2).warm_up()

    def test_a_risk_that_no_threshold_keeps_is_refused(self, model):
        with pytest.raises(AnswerRiskError, match=r"no threshold keeps answer_risk 0\.01 with this model"):
            AnswerRanker(model=model, answer_risk=0.01).warm_up()

    @pytest.mark.parametrize(
        ("changed", "named"),
        [
            ({"retriever_weight": 0.5}, "retriever_weight = 1.0"),
            ({"meta_fields_to_embed": ["question"]}, r"meta_fields_to_embed = \[\]"),
            ({"rerank_top_k": 2}, "rerank_top_k = None"),
        ],
    )
    def test_other_parameters_void_it(self, model, changed, named):
        with pytest.raises(AnswerRiskError, match=f"answer_risk holds for {named}, as the model was calibrated"):
            AnswerRanker(model=model, answer_risk=0.5, **changed).run(QUERY, documents())

    def test_a_weight_of_one_call_voids_it_too(self, model):
        with pytest.raises(AnswerRiskError, match="holds for retriever_weight"):
            AnswerRanker(model=model, answer_risk=0.5).run(QUERY, documents(), retriever_weight=0.0)

    def test_another_encoder_voids_it(self, model):
        meta = {"vector_score": 0.5, "embedding_fingerprint": "0123-4567"}
        given = [replace(one, meta=meta) for one in documents()]
        with pytest.raises(AnswerRiskError, match="holds for vectors = False"):
            AnswerRanker(model=model, answer_risk=0.5).run(QUERY, given)
        calibrate(model, ranking={**RANKING, "vectors": True, "encoder": "89ab"})
        with pytest.raises(AnswerRiskError, match=r"holds for encoder = '89ab'.*'0123'"):
            AnswerRanker(model=model, answer_risk=0.5).run(QUERY, given)

    @pytest.mark.parametrize("risk", [0.0, 1.0, -0.1, 5, math.nan])
    def test_a_risk_is_between_0_and_1(self, risk):
        with pytest.raises(ValueError, match="answer_risk must be between 0 and 1"):
            AnswerRanker(answer_risk=risk)


def test_the_risk_goes_through_yaml(model):
    pipeline = Pipeline()
    pipeline.add_component("ranker", CTRNRanker(model=model, answer_risk=0.1))
    again = Pipeline.loads(pipeline.dumps())
    assert again.get_component("ranker").answer_risk == 0.1
    assert again.run({"query": QUERY, "documents": documents()})["ranker"]["abstained"]


def test_the_file_is_read_as_it_was_written(model):
    written = AnswerRisk.load(model)
    assert written == AnswerRisk.load(written.save(model).parent)
    assert written.thresholds[0.1] == Threshold(0.6, 0.5, 0.05)


def test_a_folder_without_the_file_is_not_calibrated(tmp_path):
    assert AnswerRisk.load(tmp_path) is None


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lambda content: "{", "cannot be read: Expecting"),
        (lambda content: "[]", "cannot be read"),
        (lambda content: json.dumps(content | {"format_version": 9}), "format_version is 9; this package reads 1"),
        (lambda content: json.dumps(content | {"scale": -1.0}), "expected a finite scale above 0"),
        (lambda content: json.dumps({k: v for k, v in content.items() if k != "shift"}), "cannot be read: .*shift"),
    ],
)
def test_a_damaged_file_is_named(model, damage, said):
    path = model / FILE
    path.write_text(damage(json.loads(path.read_text())))
    with pytest.raises(AnswerRiskError, match=said) as error:
        AnswerRanker(model=model).warm_up()
    assert str(path) in str(error.value)
