# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The results of probing: figures, table and plot in a folder, and a table for people."""

import csv
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import mean, stdev
from typing import Any, Final

from matplotlib.figure import Figure  # not pyplot: nothing is shown
from rich.table import Table

from answer_selection.pipelines.experiments.probing.classifier import ProbeScores

RESULTS: Final = "results.json"
TABLE: Final = "table.md"
CSV: Final = "table.csv"
PLOT: Final = "plot.png"
_METRICS: Final = ("macro_f1", "accuracy")
_NAMES: Final = {"macro_f1": "macro-F1", "accuracy": "accuracy"}
_HATCHES: Final = ("", "//", "..", "xx", "\\\\", "--", "++", "oo")


@dataclass(frozen=True, slots=True)
class Measured:
    """
    One representation's probes for one task.

    :param representation: a model's name or a baseline's.
    :param task: the task's name.
    :param runs: a probe's scores each: of every seed, and of each folder that goes by the name.
    """

    representation: str
    task: str
    runs: tuple[ProbeScores, ...]

    def mean(self, metric: str) -> float:
        """
        Average the runs.

        :param metric: a field of :class:`ProbeScores`.
        :returns: the mean.
        """
        return mean(self._values(metric))

    def deviation(self, metric: str) -> float:
        """
        Say how far the runs lie apart.

        :param metric: a field of :class:`ProbeScores`.
        :returns: the standard deviation; 0 of one run.
        """
        return stdev(self._values(metric)) if len(self.runs) > 1 else 0.0

    def spread(self, metric: str) -> str:
        """
        Give both for a table.

        :param metric: a field of :class:`ProbeScores`.
        :returns: "mean ± deviation", the mean alone of one run.
        """
        text = f"{self.mean(metric):.3f}"
        return f"{text} ± {self.deviation(metric):.3f}" if len(self.runs) > 1 else text

    def _values(self, metric: str) -> list[float]:
        return [getattr(run, metric) for run in self.runs]


@dataclass(frozen=True, slots=True)
class Difference:
    """
    How far one representation is above another in macro-F1.

    :param task: the task.
    :param first: the one.
    :param other: the other.
    :param difference: the first's mean less the other's.
    :param outside: whether the first's mean less its deviation is above the other's and its deviation.
    """

    task: str
    first: str
    other: str
    difference: float
    outside: bool


@dataclass(frozen=True, slots=True)
class Report:
    """
    What was found.

    :param measured: task by task, in one order of representations.
    :param models: the names of the models among them; the first is compared with everything else.
    :param settings: what was probed and how.
    """

    measured: tuple[Measured, ...]
    models: tuple[str, ...]
    settings: Mapping[str, Any]

    @property
    def tasks(self) -> list[str]:
        """The tasks."""
        return list(dict.fromkeys(one.task for one in self.measured))

    @property
    def representations(self) -> list[str]:
        """The representations."""
        return list(dict.fromkeys(one.representation for one in self.measured))

    def of(self, representation: str, task: str) -> Measured:
        """
        Look up a result.

        :param representation: its representation.
        :param task: its task.
        :returns: the result.
        """
        return next(one for one in self.measured if (one.representation, one.task) == (representation, task))

    def differences(self) -> Iterator[Difference]:
        """
        Compare the first model with all other representations.

        :returns: the differences, task by task.
        """
        for task in self.tasks:
            first = self.of(self.models[0], task)
            for name in self.representations:
                if name == self.models[0]:
                    continue
                other = self.of(name, task)
                difference = first.mean("macro_f1") - other.mean("macro_f1")
                outside = difference > first.deviation("macro_f1") + other.deviation("macro_f1")
                yield Difference(task, self.models[0], name, difference, outside)


