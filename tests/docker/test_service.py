# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""What `docker compose up` does, step by step, without containers: the image's own commands, a real Elasticsearch."""

import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

import pytest

from answer_selection.pipelines.definitions import pipeline_yaml
from answer_selection.pipelines.serving.answering import Answering
from answer_selection.pipelines.serving.errors import UnavailableError
from elasticsearch_server import ElasticsearchNode
from service_process import Service, beside_python, login_environment, running, same_answers
from tls_proxy import PASSWORD, USER, TlsProxy

REPOSITORY = Path(__file__).parents[2]
LIBRARY = REPOSITORY / "indexing" / "library_faq" / "faq.jsonl"
CLIENTS = 8


class Up:
    """A node of Elasticsearch, the image's and the compose file's words, and a folder in the place of the volume."""

    def __init__(self, node: ElasticsearchNode, image, services: dict, folder: Path) -> None:
        self.node, self.image, self.services, self.folder = node, image, services, folder

    def environment(self, service: str) -> dict[str, str]:
        given = {**self.image.environment, **self.services[service]["environment"]}
        assert given.pop("PATH")
        volume = self.image.only("VOLUME")
        given = {name: value.replace(volume, str(self.folder)) for name, value in given.items()}
        return {**given, "HOME": str(self.folder), "ELASTICSEARCH_HOSTS": self.node.url}

    def index(self) -> subprocess.CompletedProcess:
        service = self.services["index"]
        folder, target, _ = service["volumes"][0].split(":")
        there = str((REPOSITORY / "docker" / folder).resolve())
        words = [word.replace(f"{target}/", f"{there}/") for word in service["command"]]
        program, *arguments = self.image.words("ENTRYPOINT")
        return subprocess.run(
            [beside_python(program), *arguments, *words],
            cwd=self.folder,
            env=login_environment() | self.environment("index"),
            capture_output=True,
            text=True,
            check=False,
            timeout=600,
        )


@pytest.fixture(scope="module")
def up(elasticsearch_files, image, compose, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Up]:
    services = compose("compose.yaml", {})["services"]
    # What its own packaging, the security and the JVM read is not the server's.
    settings = services["elasticsearch"]["environment"]
    own = {name: value for name, value in settings.items() if not name.startswith(("xpack.", "ES_"))}
    with ElasticsearchNode(own) as node:
        yield Up(node, image, services, tmp_path_factory.mktemp("volume"))


@pytest.fixture(scope="module")
def service(up: Up) -> Iterator[Service]:
    done = up.index()
    assert done.returncode == 0, done.stderr
    assert "252 documents in faq-index" in done.stdout
    command = [*up.image.words("ENTRYPOINT"), *up.image.words("CMD")]
    with running(command, up.environment("answer"), up.folder) as started:
        yield started


def health(up: Up, service: Service) -> subprocess.CompletedProcess:
    """The image's health check."""
    program, *arguments = up.image.health_check
    assert program == "python"
    return subprocess.run(
        [sys.executable, *arguments],
        env={"ANSWER_SELECTION_PORT": service.url.rpartition(":")[2]},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )


