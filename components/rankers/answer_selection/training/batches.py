# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Batches of lists of similar length, bounded by pairs."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice

import numpy as np
from torch.utils.data import Dataset, Sampler

from haystack_integrations.components.rankers.answer_selection.training.dataset import (
    CandidateFile,
    EpochSample,
    Floats,
    Ints,
    ListSample,
    sample_epoch,
)
from haystack_integrations.components.rankers.answer_selection.training.processes import ALONE, Processes

# Lists are sorted by length inside windows of so many batches, so that batches stay random but hardly need padding.
WINDOW = 50


def pack(order: Sequence[int] | Ints, sizes: Ints, max_pairs: int) -> list[list[int]]:
    """
    Cut lists, in a given order, into batches of at most so many pairs.

    :param order: list numbers, [n].
    :param sizes: pairs of every list, by list number.
    :param max_pairs: the bound; a list that is larger alone makes a batch of its own, since lists are never cut.
    :returns: list numbers, batch by batch.
    """
    batches: list[list[int]] = []
    room = 0
    for index in order:
        size = int(sizes[index])
        if not batches or size > room:
            batches.append([])
            room = max_pairs
        batches[-1].append(int(index))
        room -= size
    return batches


def shuffled_batches(sizes: Ints, lengths: Ints, max_pairs: int, *, seed: int, epoch: int) -> list[list[int]]:
    """
    Random batches of lists of similar length.

    :param sizes: pairs of every list, [n].
    :param lengths: the longest pair of every list, [n].
    :param max_pairs: the most pairs in a batch (see :func:`pack`); one more where a single pair would be left.
    :param seed: the run's seed.
    :param epoch: the epoch's number; each has an order of its own.
    :returns: list numbers, batch by batch; every list once.
    """
    # The third number parts this from the stream that `sample_epoch` draws from.
    random = np.random.default_rng((seed, epoch, 1))
    order = random.permutation(len(sizes))
    lists_a_batch = max(1, int(max_pairs / max(1.0, float(sizes.mean())))) if len(sizes) else 1
    windows = np.arange(len(order)) // (WINDOW * lists_a_batch)
    order = order[np.lexsort((lengths[order], windows))]
    batches = pack(order, sizes, max_pairs)
    for number in range(len(batches) - 1, 0, -1):
        # A model that normalises over the batch cannot be trained on a single pair.
        if len(batches[number]) == 1 and sizes[batches[number][0]] == 1:
            batches[number - 1] += batches.pop(number)
    return [batches[i] for i in random.permutation(len(batches))]


class TrainingBatches(Sampler[list[tuple[int, int]]]):
    """
    All batches of a whole run, epoch after epoch, as one sequence.

    A batch is a function of its number alone, not of what was drawn before it: a run that goes on from a checkpoint at
    step n only has to leave out the first n. Epochs differ a little in their number of batches, so that `Trainer`,
    which wants them equal, is given the run as one.

    :param file: the lists.
    :param negatives: irrelevant candidates drawn a list and epoch, None for all.
    :param list_size: candidates of every list, instead of `negatives`; see :func:`sample_epoch`.
    :param max_pairs: the most pairs in a batch.
    :param epochs: how many epochs the run has.
    :param seed: the run's seed.
    :param both_labels: leave out lists that have no relevant or no irrelevant candidate.
    :raises ValueError: if no list is left, or the file has too few different answers to fill a list up.
    """

    def __init__(
        self,
        file: CandidateFile,
        *,
        negatives: int | None,
        max_pairs: int,
        epochs: int,
        seed: int,
        both_labels: bool,
        list_size: int | None = None,
    ) -> None:
        self.file = file
        self.list_size = list_size
        self.negatives, self.max_pairs, self.epochs, self.seed = negatives, max_pairs, epochs, seed
        self.both_labels = both_labels
        sample = self.sample(0)
        if not len(sample.lists):
            kind = "a relevant and an irrelevant candidate" if both_labels else "a candidate"
            msg = f"{file.path}: none of the {len(file)} lists has {kind}; there is nothing to learn from"
            raise ValueError(msg)
        self.lists = len(sample.lists)
        self.epoch_ends: list[int] = np.cumsum([len(self._epoch(epoch)) for epoch in range(epochs)]).tolist()

    def sample(self, epoch: int) -> EpochSample:
        """What an epoch sees."""
        return sample_epoch(
            self.file,
            self.negatives,
            seed=self.seed,
            epoch=epoch,
            both_labels=self.both_labels,
            list_size=self.list_size,
        )

    def _epoch(self, epoch: int) -> list[list[int]]:
        sample = self.sample(epoch)
        return shuffled_batches(sample.sizes, sample.longest, self.max_pairs, seed=self.seed, epoch=epoch)

    def __len__(self) -> int:
        """How many batches the run has."""
        return self.epoch_ends[-1]

    def __iter__(self) -> Iterator[list[tuple[int, int]]]:
        """Batches of (epoch, number of the list in the epoch's sample)."""
        for epoch in range(self.epochs):
            for batch in self._epoch(epoch):
                yield [(epoch, index) for index in batch]


