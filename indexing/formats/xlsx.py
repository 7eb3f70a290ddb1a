# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""XLSX: sheets with a first row of field names, as in CSV. Needs the extra `documents`."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import date, datetime, time
from typing import Any, BinaryIO

from openpyxl import load_workbook

from answer_selection.indexing.formats.delimited import header_problem
from answer_selection.indexing.formats.raw import Problem, RawEntry


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
        no XLSX file.
    """
    try:
        # Not read-only: what other programs write often does not say how large a sheet is.
        book = load_workbook(stream, data_only=True)
    except Exception as error:
        yield Problem("", None, f"cannot be read as XLSX: {error or type(error).__name__}")
        return
    problems: list[Problem] = []
    found = False
    for sheet in book.worksheets:
        rows = (
            (number, [_text(value) for value in row])
            for number, row in enumerate(sheet.iter_rows(values_only=True), start=1)
            if any(value is not None for value in row)
        )
        number, header = next(rows, (0, []))
        names = [name.strip() for name in header]
        while names and not names[-1]:
            names.pop()
        problem = header_problem(names, columns or {}) if names else None
        if problem is not None:
            problems.append(Problem(f"sheet {sheet.title!r}, row {number}", None, problem))
        elif names:
            found = True
            yield from _entries(sheet.title, names, rows)
    if not found:
        yield from problems


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
