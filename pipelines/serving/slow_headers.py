# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Connections that do not come to the point are closed."""

import asyncio
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol


class PromptH11Protocol(H11Protocol):
    """
    HTTP/1.1 as uvicorn speaks it, for clients that send a request's headers within the keep-alive timeout.

    uvicorn itself waits for ever, both for the first byte of a connection and for the end of the headers.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start the clock."""
        super().connection_made(transport)
        self._watch()

    def data_received(self, data: bytes) -> None:
        """Take some bytes; those of headers that are not complete do not stop the clock."""
        super().data_received(data)
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the clock."""
        super().connection_lost(exc)
        self._stop_watch()

    def _is_waiting(self) -> bool:
        return self.cycle is None or self.cycle.response_complete

    def _watch(self) -> None:
        if not self._is_waiting():
            self._stop_watch()
        elif self._deadline is None:
            self._deadline = self.loop.call_later(self.timeout_keep_alive, self._close)

    def _stop_watch(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _close(self) -> None:
        self._deadline = None
        if self._is_waiting():
            self.transport.close()
