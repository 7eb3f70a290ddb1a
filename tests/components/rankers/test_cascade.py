# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""A model that reads the first documents alone: the retriever's, or those that the other signals put first."""

import json
import shutil
from itertools import pairwise

import numpy as np
import pytest
from haystack import Document, Pipeline

from computed_twice import assert_same_scores
from haystack_integrations.components.rankers.answer_selection import CTRNRanker
from haystack_integrations.components.rankers.answer_selection.mixing import sigmoid
from haystack_integrations.components.rankers.answer_selection.models.record import Record
from haystack_integrations.components.rankers.answer_selection.signals import SCORED_WEIGHTS, UNREAD

QUERY = "When does the reading room close?"
TEXTS = [
    "A lost card is replaced at any desk for two dollars.",
    "No.",
    "The reading room closes at eight on weekdays.",
    "The room on the second floor can be booked for two hours a day.",
    "The reading room closes at six on Saturdays.",
]
DOCUMENTS = [Document(id=str(place), content=text, score=9.0 - place) for place, text in enumerate(TEXTS)]


def run(documents=DOCUMENTS, **options):
    return CTRNRanker(retriever_weight=0.0, **options).run(QUERY, documents)["documents"]


def test_the_first_are_ranked_as_if_there_were_no_others():
    found, expected = run(rerank_top_k=3), run(DOCUMENTS[:3])
    assert [each.id for each in found[:3]] == [each.id for each in expected] != ["0", "1", "2"]
    assert_same_scores([each.score for each in found[:3]], [each.score for each in expected])


def test_the_others_keep_their_order_and_scores_only_fall():
    found = run(rerank_top_k=3)
    assert [each.id for each in found[3:]] == ["3", "4"]
    scores = [each.score for each in found]
    assert scores == sorted(scores, reverse=True)
    assert 0 < scores[4] < scores[3] < scores[2]
    assert [each.meta["ranker_probability"] for each in found[3:]] == [None, None]
    assert [each.meta["retriever_rank"] for each in found[3:]] == [4, 5]
    assert [each.meta["retriever_score"] for each in found[3:]] == [6.0, 5.0]


def test_only_the_first_are_scored(monkeypatch):
    seen = []
    score_pairs = CTRNRanker.score_pairs

    def noted(self, records):
        seen.extend(record.answer for record in records)
        return score_pairs(self, records)

    monkeypatch.setattr(CTRNRanker, "score_pairs", noted)
    lists = [DOCUMENTS, [], DOCUMENTS[:1]]
    for weight, expected in ((0.0, [*TEXTS[:2], TEXTS[0]]), (None, [TEXTS[2], TEXTS[4], TEXTS[0]])):
        seen.clear()
        batch = CTRNRanker(rerank_top_k=2, retriever_weight=weight).run_batch([QUERY] * 3, lists)["documents"]
        assert seen == expected
        assert [len(documents) for documents in batch] == [5, 0, 1]


def test_among_signals_all_are_weighed_and_the_others_get_the_lowest_logit_or_less():
    ranked = CTRNRanker(rerank_top_k=2).run(QUERY, DOCUMENTS)["documents"]
    everything = CTRNRanker().run(QUERY, DOCUMENTS)["documents"]
    assert {each.id for each in ranked[:2]} == {"2", "4"}
    assert {each.id for each in ranked} == {each.id for each in everything}
    assert all(each.meta["ranker_probability"] is not None for each in ranked)
    logits = dict(zip("01234", CTRNRanker().score_pairs([Record(QUERY, text) for text in TEXTS]), strict=True))
    # Scores are o / (1 + the sum of all o).
    some, by_all = (
        {each.id: np.log(each.score / (1 - sum(every.score for every in one))) for each in one}
        for one in (ranked, everything)
    )
    lowest = min(logits["2"], logits["4"], UNREAD)
    for one, read in {"2": True, "4": True, "0": False, "1": False, "3": False}.items():
        lost = 0 if read else SCORED_WEIGHTS["model"] * (logits[one] - lowest)
        assert some[one] == pytest.approx(by_all[one] - lost, abs=1e-5)


def test_what_is_not_read_is_no_likelier_than_such_candidates_are(monkeypatch):
    signals = {}
    for logit in (3.0, UNREAD - 1):
        monkeypatch.setattr(CTRNRanker, "score_pairs", lambda self, records, logit=logit: np.full(len(records), logit))
        ranked = CTRNRanker(rerank_top_k=2).run(QUERY, DOCUMENTS)["documents"]
        signals[logit] = {each.id: each.meta["ranker_signals"].get("model", 0) for each in ranked}
    # What each adds is told from the mean of all, so that only what is read above the others shows.
    apart = SCORED_WEIGHTS["model"] * (3.0 - UNREAD)
    expected = {one: apart * ((one in "24") - 2 / 5) for one in "01234"}
    assert signals[3.0] == pytest.approx(expected, abs=1e-3)
    assert signals[UNREAD - 1] == pytest.approx(dict.fromkeys("01234", 0), abs=1e-3)


