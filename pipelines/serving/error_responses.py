# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""What the service answers where a question gets no answer."""

from http import HTTPStatus

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse
from pydantic import ValidationError

from answer_selection.pipelines.serving.errors import QuestionError, UnavailableError
from answer_selection.pipelines.serving.micro_batches import FullError
from answer_selection.pipelines.serving.question import problems
from answer_selection.pipelines.serving.requests import logger
from answer_selection.pipelines.serving.settings import ServiceSettings


def add_error_responses(app: FastAPI, settings: ServiceSettings) -> None:
    """
    Let a service say why there is no answer.

    :param app: The service.
    :param settings: How it behaves.
    """

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
