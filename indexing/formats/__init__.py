# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""FAQ file formats, one per module. Each reads a binary stream and yields entries and problems in the file's order."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import PurePath
from typing import BinaryIO, Final

from answer_selection.indexing.formats.raw import Problem, RawEntry


@dataclass(frozen=True, slots=True)
class ReaderOptions:
    """
    What is known of a source beside its bytes and encoding.

    :param columns: our names of fields (``question``) and the file's own (``title``).
    :param base_url: the address that relative links in it are relative to.
    :param name: its path or address, or what else it is called.
    """

    columns: Mapping[str, str] = field(default_factory=dict)
    base_url: str | None = None
    name: str = ""


Reader = Callable[[BinaryIO, str | None, ReaderOptions], Iterator[RawEntry | Problem]]


def _reader(module: str, function: str = "read", *, takes: tuple[str, ...] = (), **given: str) -> Reader:
    # Imported when it is needed: who reads JSONL pays for no HTML parser.
    def read(stream: BinaryIO, encoding: str | None, options: ReaderOptions) -> Iterator[RawEntry | Problem]:
        reader = getattr(import_module(f"answer_selection.indexing.formats.{module}"), function)
        options_taken = {name: getattr(options, name) for name in takes}
        found: Iterator[RawEntry | Problem] = reader(stream, encoding, **options_taken, **given)
        return found

    return read


def _documents_reader(module: str, *, takes: tuple[str, ...] = ()) -> Reader:
    """Make a reader of an office format, which needs more packages."""
    reader = _reader(module, takes=takes)

    def read(stream: BinaryIO, encoding: str | None, options: ReaderOptions) -> Iterator[RawEntry | Problem]:
        try:
            yield from reader(stream, encoding, options)
        except ImportError as error:
            # Of one file: those beside it can be read.
            yield Problem("", None, f"{module.upper()} needs more packages: pip install '.[documents]' ({error})")

    return read


FORMATS: Final[dict[str, Reader]] = {
    "jsonl": _reader("jsonl"),
    "json": _reader("json_file", takes=("columns", "base_url")),
    "yaml": _reader("yaml_file", takes=("columns", "base_url")),
    "toml": _reader("toml_file", takes=("columns", "base_url")),
    "csv": _reader("delimited", "read_csv", takes=("columns", "base_url")),
    "tsv": _reader("delimited", "read_tsv", takes=("columns", "base_url")),
    "markdown": _reader("markdown", takes=("base_url", "name")),
    "html": _reader("html", takes=("base_url", "name")),
    "pdf": _documents_reader("pdf"),
    "docx": _documents_reader("docx", takes=("base_url",)),
    "pptx": _documents_reader("pptx"),
    "xlsx": _documents_reader("xlsx", takes=("columns", "base_url")),
    "rst": _reader("rst", takes=("base_url", "name")),
    "fml": _reader("fml", takes=("base_url",)),
    "xml": _reader("xml_file", takes=("columns", "base_url", "name")),
    "text": _reader("text", takes=("base_url", "name")),
    **{
        kind: _reader("pandoc", takes=("base_url", "name"), kind=kind)
        for kind in ("asciidoc", "docbook", "epub", "latex", "mediawiki", "odt", "org", "rtf", "textile")
    },
}

_ENDINGS: Final = {
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "json",
    ".yaml": "yaml",
    ".yml": "yaml",
    ".toml": "toml",
    ".csv": "csv",
    ".tsv": "tsv",
    ".md": "markdown",
    ".markdown": "markdown",
    ".mkd": "markdown",
    ".mdx": "markdown",
    ".rmd": "markdown",
    ".qmd": "markdown",
    ".html": "html",
    ".htm": "html",
    ".xhtml": "html",
    ".shtml": "html",
    ".fml": "fml",
    ".xml": "xml",
    ".rss": "xml",
    ".atom": "xml",
    ".rst": "rst",
    ".rest": "rst",
    ".txt": "text",
    ".text": "text",
    ".faq": "text",
    ".pdf": "pdf",
    ".docx": "docx",
    ".pptx": "pptx",
    ".xlsx": "xlsx",
    ".adoc": "asciidoc",
    ".asciidoc": "asciidoc",
    ".dbk": "docbook",
    ".docbook": "docbook",
    ".epub": "epub",
    ".tex": "latex",
    ".mediawiki": "mediawiki",
    ".odt": "odt",
    ".org": "org",
    ".rtf": "rtf",
    ".textile": "textile",
}
# "FAQ", "FAQ-de", "linux_FAQ": a text, if the name has no ending. An address is a page's, and "faq-sync" a program.
_FAQ: Final = re.compile(r"(?i)(?<![a-z])faqs?(?:[-_][a-z]{2})?\Z")
_MIME_TYPES: Final = {
    "application/jsonl": "jsonl",
    "application/x-ndjson": "jsonl",
    "application/json": "json",
    "application/yaml": "yaml",
    "application/x-yaml": "yaml",
    "text/yaml": "yaml",
    "application/toml": "toml",
    "text/csv": "csv",
    "text/tab-separated-values": "tsv",
    "text/markdown": "markdown",
    "text/html": "html",
    "application/xhtml+xml": "html",
    "text/x-rst": "rst",
    "text/prs.fallenstein.rst": "rst",
    "text/plain": "text",
    "application/pdf": "pdf",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "docx",
    "application/vnd.openxmlformats-officedocument.presentationml.presentation": "pptx",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "xlsx",
    "application/xml": "xml",
    "text/xml": "xml",
    "application/rss+xml": "xml",
    "application/atom+xml": "xml",
    "application/docbook+xml": "docbook",
    "application/epub+zip": "epub",
    "application/rtf": "rtf",
    "application/vnd.oasis.opendocument.text": "odt",
    "application/x-tex": "latex",
    "text/asciidoc": "asciidoc",
    "text/org": "org",
    "text/rtf": "rtf",
}


def format_of(name: str, mime_type: str | None = None) -> str | None:
    """
    Tell a source's format.

    :param name: its file name.
    :param mime_type: its mime type, which wins, perhaps with parameters (``text/html; charset=utf-8``).
    :returns: a key of :data:`FORMATS`, or None if neither tells. A name without an ending that ends with "FAQ" is a
        text's.
    """
    mime = (mime_type or "").partition(";")[0].strip().lower()
    known = _MIME_TYPES.get(mime) or _ENDINGS.get(PurePath(name).suffix.lower())
    return known or ("text" if not mime and has_no_ending(name) and _FAQ.search(PurePath(name).name) else None)


def has_no_ending(name: str) -> bool:
    """
    Tell whether a file's name has no ending.

    :param name: the name or path; an address is none.
    :returns: whether there is nothing behind a dot in it.
    """
    return "://" not in name and not PurePath(name).suffix
