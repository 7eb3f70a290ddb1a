# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
import json
import re
import shutil
from pathlib import Path

import ir_measures
import pytest
import yaml
from haystack import Pipeline

from answer_selection.pipelines.definitions import pipeline_yaml

REPORT = {"results.json", "per_question.jsonl", "qrels.txt"}


def lines(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def write(path: Path, items: list[dict]) -> Path:
    path.write_text("".join(json.dumps(item) + "\n" for item in items), encoding="utf-8")
    return path


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.fixture
def end_to_end(command, small_faq, small_index, small_model):
    return lambda *more: command(
        "eval", "--queries", small_faq.queries, "--index", small_index, "--model", small_model, *more
    )


def test_asks_the_pipeline_every_query_and_reports_every_stage(end_to_end, small_faq, tmp_path):
    done = end_to_end("--output", "report")
    assert done.code == 0
    for word in ("BM25", "BM25 + ranker", "P@1", "MRR", "MAP", "recall@10", "p-value", "report"):
        assert word in done.out
    folder = tmp_path / "report"
    assert {path.name for path in folder.iterdir()} == REPORT | {"run-bm25.txt", "run-ranker.txt", "pipeline.yaml"}
    results = json.loads((folder / "results.json").read_text(encoding="utf-8"))
    asked = lines(small_faq.queries)
    assert results["questions"]["counted"] == len(asked)
    assert [line["query_id"] for line in lines(folder / "per_question.jsonl")] == [q["query_id"] for q in asked]
    assert results["settings"]["mode"] == "end to end"

    # What the command printed is what others compute from the files.
    qrels = list(ir_measures.read_trec_qrels(str(folder / "qrels.txt")))
    for stage, run in (("bm25", "run-bm25.txt"), ("ranker", "run-ranker.txt")):
        found = ir_measures.calc_aggregate(
            [ir_measures.P @ 1, ir_measures.RR], qrels, ir_measures.read_trec_run(str(folder / run))
        )
        metrics = results["stages"][stage]["metrics"]
        assert found[ir_measures.P @ 1] == pytest.approx(metrics["P@1"])
        assert found[ir_measures.RR] == pytest.approx(metrics["MRR"])
        assert f"{metrics['MRR']:.3f}" in done.out

    # The pipeline lies beside the results, to be deployed as it is: it returns the first of what was measured.
    with (folder / "pipeline.yaml").open(encoding="utf-8") as file:
        pipeline = Pipeline.load(file)
    first = lines(folder / "per_question.jsonl")[0]
    documents = pipeline.run({"query": first["query"]})["ranker"]["documents"]
    ranked = first["stages"]["ranker"]["ids"]
    assert [document.id for document in documents] == ranked[:10]
    assert len(ranked) == len(first["stages"]["bm25"]["ids"]), "both are measured to the same depth"


@pytest.mark.slow
def test_results_are_never_overwritten_without_being_asked(end_to_end, tmp_path):
    end_to_end("--output", "report")
    before = contents(tmp_path / "report")
    done = end_to_end("--output", "report", "--retriever-weight", 0)
    assert done.code == 2
    assert "report is not empty. Pass --overwrite to replace its results, or name another --output" in done.err
    assert contents(tmp_path / "report") == before
    assert end_to_end("--output", "report", "--retriever-weight", 0, "--overwrite").code == 0
    assert contents(tmp_path / "report") != before


def test_what_is_wrong_is_said_before_anything_is_written(command, end_to_end, small_faq, small_index, tmp_path):
    (tmp_path / "empty.jsonl").touch()
    for arguments, message in (
        (["--index", "nowhere"], "there is no index in nowhere, or it is empty: `answer-selection index"),
        (["--model", "."], "the model folder . lacks config.json"),
        (["--pipeline", "nowhere.yaml"], "nowhere.yaml: No such file or directory; expected a YAML file, or one of"),
        (["--queries", "empty.jsonl"], "empty.jsonl: there are no questions in it"),
        (["--queries", "nowhere.jsonl"], "nowhere.jsonl: cannot be read: No such file or directory"),
        (["--pipeline", "index_faq"], "query"),
    ):
        done = end_to_end("--output", "report", *arguments)
        assert done.code == 2
        assert message in done.err
        assert "Traceback" not in done.err
        assert not (tmp_path / "report").exists(), arguments


@pytest.mark.parametrize("number", [1, 7])
def test_entries_that_are_not_in_the_index_are_named_before_anything_is_asked(end_to_end, small_faq, tmp_path, number):
    known = lines(small_faq.queries)[:3]
    others = [{"query_id": f"n{i}", "query": "why?", "relevant": [f"gone {i}"]} for i in range(number)]
    done = end_to_end("--queries", write(tmp_path / "queries.jsonl", [*known, *others]), "--output", "report")
    assert done.code == 2
    relevant = {one for query in known for one in query["relevant"]}
    named = ", ".join(f"'gone {i}'" for i in range(min(number, 5))) + (", …" if number > 5 else "")
    assert done.err.endswith(
        f"queries.jsonl: {number} of {len(relevant) + number} relevant entries are not in the index: {named} (the "
        "first in query 'n0'). `answer-selection list` shows the ids of an index"
    )
    assert not (tmp_path / "report").exists()


@pytest.mark.slow
def test_candidates_and_weights_are_run_time_choices(end_to_end, tmp_path):
    end_to_end("--output", "one", "--retriever-top-k", 1)
    end_to_end("--output", "alone", "--retriever-weight", 0)
    one, alone = (lines(tmp_path / name / "per_question.jsonl") for name in ("one", "alone"))
    assert all(len(line["stages"]["bm25"]["ids"]) <= 1 for line in one)
    settings = yaml.safe_load((tmp_path / "alone" / "pipeline.yaml").read_text(encoding="utf-8"))
    assert settings["components"]["ranker"]["init_parameters"]["retriever_weight"] == 0.0
    assert max(len(line["stages"]["bm25"]["ids"]) for line in alone) > 1


def test_a_pipeline_of_ones_own_is_evaluated_as_it_is(command, small_faq, small_index, tmp_path):
    definition = pipeline_yaml.point_at(pipeline_yaml.read("answer"), index=small_index)
    bm25 = f"{pipeline_yaml.RETRIEVERS}tantivy.bm25_retriever.TantivyBM25Retriever"
    definition["components"] = {"search": {**definition["components"]["retriever"], "type": bm25}}
    del definition["connections"], definition["inputs"], definition["outputs"]
    (tmp_path / "own.yaml").write_text(yaml.safe_dump(definition), encoding="utf-8")
    done = command("eval", "--queries", small_faq.queries, "--pipeline", "own.yaml", "--output", "report")
    assert done.code == 0
    assert "search" in done.out
    assert "p-value" not in done.out, "one stage is compared with nothing"


def test_which_questions_count_is_asked_for_and_printed(end_to_end, small_faq, tmp_path):
    queries = [*lines(small_faq.queries)[:5], {"query_id": "none", "query": "who reads this?", "relevant": []}]
    path = write(tmp_path / "queries.jsonl", queries)
    done = end_to_end("--queries", path, "--output", "some")
    assert "5 of 6" in done.out
    done = end_to_end("--queries", path, "--output", "all", "--policy", "all")
    assert "6 of 6" in done.out
    write(path, queries[5:])
    done = end_to_end("--queries", path, "--output", "nothing")
    assert done.code == 2
    assert "no question is left to evaluate" in done.err


def test_ranks_given_candidates_beside_bm25(command, small_model, tmp_path):
    shutil.copy(small_model / "lists" / "train.jsonl", tmp_path / "lists.jsonl")
    done = command("eval", "--candidates", "lists.jsonl", "--model", small_model, "--output", "report")
    assert done.code == 0
    for word in ("BM25", "ctrn", "P@1", "MRR", "p-value"):
        assert word in done.out
    folder = tmp_path / "report"
    assert {path.name for path in folder.iterdir()} == REPORT | {"run-BM25.txt", "run-ctrn.txt"}
    results = json.loads((folder / "results.json").read_text(encoding="utf-8"))
    assert results["settings"]["mode"] == "candidates"
    assert results["settings"]["model"] == str(small_model)
    given = {one["query_id"]: {c["candidate_id"] for c in one["candidates"]} for one in lines(tmp_path / "lists.jsonl")}
    for line in lines(folder / "per_question.jsonl"):
        assert all(set(stage["ids"]) == given[line["query_id"]] for stage in line["stages"].values())
    done = command("eval", "--candidates", "lists.jsonl", "--model", small_model, "--output", "report")
    assert done.code == 2
    assert "report is not empty" in done.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--queries", "q.jsonl", "--candidates", "c.jsonl"], "--queries and --candidates exclude each other"),
        (["--model", "m"], "--model needs --queries or --candidates"),
        (["--output", "o"], "--output needs --queries or --candidates"),
        (["--policy", "all"], "--policy needs --queries or --candidates"),
        (["--index", "i"], "--index needs --queries"),
        (["--candidates", "c.jsonl", "--index", "i"], "--index needs --queries"),
        (["--candidates", "c.jsonl", "--retriever-weight", 1], "--retriever-weight needs --queries"),
        (["--candidates", "gone.jsonl", "--output", "o"], "gone.jsonl"),
        (
            ["--candidates", "c.docx", "--output", "o"],
            "c.docx: unknown format; expected a folder with a.toks",
        ),
        (["--candidates", "torn.jsonl", "--output", "o"], "torn.jsonl, line 1"),
        (["--candidates", "torn.jsonl", "--model", ".", "--output", "o"], "."),
        (["--policy", "some"], "Invalid value for '--policy'"),
    ],
)
def test_what_cannot_be_done_is_said(command, tmp_path, arguments, message):
    (tmp_path / "torn.jsonl").write_text('{"query_id": "q"', encoding="utf-8")
    done = command("eval", *arguments)
    assert done.code == 2
    assert message in done.err
    assert "Traceback" not in done.err
    assert not (tmp_path / "o").exists()


