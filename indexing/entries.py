# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
FAQ entries: what one is, and reading them from a file of any size.

A reader of ``formats/`` yields an entry's fields as the file has them; here they get their names and their identity and
are checked, by the same rules for every format.
"""

import hashlib
import io
import unicodedata
from collections.abc import Iterator, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from email.message import Message
from pathlib import Path
from textwrap import shorten
from typing import TYPE_CHECKING, Any, BinaryIO

from answer_selection.indexing.formats import FORMATS, ReaderOptions, format_of
from answer_selection.indexing.formats.jsonl import json_type
from answer_selection.indexing.formats.lines import EncodingError, plain_newlines
from answer_selection.indexing.formats.publication import is_draft
from answer_selection.indexing.formats.raw import (
    ANSWER_FIELDS,
    ID_FIELDS,
    QUESTION_FIELDS,
    Problem,
    RawEntry,
    find_field,
    renamed,
)
from answer_selection.indexing.formats.storable import UnstorableError, check_storable
from answer_selection.indexing.ids import MAX_ID_BYTES, EntryIds
from answer_selection.indexing.source_link import is_url

if TYPE_CHECKING:
    from haystack import Document
    from haystack.dataclasses import ByteStream


@dataclass(frozen=True, slots=True)
class Entry:
    """
    One entry of an FAQ, or one answer of a corpus.

    :param entry_id: its identity, which a changed answer keeps.
    :param answer: the answer's text.
    :param question: the question that it brings along, or None.
    :param meta: whatever else its source gave.
    """

    entry_id: str
    answer: str
    question: str | None = None
    meta: dict[str, Any] = field(default_factory=dict)

    def to_document(self) -> "Document":
        """
        Give the entry as the Document that is indexed.

        :returns: a Document with the entry's id, the answer as content, and ``entry_id`` and, if there is one,
            ``question`` in its metadata.
        """
        from haystack import Document

        meta = {**self.meta, "entry_id": self.entry_id}
        if self.question is not None:
            meta["question"] = self.question
        return Document(id=self.entry_id, content=self.answer, meta=meta)


@dataclass(frozen=True, slots=True)
class EntryError:
    """
    An entry, or a whole source, that could not be read. As a string it is one line.

    :param source: the file's path, or the stream's name.
    :param location: the line, item or element, or an empty string where the whole source is meant.
    :param field: the field, or None.
    :param message: what was found and what was expected.
    :param nothing: whether it says that a source is in order but holds no entry. Among many files that is no error;
        of a part of a file, which ``location`` names, it never is.
    """

    source: str
    location: str
    field: str | None
    message: str
    nothing: bool = False

    @property
    def is_of_a_part(self) -> bool:
        """Whether it says that a part of a source holds no entry, which is no error."""
        return self.nothing and bool(self.location)

    def __str__(self) -> str:
        """Give file, place, field and message in one line."""
        places = [self.source, self.location, f"field '{self.field}'" if self.field else ""]
        line = f"{', '.join(filter(None, places))}: {' '.join(self.message.split())}"
        # A file or a field may have a name that no terminal can print.
        return line.encode(errors="backslashreplace").decode()


class EntrySourceError(ValueError):
    """
    The raised form of an :class:`EntryError`, where the first one ends the work.

    :param error: what could not be read.
    """

    def __init__(self, error: EntryError) -> None:
        super().__init__(str(error))
        self.error = error


def entry_id_of(question: str, headings: tuple[str, ...] = (), source: str | None = None) -> str:
    """
    Make the id of an entry that has none of its own.

    It depends on the question and the headings above it alone, so that an entry keeps it when its answer changes, when
    it moves inside its file and when the file is renamed. Runs of white space count as one space.

    :param question: the question (or, for an entry that has none, its text).
    :param headings: the headings above the question, outermost first.
    :param source: where the entry comes from, if an entry of another source has the same question and another answer.
    :returns: 24 hexadecimal digits.
    """
    path = "\x1f".join(" ".join(unicodedata.normalize("NFC", part).split()) for part in (*headings, question))
    if source is not None:
        path = f"{source}\x1e{path}"
    return hashlib.blake2b(path.encode(), digest_size=12).hexdigest()


def check_format(name: str) -> None:
    """
    Make sure that a format can be read.

    :param name: the format.
    :raises ValueError: if it is none of :data:`~answer_selection.indexing.formats.FORMATS`.
    """
    if name not in FORMATS:
        msg = f"unknown format {name!r}; known: {', '.join(FORMATS)}"
        raise ValueError(msg)


def iter_entries(
    source: "str | Path | ByteStream",
    *,
    require_question: bool = True,
    format: str | None = None,  # noqa: A002 - the word that people look for
    encoding: str | None = None,
    columns: Mapping[str, str] | None = None,
    meta: Mapping[str, Any] | None = None,
    ids: EntryIds | None = None,
    scope: str | None = None,
    names: dict[str, None] | None = None,
) -> Iterator[Entry | EntryError]:
    """
    Read the entries of one source, in its order.

    JSONL, CSV and TSV are streamed; all other formats are read one whole file at a time. The ids are kept on
    disk, to find one that comes twice.

    The fields of an entry are ``entry_id`` (or ``id``), ``question`` (or ``q``) and ``answer`` (or ``a``), in any case;
    all others become metadata. An entry that comes again with the same id, question and answer is given once, and
    counted in ``ids.repeated``.

    :param source: a file's path, or a ByteStream. A stream's format is told by its mime type, or by the file name in
        its metadata (``file_path``, ``file_name``, ``name`` or ``url``); its metadata may name its ``encoding``.
    :param require_question: whether an entry without a question is an error. Where it is not, such an entry needs an
        id.
    :param format: one of :data:`~answer_selection.indexing.formats.FORMATS`, where name or mime type do not tell, or
        tell it wrongly.
    :param encoding: the encoding of a file that has no byte order mark; a stream's own wins.
    :param columns: the file's own names of fields, where they are others: ``{"question": "title"}``.
    :param meta: metadata for every entry; an entry's own fields win. If its ``source`` is a URL, links in answers that
        are relative to it become absolute.
    :param ids: the ids of the sources that were read before, if an entry must not come in two of them.
    :param scope: what tells this source from all others with these `ids`. An entry without an id of its own whose
        question another source has, with another answer, gets an id that depends on it too. Without one that is an
        error.
    :param names: gets the file's own names of fields and columns, in their order.
    :returns: an iterator of entries, and, in the place of each that cannot be read, an error. The rest goes on.
    :raises ValueError: at once if ``format`` is not known. Nothing else is raised: a file that is not there is an
        EntryError too.
    """
    if format is not None:
        check_format(format)
    return _iter_entries(
        _Source.of(source, encoding), require_question, format, dict(columns or {}), dict(meta or {}), ids, scope, names
    )


@dataclass(frozen=True, slots=True)
class _Source:
    name: str
    path: Path | None
    data: bytes
    mime_type: str | None
    encoding: str | None

    @classmethod
    def of(cls, source: "str | Path | ByteStream", encoding: str | None) -> "_Source":
        if isinstance(source, (str, Path)):
            return cls(str(source), Path(source), b"", None, encoding)
        names = (source.meta.get(key) for key in ("file_path", "file_name", "name", "url"))
        name = next((str(name) for name in names if name), "byte stream")
        content_type = Message()
        content_type["Content-Type"] = source.mime_type or ""
        charset = content_type.get_content_charset() or None
        return cls(name, None, source.data, source.mime_type, source.meta.get("encoding") or charset or encoding)

    def open(self) -> BinaryIO:
        return io.BytesIO(self.data) if self.path is None else self.path.open("rb")


def _iter_entries(
    source: _Source,
    require_question: bool,
    format_name: str | None,
    columns: dict[str, str],
    meta: dict[str, Any],
    ids: EntryIds | None,
    scope: str | None,
    names: dict[str, None] | None,
) -> Iterator[Entry | EntryError]:
    chosen = format_name or format_of(source.name, source.mime_type)
    if chosen is None and (source.path is None or source.path.exists()):
        what = f"mime type {source.mime_type!r}" if source.mime_type else "a name with no known ending"
        message = f"unknown format ({what}); expected one of {', '.join(FORMATS)}; say which with --format"
        yield EntryError(source.name, "", None, message)
        return
    base_url = str(meta["source"]) if is_url(meta.get("source")) else None
    options = ReaderOptions(columns, base_url, source.name)
    try:
        found, given, drafts = False, False, 0
        with EntryIds() if ids is None else nullcontext(ids) as seen:
            for raw in _raw_entries(source, chosen or "", options):
                found = True
                result: Entry | Problem | None = raw if isinstance(raw, Problem) else None
                if isinstance(raw, RawEntry) and is_draft(raw.fields):
                    drafts += 1
                elif isinstance(raw, RawEntry):
                    if names is not None:
                        names.update(dict.fromkeys(raw.columns or raw.fields))
                    result = _entry(raw, require_question, columns, meta)
                    if isinstance(result, Entry):
                        result = _once(raw, result, seen, source.name, scope)
                if isinstance(result, Problem):
                    yield EntryError(source.name, result.location, result.field, result.message, result.nothing)
                elif result is not None:
                    given = True
                    yield result
        if drafts:
            place = f"{drafts} of its entries" if given else ""
            message = "passed over: drafts" if given else "its entries are drafts"
            yield EntryError(source.name, place, None, message, nothing=True)
        if not found:
            yield EntryError(source.name, "", None, "there is no entry in it; expected at least one", nothing=True)
    except EncodingError as error:
        yield EntryError(source.name, "", None, str(error))
    except OSError as error:
        yield EntryError(source.name, "", None, f"cannot be read: {error.strerror or error}")


def _raw_entries(source: _Source, format_name: str, options: ReaderOptions) -> Iterator[RawEntry | Problem]:
    """What a format's reader gives. Where a few bytes of a file are no text, what holds one of them is a problem."""
    with source.open() as stream:
        try:
            yield from FORMATS[format_name](stream, source.encoding, options)
        except EncodingError as error:
            if error.mended is None:
                raise
            mended = error.mended
        else:
            return
    for raw in FORMATS[format_name](io.BytesIO(mended.data), "utf-8", options):
        is_hurt = isinstance(raw, RawEntry) and "\ufffd" in f"{raw.headings}{raw.fields}"
        yield Problem(raw.location, None, mended.problem) if is_hurt else raw


