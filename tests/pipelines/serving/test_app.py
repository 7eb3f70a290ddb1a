# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The endpoints and what stands before them, over answers that are made up."""

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from answer_selection.pipelines.serving.answers import Answer, Answers
from answer_selection.pipelines.serving.app import create_app
from answer_selection.pipelines.serving.errors import FailedError, QuestionError, UnavailableError
from answer_selection.pipelines.serving.settings import ServiceSettings

ASK = "/answer/run"


def answers(text: str) -> Answers:
    answer = Answer(entry_id="a", question=None, answer=text, score=1.0, retriever_score=None, meta={})
    return Answers(answers=[answer], retrieval_ms=1, ranking_ms=1)


class Pipeline:
    """Says what it was asked; waits while it is told to."""

    def __init__(self) -> None:
        self.go = asyncio.Event()
        self.go.set()
        self.outcome: Exception | None = None
        self.not_ready: Exception | None = None

    async def answer(self, questions: list) -> list:
        await self.go.wait()
        return [self.outcome or answers(question.question) for question in questions]

    async def ready(self) -> None:
        if self.not_ready:
            raise self.not_ready


@asynccontextmanager
async def client(pipeline: Pipeline, **settings: object) -> AsyncIterator[httpx.AsyncClient]:
    app = create_app(ServiceSettings(**settings), pipeline.answer, pipeline.ready)
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://service") as made:
        yield made


@pytest.fixture
def pipeline(monkeypatch: pytest.MonkeyPatch) -> Pipeline:
    # Where the command ran in this process, it has taken the log for itself.
    monkeypatch.setattr(logging.getLogger("answer_selection.pipelines.serving"), "propagate", True)
    return Pipeline()


async def busy(service: httpx.AsyncClient, number: int) -> list[asyncio.Task]:
    tasks = [asyncio.create_task(service.post(ASK, json={"question": str(each)})) for each in range(number)]
    for _ in range(100):
        await asyncio.sleep(0)
    return tasks


async def test_a_question_has_its_answers(pipeline):
    async with client(pipeline) as service:
        response = await service.post(ASK, json={"question": "  what is <tag>? "})
    assert response.status_code == 200
    assert response.json() == {"result": answers("what is <tag>?").model_dump()}


async def test_more_than_may_wait_are_sent_away(pipeline):
    pipeline.go.clear()
    async with client(pipeline, queue_size=2) as service:
        tasks = await busy(service, 3)
        response = await service.post(ASK, json={"question": "one more"})
        assert (response.status_code, response.headers["retry-after"]) == (503, "1")
        assert "2 questions are waiting" in response.json()["detail"]
        pipeline.go.set()
        assert [(await task).status_code for task in tasks] == [200] * 3


async def test_a_deadline_is_kept_and_health_is_not_behind_the_queue(pipeline):
    pipeline.go.clear()
    async with client(pipeline, request_timeout=0.5) as service:
        tasks = await busy(service, 5)
        assert (await service.get("/health/live")).json() == {"status": "live"}
        assert (await service.get("/health")).json() == {"status": "ready"}
        assert not any(task.done() for task in tasks)
        responses = [await task for task in tasks]
        assert {(each.status_code, each.json()["detail"]) for each in responses} == {(504, "no answer within 0.5 s")}


@pytest.mark.parametrize("error", [UnavailableError("the index is gone"), UnavailableError("no <b>server</b>")])
async def test_not_ready_says_why_and_is_alive(pipeline, error):
    pipeline.not_ready = pipeline.outcome = error
    async with client(pipeline) as service:
        assert (await service.get("/health/live")).status_code == 200
        for response in (await service.get("/health"), await service.post(ASK, json={"question": "what?"})):
            assert (response.status_code, response.json()) == (503, {"detail": str(error)})


@pytest.mark.parametrize(
    ("outcome", "status", "told"),
    [
        (QuestionError("filters: 'operator' key missing"), 422, "filters: 'operator' key missing"),
        (FailedError("Traceback of\n a <tag> {and} braces"), 500, "a fault of the service; its log has it as my-id"),
        (ZeroDivisionError("<tag>"), 500, "a fault of the service; its log has it as my-id"),
    ],
)
async def test_errors(pipeline, outcome, status, told, caplog):
    pipeline.outcome = outcome
    async with client(pipeline) as service:
        response = await service.post(ASK, json={"question": "a <tag> {and} braces"}, headers={"x-request-id": "my-id"})
    assert (response.status_code, response.json()["detail"]) == (status, told)
    if status == 500:
        assert str(outcome) in caplog.text


async def streamed(size: int) -> AsyncIterator[bytes]:
    for _ in range(size // 1000):
        yield b" " * 1000


@pytest.mark.parametrize("body", [lambda: b" " * 30_000, lambda: streamed(30_000)], ids=["at once", "streamed"])
async def test_a_body_that_is_too_long_is_refused(pipeline, body: Callable):
    async with client(pipeline, body_size=20_000) as service:
        response = await service.post(ASK, content=body())
        assert (response.status_code, response.json()) == (413, {"detail": "expected at most 20000 bytes"})
        assert (await service.post(ASK, content=b'{"question": "a"}' + b" " * 19_000)).status_code == 200


async def test_no_more_of_a_body_is_read_than_a_few_times_its_limit(pipeline):
    read = 0

    async def endless() -> AsyncIterator[bytes]:
        nonlocal read
        while True:
            read += 1000
            yield b" " * 1000

    async with client(pipeline, body_size=1000) as service:
        assert (await service.post(ASK, content=endless())).status_code == 413
    assert read < 20_000


async def test_a_body_that_is_too_slow_is_refused(pipeline):
    async def slow() -> AsyncIterator[bytes]:
        yield b"{"
        await asyncio.sleep(60)

    async with client(pipeline, client_timeout=1) as service:
        assert (await service.post(ASK, content=slow())).status_code == 408


def nested(depth: int) -> str:
    return '{"question": "a", "filters": ' + '{"a":' * depth + "1" + "}" * depth + "}"


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (nested(20_000), "recursion limit"),
        (nested(50), "at most 20 levels"),
        (json.dumps({"question": "a", "filters": {"value": list(range(2000))}}), "at most 1000 values"),
        ('{"question": "a", "top_k": ' + "9" * 10_000 + "}", "JSON"),
        ('{"question": "a", "filters": {"a": "\\ud800"}}', "hex escape"),
        ("{", "JSON"),
        ("", "JSON"),
        ("\x00", "JSON"),
        ('{"question": "a", "topk": 1}', "there is no field 'topk'; expected filters, question, top_k"),
    ],
)
async def test_what_cannot_be_asked_is_refused(pipeline, content, told):
    async with client(pipeline) as service:
        response = await service.post(ASK, content=content)
    assert response.status_code == 422
    assert told in response.text


