# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Metrics against cases computed by hand, with ties and with relevant candidates that nobody found."""

import pytest

from answer_selection.pipelines.evaluation.metrics import Metric, evaluate_questions

NAMES = ("P@1", "MRR", "MAP", "recall@2", "recall@10")


def values(ranking, relevance):
    return evaluate_questions({"q": ranking}, {"q": relevance}, NAMES)["q"]


@pytest.mark.parametrize(
    ("ids", "relevance", "expected"),
    [
        # The only relevant one first, and last of four.
        ("abcd", {"a": 1}, (1, 1, 1, 1, 1)),
        ("abcd", {"d": 1}, (0, 1 / 4, 1 / 4, 0, 1)),
        # Second and fourth are relevant: AP = (1/2 + 2/4) / 2.
        ("abcd", {"a": 0, "b": 1, "c": 0, "d": 1}, (0, 1 / 2, 1 / 2, 1 / 2, 1)),
        # The same, and a third relevant one was not found: AP = (1/2 + 2/4) / 3, recall over all three.
        ("abcd", {"b": 1, "d": 1, "z": 1}, (0, 1 / 2, 1 / 3, 1 / 3, 2 / 3)),
        # First, third and fourth: AP = (1/1 + 2/3 + 3/4) / 3.
        ("abcd", {"a": 1, "c": 1, "d": 1}, (1, 1, (1 + 2 / 3 + 3 / 4) / 3, 1 / 3, 1)),
        # Nothing relevant, nothing found, nothing known.
        ("abcd", {"a": 0}, (0, 0, 0, 0, 0)),
        ("", {"a": 1}, (0, 0, 0, 0, 0)),
        ("abcd", {}, (0, 0, 0, 0, 0)),
    ],
)
def test_hand_computed(ids, relevance, expected):
    ranking = [(candidate_id, 1.0 - rank / 10) for rank, candidate_id in enumerate(ids)]
    assert values(ranking, relevance) == pytest.approx(dict(zip(NAMES, expected, strict=True)))


@pytest.mark.parametrize("relevant", "abcd")
def test_equal_scores_keep_the_order_they_are_given_in(relevant):
    """`trec_eval` would sort tied documents by id, the last first; the user gets them in the ranking's order."""
    rank = "abcd".index(relevant) + 1
    assert values([(candidate_id, 0.5) for candidate_id in "abcd"], {relevant: 1})["MRR"] == pytest.approx(1 / rank)
    assert values([(candidate_id, None) for candidate_id in "abcd"], {relevant: 1})["MRR"] == pytest.approx(1 / rank)


def test_scores_that_differ_by_less_than_32_bits_are_no_ties():
    ranking = [("a", 0.9000000000000001), ("b", 0.9), ("c", 0.8999999999999999)]
    assert values(ranking, {"a": 1})["P@1"] == 1


def test_a_long_ranking_keeps_its_order():
    ids = [f"d{number}" for number in range(5000)]
    ranking = [(candidate_id, 0.0) for candidate_id in ids]
    assert values(ranking, {"d3999": 1})["MRR"] == pytest.approx(1 / 4000)


def test_questions_without_a_ranking_count_as_0_and_others_are_ignored():
    run = {"asked": [("a", 1.0)], "never judged": [("a", 1.0)]}
    result = evaluate_questions(run, {"missing": {"a": 1}, "asked": {"a": 1}}, ["MRR"])
    assert result == {"missing": {"MRR": 0.0}, "asked": {"MRR": 1.0}}
    assert list(result) == ["missing", "asked"]


def test_a_candidate_ranked_twice_is_an_error():
    with pytest.raises(ValueError, match=r"query 'q': candidate 'b' is ranked twice"):
        values([("a", 3.0), ("b", 2.0), ("b", 1.0)], {"a": 1})


@pytest.mark.parametrize("name", ["mrr", "recall", "recall@0", "P@", "recall@1.5", "nDCG@10"])
def test_an_unknown_metric_says_which_there_are(name):
    with pytest.raises(ValueError, match=r"unknown metric .*expected MRR, MAP, P@k or recall@k"):
        Metric.parse(name)
