# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The result of one question: a ranking per stage."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Ranking:
    """
    One stage's answer to one question.

    :param ids: Candidate ids, best first, each once.
    :param scores: The stage's own score of each, None where it gave none.
    :param seconds: How long this question took until the stage had ranked; None if it was not measured or did not run.
    :param probability: How probable the stage holds it that the first candidate is right, None if it does not say.
    :param abstained: Whether the stage gave none of these candidates as its answer, because it was not sure enough.
    """

    ids: tuple[str, ...] = ()
    scores: tuple[float | None, ...] = ()
    seconds: float | None = None
    probability: float | None = None
    abstained: bool = False


@dataclass(frozen=True, slots=True)
class QuestionResult:
    """
    One question, what is relevant to it, and what every stage made of it.

    :param query_id: The question's id.
    :param query: The question.
    :param relevance: Relevance by candidate id; above 0 is relevant.
    :param closed: True if `relevance` names all the candidates there are (candidate mode), False if it names the
        relevant entries and whatever else the corpus holds is not relevant (end-to-end mode).
    :param stages: The rankings by the name of the stage, in the order the stages ran.
    :param entries: What is relevant, named so that questions with a name in common share an entry and those without do
        not; candidate ids alone may be names within their own list only.
    """

    query_id: str
    query: str
    relevance: Mapping[str, int]
    closed: bool
    stages: Mapping[str, Ranking]
    entries: tuple[str, ...]

    @property
    def relevant(self) -> tuple[str, ...]:
        """The ids of the relevant candidates."""
        return tuple(candidate_id for candidate_id, label in self.relevance.items() if label > 0)
