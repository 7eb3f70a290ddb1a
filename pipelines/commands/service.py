# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""What the commands that serve share: a port, processes that answer, and the service before them."""

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import typer
from rich.markup import escape

from answer_selection.pipelines.commands.console import STDERR, CommandError
from answer_selection.pipelines.serving.settings import ServiceSettings

if TYPE_CHECKING:
    from answer_selection.pipelines.serving.trial import Labelling
    from answer_selection.pipelines.serving.worker import Served


@contextmanager
def needing_extra() -> Iterator[None]:
    """
    Import what needs the extra `serve`.

    :raises CommandError: If it is not installed.
    """
    try:
        yield
    except ImportError as error:
        msg = "the service needs more packages: pip install '.[serve]'"
        raise CommandError(msg) from error


def served_beside(served: "Served", other: str) -> "Served":
    """
    Give what is compared with a pipeline.

    :param served: The pipeline.
    :param other: A model's folder, for the same pipeline; or another pipeline, by its file or name.
    :returns: The other one, over the same index.
    """
    if Path(other, "config.json").is_file():
        return replace(served, model=other)
    return replace(served, pipeline=other, model=None)


def listen_and_answer(
    host: str,
    port: int,
    settings: ServiceSettings,
    served: "Served",
    *,
    workers: int = 1,
    other: "Served | None" = None,
    labelling: "Labelling | None" = None,
) -> None:
    """
    Answer until a signal says to stop.

    :param host: The address.
    :param port: The port; 0 is any that is free.
    :param settings: How the service behaves.
    :param served: The pipeline.
    :param workers: Processes that answer by it.
    :param other: What the page shows beside it.
    :param labelling: What people may say of answers.
    """
    with needing_extra():
        from answer_selection.pipelines.serving import server
        from answer_selection.pipelines.serving.app import ASK, Trial, create_app
        from answer_selection.pipelines.serving.trial import PAGE
        from answer_selection.pipelines.serving.workers import Workers
    try:
        listening = server.listen(host, port)
    except OSError as error:
        # Python adds the address to the text of an OSError. An unknown host name has no such text.
        reason = os.strerror(error.errno) if error.errno and error.errno > 0 else str(error.strerror)
        STDERR.print(f"[red]error[/red] {escape(f'{host}:{port}: {reason}')}", soft_wrap=True, highlight=False)
        raise typer.Exit(1) from error
    is_labelling = labelling is not None and bool(labelling.questions)
    # Who labels looks at the page.
    server.log_to_stderr(requests=not is_labelling)
    address = f"http://{server.address_of(listening)}"
    # While the models are loaded a browser waits: what they have to say comes after the page's address.
    STDERR.print(f"open this page: {address}{PAGE}", highlight=False)
    if labelling is not None and is_labelling:
        known = f"{labelling.known} of {len(labelling.questions)} questions have a label"
        STDERR.print(escape(f"{known} in {labelling.labels.path}; Ctrl-C ends"), soft_wrap=True, highlight=False)
    with ExitStack() as stack:
        stack.enter_context(listening)
        running = stack.enter_context(Workers(served, workers))
        names, beside = (_name(served), ""), None
        if other is not None:
            running_other = stack.enter_context(Workers(other, 1))
            names = _names(served, other)
            beside = (names[1], running_other.answer, running_other.language)
        trial = Trial(names[0], running.language, beside, labelling)
        app = create_app(settings, running.answer, running.check, at_once=workers, trial=trial)
        if not is_labelling:
            STDERR.print(f"answering at {address}{ASK}", highlight=False)
        server.run(app, listening, settings)


def _name(served: "Served") -> str:
    return Path(served.model or served.pipeline).name


def _names(one: "Served", other: "Served") -> tuple[str, str]:
    """What tells two apart: their models if the pipeline is the same, else the pipelines."""
    if one.pipeline == other.pipeline:
        named = [each.model or "the package's own model" for each in (one, other)]
    else:
        named = [each.pipeline for each in (one, other)]
    short = [Path(each).name for each in named]
    return (short[0], short[1]) if short[0] != short[1] else (named[0], named[1])