def entries(count: int) -> list[dict]:
    lines = LIBRARY.read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines[:: len(lines) // count]][:count]


def test_the_servers_health_check_is_passed(up):
    words = up.services["elasticsearch"]["healthcheck"]["test"]
    assert words.pop(0) == "CMD"
    command = [word.replace("http://localhost:9200", up.node.url) for word in words]
    subprocess.run(command, check=True, capture_output=True, timeout=300)


def test_a_second_start_indexes_nothing(up, service):
    done = up.index()
    assert done.returncode == 0, done.stderr
    assert "nothing was written" in done.stdout


def test_the_first_question_has_its_answer(service):
    answered = service.ask("what should I do when my library card is lost?", top_k=3)
    best = answered["answers"][0]
    assert best["entry_id"] == "lost-card"
    assert "A replacement costs $3" in best["answer"]
    assert [answer["score"] for answer in answered["answers"]] == sorted(
        (answer["score"] for answer in answered["answers"]), reverse=True
    )
    assert answered["retrieval_ms"] > 0 < answered["ranking_ms"]


def fenced(language: str) -> list[str]:
    """The guide's blocks of a language."""
    guide = (REPOSITORY / "docker" / "README.md").read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```$", guide, re.DOTALL | re.MULTILINE)


def test_the_guides_question_has_the_guides_answer(up, service):
    lines = "".join(fenced("bash")).replace("\\\n", "").splitlines()
    published = f"http://{up.services['answer']['ports'][0].rpartition(':')[0]}"
    told = [
        subprocess.run(
            shlex.split(line.replace(published, service.url)), capture_output=True, text=True, check=True, timeout=300
        ).stdout
        for line in lines
        if line.startswith("curl ")
    ]
    assert json.loads(told[0]) == {"status": "ready"}
    shown, answered = (json.loads(text)["result"] for text in (*fenced("json"), told[1]))
    [shown_best], [best] = shown.pop("answers"), answered.pop("answers")
    assert shown_best.pop("retriever_score") == pytest.approx(best.pop("retriever_score"), abs=0.01)
    # The folder is another one outside of the image.
    for answer in (shown_best, best):
        source = answer.pop("source")
        assert (answer["meta"].pop("source"), Path(source).name) == (source, "faq.jsonl")
    # Times differ, and scores are another model's when the package has a new one.
    signals = (shown_best["meta"].pop("ranker_signals"), best["meta"].pop("ranker_signals"))
    measured = ((shown, answered), (shown_best, best), (shown_best["meta"], best["meta"]), signals)
    assert [_without_numbers(ours) for ours, _ in measured] == [_without_numbers(theirs) for _, theirs in measured]


def _without_numbers(values: dict) -> dict:
    return {name: float if isinstance(value, float) else value for name, value in values.items() if name != "meta"}


def test_several_clients_at_once_get_each_the_own_answers(service):
    asked = entries(10)
    one_by_one = [service.ask(entry["question"])["answers"] for entry in asked]
    assert [answers[0]["entry_id"] for answers in one_by_one] == [entry["id"] for entry in asked]

    def ask_all(client: int) -> None:
        for number in range(len(asked)):
            turn = (client + number) % len(asked)
            answered = service.ask(asked[turn]["question"])
            same_answers(answered["answers"], one_by_one[turn])
            assert answered["retrieval_ms"] > 0 < answered["ranking_ms"]

    with ThreadPoolExecutor(CLIENTS) as clients:
        list(clients.map(ask_all, range(CLIENTS)))


def test_a_filter_is_held_and_one_that_fits_no_field_refused(service):
    category = {"field": "meta.category", "operator": "==", "value": "Accounts and cards"}
    ids_above_three = {"field": "_id", "operator": ">", "value": 3}
    answered = service.ask("what does it cost?", filters=category)
    assert {answer["meta"]["category"] for answer in answered["answers"]} == {"Accounts and cards"}
    # The first is refused by the integration, the second by Elasticsearch.
    for wrong, told in (({**category, "operator": ">"}, "compare strings"), (ids_above_three, "[_id]")):
        response = service.client.post("/answer/run", json={"question": "what does it cost?", "filters": wrong})
        assert response.status_code == 422, response.text
        assert told in response.json()["detail"]


def test_a_server_that_is_killed_is_told_in_one_line_and_waited_for(up, service):
    """Clients go on asking meanwhile: each question is answered, or told that it can't be; none hangs, none is lost."""
    assert health(up, service).returncode == 0
    stop, seen = Event(), []

    def ask_on(client: int) -> None:
        while not stop.is_set():
            response = service.client.post("/answer/run", json={"question": f"lost card {client}", "top_k": 1})
            seen.append(response.status_code)
            stop.wait(0.05)

    with ThreadPoolExecutor(CLIENTS) as clients:
        asking = [clients.submit(ask_on, client) for client in range(CLIENTS)]
        try:
            up.node.kill()
            response = service.client.post("/answer/run", json={"question": "lost card"})
            assert response.status_code == 503
            detail = response.json()["detail"]
            assert detail.startswith(f"nothing answers at 127.0.0.1:{up.node.http_port}")
            assert "\n" not in detail
            unhealthy = health(up, service)
            assert unhealthy.returncode == 1
            assert "nothing answers at" in unhealthy.stdout
        finally:
            up.node.start()
            stop.set()
        for each in asking:
            each.result()
    assert set(seen) <= {200, 503}
    assert service.ask("what should I do when my library card is lost?")["answers"][0]["entry_id"] == "lost-card"
    assert health(up, service).returncode == 0
    assert "Traceback" not in service.log.read_text(encoding="utf-8")


def test_what_is_written_is_in_the_volume_and_little(up, service):
    assert {path.name for path in up.folder.iterdir()} <= {"compiled", ".haystack"}


def test_it_is_let_in_as_the_cluster_s_compose_file_says(up, service, compose, tmp_path, monkeypatch):
    """Through a proxy that asks for TLS and a password, since the server's own security is not published."""
    given = compose("compose.cluster.yaml", {"ELASTIC_PASSWORD": "of-elastic", "ANSWER_PASSWORD": PASSWORD})
    with TlsProxy(up.node.url) as proxy:
        environment = given["services"]["answer"]["environment"] | {
            "ELASTICSEARCH_HOSTS": proxy.url,
            "ELASTIC_CA_CERTS": str(proxy.certificates(tmp_path)),
            "ELASTIC_USERNAME": USER,
        }
        for name, value in environment.items():
            monkeypatch.setitem(os.environ, name, value)
        pipeline = pipeline_yaml.point_at(pipeline_yaml.read("answer_elasticsearch"))
        answering = Answering(pipeline)
        answering.check()
        assert answering.answer("what should I do when my library card is lost?").answers[0].entry_id == "lost-card"
        monkeypatch.setenv("ELASTIC_PASSWORD", "another")
        with pytest.raises(UnavailableError, match="ELASTIC_PASSWORD"):
            Answering(pipeline).answer("lost card")
