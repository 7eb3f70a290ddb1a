# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Candidate lists in a file, read one at a time by their place in it; only numbers about them are held in memory."""

import hashlib
import json
from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from answer_selection.indexing.candidates import read_jsonl
from answer_selection.indexing.fusion import has_cosine
from answer_selection.indexing.ranking_fields import RETRIEVER_RANK, RETRIEVER_SCORE
from haystack_integrations.components.rankers.answer_selection.models.record import Record

UNLABELLED: Final = "unlabelled"
"""In a list's `query_meta`: nobody said which of its candidates are relevant, a teacher alone has ranked them."""

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class ListSample:
    """
    Some candidates of one list.

    :param records: one a candidate, all with the same query.
    :param labels: 1 is relevant, 0 is not, -1 is not known, [n].
    :param scores: the teacher's, if there is one; NaN where it was not asked, [n].
    """

    records: list[Record]
    labels: list[int]
    scores: list[float] = field(default_factory=list)


class CandidateFile:
    """
    The candidate lists of a JSON Lines file.

    All of it is read at first, line by line, so that an error is found before training starts and names its line.
    What stays in memory is a few numbers a candidate: label, retriever's rank and score, length, a hash of its answer.

    :param path: the file, in the form that ``write_jsonl`` writes. With a `vector_score` in it, its lists are of hybrid
        retrieval.
    :param pair_length: the collator's measure of how long a pair is; without it all are 1.
    :raises ValueError: if the file has a broken line or no list at all.
    """

    def __init__(self, path: Path, pair_length: Callable[[Record], int] | None = None) -> None:
        self.path = Path(path)
        self._offsets = array("q")
        self.hybrid = False
        sizes, labels, ranks, labelled = array("q"), array("b"), array("d"), array("b")
        scores, lengths, answers = array("d"), array("q"), array("q")
        for candidates in read_jsonl(self.path):
            sizes.append(len(candidates.candidates))
            labelled.append(not candidates.query_meta.get(UNLABELLED))
            for candidate in candidates.candidates:
                labels.append(int(candidate.label > 0))
                rank, score = candidate.meta.get(RETRIEVER_RANK), candidate.meta.get(RETRIEVER_SCORE)
                ranks.append(np.nan if rank is None else rank)
                scores.append(np.nan if score is None else score)
                self.hybrid = self.hybrid or has_cosine(candidate.meta)
                record = Record(candidates.query, candidate.answer, candidates.query_meta, candidate.meta)
                lengths.append(1 if pair_length is None else pair_length(record))
                answers.frombytes(hashlib.blake2b(candidate.answer.encode(), digest_size=8).digest())
        offset = 0
        # Not before there is nothing left to go wrong: nobody would close it.
        self._file = self.path.open("rb")
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
        self.labelled: NDArray[np.bool_] = np.array(labelled, dtype=np.bool_)
        self.starts: Ints = np.cumsum(self.sizes) - self.sizes
        self.labels: NDArray[np.int8] = np.array(labels, dtype=np.int8)
        self.ranks: Floats = np.array(ranks, dtype=np.float64)
        self.scores: Floats = np.array(scores, dtype=np.float64)
        self.lengths: Ints = np.array(lengths, dtype=np.int64)
        self.answers: Ints = np.array(answers, dtype=np.int64)
        self.list_of_pair: Ints = np.repeat(np.arange(len(self.sizes)), self.sizes)
        self.relevant: Ints = np.bincount(self.list_of_pair, self.labels, len(self.sizes)).astype(np.int64)

    def __len__(self) -> int:
        """How many lists there are."""
        return len(self.sizes)

    def pairs(self, index: int) -> range:
        """
        Number a list's candidates, as all arrays number them.

        :param index: which list.
        :returns: their numbers among the candidates of all lists.
        """
        return range(int(self.starts[index]), int(self.starts[index] + self.sizes[index]))

    def sample(self, index: int, pairs: Sequence[int] | Ints) -> ListSample:
        """
        Read candidates for a list.

        :param index: which list.
        :param pairs: which candidates, by their numbers; those of other lists are irrelevant to this one.
        :returns: their records and labels, in the order of `pairs`.
        """
        lines = {index: self._line(index)}
        query, query_meta = lines[index]["query"], lines[index].get("query_meta") or {}
        sample = ListSample([], [])
        for pair in pairs:
            origin = int(self.list_of_pair[pair])
            if origin not in lines:
                lines[origin] = self._line(origin)
            one = lines[origin]["candidates"][pair - self.starts[origin]]
            sample.records.append(Record(query, one["answer"], query_meta, one.get("meta") or {}))
            sample.labels.append(int(origin == index and one["label"] > 0) if self.labelled[index] else -1)
        return sample

    def _line(self, index: int) -> dict[str, Any]:
        self._file.seek(self._offsets[index])
        line: dict[str, Any] = json.loads(self._file.readline())
        return line


