# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The `serve` command: a pipeline that answers questions, as an HTTP service."""

import os
from typing import Annotated

import typer
from answer_selection.pipelines.console import STDERR, CommandError


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
            help="Model folder or hub name; by default the one that the pipeline names, or the package's own.",
            envvar="ANSWER_SELECTION_MODEL",
        ),
    ] = None,
    host: Annotated[
        str, typer.Option(help="Address to listen on; 0.0.0.0 is all.", envvar="HAYHOOKS_HOST")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="Port to listen on.", envvar="HAYHOOKS_PORT")] = 1416,
) -> None:
    """
    Answer questions over HTTP: POST /answer/run {"question": "..."}, GET /health, and /docs.

    An index that is missing or a server that is gone is waited for: until then the answer is 503, with the reason.
    """
    # Below this level hayhooks writes every question into its log.
    os.environ.setdefault("HAYHOOKS_LOG_LEVEL", "WARNING")
    # Its own default lets the pages of any web site ask, in the browser of whoever can reach the service.
    os.environ.setdefault("HAYHOOKS_CORS_ALLOW_ORIGINS", "[]")
    # hayhooks makes the pipeline by itself, and has no other way to tell it something.
    chosen = {"PIPELINE": pipeline, "INDEX": index, "MODEL": model}
    os.environ.update({f"ANSWER_SELECTION_{name}": value for name, value in chosen.items() if value})
    try:
        import hayhooks
        from answer_selection.pipelines.serving.app import create_app
        from hayhooks.server.exceptions import PipelineModuleLoadError
    except ImportError as error:
        msg = "the service needs more packages: pip install '.[serve]'"
        raise CommandError(msg) from error
    try:
        app = create_app()
    except PipelineModuleLoadError as error:
        # What hayhooks puts around it tells where hayhooks looked, which nobody chose.
        cause: BaseException = error
        while cause.__cause__ is not None and type(cause).__module__.startswith("hayhooks."):
            cause = cause.__cause__
        raise cause from None
    STDERR.print(f"answering at http://{host}:{port}/answer/run", highlight=False)
    hayhooks.run_app(app, host=host, port=port)
