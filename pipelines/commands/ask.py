# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The `ask` command: answer one question by a pipeline."""

from typing import Annotated

import typer

from answer_selection.pipelines.commands.console import STDOUT, CommandError, print_lines
from answer_selection.pipelines.commands.options import ModelOption
from answer_selection.pipelines.commands.stores import DEFAULT_INDEX


def ask(
    question: Annotated[str, typer.Argument(help="The question.")],
    index: Annotated[
        str | None,
        typer.Option(
            help="Folder of the index, or its name in Elasticsearch; by default the one that the pipeline names.",
            show_default=DEFAULT_INDEX,
        ),
    ] = None,
    model: ModelOption = None,
    pipeline: Annotated[
        str,
        typer.Option(
            help="A pipeline's YAML file, or the name of a shipped one: answer, answer_elasticsearch, answer_trees or "
            "rag."
        ),
    ] = "answer",
    top_k: Annotated[int, typer.Option(min=1, max=1000, help="Answers to show.")] = 3,
    full: Annotated[bool, typer.Option("--full", help="Show whole answers. By default long ones are cut.")] = False,
    as_json: Annotated[
        bool,
        typer.Option("--json", help="Print one JSON object, with the fields of the service's answers: for programs."),
    ] = False,
    answer_risk: Annotated[
        float | None,
        typer.Option(
            help="Keep silent where the best answer is not sure enough: at most this share of the answers given is "
            "wrong. The model must be calibrated for it, see `train --answer-risk`."
        ),
    ] = None,
) -> None:
    """
    Answer a question from an index.

    Beside each answer stands how sure the ranker is: likely (a probability of 0.5 or more), possible (0.2 or more) or
    doubtful. Exit code 1 if there is no answer.
    """
    from pydantic import ValidationError
    from rich.markup import escape

    from answer_selection.pipelines.commands.shown_answers import answers_table
    from answer_selection.pipelines.definitions import pipeline_yaml
    from answer_selection.pipelines.serving.answering import Answering
    from answer_selection.pipelines.serving.question import Question

    if not question.strip():
        msg = "the question is empty"
        raise CommandError(msg)
    if full and as_json:
        msg = "--full and --json exclude each other: JSON has whole answers"
        raise CommandError(msg)
    # Before anything is loaded.
    try:
        Question(question=question, top_k=top_k, filters=None)
    except ValidationError as error:
        msg = f"the question: {error.errors()[0]['msg'].removeprefix('Value error, ')}"
        raise CommandError(msg) from error
    definition = pipeline_yaml.point_at(
        pipeline_yaml.read(pipeline), index=index, model=model, top_k=top_k, answer_risk=answer_risk
    )
    pipeline_yaml.check_indexes(definition)
    found = Answering(definition, name=pipeline).answer(question, top_k=top_k)
    if as_json:
        typer.echo(found.model_dump_json(indent=2))
    elif shown := found.answers or found.closest:
        if found.searched is not None:
            STDOUT.print(f"searched for: {escape(found.searched)}", highlight=False)
        if not found.answers:
            best = f"{found.best_probability:.2f}"
            STDOUT.print(f"no answer here (the best one is right with probability {best}); closest entries:")
        print_lines(answers_table(shown, STDOUT, whole=full))
    else:
        STDOUT.print("no answer found")
    if not found.answers:
        raise typer.Exit(1)
