# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The report: what is written, that `ir_measures` reads the same figures back, and what a person is shown."""

import json
import math

import ir_measures
import pytest
from rich.console import Console

from answer_selection.pipelines.evaluation.metrics import DEFAULT_METRICS, Metric
from answer_selection.pipelines.evaluation.policies import Policy
from answer_selection.pipelines.evaluation.report import evaluate, render, run_name
from answer_selection.pipelines.evaluation.results import QuestionResult, Ranking

STAGES = ("BM25", "my ranker/2")


def ranking(ids, scores=None):
    return Ranking(tuple(ids), tuple(scores or [0.5] * len(ids)), 0.002)


def question(query_id, relevance, first, second, *, closed=True):
    stages = dict(zip(STAGES, (ranking(first), ranking(second)), strict=True))
    entries = tuple(name for name, label in relevance.items() if label)
    return QuestionResult(query_id, f"what is {query_id}?", relevance, closed, stages, entries)


# Ids that a TREC file cannot hold as they are, scores that all tie, questions of all kinds.
QUESTIONS = [
    question("q 1", {"an entry": 1, "b": 0, "c%20d": 0}, ["b", "c%20d", "an entry"], ["an entry", "b", "c%20d"]),
    question("q\t2", {"Öffnung": 1, "b\u00a0b": 1, "c": 0}, ["c", "Öffnung", "b\u00a0b"], ["Öffnung", "b\u00a0b", "c"]),
    question("ohne", {"a": 0, "b": 0}, ["a", "b"], ["b", "a"]),
    question("nur", {"a": 1, "b": 1}, ["a", "b"], ["b", "a"]),
    question("nothing found", {"a": 1, "b": 0}, [], ["a", "b"]),
]


