# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Candidate lists in a file, read one at a time by their place in it; only numbers about them are held in memory."""

import json
from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from haystack_integrations.components.rankers.answer_selection.text.record import Record
from numpy.typing import NDArray

from answer_selection.indexing.candidates import read_jsonl

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class ListSample:
    """
    Some candidates of one list.

    :param records: one a candidate, all with the same query.
    :param labels: 1 is relevant, 0 is not, [n].
    """

    records: list[Record]
    labels: list[int]


class CandidateFile:
    """
    The candidate lists of a JSON Lines file.

    The file is read through once, line by line, so that an error is found before training starts and names its line.
    What stays in memory is a few numbers a candidate: label, retriever's rank and score, length.

    :param path: the file, in the form that ``write_jsonl`` writes.
    :param pair_length: the collator's measure of how long a pair is; without it all are 1.
    :raises ValueError: if the file has a broken line or no list at all.
    """

    def __init__(self, path: Path, pair_length: Callable[[Record], int] | None = None) -> None:
        self.path = Path(path)
        self._file = self.path.open("rb")
        self._offsets = array("q")
        sizes, labels, ranks = array("q"), array("b"), array("d")
        scores, lengths = array("d"), array("q")
        for candidates in read_jsonl(self.path):
            sizes.append(len(candidates.candidates))
            for candidate in candidates.candidates:
                labels.append(int(candidate.label > 0))
                rank, score = candidate.meta.get("retriever_rank"), candidate.meta.get("retriever_score")
                ranks.append(np.nan if rank is None else rank)
                scores.append(np.nan if score is None else score)
                record = Record(candidates.query, candidate.answer, candidates.query_meta, candidate.meta)
                lengths.append(1 if pair_length is None else pair_length(record))
        offset = 0
        for line in self._file:
            if line.strip():
                self._offsets.append(offset)
            offset += len(line)
        if not sizes:
            msg = f"{self.path}: no candidate list in the file; expected one a line"
            raise ValueError(msg)
        if len(self._offsets) != len(sizes):
            msg = f"{self.path}: {len(sizes)} lists in {len(self._offsets)} lines; expected one a line"
            raise ValueError(msg)
        self.sizes: Ints = np.array(sizes, dtype=np.int64)
        self.starts: Ints = np.cumsum(self.sizes) - self.sizes
        self.labels: NDArray[np.int8] = np.array(labels, dtype=np.int8)
        self.ranks: Floats = np.array(ranks, dtype=np.float64)
        self.scores: Floats = np.array(scores, dtype=np.float64)
        self.lengths: Ints = np.array(lengths, dtype=np.int64)
        self.list_of_pair: Ints = np.repeat(np.arange(len(self.sizes)), self.sizes)
        self.relevant: Ints = np.bincount(self.list_of_pair, self.labels, len(self.sizes)).astype(np.int64)

    def __len__(self) -> int:
        """How many lists there are."""
        return len(self.sizes)

    def sample(self, index: int, chosen: Sequence[int] | Ints) -> ListSample:
        """
        Read some candidates of a list.

        :param index: which list.
        :param chosen: which of its candidates, by their place in it.
        :returns: their records and labels, in the order of `chosen`.
        """
        self._file.seek(self._offsets[index])
        line = json.loads(self._file.readline())
        query, query_meta = line["query"], line.get("query_meta") or {}
        candidates = [line["candidates"][place] for place in chosen]
        return ListSample(
            [Record(query, one["answer"], query_meta, one.get("meta") or {}) for one in candidates],
            [int(one["label"] > 0) for one in candidates],
        )


@dataclass(frozen=True, slots=True)
class EpochSample:
    """
    What one epoch sees.

    :param lists: which lists take part, [n].
    :param sizes: how many candidates of each, [n].
    :param longest: the length of the longest of these candidates, [n].
    :param places: the chosen candidates' places in their lists, list after list, [sum of sizes].
    :param starts: where each list's places begin, [n].
    """

    lists: Ints
    sizes: Ints
    longest: Ints
    places: Ints
    starts: Ints


def sample_epoch(
    file: CandidateFile, negatives: int | None, *, seed: int, epoch: int, both_labels: bool = False
) -> EpochSample:
    """
    Choose every list's relevant candidates and some of its others: a function of the file, the seed and the epoch.

    :param file: the lists.
    :param negatives: how many irrelevant candidates to draw from each list, uniformly; None takes all.
    :param seed: the run's seed.
    :param epoch: the epoch's number; each draws anew.
    :param both_labels: leave out the lists that have no relevant or no irrelevant candidate.
    :returns: what the epoch sees, in the file's order.
    """
    keys = np.random.default_rng((seed, epoch)).random(len(file.labels))
    # The relevant first in each list, then the others in random order: the first (relevant + negatives) are chosen.
    order = np.lexsort((keys, -file.labels, file.list_of_pair))
    place_in_order = np.arange(len(order)) - np.repeat(file.starts, file.sizes)
    wanted = file.sizes if negatives is None else np.minimum(file.sizes, file.relevant + negatives)
    taken = wanted > 0
    if both_labels:
        taken &= (file.relevant > 0) & (file.relevant < file.sizes)
    chosen = np.sort(order[(place_in_order < wanted[file.list_of_pair]) & taken[file.list_of_pair]])
    lists = np.flatnonzero(taken)
    sizes = wanted[lists]
    starts = np.cumsum(sizes) - sizes
    longest = np.maximum.reduceat(file.lengths[chosen], starts) if len(lists) else np.zeros(0, dtype=np.int64)
    return EpochSample(lists, sizes, longest, chosen - file.starts[file.list_of_pair[chosen]], starts)
