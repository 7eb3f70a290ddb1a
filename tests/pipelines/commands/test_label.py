# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The commands with a page, as processes: `label`, and `serve` with labels and another pipeline beside."""

import os
import re
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

import httpx
import pytest

from answer_selection.indexing.corpus import iter_queries
from service_process import beside_python, login_environment

pytestmark = pytest.mark.slow


@contextmanager
def started(folder, *arguments: object) -> Iterator[tuple[httpx.Client, subprocess.Popen]]:
    process = subprocess.Popen(
        [beside_python("answer-selection"), *map(str, arguments), "--port", "0"],
        cwd=folder,
        env=login_environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        url = re.fullmatch(r"open this page: (http://127\.0\.0\.1:\d+)/\n", process.stderr.readline())[1]
        with httpx.Client(base_url=url, timeout=300, trust_env=False) as client:
            yield client, process
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


def test_labels_are_written_resumed_and_counted_at_the_end(small_index, small_model, tmp_path, command):
    (tmp_path / "asked.txt").write_text("what does a new card cost?\nwhen are you open?\n", encoding="utf-8")
    arguments = ("label", "asked.txt", "--index", small_index, "--model", small_model, "--output", "labels.jsonl")
    with started(tmp_path, *arguments) as (client, process):
        assert client.get("/page/try").json() == {"pipelines": ["ctrn"], "labels": "labels.jsonl", "labelling": True}
        assert process.stderr.readline() == "0 of 2 questions have a label in labels.jsonl; Ctrl-C ends\n"
        first, second = client.get("/page/questions").json()
        run = client.post("/page/try", json={"question": first["question"], "top_k": 9}).json()["runs"][0]
        assert len(run["result"]["answers"]) == len(run["answers"]) == 9
        entry = run["result"]["answers"][0]["entry_id"]
        label = {"relevant": [entry], "irrelevant": []}
        assert client.put("/page/labels", json={"question": first["question"], "label": label}).status_code == 200
        # A name that another site's page has taken for itself.
        assert client.get("/page/questions", headers={"host": "elsewhere.example"}).status_code == 400
        os.killpg(process.pid, signal.SIGINT)
        assert process.wait(300) == 0
        assert "INFO" not in process.stderr.read()
        assert process.stdout.read().split() == "1 of 2 questions labelled: labels.jsonl".split()
    assert [query.relevant for query in iter_queries(tmp_path / "labels.jsonl")] == [(entry,)]
    with started(tmp_path, *arguments) as (client, _):
        known, unknown = client.get("/page/questions").json()
        assert (known["label"], unknown) == (label, second)
    # What was written is what `eval` reads.
    done = command("eval", "--queries", "labels.jsonl", "--index", small_index, "--model", small_model)
    assert done.code == 0
    assert "1 of 1 questions count" in done.out


def test_a_model_beside_another_answers_too(small_index, small_model, tmp_path):
    arguments = ("serve", "--index", small_index, "--compare", small_model, "--labels", tmp_path / "kept.jsonl")
    arguments += ("--request-timeout", 300)
    with started(tmp_path, *arguments) as (client, _):
        assert client.get("/page/try").json()["pipelines"] == ["the package's own model", "ctrn"]
        asked = client.post("/page/try", json={"question": "what does a new card cost?", "top_k": 5}).json()
        assert [len(run["result"]["answers"]) for run in asked["runs"]] == [5, 5]
        own, other = (
            [answer["meta"]["ranker_probability"] for answer in run["result"]["answers"]] for run in asked["runs"]
        )
        assert own != other


def test_what_cannot_be_labelled_is_one_line(command, tmp_path):
    (tmp_path / "asked.txt").write_text("\n", encoding="utf-8")
    for arguments, told in (
        (("asked.txt",), "no question in the file"),
        (("nowhere.txt",), "nowhere.txt cannot be read"),
        (("asked.txt", "--output", "asked.txt"), "asked.txt has the questions: name another --output"),
        (("asked.txt", "--output", "nowhere/labels.jsonl"), "there is no folder nowhere for the labels"),
    ):
        done = command("label", *arguments)
        assert done.code == 2
        assert told in done.err


def test_a_missing_index_is_said_before_a_page_is_named(command, tmp_path):
    (tmp_path / "asked.txt").write_text("what does a new card cost?\n", encoding="utf-8")
    done = command("label", "asked.txt", "--index", "nowhere")
    assert done.code == 2
    assert done.err.startswith("error there is no index in nowhere, or it is empty: `answer-selection index")
