# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
The `eval` command: P@1, MRR and MAP of a pipeline end to end, or of a ranker over given candidates.

Without an argument it indexes the bundled FAQ, trains a ranker on it and asks its held-out questions.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape

from answer_selection.pipelines.commands.console import STDERR, STDOUT, CommandError, bar
from answer_selection.pipelines.commands.options import ModelOption
from answer_selection.pipelines.evaluation.policies import Policy

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
        Path | None, typer.Option(help="Candidate lists to rank: JSONL, or a data set as published.")
    ] = None,
    pipeline: Annotated[
        str | None,
        typer.Option(
            help="End to end: a pipeline's YAML file, or the name of a shipped one: answer, answer_elasticsearch, "
            "answer_trees or rag.",
            show_default="answer",
        ),
    ] = None,
    index: Annotated[
        str | None,
        typer.Option(
            help="End to end: folder of the index for the pipeline's stores, or its name in Elasticsearch; by default "
            "the one that the pipeline names."
        ),
    ] = None,
    model: ModelOption = None,
    retriever_weight: Annotated[
        float | None,
        typer.Option(help="End to end: weight of the retriever's score in the final one; the model's own by default."),
    ] = None,
    retriever_top_k: Annotated[
        int | None,
        typer.Option(min=1, help="End to end: candidates that each search finds; 30 in the shipped pipelines."),
    ] = None,
    policy: Annotated[
        Policy | None,
        typer.Option(
            help="Which questions count: all, those with a relevant candidate, or those with both.",
            show_default=str(Policy.WITH_RELEVANT),
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            help="Folder for the results, new or empty unless --overwrite is given.", show_default=str(RUNS / "eval")
        ),
    ] = None,
    encoder: Annotated[
        str | None,
        typer.Option(
            help="Without --queries and --candidates: what encodes the bundled FAQ, a folder or a name on the hub; "
            "'none' is BM25 alone. An index of your own has its encoder.",
            show_default="the one of `index`",
        ),
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed of sampling, training and significance tests.")] = 0,
    overwrite: Annotated[
        bool,
        typer.Option(
            "--overwrite", help="Replace existing results; without --queries and --candidates, the model too."
        ),
    ] = False,
) -> None:
    """
    Measure P@1, MRR, MAP and recall, with the paired difference from BM25 and its p-value.

    An index with vectors is asked by BM25, by its vectors, by both, and with the ranker. Then the ranker is compared
    with what it reranks, too.

    Without arguments: index the bundled FAQ, train a ranker on it, and ask its held-out questions.
    """
    end_to_end = {
        "--pipeline": pipeline,
        "--index": index,
        "--retriever-weight": retriever_weight,
        "--retriever-top-k": retriever_top_k,
    }
    either = {"--model": model, "--policy": policy, "--output": output}
    if queries is None:
        _refuse(end_to_end, "--queries")
    if queries is None and candidates is None:
        _refuse(either, "--queries or --candidates")
    if encoder is not None and (queries or candidates):
        msg = "--encoder is for the bundled FAQ, without --queries and --candidates: an index has its own encoder"
        raise CommandError(msg)
    if queries is not None and candidates is not None:
        msg = "--queries and --candidates exclude each other: end to end, or given candidates"
        raise CommandError(msg)
    policy, output = policy or Policy.WITH_RELEVANT, output or RUNS / "eval"
    if (queries or candidates) and output.is_dir() and any(output.iterdir()) and not overwrite:
        msg = f"{output} is not empty. Pass --overwrite to replace its results, or name another --output"
        raise CommandError(msg)
    # Heavy imports wait until the options are known to be right.
    from answer_selection.pipelines.evaluation.hybrid_rows import BM25, HYBRID, VECTORS
    from answer_selection.pipelines.evaluation.report import Report, render

    def show(report: Report, title: str) -> None:
        ranked = f"{'hybrid' if HYBRID in report.means else 'BM25'} + ranker"
        labels = {BM25: "BM25", "ranker": ranked}
        STDOUT.print(render(report, title=escape(title), labels=labels, ceilings=(BM25, VECTORS, HYBRID)))
        STDOUT.print(f"results and every question: {escape(str(report.folder))}")

    if queries is None and candidates is None:
        from answer_selection.pipelines.evaluation.bundled_faq import run_chain
        from answer_selection.pipelines.index_time.encoders import DEFAULT_ENCODER

        def tell(line: str) -> None:
            STDERR.print(escape(line))

        folder = RUNS / ("library-faq" if encoder is None else f"library-faq-{Path(encoder).name}")
        encoder = DEFAULT_ENCODER if encoder is None else encoder
        chain = run_chain(folder, bar, tell, seed=seed, encoder=encoder, overwrite=overwrite)
        show(chain.report, "The bundled FAQ: held-out questions of its test half")
        STDOUT.print(f"index: {escape(str(chain.index))}\nmodel: {escape(str(chain.model))}")
    elif queries is not None:
        from answer_selection.pipelines.definitions import pipeline_yaml
        from answer_selection.pipelines.evaluation.evaluate_ranking import evaluate_end_to_end

        definition = pipeline_yaml.point_at(
            pipeline_yaml.read(pipeline or "answer"),
            index=index,
            model=model,
            retriever_weight=retriever_weight,
            retriever_top_k=retriever_top_k,
        )
        report = evaluate_end_to_end(definition, queries, output, bar, policy=policy, seed=seed, overwrite=overwrite)
        show(report, f"{queries} end to end")
    elif candidates is not None:
        from answer_selection.indexing.candidates import read_candidates
        from answer_selection.pipelines.evaluation.evaluate_ranking import evaluate_candidates
        from haystack_integrations.components.rankers.answer_selection import AnswerRanker

        ranker = AnswerRanker(model=model)
        report = evaluate_candidates(
            ranker,
            list(read_candidates(candidates)),
            output,
            bar,
            name=ranker.model_type,
            policy=policy,
            seed=seed,
            overwrite=overwrite,
            settings={"candidates": str(candidates), "model": model or "the package's own"},
        )
        show(report, f"{candidates}, given candidates")


def _refuse(options: Mapping[str, object], wanted: str) -> None:
    """Refuse options that would have no effect."""
    if given := [name for name, value in options.items() if value is not None]:
        msg = f"{given[0]} needs {wanted}"
        raise CommandError(msg)
