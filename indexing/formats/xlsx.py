# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""XLSX: sheets with a row of field names at the top, as in CSV. Needs the extra `documents`."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime, time
from typing import Any, BinaryIO

from openpyxl import load_workbook

from answer_selection.indexing.formats.raw import QUESTION_FIELDS, Problem, RawEntry, find_own
from answer_selection.indexing.formats.tables import MOST_ABOVE, column_names, header_problem, table_entries


def read(
    stream: BinaryIO,
    encoding: str | None = None,  # noqa: ARG001
    *,
    columns: Mapping[str, str] | None = None,
    base_url: str | None = None,
) -> Iterator[RawEntry | Problem]:
    """
    Read the sheets of a workbook that hold answers; formulas count as what they showed when the file was saved.

    :param stream: the file's bytes.
    :param encoding: of no meaning here.
    :param columns: our names of fields and the file's own, where these are others.
    :param base_url: the file's address: links in HTML that are relative to it become absolute.
    :returns: one raw entry a row, without its empty fields; a problem for each sheet if none holds answers, or if it is
        no XLSX file. If some do, what other tables were passed over is said at the end.
    """
    try:
        # Not read-only: what other programs write often does not say how large a sheet is.
        book = load_workbook(stream, data_only=True)
    except Exception as error:
        yield Problem("", None, f"cannot be read as XLSX: {error or type(error).__name__}")
        return
    problems: list[Problem] = []
    passed_over: list[str] = []
    found = False
    for sheet in book.worksheets:
        rows = [
            (number, row)
            for number, values in enumerate(sheet.iter_rows(values_only=True), start=1)
            if any(map(str.strip, row := [_text(value) for value in values]))
        ]
        if not rows:
            continue
        place, problem = _head(rows[:MOST_ABOVE], columns or {})
        number, row = rows[place]
        if problem is None:
            found = True
            yield from _entries(
                sheet.title, number, column_names(row, columns or {}), rows[place + 1 :], columns or {}, base_url
            )
            continue
        problems.append(Problem(f"sheet {sheet.title!r}, row {number}", None, problem))
        if len(rows) > 1 and max(len(column_names(row, columns or {})) for _, row in rows[:MOST_ABOVE]) > 1:
            passed_over.append(sheet.title)
    if not found:
        yield from problems
    elif passed_over:
        location = f"{'sheet' if len(passed_over) == 1 else 'sheets'} {', '.join(map(repr, passed_over))}"
        yield Problem(location, None, "passed over, as no row at the top names the column of answers", nothing=True)


def _head(rows: Sequence[tuple[int, list[str]]], columns: Mapping[str, str]) -> tuple[int, str | None]:
    """The place of the row with the columns' names, above which a title may stand, and what is wrong with them."""
    place = next(
        (place for place, (_, row) in enumerate(rows) if len(list(filter(None, column_names(row, columns)))) > 1), 0
    )
    names = column_names(rows[place][1], columns)
    problem = header_problem(names, columns)
    # A row of data may have an "A" in it.
    if problem is None and place and find_own(names, columns, QUESTION_FIELDS) is None:
        problem = f"expected the names of questions and answers below a title; found {', '.join(map(repr, names))}"
    return place, problem


def _entries(
    sheet: str,
    head: int,
    names: list[str],
    rows: Iterable[tuple[int, list[str]]],
    columns: Mapping[str, str],
    base_url: str | None,
) -> Iterator[RawEntry | Problem]:
    for number, row in rows:
        place = f"sheet {sheet!r}, row {number}"
        if any(value.strip() for value in row[len(names) :]):
            yield Problem(place, None, f"expected {len(names)} fields, as in row {head}, found {len(row)}")
        else:
            yield from table_entries(place, names, row, columns, base_url)


def _text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, datetime) and value.time() == time():
        return value.date().isoformat()
    if isinstance(value, date | time):
        return value.isoformat()
    # A spreadsheet's numbers are floats, and 7.0 is what people typed as 7.
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)