def _entry(raw: RawEntry, require_question: bool, columns: dict[str, str], meta: dict[str, Any]) -> Entry | Problem:
    try:
        new = renamed(raw.fields, columns)
    except ValueError as error:
        return Problem(raw.location, None, f"two fields have one name: {error}")
    fields = {new.get(name, name): value for name, value in raw.fields.items()}
    for key, content in fields.items():
        try:
            check_storable([key, content])
        except UnstorableError as error:
            return Problem(raw.location, key, str(error))
    own: dict[str, str | None] = {}
    for aliases in (ID_FIELDS, QUESTION_FIELDS, ANSWER_FIELDS):
        name = find_field(fields, aliases)
        value = None if name is None else fields.pop(name)
        if aliases is ID_FIELDS and isinstance(value, int) and not isinstance(value, bool):
            value = str(value)
        if not isinstance(value, str | None):
            return Problem(raw.location, name, f"expected text, found {json_type(value)}")
        text = (value or "").strip()
        own[aliases[0]] = (text if aliases is ID_FIELDS else plain_newlines(text)) or None
    entry_id, question, answer = own["entry_id"], own["question"], own["answer"]
    if answer is None:
        of = f" (question: {shorten(question, 60)!r})" if question else ""
        return Problem(raw.location, "answer", f"missing or empty{of}; expected the answer's text")
    if question is None and require_question:
        return Problem(raw.location, "question", "missing or empty; expected the question's text")
    if entry_id is None:
        if question is None:
            return Problem(raw.location, "entry_id", "missing or empty; an entry without a question needs its own id")
        entry_id = entry_id_of(question, raw.headings)
    if (size := len(entry_id.encode())) > MAX_ID_BYTES:
        return Problem(
            raw.location, "entry_id", f"{entry_id[:40]!r}… has {size:,} bytes; expected at most {MAX_ID_BYTES:,}"
        )
    own_meta = {"headings": list(raw.headings), **fields} if raw.headings else fields
    return Entry(entry_id, answer, question, {**meta, **own_meta})


