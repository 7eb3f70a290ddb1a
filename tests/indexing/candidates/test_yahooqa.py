# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
import gzip
from pathlib import Path

import pytest

from answer_selection.indexing.candidates import (
    Candidate,
    CandidateList,
    CandidateSourceError,
    read_candidates,
    read_yahooqa_tsv,
)

LINES = (
    'how do i boil "an egg ?\ttwo minutes is\t0\n'
    'how do i boil "an egg ?\tin hot water , of course\t1\n'
    "who is there ?\tnobody i know\t1\n"
)


def test_yahooqa(tmp_path: Path) -> None:
    path = tmp_path / "dev.tsv"
    path.write_text(LINES, encoding="utf-8")
    expected = [
        CandidateList(
            "1",
            'how do i boil "an egg ?',
            (Candidate("1-0", "two minutes is", 0), Candidate("1-1", "in hot water , of course", 1)),
        ),
        CandidateList("2", "who is there ?", (Candidate("2-0", "nobody i know", 1),)),
    ]
    assert list(read_candidates(path)) == expected
    packed = tmp_path / "dev.tsv.gz"
    packed.write_bytes(gzip.compress(LINES.encode()))
    assert list(read_candidates(packed)) == expected


@pytest.mark.parametrize(
    ("name", "split", "questions", "pairs"),
    [
        ("train.tsv", "train", 50_112, 253_440),
        ("yahooqa_dev.tsv", "dev", 6_289, 31_680),
        ("TEST.tsv", "test", 6_283, 31_680),
    ],
)
def test_other_counts_than_stated_are_warned_of(
    tmp_path: Path, name: str, split: str, questions: int, pairs: int, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / name
    path.write_text(LINES, encoding="utf-8")
    list(read_yahooqa_tsv(path))
    assert caplog.messages == [
        f"{path}: 2 lists of another size than 5 candidates, 1 of them right, but the description of YahooQA states 0",
        f"{path}: 2 questions, but the description of YahooQA's {split} split states {questions:,}",
        f"{path}: 3 pairs, but the description of YahooQA's {split} split states {pairs:,}",
    ]


def test_of_a_file_with_another_name_only_the_lists_size_is_known(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "latest-trains.tsv"
    path.write_text("".join(f"a b ?\tan answer {i}\t{int(i == 3)}\n" for i in range(5)), encoding="utf-8")
    [each] = read_candidates(path)
    assert [candidate.label for candidate in each.candidates] == [0, 0, 0, 1, 0]
    assert caplog.messages == []


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("\t0\n", "\n", ", line 1: expected question, answer and label, separated by tabs, found 2 columns"),
        (
            "egg ?\tin",
            "egg ?\tx\tin",
            ", line 2: expected question, answer and label, separated by tabs, found 4 columns",
        ),
        ("know\t1\n", "know\t", ", line 3, field 'label': expected the label 0 or 1, found ''"),
        (
            "who is there ?\tnobody i know\t1\n",
            "who is",
            ", line 3: expected question, answer and label, separated by tabs, found 1 column",
        ),
        ("two minutes is", " ", ", line 1, field 'answer': expected text, found nothing"),
        ("who is there ?", "", ", line 3, field 'question': expected text, found nothing"),
        (
            "know\t1\n",
            'know\t1\nhow do i boil "an egg ?\tno\t0\n',
            ", line 4, field 'question': it comes again after others",
        ),
    ],
)
def test_broken_lines_are_named(tmp_path: Path, old: str, new: str, expected: str) -> None:
    assert old in LINES
    path = tmp_path / "train.tsv"
    path.write_text(LINES.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(CandidateSourceError) as caught:
        list(read_yahooqa_tsv(path))
    assert str(caught.value).startswith(f"{path}{expected}")


def test_a_gzip_file_that_is_cut_off(tmp_path: Path) -> None:
    path = tmp_path / "train.tsv.gz"
    path.write_bytes(gzip.compress("".join(f"question {i} ?\tanswer {i}\t1\n" for i in range(20_000)).encode())[:-100])
    with pytest.raises(CandidateSourceError, match=r"train\.tsv\.gz: expected a whole gzip file, but after line 1\d+ "):
        list(read_candidates(path))


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(CandidateSourceError, match=r"train\.tsv: cannot be read: No such file"):
        list(read_candidates(tmp_path / "train.tsv"))