@dataclass(frozen=True, slots=True)
class EpochSample:
    """
    What one epoch sees.

    :param lists: which lists take part, [n].
    :param sizes: how many candidates of each, [n].
    :param longest: the length of the longest of these candidates, [n].
    :param pairs: the chosen candidates' numbers in the file, list after list, [sum of sizes].
    :param starts: where each list's numbers begin, [n].
    """

    lists: Ints
    sizes: Ints
    longest: Ints
    pairs: Ints
    starts: Ints


def sample_epoch(
    file: CandidateFile,
    negatives: int | None,
    *,
    seed: int,
    epoch: int,
    both_labels: bool = False,
    list_size: int | None = None,
) -> EpochSample:
    """
    Choose every list's relevant candidates and some others: a function of the file, the seed and the epoch.

    :param file: the lists.
    :param negatives: how many irrelevant candidates to draw from each list, uniformly; None takes all.
    :param seed: the run's seed.
    :param epoch: the epoch's number; each draws anew.
    :param both_labels: leave out the lists that have no relevant or no irrelevant candidate.
    :param list_size: instead of `negatives`: give every list so many candidates. A list with too few is filled up with
        answers of other lists that it does not have itself, each different answer as likely as any. Of relevant
        candidates that leave no room for an irrelevant one, as many as do are drawn.
    :returns: what the epoch sees, in the file's order.
    :raises ValueError: if there are too few answers of other lists.
    """
    random = np.random.default_rng((seed, epoch))
    keys = random.random(len(file.labels))
    # The relevant first in each list, then the others, both in random order: of each the first so many are chosen.
    order = np.lexsort((keys, -file.labels, file.list_of_pair))
    place = np.arange(len(order)) - np.repeat(file.starts, file.sizes)
    irrelevant = file.sizes - file.relevant
    if list_size is None:
        kept = file.relevant
        drawn = irrelevant if negatives is None else np.minimum(irrelevant, negatives)
        filled = np.zeros_like(kept)
    else:
        kept = np.minimum(file.relevant, list_size - 1)
        drawn = np.minimum(irrelevant, list_size - kept)
        filled = np.where(file.sizes > 0, list_size - kept - drawn, 0)
    taken = (kept + drawn + filled) > 0
    if both_labels:
        taken &= (kept > 0) & (drawn + filled > 0)
    kept, drawn, filled = kept * taken, drawn * taken, filled * taken
    first = file.relevant[file.list_of_pair]
    wanted = np.where(place < first, kept[file.list_of_pair], drawn[file.list_of_pair])
    pairs = order[np.where(place < first, place, place - first) < wanted]
    list_of_chosen = file.list_of_pair[pairs]
    if filled.any():
        pairs = np.concatenate([pairs, _fills(file, filled, random)])
        list_of_chosen = np.concatenate([list_of_chosen, np.repeat(np.arange(len(file)), filled)])
    pairs = pairs[np.lexsort((pairs, list_of_chosen))]
    lists = np.flatnonzero(taken)
    sizes = (kept + drawn + filled)[lists]
    starts = np.cumsum(sizes) - sizes
    longest = np.maximum.reduceat(file.lengths[pairs], starts) if len(lists) else np.zeros(0, dtype=np.int64)
    return EpochSample(lists, sizes, longest, pairs, starts)


def _fills(file: CandidateFile, wanted: Ints, random: np.random.Generator) -> Ints:
    """Draw answers of other lists: for every list so many, all different, none of them its own; list after list."""
    answers, pool = np.unique(file.answers, return_index=True)
    found = []
    for index in np.flatnonzero(wanted).tolist():
        own = file.answers[file.pairs(index)]
        # As many more as may turn out to be the list's own.
        draw = min(len(pool), int(wanted[index]) + len(own))
        drawn = random.choice(len(pool), draw, replace=False)
        found.append(pool[drawn[~np.isin(answers[drawn], own)][: wanted[index]]])
        if len(found[-1]) < wanted[index]:
            msg = f"{file.path}: {len(answers)} different answers in the file, too few to fill up list {index + 1}; "
            msg += f"expected {wanted[index]} that it does not have itself, for all of list_size"
            raise ValueError(msg)
    return np.concatenate(found)
