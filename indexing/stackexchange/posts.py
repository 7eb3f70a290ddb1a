# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
Questions and answers out of a dump's ``Posts.xml``, one row at a time.

``<posts>`` holds ``<row Id PostTypeId …/>``: a question is of type 1 and has ``Title``, ``Tags`` and perhaps
``AcceptedAnswerId``; an answer is of type 2 and has ``ParentId``, ``Score`` and ``Body``. Other types, such as wikis of
tags, are passed over.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from textwrap import shorten
from typing import Any, Final

from lxml import etree

from answer_selection.indexing.entries import EntryError, EntrySourceError
from answer_selection.indexing.formats.raw import Problem

_QUESTION, _ANSWER = 1, 2
# Rows stand one a line, and are a few kilobytes long. A file without line ends is read in pieces of this size.
_PIECE: Final = 1 << 18
# Progress is told whenever so many more bytes have been read.
_TOLD: Final = 1 << 20
# As many digits as always fit into the 64 bits of a database's numbers.
_NUMBER: Final = re.compile(r"[+-]?[0-9]{1,18}")
# Tags come as <a><b> and, in newer dumps, as |a|b|.
_TAG: Final = re.compile(r"[^<>|]+")
_ARCHIVES: Final = {
    b"7z\xbc\xaf\x27\x1c": "a 7z archive",
    b"PK\x03\x04": "a zip archive",
    b"\x1f\x8b": "a gzipped file",
}
_EXPECTED: Final = "expected a dump's Posts.xml, which has <row …/> in <posts>"


@dataclass(frozen=True, slots=True)
class Question:
    """
    A question.

    :param post_id: its number in the site.
    :param title: its title.
    :param tags: its tags.
    :param accepted: the number of the answer that its asker accepted, or None.
    """

    post_id: int
    title: str
    tags: tuple[str, ...]
    accepted: int | None


@dataclass(frozen=True, slots=True)
class Answer:
    """
    An answer.

    :param post_id: its number in the site.
    :param parent: the number of its question, or None where the dump does not say.
    :param score: votes for it less votes against it, or None where the dump does not say.
    :param body: HTML.
    """

    post_id: int
    parent: int | None
    score: int | None
    body: str


class DamagedDumpError(EntrySourceError):
    """A dump is cut off, or damaged, after some rows: those have been read."""


def iter_posts(
    path: str | Path, progress: Callable[[int], None] | None = None
) -> Iterator[Question | Answer | Problem]:
    """
    Stream a dump's questions and answers in its order. Memory does not grow with the file.

    :param path: ``Posts.xml``.
    :param progress: called with the number of bytes read so far.
    :returns: questions and answers; in the place of a row with a wrong value, a problem that names line, post and
        field.
    :raises EntrySourceError: while iterating, if the file cannot be read or is nothing like ``Posts.xml``.
    :raises DamagedDumpError: after the last row that could be read, if the file is cut off or damaged there; names the
        byte.
    """
    path = Path(path)
    # Attributes cannot fetch anything, and libxml2 bounds what entities expand to. `huge_tree` would lift that bound;
    # without it an attribute has at most 10 million characters, hundreds of times the site's own limit.
    parser = etree.XMLPullParser(events=("start", "end"), resolve_entities=False, no_network=True, load_dtd=False)
    root: Any = None
    offset = whole = line = 0
    ended = False
    try:
        with path.open("rb") as stream:
            _refuse_archive(path, stream.peek(8))
            while piece := stream.readline(_PIECE):
                offset += len(piece)
                error = _feed(parser, piece)
                for event, element in parser.read_events():
                    if event == "start":
                        root = _check_root(path, element) if root is None else root
                    elif element is not root:
                        if element.getparent() is root and element.tag == "row":
                            post = _post(element, line + 1)
                            if post is not None:
                                yield post
                        _let_go(element)
                        whole = offset if error is None else whole
                if error is not None:
                    raise error
                line += piece.endswith(b"\n")
                if progress and offset // _TOLD > (offset - len(piece)) // _TOLD:
                    progress(offset)
        ended = True
        parser.close()
    except etree.XMLSyntaxError as error:
        if root is None:
            message = f"{_EXPECTED}; found {f'no XML: {error.msg}' if offset else 'an empty file'}"
            raise EntrySourceError(EntryError(str(path), "", None, message)) from error
        if ended:
            location, message = "", f"the file is cut off at byte {offset}; its last whole row ends by byte {whole}"
        else:
            location, message = f"line {line + 1}", f"expected XML after byte {whole} of the file: {error.msg}"
        raise DamagedDumpError(EntryError(str(path), location, None, message)) from error
    except OSError as error:
        message = f"cannot be read: {error.strerror or error}"
        raise EntrySourceError(EntryError(str(path), "", None, message)) from error


def _feed(parser: Any, piece: bytes) -> etree.XMLSyntaxError | None:
    """Feed a parser; an error is given back, so that the rows before it in the piece are read first."""
    try:
        parser.feed(piece)
    except etree.XMLSyntaxError as error:
        return error
    return None


def _refuse_archive(path: Path, head: bytes) -> None:
    for magic, name in _ARCHIVES.items():
        if head.startswith(magic):
            message = f"{_EXPECTED}; found {name}: unpack it first"
            raise EntrySourceError(EntryError(str(path), "", None, message))


def _check_root(path: Path, root: Any) -> Any:
    found = f"<{root.tag}>" if root.tag != "posts" else ""
    if root.getroottree().docinfo.internalDTD is not None:
        found = "a document type declaration, which no dump has"
    if found:
        raise EntrySourceError(EntryError(str(path), "", None, f"{_EXPECTED}; found {found}"))
    return root


def _let_go(element: Any) -> None:
    element.clear()
    while element.getprevious() is not None:
        del element.getparent()[0]


class _WrongValueError(ValueError):
    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field


def _post(row: Any, line: int) -> Question | Answer | Problem | None:
    try:
        kind, post_id = _number(row, "PostTypeId", required=True), _number(row, "Id", required=True)
        assert post_id is not None
        if kind == _QUESTION:
            tags = tuple(_TAG.findall(row.get("Tags") or ""))
            return Question(post_id, _title(row), tags, _number(row, "AcceptedAnswerId"))
        if kind == _ANSWER:
            return Answer(post_id, _number(row, "ParentId"), _number(row, "Score"), row.get("Body") or "")
    except _WrongValueError as error:
        return Problem(f"line {line} (post {shorten(row.get('Id') or 'without Id', 20)})", error.field, str(error))
    return None


def _title(row: Any) -> str:
    title = " ".join((row.get("Title") or "").split())
    if not title:
        field, message = "Title", "missing or empty; expected the question's title"
        raise _WrongValueError(field, message)
    return title


def _number(row: Any, name: str, *, required: bool = False) -> int | None:
    value = (row.get(name) or "").strip()
    if _NUMBER.fullmatch(value):
        return int(value)
    if value or required:
        raise _WrongValueError(name, f"expected a number, found {shorten(repr(value), 40) if value else 'nothing'}")
    return None
