# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Bodies of requests: not more than so many bytes, not slower than so many seconds."""

import asyncio
from http import HTTPStatus

from fastapi.responses import JSONResponse
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from answer_selection.pipelines.serving.settings import ServiceSettings

# A client that is still sending when the connection is closed may not see why. So what is a little too long is read to
# its end, and dropped.
_DROPPED = 16


class BodyLimit:
    """
    Reads a request's body before anything else happens, and refuses it where it is too long or too slow.

    :param app: What answers the request.
    :param settings: The limits.
    """

    def __init__(self, app: ASGIApp, settings: ServiceSettings) -> None:
        self._app, self._size, self._seconds = app, settings.body_size, settings.client_timeout

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        try:
            async with asyncio.timeout(self._seconds):
                body = await self._read(scope, receive)
        except TimeoutError:
            expected = f"expected the body of the request within {self._seconds} s"
            await self._refuse(HTTPStatus.REQUEST_TIMEOUT, expected, scope, receive, send)
            return
        if body is None:
            expected = f"expected at most {self._size} bytes"
            await self._refuse(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, expected, scope, receive, send)
            return
        messages = iter([{"type": "http.request", "body": body, "more_body": False}])

        async def replay() -> Message:
            return next(messages, None) or await receive()

        await self._app(scope, replay, send)

    async def _read(self, scope: Scope, receive: Receive) -> bytes | None:
        """The body; None if it is too long."""
        told = Headers(scope=scope).get("content-length", "")
        if told.isdecimal() and int(told[:20]) > self._size:
            return None
        body, size, more = bytearray(), 0, True
        while more and size <= _DROPPED * self._size:
            message = await receive()
            size += len(message.get("body", b""))
            if size <= self._size:
                body += message.get("body", b"")
            more = message.get("more_body", False)
        return bytes(body) if size <= self._size else None

    async def _refuse(self, status: HTTPStatus, detail: str, scope: Scope, receive: Receive, send: Send) -> None:
        # What is still to come of the body is not read.
        await JSONResponse({"detail": detail}, status, {"Connection": "close"})(scope, receive, send)
