# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
import json
from pathlib import Path
from typing import Any

import pytest

from answer_selection.indexing.candidates import (
    Candidate,
    CandidateList,
    CandidateSourceError,
    read_candidates,
    read_selqa_json,
    read_selqa_tsv,
)

TSV = "What is it ?\tIt is a cave .\t1\nWhat is it ?\tNo .\t0\nWhat is it for ?\tBears .\t1\nWhat is it ?\tIce .\t1\n"
META = {"article": "Cave", "section": "Uses", "topic": "TRAVEL", "q_types": ["what"], "is_paraphrase": False}
PUBLISHED: list[dict[str, Any]] = [
    {"question": "What is it?", **META, "candidates": ["It is a cave.", " ", "No."], "answers": [0]},
    {"question": "What is it for?", **META, "candidates": ["Bears.", "Ice."], "answers": [0, 1]},
]
EARLIER = [
    {"question": "What is it?", **META, "sentences": ["It is a cave.", " ", "No."], "candidates": [0]},
    {"question": "What is it for?", **META, "sentences": ["Bears.", "Ice."], "candidates": [0, 1]},
]
LISTS = [
    CandidateList("1", "What is it?", (Candidate("1-0", "It is a cave.", 1), Candidate("1-2", "No.", 0)), META),
    CandidateList("2", "What is it for?", (Candidate("2-0", "Bears.", 1), Candidate("2-1", "Ice.", 1)), META),
]


def test_json_as_published_is_one_array(tmp_path: Path) -> None:
    path = tmp_path / "selqa-ass-dev.json"
    path.write_text(json.dumps(PUBLISHED) + "\n", encoding="utf-8")
    assert list(read_candidates(path)) == LISTS


def test_json_of_the_earlier_edition_is_one_object_a_line(tmp_path: Path) -> None:
    path = tmp_path / "SelQA-ass-dev.json"
    path.write_text("".join(json.dumps(row) + "\n" for row in EARLIER) + "\n", encoding="utf-8")
    assert list(read_candidates(path)) == LISTS


@pytest.mark.parametrize("name", ["selqa-ass-train.tsv", "SelQA-ass-train.txt"])
def test_tsv(tmp_path: Path, name: str, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / name
    path.write_text(TSV, encoding="utf-8")
    first, *others = read_candidates(path)
    assert first == CandidateList(
        "1", "What is it ?", (Candidate("1-0", "It is a cave .", 1), Candidate("1-1", "No .", 0))
    )
    # Other annotators asked the same of other sections.
    assert [each.query for each in others] == ["What is it for ?", "What is it ?"]
    assert caplog.messages == [f"{path}: 3 questions, but SelQA's description of train states 5,529"]


@pytest.mark.parametrize(("split", "stated"), [("train", "5,529"), ("dev", "785"), ("test", "1,590")])
def test_another_count_than_stated_is_warned_of(
    tmp_path: Path, split: str, stated: str, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / f"selqa-ass-{split}.json"
    path.write_text(json.dumps(PUBLISHED), encoding="utf-8")
    list(read_selqa_json(path))
    assert caplog.messages == [f"{path}: 2 questions, but SelQA's description of {split} states {stated}"]


def test_the_whole_of_it_is_no_cause_for_a_warning(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "selqa-ass-dev.tsv"
    path.write_text("".join(f"what {i} ?\tthat .\t1\n" for i in range(785)), encoding="utf-8")
    assert sum(1 for _ in read_candidates(path)) == 785
    assert caplog.messages == []


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"question": ""}, "field '[1].question': expected text, found nothing"),
        ({"question": 7}, "field '[1].question': expected text, found a number"),
        ({"candidates": []}, "field '[1].candidates': expected a list of sentences, found nothing"),
        ({"candidates": ["x", 1]}, "field '[1].candidates': expected a list of sentences, found an array"),
        ({"answers": None}, "field '[1].answers': expected a list of places, found nothing"),
        ({"answers": ["0"]}, "field '[1].answers': expected a list of places, found an array"),
        ({"answers": [0, 2]}, "field '[1].answers': there is no sentence 2; expected a place from 0 to 1"),
        ({"answers": [-1]}, "field '[1].answers': there is no sentence -1; expected a place from 0 to 1"),
    ],
)
def test_broken_items_are_named(tmp_path: Path, change: dict[str, Any], expected: str) -> None:
    path = tmp_path / "a.json"
    path.write_text(json.dumps([PUBLISHED[0], PUBLISHED[1] | change]), encoding="utf-8")
    with pytest.raises(CandidateSourceError) as caught:
        list(read_selqa_json(path))
    assert str(caught.value) == f"{path}, line 1, {expected}"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (json.dumps(PUBLISHED)[:-20], ", line 1: expected JSON, but at column "),
        (json.dumps(EARLIER[0]) + "\n" + json.dumps(EARLIER[1])[:-5], ", line 2: expected JSON, but at column "),
        ("[7]", ", line 1, field '[0]': expected a JSON object, found a number"),
        (
            '{"question": "x", "sentences": ["y"], "candidates": [1]}',
            ", line 1, field 'candidates': there is no sentence 1",
        ),
        ("7", ", line 1: expected a JSON object, found a number"),
    ],
)
def test_broken_json(tmp_path: Path, text: str, expected: str) -> None:
    path = tmp_path / "a.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(CandidateSourceError) as caught:
        list(read_candidates(path))
    assert str(caught.value).startswith(f"{path}{expected}")


def test_broken_tsv(tmp_path: Path) -> None:
    path = tmp_path / "selqa-ass-dev.tsv"
    path.write_text(TSV[:-3], encoding="utf-8")
    with pytest.raises(CandidateSourceError) as caught:
        list(read_selqa_tsv(path))
    assert str(caught.value).startswith(
        f"{path}, line 4: expected question, answer and label, separated by tabs, found 2"
    )
