# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Labels in a file that `eval` and `train` read."""

import json
from concurrent.futures import ThreadPoolExecutor

import pytest

from answer_selection.indexing.corpus import iter_queries
from answer_selection.indexing.entries import EntrySourceError
from answer_selection.pipelines.serving.labels import Label, LabelFile, label_id, read_questions


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
    assert (query.query, query.relevant, query.query_id) == ("Where?", ("a", "c"), label_id("where"))
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
    assert lines(path)[2] == {"query_id": label_id("Three?"), "query": "Three?", "relevant": []}
    labels.write("Two?", None)
    assert [line["query"] for line in lines(path)] == ["One?", "Three?"]
    assert labels.find("three") == Label()


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


def test_questions_come_one_a_line_or_as_objects(tmp_path):
    text, objects = tmp_path / "asked.txt", tmp_path / "asked.jsonl"
    text.write_text("Where is it?\n\nwhere is it\nWhen?\n", encoding="utf-8")
    assert [(query.query, query.query_id) for query in read_questions(text)] == [
        ("Where is it?", label_id("Where is it?")),
        ("When?", label_id("When?")),
    ]
    objects.write_text(
        '{"query": "Where?", "query_id": 3}\n{"query": " When? ", "relevant": ["a"]}\n', encoding="utf-8"
    )
    assert [(query.query_id, query.query) for query in read_questions(objects)] == [
        ("3", "Where?"),
        (label_id("When?"), "When?"),
    ]
    for broken, told in (
        ('{"question": "a"}', "line 1, query: expected text"),
        ("[]", "line 1: expected a JSON object"),
    ):
        objects.write_text(broken, encoding="utf-8")
        with pytest.raises(ValueError, match=told):
            read_questions(objects)
    text.write_text("\n", encoding="utf-8")
    with pytest.raises(ValueError, match="no question in the file"):
        read_questions(text)


def test_a_page_is_no_list_of_questions(tmp_path):
    page = tmp_path / "faq.md"
    page.write_text("# Where is it?\n\nHere.\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"faq\.md: expected \.txt, a question a line, or \.jsonl"):
        read_questions(page)
