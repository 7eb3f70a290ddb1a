# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
InsuranceQA's own files, version 1 and version 2, gzipped as published or unpacked.

The source is Feng et al. 2015, "Applying deep learning to answer selection: a study and an open task". All text is in
word indexes (``idx_17``), which the file ``vocabulary`` turns into words; questions name answers by their labels, which
stand in a file of their own. The three lie in one folder, and the file of questions names the split:

- version 1: ``answers.label.token_idx`` (label, text), ``question.train.token_idx.label`` (question, right labels),
  ``question.{dev,test1,test2}.label.token_idx.pool`` (right labels, question, pool of 500 labels);
- version 2: ``InsuranceQA.label2answer.{token,raw}.encoded`` (label, text) and
  ``InsuranceQA.question.anslabel.{token,raw}.{100,500,1000,1500}.pool.solr.{train,valid,test}.encoded`` (domain,
  question, right labels, pool).
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from answer_selection.indexing.candidates.lists import (
    Candidate,
    CandidateList,
    CandidateSourceError,
    check_count,
    place,
    text_lines,
)
from answer_selection.indexing.corpus import Query
from answer_selection.indexing.entries import Entry

_V1 = re.compile(
    r"question\.(?P<split>train)\.token_idx\.label|question\.(?P<pooled>dev|test1|test2)\.label\.token_idx\.pool"
)
_V2 = re.compile(
    r"InsuranceQA\.question\.anslabel\.(?P<text>token|raw)\.(?P<pool>100|500|1000|1500)\.pool\.solr\."
    r"(?P<split>train|valid|test)\.encoded"
)
# GGSA's paper, table 1, which agrees with Feng et al.
_V1_QUESTIONS = {"train": 12_887, "dev": 1_000, "test1": 1_800, "test2": 1_800}
# Sums and parts of what the README of version 2 states; the parts hold for tokenized text alone.
_V2_QUESTIONS = {"train": 12_889, "valid": 2_000, "test": 2_000}
_V2_WITH_TRUTH = {
    (100, "train"): 8_311,
    (100, "valid"): 1_278,
    (100, "test"): 1_323,
    (500, "train"): 10_391,
    (500, "valid"): 1_592,
    (500, "test"): 1_625,
    (1000, "train"): 11_069,
    (1000, "valid"): 1_721,
    (1000, "test"): 1_744,
    (1500, "train"): 11_428,
    (1500, "valid"): 1_776,
    (1500, "test"): 1_799,
}


@dataclass(frozen=True, slots=True)
class _Layout:
    """What a file of questions has in its columns, what lies beside it, and how much of each there should be."""

    source: str
    split: str
    columns: tuple[str, ...]
    answers: str
    pool: int | None
    stated_vocabulary: int | None
    stated_answers: int
    stated_questions: int
    stated_with_truth: int | None


@dataclass(frozen=True, slots=True)
class _Question:
    text: str
    right: tuple[str, ...]
    pool: tuple[str, ...]
    domain: str | None


def is_insuranceqa(path: Path) -> bool:
    """
    Tell InsuranceQA's files of questions by their names.

    :param path: a file.
    :returns: whether it is named like one of them.
    """
    return _layout(path) is not None


def read_insuranceqa(path: str | Path) -> Iterator[CandidateList]:
    """
    Stream the questions of one split with their pools.

    In version 2 a pool is what a search found, and may lack the right answer. For training it is put at the end; in
    ``valid`` and ``test`` the lists stay as published.

    :param path: a file of questions that has pools; vocabulary and answers lie beside it.
    :returns: one list a question, in the file's order. A candidate's id is its label; version 2's domain is in the
        ``query_meta``.
    :raises CandidateSourceError: if the file has no pools (``question.train.token_idx.label``), a file beside it is
        missing, a line has another number of columns, or a word index or a label does not exist; names file, line,
        field.
    """
    path = Path(path)
    layout = _layout_of(path)
    if layout.pool is None:
        msg = (
            f"{path}: has only right answers, no candidates to learn from. Make a corpus of it "
            "(read_insuranceqa_corpus), then sample candidates with `answer-selection negatives`"
        )
        raise CandidateSourceError(msg)
    vocabulary = _vocabulary(path, layout)
    answers = dict(_answers(path, layout, vocabulary))
    odd = with_truth = 0
    for number, question in enumerate(_questions(path, layout, vocabulary, answers), start=1):
        odd += len(question.pool) != layout.pool
        with_truth += not set(question.right).isdisjoint(question.pool)
        # A label that a pool names twice is one candidate.
        labels = dict.fromkeys(question.pool + (question.right if layout.split == "train" else ()))
        yield CandidateList(
            f"{layout.split}-{number}",
            question.text,
            tuple(Candidate(label, answers[label], int(label in question.right)) for label in labels),
            {} if question.domain is None else {"domain": question.domain},
        )
    check_count(path, f"questions with another number of candidates than {layout.pool}", odd, 0, layout.source)
    check_count(
        path, "questions with a right answer in their pool", with_truth, layout.stated_with_truth, layout.source
    )


