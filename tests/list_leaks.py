# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""What lists to learn from and lists to choose by may not tell of each other."""

from collections.abc import Callable

import pytest

from answer_selection.indexing.candidates import CandidateList, read_jsonl
from answer_selection.indexing.text.sameness import sameness
from answer_selection.pipelines.training.lists import Lists


def read(lists: Lists) -> tuple[list[CandidateList], list[CandidateList]]:
    """Lists to learn from, and lists to choose by."""
    assert lists.validation is not None
    return list(read_jsonl(lists.train)), list(read_jsonl(lists.validation))


def answers(lists: list[CandidateList], label: int) -> set[bytes]:
    """What tells the answers with a label from any others."""
    return {sameness(one.answer) for each in lists for one in each.candidates if one.label == label}


def expected(lists: list[CandidateList], score: Callable[[bytes], float]) -> tuple[float, float]:
    """P@1 with ties broken by chance, and that of a scorer that knows nothing; of lists with a right answer."""
    found, chance = [], []
    for one in lists:
        labels = [candidate.label for candidate in one.candidates]
        if any(labels):
            scores = [score(sameness(candidate.answer)) for candidate in one.candidates]
            best = [label for label, its in zip(labels, scores, strict=True) if its == max(scores)]
            found.append(sum(best) / len(best))
            chance.append(sum(labels) / len(labels))
    return sum(found) / len(found), sum(chance) / len(chance)


def assert_nothing_tells(train: list[CandidateList], validation: list[CandidateList]) -> None:
    """What an answer was in training says nothing of whether it is right in validation."""
    right, wrong = answers(train, 1), answers(train, 0)
    scorers: list[Callable[[bytes], float]] = [
        lambda one: one not in right,
        lambda one: one not in wrong,
        lambda one: one not in right | wrong,
    ]
    for score in scorers:
        found, chance = expected(validation, score)
        assert found == pytest.approx(chance, abs=0.02)
