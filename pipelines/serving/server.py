# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The service's process: its socket, its log, and its end."""

import logging
import signal
import socket
import sys

from fastapi import FastAPI
from uvicorn import Config, Server

from answer_selection.pipelines.serving.requests import WithRequestId
from answer_selection.pipelines.serving.settings import ServiceSettings
from answer_selection.pipelines.serving.slow_headers import PromptH11Protocol


def listen(host: str, port: int) -> socket.socket:
    """
    Take a port. Whoever asks there from now on waits until :func:`run` answers.

    :param host: The address.
    :param port: The port; 0 is any that is free.
    :returns: The socket.
    :raises OSError: If that is not possible, such as for a port that is taken.
    """
    family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
    return socket.create_server(address[:2], family=family, backlog=2048)


def address_of(listening: socket.socket) -> str:
    """
    Say where a socket is asked.

    :param listening: The socket.
    :returns: The address and the port, as a URL has them.
    """
    host, port, *_ = listening.getsockname()
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def log_to_stderr(*, requests: bool = True) -> None:
    """
    Write a line a request, with its id; the questions are not in it.

    :param requests: Whether to; else only what goes wrong is told.
    """
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(request_id)s %(message)s"))
    handler.addFilter(WithRequestId())
    own = logging.INFO if requests else logging.WARNING
    for name, level in (("answer_selection.pipelines.serving", own), ("uvicorn", logging.WARNING)):
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [handler], False
        logger.setLevel(level)


def run(app: FastAPI, listening: socket.socket, settings: ServiceSettings) -> None:
    """
    Answer requests until a signal says to stop, and then those that are in progress.

    :param app: What answers them.
    :param listening: Where they come from.
    :param settings: How long is waited for them.
    """
    config = Config(
        app,
        http=PromptH11Protocol,
        ws="none",
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_keep_alive=settings.client_timeout,
        timeout_graceful_shutdown=settings.drain_timeout,
    )
    # Once it has stopped, uvicorn sends itself the signal again, for whoever handles it besides: then this returns.
    signal.signal(signal.SIGTERM, lambda *_: None)
    Server(config).run(sockets=[listening])
