# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The `explain` command: one HTML page that shows what a ranker weighed in a question's candidates."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from answer_selection.pipelines.commands.console import CommandError, check_file, say
from answer_selection.pipelines.commands.options import ModelOption

if TYPE_CHECKING:
    from answer_selection.indexing.candidates import CandidateList
    from answer_selection.pipelines.explanation.explained import Explained


def explain(
    question: Annotated[str, typer.Argument(help="The question; with --candidates its text or its id in the file.")],
    answer: Annotated[
        list[str] | None, typer.Option(help="A candidate to explain, in place of a pipeline's. Repeat for more.")
    ] = None,
    candidates: Annotated[
        Path | None,
        typer.Option(help="Candidate lists with one for the question: JSONL, or a data set as published."),
    ] = None,
    pipeline: Annotated[
        str | None,
        typer.Option(
            help="A pipeline's YAML file, or the name of a shipped one: answer, answer_elasticsearch, answer_trees or "
            "rag.",
            show_default="answer",
        ),
    ] = None,
    index: Annotated[
        str | None,
        typer.Option(
            help="Folder of the index, or its name in Elasticsearch; by default the one that the pipeline names."
        ),
    ] = None,
    model: ModelOption = None,
    top_k: Annotated[
        int | None,
        typer.Option(
            min=1, help="Candidates on the page.", show_default="as many as the pipeline's ranker gives, or are given"
        ),
    ] = None,
    output: Annotated[Path, typer.Option(help="The page to write.")] = Path("explanation.html"),
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace an existing page.")] = False,
) -> None:
    """
    Show what a ranker weighed in a question's candidates (words, features, spans), as one HTML page.

    The candidates are those that a pipeline finds in its index, or those that you give.
    """
    if not question.strip():
        msg = "the question is empty"
        raise CommandError(msg)
    if answer and candidates:
        msg = "--answer and --candidates exclude each other: single answers, or a file of them"
        raise CommandError(msg)
    if (answer or candidates) and (pipeline or index):
        given, other = ("--answer" if answer else "--candidates"), ("--pipeline" if pipeline else "--index")
        msg = f"{other} finds candidates and {given} gives them: choose one"
        raise CommandError(msg)
    check_file(output, "--output", overwrite=overwrite)
    # Heavy imports wait until the options are known to be right.
    from answer_selection.pipelines.explanation.page import render

    if answer or candidates:
        explained = _given(question, answer or [], candidates, model, top_k)
    else:
        explained = _found(question, pipeline or "answer", index, model, top_k)
    if not explained.documents:
        say("no answer found")
        raise typer.Exit(1)
    # Half of a surrogate pair is no character: it is written as its number.
    output.write_text(render(explained), encoding="utf-8", errors="xmlcharrefreplace")
    say(f"{len(explained.documents)} candidates in {output}")


def _found(question: str, pipeline: str, index: str | None, model: str | None, top_k: int | None) -> "Explained":
    """Explain what a pipeline finds."""
    from answer_selection.pipelines.definitions import pipeline_yaml
    from answer_selection.pipelines.explanation.explained import of_pipeline

    definition = pipeline_yaml.point_at(pipeline_yaml.read(pipeline), index=index, model=model, top_k=top_k)
    pipeline_yaml.check_indexes(definition)
    return of_pipeline(pipeline_yaml.load(definition), question, pipeline)


def _given(
    question: str, answers: list[str], candidates: Path | None, model: str | None, top_k: int | None
) -> "Explained":
    """Explain given answers, or those of a file."""
    from haystack import Document

    from answer_selection.pipelines.explanation.explained import of_candidates
    from haystack_integrations.components.rankers.answer_selection import AnswerRanker

    query_meta, right = {}, {}
    documents = [Document(id=f"answer {place}", content=text) for place, text in enumerate(answers, start=1)]
    if candidates is not None:
        asked = _list_of(candidates, question)
        question, query_meta = asked.query, asked.query_meta
        documents = [Document(id=one.candidate_id, content=one.answer, meta=dict(one.meta)) for one in asked.candidates]
        right = {one.candidate_id: one.label > 0 for one in asked.candidates}
    return of_candidates(
        AnswerRanker(model=model), question, documents, top_k=top_k, query_meta=query_meta, right=right
    )


def _list_of(candidates: Path, question: str) -> "CandidateList":
    """Find a question's list in a file, by its id or its text."""
    from answer_selection.indexing.candidates import read_candidates

    read = 0
    for each in read_candidates(candidates):
        if question in (each.query_id, each.query):
            return each
        read += 1
    msg = f"{candidates}: none of its {read} lists has the query or the query_id {question!r}"
    raise CommandError(msg)
