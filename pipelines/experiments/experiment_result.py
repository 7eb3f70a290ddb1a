# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The results of an experiment, seed by seed."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class SeedResult:
    """
    What one seed's model came to.

    :param seconds: How long it was trained on the experiment's own data, word vectors aside; None if it was interrupted
        meanwhile, or learned nothing from them.
    :param validation: Its means by metric.
    :param test: The same on the test set, if that was scored.
    """

    seconds: float | None
    validation: dict[str, float]
    test: dict[str, float] | None


@dataclass(frozen=True, slots=True)
class ExperimentResult:
    """
    What an experiment came to.

    :param data: Its data set.
    :param model: The model's name.
    :param policy: Which questions count.
    :param questions: How many count, by part.
    :param parameters: Trained ones: word vectors that are left as they are aside.
    :param milliseconds: That :data:`ranking_time.CANDIDATES` candidates take through the component, on one thread.
    :param vectors: Whether an answer's vector can be made beforehand.
    :param bm25: BM25's means by part and metric.
    :param seeds: By seed.
    :param encoder: The published encoder that the models are built on, with its licence, if there is one.
    """

    data: str
    model: str
    policy: str
    questions: dict[str, int]
    parameters: int
    milliseconds: float
    vectors: bool
    bm25: dict[str, dict[str, float]]
    seeds: dict[str, SeedResult]
    encoder: str | None = None

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> "ExperimentResult":
        """
        Read a result back.

        :param values: What `asdict` gave.
        :returns: The result.
        """
        return cls(**{**values, "seeds": {seed: SeedResult(**one) for seed, one in values["seeds"].items()}})
