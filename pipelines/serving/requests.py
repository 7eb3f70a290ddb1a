# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Every request has an id, a line in the log and a place in the metrics."""

import asyncio
import logging
import re
import time
import uuid
from collections.abc import Collection
from contextvars import ContextVar
from http import HTTPStatus

from fastapi.responses import JSONResponse
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from answer_selection.pipelines.serving.metrics import Metrics

HEADER = "X-Request-ID"
# Nothing else is sent back, or written into the log.
_ID = re.compile(r"[\w.:+/=-]{1,128}", re.ASCII)
_current: ContextVar[str] = ContextVar("request_id", default="-")

logger = logging.getLogger(__name__)


class Requests:
    """
    Follows requests from their first byte to the last of the answer.

    :param app: What answers them.
    :param metrics: Where they are counted.
    :param endpoints: The paths that are counted by their own names.
    :param quiet: Of these, those that are logged only when they fail.
    """

    def __init__(self, app: ASGIApp, metrics: Metrics, endpoints: Collection[str], quiet: Collection[str]) -> None:
        self._app, self._metrics, self._endpoints, self._quiet = app, metrics, endpoints, quiet

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        start = time.perf_counter()
        given = Headers(scope=scope).get(HEADER, "")
        request_id = given if _ID.fullmatch(given) else uuid.uuid4().hex
        _current.set(request_id)
        status = 0

        async def send_with_id(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                MutableHeaders(scope=message)[HEADER] = request_id
            await send(message)

        try:
            await self._app(scope, receive, send_with_id)
        except (Exception, asyncio.CancelledError) as error:
            # What is cancelled was still in progress when the time to drain was over.
            stopping = isinstance(error, asyncio.CancelledError)
            if not stopping:
                logger.exception("a fault of the service")
            if not status:
                code = HTTPStatus.SERVICE_UNAVAILABLE if stopping else HTTPStatus.INTERNAL_SERVER_ERROR
                detail = "the service stops" if stopping else f"a fault of the service; its log has it as {request_id}"
                await JSONResponse({"detail": detail}, code)(scope, receive, send_with_id)
        finally:
            seconds = time.perf_counter() - start
            path = scope["path"]
            self._metrics.request(path if path in self._endpoints else "other", status, seconds)
            if path not in self._quiet or status >= HTTPStatus.BAD_REQUEST:
                logger.info("%s %.200s %d %.0f ms", scope["method"], ascii(path)[1:-1], status, 1000 * seconds)


class WithRequestId(logging.Filter):
    """Gives each line of the log the id of the request that it is about."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Give it to one."""
        record.request_id = _current.get()
        return True
