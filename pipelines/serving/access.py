# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Access to the service: requests must send the token and use one of its host names."""

import hmac
from collections.abc import Collection
from http import HTTPStatus

from fastapi.responses import JSONResponse
from starlette.datastructures import Headers
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.types import ASGIApp, Receive, Scope, Send

from answer_selection.pipelines.serving.settings import ServiceSettings
from answer_selection.pipelines.serving.trial import is_page


class Access:
    """
    Lets a request through, or says what it lacks.

    :param app: What answers it.
    :param settings: The token and the names.
    :param open_paths: Paths that are for everybody, by any name.
    """

    def __init__(self, app: ASGIApp, settings: ServiceSettings, open_paths: Collection[str]) -> None:
        self._app, self._open = app, open_paths
        self._named = TrustedHostMiddleware(self._allow, settings.allowed_hosts or None, www_redirect=False)
        self._token = None if settings.token is None else settings.token.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request."""
        if scope["type"] != "http" or scope["path"] in self._open:
            await self._app(scope, receive, send)
        else:
            await self._named(scope, receive, send)

    async def _allow(self, scope: Scope, receive: Receive, send: Send) -> None:
        if is_page(scope):
            # A browser sends no token to an address. The page asks for one, and sends it with questions.
            await self._app(scope, receive, send)
            return
        # Headers are bytes of any kind, which compare_digest takes as they are.
        given = Headers(scope=scope).get("authorization", "").encode("latin-1")
        scheme, _, token = given.partition(b" ")
        if self._token is None or (scheme.lower() == b"bearer" and hmac.compare_digest(token.strip(), self._token)):
            await self._app(scope, receive, send)
            return
        refusal = JSONResponse(
            {"detail": "expected the header `Authorization: Bearer TOKEN` with this service's token"},
            HTTPStatus.UNAUTHORIZED,
            {"WWW-Authenticate": "Bearer", "Connection": "close"},
        )
        await refusal(scope, receive, send)
