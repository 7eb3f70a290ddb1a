# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Lines of question, answer and label, separated by tabs, with no names and no ids: what YahooQA and SelQA have."""

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from answer_selection.indexing.candidates.lists import (
    Candidate,
    CandidateList,
    CandidateSourceError,
    label_of,
    place,
    text_lines,
)


def read_triples(path: Path) -> Iterator[tuple[int, CandidateList]]:
    """
    Stream a file of such lines; those that follow one another with the same question are one list.

    :param path: the file.
    :returns: the line that a list begins in, and the list. A question's id is its number, counted from 1; a candidate's
        id is that, a hyphen, and its place from 0.
    :raises CandidateSourceError: if a line has not three columns, question or answer is empty, or a label is neither 0
        nor 1; names file, line and field.
    """
    for number, (question, group) in enumerate(groupby(_rows(path), key=lambda row: row[1]), start=1):
        rows = list(group)
        candidates = (Candidate(f"{number}-{index}", answer, label) for index, (_, _, answer, label) in enumerate(rows))
        yield rows[0][0], CandidateList(str(number), question, tuple(candidates))


def _rows(path: Path) -> Iterator[tuple[int, str, str, int]]:
    for number, text in text_lines(path):
        if not text.strip():
            continue
        values = [value.strip() for value in text.split("\t")]
        if len(values) != 3:
            msg = f"{place(path, number)}: expected question, answer and label, separated by tabs, found {len(values)} "
            raise CandidateSourceError(msg + ("column" if len(values) == 1 else "columns"))
        for name, value in zip(("question", "answer"), values, strict=False):
            if not value:
                msg = f"{place(path, number, name)}: expected text, found nothing"
                raise CandidateSourceError(msg)
        question, answer, label = values
        yield number, question, answer, label_of(label, path, number, "label")
