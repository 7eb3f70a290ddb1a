# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The results of all experiments in one file, with how they differ from each other."""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from answer_selection.pipelines.evaluation.scores import Scores, compare_scores
from answer_selection.pipelines.evaluation.significance import Comparison
from answer_selection.pipelines.experiment import FOLDER, Experiment, read_experiment
from answer_selection.pipelines.made_from import noted_of
from answer_selection.pipelines.research_data import PARTS
from answer_selection.pipelines.run_experiments import ExperimentResult, Runs

FILE: Final = FOLDER / "results.json"
BM25: Final = "BM25"


@dataclass(frozen=True, slots=True)
class Measured:
    """
    An experiment that was run.

    :param description: What it is called.
    :param paper: What its paper reports, by metric.
    :param result: What it came to.
    :param differences: By part, by the name of what it is compared with, and by metric: its mean over the seeds less
        the other's, question by question.
    """

    description: str
    paper: dict[str, float]
    result: ExperimentResult
    differences: dict[str, dict[str, dict[str, Comparison]]]


def read_results(file: Path = FILE) -> dict[str, Measured]:
    """
    Read the results.

    :param file: The file.
    :returns: By the experiments' names; nothing if there is no file.
    """
    if not file.exists():
        return {}
    return {name: _measured(values) for name, values in json.loads(file.read_text(encoding="utf-8")).items()}


def _measured(values: dict[str, Any]) -> Measured:
    differences = {
        part: {other: {name: _comparison(one) for name, one in by.items()} for other, by in others.items()}
        for part, others in values["differences"].items()
    }
    return Measured(values["description"], values["paper"], ExperimentResult.from_dict(values["result"]), differences)


def _comparison(values: dict[str, Any]) -> Comparison:
    interval = values["interval"]
    return Comparison(**{**values, "interval": None if interval is None else tuple(interval)})


def collect(runs: Runs, file: Path = FILE, experiments: Path = FOLDER) -> dict[str, Measured]:
    """
    Take the results of all runs into the file, in place of those of the same experiments.

    Of an experiment that came to the same as before, differences from others that are not among the runs stay.

    :param runs: The runs.
    :param file: The file.
    :param experiments: The folder of the experiments' files.
    :returns: All results, those of other runs too.
    :raises ValueError: If an experiment's file says something else now than when it was run.
    """
    found = {
        path.stem: read_experiment(path)
        for path in sorted(experiments.glob("*.yaml"))
        if runs.result(path.stem).exists()
    }
    results = read_results(file)
    for name, experiment in found.items():
        _check_settings(experiment, runs)
        result = ExperimentResult.from_dict(json.loads(runs.result(name).read_text(encoding="utf-8")))
        differences = {part: dict(_differences(experiment, found, runs, part)) for part in PARTS}
        if (earlier := results.get(name)) is not None and _reached(earlier.result) == _reached(result):
            # What it is held against may have been run elsewhere.
            for part, by in differences.items():
                both = earlier.differences.get(part, {}) | by
                differences[part] = {other: both[other] for other in (BM25, *_others(experiment)) if other in both}
        results[name] = Measured(experiment.description, dict(experiment.paper), result, differences)
    ordered = {name: results[name] for name in sorted(results)}
    text = json.dumps({name: asdict(one) for name, one in ordered.items()}, indent=1, ensure_ascii=False)
    file.write_text(text + "\n", encoding="utf-8")
    return ordered


def _check_settings(experiment: Experiment, runs: Runs) -> None:
    """Refuse results of other settings than those that a reader would find in the experiment's file."""
    for seed in experiment.seeds:
        model = runs.model(experiment.name, seed)
        if (noted_of(model) or {}).get("settings") != experiment.digest:
            msg = (
                f"{model} was not made by the experiment {experiment.name} as its file is now: run it again, or move "
                f"{runs.result(experiment.name)} away"
            )
            raise ValueError(msg)


def _differences(
    experiment: Experiment, found: dict[str, Experiment], runs: Runs, part: str
) -> Iterator[tuple[str, dict[str, Comparison]]]:
    """How an experiment differs from BM25, from the linear model on the same data, and from what it is held against."""
    own = _scores(experiment, runs, part)
    if not own:
        return
    yield BM25, dict(compare_scores([Scores.load(runs.bm25(experiment.data, part))], own))
    for name in _others(experiment):
        other = found.get(name)
        if other is None or other.data != experiment.data:
            continue
        if scores := _scores(other, runs, part):
            yield name, dict(compare_scores(scores, own))


def _others(experiment: Experiment) -> list[str]:
    """The names of the experiments that one is held against."""
    names = dict.fromkeys((f"linear-{experiment.data}", *experiment.against))
    return [name for name in names if name != experiment.name]


def _reached(result: ExperimentResult) -> dict[str, tuple[Any, Any]]:
    """What an experiment came to, without the time that it took."""
    return {seed: (one.validation, one.test) for seed, one in result.seeds.items()}


def _scores(experiment: Experiment, runs: Runs, part: str) -> list[Scores]:
    """The scores of all seeds; none where one is missing."""
    paths = [runs.scores(experiment.name, seed, part) for seed in experiment.seeds]
    return [Scores.load(path) for path in paths] if all(path.exists() for path in paths) else []
