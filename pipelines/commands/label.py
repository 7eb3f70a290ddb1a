# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The `label` command: a page on which people choose the entry that answers each question."""

from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

from answer_selection.pipelines.commands.console import CommandError, say
from answer_selection.pipelines.commands.options import ModelOption
from answer_selection.pipelines.commands.service import listen_and_answer, needing_extra
from answer_selection.pipelines.serving.settings import ServiceSettings

# The page is for the person at this machine.
HOST = "127.0.0.1"
# Nobody else waits behind a question.
SECONDS_TO_ANSWER = 120


def label(
    questions: Annotated[
        Path, typer.Argument(help="Questions, one a line; or .jsonl with `query`, and perhaps `query_id`.")
    ],
    index: Annotated[
        str | None,
        typer.Option(
            help="Folder of the index, or its name in Elasticsearch; by default the one that the pipeline names."
        ),
    ] = None,
    pipeline: Annotated[
        str, typer.Option(help="What finds the entries to choose from: a pipeline's YAML file, or a shipped one.")
    ] = "answer",
    model: ModelOption = None,
    output: Annotated[
        Path, typer.Option(help="The labels, in the form of queries.jsonl. Those that are there already are kept.")
    ] = Path("queries.jsonl"),
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port of the page; 0 is any free one.")] = 1417,
) -> None:
    """
    Choose the entry that answers each question, on a page in your browser.

    Every choice is written at once. Stop by Ctrl-C, and go on later with the same command.
    """
    if output.resolve() == questions.resolve():
        msg = f"{output} has the questions: name another --output for the labels"
        raise CommandError(msg)
    from answer_selection.pipelines.definitions import pipeline_yaml

    with needing_extra():
        from answer_selection.pipelines.serving.labels import LabelFile
        from answer_selection.pipelines.serving.trial import Labelling
        from answer_selection.pipelines.serving.worker import Served
        from answer_selection.pipelines.training.question_files import read_questions
    labelling = Labelling(LabelFile(output), read_questions(questions))
    # A service waits for its index; a person had better hear at once that it is not there.
    pipeline_yaml.check_indexes(pipeline_yaml.point_at(pipeline_yaml.read(pipeline), index=index, model=model))
    # Names that another site's page can't take for its own (DNS rebinding).
    settings = ServiceSettings(allowed_hosts=(HOST, "localhost"), drain_timeout=1, request_timeout=SECONDS_TO_ANSWER)
    # Ctrl-C is how it ends; uvicorn hands it on.
    with suppress(KeyboardInterrupt):
        listen_and_answer(HOST, port, settings, Served(pipeline, index, model), labelling=labelling)
    say(f"{labelling.known} of {len(labelling.questions)} questions labelled: {output}")
