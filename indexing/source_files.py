# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Finding the files that a path means: a file itself, a folder's files, or those that a pattern fits."""

import codecs
import glob
import os
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from pathspec import GitIgnoreSpec

from answer_selection.indexing.formats import format_of
from answer_selection.indexing.formats.lines import mark_of

_WILD: Final = frozenset("*?[")
_BLOCK: Final = 1 << 16
_INDEX_FILES: Final = frozenset({"meta.json", "settings.json"})
"""What is in the folder of every index on disk."""


@dataclass(frozen=True, slots=True)
class SourceFile:
    """
    A file to read.

    :param path: its path as it was given, or the folder's path as it was given with the file's below it.
    :param name: its path below the folder, or below the part of a pattern without wildcards, with ``/``; a single
        file's own name.
    """

    path: Path
    name: str


@dataclass(frozen=True, slots=True)
class FileChoice:
    """
    Which files of a folder, or of those that fit a pattern, are read. Hidden ones never are.

    :param include: patterns as in ``.gitignore``; only files that one of them fits. Without any, the files of known
        types.
    :param exclude: patterns as in ``.gitignore``, of files and folders that are left out.
    :param without: files and folders that are left out wherever they are found, such as the index itself.
    """

    include: Sequence[str] = ()
    exclude: Sequence[str] = ()
    without: Collection[Path] = ()


@dataclass(frozen=True, slots=True)
class FoundFiles:
    """
    What a path means.

    :param files: the files, sorted by their names.
    :param is_named: whether the path is the file itself, and not a folder or a pattern.
    :param other_types: how many files were left out as their type is not known, by the ending of their names.
    :param others: these files' paths.
    """

    files: Sequence[SourceFile]
    is_named: bool = False
    other_types: Counter[str] = field(default_factory=Counter)
    others: Sequence[Path] = ()


def find_files(path: Path, choice: FileChoice) -> FoundFiles:
    """
    Find the files that a path means.

    :param path: a file, a folder, or a pattern with ``*``, ``?``, ``[...]`` or ``**``. What exists is no pattern.
    :param choice: which files of a folder or pattern are read.
    :returns: the files; for a pattern that nothing fits and an empty folder, none.
    :raises OSError: if a folder cannot be read.
    """
    if path.is_dir():
        return _chosen([path], path, choice)
    if path.exists() or _WILD.isdisjoint(str(path)):
        return FoundFiles([SourceFile(path, path.name)], is_named=True)
    fixed = Path(*_before_wildcards(path.parts))
    return _chosen([Path(match) for match in glob.glob(str(path), recursive=True)], fixed, choice)


def _before_wildcards(parts: Sequence[str]) -> list[str]:
    return list(parts[: next(index for index, part in enumerate(parts) if not _WILD.isdisjoint(part))])


def _chosen(roots: Sequence[Path], below: Path, choice: FileChoice) -> FoundFiles:
    include = GitIgnoreSpec.from_lines(choice.include) if choice.include else None
    exclude = GitIgnoreSpec.from_lines(choice.exclude)
    without = {path.resolve() for path in choice.without}

    def name_of(path: Path) -> str:
        return path.relative_to(below).as_posix()

    def is_left_out(path: Path, name: str) -> bool:
        return exclude.match_file(name) or path.resolve() in without

    def files_of(folder: Path) -> Iterator[Path]:
        for parent, folders, names in os.walk(folder, onerror=_raise):
            here = Path(parent)
            if _INDEX_FILES.issubset(names):  # an index: its JSON files are no entries
                folders.clear()
                continue
            folders[:] = [
                name for name in folders if name[0] != "." and not is_left_out(here / name, f"{name_of(here / name)}/")
            ]
            yield from (here / name for name in names if name[0] != ".")

    found: dict[str, SourceFile] = {}
    others: dict[str, Path] = {}
    for root in roots:
        for path in files_of(root) if root.is_dir() else [root]:
            name = name_of(path)
            if name in found or is_left_out(path, name):
                continue
            if include.match_file(name) if include else format_of(name):
                found[name] = SourceFile(path, name)
            elif include is None:
                others[name] = path
    other_types = Counter(path.suffix.lower() for path in others.values())
    in_order = [others[name] for name in sorted(others)]
    return FoundFiles([found[name] for name in sorted(found)], other_types=other_types, others=in_order)


def _raise(error: OSError) -> None:
    # By default os.walk passes over what it may not read.
    raise error


def encoding_of(path: Path, encoding: str) -> str | None:
    """
    Say whether a file is in an encoding that was named for all files: it is not, if it is UTF-8.

    Beside a table that a spreadsheet wrote in another encoding there are files in UTF-8, which would be misread without
    a word. Text in cp1252 that is more than ASCII is next to never valid UTF-8.

    :param path: a file.
    :param encoding: the encoding that was named.
    :returns: the encoding; None if the file has a byte order mark, or is UTF-8 with more than ASCII in it.
    :raises OSError: if the file cannot be read.
    """
    decoder = codecs.getincrementaldecoder("utf-8")()
    is_ascii = True
    with path.open("rb") as stream:
        block = stream.read(_BLOCK)
        if mark_of(block) is not None:
            return None
        try:
            while block:
                is_ascii = is_ascii and block.isascii()
                decoder.decode(block)
                block = stream.read(_BLOCK)
            decoder.decode(b"", final=True)
        except UnicodeDecodeError:
            return encoding
    return encoding if is_ascii else None
