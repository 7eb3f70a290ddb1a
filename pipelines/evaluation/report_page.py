# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""A report to look at: one HTML file with the table, charts, and every question with two rankings side by side."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from answer_selection.pipelines.evaluation.charts import (
    Chart,
    rank_chart,
    recall_chart,
    reliability_chart,
    risk_chart,
)
from answer_selection.pipelines.evaluation.kept_results import KeptResults, worse
from answer_selection.pipelines.evaluation.reliability import Bin
from answer_selection.pipelines.evaluation.significance import Comparison, bootstrap_interval
from answer_selection.pipelines.pages.page import render

_METRICS: Final = ("P@1", "MRR", "MAP", "recall@10")
_DEEPEST: Final = 100
# Of each ranking the first are on the page; where the right ones are is told of all.
_SHOWN: Final = 10
KEPT: Final = "kept run"


@dataclass(frozen=True, slots=True)
class _Cell:
    """A mean and its interval."""

    mean: float
    interval: tuple[float, float] | None


@dataclass(frozen=True, slots=True)
class _Row:
    """A stage."""

    name: str
    cells: list[_Cell]
    median: float | None
    slow: float | None
    """The 95th percentile of its seconds."""


def report_page(
    results: KeptResults,
    *,
    title: str,
    labels: Mapping[str, str] | None = None,
    titles: Mapping[str, str] | None = None,
    kept: KeptResults | None = None,
    compared: Mapping[str, Comparison] | None = None,
) -> str:
    """
    Make the page.

    :param results: The run.
    :param title: What was asked.
    :param labels: What to call stages, by name; others go by their name.
    :param titles: What to call entries, by id; others go by their id.
    :param kept: A kept run of the same questions; its last stage is shown beside the run's own.
    :param compared: By metric, the run less the kept one.
    :returns: The HTML. Whatever text is in it is escaped.
    """
    called = {stage: (labels or {}).get(stage, stage) for stage in results.stages}
    metrics = [name for name in _METRICS if name in results.summary["settings"]["metrics"]]
    lost = worse(dict(compared)) if compared else []
    made = render(
        "answer_selection.pipelines.evaluation",
        "report",
        images=True,
        title=title,
        metrics=metrics,
        rows=[_row(results, stage, called[stage], metrics) for stage in results.stages],
        differences=[
            (f"{called[one['stage']]} minus {called[one['baseline']]}", [one["metrics"][name] for name in metrics])
            for one in results.summary["differences"]
        ],
        compared=compared,
        kept_folder=None if kept is None else str(kept.folder),
        worse=lost,
        charts=list(_charts(results, called)),
        counted=results.summary["questions"],
        settings=_flat(results.summary["settings"]),
        data=_questions(results, called, titles or {}, kept),
    )
    return made.html


def _row(results: KeptResults, stage: str, name: str, metrics: list[str]) -> _Row:
    sizes = np.bincount(results.clusters).astype(np.float64)
    cells = []
    for metric in metrics:
        values = results.values(stage, metric)
        sums = np.bincount(results.clusters, weights=values).astype(np.float64)
        cells.append(_Cell(float(values.mean()), bootstrap_interval(sums, sizes)))
    seconds = [line["stages"][stage]["seconds"] for line in results.questions]
    known = np.array([each for each in seconds if each is not None], dtype=np.float64)
    if not known.size:
        return _Row(name, cells, None, None)
    return _Row(name, cells, 1000 * float(np.median(known)), 1000 * float(np.quantile(known, 0.95)))


def _charts(results: KeptResults, called: Mapping[str, str]) -> Iterator[Chart]:
    yield recall_chart({called[stage]: _recalls(results, stage) for stage in results.stages})
    ends = dict.fromkeys((results.stages[0], results.stages[-1]))
    yield rank_chart({called[stage]: _first_ranks(results, stage) for stage in ends})
    risk = results.summary["answer_risk"][results.stages[-1]]
    if risk["reliability"]:
        yield reliability_chart([Bin(**one) for one in risk["reliability"]], risk["ece"])
    yield risk_chart(*(np.array([point[name] for point in risk["curve"]]) for name in ("coverage", "risk")))


def _recalls(results: KeptResults, stage: str) -> NDArray[np.float64]:
    """Mean recall at 1, 2, ..., of the questions that have something right, as far as the stage's rankings go."""
    found = np.zeros(min(max(_depth(results, stage), 1), _DEEPEST))
    asked = [line for line in results.questions if line["relevant"]]
    for line in asked:
        right = set(line["relevant"])
        for place, entry in enumerate(line["stages"][stage]["ids"][: len(found)]):
            if entry in right:
                found[place:] += 1 / len(right)
    return found / max(len(asked), 1)


def _depth(results: KeptResults, stage: str) -> int:
    """The length of a stage's longest ranking: it may cut them."""
    return max(len(line["stages"][stage]["ids"]) for line in results.questions)


def _first_ranks(results: KeptResults, stage: str) -> list[int | None]:
    return [next(iter(_ranks(line, line["stages"][stage])), None) for line in results.questions]


def _ranks(line: Mapping[str, Any], stage: Mapping[str, Any]) -> list[int]:
    right = set(line["relevant"])
    return [rank for rank, entry in enumerate(stage["ids"], 1) if entry in right]


def _questions(
    results: KeptResults, called: Mapping[str, str], titles: Mapping[str, str], kept: KeptResults | None
) -> dict[str, Any]:
    """What the script shows of each question; entries are numbers, so that each is named once."""
    numbers: dict[str, int] = {}

    def number(entry: str) -> int:
        return numbers.setdefault(entry, len(numbers))

    before = {line["query_id"]: line["stages"][kept.stages[-1]] for line in kept.questions} if kept else {}
    names = [called[stage] for stage in results.stages] + ([KEPT] if kept else [])
    questions = []
    for line in results.questions:
        stages = [line["stages"][stage] for stage in results.stages]
        stages += [before[line["query_id"]]] if kept else []
        questions.append(
            {
                "id": line["query_id"],
                "text": line["query"],
                "right": [number(entry) for entry in line["relevant"]],
                "stages": [
                    {
                        "rank": next(iter(_ranks(line, stage)), None),
                        "ids": [number(entry) for entry in stage["ids"][:_SHOWN]],
                        "scores": [None if score is None else round(score, 4) for score in stage["scores"][:_SHOWN]],
                    }
                    for stage in stages
                ],
            }
        )
    entries = [{"id": entry, "title": titles.get(entry, "")} for entry in numbers]
    depths = [_depth(results, stage) for stage in results.stages] + ([_depth(kept, kept.stages[-1])] if kept else [])
    return {"stages": names, "depths": depths, "questions": questions, "entries": entries}


def _flat(settings: Mapping[str, Any], prefix: str = "") -> dict[str, str]:
    """Settings as lines: their names with those that they are in, and their values as text."""
    flat: dict[str, str] = {}
    for name, value in settings.items():
        if isinstance(value, Mapping):
            flat |= _flat(value, f"{prefix}{name}: ")
        else:
            flat[f"{prefix}{name}"] = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
    return flat
