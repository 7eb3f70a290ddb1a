# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
The `eval` command: P@1, MRR and MAP of a pipeline end to end, or of a ranker over given candidates.

Without an argument it indexes the bundled FAQ, trains a ranker on it and asks its held-out questions.
"""

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.markup import escape

from answer_selection.pipelines.commands.console import STDERR, CommandError, bar, check_file
from answer_selection.pipelines.commands.options import ModelOption
from answer_selection.pipelines.evaluation.policies import Policy

if TYPE_CHECKING:
    from answer_selection.pipelines.commands.shown_report import Evaluated

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
    report: Annotated[
        Path | None, typer.Option(help="An HTML file with table, charts and every question; one that is there is kept.")
    ] = None,
    against: Annotated[
        Path | None,
        typer.Option(help="Results of an earlier run with the same questions: compare the last stages of both."),
    ] = None,
    fail_if_worse: Annotated[
        bool,
        typer.Option(
            "--fail-if-worse",
            help="With --against: exit code 1 if P@1, MRR or MAP is lower than there by more than chance.",
        ),
    ] = False,
    seed: Annotated[int, typer.Option(help="Seed of the significance tests.")] = 0,
    overwrite: Annotated[
        bool,
        typer.Option(
            "--overwrite", help="Replace existing results; without --queries and --candidates, the index too."
        ),
    ] = False,
) -> None:
    """
    Measure P@1, MRR, MAP and recall, with the paired difference from BM25 and its p-value.

    An index with vectors is asked by BM25, by its vectors, by both, and with the ranker. Then the ranker is compared
    with what it reranks, too.

    Without arguments: index the bundled FAQ, and ask its held-out questions.
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
    _check_looking(report, against, fail_if_worse=fail_if_worse, overwrite=overwrite)
    policy, output = policy or Policy.WITH_RELEVANT, output or RUNS / "eval"
    if output.is_file():
        msg = f"{output} is a file; expected the name of a folder"
        raise CommandError(msg)
    if (queries or candidates) and output.is_dir() and any(output.iterdir()) and not overwrite:
        msg = f"{output} is not empty. Pass --overwrite to replace its results, or name another --output"
        raise CommandError(msg)
    # Heavy imports wait until the options are known to be right.
    from answer_selection.pipelines.commands.shown_report import ShownReport
    from answer_selection.pipelines.evaluation.kept_results import KeptResults

    # Before the run: it may be of other questions, or a folder that another run writes to.
    kept = None if against is None else KeptResults.read(against)
    if candidates is not None:
        run = _rank_candidates(candidates, output, model, policy=policy, seed=seed, overwrite=overwrite)
    elif queries is None:
        run = _run_bundled_faq(encoder, seed=seed, overwrite=overwrite)
    else:
        from answer_selection.pipelines.definitions import pipeline_yaml

        definition = pipeline_yaml.point_at(
            pipeline_yaml.read(pipeline or "answer"),
            index=index,
            model=model,
            retriever_weight=retriever_weight,
            retriever_top_k=retriever_top_k,
        )
        run = _ask_pipeline(definition, queries, output, policy=policy, seed=seed, overwrite=overwrite)
    ShownReport(report, kept, seed, fail_if_worse).show(run)


def _run_bundled_faq(encoder: str | None, *, seed: int, overwrite: bool) -> "Evaluated":
    from answer_selection.pipelines.commands.shown_report import Evaluated
    from answer_selection.pipelines.definitions import pipeline_yaml
    from answer_selection.pipelines.evaluation.bundled_faq import ask_bundled_faq
    from answer_selection.pipelines.evaluation.entry_titles import entry_titles
    from answer_selection.pipelines.index_time.encoders import DEFAULT_ENCODER

    def tell(line: str) -> None:
        STDERR.print(escape(line))

    folder = RUNS / ("library-faq" if encoder is None else f"library-faq-{Path(encoder).name}")
    encoder = DEFAULT_ENCODER if encoder is None else encoder
    report = ask_bundled_faq(folder, bar, tell, seed=seed, encoder=encoder, overwrite=overwrite)
    definition = pipeline_yaml.point_at(pipeline_yaml.read("answer"), index=folder / "index")
    title = "The bundled FAQ: held-out questions of its test half"
    return Evaluated(report, title, partial(entry_titles, definition))


def _ask_pipeline(
    definition: dict[str, Any], queries: Path, output: Path, *, policy: Policy, seed: int, overwrite: bool
) -> "Evaluated":
    from answer_selection.pipelines.commands.shown_report import Evaluated
    from answer_selection.pipelines.evaluation.entry_titles import entry_titles
    from answer_selection.pipelines.evaluation.evaluate_ranking import evaluate_end_to_end

    made = evaluate_end_to_end(definition, queries, output, bar, policy=policy, seed=seed, overwrite=overwrite)
    return Evaluated(made, f"{queries} end to end", partial(entry_titles, definition))


def _rank_candidates(
    candidates: Path, output: Path, model: str | None, *, policy: Policy, seed: int, overwrite: bool
) -> "Evaluated":
    from answer_selection.indexing.candidates import read_candidates
    from answer_selection.pipelines.commands.shown_report import Evaluated
    from answer_selection.pipelines.evaluation.entry_titles import short_title
    from answer_selection.pipelines.evaluation.evaluate_ranking import evaluate_candidates
    from haystack_integrations.components.rankers.answer_selection import AnswerRanker

    ranker = AnswerRanker(model=model)
    lists = list(read_candidates(candidates))
    made = evaluate_candidates(
        ranker,
        lists,
        output,
        bar,
        name=ranker.model_type,
        policy=policy,
        seed=seed,
        overwrite=overwrite,
        settings={"candidates": str(candidates), "model": model or "the package's own"},
    )
    answers = {one.candidate_id: short_title(one.answer) for each in lists for one in each.candidates}
    # Ids may be names within their lists only: then they name no answer.
    different = len({(one.candidate_id, one.answer) for each in lists for one in each.candidates})
    titles = answers if different == len(answers) else {}
    return Evaluated(made, f"{candidates}, given candidates", lambda _: titles)


def _check_looking(report: Path | None, against: Path | None, *, fail_if_worse: bool, overwrite: bool) -> None:
    """Say what is wrong with the options of report and comparison before anything is run."""
    if fail_if_worse and against is None:
        msg = "--fail-if-worse needs --against, the results of an earlier run"
        raise CommandError(msg)
    if report is not None:
        check_file(report, "--report", overwrite=overwrite)


def _refuse(options: Mapping[str, object], wanted: str) -> None:
    """Refuse options that would have no effect."""
    if given := [name for name, value in options.items() if value is not None]:
        msg = f"{given[0]} needs {wanted}"
        raise CommandError(msg)
