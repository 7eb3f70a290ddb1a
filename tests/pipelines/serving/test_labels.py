# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Labels in a file that `eval` and `train` read."""

import json
from concurrent.futures import ThreadPoolExecutor

import pytest
from filelock import FileLock

from answer_selection.indexing.corpus import iter_queries
from answer_selection.indexing.entries import EntrySourceError
from answer_selection.pipelines.serving.errors import UnavailableError
from answer_selection.pipelines.serving.labels import Label, LabelFile
from answer_selection.pipelines.training.question_files import question_id


def lines(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_what_people_say_is_read_as_queries(tmp_path):
    path = tmp_path / "labels.jsonl"
    labels = LabelFile(path)
    assert labels.find("Where?") is None
    labels.judge("Where?", "a", True)
    labels.judge("where", "b", False)
    assert labels.judge("Where?", "c", True) == Label(relevant=["a", "c"], irrelevant=["b"])
    [query] = iter_queries(path)
    assert (query.query, query.relevant, query.query_id) == ("Where?", ("a", "c"), question_id("where"))
    # Another mind.
    labels.judge("Where?", "a", False)
    assert labels.find("WHERE") == Label(relevant=["c"], irrelevant=["b", "a"])
    for entry in "abc":
        labels.judge("Where?", entry, None)
    assert labels.find("Where?") is None
    assert lines(path) == []


def test_of_a_question_with_wrong_entries_alone_nobody_knows_that_it_has_no_answer(tmp_path):
    path = tmp_path / "labels.jsonl"
    labels = LabelFile(path)
    labels.judge("Where?", "a", False)
    labels.write("Who?", Label())
    assert labels.find("Where?") == Label(irrelevant=["a"])
    assert [(query.query, query.relevant) for query in iter_queries(path)] == [("Who?", ())]
    labels.judge("Where?", "b", True)
    assert [(query.query, query.relevant) for query in iter_queries(path)] == [("Where?", ("b",)), ("Who?", ())]


def test_lines_and_fields_of_others_stay(tmp_path):
    path = tmp_path / "queries.jsonl"
    before = [
        {"query_id": 1, "query": "One?", "relevant": [7], "by": "Ada"},
        {"query_id": "asked-x", "query": "Two?", "relevant": []},
    ]
    path.write_text("".join(f"{json.dumps(line)}\n" for line in before), encoding="utf-8")
    labels = LabelFile(path)
    labels.write("one", Label(relevant=["8"]), "ignored: it has one")
    labels.write("Three?", Label(), "asked-x")
    assert lines(path)[:2] == [{"query_id": 1, "query": "One?", "relevant": ["8"], "by": "Ada"}, before[1]]
    # The id is taken, so a new one is made.
    assert lines(path)[2] == {"query_id": question_id("Three?"), "query": "Three?", "relevant": []}
    labels.write("Two?", None)
    assert [line["query"] for line in lines(path)] == ["One?", "Three?"]
    assert labels.find("three") == Label()


def test_a_file_that_cannot_be_changed_is_named(tmp_path, monkeypatch):
    path = tmp_path / "labels.jsonl"
    labels = LabelFile(path)
    labels.judge("Where?", "a", True)
    lock = path.with_name("labels.jsonl.lock")
    monkeypatch.setattr(labels, "_lock", FileLock(lock, timeout=0))
    with FileLock(lock), pytest.raises(UnavailableError, match=r"labels\.jsonl is being changed by others"):
        labels.judge("Where?", "b", True)
    path.write_text("{", encoding="utf-8")
    for ask in (lambda: labels.find("Where?"), lambda: labels.judge("Where?", "b", True)):
        with pytest.raises(UnavailableError, match=r"labels\.jsonl, line 1: .*JSON"):
            ask()
    assert path.read_text(encoding="utf-8") == "{"


def test_nothing_is_lost_where_several_write(tmp_path):
    path = tmp_path / "labels.jsonl"
    with ThreadPoolExecutor(4) as people:
        for _ in people.map(
            lambda number: LabelFile(path).judge(f"question {number % 10}", str(number), True), range(40)
        ):
            pass
    assert sorted(int(entry) for query in iter_queries(path) for entry in query.relevant) == list(range(40))


def test_a_file_that_is_no_labels_is_refused_and_stays(tmp_path):
    path = tmp_path / "labels.jsonl"
    path.write_text('{"query_id": "a", "query": "What?"}\n', encoding="utf-8")
    with pytest.raises(EntrySourceError, match=r"labels\.jsonl, line 1, .*relevant.*: expected a list of entry ids"):
        LabelFile(path)
    with pytest.raises(FileNotFoundError, match="there is no folder"):
        LabelFile(tmp_path / "nowhere" / "labels.jsonl")
