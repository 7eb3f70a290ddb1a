# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
Measures what trained models' frozen vectors tell of sentences' syntax.

    python pipelines/experiments/probe.py --model mine=MODEL-FOLDER --data sentences.jsonl
"""

from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer
from rich.markup import escape

from answer_selection.pipelines.commands.console import STDOUT, CommandError, bar, guarded

if TYPE_CHECKING:
    from answer_selection.pipelines.experiments.probing.report import Report
    from answer_selection.pipelines.experiments.probing.sentences import Parse

RUNS: Final = Path("answer-selection-runs")


class Parser(StrEnum):
    """What makes trees."""

    SHALLOW = "shallow"
    CORENLP = "corenlp"


def probe(
    model: Annotated[
        list[str],
        typer.Option(
            help="Model folder or hub name; NAME=FOLDER names it in the table. Models of one name are seeds of one "
            "model. The first name is compared with all others."
        ),
    ],
    data: Annotated[
        list[Path],
        typer.Option(help='Sentences with trees: JSON Lines of {"text", "parse_tree"}, or candidate lists.'),
    ],
    trees: Annotated[
        Parser | None,
        typer.Option(
            help="Parser for texts without a tree: a CoreNLP server, or the offline approximation. By default they are "
            "refused."
        ),
    ] = None,
    tree_cache: Annotated[
        Path | None,
        typer.Option(help="With --trees: the SQLite file that keeps them, such as ConstituencyParser's."),
    ] = None,
    corenlp_url: Annotated[
        str | None,
        typer.Option(
            help="With --trees corenlp: address of the server that parses texts without a kept tree.",
            show_default="http://localhost:9000",
        ),
    ] = None,
    seeds: Annotated[int, typer.Option(min=1, help="Probes of each model and task, one per seed.")] = 5,
    output: Annotated[
        Path, typer.Option(help="Folder for the results, new or empty unless --overwrite is given.")
    ] = RUNS / "probe",
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace existing results.")] = False,
) -> None:
    """
    Measure what models' frozen vectors tell about syntax: top constituents, tree depth, sentence length.

    Two baselines are measured too: the most frequent class, and a bag of words.
    """
    if output.is_dir() and any(output.iterdir()) and not overwrite:
        msg = f"{output} is not empty. Pass --overwrite to replace its results, or name another --output"
        raise CommandError(msg)
    if tree_cache is not None and trees is None:
        msg = "--tree-cache needs --trees"
        raise CommandError(msg)
    if corenlp_url is not None and trees is not Parser.CORENLP:
        msg = "--corenlp-url needs --trees corenlp"
        raise CommandError(msg)
    folders: dict[str, list[str]] = {}
    for each in model:
        name, folder = _named(each)
        folders.setdefault(name, []).append(folder)
    from answer_selection.pipelines.experiments.probing import report as reports
    from answer_selection.pipelines.experiments.probing.probe_models import probe_models

    report = probe_models(folders, data, _parse(trees, tree_cache, corenlp_url), range(seeds), bar)
    reports.write(report, output)
    STDOUT.print(reports.render(report, _title(report)))
    STDOUT.print(f"table, plot and every run: {escape(str(output))}")


def _named(model: str) -> tuple[str, str]:
    name, sign, folder = model.partition("=")
    if not sign:
        return model, model
    if not name or not folder:
        msg = f"--model {model}: expected a folder or NAME=FOLDER"
        raise CommandError(msg)
    return name, folder


def _parse(trees: Parser | None, kept: Path | None, corenlp_url: str | None) -> "Parse | None":
    if trees is None:
        return None
    from answer_selection.pipelines.training.trees import open_parser
    from haystack_integrations.components.preprocessors.answer_selection.parsing import parse_texts
    from haystack_integrations.components.preprocessors.answer_selection.tree_cache import TreeCache

    backend = open_parser(trees, corenlp_url)
    cache = None if kept is None else TreeCache(kept)

    def parse(texts: Sequence[str]) -> list[str]:
        with bar("parsing", total=len(texts)) as progress:
            parsed = parse_texts(backend, texts, cache, progress)
        return [parsed[text] for text in texts]

    return parse


def _title(report: "Report") -> str:
    counts = report.settings["sentences"]
    parts = ", ".join(f"{counts[part]:,} {part}" for part in ("train", "validation", "test"))
    left_out = f"; left out: {counts['again']:,} that came twice, {counts['several']:,} of several sentences or none"
    classes = ", ".join(f"{task} {len(of)}" for task, of in report.settings["tasks"].items())
    return f"Sentences: {parts}{left_out}. Classes: {classes}"


if __name__ == "__main__":
    app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
    app.command()(probe)
    guarded(app)
