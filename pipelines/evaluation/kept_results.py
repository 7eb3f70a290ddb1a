# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The results of an evaluation, read back from their folder."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from answer_selection.pipelines.evaluation.metrics import Metric
from answer_selection.pipelines.evaluation.report import QUESTIONS, RESULTS
from answer_selection.pipelines.evaluation.significance import Comparison, compare, shared_entry_clusters

JUDGED: Final = ("P@1", "MRR", "MAP")
"""The metrics by which a run is found to be worse than another."""
SIGNIFICANT: Final = 0.05


@dataclass(frozen=True)
class KeptResults:
    """
    What `eval` wrote.

    :param folder: The folder.
    :param summary: `results.json`.
    :param questions: The lines of `per_question.jsonl` whose questions count.
    """

    folder: Path
    summary: dict[str, Any]
    questions: list[dict[str, Any]]

    @classmethod
    def read(cls, folder: Path) -> "KeptResults":
        """
        Read a folder of results.

        :param folder: The folder.
        :returns: The results.
        :raises ValueError: If there are none in it, or they are broken.
        """
        try:
            summary = json.loads((folder / RESULTS).read_text(encoding="utf-8"))
            with (folder / QUESTIONS).open(encoding="utf-8") as stream:
                lines = [json.loads(line) for line in stream]
            # What everything here reads: where one is missing, it is no file of `eval`.
            questions = [line for line in lines if line["counted"]]
            stages = list(summary["stages"])
            whole = questions and all(list(line["stages"]) == stages and line["query_id"] for line in questions)
        except OSError as error:
            msg = f"{folder}: no results of `eval` ({Path(error.filename).name}: {error.strerror})"
            raise ValueError(msg) from error
        except (ValueError, KeyError, TypeError) as error:
            msg = f"{folder}: {RESULTS} and {QUESTIONS} are not as `eval` writes them ({error})"
            raise ValueError(msg) from error
        if not whole:
            msg = f"{folder}: {QUESTIONS} is not that of {RESULTS}; run `eval` again"
            raise ValueError(msg)
        return cls(folder, summary, questions)

    @property
    def stages(self) -> list[str]:
        """The names of the stages, in order."""
        return list(self.summary["stages"])

    @property
    def entries(self) -> Iterator[str]:
        """The ids of all entries that are right or were found, some of them several times."""
        for line in self.questions:
            yield from line["relevant"]
            for stage in line["stages"].values():
                yield from stage["ids"]

    @cached_property
    def clusters(self) -> NDArray[np.int64]:
        """Per question the number of its group, see `shared_entry_clusters`, [n_questions]."""
        return shared_entry_clusters([line.get("entries", line["relevant"]) for line in self.questions])

    def values(self, stage: str, metric: str) -> NDArray[np.float64]:
        """
        Give every question's value.

        :param stage: The stage.
        :param metric: The metric's name, as in `results.json`.
        :returns: The values, [n_questions].
        """
        name = Metric.parse(metric).question_name
        return np.array([line["stages"][stage][name] for line in self.questions], dtype=np.float64)


def compare_with_kept(results: KeptResults, kept: KeptResults, *, seed: int = 0) -> dict[str, Comparison]:
    """
    Compare the last stage of a run with that of a kept run, question by question.

    :param results: The run.
    :param kept: The kept one.
    :param seed: Seed of the randomisation test and the bootstrap.
    :returns: By metric, the run less the kept one.
    :raises ValueError: If they were asked different questions.
    """
    places = {line["query_id"]: place for place, line in enumerate(kept.questions)}
    asked = [(line["query_id"], line["query"], set(line["relevant"])) for line in results.questions]
    before = {(line["query_id"], line["query"]): set(line["relevant"]) for line in kept.questions}
    same = sum(before.get((query_id, query)) == relevant for query_id, query, relevant in asked)
    if not same == len(asked) == len(kept.questions):
        msg = (
            f"{kept.folder} can't be compared: {same} questions with their entries are in both runs, of "
            f"{len(asked)} here and {len(kept.questions)} there; expected the same ones"
        )
        raise ValueError(msg)
    order = [places[query_id] for query_id, *_ in asked]
    return {
        metric: compare(
            kept.values(kept.stages[-1], metric)[order],
            results.values(results.stages[-1], metric),
            results.clusters,
            seed=seed,
        )
        for metric in JUDGED
    }


def worse(compared: dict[str, Comparison]) -> list[str]:
    """
    Find the metrics by which a run is worse by more than chance.

    Several are looked at, so each has a part of the five percent that chance may have (Bonferroni).

    :param compared: By metric, the run less the kept one.
    :returns: Their names.
    """
    level = SIGNIFICANT / len(compared)
    return [name for name, one in compared.items() if one.difference < 0 and one.p_value < level]
