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

from answer_selection.indexing.formats.lines import Line, iter_lines
from answer_selection.indexing.formats.questions import asks
from answer_selection.indexing.formats.raw import Problem, RawEntry
from answer_selection.indexing.formats.tables import MOST_ABOVE, column_names, header_problem, table_entries
from answer_selection.indexing.source_link import SOURCE_FIELD, is_url

_SEPARATORS: Final = ",;\t"
# Above the names of fields: for Excel, which asks nobody else.
_EXCELS: Final = re.compile(r"\"?sep=(.)\"?", re.IGNORECASE)
# Where a quote is never closed, so much is read before that is noticed; Python's own limit is 131,072.
_LONGEST_FIELD: Final = 1 << 20


def read_csv(
    stream: BinaryIO,
    encoding: str | None = None,
    *,
    columns: Mapping[str, str] | None = None,
    base_url: str | None = None,
) -> Iterator[RawEntry | Problem]:
    """
    Read CSV, separated by commas, semicolons or tabs: by that which parts the first line into an answer and others.

    :param stream: the file's bytes.
    :param encoding: the declared encoding, if any.
    :param columns: our names of fields and the file's own, where these are others.
    :param base_url: the file's address: links in HTML that are relative to it become absolute.
    :returns: one raw entry a row, without its empty fields; for a broken row a problem, after which reading goes on.
    :raises EncodingError: if the bytes are not text in a known encoding.
    """
    return _read(iter_lines(stream, encoding), _SEPARATORS, columns or {}, base_url)


def read_tsv(
    stream: BinaryIO,
    encoding: str | None = None,
    *,
    columns: Mapping[str, str] | None = None,
    base_url: str | None = None,
) -> Iterator[RawEntry | Problem]:
    """
    Read TSV; as in CSV, a field with a tab or a line end in it stands in double quotes.

    :param stream: the file's bytes.
    :param encoding: the declared encoding, if any.
    :param columns: our names of fields and the file's own, where these are others.
    :param base_url: the file's address: links in HTML that are relative to it become absolute.
    :returns: as in :func:`read_csv`.
    :raises EncodingError: if the bytes are not text in a known encoding.
    """
    return _read(iter_lines(stream, encoding), "\t", columns or {}, base_url)


def _read(
    lines: Iterator[Line], separators: str, columns: Mapping[str, str], base_url: str | None
) -> Iterator[RawEntry | Problem]:
    first = next(lines, None)
    if first is not None and (excels := _EXCELS.fullmatch(first.text.rstrip("\r\n"))):
        separators, first = excels[1], next(lines, None)
    if first is None:
        return
    rows = _rows(first, lines, _separator(first.text, separators, columns))
    header = _header(rows, columns)
    if header is None:
        return
    if isinstance(header, Problem):
        yield header
        return
    names = column_names(header[1], columns)
    problem = header_problem(names, columns)
    if problem is not None and not columns and (given := _names_of_a_pair(names)):
        # As bots take them: without names of fields.
        rows, names = chain([header], rows), given
        message = "it names no columns, and was read as a question with its answer"
        yield Problem(header[0], None, message, nothing=True)
    elif problem is not None:
        yield Problem(header[0], None, problem)
        return
    for row in rows:
        if isinstance(row, Problem):
            yield row
        elif len(row[1]) < len(names) or any(value.strip() for value in row[1][len(names) :]):
            yield Problem(row[0], None, f"expected {len(names)} fields, as in the first line, found {len(row[1])}")
        else:
            yield from table_entries(row[0], names, row[1], columns, base_url)


def _header(
    rows: Iterator[tuple[str, list[str]] | Problem], columns: Mapping[str, str]
) -> tuple[str, list[str]] | Problem | None:
    """The row with the names of the columns: the first one, or one below titles of the table."""
    first = next(rows, None)
    row = first
    for _ in range(MOST_ABOVE):
        if row is None or isinstance(row, Problem) or len(column_names(row[1], columns)) > 1:
            break
        if header_problem(column_names(row[1], columns), columns) is None:
            break
        row = next(rows, None)
    return first if row is None or isinstance(row, Problem) else row


def _names_of_a_pair(cells: Sequence[str]) -> list[str]:
    """What the columns are if the first line is a question with its answer, and perhaps an address; or nothing."""
    names = ["question", "answer", SOURCE_FIELD][: len(cells)]
    is_pair = len(names) == len(cells) > 1 and asks(cells[0]) and not asks(cells[1])
    return names if is_pair and all(map(is_url, cells[2:])) else []


def _separator(line: str, separators: str, columns: Mapping[str, str]) -> str:
    """Choose what parts the first line so that it names an answer; or else what parts it most often."""

    def names(separator: str) -> list[str]:
        try:
            return column_names(next(csv.reader([line], delimiter=separator), []), columns)
        except csv.Error:
            return []

    found = (separator for separator in separators if header_problem(names(separator), columns) is None)
    return next(found, None) or max(separators, key=lambda separator: len(names(separator)))


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
