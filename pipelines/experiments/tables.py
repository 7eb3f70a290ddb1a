# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
Writes the experiments' tables into the READMEs.

    python pipelines/experiments/tables.py --runs answer-selection-runs/experiments

takes the results of the runs into pipelines/experiments/results, and fills in every table that stands between
`<!-- experiments: NAME -->` and `<!-- /experiments -->`, NAME being a data set, "models" for a row a model on
squad-sentences, or a paper of `paper_tables.yaml`. It also draws the picture of quality against time. Without --runs
all are made of the results that are there.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import mean, stdev
from typing import Annotated, Final

import typer

from answer_selection.pipelines.commands.console import STDOUT, guarded
from answer_selection.pipelines.evaluation.policies import Policy
from answer_selection.pipelines.evaluation.scores import METRICS
from answer_selection.pipelines.experiments.data import DATASETS
from answer_selection.pipelines.experiments.paper_tables import paper_rows, papers, seed_values
from answer_selection.pipelines.experiments.quality_picture import draw
from answer_selection.pipelines.experiments.ranking_time import CANDIDATES
from answer_selection.pipelines.experiments.result_files import BM25, Differences, Measured, collect, read_results
from answer_selection.pipelines.experiments.runs import Runs

_REPOSITORY: Final = Path(__file__).resolve().parents[2]
READMES: Final = (
    _REPOSITORY / "README.md",
    *sorted(_REPOSITORY.glob("[!.]*/README.md")),
    Path(__file__).with_name("README.md"),
)
MODELS: Final = "models"
_MARKED: Final = re.compile(r"(<!-- experiments: (\S+) -->\n)(.*?)(<!-- /experiments -->)", re.DOTALL)
_NOTHING: Final = "Not measured yet.\n"
_NO_SCORES: Final = "-"
_UNTESTED: Final = "not tested again"
# What the papers report on these; where a question has one right answer, MAP says no more than MRR.
_BY_FIRST: Final = ("squad-sentences", "yahooqa-style", "yahooqa", "insuranceqa-v1", "insuranceqa-v2", "zoomcamp-faq")
_END_TO_END: Final = "squad-sentences"
# Parts of a test part that are reported apart, by how the ids of their questions begin.
_APART: Final = {"insuranceqa-v1": ("test1", "test2")}


def fill_in(text: str, results: Mapping[str, Measured]) -> str:
    """
    Fill in the tables of a README.

    :param text: Its text.
    :param results: The results.
    :returns: The text with its tables as the results have them.
    :raises ValueError: If a table is of something that is not known.
    """
    return _MARKED.sub(lambda found: found[1] + table(found[2], results) + found[4], text)


def table(name: str, results: Mapping[str, Measured]) -> str:
    """
    Make a table in Markdown.

    :param name: A data set, :data:`MODELS`, or a paper.
    :param results: The results.
    :returns: The table; a word where nothing is measured.
    :raises ValueError: If the name is not known.
    """
    of_papers = papers()
    if name in of_papers:
        return _written(list(paper_rows(of_papers[name], results, _spread)))
    if name not in (*DATASETS, MODELS):
        msg = f"unknown table {name!r}; expected {MODELS} or one of {', '.join((*DATASETS, *of_papers))}"
        raise ValueError(msg)
    data = _END_TO_END if name == MODELS else name
    chosen = {experiment: one for experiment, one in results.items() if one.result.data == data}
    if not chosen:
        return _NOTHING
    return _written(list(_models(chosen) if name == MODELS else _rows(data, chosen)))