@pytest.mark.slow
def test_a_report_is_written_and_a_worse_run_fails(end_to_end, small_faq, tmp_path):
    """The pipeline without a ranker's share against the model alone, both ways."""
    assert end_to_end("--output", "kept", "--retriever-weight", 0).code == 0
    same = end_to_end("--output", "same", "--retriever-weight", 0, "--against", "kept", "--fail-if-worse")
    assert same.code == 0
    assert "compared with kept: P@1 +0.000 (p 1.0000), MRR +0.000 (p 1.0000), MAP +0.000 (p 1.0000)" in same.out
    # A run that has every answer first: all others are worse.
    folder = tmp_path / "kept"
    questions = lines(folder / "per_question.jsonl")
    for line in questions:
        line["stages"]["ranker"] |= {"P@1": 1.0, "reciprocal_rank": 1.0, "average_precision": 1.0}
    write(folder / "per_question.jsonl", questions)
    done = end_to_end("--output", "new", "--against", "kept", "--fail-if-worse", "--report", "report.html")
    assert done.code == 1
    assert done.err.endswith("worse than kept by more than chance: P@1, MRR, MAP")
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    # Each entry has its title, if nothing found it too.
    data = json.loads(re.search(r'id="data">(.+?)</script>', page, re.DOTALL)[1])
    assert all(entry["title"] for entry in data["entries"])
    assert {entry["id"] for entry in data["entries"]} > {id_ for q in lines(small_faq.queries) for id_ in q["relevant"]}
    assert "Worse than the kept run" in page
    # Entries are called by their questions.
    assert lines(small_faq.entries)[0]["question"] in page
    assert end_to_end("--output", "again", "--against", "kept").code == 0
    refused = end_to_end("--output", "other", "--report", "report.html")
    assert (refused.code, "report.html already exists. Pass --overwrite" in refused.err) == (2, True)
    assert not (tmp_path / "other").exists()


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--fail-if-worse",), "--fail-if-worse needs --against, the results of an earlier run"),
        (("--against", "nowhere"), "nowhere: no results of `eval` (results.json: No such file or directory)"),
        (("--report", "."), ". is a folder; expected the name of a file"),
        (("--report", "nowhere/report.html"), "nowhere/report.html: there is no folder nowhere"),
    ],
)
def test_what_a_report_lacks_is_said_before_anything_is_run(end_to_end, tmp_path, options, told):
    done = end_to_end("--output", "results", *options)
    assert done.code == 2
    assert told in done.err
    assert not (tmp_path / "results").exists()
