# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""FAQ file formats, one per module. Each reads a binary stream and yields entries and problems in the file's order."""

from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import PurePath
from typing import BinaryIO, Final

from answer_selection.indexing.formats.raw import Problem, RawEntry

Reader = Callable[[BinaryIO, str | None], Iterator[RawEntry | Problem]]


def _reader(module: str, function: str = "read") -> Reader:
    # Imported when it is needed: who reads JSONL pays for no HTML parser.
    def read(stream: BinaryIO, encoding: str | None) -> Iterator[RawEntry | Problem]:
        reader: Reader = getattr(import_module(f"answer_selection.indexing.formats.{module}"), function)
        return reader(stream, encoding)

    return read


FORMATS: Final[dict[str, Reader]] = {
    "jsonl": _reader("jsonl"),
    "json": _reader("json_array"),
    "csv": _reader("delimited", "read_csv"),
    "tsv": _reader("delimited", "read_tsv"),
    "markdown": _reader("markdown"),
    "html": _reader("html"),
    "rst": _reader("rst"),
    "text": _reader("question_lines"),
}

_ENDINGS: Final = {
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "json",
    ".csv": "csv",
    ".tsv": "tsv",
    ".md": "markdown",
    ".markdown": "markdown",
    ".html": "html",
    ".htm": "html",
    ".xhtml": "html",
    ".rst": "rst",
    ".rest": "rst",
    ".txt": "text",
    ".text": "text",
}
_MIME_TYPES: Final = {
    "application/jsonl": "jsonl",
    "application/x-ndjson": "jsonl",
    "application/json": "json",
    "text/csv": "csv",
    "text/tab-separated-values": "tsv",
    "text/markdown": "markdown",
    "text/html": "html",
    "application/xhtml+xml": "html",
    "text/x-rst": "rst",
    "text/prs.fallenstein.rst": "rst",
    "text/plain": "text",
}


def format_of(name: str, mime_type: str | None = None) -> str | None:
    """
    Tell a source's format.

    :param name: its file name.
    :param mime_type: its mime type, which wins, perhaps with parameters (``text/html; charset=utf-8``).
    :returns: a key of :data:`FORMATS`, or None if neither tells.
    """
    mime = (mime_type or "").partition(";")[0].strip().lower()
    return _MIME_TYPES.get(mime) or _ENDINGS.get(PurePath(name).suffix.lower())