def lines(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def read_back(report, stage):
    qrels = list(ir_measures.read_trec_qrels(str(report.folder / "qrels.txt")))
    run = list(ir_measures.read_trec_run(str(report.folder / run_name(stage))))
    measures = {name: Metric.parse(name).measure for name in DEFAULT_METRICS}
    values = ir_measures.calc_aggregate(list(measures.values()), qrels, run)
    return {name: values[measure] for name, measure in measures.items()}


@pytest.mark.parametrize(("policy", "counted"), [(Policy.ALL, 5), (Policy.WITH_RELEVANT, 4), (Policy.WITH_BOTH, 3)])
def test_ir_measures_reads_the_same_figures_back(tmp_path, policy, counted):
    report = evaluate(QUESTIONS, tmp_path / "out", policy=policy, resamples=99)
    assert report.counts.counted == counted
    for stage in STAGES:
        assert read_back(report, stage) == pytest.approx(report.means[stage])


def test_end_to_end_questions_without_a_relevant_entry_are_read_back_as_0(tmp_path):
    questions = [
        question("q1", {"a": 1}, ["a"], ["a"], closed=False),
        question("q2", {}, ["a", "b"], ["b"], closed=False),
    ]
    report = evaluate(questions, tmp_path / "out", policy=Policy.ALL, resamples=99)
    assert report.means["BM25"]["MRR"] == 0.5
    assert read_back(report, "BM25") == pytest.approx(report.means["BM25"])


def test_means_and_differences_by_hand(tmp_path):
    report = evaluate(QUESTIONS, tmp_path / "out", policy=Policy.WITH_BOTH)
    # Reciprocal ranks: 1/3, 1/2, 0 and 1, 1, 1; average precisions: 1/3, (1/2 + 2/3) / 2, 0.
    assert report.means["BM25"]["MRR"] == pytest.approx((1 / 3 + 1 / 2) / 3)
    assert report.means["BM25"]["MAP"] == pytest.approx((1 / 3 + 7 / 12) / 3)
    assert report.means["my ranker/2"]["P@1"] == 1.0
    comparison = report.comparisons["P@1"]
    assert (comparison.difference, comparison.interval, comparison.questions) == (1.0, (1.0, 1.0), 3)
    # Three clusters, all for the ranker: 2 of 8 sign patterns.
    assert comparison.p_value == pytest.approx(0.25, abs=0.02)


def test_every_question_has_its_line(tmp_path):
    report = evaluate(QUESTIONS, tmp_path / "out", policy=Policy.WITH_RELEVANT, resamples=99)
    written = lines(report.folder / "per_question.jsonl")
    assert [line["query_id"] for line in written] == [result.query_id for result in QUESTIONS]
    assert [line["counted"] for line in written] == [True, True, False, True, True]
    assert written[1]["query"] == "what is q\t2?"
    assert written[1]["relevant"] == ["Öffnung", "b\u00a0b"]
    stage = written[1]["stages"]["BM25"]
    assert (stage["ids"], stage["scores"]) == (["c", "Öffnung", "b\u00a0b"], [0.5, 0.5, 0.5])
    assert (stage["P@1"], stage["reciprocal_rank"], stage["seconds"]) == (0.0, 0.5, 0.002)
    assert stage["average_precision"] == pytest.approx(7 / 12)


def test_results_carry_the_settings(tmp_path):
    settings = {"data": "library FAQ", "model": "default"}
    report = evaluate(QUESTIONS, tmp_path / "out", policy=Policy.ALL, seed=5, resamples=99, settings=settings)
    written = json.loads((report.folder / "results.json").read_text(encoding="utf-8"))
    assert written == json.loads(json.dumps(report.to_dict()))
    assert written["questions"] == {
        "policy": "all",
        "asked": 5,
        "counted": 5,
        "without_relevant": 1,
        "only_relevant": 1,
    }
    assert written["settings"]["data"] == "library FAQ"
    assert (written["settings"]["seed"], written["settings"]["resamples"]) == (5, 99)
    assert {"haystack-ai", "ir_measures", "scipy"} <= set(written["settings"]["versions"])
    assert written["comparison"]["baseline"] == "BM25"
    assert written["comparison"]["metrics"]["MAP"]["clusters"] == 4  # two questions share the entry "a"
    assert written["stages"]["my ranker/2"]["median_seconds"] == 0.002
    assert (report.folder / written["stages"]["my ranker/2"]["run"]).is_file()


def test_questions_on_one_entry_are_tested_together(tmp_path):
    questions = [question(f"q{number}", {"a": 1}, ["b", "a"], ["a", "b"], closed=False) for number in range(12)]
    report = evaluate(questions, tmp_path / "one", resamples=999)
    assert report.comparisons["P@1"].p_value == 1.0
    apart = [question(f"q{number}", {f"a{number}": 1}, ["b"], [f"a{number}"], closed=False) for number in range(12)]
    assert evaluate(apart, tmp_path / "many", resamples=999).comparisons["P@1"].p_value < 0.01


def shown(report, width=120, **options):
    console = Console(width=width, record=True, file=open("/dev/null", "w"))
    console.print(render(report, title="Library FAQ", **options))
    return console.export_text()


def test_the_table_shows_stages_differences_and_the_policy(tmp_path):
    report = evaluate(QUESTIONS, tmp_path / "out", policy=Policy.WITH_BOTH)
    # As wide as a terminal is by default.
    text = shown(report, width=80)
    rows = [line.split("│")[1:-1] for line in text.splitlines() if line.startswith("│")]
    cells = {row[0].strip(): [cell.strip() for cell in row[1:]] for row in rows}
    assert cells["BM25"] == ["0.000", "0.278", "0.306", "0.667", "2.0"]
    assert cells["my ranker/2"] == ["1.000", "1.000", "1.000", "1.000", "2.0"]
    compared = [[cell.strip() for cell in row] for row in rows if len(row) == 5]
    assert [row[:3] for row in compared] == [
        ["my ranker/2 minus BM25", "P@1", "+1.000"],
        ["", "MRR", "+0.722"],
        ["", "MAP", "+0.694"],
        ["", "recall@10", "+0.333"],
    ]
    interval = [float(end) for end in compared[1][3].split(" to ")]
    assert interval == pytest.approx(report.comparisons["MRR"].interval, abs=5e-4)
    assert math.isclose(float(compared[0][4]), 0.25, abs_tol=0.02)
    notes = text.splitlines()[-4:]
    assert '3 of 5 questions count (policy "with-both": 1 without a relevant candidate' in text
    assert "paired randomisation and bootstrap, 3 groups of questions that share no entry" in notes


def test_stages_go_by_the_names_that_people_know(tmp_path):
    text = shown(evaluate(QUESTIONS, tmp_path / "out", resamples=99), labels={"my ranker/2": "CTRN"})
    assert "│ CTRN " in text
    assert "CTRN minus BM25" in text
    assert "my ranker" not in text


def test_one_stage_alone_is_not_compared(tmp_path):
    questions = [QuestionResult("q", "?", {"a": 1}, False, {"BM25": ranking(["a"])}, ("a",))]
    report = evaluate(questions, tmp_path / "out")
    assert report.to_dict()["comparison"] is None
    assert "p-value" not in shown(report)


def test_another_runs_report_is_never_overwritten_silently(tmp_path):
    evaluate(QUESTIONS, tmp_path, resamples=99)
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(FileExistsError, match="is not empty"):
        evaluate(QUESTIONS[:2], tmp_path, resamples=99)
    assert len(lines(tmp_path / "per_question.jsonl")) == 5
    only = [QuestionResult("q", "?", {"a": 1}, False, {"BM25": ranking(["a"])}, ("a",))]
    evaluate(only, tmp_path, resamples=99, overwrite=True)
    assert len(lines(tmp_path / "per_question.jsonl")) == 1
    assert sorted(path.name for path in tmp_path.glob("*.txt")) == ["notes.txt", "qrels.txt", "run-BM25.txt"]


def test_an_evaluation_that_breaks_off_leaves_its_questions_but_no_results(tmp_path):
    def broken():
        yield QUESTIONS[0]
        msg = "the power went out"
        raise RuntimeError(msg)

    with pytest.raises(RuntimeError, match="power"):
        evaluate(broken(), tmp_path / "out")
    assert len(lines(tmp_path / "out" / "per_question.jsonl")) == 1
    assert not (tmp_path / "out" / "results.json").exists()


@pytest.mark.parametrize(
    ("questions", "message"),
    [
        ([QUESTIONS[0], QUESTIONS[0]], "query 'q 1' is asked twice"),
        (
            [QUESTIONS[0], QuestionResult("q9", "?", {"a": 1}, True, {"BM25": ranking(["a"])}, ("a",))],
            r"query 'q9': expected the stages \['BM25', 'my ranker/2'\], but got \['BM25'\]",
        ),
        ([QUESTIONS[2]], "no question is left to evaluate.*1 without a relevant candidate dropped"),
        ([], "there are no questions"),
        ([question("q", {"a": 1}, ["a", "a"], ["a"])], "candidate 'a' is ranked twice"),
        ([question("q", {"a": 1}, [""], ["a"])], "empty id"),
    ],
)
def test_what_cannot_be_evaluated_is_said(tmp_path, questions, message):
    with pytest.raises(ValueError, match=message):
        evaluate(questions, tmp_path / "out")


def test_risk_is_of_all_questions_asked_and_by_probability_where_there_is_one(tmp_path):
    def asked(name, relevant, probability, *, abstained=False):
        second = Ranking(("a", "b"), (0.9, 0.1), 0.002, probability, abstained)
        stages = {"BM25": ranking(["b", "a"], [probability, 0.0]), "ranker": second}
        return QuestionResult(name, "what?", dict.fromkeys(relevant, 1), False, stages, tuple(relevant))

    questions = [asked("q1", "a", 0.8), asked("q2", "b", 0.6), asked("q3", "", 0.2, abstained=True)]
    report = evaluate(questions, tmp_path / "out", resamples=99)
    written = json.loads((tmp_path / "out" / "results.json").read_text(encoding="utf-8"))["answer_risk"]
    assert written["ranker"]["questions"] == 3
    assert written["ranker"]["right"] == pytest.approx(1 / 3)
    assert written["ranker"]["ece"] == pytest.approx((0.2 + 0.6 + 0.2) / 3)
    assert [point["risk"] for point in written["ranker"]["curve"]] == [0.0, 0.5, 0.6667]
    assert written["ranker"]["answered"] == {"share": pytest.approx(2 / 3), "wrong": 0.5}
    assert (written["BM25"]["ece"], written["BM25"]["answered"]) == (None, None)
    assert [line["stages"]["ranker"]["probability"] for line in lines(tmp_path / "out" / "per_question.jsonl")] == [
        0.8,
        0.6,
        0.2,
    ]
    console = Console(width=200, record=True)
    console.print(render(report))
    shown = " ".join(console.export_text().split())
    assert (
        "ranker could answer 33.3% at 1% wrong, 33.3% at 5%, 33.3% at 10%; 3 questions are few to tell AURC 0.389"
        in shown
    )
    assert "ranker answers 66.7% of 3 questions, 50.0% of them wrong" in shown
