# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
import gzip
import tracemalloc
from pathlib import Path

import pytest

from answer_selection.indexing.candidates import (
    Candidate,
    CandidateList,
    CandidateSourceError,
    read_candidates,
    read_insuranceqa_corpus,
)
from answer_selection.indexing.corpus import Query
from answer_selection.indexing.entries import Entry

DEV = "question.dev.label.token_idx.pool"
TRAIN = "question.train.token_idx.label"
VALID = "InsuranceQA.question.anslabel.token.100.pool.solr.valid.encoded"
V2_TRAIN = "InsuranceQA.question.anslabel.token.100.pool.solr.train.encoded"
WORDS = "idx_1\twhat\nidx_2\tcovers\nidx_3\tflood\nidx_4\tyes\nidx_5\tno\nidx_6\tnan\n"
V1 = {
    "vocabulary": WORDS,
    "answers.label.token_idx": "1\tidx_4\n2\tidx_5 idx_3\n3\tidx_6\n",
    TRAIN: "idx_1 idx_2 idx_3\t1 3\nidx_1\t2\n",
    DEV: "2\tidx_1 idx_2\t3 2 1\n1 3\tidx_1\t3 2 1\n",
}
V2 = {
    "vocabulary": WORDS,
    "InsuranceQA.label2answer.token.encoded": V1["answers.label.token_idx"],
    "InsuranceQA.label2answer.raw.encoded": "1\tidx_1\n2\tidx_2\n3\tidx_3\n",
    VALID: "medicare\tidx_1 idx_2\t2\t3 2 3\nauto\tidx_1\t1\t3 2\n",
    V2_TRAIN: "auto\tidx_1\t1\t3 2\n",
    V2_TRAIN.replace("token", "raw"): "auto\tidx_1\t1\t3 2\n",
}


def write(folder: Path, files: dict[str, str], zipped: bool = False) -> Path:
    for name, text in files.items():
        if zipped:
            (folder / f"{name}.gz").write_bytes(gzip.compress(text.encode()))
        else:
            (folder / name).write_text(text, encoding="utf-8")
    return folder


@pytest.mark.parametrize("zipped", [False, True])
def test_version_1(tmp_path: Path, zipped: bool) -> None:
    path = write(tmp_path, V1, zipped) / (DEV + ".gz" * zipped)
    assert list(read_candidates(path)) == [
        CandidateList(
            "dev-1", "what covers", (Candidate("3", "nan", 0), Candidate("2", "no flood", 1), Candidate("1", "yes", 0))
        ),
        CandidateList(
            "dev-2", "what", (Candidate("3", "nan", 1), Candidate("2", "no flood", 0), Candidate("1", "yes", 1))
        ),
    ]


def test_version_1s_questions_to_learn_from_are_a_corpus(tmp_path: Path) -> None:
    entries, queries = read_insuranceqa_corpus(write(tmp_path, V1) / TRAIN)
    assert list(entries) == [Entry("1", "yes"), Entry("2", "no flood"), Entry("3", "nan")]
    assert list(queries) == [Query("train-1", "what covers flood", ("1", "3")), Query("train-2", "what", ("2",))]
    with pytest.raises(CandidateSourceError, match=r"has only right answers, .*read_insuranceqa_corpus"):
        next(read_candidates(tmp_path / TRAIN))


@pytest.mark.parametrize("zipped", [False, True])
def test_version_2(tmp_path: Path, zipped: bool) -> None:
    path = write(tmp_path, V2, zipped) / (VALID + ".gz" * zipped)
    first, second = read_candidates(path)
    assert first == CandidateList(
        "valid-1", "what covers", (Candidate("3", "nan", 0), Candidate("2", "no flood", 1)), {"domain": "medicare"}
    )
    # What the search did not find is not there to be found by a ranker either.
    assert [(one.candidate_id, one.label) for one in second.candidates] == [("3", 0), ("2", 0)]


def test_right_answers_outside_of_the_pool_are_there_to_learn_from(tmp_path: Path) -> None:
    [each] = read_candidates(write(tmp_path, V2) / V2_TRAIN)
    assert [(one.candidate_id, one.label) for one in each.candidates] == [("3", 0), ("2", 0), ("1", 1)]


def test_raw_text_has_answers_of_its_own(tmp_path: Path) -> None:
    [each] = read_candidates(write(tmp_path, V2) / V2_TRAIN.replace("token", "raw"))
    assert [one.answer for one in each.candidates] == ["flood", "covers", "what"]


