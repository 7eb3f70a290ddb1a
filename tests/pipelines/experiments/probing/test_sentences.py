# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0

import gzip
import json

import pytest

from answer_selection.pipelines.experiments.probing.sentences import read_sentences
from haystack_integrations.components.rankers.answer_selection.models.record import Record

OPEN = {"text": "Opens late.", "parse_tree": "(ROOT (S (VP (VBZ Opens) (ADVP (RB late))) (. .)))"}
CLOSED = {"text": "Closed", "parse_tree": "(ROOT (NP (NN Closed)))"}
TREES = {OPEN["text"]: OPEN["parse_tree"], CLOSED["text"]: CLOSED["parse_tree"], "When?": "(ROOT (X (WRB When) (. ?)))"}
LIST = {
    "query_id": "q1",
    "query": "When?",
    "candidates": [
        {"candidate_id": "a", "answer": "Opens late.", "label": 1, "meta": {"parse_tree": OPEN["parse_tree"]}},
        {"candidate_id": "b", "answer": "Closed", "label": 0},
    ],
}


@pytest.fixture
def file(tmp_path):
    def write(*lines, name="sentences.jsonl"):
        (tmp_path / name).write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
        return tmp_path / name

    return write


def parse(texts):
    return [TREES[text] for text in texts]


def test_lines_are_read_each_sentence_once(file):
    two = {"text": "Closed. Closed.", "parse_tree": "(ROOT (S (NN Closed) (. .)) (S (NN Closed) (. .)))"}
    again = {"text": "  opens LATE.", "parse_tree": "not looked at"}
    nothing = {"text": "Nothing", "parse_tree": "(ROOT (X (XX Nothing)))"}
    found = read_sentences([file(OPEN, again, two), file(nothing, name="more.jsonl")], None)
    assert [one.text for one in found.kept] == ["Opens late.", "Nothing"]
    assert (found.again, found.several) == (1, 1)
    assert found.kept[0].words() == ["Opens", "late", "."]
    record = found.kept[0].record()
    assert record == Record("", "Opens late.", {"parse_tree": "(ROOT)"}, {"parse_tree": OPEN["parse_tree"]})


def test_gzipped_lines_are_read(file, tmp_path):
    packed = tmp_path / "packed.jsonl.gz"
    packed.write_bytes(gzip.compress(file(OPEN).read_bytes()))
    assert [one.text for one in read_sentences([packed], None).kept] == ["Opens late."]


def test_candidates_are_read_with_their_question(file):
    other = {**LIST, "query_id": "q2", "query": "Closed"}
    found = read_sentences([file(LIST, other)], parse)
    assert found.again == 2
    assert [one.record() for one in found.kept] == [
        Record("When?", text, {"parse_tree": TREES["When?"]}, {"parse_tree": TREES[text]})
        for text in ("Opens late.", "Closed")
    ]


def test_only_what_has_no_tree_is_parsed_and_once(file):
    asked = []

    def note(texts):
        asked.extend(texts)
        return parse(texts)

    read_sentences([file({**LIST, "query_meta": {"parse_tree": TREES["When?"]}})], note)
    assert asked == ["Closed"]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            {"text": "Opens late."},
            r"sentences.jsonl, line 2: no parse_tree, as 1 of 2 sentences; expected .*--trees",
        ),
        ({"text": " "}, r"line 2, field 'text': expected a sentence, found nothing"),
        ({"text": 3}, r"line 2, field 'text': expected a sentence, found a number"),
        ([], r"line 2: expected a JSON object, found an array"),
        ({"text": "a", "parse_tree": []}, r"line 2, field 'parse_tree': expected a tree in brackets, found an array"),
        ({"text": "Other", "parse_tree": "(ROOT (X (X Else)))"}, r"line 2: at character \d+ of the tree"),
        ({"text": "Other", "parse_tree": "(ROOT (X (X Other))"}, r"line 2: at character \d+ of the tree"),
    ],
)
def test_a_line_that_cannot_be_read_is_named(line, message, file):
    with pytest.raises(ValueError, match=message):
        read_sentences([file(CLOSED, line)], None)


def test_candidates_without_a_tree_are_named(file):
    with pytest.raises(ValueError, match=r"lists.jsonl, query 'q1', candidate 'b': no parse_tree"):
        read_sentences([file(LIST, name="lists.jsonl")], None)


def test_broken_json_and_missing_files_are_named(tmp_path):
    (tmp_path / "broken.jsonl").write_text('{"text": "a"\n', encoding="utf-8")
    with pytest.raises(ValueError, match=r"broken.jsonl, line 1: expected JSON, but at column \d+ it is not"):
        read_sentences([tmp_path / "broken.jsonl"], None)
    with pytest.raises(ValueError, match=r"none.jsonl: cannot be read: No such file"):
        read_sentences([tmp_path / "none.jsonl"], None)
