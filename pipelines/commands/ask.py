# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The `ask` command: answer questions by a pipeline."""

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from answer_selection.pipelines.commands.console import STDERR, STDOUT, CommandError, print_lines, say
from answer_selection.pipelines.commands.options import ModelOption
from answer_selection.pipelines.commands.stores import DEFAULT_INDEX

if TYPE_CHECKING:
    from answer_selection.pipelines.serving.answers import Answers


def ask(
    question: Annotated[
        str | None,
        typer.Argument(
            help="The question. Without it, questions are read from standard input, one a line. The models are loaded "
            "once for all of them.",
            show_default=False,
        ),
    ] = None,
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
        typer.Option(
            "--json",
            help="Print one JSON object, with the fields of the service's answers: for programs. Without a question: "
            "an object a line, with the question beside them.",
        ),
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
    Answer a question from an index, or one after the other.

    Beside each answer stands how sure the ranker is: likely (a probability of 0.6 or more), possible (0.2 or more) or
    doubtful. Exit code 1 if a question has no answer.
    """
    from answer_selection.pipelines.definitions import pipeline_yaml
    from answer_selection.pipelines.serving.answering import Answering

    if full and as_json:
        msg = "--full and --json exclude each other: JSON has whole answers"
        raise CommandError(msg)
    # Before anything is loaded.
    if question is not None and (problem := _problem(question)):
        raise CommandError(problem)
    definition = pipeline_yaml.point_at(
        pipeline_yaml.read(pipeline), index=index, model=model, top_k=top_k, answer_risk=answer_risk
    )
    pipeline_yaml.check_indexes(definition)
    answering = Answering(definition, name=pipeline)
    if question is not None:
        found = answering.answer(question, top_k=top_k)
        if as_json:
            typer.echo(found.model_dump_json(indent=2))
        else:
            _show(found, whole=full)
        answered = bool(found.answers)
    else:
        answered = _answer_lines(partial(answering.answer, top_k=top_k), as_json=as_json, full=full)
    if not answered:
        # Where nothing was found, nothing was ranked: a model that is misspelt is told of all the same.
        answering.load_models()
        raise typer.Exit(1)


def _answer_lines(answer: "Callable[[str], Answers]", *, as_json: bool, full: bool) -> bool:
    """Answer what is typed or piped, a line after the other; whether each has an answer."""
    typed = sys.stdin.isatty()
    any_asked, all_answered = typed, True
    for number, line in enumerate(_typed() if typed else sys.stdin, start=1):
        question = line.strip()
        if not question:
            continue
        any_asked = True
        if problem := _problem(question):
            STDERR.print(f"line {number}: {problem}", markup=False, highlight=False, soft_wrap=True)
            all_answered = False
            continue
        found = answer(question)
        if as_json:
            typer.echo(json.dumps({"question": question, **found.model_dump(mode="json")}, ensure_ascii=False))
        else:
            if not typed:
                STDOUT.print(question, style="underline", markup=False, highlight=False, soft_wrap=True)
            _show(found, whole=full)
            STDOUT.print()
        all_answered &= bool(found.answers)
    if not any_asked:
        msg = "there is no question, neither behind `ask` nor on standard input"
        raise CommandError(msg)
    return all_answered


def _typed() -> Iterator[str]:
    """Lines as a person types them, up to Ctrl-D."""
    # With it `input` has the arrow keys; some systems lack it.
    with suppress(ImportError):
        import readline  # noqa: F401
    with suppress(EOFError):
        while True:
            yield input("? ")


def _problem(question: str) -> str | None:
    """What is wrong with a question, if anything."""
    from pydantic import ValidationError

    from answer_selection.pipelines.serving.question import Question

    if not question.strip():
        return "the question is empty"
    try:
        Question(question=question, top_k=None, filters=None)
    except ValidationError as error:
        return f"the question: {error.errors()[0]['msg'].removeprefix('Value error, ')}"
    return None


def _show(found: "Answers", *, whole: bool) -> None:
    """Print answers for people."""

    from answer_selection.pipelines.commands.shown_answers import answers_table

    shown = found.answers or found.closest
    if not shown:
        say("no answer found")
        return
    if found.searched is not None:
        say(f"searched for: {found.searched}")
    if not found.answers:
        best = f"{found.best_probability:.2f}"
        say(f"no answer here (the best one is right with probability {best}); closest entries:")
    print_lines(answers_table(shown, STDOUT, whole=whole))
