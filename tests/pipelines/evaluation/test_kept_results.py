# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""A run against a kept one."""

import json

import pytest

from answer_selection.pipelines.evaluation.kept_results import KeptResults, compare_with_kept, worse
from answer_selection.pipelines.evaluation.report import evaluate
from answer_selection.pipelines.evaluation.results import QuestionResult, Ranking


def run(folder, ranks, *, closed=False):
    results = []
    for place, rank in enumerate(ranks):
        entry = "right" if closed else f"right {place}"
        ids = [f"wrong {one}" for one in range(rank - 1)] + [entry]
        labels = {entry: 1} | (dict.fromkeys(ids[:-1], 0) if closed else {})
        stages = {"bm25": Ranking(), "ranker": Ranking(tuple(ids), tuple([0.5] * len(ids)), None)}
        results.append(
            QuestionResult(f"q{place}", f"what is {place}?", labels, closed, stages, (f"{entry} of {place}",))
        )
    evaluate(results, folder, resamples=99)
    return KeptResults.read(folder)


def test_a_run_that_is_worse_by_more_than_chance_is_told_from_one_that_may_not_be(tmp_path):
    before = run(tmp_path / "before", [1] * 40)
    worse_run, unlucky = run(tmp_path / "worse", [1, 3] * 20), run(tmp_path / "unlucky", [1] * 38 + [2] * 2)
    compared = compare_with_kept(worse_run, before)
    assert compared["MRR"].difference == pytest.approx(-1 / 3)
    assert worse(compared) == ["P@1", "MRR", "MAP"]
    assert compare_with_kept(unlucky, before)["P@1"].difference == pytest.approx(-0.05)
    assert worse(compare_with_kept(unlucky, before)) == []
    # What is better is not worse, however sure that is.
    assert worse(compare_with_kept(before, worse_run)) == []


def test_questions_are_matched_by_their_ids_not_by_their_places(tmp_path):
    before = run(tmp_path / "before", [1, 2, 4])
    lines = (before.folder / "per_question.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    (before.folder / "per_question.jsonl").write_text("".join(lines[::-1]), encoding="utf-8")
    turned = KeptResults.read(before.folder)
    compared = compare_with_kept(run(tmp_path / "again", [1, 2, 4]), turned)
    assert (compared["MRR"].difference, compared["MRR"].p_value) == (0, 1)


def test_a_questions_entries_may_be_in_any_order(tmp_path):
    before, after = run(tmp_path / "before", [1, 2]), run(tmp_path / "after", [1, 2])
    for kept, entries in ((before, ["right 0", "other"]), (after, ["other", "right 0"])):
        kept.questions[0]["relevant"] = entries
    assert compare_with_kept(after, before)["MRR"].difference == 0


def test_candidate_ids_are_names_within_their_lists(tmp_path):
    assert run(tmp_path / "lists", [1, 2, 1], closed=True).clusters.tolist() == [0, 1, 2]


def test_other_questions_and_broken_folders_are_refused(tmp_path):
    results = run(tmp_path / "run", [1, 2])
    with pytest.raises(ValueError, match="2 questions with their entries are in both runs, of 2 here and 3 there"):
        compare_with_kept(results, run(tmp_path / "more", [1, 2, 3]))
    with pytest.raises(ValueError, match=r"no results of `eval` \(results\.json: No such file"):
        KeptResults.read(tmp_path)
    path = tmp_path / "run" / "results.json"
    summary = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps({**summary, "stages": {"bm25": {}}}), encoding="utf-8")
    with pytest.raises(ValueError, match=r"is not that of results\.json"):
        KeptResults.read(tmp_path / "run")
    path.write_text("{}", encoding="utf-8")
    with pytest.raises(ValueError, match="not as `eval` writes them"):
        KeptResults.read(tmp_path / "run")
