# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""An experiment's result at a terminal."""

from statistics import mean

from rich.markup import escape
from rich.table import Table

from answer_selection.pipelines.evaluation.scores import METRICS
from answer_selection.pipelines.experiments.experiment_result import ExperimentResult
from answer_selection.pipelines.experiments.ranking_time import CANDIDATES
from answer_selection.pipelines.experiments.runs import Runs


def result_table(name: str, result: ExperimentResult, runs: Runs) -> Table:
    """
    Show a result at a terminal.

    :param name: The experiment's name.
    :param result: Its result.
    :param runs: Where its models are.
    :returns: A table: a row a seed, and how far their mean lies over BM25.
    """
    caption = (
        f'policy "{result.policy}"; '
        + ", ".join(f"{count} questions of {part}" for part, count in result.questions.items())
        + f"; {result.parameters:,} parameters, {result.milliseconds:.1f} ms for {CANDIDATES} candidates\n"
        "over BM25: the seeds' mean less BM25; training: without the time for its word vectors, encoder and source\n"
        + (f"over {escape(result.encoder)}\n" if result.encoder else "")
        + f"models: {escape(', '.join(str(runs.model(name, int(seed))) for seed in result.seeds))}"
    )
    table = Table(title=f"{name} ({result.data})", title_justify="left", caption=caption, caption_justify="left")
    for column in ("part", "ranker", *METRICS, "training"):
        table.add_column(column, justify="left" if column in ("part", "ranker") else "right", no_wrap=True)
    for part, bm25 in result.bm25.items():
        table.add_section()
        table.add_row(part, "BM25", *(f"{bm25[metric]:.4f}" for metric in METRICS), "")
        measured = []
        for seed, one in result.seeds.items():
            means = (one.validation if part == "validation" else one.test) or {}
            measured += [means] if means else []
            seconds = "" if one.seconds is None else f"{one.seconds:.0f} s"
            table.add_row(part, f"seed {seed}", *(f"{means[metric]:.4f}" for metric in METRICS if means), seconds)
        over = (mean(means[metric] for means in measured) - bm25[metric] for metric in METRICS)
        table.add_row(part, "over BM25", *(f"{difference:+.4f}" for difference in over), "")
    return table
