# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The `negatives` command: candidate lists to learn from or to measure on, sampled from an index."""

from pathlib import Path
from typing import Annotated

import typer

from answer_selection.pipelines.commands.console import CommandError, bar, say
from answer_selection.pipelines.commands.stores import DEFAULT_INDEX, IndexOption, Store, StoreOption, open_index


def negatives(
    queries: Annotated[Path, typer.Argument(help="Queries with their relevant entries (queries.jsonl).")],
    output: Annotated[Path, typer.Option(help="Candidate lists to write (JSONL).")],
    index: IndexOption = DEFAULT_INDEX,
    store: StoreOption = Store.TANTIVY,
    number: Annotated[
        int | None, typer.Option(min=1, help="Negatives per query.", show_default="15, with --yahooqa 4")
    ] = None,
    depth: Annotated[int, typer.Option(min=1, help="How many of the best BM25 answers to sample from.")] = 1000,
    at_random: Annotated[
        bool, typer.Option("--random", help="Sample from all answers, not from BM25's best: easier negatives.")
    ] = False,
    yahooqa: Annotated[
        bool,
        typer.Option(
            "--yahooqa",
            help="A test set like YahooQA's: one relevant answer and --number negatives, question and answers within "
            "--min-words and --max-words.",
        ),
    ] = False,
    min_words: Annotated[int, typer.Option(help="With --yahooqa: the fewest words of a question or answer.")] = 5,
    max_words: Annotated[int, typer.Option(help="With --yahooqa: the most words of a question or answer.")] = 50,
    seed: Annotated[int, typer.Option(help="Seed of the sampling.")] = 0,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace existing lists.")] = False,
) -> None:
    """
    Sample negatives for queries from the index's own BM25 results.

    Give the command again to continue a killed run.
    """
    from answer_selection.indexing.corpus import iter_queries
    from answer_selection.indexing.negatives import mine, yahooqa_style

    if at_random and yahooqa:
        msg = "--yahooqa samples from BM25's best answers, --random from all: choose one"
        raise CommandError(msg)
    corpus = open_index(store, index)
    asked = list(iter_queries(queries))
    with bar("sampling negatives", total=len(asked)) as progress:
        if yahooqa:
            report = yahooqa_style(
                corpus,
                asked,
                output=output,
                depth=depth,
                negatives=number or 4,
                min_words=min_words,
                max_words=max_words,
                seed=seed,
                overwrite=overwrite,
                progress=progress,
            )
        else:
            report = mine(
                corpus,
                asked,
                output=output,
                depth=depth,
                negatives=number or 15,
                seed=seed,
                mode="random" if at_random else "uniform",
                overwrite=overwrite,
                progress=progress,
            )
    say(
        f"{report.lists} lists with {report.candidates} candidates in {output}; "
        f"{report.left_out} queries left out, {report.short} lists with fewer negatives than asked for"
    )
