# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""XLSX: sheets with a row of field names at the top, as in CSV. Needs the extra `documents`."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime, time
from typing import Any, BinaryIO, Final

from openpyxl import load_workbook

from answer_selection.indexing.formats.delimited import header_problem
from answer_selection.indexing.formats.raw import Problem, RawEntry

_MOST_ABOVE: Final = 10


def read(
    stream: BinaryIO,
    encoding: str | None = None,  # noqa: ARG001
    *,
    columns: Mapping[str, str] | None = None,
) -> Iterator[RawEntry | Problem]:
    """
    Read the sheets of a workbook that hold answers; formulas count as what they showed when the file was saved.

    :param stream: the file's bytes.
    :param encoding: of no meaning here.
    :param columns: our names of fields and the file's own, where these are others.
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
            (number, [_text(value) for value in row])
            for number, row in enumerate(sheet.iter_rows(values_only=True), start=1)
            if any(value is not None for value in row)
        ]
        if not rows:
            continue
        # A title may stand above the names.
        heads = [
            (names, header_problem(names, columns or {})) for _, row in rows[:_MOST_ABOVE] if (names := _names(row))
        ]
        place = next((place for place, (_, problem) in enumerate(heads) if problem is None), 0)
        names, problem = heads[place]
        if problem is None:
            found = True
            yield from _entries(sheet.title, names, rows[place + 1 :])
            continue
        problems.append(Problem(f"sheet {sheet.title!r}, row {rows[0][0]}", None, problem))
        if len(rows) > 1 and max(len(names) for names, _ in heads) > 1:
            passed_over.append(sheet.title)
    if not found:
        yield from problems
    elif passed_over:
        sheets = ", ".join(map(repr, passed_over))
        message = f"passed over, as no row at the top names the column of answers: {sheets}"
        yield Problem("", None, message, nothing=True)


def _names(row: Sequence[str]) -> list[str]:
    names = [name.strip() for name in row]
    while names and not names[-1]:
        names.pop()
    return names


def _entries(sheet: str, names: list[str], rows: Iterable[tuple[int, list[str]]]) -> Iterator[RawEntry | Problem]:
    for number, row in rows:
        place = f"sheet {sheet!r}, row {number}"
        if any(value.strip() for value in row[len(names) :]):
            yield Problem(place, None, f"expected {len(names)} fields, as in the first row, found {len(row)}")
        elif fields := {name: value for name, value in zip(names, row, strict=False) if value.strip()}:
            yield RawEntry(place, fields, columns=names)


def _text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, datetime) and value.time() == time():
        return value.date().isoformat()
    if isinstance(value, date | time):
        return value.isoformat()
    # A spreadsheet's numbers are floats, and 7.0 is what people typed as 7.
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)