def test_other_counts_than_stated_are_warned_of(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    list(read_candidates(write(tmp_path, V1) / DEV))
    v1 = "the description of InsuranceQA V1 states"
    assert caplog.messages == [
        f"{tmp_path / 'vocabulary'}: 6 words, but {v1} 22,353",
        f"{tmp_path / 'answers.label.token_idx'}: 3 answers, but {v1} 24,981",
        f"{tmp_path / DEV}: 2 questions, but {v1} 1,000",
        f"{tmp_path / DEV}: 2 questions with another number of candidates than 500, but {v1} 0",
    ]
    caplog.clear()
    list(read_candidates(write(tmp_path, V2) / VALID))
    v2 = "the description of InsuranceQA V2 states"
    assert caplog.messages == [
        f"{tmp_path / 'InsuranceQA.label2answer.token.encoded'}: 3 answers, but {v2} 27,413",
        f"{tmp_path / VALID}: 2 questions, but {v2} 2,000",
        f"{tmp_path / VALID}: 2 questions with another number of candidates than 100, but {v2} 0",
        f"{tmp_path / VALID}: 1 questions with a right answer in their pool, but {v2} 1,278",
    ]


@pytest.mark.slow
def test_the_whole_of_it_is_no_cause_for_a_warning_and_is_streamed(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    pool = " ".join(str(label) for label in range(1, 501))
    whole = {
        "vocabulary": "".join(f"idx_{i}\tw{i}\n" for i in range(22_353)),
        "answers.label.token_idx": "".join(f"{i}\tidx_{i % 22_353}\n" for i in range(1, 24_982)),
        DEV: f"7\tidx_3\t{pool}\n" * 1_000,
    }
    path = write(tmp_path, whole) / DEV
    lists = read_candidates(path)
    next(lists)
    tracemalloc.start()
    assert sum(len(each.candidates) for each in lists) == 999 * 500
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1e6 < path.stat().st_size
    # Of the reader: another library's may come from a thread of an earlier test.
    assert [record for record in caplog.records if record.name.startswith("answer_selection")] == []


@pytest.mark.parametrize(
    ("file", "old", "new", "expected"),
    [
        (DEV, "3 2 1\n1", "3 2 9\n1", f"{DEV}, line 1, field 'pool': there is no answer '9' in answers"),
        (DEV, "2\tidx_1", "8\tidx_1", f"{DEV}, line 1, field 'right answers': there is no answer '8' in answers.label"),
        (
            DEV,
            "\t3 2 1\n1",
            "\n1",
            f"{DEV}, line 1: expected 3 columns separated by tabs (right answers, question, pool), found 2",
        ),
        (DEV, "3\tidx_1\t3 2 1\n", "3\tidx_1\t", f"{DEV}, line 2, field 'pool': expected text, found nothing"),
        (DEV, "idx_1 idx_2", "idx_1 idx_77", f"{DEV}, line 1, field 'question': the word index 'idx_77' is not in the"),
        (
            "vocabulary",
            "\tcovers",
            "",
            "vocabulary, line 2: expected 2 columns separated by tabs (word index, word), found 1",
        ),
        (
            "vocabulary",
            "idx_6\tnan\n",
            "",
            "answers.label.token_idx, line 3, field 'answer': the word index 'idx_6' is not",
        ),
        (
            "answers.label.token_idx",
            "3\tidx_6",
            "2\tidx_6",
            "answers.label.token_idx, line 3, field 'label': the label '2' comes",
        ),
    ],
)
def test_broken_files_are_named(tmp_path: Path, file: str, old: str, new: str, expected: str) -> None:
    assert old in V1[file]
    path = write(tmp_path, V1 | {file: V1[file].replace(old, new, 1)}) / DEV
    with pytest.raises(CandidateSourceError) as caught:
        list(read_candidates(path))
    assert str(caught.value).startswith(str(tmp_path / expected))


@pytest.mark.parametrize("name", ["vocabulary", "InsuranceQA.label2answer.token.encoded"])
def test_a_file_that_is_not_there(tmp_path: Path, name: str) -> None:
    (write(tmp_path, V2) / name).unlink()
    with pytest.raises(CandidateSourceError) as caught:
        list(read_candidates(tmp_path / VALID))
    assert (
        str(caught.value) == f"{tmp_path / VALID}: expected the file {name}, or {name}.gz, beside it; there is neither"
    )


@pytest.mark.parametrize("name", ["vocabulary", "InsuranceQA.label2answer.token.encoded", VALID])
def test_a_gzip_file_that_is_cut_off(tmp_path: Path, name: str) -> None:
    packed = write(tmp_path, V2, zipped=True) / f"{name}.gz"
    packed.write_bytes(packed.read_bytes()[:-10])
    with pytest.raises(CandidateSourceError) as caught:
        list(read_candidates(tmp_path / f"{VALID}.gz"))
    message = str(caught.value)
    assert message.startswith(f"{packed}: expected a whole gzip file, but after line ")
    assert "cut off" in message


def test_damage_within_gzip(tmp_path: Path) -> None:
    packed = write(tmp_path, V2, zipped=True) / f"{VALID}.gz"
    whole = bytearray(packed.read_bytes())
    whole[-6] ^= 0xFF  # of the checksum
    packed.write_bytes(whole)
    with pytest.raises(CandidateSourceError, match="cut off or damaged: CRC check failed"):
        list(read_candidates(packed))
    packed.write_text(V2[VALID], encoding="utf-8")
    with pytest.raises(CandidateSourceError, match="cut off or damaged: Not a gzipped file"):
        list(read_candidates(packed))


def test_of_a_folder_one_split_is_named(tmp_path: Path) -> None:
    with pytest.raises(CandidateSourceError) as caught:
        read_candidates(write(tmp_path, V1))
    assert (
        str(caught.value) == f"{tmp_path}: holds InsuranceQA's splits; expected the file of one of them: {DEV}, {TRAIN}"
    )


def test_a_corpus_is_made_of_files_with_their_own_names(tmp_path: Path) -> None:
    with pytest.raises(CandidateSourceError, match=r"dev\.txt: expected a file of questions of InsuranceQA by its own"):
        read_insuranceqa_corpus(tmp_path / "dev.txt")
