# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
Writing the files of vectors, always before the commit that refers to them, and tidying them after it.

A writer that is killed leaves a file to which no commit refers; the next one removes it.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO, Final

import numpy as np
from numpy.typing import NDArray

from answer_selection.indexing.encoder import EncoderRecord
from answer_selection.indexing.unit_vector import unit
from haystack_integrations.document_stores.tantivy.vectors import (
    NEW_SUFFIX,
    Part,
    VectorFile,
    Vectors,
    encoder_as_bytes,
    list_files,
    rows_as_bytes,
    vectors_as_bytes,
)

# Rows that are written, or read to be copied, at a time: so much is in memory.
_BLOCK: Final = 1024
# Bytes above which files are not put together any more: they are few anyway, and copying them takes long.
_LARGE: Final = 32 << 20


class NewVectors:
    """
    The vectors of one change of the index: all in one file.

    :param folder: The folder of the index's files; the writer's lock is held.
    :param width: The width that the vectors must have; None leaves it to the first.
    :param encoder: The encoder that makes them; None if it is not known.
    """

    def __init__(self, folder: Path, width: int | None, encoder: EncoderRecord | None) -> None:
        self._folder, self._width, self.encoder = folder, width, encoder
        # No number is used again while its file is there, whoever has left it.
        self._first = 1 + max((file.last for file in list_files(folder)), default=-1)
        self._written = 0
        self._waiting: list[NDArray[np.float64]] = []
        self._new = folder / f"{self._first}{NEW_SUFFIX}"
        self._file: BinaryIO | None = None

    def __len__(self) -> int:
        """How many there are."""
        return self._written + len(self._waiting)

    def add(self, document_id: str, embedding: Sequence[float]) -> int:
        """
        Add a document's vector.

        :param document_id: The document, for messages.
        :param embedding: Its embedding.
        :returns: The number of the vector's row.
        :raises ValueError: If it holds NaN or infinity, or is of another width than the others.
        """
        vector = unit(embedding, f"the embedding of document {document_id!r}")
        if self._width is None:
            self._width = len(vector)
        if len(vector) != self._width:
            msg = (
                f"the embedding of document {document_id!r} has {len(vector)} numbers, expected {self._width}, as "
                "those of the index have: embed all documents by the same model"
            )
            raise ValueError(msg)
        self._waiting.append(vector)
        if len(self._waiting) == _BLOCK:
            self._flush()
        return self._first + len(self) - 1

    def finish(self) -> None:
        """Write the file to disk under its name, before the commit that refers to it."""
        self._flush()
        if self._file is None or self._width is None:
            return
        last = self._first + self._written - 1
        for start in range(self._first, last + 1, _BLOCK):
            self._file.write(rows_as_bytes(np.arange(start, min(start + _BLOCK, last + 1))))
        self._file.write(encoder_as_bytes(self.encoder))
        _close(self._file)
        # The commit syncs the folder.
        self._new.rename(self._folder / VectorFile.new(self._first, last, self._width).name)

    def discard(self) -> None:
        """Leave nothing behind."""
        if self._file is not None:
            self._file.close()
            self._new.unlink(missing_ok=True)

    def _flush(self) -> None:
        if self._waiting:
            self._file = self._file or self._new.open("wb")
            self._file.write(vectors_as_bytes(np.stack(self._waiting)))
            self._written += len(self._waiting)
            self._waiting.clear()


def remove_unused(folder: Path, used: Vectors) -> None:
    """
    Remove the files of vectors that the last commit has no use for. Who reads them still keeps them.

    :param folder: The folder of the index's files; the writer's lock is held.
    :param used: The vectors of the last commit.
    """
    kept = {part.file.name for part in used.parts}
    unused = [folder / file.name for file in list_files(folder) if file.name not in kept]
    for path in [*unused, *folder.glob(f"*{NEW_SUFFIX}")]:
        # Some systems keep a file that is read from being removed: the next writer will do it.
        with suppress(PermissionError):
            path.unlink(missing_ok=True)


def tidy(folder: Path, vectors: Vectors, live: Callable[[int, int], Iterator[NDArray[np.int64]]]) -> bool:
    """
    Put small files together, and leave out rows that are of no use any more where they are most of a file.

    So each row is copied a few times at most, a search reads at most twice what it needs, and the files are few.

    :param folder: The folder of the index's files; the writer's lock is held.
    :param vectors: The vectors of the last commit.
    :param live: Gives the rows' numbers from one to another that the last commit refers to, piece by piece.
    :returns: Whether there was something to do.
    """
    chosen = list(_to_rewrite(vectors.parts))
    for parts in chosen:
        _rewrite(folder, parts, live)
        for part in parts:
            with suppress(PermissionError):
                (folder / part.file.name).unlink()
    return bool(chosen)


def _to_rewrite(parts: Sequence[Part]) -> Iterator[list[Part]]:
    """The newest small files, as far back as none is larger than all after it; and others that are mostly dead."""
    newest, size = list(parts[-1:]), 0
    for part in reversed(parts[:-1]):
        size += newest[0].live
        small = 4 * (part.live + size) * part.file.width <= _LARGE
        if part.live > size or not small or _kind(part) != _kind(newest[0]):
            break
        newest.insert(0, part)
    if len(newest) > 1:
        yield newest
        parts = parts[: -len(newest)]
    yield from ([part] for part in parts if 2 * part.live < len(part.rows))


def _kind(part: Part) -> tuple[int, str | None]:
    """What the vectors of one file have in common."""
    return part.file.width, None if part.encoder is None else part.encoder.fingerprint


def _rewrite(folder: Path, parts: Sequence[Part], live: Callable[[int, int], Iterator[NDArray[np.int64]]]) -> None:
    first, last, width = parts[0].file.first, parts[-1].file.last, parts[0].file.width
    new = folder / f"{first}-{last}{NEW_SUFFIX}"
    rows: list[NDArray[np.int64]] = []
    with new.open("wb") as file:
        for part in parts:
            for piece in live(part.file.first, part.file.last):
                for start in range(0, len(piece), _BLOCK):
                    block = piece[start : start + _BLOCK]
                    file.write(vectors_as_bytes(part.vectors[np.searchsorted(part.rows, block)]))
                rows.append(piece)
        file.write(rows_as_bytes(np.concatenate(rows)))
        file.write(encoder_as_bytes(parts[-1].encoder))
        _close(file)
    new.rename(folder / VectorFile.new(first, last, width).name)
    # The name has to be on disk before those of the old files are gone from there.
    if hasattr(os, "O_DIRECTORY"):
        descriptor = os.open(folder, os.O_DIRECTORY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _close(file: BinaryIO) -> None:
    file.flush()
    os.fsync(file.fileno())
    file.close()
