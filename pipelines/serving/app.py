# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The service: hayhooks with one pipeline and a health check."""

import json
from collections.abc import Awaitable, Callable, Iterable
from http import HTTPStatus
from pathlib import Path
from typing import Any

import hayhooks
from answer_selection.pipelines.serving.answering import UnavailableError
from fastapi import FastAPI, HTTPException, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from hayhooks.settings import settings

NAME = "answer"


def create_app() -> FastAPI:
    """
    Make the service, with its pipeline loaded and warm.

    :returns: The app.
    :raises hayhooks.server.exceptions.PipelineModuleLoadError: If the pipeline can't be loaded.
    """
    # hayhooks' name for pipelines that are fixed: over the network nobody deploys any, which would be running code.
    settings.durable_mode = True
    settings.pipelines_dir = str(Path(__file__).parent)
    # No collection of what was asked.
    settings.tracing_enabled = settings.tracing_include_haystack_spans = settings.monitoring_enabled = False
    app: FastAPI = hayhooks.create_app()
    answering = app.state.pipeline_registry.get(NAME).answering
    known = sorted(app.state.pipeline_registry.get_metadata(NAME)["request_model"].model_fields)

    @app.get("/health", tags=["status"])
    def health() -> dict[str, str]:
        """Say whether questions can be answered: 503 if the index is missing or its server gone."""
        try:
            answering.check()
        except UnavailableError as error:
            raise HTTPException(503, str(error)) from error
        return {"status": "ready"}

    @app.exception_handler(RequestValidationError)
    def refuse(_: Request, error: RequestValidationError) -> JSONResponse:
        """Say what is wrong, without what was sent: half of a character, for one, can't be sent back."""
        return _refusal({name: each[name] for name in ("type", "loc", "msg")} for each in error.errors())

    @app.middleware("http")
    async def refuse_unknown_fields(request: Request, call_next: Callable[[Request], Awaitable[Response]]) -> Response:
        """Refuse what hayhooks would pass over in silence, such as `topk`."""
        if request.url.path == f"/{NAME}/run":
            try:
                body = json.loads(await request.body())
            except ValueError:
                body = None
            if isinstance(body, dict) and (unknown := [field for field in body if field not in known]):
                expected = f"expected {', '.join(known)}"
                messages = (f"there is no field {field!a}; {expected}" for field in unknown)
                return _refusal({"type": "extra_forbidden", "loc": ["body"], "msg": each} for each in messages)
        return await call_next(request)

    return app


def _refusal(errors: Iterable[dict[str, Any]]) -> JSONResponse:
    return JSONResponse({"detail": list(errors)}, HTTPStatus.UNPROCESSABLE_ENTITY)
