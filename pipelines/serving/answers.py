# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The response to a question: its answers, and the time that they took."""

from typing import Any

from pydantic import BaseModel, Field


class Answer(BaseModel):
    """An answer."""

    entry_id: str = Field(description="The entry that it comes from.")
    question: str | None = Field(description="The entry's own question.")
    answer: str
    score: float | None = Field(description="The final score; the best answer is first.")
    retriever_score: float | None = Field(description="The retriever's score.")
    retriever_rank: int | None = Field(None, description="Its rank before the ranker, from 1.")
    source: str | None = Field(
        default=None,
        description="Where the entry comes from: an address or a file's path, with `#` and the place in it.",
    )
    meta: dict[str, Any] = Field(description="Its other metadata.")


class Answers(BaseModel):
    """The answers to a question, the best first."""

    answers: list[Answer]
    searched: str | None = Field(None, description="The question as it was searched, where its spelling was corrected.")
    abstained: bool = Field(False, description="Whether the best answer was too unsure to be given.")
    best_probability: float | None = Field(None, description="The probability that the best answer is right, if known.")
    closest: list[Answer] = Field([], description="What was found, where no answer is given.")
    retrieval_ms: float = Field(description="Milliseconds to find candidates.")
    ranking_ms: float = Field(description="Milliseconds to rank them, other questions in the same batch included.")
