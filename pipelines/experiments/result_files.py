# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The results of all experiments, a file each, with how they differ from each other."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final

from answer_selection.indexing.artifact import Artifact
from answer_selection.pipelines.evaluation.scores import Scores, compare_scores
from answer_selection.pipelines.evaluation.two_way_bootstrap import SeedsComparison
from answer_selection.pipelines.experiments.data import PARTS
from answer_selection.pipelines.experiments.experiment import FOLDER, Experiment, read_experiment
from answer_selection.pipelines.experiments.experiment_result import ExperimentResult
from answer_selection.pipelines.experiments.runs import Runs
from haystack_integrations.components.rankers.answer_selection.models.linear import COUNTING

RESULTS: Final = Path(__file__).parent / "results"
BM25: Final = "BM25"
Differences = Mapping[str, SeedsComparison] | None
"""By metric; None if one of the two has no ranks, or those of other questions."""


@dataclass(frozen=True, slots=True)
class Measured:
    """
    An experiment that was run.

    :param description: What it is called.
    :param paper: What its paper reports, by metric.
    :param result: What it came to.
    :param bm25: BM25's scores by part.
    :param scores: Its own by part and seed. Without them, nothing can be compared any more.
    :param differences: By part, and by the name of what it is compared with: how far it is above that.
    """

    description: str
    paper: dict[str, float]
    result: ExperimentResult
    bm25: dict[str, Scores]
    scores: dict[str, dict[str, Scores]]
    differences: dict[str, dict[str, Differences]]


def read_results(folder: Path = RESULTS) -> dict[str, Measured]:
    """
    Read the results.

    :param folder: Their folder.
    :returns: By the experiments' names; nothing if there is no folder.
    """
    bm25 = {path.stem: Scores.load(path) for path in sorted(folder.glob(f"{BM25}/*.json"))}
    return {
        path.stem: _measured(json.loads(path.read_text(encoding="utf-8")), bm25)
        for path in sorted(folder.glob("*.json"))
    }


def _measured(values: dict[str, Any], bm25: Mapping[str, Scores]) -> Measured:
    result = ExperimentResult.from_dict(values["result"])
    asked = {part: bm25.get(_bm25_name(result.data, part)) for part in values["ranks"]}
    # Ranks of other questions than those that were asked last are no longer of use.
    known = {part: one for part, one in asked.items() if one is not None and one.asked == values["asked"][part]}
    return Measured(
        description=values["description"],
        paper=values["paper"],
        result=result,
        bm25=known,
        scores={
            part: {seed: replace(known[part], ranks=ranks) for seed, ranks in by_seed.items()}
            for part, by_seed in values["ranks"].items()
            if part in known
        },
        differences={
            part: {other: by and {name: _comparison(one) for name, one in by.items()} for other, by in others.items()}
            for part, others in values["differences"].items()
        },
    )


def _comparison(values: dict[str, Any]) -> SeedsComparison:
    interval = values["interval"]
    return SeedsComparison(**{**values, "interval": interval and tuple(interval)})


def _bm25_name(data: str, part: str) -> str:
    return f"{data}-{part}"


def write_results(results: Mapping[str, Measured], folder: Path = RESULTS) -> None:
    """
    Write the results: a file an experiment, and in a folder beside them BM25's scores, a file a data set and part.

    :param results: By the experiments' names.
    :param folder: Their folder.
    """
    (folder / BM25).mkdir(parents=True, exist_ok=True)
    for name, one in results.items():
        for part, scores in one.bm25.items():
            scores.save(folder / BM25 / f"{_bm25_name(one.result.data, part)}.json")
        values = {
            "description": one.description,
            "paper": one.paper,
            "result": asdict(one.result),
            "asked": {part: scores.asked for part, scores in one.bm25.items()},
            "ranks": {part: {seed: own.ranks for seed, own in by.items()} for part, by in one.scores.items()},
            "differences": {
                part: {
                    other: None if by is None else {metric: asdict(found) for metric, found in by.items()}
                    for other, by in others.items()
                }
                for part, others in one.differences.items()
            },
        }
        text = json.dumps(values, indent=1, ensure_ascii=False)
        (folder / f"{name}.json").write_text(text + "\n", encoding="utf-8")