def _once(raw: RawEntry, entry: Entry, seen: EntryIds, name: str, scope: str | None) -> Entry | Problem | None:
    """Give an entry an id that no other one has; None if it was there already, in the same words."""
    digest = hashlib.blake2b(f"{entry.question}\x1f{entry.answer}".encode(), digest_size=12).digest()
    first = seen.add(entry.entry_id, name, digest)
    if first is None:
        return entry
    if seen.digest(entry.entry_id) == digest:
        seen.repeated += 1
        return None
    if first == name:
        return _twice(raw, entry, None)
    if scope is None or entry.question is None or find_field(raw.fields, ID_FIELDS) is not None:
        return _twice(raw, entry, first)
    own_id = entry_id_of(entry.question, raw.headings, scope)
    if seen.add(own_id, name, digest) is None:
        return replace(entry, entry_id=own_id)
    if seen.digest(own_id) == digest:
        seen.repeated += 1
        return None
    return _twice(raw, entry, None)


def _twice(raw: RawEntry, entry: Entry, other: str | None) -> Problem:
    if find_field(raw.fields, ID_FIELDS) is not None:
        how = "comes twice" if other is None else f"is in {other} already"
        return Problem(raw.location, "entry_id", f"the id {entry.entry_id!r} {how}; expected each id once")
    where = f" under the heading {' > '.join(raw.headings)!r}" if raw.headings else ""
    how = f"comes twice{where}" if other is None else f"is{where} in {other} already"
    message = (
        f"the question {shorten(entry.question or '', 60)!r} {how}; expected each question once there, "
        "or entries with ids of their own"
    )
    return Problem(raw.location, "question", message)
