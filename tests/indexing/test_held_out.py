# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
from random import Random

import pytest

from answer_selection.indexing.corpus import Query
from answer_selection.indexing.held_out import split_queries, unlearned_entries
from answer_selection.indexing.text.sameness import sameness

PARTS = {"train": 0.7, "validation": 0.3}


def corpus() -> tuple[list[Query], dict[str, bytes]]:
    """A question to every entry: some have another's answer, some another's wording, some two answers."""
    answers = {f"e{n}": sameness(f"Answer {n - n % 4 % 3}.") for n in range(200)}
    queries = [
        Query(f"q{n}", f"what is {n - n % 5 % 4}?", (f"e{n}", f"e{n + 7}") if n % 50 == 3 else (f"e{n}",))
        for n in range(200)
    ]
    return queries, answers


def test_no_question_and_no_answer_is_in_two_parts() -> None:
    queries, answers = corpus()
    parts = split_queries(queries, answers, PARTS, seed=2)
    assert sorted(query.query_id for part in parts.values() for query in part) == sorted(q.query_id for q in queries)
    train, validation = (
        {sameness(query.query) for query in part} | {answers[one] for query in part for one in query.relevant}
        for part in parts.values()
    )
    assert train
    assert validation
    assert train.isdisjoint(validation)
    shuffled = Random(0).sample(queries, len(queries))
    again = split_queries(shuffled, dict(reversed(answers.items())), PARTS, seed=2)
    assert {name: set(part) for name, part in again.items()} == {name: set(part) for name, part in parts.items()}


def test_a_query_without_an_answer_cannot_be_learned_from() -> None:
    with pytest.raises(ValueError, match="query 'q' has no relevant entry; expected at least one to learn from"):
        split_queries([Query("q", "why?", ())], {}, PARTS)


def test_the_answers_of_validation_questions_are_kept_apart_wherever_they_stand() -> None:
    texts = {"right": "By bus.", "twin": "by bus", "held out": "By train.", "held twin": "by train!"}
    answers = {id_: sameness(text) for id_, text in texts.items()}
    learned = [Query("a", "how?", ("right",))]
    assert unlearned_entries(answers, learned, [Query("b", "and how?", ("held out",))], 0.1) == {
        "held out",
        "held twin",
    }
    # What is learned from under another id is not new.
    assert unlearned_entries(answers, learned, [Query("b", "and how?", ("twin",))], 0.1) == set()


def test_entries_that_nobody_asks_for_are_kept_apart_in_proportion() -> None:
    answers = {f"e{n}": sameness(f"Answer {n}") for n in range(1000)}
    learned = [Query(f"q{n}", "?", (f"e{n}",)) for n in range(100)]
    held_out = unlearned_entries(answers, learned, [Query("v", "?", ("e100",))], 0.2, seed=3)
    assert "e100" in held_out
    assert held_out.isdisjoint(f"e{n}" for n in range(100))
    # Of 899, with a standard deviation of 12.
    assert 180 - 60 < len(held_out) < 180 + 60
    assert unlearned_entries(answers, learned, learned[:3], 0.2, seed=3) == set()