def read_insuranceqa_corpus(path: str | Path) -> tuple[Iterator[Entry], Iterator[Query]]:
    """
    Stream all answers as a corpus, and the questions of one split as its queries.

    :param path: a file of questions; vocabulary and answers lie beside it.
    :returns: the answers, each with its label as id, and the queries; each iterator reads the files for itself.
    :raises CandidateSourceError: while iterating, as :func:`read_insuranceqa`.
    """
    path = Path(path)
    layout = _layout_of(path)
    return _entries(path, layout), _queries(path, layout)


def _entries(path: Path, layout: _Layout) -> Iterator[Entry]:
    for label, answer in _answers(path, layout, _vocabulary(path, layout)):
        yield Entry(label, answer)


def _queries(path: Path, layout: _Layout) -> Iterator[Query]:
    vocabulary = _vocabulary(path, layout)
    answers = dict(_answers(path, layout, vocabulary))
    for number, question in enumerate(_questions(path, layout, vocabulary, answers), start=1):
        yield Query(f"{layout.split}-{number}", question.text, question.right)


def _layout(path: Path) -> _Layout | None:
    name = path.name.removesuffix(".gz")
    if match := _V1.fullmatch(name):
        split = match["split"] or match["pooled"]
        return _Layout(
            source="the description of InsuranceQA V1",
            split=split,
            columns=("question", "right answers") if match["split"] else ("right answers", "question", "pool"),
            answers="answers.label.token_idx",
            pool=None if match["split"] else 500,
            stated_vocabulary=22_353,
            stated_answers=24_981,
            stated_questions=_V1_QUESTIONS[split],
            stated_with_truth=None,
        )
    if match := _V2.fullmatch(name):
        split, pool = match["split"], int(match["pool"])
        return _Layout(
            source="the description of InsuranceQA V2",
            split=split,
            columns=("domain", "question", "right answers", "pool"),
            answers=f"InsuranceQA.label2answer.{match['text']}.encoded",
            pool=pool,
            stated_vocabulary=None,
            stated_answers=27_413,
            stated_questions=_V2_QUESTIONS[split],
            stated_with_truth=_V2_WITH_TRUTH[pool, split] if match["text"] == "token" else None,
        )
    return None


def _layout_of(path: Path) -> _Layout:
    layout = _layout(path)
    if layout is None:
        msg = (
            f"{path}: expected a file of questions of InsuranceQA by its own name, such as "
            "question.dev.label.token_idx.pool or InsuranceQA.question.anslabel.token.500.pool.solr.valid.encoded.gz"
        )
        raise CandidateSourceError(msg)
    return layout


def _rows(path: Path, columns: tuple[str, ...]) -> Iterator[tuple[int, list[str]]]:
    for number, text in text_lines(path):
        if not text:
            continue
        values = text.split("\t")
        if len(values) != len(columns):
            expected = f"{len(columns)} columns separated by tabs ({', '.join(columns)})"
            msg = f"{place(path, number)}: expected {expected}, found {len(values)}"
            raise CandidateSourceError(msg)
        for name, value in zip(columns, values, strict=True):
            if not value:
                msg = f"{place(path, number, name)}: expected text, found nothing"
                raise CandidateSourceError(msg)
        yield number, values


def _beside(path: Path, name: str) -> Path:
    for companion in (path.with_name(name), path.with_name(f"{name}.gz")):
        if companion.is_file():
            return companion
    msg = f"{path}: expected the file {name}, or {name}.gz, beside it; there is neither"
    raise CandidateSourceError(msg)


def _vocabulary(path: Path, layout: _Layout) -> dict[str, str]:
    companion = _beside(path, "vocabulary")
    words = {index: word for _, (index, word) in _rows(companion, ("word index", "word"))}
    check_count(companion, "words", len(words), layout.stated_vocabulary, layout.source)
    return words


def _text(indexes: str, vocabulary: Mapping[str, str], path: Path, line: int, field: str) -> str:
    words = indexes.split()
    for index in words:
        if index not in vocabulary:
            msg = f"{place(path, line, field)}: the word index {index!r} is not in the vocabulary"
            raise CandidateSourceError(msg)
    return " ".join(vocabulary[index] for index in words)


def _answers(path: Path, layout: _Layout, vocabulary: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    companion = _beside(path, layout.answers)
    seen: set[str] = set()
    for line, (label, indexes) in _rows(companion, ("label", "answer")):
        if label in seen:
            msg = f"{place(companion, line, 'label')}: the label {label!r} comes twice; expected each label once"
            raise CandidateSourceError(msg)
        seen.add(label)
        yield label, _text(indexes, vocabulary, companion, line, "answer")
    check_count(companion, "answers", len(seen), layout.stated_answers, layout.source)


def _questions(
    path: Path, layout: _Layout, vocabulary: Mapping[str, str], answers: Mapping[str, str]
) -> Iterator[_Question]:
    count = 0
    for line, values in _rows(path, layout.columns):
        row = dict(zip(layout.columns, values, strict=True))
        labels: dict[str, tuple[str, ...]] = {}
        for field in ("right answers", "pool"):
            labels[field] = tuple(row.get(field, "").split())
            for label in labels[field]:
                if label not in answers:
                    msg = f"{place(path, line, field)}: there is no answer {label!r} in {layout.answers}"
                    raise CandidateSourceError(msg)
        text = _text(row["question"], vocabulary, path, line, "question")
        count += 1
        yield _Question(text, labels["right answers"], labels["pool"], row.get("domain"))
    check_count(path, "questions", count, layout.stated_questions, layout.source)
