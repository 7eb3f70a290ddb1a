# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
The `eval` command: P@1, MRR and MAP of a pipeline end to end, or of a ranker over given candidates.

Without an argument it shows the whole chain on the bundled FAQ, see :mod:`library_chain`.
"""

from pathlib import Path
from typing import Annotated

import typer
from answer_selection.pipelines.console import STDOUT, CommandError, guarded
from answer_selection.pipelines.evaluation.policies import Policy
from rich.markup import escape

RUNS = Path("answer-selection-runs")


def evaluate(
    queries: Annotated[
        Path | None,
        typer.Option(
            help="End to end: queries with their relevant entries (queries.jsonl). "
            "Without --queries and --candidates: the whole chain on the bundled FAQ."
        ),
    ] = None,
    candidates: Annotated[
        Path | None, typer.Option(help="Candidate lists to rank: JSONL, WikiQA TSV, SemEval XML, or a toks folder.")
    ] = None,
    pipeline: Annotated[
        str, typer.Option(help="End to end: a pipeline's YAML file, or the name of a shipped one.")
    ] = "answer",
    index: Annotated[Path | None, typer.Option(help="End to end: index for the pipeline's stores.")] = None,
    model: Annotated[
        str | None, typer.Option(help="Model folder or hub name; the model that comes with the package by default.")
    ] = None,
    retriever_weight: Annotated[
        float | None, typer.Option(help="How much of the retriever's score is mixed in; the model's own by default.")
    ] = None,
    retriever_top_k: Annotated[int | None, typer.Option(min=1, help="Candidates that BM25 finds.")] = None,
    policy: Annotated[
        Policy, typer.Option(help="Which questions count: all, those with a relevant candidate, or those with both.")
    ] = Policy.WITH_RELEVANT,
    output: Annotated[Path, typer.Option(help="Folder for the results. It must be new, or --overwrite given.")] = RUNS
    / "eval",
    seed: Annotated[int, typer.Option(help="Seed of sampling, training and tests of significance.")] = 0,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace results that are there.")] = False,
) -> None:
    """
    Measure P@1, MRR, MAP and recall, with the paired difference from BM25 and its p-value.

    Without arguments: index the bundled FAQ, train a ranker on it, and ask its held-out questions.
    """
    # Heavy imports wait until the options are known to be right.
    from answer_selection.pipelines.evaluation.report import Report, render

    def show(report: Report, title: str) -> None:
        STDOUT.print(render(report, title=title, labels={"bm25": "BM25", "ranker": "BM25 + ranker"}))
        STDOUT.print(f"results and every question: {escape(str(report.folder))}")

    if queries is not None and candidates is not None:
        msg = "--queries and --candidates exclude each other: end to end, or given candidates"
        raise CommandError(msg)
    if queries is None and candidates is None:
        from answer_selection.pipelines.library_chain import run_chain

        chain = run_chain(RUNS / "library-faq", seed=seed)
        show(chain.report, "The bundled FAQ: held-out questions of its test half")
        STDOUT.print(f"index: {escape(str(chain.index))}\nmodel: {escape(str(chain.model))}")
    elif queries is not None:
        from answer_selection.pipelines import pipeline_files
        from answer_selection.pipelines.evaluate_ranking import evaluate_end_to_end

        definition = pipeline_files.point_at(
            pipeline_files.read(pipeline),
            index=index,
            model=model,
            retriever_weight=retriever_weight,
            retriever_top_k=retriever_top_k,
        )
        report = evaluate_end_to_end(definition, queries, output, policy=policy, seed=seed, overwrite=overwrite)
        show(report, f"{queries} end to end")
    elif candidates is not None:
        from answer_selection.indexing.candidates import read_candidates
        from answer_selection.pipelines import pipeline_files
        from answer_selection.pipelines.evaluate_ranking import evaluate_candidates

        ranker = pipeline_files.make_ranker(model)
        report = evaluate_candidates(
            ranker,
            list(read_candidates(candidates)),
            output,
            name=type(ranker).__name__,
            policy=policy,
            seed=seed,
            overwrite=overwrite,
            settings={"candidates": str(candidates), "model": model or "the package's own"},
        )
        show(report, f"{candidates}, given candidates")


if __name__ == "__main__":
    app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
    app.command()(evaluate)
    guarded(app)
