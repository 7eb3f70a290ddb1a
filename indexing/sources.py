# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Files, folders and pages that make one corpus."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import quote, urljoin

from answer_selection.indexing.entries import Entry, EntryError, EntrySourceError, iter_entries
from answer_selection.indexing.formats import format_of, has_no_ending
from answer_selection.indexing.formats.raw import find_field
from answer_selection.indexing.ids import EntryIds
from answer_selection.indexing.source_files import FileChoice, FoundFiles, SourceFile, encoding_of, find_files
from answer_selection.indexing.source_link import SOURCE_FIELD

if TYPE_CHECKING:
    from haystack.dataclasses import ByteStream

# How many names of fields a message lists.
_NAMED: Final = 20
# How many of the files that are left out.
OTHERS_NAMED: Final = 5


@dataclass(slots=True)
class SourceCount:
    """
    What was found in a file or page.

    :param source: its path or URL.
    :param format: its format's name; empty if that is not known.
    :param entries: entries that were read.
    :param repeated: entries that had come before in the same words, and were not taken again.
    :param nothing: why there was none in it, or in a part of it, if it is in order.
    """

    source: str
    format: str
    entries: int = 0
    repeated: int = 0
    nothing: str | None = None


@dataclass(slots=True)
class SourcesReport:
    """
    What was found where, in the order of reading.

    :param errors: what could not be read.
    :param counts: each file or page.
    :param other_types: how many files of folders were left out as their type is not known, by their names' endings.
    :param others: the paths of the first of these files.
    """

    errors: list[EntryError] = field(default_factory=list)
    counts: list[SourceCount] = field(default_factory=list)
    other_types: dict[str, int] = field(default_factory=dict)
    others: list[Path] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Sources:
    """
    Files that are indexed together.

    An entry's ``source`` in its metadata is the file's path, or its URL. Where two files have one question with
    different answers, the later one gets an id of its own. Two entries that bring the same id are an error, as which is
    meant cannot be known.

    :param paths: files, folders and patterns, as :func:`~answer_selection.indexing.source_files.find_files` reads them.
    :param require_question: whether an entry without a question is an error.
    :param strict: whether the first entry that cannot be read ends the work, instead of being left out.
    :param choice: which files of a folder or pattern are read.
    :param format: the format of all files, whatever their names are.
    :param encoding: the encoding of files that are not UTF-8.
    :param columns: the files' own names of fields, where they are others: ``{"question": "title"}``.
    :param base_url: the address of the folder (or of the single file's folder) where the files are served: an entry's
        source is then its file's address.
    :param pages: pages that are read after the files, with their address as ``url`` in their metadata. They may be
        read more than once.
    :param lost: pages that should be there and could not be fetched.
    """

    paths: Sequence[Path] = ()
    require_question: bool = True
    strict: bool = False
    choice: FileChoice = field(default_factory=FileChoice)
    format: str | None = None
    encoding: str | None = None
    columns: Mapping[str, str] = field(default_factory=dict)
    base_url: str | None = None
    pages: "Iterable[ByteStream]" = ()
    lost: Sequence[EntryError] = ()

    def errors_without_files(self) -> list[EntryError]:
        """
        Look for the files, before anything is made ready to read them.

        :returns: why there is nothing to read; empty if there is a file or a page, or a folder cannot be looked into.
        :raises EntrySourceError: where strict, if there is nothing to read.
        """
        if self.pages or any(self._has_file(path) for path in self.paths):
            return []
        report = SourcesReport()
        with EntryIds() as ids:
            for _ in self.read(ids, report):
                pass
        return report.errors

    def _has_file(self, path: Path) -> bool:
        try:
            return any(file.path.exists() for file in find_files(path, self.choice).files)
        except OSError:  # reading it will say so
            return True

    def read(self, ids: EntryIds, report: SourcesReport) -> Iterator[Entry]:
        """
        Read all entries, one at a time, in the order of the paths and of the files' names.

        A file that is named itself and holds no entry is an error. In a folder, or among pages, it is only counted;
        there it is an error if no file at all gives an entry. So it is if no file has a field that `columns` names.

        :param ids: gets the entries' ids.
        :param report: gets what was found, and what cannot be read.
        :returns: the entries.
        :raises EntrySourceError: where strict, at the first entry that cannot be read.
        """
        seen: set[Path] = set()
        names: dict[str, None] = {}
        for path in self.paths:
            try:
                found = find_files(path, self.choice)
            except OSError as error:
                self._tell(
                    EntryError(str(error.filename or path), "", None, f"cannot be read: {error.strerror}"), report
                )
                continue
            before = len(report.counts), len(report.errors)
            for file in found.files:
                if (resolved := file.path.resolve()) not in seen:
                    seen.add(resolved)
                    yield from self._read_one(
                        file.path, self._address(file), ids, report, names, is_named=found.is_named
                    )
            if not found.is_named:
                for ending, count in found.other_types.items():
                    report.other_types[ending] = report.other_types.get(ending, 0) + count
                report.others += found.others[: OTHERS_NAMED - len(report.others)]
                counts = report.counts[before[0] :]
                if not any(count.entries or count.repeated for count in counts) and len(report.errors) == before[1]:
                    self._tell(EntryError(str(path), "", None, _nothing_in(found, len(counts))), report)
        for lost in self.lost:
            self._tell(lost, report)
        first_page = len(report.counts)
        for page in self.pages:
            yield from self._read_one(page, str(page.meta["url"]), ids, report, names, is_named=False)
        pages = report.counts[first_page:]
        if pages and not any(count.entries or count.repeated for count in pages):
            self._tell(EntryError(pages[0].source, "", None, f"none of {len(pages)} pages holds an entry"), report)
        for ours, theirs in self.columns.items() if names else ():
            if find_field(names, (theirs.strip().lower(),)) is None:
                there = ", ".join(repr(name) for name in islice(names, _NAMED)) + (", …" if len(names) > _NAMED else "")
                message = f"no file has a column or field of this name; found {there}"
                # It explains what else could not be read, so it comes first.
                self._tell(EntryError(f"--columns {ours}={theirs}", "", None, message), report, first=True)

    def _address(self, file: SourceFile) -> str:
        return str(file.path) if self.base_url is None else urljoin(f"{self.base_url.rstrip('/')}/", quote(file.name))

    def _read_one(
        self,
        source: "Path | ByteStream",
        address: str,
        ids: EntryIds,
        report: SourcesReport,
        names: dict[str, None],
        *,
        is_named: bool,
    ) -> Iterator[Entry]:
        path = source if isinstance(source, Path) else None
        name = address if path is None else path.as_posix()
        mime_type = source.mime_type if not isinstance(source, Path) else None
        format_name = None if path is None else self.format
        if path is not None and is_named and format_name is None and has_no_ending(path.name):
            format_name = "text"
        count = SourceCount(name, format_name or format_of(name, mime_type) or "")
        report.counts.append(count)
        repeated = ids.repeated
        items = iter_entries(
            source,
            require_question=self.require_question,
            format=format_name,
            encoding=None if path is None else self._encoding_of(path),
            columns=self.columns,
            meta={SOURCE_FIELD: address},
            ids=ids,
            scope=name,
            names=names if self.columns else None,
        )
        for item in items:
            if isinstance(item, Entry):
                count.entries += 1
                yield item
            elif item.is_of_a_part or (item.nothing and not is_named):
                told = f"{item.location}: {item.message}" if item.location else item.message
                count.nothing = told if count.nothing is None else f"{count.nothing}; {told}"
            else:
                self._tell(item, report)
        count.repeated = ids.repeated - repeated

    def _encoding_of(self, path: Path) -> str | None:
        try:
            return None if self.encoding is None else encoding_of(path, self.encoding)
        except OSError:  # reading it will say so
            return None

    def _tell(self, error: EntryError, report: SourcesReport, *, first: bool = False) -> None:
        if self.strict:
            raise EntrySourceError(error)
        report.errors.insert(0 if first else len(report.errors), error)


def _nothing_in(found: FoundFiles, read: int) -> str:
    others = found.other_types
    if not read and not others:
        return "there is no file that could be read"
    endings = ", ".join(ending or "no ending" for ending in sorted(others))
    of_others = f", {others.total()} of unknown type ({endings})" if others else ""
    return f"no file in it gave an entry: {read} read{of_others}"