def _written(rows: Sequence[Sequence[str]]) -> str:
    lines = [rows[0], ["---"] * len(rows[0]), *rows[1:]]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _rows(data: str, results: Mapping[str, Measured]) -> Iterator[Sequence[str]]:
    metric = "P@1" if data in _BY_FIRST else "MAP"
    papers = any(one.paper for one in results.values())
    # The same by the other policy, where that leaves out questions.
    asked = next((one.bm25["test"] for one in results.values() if "test" in one.bm25), None)
    by_both = METRICS if asked is not None and asked.only_relevant and asked.policy != Policy.WITH_BOTH else ()
    apart = [f"{metric} {part}" for part in _APART.get(data, ())]
    yield [
        "experiment",
        f"validation {metric}",
        *(f"test {name}" for name in METRICS),
        *apart,
        *(f"{name}, {Policy.WITH_BOTH}" for name in by_both),
        *(["the paper's"] if papers else []),
        f"{metric} over others in points (95 % interval), p",
    ]
    bm25 = {part: means for one in results.values() for part, means in one.result.bm25.items()}
    tested = [_number(bm25["test"][name]) if "test" in bm25 else "" for name in METRICS]
    both = asked.means(Policy.WITH_BOTH) if asked is not None else {}
    yield [
        BM25,
        _number(bm25["validation"][metric]),
        *tested,
        *(_number(asked.means(begins=one.partition(" ")[2])[metric]) if asked is not None else "" for one in apart),
        *(_number(both[name]) for name in by_both),
        *([""] if papers else []),
        "",
    ]
    for name, one in results.items():
        seeds = one.result.seeds.values()
        test = [seed.test for seed in seeds if seed.test]
        part = "test" if test else "validation"
        scores = [scores.means(Policy.WITH_BOTH) for scores in one.scores.get("test", {}).values()]
        yield [
            f"{one.description} (`{name}`)",
            _spread([seed.validation[metric] for seed in seeds]),
            *(_spread([means[other] for means in test]) for other in METRICS),
            *(_spread(seed_values(one, measure)) for measure in apart),
            *(_spread([means[other] for means in scores]) or _NO_SCORES for other in by_both),
            *([", ".join(f"{known} {value:.3f}" for known, value in one.paper.items())] if papers else []),
            _differences(one.differences.get(part, {}), metric) + (" (validation)" if part == "validation" else ""),
        ]


def _models(results: Mapping[str, Measured]) -> Iterator[Sequence[str]]:
    yield [
        "model",
        "P@1",
        "over BM25",
        f"ms for {CANDIDATES} candidates",
        "training",
        "parameters",
        "answers' vectors stored",
    ]
    part = "test" if any("test" in one.result.bm25 for one in results.values()) else "validation"
    for one in results.values():
        result = one.result
        values = [seed.test if part == "test" else seed.validation for seed in result.seeds.values()]
        reached = [means["P@1"] for means in values if means]
        seconds = [seed.seconds for seed in result.seeds.values() if seed.seconds is not None]
        yield [
            one.description,
            _spread(reached),
            f"{100 * (mean(reached) - result.bm25[part]['P@1']):+.1f} points" if reached else "",
            f"{result.milliseconds:.1f}",
            f"{mean(seconds) / 60:.1f} min" if seconds else "",
            f"{result.parameters:,}",
            "yes" if result.vectors else "no",
        ]


def _number(value: float) -> str:
    return f"{value:.3f}"


def _spread(values: Sequence[float]) -> str:
    """Mean and standard deviation over the seeds."""
    if not values:
        return ""
    return _number(mean(values)) + (f" ± {stdev(values):.3f}" if len(values) > 1 else "")


def _differences(by_other: Mapping[str, Differences], metric: str) -> str:
    """How far an experiment is above others, a line each."""
    if not any(by_other.values()):
        return _UNTESTED
    return "<br>".join(
        f"{other if other == BM25 else f'`{other}`'} {_difference(by, metric)}" for other, by in by_other.items()
    )


def _difference(by: Differences, metric: str) -> str:
    if by is None:
        return _UNTESTED
    one = by[metric]
    points = f"{100 * one.difference:+.1f}"
    if one.interval is None or one.p_value is None:
        return f"{points}, too few questions to test"
    low, high = one.interval
    return f"{points} ({100 * low:+.1f} to {100 * high:+.1f}), {one.p_value:.4f}" + (
        ", one seed" if one.single_seed else ""
    )


def write_tables(
    runs: Annotated[Path | None, typer.Option(help="Folder of runs whose results are taken in first.")] = None,
) -> None:
    """Write the experiments' tables into the READMEs, and draw the picture of quality against time."""
    results = read_results() if runs is None else collect(Runs(runs))
    draw(results)
    for readme in READMES:
        text = readme.read_text(encoding="utf-8")
        filled = fill_in(text, results)
        if filled != text:
            readme.write_text(filled, encoding="utf-8")
            STDOUT.print(f"{readme.name}: tables written")


if __name__ == "__main__":
    app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
    app.command()(write_tables)
    guarded(app)
