# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The service's endpoints, and what stands before them."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from http import HTTPStatus
from importlib.metadata import version
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ValidationError
from starlette.middleware.cors import CORSMiddleware

from answer_selection.pipelines.serving.access import Access
from answer_selection.pipelines.serving.answers import Answers
from answer_selection.pipelines.serving.body_limit import BodyLimit
from answer_selection.pipelines.serving.errors import QuestionError, UnavailableError
from answer_selection.pipelines.serving.metrics import Metrics
from answer_selection.pipelines.serving.micro_batches import FullError, MicroBatches
from answer_selection.pipelines.serving.question import Question, problems
from answer_selection.pipelines.serving.requests import HEADER, Requests, logger
from answer_selection.pipelines.serving.settings import ServiceSettings

ASK, LIVE, READY, METRICS = "/answer/run", "/health/live", "/health", "/metrics"
ENDPOINTS = {
    f"POST {ASK}": "Answer a question.",
    f"GET {READY}": "Say whether questions can be answered.",
    f"GET {LIVE}": "Say that the service runs.",
    f"GET {METRICS}": "Give counts and times to Prometheus.",
    "GET /openapi.json": "Describe all this to a program.",
}


class Result(BaseModel):
    """The response to a question."""

    result: Answers


class Status(BaseModel):
    """The service's status."""

    status: str


def create_app(
    settings: ServiceSettings,
    answer: Callable[[list[Question]], Awaitable[Sequence[Answers | Exception]]],
    ready: Callable[[], Awaitable[None]],
    *,
    lanes: int = 1,
) -> FastAPI:
    """
    Make the service.

    :param settings: How it behaves.
    :param answer: Answers questions together.
    :param ready: Raises :class:`UnavailableError` if no question can be answered.
    :param lanes: How many calls of `answer` may run at the same time.
    :returns: The app.
    """
    # The pages that FastAPI has for /docs and /redoc load their scripts from another site.
    app = FastAPI(title="answer-selection", version=version("answer-selection-haystack"), docs_url=None, redoc_url=None)
    metrics = Metrics(lambda: batches.waiting)
    batches = MicroBatches(answer, lanes=lanes, limit=settings.queue_size, observe=metrics.batch)

    @app.get("/", include_in_schema=False)
    async def index() -> dict[str, Any]:
        return {"service": app.title, "version": app.version, "endpoints": ENDPOINTS}

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
        async with asyncio.timeout(settings.request_timeout):
            answers = await batches.ask(question)
        return Response(Result(result=answers).model_dump_json(), media_type="application/json")

    @app.exception_handler(ValidationError)
    async def refuse(_: Request, error: ValidationError) -> JSONResponse:
        return JSONResponse({"detail": problems(error)}, HTTPStatus.UNPROCESSABLE_ENTITY)

    @app.exception_handler(QuestionError)
    async def explain(_: Request, error: QuestionError) -> JSONResponse:
        return JSONResponse({"detail": str(error)}, HTTPStatus.UNPROCESSABLE_ENTITY)

    @app.exception_handler(UnavailableError)
    async def say_why_not(_: Request, error: UnavailableError) -> JSONResponse:
        logger.warning("%s", error)
        return JSONResponse({"detail": str(error)}, HTTPStatus.SERVICE_UNAVAILABLE)

    @app.exception_handler(FullError)
    async def send_away(_: Request, __: FullError) -> JSONResponse:
        detail = f"{settings.queue_size} questions are waiting already; ask again later"
        return JSONResponse({"detail": detail}, HTTPStatus.SERVICE_UNAVAILABLE, {"Retry-After": "1"})

    @app.exception_handler(TimeoutError)
    async def give_up(_: Request, __: TimeoutError) -> JSONResponse:
        detail = f"no answer within {settings.request_timeout:g} s"
        return JSONResponse({"detail": detail}, HTTPStatus.GATEWAY_TIMEOUT)

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
    paths = {endpoint.split()[1] for endpoint in ENDPOINTS}
    app.add_middleware(Requests, metrics=metrics, endpoints=paths, quiet=(LIVE, READY, METRICS))
    return app
