# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
The probing tasks of Conneau et al. 2018 that the paper of the tree aggregation transformer takes up.

- *Top constituents*: the labels right below the sentence's node, such as `NP VP .`; 20 classes, which are the 19 most
  frequent sequences and one for all others; fewer where not so many sequences are in all parts.
- *Tree depth*: the levels of spans; up to 7 classes.
- *Sentence length*: the words, punctuation too; up to 6 classes.

Numbers become classes of about as many sentences each, fewer classes where many sentences have the same number. What is
frequent, and where classes begin, is the training part's.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from answer_selection.indexing.text.tree import SpanTree
from answer_selection.pipelines.experiments.probing.sentences import Sentence
from answer_selection.pipelines.experiments.probing.split import Split

SEQUENCES: Final = 19
OTHER: Final = "other"
DEPTHS: Final = 7
LENGTHS: Final = 6

LEAST: Final = 2
"""The fewest sentences of a class in a part."""


@dataclass(frozen=True, slots=True)
class Task:
    """
    A task with the truth about all sentences.

    :param name: its name.
    :param classes: the classes' names.
    :param labels: the class of every sentence, [n_sentences].
    """

    name: str
    classes: list[str]
    labels: NDArray[np.int64]


def make_tasks(sentences: Sequence[Sentence], split: Split) -> list[Task]:
    """
    Make the tasks.

    :param sentences: the sentences.
    :param split: the parts.
    :returns: the three tasks.
    :raises ValueError: if a class has too few sentences in a part.
    """
    trees = [sentence.tree for sentence in sentences]
    tasks = [
        _of_sequences("top constituents", [top_constituents(tree) for tree in trees], split),
        _of_numbers("tree depth", [tree.depth for tree in trees], DEPTHS, split),
        _of_numbers("sentence length", [len(tree.tags) for tree in trees], LENGTHS, split),
    ]
    for task in tasks:
        for part, rows in split._asdict().items():
            counts = np.bincount(task.labels[rows], minlength=len(task.classes))
            if counts.min() < LEAST:
                rare = task.classes[int(counts.argmin())]
                msg = f"{task.name}: the {part} part has {counts.min()} sentences of the class '{rare}'; expected at "
                msg += f"least {LEAST} of each of the {len(task.classes)} classes: {len(sentences)} sentences are too "
                msg += "few or too much alike"
                raise ValueError(msg)
    return tasks


def top_constituents(tree: SpanTree) -> str:
    """
    Name what a sentence consists of.

    :param tree: the tree of one sentence.
    :returns: the labels right below the sentence's node, the parser's S or whatever it found in its place; a sentence
        that is a word alone has its tag.
    """
    children = tree.children()
    [(is_span, number)] = children[0]
    inside = children[number] if is_span else [(False, number)]
    return " ".join(tree.labels[child] if is_span else tree.tags[child] for is_span, child in inside)


def _of_sequences(name: str, values: Sequence[str], split: Split) -> Task:
    counts, *others = (Counter(values[row] for row in rows) for rows in split)
    known = [value for value in counts if min(part[value] for part in (counts, *others)) >= LEAST]
    frequent = sorted(known, key=lambda value: (-counts[value], value))[:SEQUENCES]
    if len(frequent) < 2:
        msg = f"{name}: {len(frequent)} sequences occur {LEAST} times or more in each part; expected 2 or more: "
        msg += f"{len(values)} sentences are too few or too much alike"
        raise ValueError(msg)
    place = {value: number for number, value in enumerate(frequent)}
    return Task(name, [*frequent, OTHER], np.array([place.get(value, len(frequent)) for value in values]))


def _of_numbers(name: str, values: Sequence[int], classes: int, split: Split) -> Task:
    """Classes between the training part's quantiles: the first value of each class but the first is in `starts`."""
    numbers = np.array(values)
    known = numbers[split.train]
    starts = np.unique(np.quantile(known, np.arange(1, classes) / classes, method="higher"))
    starts = starts[starts > known.min()]
    if not len(starts):
        msg = f"{name}: next to all sentences of the training part have {known.min()}; expected several classes"
        raise ValueError(msg)
    names = [f"to {starts[0] - 1}", *(f"{start} to {later - 1}" for start, later in pairwise(starts))]
    return Task(name, [*names, f"from {starts[-1]}"], np.searchsorted(starts, numbers, side="right"))
