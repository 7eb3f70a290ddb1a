# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Which questions and lists are learned from, and which choose."""

import json

import pytest

from answer_selection.indexing.candidates import read_candidates
from answer_selection.indexing.corpus import Query
from answer_selection.pipelines.training.lists import given_lists
from answer_selection.pipelines.training.questions import split_questions
from haystack_integrations.document_stores.tantivy import TantivyDocumentStore


def test_validation_asks_for_entries_that_are_there(small_index):
    index = TantivyDocumentStore(path=small_index)
    known = next(row["id"] for page in index.iter_pages(["id"]) for row in page)
    asked = [Query("q1", "renew", (known,)), Query("q2", "return", (known, "nope"))]
    with pytest.raises(ValueError, match=r"query 'q2': relevant entry 'nope' is not in the index"):
        split_questions(index, queries=None, validation=asked)
    assert split_questions(index, queries=None, validation=asked[:1]).validation == asked[:1]
    with pytest.raises(ValueError, match="no validation query has an entry that answers it"):
        split_questions(index, queries=None, validation=[Query("q", "renew", ())])


def test_held_out_lists_have_no_right_answer_that_is_learned_from(tmp_path):
    lists = [
        {
            "query_id": f"q{number}",
            "query": f"Question {number}?",
            "candidates": [
                {"candidate_id": "1", "answer": f"Answer {number % 40}!", "label": 1},
                {"candidate_id": "2", "answer": f"answer {(number + 7) % 40}", "label": 0},
            ],
        }
        for number in range(120)
    ]
    lists.append(
        {"query_id": "none", "query": "Nothing?", "candidates": [{"candidate_id": "1", "answer": "No.", "label": 0}]}
    )
    path = tmp_path / "lists.jsonl"
    path.write_text("".join(json.dumps(one) + "\n" for one in lists), encoding="utf-8")
    found = given_lists(path, None, tmp_path / "split")
    train, validation = (
        [one.candidates[0].answer for one in read_candidates(part) if one.candidates[0].label]
        for part in (found.train, found.validation)
    )
    assert len(train) + len(validation) == 120
    assert len(validation) % 3 == 0
    assert 0 < len(validation) < 60
    assert set(train).isdisjoint(validation)
