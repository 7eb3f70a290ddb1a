# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The report of an evaluation: a table for people, and a folder with the figures, every question, and TREC files."""

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Self, TextIO
from urllib.parse import quote

import numpy as np
from numpy.typing import NDArray
from rich.console import Group
from rich.table import Table
from rich.text import Text

from answer_selection.indexing.whole_file import whole_file
from answer_selection.pipelines.evaluation.metrics import DEFAULT_METRICS, Metric, evaluate_questions
from answer_selection.pipelines.evaluation.policies import Policy, QuestionCounts
from answer_selection.pipelines.evaluation.results import QuestionResult, Ranking
from answer_selection.pipelines.evaluation.risk_coverage import RiskCoverage
from answer_selection.pipelines.evaluation.significance import RESAMPLES, Comparison, compare, shared_entry_clusters
from answer_selection.pipelines.evaluation.trec import qrels_lines, run_lines

RESULTS = "results.json"
QUESTIONS = "per_question.jsonl"
QRELS = "qrels.txt"
CEILING = "recall@30"
TABLE_METRICS = ("P@1", "MRR", "MAP", "recall@10")
# Where several stages are compared, the others are in the results alone.
_METRICS_OF_SEVERAL = 2
# One of fewer is more than 1 % of them.
_ENOUGH_FOR_ONE_PERCENT = 100
_PACKAGES = ("answer-selection-haystack", "haystack-ai", "torch", "transformers", "ir_measures", "numpy", "scipy")


Compared = Callable[[Sequence[str]], Iterable[tuple[str, str]]]
"""For the names of stages, in order, the pairs that are compared: a baseline and another."""


@dataclass(frozen=True, slots=True)
class Difference:
    """
    The difference of two stages.

    :param baseline: The one.
    :param stage: The other.
    :param metrics: Per metric the other's difference over the one.
    """

    baseline: str
    stage: str
    metrics: dict[str, Comparison]


@dataclass(frozen=True, slots=True)
class Report:
    """
    What an evaluation found.

    :param folder: Where everything was written.
    :param counts: The policy, and how many questions count by it.
    :param means: Per stage, in order, the mean of each metric over the questions that count.
    :param seconds: Per stage the median seconds that a question takes until then, None if not measured.
    :param differences: What was compared; nothing with a single stage.
    :param risks: Per stage how many questions could be answered at which risk, of all that were asked.
    :param answered: Per stage that keeps silent where it is not sure, the share of questions that it answers, and the
        share of wrong answers among those.
    :param settings: What was run and how, for whoever wants to run it again.
    """

    folder: Path
    counts: QuestionCounts
    means: dict[str, dict[str, float]]
    seconds: dict[str, float | None]
    differences: tuple[Difference, ...]
    risks: dict[str, RiskCoverage]
    answered: dict[str, tuple[float, float | None]]
    settings: dict[str, Any] = field(default_factory=dict)

    @property
    def comparisons(self) -> dict[str, Comparison]:
        """Per metric the difference of the last stage over the first; empty if they were not compared."""
        stages = list(self.means)
        ends = (stages[0], stages[-1])
        return next((one.metrics for one in self.differences if (one.baseline, one.stage) == ends), {})

    def to_dict(self) -> dict[str, Any]:
        """
        The report as it stands in `results.json`.

        :returns: JSON's types only.
        """
        stages = list(self.means)
        return {
            "questions": {**asdict(self.counts), "counted": self.counts.counted},
            "stages": {
                name: {"metrics": self.means[name], "median_seconds": self.seconds[name], "run": run_name(name)}
                for name in stages
            },
            "answer_risk": {
                name: {
                    **risk.to_dict(),
                    "answered": dict(zip(("share", "wrong"), self.answered[name], strict=True))
                    if name in self.answered
                    else None,
                }
                for name, risk in self.risks.items()
            },
            "comparison": {
                "baseline": stages[0],
                "stage": stages[-1],
                "metrics": {name: asdict(comparison) for name, comparison in self.comparisons.items()},
            }
            if self.comparisons
            else None,
            "differences": [asdict(difference) for difference in self.differences],
            "settings": self.settings,
        }


def run_name(stage: str) -> str:
    """
    Names the TREC run file of a stage.

    :param stage: The stage's name.
    :returns: The file's name; characters that a file name may not hold are percent-encoded.
    """
    return f"run-{quote(stage, safe=' ')}.txt"


