# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The `serve` command: answer questions by a pipeline, as an HTTP service."""

from pathlib import Path
from typing import Annotated

import typer

from answer_selection.pipelines.commands.service import listen_and_answer, needing_extra, served_beside
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
    compare: Annotated[
        str | None,
        typer.Option(
            help="For the page at /: another model folder, or another pipeline, whose answers are shown beside.",
        ),
    ] = None,
    labels: Annotated[
        Path | None,
        typer.Option(
            help="For the page at /: a file, in the form of queries.jsonl, that keeps which answers people say are "
            "right.",
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

    In a browser its address shows a page to ask questions and to see what each answer rests on.

    It waits for a missing index or server. Until then it answers 503, with the reason.
    """
    settings = ServiceSettings(
        queue_size=queue_size,
        request_timeout=request_timeout,
        drain_timeout=drain_timeout,
        token=token or None,
        allowed_hosts=tuple(allowed_hosts or ()),
        allowed_origins=tuple(allowed_origins or ()),
    )
    with needing_extra():
        from answer_selection.pipelines.serving.labels import LabelFile
        from answer_selection.pipelines.serving.trial import Labelling
        from answer_selection.pipelines.serving.worker import Served
    labelling = Labelling(LabelFile(labels)) if labels else None
    served = Served(pipeline, index or None, model or None)
    other = served_beside(served, compare) if compare else None
    listen_and_answer(host, port, settings, served, workers=workers, other=other, labelling=labelling)
