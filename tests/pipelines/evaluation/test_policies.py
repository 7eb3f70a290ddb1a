# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Policies for questions without a relevant candidate, or with nothing else."""

import pytest

from answer_selection.pipelines.evaluation.policies import Policy, QuestionCounts

QUESTIONS = {
    "none": {"a": 0},
    "empty": {},
    "only": {"a": 1},
    "both": {"a": 1, "b": 0},
    "more": {"a": 2, "b": 0, "c": 1},
}


@pytest.mark.parametrize(
    ("policy", "kept", "none", "only"),
    [
        (
            Policy.ALL,
            ["none", "empty", "only", "both", "more"],
            "counted as 0",
            "kept",
        ),
        (
            Policy.WITH_RELEVANT,
            ["only", "both", "more"],
            "dropped",
            "kept",
        ),
        (
            Policy.WITH_BOTH,
            ["both", "more"],
            "dropped",
            "dropped",
        ),
    ],
)
def test_what_counts_and_what_is_printed(policy, kept, none, only):
    counts = QuestionCounts(policy)
    assert [name for name, relevance in QUESTIONS.items() if counts.add(relevance, closed=True)] == kept
    assert counts.counted == len(kept)
    assert counts.dropped == 5 - len(kept)
    assert str(counts) == (
        f"{len(kept)} of 5 questions count "
        f'(policy "{policy.value}": 2 without a relevant candidate {none}, 1 with nothing else {only})'
    )


def test_what_there_is_none_of_is_not_printed():
    counts = QuestionCounts(Policy.WITH_RELEVANT)
    counts.add({"a": 1, "b": 0}, closed=True)
    assert str(counts) == '1 of 1 questions count (policy "with-relevant")'


def test_in_a_corpus_the_rest_is_what_a_ranking_can_get_wrong():
    counts = QuestionCounts(Policy.WITH_BOTH)
    assert counts.add({"a": 1}, closed=False)
    assert not counts.add({}, closed=False)
    assert (counts.only_relevant, counts.without_relevant) == (0, 1)
