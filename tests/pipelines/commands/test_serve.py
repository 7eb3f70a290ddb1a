# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The service over the embedded index, as a process that is asked over HTTP. With Elasticsearch: tests/docker."""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest

from answer_selection.pipelines.definitions import pipeline_yaml
from answer_selection.pipelines.serving.answering import Answering
from service_process import Service, beside_python, login_environment, running, same_answers

pytestmark = pytest.mark.slow

QUESTION = "what does a new card cost?"


@pytest.fixture(scope="module")
def index(small_index: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An index of this module's own, which may be moved away."""
    return shutil.copytree(small_index, tmp_path_factory.mktemp("served") / "faq-index")


@pytest.fixture(scope="module")
def service(index: Path, small_model: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    command = ("answer-selection", "serve", "--index", str(index), "--model", str(small_model), "--workers", "2")
    with running(command, {}, tmp_path_factory.mktemp("work") / ".") as started:
        yield started


def test_a_question_is_answered_as_the_pipeline_does(service, index, small_model):
    definition = pipeline_yaml.point_at(pipeline_yaml.read("answer"), index=index, model=small_model)
    expected = Answering(definition).answer(QUESTION, 3).model_dump()
    answered = service.ask(QUESTION, top_k=3)
    same_answers(answered["answers"], expected["answers"])
    assert answered["retrieval_ms"] > 0 < answered["ranking_ms"]


def test_several_clients_are_served_at_once(service, small_faq):
    lines = small_faq.queries.read_text(encoding="utf-8").splitlines()
    questions = [json.loads(line)["query"] for line in lines][:10]
    expected = [service.ask(question)["answers"] for question in questions]

    def ask_all(client: int) -> list:
        turned = questions[client:] + questions[:client]
        answers = [service.ask(question)["answers"] for question in turned]
        return answers[len(questions) - client :] + answers[: len(questions) - client]

    with ThreadPoolExecutor(8) as clients:
        for answers in clients.map(ask_all, range(8)):
            for ours, theirs in zip(answers, expected, strict=True):
                same_answers(ours, theirs)


def test_health_is_told_while_all_are_busy(service):
    with ThreadPoolExecutor(64) as clients:
        asked = [clients.submit(service.ask, QUESTION) for _ in range(64)]
        for path in ("/health/live", "/health"):
            assert service.client.get(path).status_code == 200
        for each in asked:
            assert each.result()["answers"]
    metrics = service.client.get("/metrics").text
    assert "answer_selection_waiting 0.0" in metrics
    assert 'answer_selection_batch_size_bucket{le="16.0"}' in metrics


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ({}, "question"),
        ({"question": ""}, "question"),
        ({"question": " \n"}, "at least 1 character"),
        ({"question": "???"}, "expected at least one word"),
        ({"question": None}, "question"),
        ({"question": "\ud800"}, "hex escape"),
        ({"question": "a " * 6000}, "at most 10000 characters"),
        ({"question": QUESTION, "top_k": 0}, "greater than or equal to 1"),
        ({"question": QUESTION, "top_k": 1001}, "less than or equal to 1000"),
        ({"question": QUESTION, "top_k": "many"}, "top_k"),
        ({"question": QUESTION, "topk": 3}, "there is no field 'topk'; expected filters, question, top_k"),
        ({"question": QUESTION, "\ud800": 3}, "hex escape"),
        ({"question": QUESTION, "filters": "all"}, "filters"),
        ({"question": QUESTION, "filters": {"field": "meta.category"}}, "filters: 'operator' key missing"),
        (["question"], "body"),
    ],
)
def test_what_cannot_be_asked_is_refused_with_what_was_expected(service, body, told):
    response = service.client.post(
        "/answer/run", content=json.dumps(body), headers={"content-type": "application/json"}
    )
    assert response.status_code == 422, response.text
    assert told in response.text


def test_a_body_that_is_no_json_is_refused(service):
    response = service.client.post("/answer/run", content="{", headers={"content-type": "application/json"})
    assert (response.status_code, "JSON" in response.text) == (422, True)


def test_health_and_answers_follow_the_index(service, index):
    assert service.client.get("/health").json() == {"status": "ready"}
    away = index.rename(index.with_name("away"))
    for response in (service.client.get("/health"), service.client.post("/answer/run", json={"question": QUESTION})):
        assert response.status_code == 503
        assert str(index) in response.json()["detail"]
        assert "\n" not in response.json()["detail"]
    away.rename(index)
    assert service.client.get("/health").status_code == 200
    assert service.ask(QUESTION)["answers"]


def test_no_other_site_may_ask_in_its_visitors_browser(service):
    response = service.client.get("/health", headers={"origin": "https://elsewhere.example"})
    assert "access-control-allow-origin" not in response.headers


def test_the_log_does_not_tell_what_was_asked(service):
    service.ask("is <b>this</b> a secret?")
    service.client.post("/answer/run", json={"question": "is <b>this</b> a secret?", "topk": 1})
    service.client.get("/", headers={"x-request-id": "mine"})
    # The line is written once the answer is on its way.
    hangs = time.monotonic() + 60
    while " mine GET / 200 " not in (log := service.log.read_text(encoding="utf-8")):
        assert time.monotonic() < hangs, log
        time.sleep(0.05)
    assert "answering at" in log
    assert "secret" not in log
    assert "Traceback" not in log


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--pipeline", "nowhere.yaml"), "nowhere.yaml: No such file"),
        (("--pipeline", "index_faq"), "answers no question"),
        (("--model", "no-model"), "no-model"),
    ],
)
def test_what_cannot_be_served_is_one_line(command, monkeypatch, arguments, told):
    monkeypatch.setattr(os, "environ", {**os.environ, "HF_HUB_OFFLINE": "1"})
    done = command("serve", "--port", "0", *arguments)
    assert done.code == 2
    assert told in done.err
    assert "Traceback" not in done.err


@pytest.mark.parametrize("port", ["80000", "-1", "many"])
def test_a_port_that_there_is_not_is_refused(command, port):
    done = command("serve", "--port", port)
    assert done.code == 2
    assert "--port" in done.err
    assert "answering" not in done.err


def test_a_port_that_is_taken_is_one_line(command):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = command("serve", "--port", str(port))
    assert (done.code, done.err.strip()) == (1, f"error 127.0.0.1:{port}: Address already in use")


def test_a_host_that_there_is_not_is_one_line(command):
    done = command("serve", "--host", "no such host")
    assert done.code == 1
    assert "error no such host:1416: " in done.err


def test_a_free_port_is_chosen_and_told_and_a_signal_ends_all(index, small_model, tmp_path):
    """What it told is where it answers. It is stopped by a signal to its whole group, as a terminal sends it."""
    arguments = ("--port", "0", "--index", index, "--model", small_model)
    process = subprocess.Popen(
        [beside_python("answer-selection"), "serve", *arguments],
        cwd=tmp_path,
        env=login_environment(),
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        # Before it is told that the index has no vectors.
        told = next(line for line in process.stderr if line.startswith("answering"))
        url = re.fullmatch(r"answering at (http://127\.0\.0\.1:\d+/answer/run)\n", told)[1]
        assert not url.endswith(":0/answer/run")
        response = httpx.post(url, json={"question": QUESTION}, timeout=60, trust_env=False)
        assert response.json()["result"]["answers"]
        os.killpg(process.pid, signal.SIGTERM)
        assert process.wait(60) == 0
        assert "Traceback" not in process.stderr.read()
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
