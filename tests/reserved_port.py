# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Ports for servers that are stopped and started again."""

import socket
import sys

HOST = "127.0.0.1"


class ReservedPort:
    """
    A free port of loopback that stays one server's, while that is down too.

    A socket that is bound and does not listen keeps it from everybody who asks for any free port, but, on Linux, not
    from a server that asks for this one, as Java does, with SO_REUSEADDR.
    """

    def __init__(self) -> None:
        self._socket = socket.socket()
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self._socket.bind((HOST, 0))
        self.number: int = self._socket.getsockname()[1]
        if sys.platform != "linux":
            self.release()

    def release(self) -> None:
        """Let go of it."""
        self._socket.close()
