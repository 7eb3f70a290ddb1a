# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""CSV and TSV with a first line of field names."""

import csv
import re
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import BinaryIO, Final

from answer_selection.indexing.formats.lines import Line, iter_lines, plain_newlines
from answer_selection.indexing.formats.markup import readable_value
from answer_selection.indexing.formats.questions import asks
from answer_selection.indexing.formats.raw import (
    ANSWER_FIELDS,
    QUESTION_FIELDS,
    Problem,
    RawEntry,
    find_field,
    find_own,
    find_renamed,
)
from answer_selection.indexing.formats.readable import CutOffHtmlError

_SEPARATORS: Final = ",;\t"
# Above the names of fields: for Excel, which asks nobody else.
_EXCELS: Final = re.compile(r"\"?sep=(.)\"?", re.IGNORECASE)
# Where a quote is never closed, so much is read before that is noticed; Python's own limit is 131,072.
_PAIR: Final = 2
_LONGEST_FIELD: Final = 1 << 20


def read_csv(
    stream: BinaryIO, encoding: str | None = None, *, columns: Mapping[str, str] | None = None
) -> Iterator[RawEntry | Problem]:
    """
    Read CSV, separated by commas, semicolons or tabs: by that which parts the first line into an answer and others.

    :param stream: the file's bytes.
    :param encoding: the declared encoding, if any.
    :param columns: our names of fields and the file's own, where these are others.
    :returns: one raw entry a row, without its empty fields; for a broken row a problem, after which reading goes on.
    :raises EncodingError: if the bytes are not text in a known encoding.
    """
    return _read(iter_lines(stream, encoding), _SEPARATORS, columns or {})


def read_tsv(
    stream: BinaryIO, encoding: str | None = None, *, columns: Mapping[str, str] | None = None
) -> Iterator[RawEntry | Problem]:
    """
    Read TSV; as in CSV, a field with a tab or a line end in it stands in double quotes.

    :param stream: the file's bytes.
    :param encoding: the declared encoding, if any.
    :param columns: our names of fields and the file's own, where these are others.
    :returns: as in :func:`read_csv`.
    :raises EncodingError: if the bytes are not text in a known encoding.
    """
    return _read(iter_lines(stream, encoding), "\t", columns or {})


def _read(lines: Iterator[Line], separators: str, columns: Mapping[str, str]) -> Iterator[RawEntry | Problem]:
    first = next(lines, None)
    if first is not None and (excels := _EXCELS.fullmatch(first.text.rstrip("\r\n"))):
        separators, first = excels[1], next(lines, None)
    if first is None:
        return
    rows = _rows(first, lines, _separator(first.text, separators, columns))
    header = next(rows, None)
    if header is None:
        return
    if isinstance(header, Problem):
        yield header
        return
    names = [name.strip() for name in header[1]]
    # Spreadsheets write columns and rows that are empty at the end of a table.
    while names and not names[-1]:
        names.pop()
    problem = header_problem(names, columns)
    if problem is not None and not columns and _is_a_pair(names):
        # As bots take them: without names of fields.
        rows = chain([header], rows)
        names = ["question", "answer"]
    elif problem is not None:
        yield Problem(header[0], None, problem)
        return
    for row in rows:
        if isinstance(row, Problem):
            yield row
        elif len(row[1]) < len(names) or any(value.strip() for value in row[1][len(names) :]):
            yield Problem(row[0], None, f"expected {len(names)} fields, as in the first line, found {len(row[1])}")
        else:
            yield from table_entries(row[0], names, row[1], columns)


def table_entries(
    place: str, names: Sequence[str], row: Sequence[str], columns: Mapping[str, str]
) -> Iterator[RawEntry | Problem]:
    """
    Make an entry of a table's row.

    :param place: where it is.
    :param names: the names of its columns.
    :param row: its cells.
    :param columns: our names of fields and the table's own, where these are others.
    :returns: the entry, without the row's empty cells, or a problem; nothing if all are empty. HTML in its question and
        its answer becomes readable text.
    """
    fields = {name: value for name, value in zip(names, row, strict=False) if value.strip()}
    try:
        for aliases in (QUESTION_FIELDS, ANSWER_FIELDS):
            if name := find_own(fields, columns, aliases):
                fields[name] = readable_value(plain_newlines(fields[name]))
    except CutOffHtmlError as error:
        yield Problem(place, None, str(error))
        return
    if fields:
        yield RawEntry(place, fields, columns=names)


def _is_a_pair(cells: Sequence[str]) -> bool:
    """Whether a first line is a question with its answer."""
    return len(cells) == _PAIR and asks(cells[0]) and not asks(cells[1])


def _separator(line: str, separators: str, columns: Mapping[str, str]) -> str:
    """Choose what parts the first line so that it names an answer; or else what parts it most often."""

    def names(separator: str) -> list[str]:
        try:
            return [name.strip() for name in next(csv.reader([line], delimiter=separator), [])]
        except csv.Error:
            return []

    found = (separator for separator in separators if header_problem(names(separator), columns) is None)
    return next(found, None) or max(separators, key=lambda separator: len(names(separator)))


def header_problem(names: Sequence[str], columns: Mapping[str, str]) -> str | None:
    """
    Say what is wrong with the names of a table's columns.

    :param names: the names, without white space around them.
    :param columns: our names of fields and the table's own, where these are others.
    :returns: what was found and what was expected, or None.
    """
    expected = "expected the first line to hold the field names, with 'answer' (or 'a') among them"
    try:
        answers = find_renamed(names, columns, ANSWER_FIELDS)
    except ValueError as error:
        return f"two columns have one name: {error}"
    if answers is None:
        absent = [f"{ours}={theirs}" for ours, theirs in columns.items() if find_field(names, (theirs,)) is None]
        how = "Say which of them it is: --columns question=COLUMN,answer=COLUMN"
        if find_field(columns, ANSWER_FIELDS) is not None:
            how = f"None of them is what --columns {','.join(absent)} names"
        return f"{expected}; found {', '.join(map(repr, names))}. {how}"
    for index, name in enumerate(names):
        if not name or name in names[:index]:
            return f"{expected}; the name of column {index + 1} is {'empty' if not name else f'{name!r} again'}"
    return None


def _rows(first: Line, lines: Iterator[Line], delimiter: str) -> Iterator[tuple[str, list[str]] | Problem]:
    waiting: deque[Line] = deque([first])
    taken: list[Line] = []

    def feed() -> Iterator[str]:
        while True:
            line = waiting.popleft() if waiting else next(lines, None)
            if line is None:
                return
            taken.append(line)
            yield line.text

    # The limit is one for the whole process. It is never made lower: somebody else may have raised it.
    csv.field_size_limit(max(csv.field_size_limit(), _LONGEST_FIELD))
    reader = csv.reader(feed(), delimiter=delimiter, strict=True)
    while True:
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            if not taken:
                return
            what = f"its quotes are wrong: {error}"
            if "field limit" in str(error):
                what = f"one of them has more than {csv.field_size_limit():,} characters, or its quote is never closed"
            yield Problem(f"line {taken[0].number}", None, f"expected a row of fields, but {what}")
            # A quote that is never closed swallows what follows: begin again at the next line.
            waiting.extendleft(reversed(taken[1:]))
            reader = csv.reader(feed(), delimiter=delimiter, strict=True)
        else:
            place = f"line {taken[0].number}"
            broken = next((line for line in taken if line.problem is not None), None)
            if broken is not None:
                yield Problem(f"line {broken.number}", None, broken.problem or "")
            elif row:
                yield place, row
        taken.clear()