class StepBatches(Sampler[list[tuple[int, int]]]):
    """
    The batches that one process takes, step by step.

    A step has the run's next batches, of whatever epoch they are; several processes take them in turns, as many each.
    The last step may have fewer: a process for which none is left there takes its first one, which then counts nothing.

    :param batches: the run's batches.
    :param accumulation: batches a step and process.
    :param processes: the processes.
    """

    def __init__(self, batches: TrainingBatches, accumulation: int = 1, processes: Processes = ALONE) -> None:
        self.batches, self.accumulation, self.processes = batches, accumulation, processes
        self.per_step = accumulation * processes.count

    @property
    def steps(self) -> int:
        """How many steps the run has."""
        return self.step_of(len(self.batches))

    def step_of(self, batch: int) -> int:
        """Count the steps that it takes until so many batches of the run are done."""
        return -(-batch // self.per_step)

    def weights(self, step: int) -> list[float]:
        """
        Weigh a step's batches so that the mean over them and over all processes is that over the run's own.

        :param step: the step's number, from 0.
        :returns: a weight for each batch of this process.
        """
        there = min(self.per_step, len(self.batches) - step * self.per_step)
        turns = -(-there // self.processes.count)
        places = (self.processes.index + turn * self.processes.count for turn in range(turns))
        return [turns * self.processes.count / there if place < there else 0.0 for place in places]

    def __len__(self) -> int:
        """How many batches this process takes."""
        return (self.steps - 1) * self.accumulation + len(self.weights(self.steps - 1))

    def __iter__(self) -> Iterator[list[tuple[int, int]]]:
        """See :class:`TrainingBatches`."""
        batches = iter(self.batches)
        for step in range(self.steps):
            there = list(islice(batches, self.per_step))
            for turn in range(len(self.weights(step))):
                place = self.processes.index + turn * self.processes.count
                yield there[place if place < len(there) else 0]


class TrainingLists(Dataset[ListSample]):
    """
    The samples that :class:`TrainingBatches` names.

    :param batches: the run's batches.
    :param scores: a teacher's scores of the file's candidates, [n_pairs], which the samples then have.
    """

    def __init__(self, batches: TrainingBatches, scores: Floats | None = None) -> None:
        self.batches, self.scores = batches, scores
        self._epoch = -1
        self._sample: EpochSample | None = None

    def __len__(self) -> int:
        """How many lists an epoch has."""
        return self.batches.lists

    def __getitem__(self, key: tuple[int, int]) -> ListSample:
        """Read one list's sample: `key` is the epoch and the number of the list in it."""
        epoch, index = key
        if self._sample is None or epoch != self._epoch:
            self._epoch, self._sample = epoch, self.batches.sample(epoch)
        sample = self._sample
        start = sample.starts[index]
        pairs = sample.pairs[start : start + sample.sizes[index]]
        file, number = self.batches.file, int(sample.lists[index])
        one = file.sample(number, pairs)
        if self.scores is None:
            return one
        # The teacher was not asked about the answers of other lists.
        own = file.list_of_pair[pairs] == number
        return replace(one, scores=np.where(own, self.scores[pairs], np.nan).tolist())
