# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Probing from end to end: sentences, tasks, vectors, probes, report."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from answer_selection.indexing.progress import Progress
from answer_selection.pipelines.experiments.probing.classifier import ProbeScores, majority, probe, standardised
from answer_selection.pipelines.experiments.probing.report import Measured, Report
from answer_selection.pipelines.experiments.probing.sentences import Parse, read_sentences
from answer_selection.pipelines.experiments.probing.split import split
from answer_selection.pipelines.experiments.probing.tasks import Task, make_tasks
from answer_selection.pipelines.experiments.probing.vectors import BAG_WORDS, bag_of_words, sentence_vectors
from haystack_integrations.components.rankers.answer_selection.models import registry

MAJORITY: Final = "majority"
BAG: Final = "bag of words"


def probe_models(
    models: Mapping[str, Sequence[str]],
    data: Sequence[Path],
    parse: Parse | None,
    seeds: Sequence[int],
    progress: Progress,
) -> Report:
    """
    Probe models on sentences.

    :param models: by name each one's folders (or hub names), one for every seed that it was trained with.
    :param data: files of sentences with trees: JSON Lines, or candidate lists.
    :param parse: parses what has no tree; None refuses it.
    :param seeds: a probe is trained from each.
    :param progress: shows progress.
    :returns: the report.
    :raises ValueError: if a model, a sentence or a tree cannot be read, or there are too few sentences.
    """
    for name in models:
        if name in (MAJORITY, BAG):
            msg = f"a model can't be named {name!r}, which is a baseline"
            raise ValueError(msg)
    sentences, again, several = read_sentences(data, parse)
    if not sentences:
        msg = f"{', '.join(map(str, data))}: no text whose tree has exactly one sentence"
        raise ValueError(msg)
    parts = split([sentence.text for sentence in sentences])
    tasks = make_tasks(sentences, parts)
    found: dict[str, dict[str, list[ProbeScores]]] = {
        MAJORITY: {task.name: [majority(task.labels, len(task.classes), parts)] for task in tasks}
    }

    def add(name: str, vectors: NDArray[np.float32]) -> None:
        x = standardised(vectors, parts)
        by_task = found.setdefault(name, {task.name: [] for task in tasks})
        with progress(f"probing {name}", len(tasks) * len(seeds)) as done:
            for number, (task, seed) in enumerate(((task, seed) for task in tasks for seed in seeds), start=1):
                by_task[task.name].append(probe(x, task.labels, len(task.classes), parts, seed=seed))
                done(number)

    # A folder that is none should not be found out after an hour of probing others.
    for folders in models.values():
        for folder in folders:
            registry.load(folder)
    add(BAG, bag_of_words(sentences, parts))
    for name, folders in models.items():
        for folder in folders:
            model, collator = registry.load(folder)
            with progress(f"vectors of {folder}", len(sentences)) as done:
                vectors = sentence_vectors(model, collator, sentences, done)
            add(name, vectors)
    return Report(
        tuple(Measured(name, task.name, tuple(found[name][task.name])) for task in tasks for name in found),
        tuple(models),
        {
            "data": [str(path) for path in data],
            "models": {name: list(folders) for name, folders in models.items()},
            "seeds": list(seeds),
            "sentences": {
                **{part: len(rows) for part, rows in parts._asdict().items()},
                "again": again,
                "several": several,
            },
            "bag_words": BAG_WORDS,
            "tasks": {task.name: _described(task, parts.test) for task in tasks},
        },
    )


def _described(task: Task, test: NDArray[np.int64]) -> dict[str, int]:
    """How many sentences of the test part each class has."""
    counts = np.bincount(task.labels[test], minlength=len(task.classes))
    return {name: int(count) for name, count in zip(task.classes, counts, strict=True)}