def collect(runs: Runs, folder: Path = RESULTS, experiments: Path = FOLDER) -> dict[str, Measured]:
    """
    Take the results of all runs into the folder, in place of those of the same experiments.

    All experiments on the data sets that these are on are compared anew, by the ranks that are in the folder.

    :param runs: The runs.
    :param folder: The results' folder.
    :param experiments: The folder of the experiments' files.
    :returns: All results, those of other runs too.
    :raises ValueError: If an experiment's file says something else now than when it was run.
    """
    files = {path.stem: path for path in sorted(experiments.glob("*.yaml"))}
    found = {name: read_experiment(path) for name, path in files.items() if runs.result(name).exists()}
    results = read_results(folder)
    for name, experiment in found.items():
        _check_settings(experiment, runs)
        results[name] = _taken(experiment, runs)
    for data in {experiment.data for experiment in found.values()}:
        # What was run now comes last: its questions are the ones that count.
        names = sorted((name for name, one in results.items() if one.result.data == data), key=found.__contains__)
        bm25 = {part: scores for name in names for part, scores in results[name].bm25.items()}
        on_it = {name: _on_questions_of(bm25, results[name]) for name in names}
        results |= on_it
        results |= {name: _compared(read_experiment(files[name]), on_it, bm25) for name in names if name in files}
    results = {name: results[name] for name in sorted(results)}
    write_results(results, folder)
    return results


def _check_settings(experiment: Experiment, runs: Runs) -> None:
    """Refuse results of other settings than those that a reader would find in the experiment's file."""
    for seed in experiment.seeds:
        model = runs.model(experiment.name, seed)
        if (Artifact(model).recorded() or {}).get("settings") != experiment.digest:
            msg = (
                f"{model} was not made by the experiment {experiment.name} as its file is now: run it again, or move "
                f"{runs.result(experiment.name)} away"
            )
            raise ValueError(msg)


def _taken(experiment: Experiment, runs: Runs) -> Measured:
    """Read the results of an experiment's runs, not yet compared."""
    scores = {}
    for part in PARTS:
        paths = {str(seed): runs.scores(experiment.name, seed, part) for seed in experiment.seeds}
        if all(path.exists() for path in paths.values()):
            scores[part] = {seed: Scores.load(path) for seed, path in paths.items()}
    return Measured(
        description=experiment.description,
        paper=dict(experiment.paper),
        result=ExperimentResult.from_dict(json.loads(runs.result(experiment.name).read_text(encoding="utf-8"))),
        bm25={part: Scores.load(runs.bm25(experiment.data, part)) for part in scores},
        scores=scores,
        differences={},
    )


def _on_questions_of(bm25: Mapping[str, Scores], measured: Measured) -> Measured:
    """An experiment without the scores on questions that are not asked any more."""
    asked = {part: one for part, one in measured.bm25.items() if one.asked == bm25[part].asked}
    return replace(measured, bm25=asked, scores={part: measured.scores[part] for part in asked})


def _compared(experiment: Experiment, results: Mapping[str, Measured], bm25: Mapping[str, Scores]) -> Measured:
    """An experiment with how far it is above BM25, the linear model on its data, and what it is held against."""
    measured = results[experiment.name]
    others = dict.fromkeys((f"linear-{experiment.data}", *experiment.against))
    tested = any(one.test for one in measured.result.seeds.values())
    differences: dict[str, dict[str, Differences]] = {}
    for part in PARTS if tested else PARTS[:1]:
        differences[part] = {BM25: _difference([bm25[part]] if part in bm25 else [], measured, part, fixed=True)}
        for name in others:
            if name in results and name != experiment.name:
                other = results[name]
                scores = list(other.scores.get(part, {}).values())
                differences[part][name] = _difference(scores, measured, part, fixed=_fixed(other))
    # What the file says of itself may have changed since it was run: no model depends on it.
    return replace(measured, description=experiment.description, paper=dict(experiment.paper), differences=differences)


def _difference(baseline: list[Scores], measured: Measured, part: str, *, fixed: bool) -> Differences:
    own = list(measured.scores.get(part, {}).values())
    return compare_scores(baseline, own, fixed=(fixed, _fixed(measured))) if baseline and own else None


def _fixed(measured: Measured) -> bool:
    """Whether the seed changes nothing: of a model with one feature training finds the scale alone."""
    return measured.result.model in COUNTING