def test_a_models_configuration_can_name_the_number_among_signals(tmp_path, monkeypatch):
    shutil.copytree(CTRNRanker.default_model, tmp_path / "model")
    file = tmp_path / "model" / "config.json"
    file.write_text(json.dumps(json.loads(file.read_text(encoding="utf-8")) | {"rerank_top_k": 2}), encoding="utf-8")
    read = []
    score_pairs = CTRNRanker.score_pairs

    def noted(self, records):
        read.append(len(records))
        return score_pairs(self, records)

    monkeypatch.setattr(CTRNRanker, "score_pairs", noted)
    for given, weight, number in ((None, None, 2), (3, None, 3), (None, 0.0, 5), (3, 0.0, 3)):
        ranker = CTRNRanker(model=str(tmp_path / "model"), retriever_weight=weight, rerank_top_k=given)
        ranker.run(QUERY, DOCUMENTS)
        assert read.pop() == number
        assert ranker.ranked_by(DOCUMENTS)["rerank_top_k"] == (None if number == 5 else number)


def test_a_models_configuration_can_name_how_far_behind_the_first_one_may_be(tmp_path, monkeypatch):
    everything = CTRNRanker(rerank_top_k=1).run(QUERY, DOCUMENTS)["documents"]
    without = {
        each.id: sum(value for name, value in each.meta["ranker_signals"].items() if name != "model")
        for each in everything
    }
    behind = sorted(max(without.values()) - value for value in without.values())
    shutil.copytree(CTRNRanker.default_model, tmp_path / "model")
    file = tmp_path / "model" / "config.json"
    whole, read = json.loads(file.read_text(encoding="utf-8")), []
    score_pairs = CTRNRanker.score_pairs

    def noted(self, records):
        read.append(len(records))
        return score_pairs(self, records)

    monkeypatch.setattr(CTRNRanker, "score_pairs", noted)
    between = [((one + other) / 2, at) for at, (one, other) in enumerate(pairwise(behind), 1)]
    for margin, number in ((0.0, 1), *between):
        file.write_text(json.dumps(whole | {"rerank_margin": margin}), encoding="utf-8")
        for given, weight, expected in ((None, None, number), (3, None, 3), (None, 0.0, 5)):
            ranker = CTRNRanker(model=str(tmp_path / "model"), retriever_weight=weight, rerank_top_k=given)
            assert len(ranker.run(QUERY, DOCUMENTS)["documents"]) == 5
            assert read.pop() == expected
            assert ranker.ranked_by(DOCUMENTS)["rerank_margin"] == (margin if given is weight is None else None)


@pytest.mark.parametrize("number", [None, 5, 100])
def test_as_many_as_there_are_is_all(number):
    found, expected = run(rerank_top_k=number), run()
    assert [each.id for each in found] == [each.id for each in expected]
    assert all(each.meta["ranker_probability"] is not None for each in found)


def test_limit_and_threshold_cut_what_is_left():
    assert [each.id for each in run(rerank_top_k=2, top_k=3)][2:] == ["2"]
    probability = sigmoid(CTRNRanker().score_pairs([Record(QUERY, TEXTS[0])]))[0]
    assert [each.id for each in run(rerank_top_k=1, score_threshold=float(probability) - 1e-6)] == ["0"]


def test_duplicates_do_not_count():
    twice = [DOCUMENTS[0], DOCUMENTS[0], *DOCUMENTS[1:]]
    assert [each.id for each in run(twice, rerank_top_k=3)] == [each.id for each in run(rerank_top_k=3)]


@pytest.mark.parametrize("number", [0, -1])
def test_less_than_one_is_refused(number):
    with pytest.raises(ValueError, match=f"rerank_top_k must be > 0 or None, but got {number}"):
        CTRNRanker(rerank_top_k=number)


def test_two_rankers_in_yaml():
    pipeline = Pipeline()
    pipeline.add_component("small", CTRNRanker())
    pipeline.add_component("large", CTRNRanker(rerank_top_k=2))
    pipeline.connect("small.documents", "large.documents")
    again = Pipeline.loads(pipeline.dumps())
    assert again.get_component("large").rerank_top_k == 2
    result = again.run(
        {"small": {"query": QUERY, "documents": DOCUMENTS}, "large": {"query": QUERY}}, include_outputs_from={"small"}
    )
    small, large = ([each.id for each in result[name]["documents"]] for name in ("small", "large"))
    assert large[2:] == small[2:]
    assert sorted(large[:2]) == sorted(small[:2])


@pytest.mark.parametrize("weight", ["1", [1.0], float("nan"), float("inf")])
def test_a_weight_that_is_no_number(weight):
    with pytest.raises(ValueError, match="retriever_weight must be a finite number or None, but got"):
        CTRNRanker(retriever_weight=weight)
    with pytest.raises(ValueError, match="retriever_weight must be a finite number or None, but got"):
        CTRNRanker().run(query=QUERY, documents=DOCUMENTS, retriever_weight=weight)
