# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Candidate lists of several data sets as one: epochs mix them, and all of them choose the weights that are kept."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import chain
from pathlib import Path
from random import Random
from typing import Final

from answer_selection.indexing.artifact import Artifact
from answer_selection.indexing.candidates import CandidateList, read_jsonl, write_jsonl
from answer_selection.indexing.progress import Progress
from answer_selection.pipelines.training.lists import Lists

# Of a data set's lists that are learned from, so many times fewer are validated on.
_FEWER: Final = 10


def join_lists(given: Mapping[str, Lists], questions: int | None, folder: Path, progress: Progress) -> Lists:
    """
    Join lists of several data sets.

    :param given: The lists by data set.
    :param questions: The most lists of each that are learned from; a tenth as many are validated on. They are drawn, by
        the same seed each time. None takes all.
    :param folder: Where the joined lists go.
    :param progress: Shows progress.
    :returns: Their files.
    """
    train, validation = folder / "train.jsonl", folder / "validation.jsonl"
    most = questions and max(questions // _FEWER, 1)
    folder.mkdir(parents=True, exist_ok=True)
    with Artifact(folder).lock(progress):
        write_jsonl(train, chain.from_iterable(_drawn(name, one.train, questions) for name, one in given.items()))
        parts = {name: one.validation for name, one in given.items() if one.validation is not None}
        if not parts:
            return Lists(train, None)
        write_jsonl(validation, chain.from_iterable(_drawn(name, path, most) for name, path in parts.items()))
    return Lists(train, validation)


def _drawn(name: str, path: Path, most: int | None) -> Iterator[CandidateList]:
    lists = [replace(one, query_id=f"{name}:{one.query_id}") for one in read_jsonl(path)]
    if most is None or most >= len(lists):
        return iter(lists)
    chosen = Random(0).sample(range(len(lists)), most)  # noqa: S311 - a draw, not a secret
    return (lists[place] for place in sorted(chosen))
