# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Tables with names above their columns: which column is what, and what a row gives."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Final

from answer_selection.indexing.formats.lines import plain_newlines
from answer_selection.indexing.formats.markup import readable_cell
from answer_selection.indexing.formats.raw import (
    ANSWER_FIELDS,
    QUESTION_FIELDS,
    Problem,
    RawEntry,
    find_field,
    find_own,
)
from answer_selection.indexing.formats.readable import CutOffHtmlError

MOST_ABOVE: Final = 10
"""So many rows may stand above the names of the columns: a title, and what it says of the table."""

# What articles of help centres have instead, the best first.
_TITLES: Final = ("questions", "title", "article title", "short_description", "subject", "heading")
# Notion's first column; further to the right it is somebody's.
_FIRST: Final = ("name",)
_ANSWERS: Final = ("answers",)
_WITH_TEXTS: Final = ("title", "article title", "short_description")
_TEXTS: Final = ("body", "article body", "content", "text", "html")


def column_names(row: Sequence[str], columns: Mapping[str, str]) -> list[str]:
    """
    Give the names of a table's columns.

    :param row: the row with the names.
    :param columns: our names of fields and the table's own, where these are others.
    :returns: the names, without those that are empty at the end, as spreadsheets write them. If nobody said which are
        which and no column is that of questions, a title is one; if none is that of answers, a text beside a title is.
    """
    names = [name.strip() for name in row]
    while names and not names[-1]:
        names.pop()
    title = find_field(names, _TITLES) or find_field(names[:1], _FIRST)
    if columns or title is None or find_field(names, QUESTION_FIELDS):
        return names
    answer = find_field(names, ANSWER_FIELDS) or find_field(names, _ANSWERS)
    if answer is None and find_field([title], _WITH_TEXTS):
        answer = find_field(names, _TEXTS)
    if answer is None:
        return names
    ours = {title: QUESTION_FIELDS[0], answer: ANSWER_FIELDS[0]}
    return [ours.get(name, name) for name in names]


def header_problem(names: Sequence[str], columns: Mapping[str, str]) -> str | None:
    """
    Say what is wrong with the names of a table's columns.

    :param names: the names, without white space around them.
    :param columns: our names of fields and the table's own, where these are others.
    :returns: what was found and what was expected, or None.
    """
    expected = "expected the first line to hold the field names, with 'answer' (or 'a') among them"
    try:
        answers = find_own(names, columns, ANSWER_FIELDS)
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


def table_entries(
    place: str, names: Sequence[str], row: Sequence[str], columns: Mapping[str, str], base_url: str | None
) -> Iterator[RawEntry | Problem]:
    """
    Make an entry of a table's row.

    :param place: where it is.
    :param names: the names of its columns.
    :param row: its cells.
    :param columns: our names of fields and the table's own, where these are others.
    :param base_url: the address of the file: links in HTML that are relative to it become absolute.
    :returns: the entry, without the row's empty cells, or a problem; nothing if all are empty. HTML in its question and
        its answer becomes readable text.
    """
    fields = {name: value for name, value in zip(names, row, strict=False) if value.strip()}
    for aliases in (QUESTION_FIELDS, ANSWER_FIELDS):
        if name := find_own(fields, columns, aliases):
            # What cannot be read as HTML stays as it is.
            with suppress(CutOffHtmlError):
                fields[name] = readable_cell(plain_newlines(fields[name]), base_url)
    if fields:
        yield RawEntry(place, fields, columns=names)