@pytest.mark.parametrize(
    "path",
    [
        *(
            "/files",
            "/chat/completions",
            "/v1/chat/completions",
            "/responses",
            "/models",
            "/v1/models",
            "/docs",
            "/redoc",
        ),
        *("/docs", "/redoc", "/deploy_files", "/deploy-yaml", "/undeploy/answer", "/draw/answer", "/traces", "/status"),
    ],
)
async def test_nothing_is_there_that_is_not_used(pipeline, path):
    async with client(pipeline) as service:
        assert (await service.get(path)).status_code == 404
        assert (await service.post(path, json={})).status_code == 404


async def test_the_first_page_names_the_endpoints(pipeline):
    async with client(pipeline) as service:
        response = await service.get("/")
        named = {endpoint.split()[1] for endpoint in response.json()["endpoints"]}
        schema = (await service.get("/openapi.json")).json()
    assert response.status_code == 200
    assert named == {*schema["paths"], "/openapi.json", "/"}
    request = schema["paths"][ASK]["post"]["requestBody"]["content"]["application/json"]["schema"]
    assert set(request["properties"]) == {"question", "top_k", "filters"}


async def test_a_token_is_asked_for_where_one_is_set(pipeline):
    async with client(pipeline, token="säkret") as service:
        for given in ({}, {"authorization": "Bearer wrong"}, {"authorization": "Basic säkret".encode()}):
            for request in (service.post(ASK, json={"question": "a"}, headers=given), service.get("/", headers=given)):
                response = await request
                assert (response.status_code, response.headers["www-authenticate"]) == (401, "Bearer")
        right = {"authorization": "Bearer säkret".encode()}
        assert (await service.post(ASK, json={"question": "a"}, headers=right)).status_code == 200
        assert (await service.get("/metrics")).status_code == 401
        assert (await service.get("/health")).status_code == (await service.get("/health/live")).status_code == 200


async def test_it_is_asked_by_its_own_names_alone(pipeline):
    async with client(pipeline, allowed_hosts=("faq.example.org", "*.example.com")) as service:
        statuses = {
            host: (await service.get("/", headers={"host": host})).status_code
            for host in ("faq.example.org", "faq.example.org:80", "a.example.com", "elsewhere.example", "")
        }
        assert (await service.get("/health", headers={"host": "10.0.0.1"})).status_code == 200
    assert list(statuses.values()) == [200, 200, 200, 400, 400]


async def test_other_sites_may_ask_where_they_are_named(pipeline):
    async with client(pipeline, allowed_origins=("https://site.example",)) as service:
        allowed = [
            (await service.get("/", headers={"origin": origin})).headers.get("access-control-allow-origin")
            for origin in ("https://site.example", "https://elsewhere.example")
        ]
    assert allowed == ["https://site.example", None]


async def test_requests_keep_their_ids_and_are_given_one(pipeline, caplog):
    caplog.set_level(logging.INFO)
    async with client(pipeline) as service:
        given = [
            (await service.get("/", headers={"x-request-id": each})).headers["x-request-id"]
            for each in ("from-the-proxy:1", "a b", "x" * 200, "<script>")
        ]
        assert (await service.get("/nowhere%0A", headers={"x-request-id": "lost"})).headers["x-request-id"] == "lost"
    assert given[0] == "from-the-proxy:1"
    assert len(set(given)) == 4
    assert all(len(each) == 32 for each in given[1:])
    assert "\n" not in caplog.records[-1].message


async def test_prometheus_can_read_the_metrics(pipeline):
    pipeline.go.clear()
    async with client(pipeline, queue_size=2) as service:
        tasks = await busy(service, 4)
        during = samples(await service.get("/metrics"))
        pipeline.go.set()
        await asyncio.gather(*tasks)
        await service.get("/some/other")
        response = await service.get("/metrics")
    assert response.headers["content-type"].startswith("text/plain; version=")
    assert during["answer_selection_waiting", ()] == 2
    after = samples(response)
    assert after["answer_selection_waiting", ()] == 0
    asked = (("endpoint", ASK),)
    assert after["answer_selection_requests_total", (*asked, ("status", "200"))] == 3
    assert after["answer_selection_requests_total", (*asked, ("status", "503"))] == 1
    assert after["answer_selection_requests_total", (("endpoint", "other"), ("status", "404"))] == 1
    assert after["answer_selection_request_seconds_count", asked] == 4
    assert (after["answer_selection_batch_size_count", ()], after["answer_selection_batch_size_sum", ()]) == (2, 3)


def samples(response: httpx.Response) -> dict:
    families = text_string_to_metric_families(response.text)
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in families
        for sample in family.samples
    }
