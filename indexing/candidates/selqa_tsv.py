# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
SelQA's answer sentence selection for experiments: ``selqa-ass-{train,dev,test}.tsv``, question, sentence, label.

The source is Jurczyk et al. 2016, "SelQA: a new benchmark for selection-based question answering". Tokens are separated
by spaces; there are no field names.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from answer_selection.indexing.candidates.lists import CandidateList, check_count
from answer_selection.indexing.candidates.triples import read_triples

_SPLIT = re.compile(r"selqa-ass-(train|dev|test)\.")
_QUESTIONS = {"train": 5_529, "dev": 785, "test": 1_590}


def read_selqa_tsv(path: str | Path) -> Iterator[CandidateList]:
    """
    Stream a file of SelQA.

    :param path: the file.
    :returns: one list a question, in the file's order. Two questions with the same words, one after the other, are one.
    :raises CandidateSourceError: if a line has not three columns, one is empty, or a label is neither 0 nor 1; names
        file, line and field.
    """
    path = Path(path)
    count = 0
    for _, candidates in read_triples(path):
        count += 1
        yield candidates
    check_questions(path, count)


def check_questions(path: Path, count: int) -> None:
    """
    Compare the number of a split's questions with the stated one.

    :param path: the file, whose name says which split it is.
    :param count: how many it has.
    """
    if found := _SPLIT.match(path.name.lower()):
        check_count(path, "questions", count, _QUESTIONS[found[1]], f"SelQA's description of {found[1]}")
