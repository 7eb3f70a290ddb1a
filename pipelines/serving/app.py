# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The service's endpoints, and what stands before them."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import version

from fastapi import FastAPI, Request, Response
from fastapi.responses import JSONResponse
from pydantic import BaseModel
from starlette.middleware.cors import CORSMiddleware

from answer_selection.pipelines.serving.access import Access
from answer_selection.pipelines.serving.answers import Answers
from answer_selection.pipelines.serving.body_limit import BodyLimit
from answer_selection.pipelines.serving.error_responses import add_error_responses
from answer_selection.pipelines.serving.metrics import Metrics
from answer_selection.pipelines.serving.micro_batches import MicroBatches
from answer_selection.pipelines.serving.question import Question
from answer_selection.pipelines.serving.requests import HEADER, Requests
from answer_selection.pipelines.serving.settings import ServiceSettings
from answer_selection.pipelines.serving.trial import PAGE, PATHS, Labelling, Tried, add_requests, is_page, page

AnswerMany = Callable[[list[Question]], Awaitable[Sequence[Answers | Exception]]]
"""Answers questions together."""

ASK, LIVE, READY, METRICS = "/answer/run", "/health/live", "/health", "/metrics"
ENDPOINTS = {
    f"POST {ASK}": "Answer a question.",
    f"GET {READY}": "Say whether questions can be answered.",
    f"GET {LIVE}": "Say that the service runs.",
    f"GET {METRICS}": "Give counts and times to Prometheus.",
    f"GET {PAGE}": "Show a page to try it, in a browser.",
    "GET /openapi.json": "Describe all this to a program.",
}


class Result(BaseModel):
    """The response to a question."""

    result: Answers


class Status(BaseModel):
    """The service's status."""

    status: str


@dataclass(frozen=True)
class Trial:
    """
    What the page is for.

    :param name: What it calls the pipeline.
    :param language: Of the stemmer of the pipeline's index; None does not stem.
    :param other: Another pipeline to show beside it, by name, answers and language.
    :param labelling: What people may say of answers; None is nothing.
    """

    name: str = "this pipeline"
    language: str | None = "english"
    other: tuple[str, AnswerMany, str | None] | None = None
    labelling: Labelling | None = None


def create_app(
    settings: ServiceSettings,
    answer: AnswerMany,
    ready: Callable[[], Awaitable[None]],
    *,
    at_once: int = 1,
    trial: Trial = Trial(),
) -> FastAPI:
    """
    Make the service.

    :param settings: How it behaves.
    :param answer: Answers questions together.
    :param ready: Raises :class:`.errors.UnavailableError` if no question can be answered.
    :param at_once: How many calls of `answer` may run at the same time.
    :param trial: What the page at `/` is for.
    :returns: The app.
    """
    # The pages that FastAPI has for /docs and /redoc load their scripts from another site.
    app = FastAPI(title="answer-selection", version=version("answer-selection-haystack"), docs_url=None, redoc_url=None)
    metrics = Metrics(lambda: batches.waiting)
    batches = MicroBatches(answer, at_once=at_once, most_waiting=settings.queue_size, observe=metrics.batch)

    def timely(waiting: MicroBatches[Question, Answers]) -> Callable[[Question], Awaitable[Answers]]:
        async def ask(question: Question) -> Answers:
            async with asyncio.timeout(settings.request_timeout):
                return await waiting.ask(question)

        return ask

    answer_one = timely(batches)

    @app.get(PAGE, include_in_schema=False)
    async def index(request: Request) -> Response:
        if is_page(request.scope):
            return page()
        return JSONResponse({"service": app.title, "version": app.version, "endpoints": ENDPOINTS})

    tried = [Tried(trial.name, answer_one, trial.language)]
    if trial.other is not None:
        name, answer_other, language = trial.other
        others: MicroBatches[Question, Answers] = MicroBatches(
            answer_other, at_once=1, most_waiting=settings.queue_size
        )
        tried.append(Tried(name, timely(others), language))
    add_requests(app, tried, trial.labelling)

    @app.get(LIVE, tags=["status"], description=ENDPOINTS[f"GET {LIVE}"])
    async def live() -> Status:
        return Status(status="live")

    @app.get(
        READY, tags=["status"], description=ENDPOINTS[f"GET {READY}"], responses={503: {"description": "Why not."}}
    )
    async def readiness() -> Status:
        await ready()
        return Status(status="ready")

    @app.get(METRICS, tags=["status"], description=ENDPOINTS[f"GET {METRICS}"], response_class=Response)
    async def give_metrics(request: Request) -> Response:
        text, content_type = metrics.text(request.headers.get("accept", ""))
        return Response(text, headers={"Content-Type": content_type})

    @app.post(
        ASK,
        tags=["answers"],
        description=ENDPOINTS[f"POST {ASK}"],
        response_model=Result,
        openapi_extra={
            "requestBody": {"content": {"application/json": {"schema": Question.model_json_schema()}}, "required": True}
        },
    )
    async def ask(request: Request) -> Response:
        # FastAPI reads JSON by Python's own parser, which deep nesting brings down.
        question = Question.model_validate_json(await request.body())
        answers = await answer_one(question)
        return Response(Result(result=answers).model_dump_json(), media_type="application/json")

    add_error_responses(app, settings)
    # The last one is the first that sees a request.
    app.add_middleware(BodyLimit, settings=settings)
    app.add_middleware(
        CORSMiddleware,
        allow_origins=settings.allowed_origins,
        allow_methods=["GET", "POST"],
        allow_headers=["Authorization", "Content-Type", HEADER],
        expose_headers=[HEADER],
    )
    app.add_middleware(Access, settings=settings, open_paths=(LIVE, READY))
    paths = {endpoint.split()[1] for endpoint in ENDPOINTS} | set(PATHS)
    app.add_middleware(Requests, metrics=metrics, endpoints=paths, quiet=(LIVE, READY, METRICS))
    return app