def write(report: Report, folder: Path) -> None:
    """
    Write all files of a report.

    :param report: the report.
    :param folder: where; made if it is not there. Files of the same names are replaced.
    """
    folder.mkdir(parents=True, exist_ok=True)
    (folder / TABLE).write_text(markdown(report), encoding="utf-8")
    with (folder / CSV).open("w", encoding="utf-8", newline="") as stream:
        rows = csv.writer(stream, lineterminator="\n")
        rows.writerow(["task", "representation", "metric", "mean", "deviation", "runs"])
        for one in report.measured:
            for metric in _METRICS:
                mean_, deviation = one.mean(metric), one.deviation(metric)
                rows.writerow([one.task, one.representation, metric, f"{mean_:.6f}", f"{deviation:.6f}", len(one.runs)])
    draw(report, folder / PLOT)
    results = {
        "results": [asdict(one) for one in report.measured],
        "differences": [asdict(one) for one in report.differences()],
        "settings": dict(report.settings),
    }
    # The last one: where it is, the report is whole.
    (folder / RESULTS).write_text(json.dumps(results, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")


def markdown(report: Report) -> str:
    """
    Make the tables in Markdown.

    :param report: the report.
    :returns: scores, and below them the first model's differences.
    """
    scores = [["representation", *(f"{task}, {_NAMES[metric]}" for task in report.tasks for metric in _METRICS)]]
    for name in report.representations:
        cells = [report.of(name, task).spread(metric) for task in report.tasks for metric in _METRICS]
        scores.append([name, *cells])
    differences = [[f"macro-F1 of {report.models[0]} less that of", *report.tasks]]
    for name in report.representations:
        if found := [_difference(one) for one in report.differences() if one.other == name]:
            differences.append([name, *found])
    return f"{_markdown(scores)}\n{_markdown(differences)}\n*: more than both deviations together\n"


def _markdown(rows: Sequence[Sequence[str]]) -> str:
    lines = [rows[0], ["---"] * len(rows[0]), *rows[1:]]
    return "".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |\n" for line in lines)


def _difference(one: Difference) -> str:
    return f"{one.difference:+.3f}{' *' if one.outside else ''}"


def render(report: Report, title: str) -> Table:
    """
    Make the table for a terminal.

    :param report: the report.
    :param title: its heading.
    :returns: macro-F1 a task, and what the first model has above each other representation.
    """
    first = report.models[0]
    table = Table(
        title=title,
        title_justify="left",
        caption=f"macro-F1; in brackets {first} less it, * if that is more than both deviations together",
        caption_justify="left",
    )
    table.add_column("representation", no_wrap=True)
    for task in report.tasks:
        table.add_column(task, justify="right")
    over = {(one.other, one.task): f" ({_difference(one)})" for one in report.differences()}
    for name in report.representations:
        cells = [report.of(name, task).spread("macro_f1") + over.get((name, task), "") for task in report.tasks]
        table.add_row(name, *cells)
    return table


def draw(report: Report, path: Path) -> None:
    """
    Draw macro-F1, a panel a task: bars of grey and hatching, with the numbers beside them.

    :param report: the report.
    :param path: the file to write, a PNG.
    """
    names = report.representations
    figure = Figure(figsize=(4.2 * len(report.tasks), 1.1 + 0.45 * len(names)), layout="constrained")
    for column, (axes, task) in enumerate(
        zip(figure.subplots(1, len(report.tasks), squeeze=False)[0], report.tasks, strict=True)
    ):
        for place, name in enumerate(names):
            one = report.of(name, task)
            value, deviation = one.mean("macro_f1"), one.deviation("macro_f1")
            axes.barh(
                place,
                value,
                xerr=deviation or None,
                color="0.6" if name == report.models[0] else "white",
                edgecolor="black",
                hatch=_HATCHES[place % len(_HATCHES)],
                capsize=3,
            )
            axes.text(value + deviation + 0.015, place, one.spread("macro_f1"), va="center", fontsize=8)
        axes.set_yticks(range(len(names)), names if column == 0 else [""] * len(names))
        axes.invert_yaxis()
        # Room for the number beside the longest bar.
        axes.set_xlim(0, 1.3)
        axes.set_xticks([0, 0.25, 0.5, 0.75, 1])
        axes.set_xlabel("macro-F1")
        axes.set_title(task)
        axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(path, dpi=150)
