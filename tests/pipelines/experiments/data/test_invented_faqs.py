# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
import json
from functools import cache

import pytest

from answer_selection.indexing.candidates import read_jsonl
from answer_selection.pipelines.commands.console import bar
from answer_selection.pipelines.experiments.data import open_dataset
from answer_selection.pipelines.experiments.data.invented_faqs import FAQS, VALIDATION_FAQS, InventedFaqs
from haystack_integrations.components.rankers.answer_selection.encoders.sentence_encoder import SentenceEncoder

PARTS = ("train", "validation", "test")


def write_faqs(file, names):
    file.parent.mkdir(parents=True, exist_ok=True)
    rows = [
        {
            "faq": name,
            "question": f"What is the {name} {thing} about?",
            "answer": f"Number {number}.",
            "asked": [f"{name} {thing}?", f"{thing} of {name}"],
        }
        for name in names
        for number, thing in enumerate("bus card desk door fee form gate hall key line".split())
    ]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


@cache
def vector(text):
    return SentenceEncoder.load().encode([text])[0]


def cosine(first, second):
    return float(vector(first) @ vector(second))


def test_lists_have_the_entry_and_the_nearest_others(tmp_path, monkeypatch):
    monkeypatch.setattr(f"{InventedFaqs.__module__}.VALIDATION_FAQS", 1)
    write_faqs(tmp_path / "faqs" / "1.jsonl", ["zoo"])
    write_faqs(tmp_path / "faqs" / "unseen" / "1.jsonl", ["port", "pool"])
    write_faqs(tmp_path / "faqs" / "uneven" / "1.jsonl", ["farm"])
    write_faqs(tmp_path / "faqs" / "held_out" / "1.jsonl", ["park"])
    data = InventedFaqs("invented-faqs", tmp_path / "faqs", tmp_path / "work")
    lists = {part: list(read_jsonl(data.part(part, bar))) for part in PARTS}
    times = [(tmp_path / "work" / f"{part}.jsonl").stat().st_mtime_ns for part in PARTS]
    again = InventedFaqs("invented-faqs", tmp_path / "faqs", tmp_path / "work")
    assert [again.part(part, bar).stat().st_mtime_ns for part in PARTS] == times, "written once"
    assert {part: len(found) for part, found in lists.items()} == {"train": 60, "validation": 20, "test": 20}
    for part, names in {"train": ("zoo", "port", "farm"), "validation": ("pool",), "test": ("park",)}.items():
        for one in lists[part]:
            [right] = [each.answer for each in one.candidates if each.label]
            [name] = [name for name in names if name in one.query]
            assert all(name in each.answer for each in one.candidates), "entries of its own FAQ alone"
            answers = {each.answer for each in one.candidates}
            assert len(answers) == (9 if part == "train" else 10)
            if part == "train":
                listed = {each.answer for other in lists[part] for each in other.candidates}
                [left_out] = {answer for answer in listed if name in answer} - answers
                least = min(cosine(one.query, answer) for answer in answers - {right})
                assert cosine(one.query, left_out) <= least + 1e-5, "the farthest one is left out"
            assert set(one.query.rstrip("?").split()) - {"of"} <= set(right.replace("?", "").split())


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    data = open_dataset("invented-faqs", FAQS, tmp_path_factory.mktemp("work"))
    return {part: data._faqs(part) for part in PARTS}


def test_answers_of_uneven_faqs_are_of_all_lengths():
    rows = [
        json.loads(line) for file in (FAQS / "uneven").glob("*.jsonl") for line in file.read_text("utf-8").splitlines()
    ]
    words = sorted(len(row["answer"].split()) for row in rows)
    assert (len({row["faq"] for row in rows}), len(rows)) == (542, 6996)
    assert words[len(words) // 10] < 15
    assert words[-len(words) // 10] > 120
    assert all(len(set(row["asked"])) == 3 and all(map(str.strip, row["asked"])) for row in rows)


def test_the_parts_share_no_entry_and_no_question_of_more_than_six_words(written):
    assert {part: len(faqs) for part, faqs in written.items()} == {
        "train": 1084,
        "validation": VALIDATION_FAQS,
        "test": 40,
    }
    seen: set[str] = set()
    for faqs in written.values():
        entries = {text for faq in faqs for text in faq.entries}
        asked = {question.casefold() for faq in faqs for question, _ in faq.asked if len(question.split()) > 6}
        assert seen.isdisjoint(entries | asked)
        seen |= entries | asked
