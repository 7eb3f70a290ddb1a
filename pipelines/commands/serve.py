# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The `serve` command: answer questions by a pipeline, as an HTTP service."""

import os
from typing import Annotated

import typer
from rich.markup import escape

from answer_selection.pipelines.commands.console import STDERR, CommandError
from answer_selection.pipelines.serving.settings import ServiceSettings


def serve(
    pipeline: Annotated[
        str,
        typer.Option(help="A pipeline's YAML file, or the name of a shipped one.", envvar="ANSWER_SELECTION_PIPELINE"),
    ] = "answer",
    index: Annotated[
        str | None,
        typer.Option(
            help="The index; by default the one that the pipeline names.",
            envvar="ANSWER_SELECTION_INDEX",
            show_default="faq-index",
        ),
    ] = None,
    model: Annotated[
        str | None,
        typer.Option(
            help="Model folder or hub name; by default the pipeline's, or the package's own.",
            envvar="ANSWER_SELECTION_MODEL",
        ),
    ] = None,
    host: Annotated[
        str, typer.Option(help="Address to listen on; 0.0.0.0 is all.", envvar="ANSWER_SELECTION_HOST")
    ] = "127.0.0.1",
    port: Annotated[
        int,
        typer.Option(min=0, max=65535, help="Port to listen on; 0 is any free one.", envvar="ANSWER_SELECTION_PORT"),
    ] = 1416,
    workers: Annotated[
        int, typer.Option(min=1, help="Processes that answer questions.", envvar="ANSWER_SELECTION_WORKERS")
    ] = 1,
    queue_size: Annotated[
        int,
        typer.Option(
            min=1, help="Questions that may wait; further ones get a 503.", envvar="ANSWER_SELECTION_QUEUE_SIZE"
        ),
    ] = ServiceSettings.queue_size,
    request_timeout: Annotated[
        float,
        typer.Option(
            min=0.1,
            help="Seconds that a question may take, waiting included; then it gets a 504.",
            envvar="ANSWER_SELECTION_REQUEST_TIMEOUT",
        ),
    ] = ServiceSettings.request_timeout,
    drain_timeout: Annotated[
        int,
        typer.Option(
            min=0,
            help="Seconds to finish requests in progress after SIGTERM.",
            envvar="ANSWER_SELECTION_DRAIN_TIMEOUT",
        ),
    ] = ServiceSettings.drain_timeout,
    allowed_hosts: Annotated[
        list[str] | None,
        typer.Option(
            help="A host name that the service answers to, or *.example.com; any by default. Repeat for more.",
            envvar="ANSWER_SELECTION_ALLOWED_HOSTS",
        ),
    ] = None,
    allowed_origins: Annotated[
        list[str] | None,
        typer.Option(
            help="A site whose pages may ask, such as https://www.example.com; none by default. Repeat for more.",
            envvar="ANSWER_SELECTION_ALLOWED_ORIGINS",
        ),
    ] = None,
    token: Annotated[
        str | None,
        # Anyone who can list the processes of a machine can read their options.
        typer.Option(
            help="The bearer token that requests must send; none by default. Set the variable rather than the option.",
            envvar="ANSWER_SELECTION_TOKEN",
            show_default=False,
        ),
    ] = None,
) -> None:
    """
    Answer questions over HTTP: POST /answer/run {"question": "..."}, GET /health, /health/live and /metrics.

    It waits for a missing index or server. Until then it answers 503, with the reason.
    """
    try:
        from answer_selection.pipelines.serving import server
        from answer_selection.pipelines.serving.app import ASK, create_app
        from answer_selection.pipelines.serving.worker import Served
        from answer_selection.pipelines.serving.workers import Workers
    except ImportError as error:
        msg = "the service needs more packages: pip install '.[serve]'"
        raise CommandError(msg) from error
    try:
        listening = server.listen(host, port)
    except OSError as error:
        # Python adds the address to the text of an OSError. An unknown host name has no such text.
        reason = os.strerror(error.errno) if error.errno and error.errno > 0 else str(error.strerror)
        STDERR.print(f"[red]error[/red] {escape(f'{host}:{port}: {reason}')}", soft_wrap=True, highlight=False)
        raise typer.Exit(1) from error
    settings = ServiceSettings(
        queue_size=queue_size,
        request_timeout=request_timeout,
        drain_timeout=drain_timeout,
        token=token or None,
        allowed_hosts=tuple(allowed_hosts or ()),
        allowed_origins=tuple(allowed_origins or ()),
    )
    server.log_to_stderr()
    with listening, Workers(Served(pipeline, index or None, model or None), workers) as running:
        app = create_app(settings, running.answer, running.check, lanes=workers)
        STDERR.print(f"answering at http://{server.address_of(listening)}{ASK}", highlight=False)
        server.run(app, listening, settings)
