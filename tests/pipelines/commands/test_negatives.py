# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
import json

import pytest

from answer_selection.indexing.candidates import read_jsonl


def test_writes_lists_of_hard_negatives_and_leaves_finished_ones_alone(command, small_faq, small_index, tmp_path):
    arguments = ("negatives", small_faq.queries, "--index", small_index, "--output", "lists.jsonl")
    done = command(*arguments, "--number", 3)
    lists = list(read_jsonl(tmp_path / "lists.jsonl"))
    assert done.code == 0
    assert f"{len(lists)} lists with {4 * len(lists)} candidates in lists.jsonl" in done.out
    assert {tuple(sorted(candidate.label for candidate in one.candidates)) for one in lists} == {(0, 0, 0, 1)}

    written = (tmp_path / "lists.jsonl").read_bytes()
    assert command(*arguments, "--number", 3).code == 0
    done = command(*arguments, "--number", 2)
    assert done.code == 2
    assert (
        "lists.jsonl was mined, or begun, with other settings: negatives 3 (now 2); --overwrite replaces it" in done.err
    )
    assert (tmp_path / "lists.jsonl").read_bytes() == written
    assert command(*arguments, "--number", 2, "--overwrite").code == 0
    assert (tmp_path / "lists.jsonl").read_bytes() != written


def test_samples_negatives_from_all_answers(command, small_faq, small_index, tmp_path):
    arguments = ("negatives", small_faq.queries, "--index", small_index, "--number", 30)
    assert command(*arguments, "--random", "--output", "random.jsonl").code == 0
    done = command(*arguments, "--output", "best.jsonl")
    assert "lists with fewer negatives than asked for" in done.out
    assert {len(one.candidates) for one in read_jsonl(tmp_path / "random.jsonl")} == {31}
    assert min(len(one.candidates) for one in read_jsonl(tmp_path / "best.jsonl")) < 31


def test_a_test_set_like_yahooqas_has_five_candidates_of_five_to_fifty_words(command, small_faq, small_index, tmp_path):
    done = command("negatives", small_faq.queries, "--index", small_index, "--output", "lists.jsonl", "--yahooqa")
    lists = list(read_jsonl(tmp_path / "lists.jsonl"))
    assert done.code == 0
    assert lists
    assert all(sorted(candidate.label for candidate in one.candidates) == [0, 0, 0, 0, 1] for one in lists)
    assert all(len(one.query.split()) >= 4 for one in lists)
    assert "queries left out" in done.out


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ({"query_id": "q", "query": "Why?", "relevant": ["nobody"]}, "relevant entry 'nobody' is not in the store"),
        ({"query_id": "q", "query": "Why?"}, "queries.jsonl, line 1, field 'relevant': expected a list of entry ids"),
        ({"query_id": "q", "relevant": []}, "queries.jsonl, line 1, field 'query': expected text, found nothing"),
    ],
)
def test_a_wrong_query_is_named(command, small_index, tmp_path, query, message):
    (tmp_path / "queries.jsonl").write_text(json.dumps(query) + "\n", encoding="utf-8")
    done = command("negatives", "queries.jsonl", "--index", small_index, "--output", "lists.jsonl")
    assert done.code == 2
    assert message in done.err
    assert not (tmp_path / "lists.jsonl").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--index", "nowhere"], "there is no index in nowhere"),
        (["--yahooqa", "--random"], "--yahooqa samples from BM25's best answers, --random from all: choose one"),
        (["--number", 0], "Invalid value for '--number'"),
        (["--yahooqa", "--min-words", 9, "--max-words", 3], "max_words is 3; expected at least min_words, which is 9"),
    ],
)
def test_what_cannot_be_done_is_said(command, small_faq, small_index, arguments, message):
    done = command("negatives", small_faq.queries, "--output", "lists.jsonl", "--index", small_index, *arguments)
    assert done.code == 2
    assert message in done.err
    assert "Traceback" not in done.err


def test_a_file_that_is_not_there(command, small_index):
    done = command("negatives", "gone.jsonl", "--output", "lists.jsonl", "--index", small_index)
    assert done.code == 2
    assert "error gone.jsonl: cannot be read: No such file or directory" in done.err
