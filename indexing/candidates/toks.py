# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
The ``toks`` format of answer selection papers' programs: four line-aligned files in one folder.

``a.toks`` has the question, ``b.toks`` the candidate answer, ``id.txt`` the question's id, ``sim.txt`` the label (1
correct, 0 wrong). Tokens are separated by spaces. A question's lines follow one another.
"""

from collections.abc import Iterator
from itertools import groupby, zip_longest
from pathlib import Path

from answer_selection.indexing.candidates.lists import (
    Candidate,
    CandidateList,
    CandidateSourceError,
    check_ids,
    label_of,
    place,
    text_lines,
)

_FILES = ("id.txt", "a.toks", "b.toks", "sim.txt")


def read_toks(folder: str | Path) -> Iterator[CandidateList]:
    """
    Stream a ``toks`` folder.

    :param folder: has ``a.toks``, ``b.toks``, ``id.txt`` and ``sim.txt``.
    :returns: one list a question; a candidate's id is the question's id, a hyphen, and its place from 0.
    :raises CandidateSourceError: if a file is missing or ends before the others, a line is empty, a label is neither 0
        nor 1, an id has white space in it, or a question's lines do not follow one another; names file and line.
    """
    folder = Path(folder)
    seen: set[str] = set()
    for query_id, rows in groupby(_rows(folder), key=lambda row: row[1]):
        candidates: list[Candidate] = []
        query = ""
        for number, _, question, answer, label in rows:
            if not candidates:
                query = question
                if query_id in seen:
                    msg = (
                        f"{place(folder / 'id.txt', number)}: the id {query_id!r} comes again after other ids; "
                        "expected all lines of a question to follow one another"
                    )
                    raise CandidateSourceError(msg)
                check_ids(query_id, (), place(folder / "id.txt", number))
                seen.add(query_id)
            elif question != query:
                where = place(folder / "a.toks", number)
                msg = f"{where}: expected {query!r}, the question of id {query_id!r}, found {question!r}"
                raise CandidateSourceError(msg)
            candidates.append(Candidate(f"{query_id}-{len(candidates)}", answer, label))
        yield CandidateList(query_id, query, tuple(candidates))


def _rows(folder: Path) -> Iterator[tuple[int, str, str, str, int]]:
    files = [text_lines(folder / name) for name in _FILES]
    for number, lines in enumerate(zip_longest(*files), start=1):
        values = []
        for name, line in zip(_FILES, lines, strict=True):
            if line is None:
                longer = next(other for other, its in zip(_FILES, lines, strict=True) if its is not None)
                msg = f"{folder / name}: ends after line {number - 1}, but {longer} goes on; expected equal lengths"
                raise CandidateSourceError(msg)
            value = line[1].strip()
            if not value:
                msg = f"{place(folder / name, number)}: the line is empty"
                raise CandidateSourceError(msg)
            values.append(value)
        query_id, question, answer, label = values
        yield number, query_id, question, answer, label_of(label, folder / "sim.txt", number)
