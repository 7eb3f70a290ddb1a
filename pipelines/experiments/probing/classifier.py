# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The probe: a perceptron with one hidden layer that tells a task's classes apart by frozen vectors."""

from dataclasses import dataclass
from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn
from torch.nn import functional

from answer_selection.pipelines.experiments.probing.split import Split

# The hidden layer is as wide as the vector, as in the tree aggregation transformer's paper, but no wider than this.
MOST_UNITS: Final = 512
_EPOCHS: Final = 100
_PATIENCE: Final = 10
_BATCH: Final = 64
_LEARNING_RATE: Final = 1e-3


@dataclass(frozen=True, slots=True)
class ProbeScores:
    """
    How well a probe does on the test part.

    :param macro_f1: F1, the mean over all classes.
    :param accuracy: the part of the sentences whose class it names.
    """

    macro_f1: float
    accuracy: float


def score(predicted: NDArray[np.int64], gold: NDArray[np.int64], classes: int) -> ProbeScores:
    """
    Compare predictions with the truth.

    :param predicted: a class for every sentence.
    :param gold: the right one.
    :param classes: how many classes there are; one that is neither predicted nor right anywhere has an F1 of 0.
    :returns: the scores.
    """
    hits = np.bincount(gold[predicted == gold], minlength=classes)
    both = np.bincount(predicted, minlength=classes) + np.bincount(gold, minlength=classes)
    return ProbeScores(float((2 * hits / np.maximum(both, 1)).mean()), float((predicted == gold).mean()))


def majority(labels: NDArray[np.int64], classes: int, split: Split) -> ProbeScores:
    """
    Score the baseline that names the training part's most frequent class, whatever the sentence.

    :param labels: the class of every sentence.
    :param classes: how many classes there are.
    :param split: the parts.
    :returns: the scores.
    """
    most = np.bincount(labels[split.train], minlength=classes).argmax()
    gold = labels[split.test]
    return score(np.full_like(gold, most), gold, classes)


def standardised(vectors: NDArray[np.float32], split: Split) -> torch.Tensor:
    """
    Bring the elements of vectors to one scale; without it models with small vectors would learn slowest.

    :param vectors: a row a sentence.
    :param split: the parts; mean and deviation are the training part's.
    :returns: the vectors; an element that is the same in all of them is 0.
    """
    x = torch.from_numpy(vectors).float()
    mean, deviation = x[split.train].mean(0), x[split.train].std(0)
    return torch.where(deviation > 1e-6, (x - mean) / deviation.clamp_min(1e-6), 0.0)


def probe(vectors: torch.Tensor, labels: NDArray[np.int64], classes: int, split: Split, *, seed: int) -> ProbeScores:
    """
    Train a probe on the training part, stop by the validation part's macro-F1, and score it on the test part.

    :param vectors: what :func:`standardised` gave.
    :param labels: the class of every sentence.
    :param classes: how many classes there are.
    :param split: the parts.
    :param seed: of first weights and order.
    :returns: the scores.
    """
    y = torch.from_numpy(labels)
    train, validation = torch.from_numpy(split.train), split.validation
    size = vectors.shape[1]
    best, since, kept = -1.0, 0, {}
    # What others draw by torch's own generator stays as it was.
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        hidden = min(size, MOST_UNITS)
        network = nn.Sequential(nn.Linear(size, hidden), nn.ReLU(), nn.Linear(hidden, classes))
        optimizer = torch.optim.Adam(network.parameters(), lr=_LEARNING_RATE)
        for _ in range(_EPOCHS):
            order = train[torch.randperm(len(train))]
            for start in range(0, len(order), _BATCH):
                rows = order[start : start + _BATCH]
                loss = functional.cross_entropy(network(vectors[rows]), y[rows])
                optimizer.zero_grad()
                loss.backward()  # type: ignore[no-untyped-call]
                optimizer.step()
            reached = score(_predict(network, vectors[validation]), labels[validation], classes).macro_f1
            if reached > best:
                best, since = reached, 0
                kept = {name: value.clone() for name, value in network.state_dict().items()}
            else:
                since += 1
            if since == _PATIENCE:
                break
        network.load_state_dict(kept)
    return score(_predict(network, vectors[split.test]), labels[split.test], classes)


@torch.no_grad()
def _predict(network: nn.Module, vectors: torch.Tensor) -> NDArray[np.int64]:
    predicted: NDArray[np.int64] = network(vectors).argmax(-1).numpy()
    return predicted