def prepare_folder(folder: Path, *, overwrite: bool = False) -> None:
    """
    Makes sure that a report's folder is there and holds no other run's report.

    :param folder: The folder.
    :param overwrite: Whether the files of an earlier report in it may be removed; other files always stay.
    :raises FileExistsError: If the folder is not empty and `overwrite` is False, or it is a file.
    """
    folder.mkdir(parents=True, exist_ok=True)
    if not any(folder.iterdir()):
        return
    if not overwrite:
        msg = f"{folder} is not empty: name a new folder for the results, or allow overwriting its report"
        raise FileExistsError(msg)
    for path in (folder / RESULTS, folder / QUESTIONS, folder / QRELS, *folder.glob("run-*.txt")):
        path.unlink(missing_ok=True)


def first_and_last(stages: Sequence[str]) -> list[tuple[str, str]]:
    """
    Compare the last stage with the first.

    :param stages: The stages' names, in order.
    :returns: The pair; nothing with a single stage.
    """
    return [(stages[0], stages[-1])] if len(stages) > 1 else []


def evaluate(
    results: Iterable[QuestionResult],
    folder: Path,
    *,
    policy: Policy = Policy.WITH_RELEVANT,
    compared: Compared = first_and_last,
    seed: int = 0,
    resamples: int = RESAMPLES,
    settings: Mapping[str, Any] | None = None,
    overwrite: bool = False,
) -> Report:
    """
    Evaluates what stages made of questions, writes everything to a folder, and compares stages.

    Results are taken one by one and written at once: `per_question.jsonl` has a line for every question asked;
    `qrels.txt` and `run-<stage>.txt` have the questions that count, so that `ir_measures` reads the means back
    from them. `results.json` comes last: where it is, the report is whole.

    :param results: What `run_pipeline` or `rank_candidates` yields.
    :param folder: A new or empty folder.
    :param policy: Which questions count.
    :param compared: Says which stages are compared.
    :param seed: Seed of the randomisation test and the bootstrap.
    :param resamples: Resamples of both.
    :param settings: What else belongs into `results.json`: data, model, pipeline.
    :param overwrite: Whether an earlier report in the folder may be replaced.
    :returns: The report.
    :raises FileExistsError: If the folder holds something and `overwrite` is False.
    :raises ValueError: If no question counts, a question is asked twice, or stages differ between questions.
    """
    parsed = [Metric.parse(name) for name in DEFAULT_METRICS]
    prepare_folder(folder, overwrite=overwrite)
    collected = _Collected(QuestionCounts(policy), parsed)
    with ExitStack() as stack:
        writer = _Writer(folder, stack)
        for result in results:
            counted, values = collected.add(result)
            writer.write(result, counted, values)
    if collected.counts.counted == 0:
        asked = collected.counts.asked
        msg = f"no question is left to evaluate: {collected.counts}" if asked else "there are no questions"
        raise ValueError(msg)
    report = Report(
        folder=folder,
        counts=collected.counts,
        means=collected.means(),
        seconds=collected.median_seconds(),
        differences=tuple(collected.compare(compared, seed, resamples)),
        risks=collected.risks(),
        answered=collected.answered(),
        settings={
            **(settings or {}),
            "policy": str(policy),
            "metrics": [metric.name for metric in parsed],
            "test": "paired randomisation over clusters of questions that share a relevant entry, two-sided",
            "interval": "95 % percentile bootstrap over the same clusters",
            "resamples": resamples,
            "seed": seed,
            "versions": dict(_versions()),
        },
    )
    with whole_file(folder / RESULTS) as part:
        part.write_text(json.dumps(report.to_dict(), ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
    return report


def render(
    report: Report,
    *,
    title: str | None = None,
    metrics: Iterable[str] = TABLE_METRICS,
    labels: Mapping[str, str] | None = None,
    ceilings: Iterable[str] = (),
) -> Group:
    """
    Shows a report to people.

    :param report: The report.
    :param title: Heading of the table.
    :param metrics: The metrics to show, as far as the report has them.
    :param labels: What to call stages, by name, such as `{"retriever": "BM25"}`; others go by their name.
    :param ceilings: The stages that find the candidates: how many of the right ones they found is below the tables.
    :returns: A table of the stages, one of their differences with interval and p-value (where several were compared, of
        the first two metrics), and below them the policy and what was resampled.
    """
    called = {stage: (labels or {}).get(stage, stage) for stage in report.means}
    names = [name for name in metrics if name in next(iter(report.means.values()))]
    table = Table(title=title, title_justify="left")
    table.add_column("stage", no_wrap=True)
    for name in names:
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("ms/question", justify="right", no_wrap=True)
    for stage, means in report.means.items():
        seconds = report.seconds[stage]
        time = "" if seconds is None else f"{1000 * seconds:.1f}"
        table.add_row(called[stage], *(f"{means[name]:.3f}" for name in names), time)
    compared = [] if not report.differences else [_differences(report.differences, called, names)]
    return Group(table, *compared, Text("\n".join(_notes(report, called, ceilings))))


def _differences(differences: Sequence[Difference], called: Mapping[str, str], names: Sequence[str]) -> Table:
    table = Table("difference", "of")
    for header in ("mean", "95 % interval", "p-value"):
        table.add_column(header, justify="right", no_wrap=True)
    for difference in differences:
        table.add_section()
        label = f"{called[difference.stage]} minus {called[difference.baseline]}"
        for name in names if len(differences) == 1 else names[:_METRICS_OF_SEVERAL]:
            one = difference.metrics[name]
            interval = "" if one.interval is None else "{:+.3f} to {:+.3f}".format(*one.interval)
            table.add_row(label, name, f"{one.difference:+.3f}", interval, f"{one.p_value:.4f}")
            label = ""
    return table


def _notes(report: Report, called: Mapping[str, str], ceilings: Iterable[str]) -> Iterator[str]:
    yield str(report.counts)
    last = list(report.means)[-1]
    name, risk = called[last], report.risks[last]
    (risked, most), *others = risk.coverage_at.items()
    shares = [f"{most:.1%} at {risked:.0%} wrong", *(f"{share:.1%} at {one:.0%}" for one, share in others)]
    few = "" if risk.questions >= _ENOUGH_FOR_ONE_PERCENT else f"; {risk.questions} questions are few to tell"
    yield f"{name} could answer {', '.join(shares)}{few}"
    yield f"AURC {risk.aurc:.3f}" + ("" if risk.ece is None else f", calibration error (ECE) {risk.ece:.3f}")
    if last in report.answered:
        share, wrong = report.answered[last]
        said = "" if wrong is None else f", {wrong:.1%} of them wrong"
        yield f"{name} answers {share:.1%} of {risk.questions} questions{said}"
    known = [stage for stage in ceilings if CEILING in report.means.get(stage, {})]
    if known:
        values = ", ".join(f"{called[stage]} {report.means[stage][CEILING]:.3f}" for stage in known)
        yield f"{CEILING}, the ranker's ceiling: {values}"
    if report.differences:
        one = next(iter(report.differences[0].metrics.values()))
        yield f"paired randomisation and bootstrap, {one.clusters} groups of questions that share no entry"


@dataclass(frozen=True, slots=True)
class _First:
    """A stage's first candidate for a question: how sure it is of it, by its score if by nothing else."""

    certain: float | None
    is_probability: bool
    right: bool
    abstained: bool

    @classmethod
    def of(cls, ranking: Ranking, result: QuestionResult) -> Self:
        certain = ranking.scores[0] if ranking.scores else None
        if ranking.probability is not None:
            certain = ranking.probability
        right = bool(ranking.ids) and ranking.ids[0] in result.relevant
        return cls(certain, ranking.probability is not None, right, ranking.abstained)


class _Collected:
    """The values of the questions that count, by stage and metric."""

    def __init__(self, counts: QuestionCounts, metrics: list[Metric]) -> None:
        self.counts = counts
        self._metrics = metrics
        self._values: dict[str, list[list[float]]] = {}
        self._seconds: dict[str, list[float]] = {}
        self._entries: list[tuple[str, ...]] = []
        self._firsts: dict[str, list[_First]] = {}
        self._seen: set[str] = set()

    def add(self, result: QuestionResult) -> tuple[bool, dict[str, dict[str, float]]]:
        """
        Takes in one question.

        :param result: What the stages made of it.
        :returns: Whether it counts, and per stage its metrics by name.
        :raises ValueError: If it was asked before, or by other stages than the first question.
        """
        if result.query_id in self._seen:
            msg = f"query {result.query_id!r} is asked twice: query ids must be unique"
            raise ValueError(msg)
        self._values = self._values or {stage: [] for stage in result.stages}
        self._seconds = self._seconds or {stage: [] for stage in result.stages}
        if list(result.stages) != list(self._values) or not result.stages:
            msg = f"query {result.query_id!r}: expected the stages {list(self._values)}, but got {list(result.stages)}"
            raise ValueError(msg)
        self._seen.add(result.query_id)
        values = {stage: self._evaluate(result, ranking) for stage, ranking in result.stages.items()}
        counted = self.counts.add(result.relevance, closed=result.closed)
        for stage, ranking in result.stages.items():
            if counted:
                self._values[stage].append(list(values[stage].values()))
            self._firsts.setdefault(stage, []).append(_First.of(ranking, result))
            if ranking.seconds is not None:
                self._seconds[stage].append(ranking.seconds)
        if counted:
            self._entries.append(result.entries)
        return counted, values

    def arrays(self) -> Iterator[tuple[str, dict[str, NDArray[np.float64]]]]:
        """Per stage the values of all questions that count, by metric, each [n_questions]."""
        for stage, rows in self._values.items():
            columns = np.array(rows, dtype=np.float64).T
            yield stage, {metric.name: column for metric, column in zip(self._metrics, columns, strict=True)}

    def means(self) -> dict[str, dict[str, float]]:
        """Per stage the mean of each metric."""
        return {stage: {name: float(values.mean()) for name, values in by.items()} for stage, by in self.arrays()}

    def median_seconds(self) -> dict[str, float | None]:
        """Per stage the median seconds a question."""
        return {stage: float(np.median(seconds)) if seconds else None for stage, seconds in self._seconds.items()}

    def risks(self) -> dict[str, RiskCoverage]:
        """Per stage how many questions could be answered at which risk."""
        return {
            stage: RiskCoverage.of(
                [one.certain for one in firsts],
                [one.right for one in firsts],
                probabilities=any(one.is_probability for one in firsts)
                and all(one.is_probability or one.certain is None for one in firsts),
            )
            for stage, firsts in self._firsts.items()
        }

    def answered(self) -> dict[str, tuple[float, float | None]]:
        """Per stage that keeps silent, the share of questions that it answers, and of wrong answers among those."""
        shares = {}
        for stage, firsts in self._firsts.items():
            if any(one.abstained for one in firsts):
                given = [one.right for one in firsts if not one.abstained]
                shares[stage] = (len(given) / len(firsts), given.count(False) / len(given) if given else None)
        return shares

    def compare(self, compared: Compared, seed: int, resamples: int) -> Iterator[Difference]:
        """The differences of pairs of stages."""
        arrays, clusters = dict(self.arrays()), shared_entry_clusters(self._entries)
        for baseline, stage in compared(list(arrays)):
            metrics = {
                name: compare(values, arrays[stage][name], clusters, resamples=resamples, seed=seed)
                for name, values in arrays[baseline].items()
            }
            yield Difference(baseline, stage, metrics)

    def _evaluate(self, result: QuestionResult, ranking: Ranking) -> dict[str, float]:
        run = {result.query_id: list(zip(ranking.ids, ranking.scores, strict=True))}
        names = [metric.name for metric in self._metrics]
        return evaluate_questions(run, {result.query_id: result.relevance}, names)[result.query_id]


class _Writer:
    """Writes each question to the files of the report."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self._folder = folder
        self._stack = stack
        self._questions = self._open(QUESTIONS)
        self._qrels = self._open(QRELS)
        self._runs: dict[str, TextIO] = {}

    def _open(self, name: str) -> TextIO:
        return self._stack.enter_context((self._folder / name).open("w", encoding="utf-8", newline="\n"))

    def write(self, result: QuestionResult, counted: bool, values: dict[str, dict[str, float]]) -> None:
        """Writes one question; `values` are its metrics by stage and name."""
        self._questions.write(json.dumps(_question(result, counted, values), ensure_ascii=False) + "\n")
        for stage, ranking in result.stages.items():
            if stage not in self._runs:
                self._runs[stage] = self._open(run_name(stage))
            if counted:
                self._runs[stage].writelines(run_lines(result.query_id, ranking.ids, stage))
        if counted:
            self._qrels.writelines(qrels_lines(result.query_id, result.relevance))


def _question(result: QuestionResult, counted: bool, values: dict[str, dict[str, float]]) -> dict[str, Any]:
    line: dict[str, Any] = {
        "query_id": result.query_id,
        "query": result.query,
        "relevant": list(result.relevant),
        "counted": counted,
        "stages": {
            stage: {
                **{Metric.parse(name).question_name: value for name, value in values[stage].items()},
                "ids": list(ranking.ids),
                "scores": list(ranking.scores),
                "seconds": ranking.seconds,
                "probability": ranking.probability,
            }
            for stage, ranking in result.stages.items()
        },
    }
    if result.closed:
        # A candidate's id may be a name within its own list only: these tell which questions share an entry.
        line["entries"] = [hashlib.blake2b(name.encode(), digest_size=8).hexdigest() for name in result.entries]
    return line


def _versions() -> Iterator[tuple[str, str]]:
    for package in _PACKAGES:
        try:
            yield package, version(package)
        except PackageNotFoundError:
            continue
