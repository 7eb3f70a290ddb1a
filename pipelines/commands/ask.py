# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The `ask` command: answer one question by a pipeline."""

from typing import Annotated

import typer
from rich.markup import escape
from rich.table import Table

from answer_selection.pipelines.commands.console import STDOUT, CommandError
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
    top_k: Annotated[int, typer.Option(min=1, help="Answers to show.")] = 3,
    answer_risk: Annotated[
        float | None,
        typer.Option(
            help="Keep silent where the best answer is not sure enough: at most this share of the answers given is "
            "wrong. The model must be calibrated for it, see `train --answer-risk`."
        ),
    ] = None,
) -> None:
    """Answer a question from an index."""
    from answer_selection.pipelines.definitions import pipeline_yaml
    from answer_selection.pipelines.definitions.question_inputs import asked
    from answer_selection.pipelines.evaluation.end_to_end import answering_components

    if not question.strip():
        msg = "the question is empty"
        raise CommandError(msg)
    definition = pipeline_yaml.point_at(
        pipeline_yaml.read(pipeline), index=index, model=model, top_k=top_k, answer_risk=answer_risk
    )
    pipeline_yaml.check_indexes(definition)
    loaded = pipeline_yaml.load(definition)
    stages, inputs = answering_components(loaded, pipeline)
    found = loaded.run(asked(inputs, question), include_outputs_from={stages[-1]})[stages[-1]]
    closest = found.get("closest_documents", [])
    if closest:
        STDOUT.print(
            f"no answer here (the best one is right with probability {found['best_probability']:.2f}); closest entries:"
        )
    if not (documents := found["documents"] or closest):
        STDOUT.print("no answer found")
        raise typer.Exit(1)
    table = Table(show_lines=True)
    for column in ("", "score", "entry", "answer"):
        table.add_column(column)
    for rank, document in enumerate(documents[:top_k], start=1):
        score = "" if document.score is None else f"{document.score:.3f}"
        heading = document.meta.get("question")
        answer = escape(document.content or "")
        table.add_row(
            str(rank),
            score,
            escape(str(document.meta.get("entry_id", document.id))),
            f"[bold]{escape(str(heading))}[/bold]\n{answer}" if heading else answer,
        )
    STDOUT.print(table)
    if closest:
        raise typer.Exit(1)
