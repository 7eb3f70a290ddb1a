# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The settings that decide which negatives are sampled."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, get_args

import numpy as np

from answer_selection.indexing.text.normalize import normalize, words

Mode = Literal["uniform", "random", "retrieved"]

ANSWER_TEXT_ALONE: Final[Mapping[str, float]] = {"content": 1.0}
"""Searched by default: an index that is searched over an FAQ's own questions gives the answer away to these."""


@dataclass(frozen=True, slots=True)
class SamplingPlan:
    """
    Everything that decides what lists are written, beside the queries, the index and what is held out.

    :param mode: how negatives are chosen: "uniform", "random" or "retrieved".
    :param depth: how many of the best answers to sample from.
    :param negatives: how many negatives a list gets.
    :param keep_top: so many of them are the best-ranked ones.
    :param seed: the same seed gives the same lists.
    :param fields: what is searched, with boosts.
    :param min_words: the least number of words in an answer; with `exact`, in a question too.
    :param max_words: the largest number of them.
    :param one_positive: whether of several relevant answers one is drawn.
    :param exact: whether a query is left out that is too short or long, or finds too few negatives.
    :param longest: with the mode "retrieved": a list ends after so many candidates.
    """

    mode: Mode
    depth: int
    negatives: int
    keep_top: int
    seed: int
    fields: dict[str, float]
    min_words: int = 0
    max_words: int | None = None
    one_positive: bool = False
    exact: bool = False
    longest: int | None = None

    def __post_init__(self) -> None:
        """
        Check every value.

        :raises ValueError: naming the argument, what it is and what was expected.
        """
        if self.mode not in get_args(Mode):
            msg = f"mode is '{self.mode}'; expected one of {', '.join(get_args(Mode))}"
            raise ValueError(msg)
        for name, least in (("depth", 1), ("negatives", 1), ("keep_top", 0), ("min_words", 0)):
            if getattr(self, name) < least:
                msg = f"{name} is {getattr(self, name)}; expected at least {least}"
                raise ValueError(msg)
        if self.keep_top > self.negatives:
            msg = f"keep_top is {self.keep_top}; expected at most negatives, which is {self.negatives}"
            raise ValueError(msg)
        if self.keep_top and self.mode == "random":
            msg = f"keep_top is {self.keep_top}; expected 0 with mode 'random', which ranks nothing"
            raise ValueError(msg)
        if self.max_words is not None and self.max_words < self.min_words:
            msg = f"max_words is {self.max_words}; expected at least min_words, which is {self.min_words}"
            raise ValueError(msg)

    def fits(self, text: str) -> bool:
        """
        Say whether a text's length is within the limits.

        :param text: the text.
        :returns: whether it is.
        """
        if self.min_words == 0 and self.max_words is None:
            return True
        count = len(words(normalize(text)))
        return self.min_words <= count and (self.max_words is None or count <= self.max_words)

    def random(self, *words: str) -> np.random.Generator:
        """
        Give random numbers that depend on the seed and some words alone.

        Seeded by the query itself, so that neither order, nor chunks, nor a resumed run changes a list.

        :param words: the query's id, and before it what is drawn, where several things are.
        :returns: where they come from.
        """
        seeded = hashlib.sha256("\0".join((str(self.seed), *words)).encode()).digest()
        return np.random.default_rng(int.from_bytes(seeded[:16]))
