# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
Documents' vectors beside the text: files of unit vectors, mapped into memory, that a commit of the index refers to.

A vector is a row. Rows have numbers, and a document in tantivy's index holds the number of its own: so a commit of the
index says which rows belong to it, and a row that no document of the commit names is not there. A row never changes.

A file holds rows of one width and one encoder in ascending order: the vectors, little-endian single precision
[n, width], the rows' numbers [n], the encoder's record as JSON (nothing if it is not known), and how many bytes that
has. Its name has the first and the last number that may be in it, and the width. A file in whose span another one lies
has been put together out of that one and is read instead of it.
"""

import json
import os
import re
import uuid
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from answer_selection.indexing.encoder import EncoderRecord
from haystack_integrations.document_stores.tantivy.checksums import VECTORS_SUFFIX

NEW_SUFFIX: Final = f"{VECTORS_SUFFIX}.new"

_NUMBER, _ROW = np.dtype("<f4"), np.dtype("<i8")
_LENGTH_BYTES: Final = 4
_NAME = re.compile(rf"(\d+)-(\d+)-(\d+)-[0-9a-f]+{re.escape(VECTORS_SUFFIX)}")


@dataclass(frozen=True, slots=True)
class VectorFile:
    """
    A file of vectors.

    :param name: Its name.
    :param first: The first number that may be in it.
    :param last: The last.
    :param width: How many numbers a vector has.
    """

    name: str
    first: int
    last: int
    width: int

    @classmethod
    def new(cls, first: int, last: int, width: int) -> "VectorFile":
        """Name a new file."""
        return cls(f"{first}-{last}-{width}-{uuid.uuid4().hex}{VECTORS_SUFFIX}", first, last, width)

    def holds(self, other: "VectorFile") -> bool:
        """Say whether another file's rows lie in the span of this one's."""
        return self.first <= other.first and other.last <= self.last


def list_files(folder: Path) -> list[VectorFile]:
    """
    List the files of vectors.

    :param folder: The folder of the index's files.
    :returns: The files by their first rows; one that holds another comes before it.
    """
    names = (_NAME.fullmatch(file.name) for file in folder.glob(f"*{VECTORS_SUFFIX}"))
    files = [VectorFile(name[0], int(name[1]), int(name[2]), int(name[3])) for name in names if name]
    return sorted(files, key=lambda file: (file.first, -file.last, file.name))


def rows_as_bytes(rows: NDArray[np.int64]) -> bytes:
    """
    Give what stands behind the vectors of a file.

    :param rows: The rows' numbers, ascending.
    :returns: Their bytes.
    """
    return rows.astype(_ROW).tobytes()


def vectors_as_bytes(vectors: NDArray[Any]) -> bytes:
    """
    Give a piece of what a file begins with.

    :param vectors: Unit vectors [m, width].
    :returns: Their bytes.
    """
    return vectors.astype(_NUMBER).tobytes()


def encoder_as_bytes(encoder: EncoderRecord | None) -> bytes:
    """
    Give what a file ends with.

    :param encoder: The encoder of its vectors; None if it is not known.
    :returns: The bytes.
    """
    record = b"" if encoder is None else json.dumps(asdict(encoder)).encode("ascii")
    return record + len(record).to_bytes(_LENGTH_BYTES, "little")


def _read_encoder(path: Path) -> tuple[EncoderRecord | None, int]:
    """A file's encoder, and how many bytes say that."""
    with path.open("rb") as file:
        file.seek(-_LENGTH_BYTES, os.SEEK_END)
        length = int.from_bytes(file.read(), "little")
        file.seek(-_LENGTH_BYTES - length, os.SEEK_END)
        record = file.read(length)
    return EncoderRecord(**json.loads(record)) if record else None, length + _LENGTH_BYTES


class Part:
    """
    A file of vectors that is open.

    :param folder: The folder of the index's files.
    :param file: The file.
    :raises OSError: If it can't be opened, or is too short for what it should hold.
    :raises ValueError: If it does not hold what it should.
    """

    def __init__(self, folder: Path, file: VectorFile) -> None:
        self.file = file
        path = folder / file.name
        self.encoder, behind = _read_encoder(path)
        """The encoder of its vectors; None if it is not known."""
        count, rest = divmod(path.stat().st_size - behind, _NUMBER.itemsize * file.width + _ROW.itemsize)
        if rest or not count:
            msg = f"{file.name} has no whole rows"
            raise ValueError(msg)
        self.vectors: NDArray[np.float32] = np.asarray(np.memmap(path, _NUMBER, "r", shape=(count, file.width)))
        """The vectors [n, width]."""
        self.rows: NDArray[np.int64] = np.fromfile(path, _ROW, count, offset=self.vectors.nbytes)
        """Their rows' numbers [n], ascending."""
        self.live = count
        """How many of them belong to the commit."""


class Vectors:
    """
    The vectors that one commit refers to.

    :param parts: The files that hold them, by their first rows.
    """

    def __init__(self, parts: Sequence[Part]) -> None:
        self.parts = list(parts)
        """The files."""
        self.rows = np.concatenate([part.rows for part in self.parts] or [np.empty(0, np.int64)])
        """All rows' numbers, ascending; some may belong to other commits."""
        self._starts = np.cumsum([0, *(len(part.rows) for part in self.parts)])

    @property
    def widths(self) -> list[int]:
        """The widths that there are, the newest file's last; only an unfinished change leaves more than one."""
        return list(dict.fromkeys(part.file.width for part in reversed(self.parts)))[::-1]

    @property
    def encoder(self) -> EncoderRecord | None:
        """The encoder of all vectors, by its newest name; None if it is not known, or they are of several."""
        encoders = [part.encoder for part in self.parts]
        one = len({encoder and encoder.fingerprint for encoder in encoders}) == 1
        return encoders[-1] if one else None

    def encoder_of(self, row: int) -> EncoderRecord | None:
        """
        Say which encoder a vector is of.

        :param row: Its row's number.
        :returns: The encoder; None if it is not known.
        """
        return next((part.encoder for part in self.parts if part.file.first <= row <= part.file.last), None)

    @property
    def complete(self) -> bool:
        """Whether all rows belong to the commit."""
        return all(part.live == len(part.rows) for part in self.parts)

    def positions(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """
        Give rows' positions among all.

        :param rows: Numbers of rows that are there.
        :returns: Their positions.
        """
        return np.searchsorted(self.rows, rows)

    def take(self, positions: NDArray[np.int64]) -> NDArray[np.float32]:
        """
        Read vectors.

        :param positions: Their positions among all; all vectors have the same width.
        :returns: The vectors [m, width].
        """
        taken = np.empty((len(positions), self.parts[0].file.width if self.parts else 0), np.float32)
        for part, start in zip(self.parts, self._starts, strict=False):
            inside = (positions >= start) & (positions < start + len(part.rows))
            if inside.any():
                taken[inside] = part.vectors[positions[inside] - start]
        return taken

    def vector(self, row: int) -> NDArray[np.float32]:
        """
        Read a vector.

        :param row: Its row's number.
        :returns: The vector [width]; of a row that is not there, an empty one.
        """
        for part in self.parts:
            if part.file.first <= row <= part.file.last:
                at = np.searchsorted(part.rows, row)
                if at < len(part.rows) and part.rows[at] == row:
                    vector: NDArray[np.float32] = part.vectors[at]
                    return vector
        return np.empty(0, np.float32)

    def products(self, queries: NDArray[np.float32]) -> NDArray[np.float32]:
        """
        Multiply queries with all vectors, in single precision.

        :param queries: Unit vectors [m, width].
        :returns: The products [m, n].
        """
        products = np.empty((len(queries), len(self.rows)), np.float32)
        for part, start in zip(self.parts, self._starts, strict=False):
            np.matmul(queries, part.vectors.T, out=products[:, start : start + len(part.rows)])
        return products


def open_vectors(folder: Path, count: Callable[[int | None, int | None], int]) -> tuple[Vectors, bool]:
    """
    Open the vectors that a commit refers to.

    :param folder: The folder of the index's files.
    :param count: Counts the documents of the commit whose rows' numbers are at least the first and at most the second.
    :returns: The vectors, and whether all that the commit refers to are there.
    """
    parts = []
    for file in _uncovered(list_files(folder)):
        # What is missing then is noticed by the count.
        with suppress(OSError, ValueError, TypeError):
            parts.append(Part(folder, file))
    total = count(None, None)
    if sum(part.live for part in parts) != total:
        for part in parts:
            part.live = count(part.file.first, part.file.last)
        # The others may be a writer's that has not committed yet, or what was left of one.
        parts = [part for part in parts if part.live]
    return Vectors(parts), sum(part.live for part in parts) == total


def _uncovered(files: Iterable[VectorFile]) -> list[VectorFile]:
    kept: list[VectorFile] = []
    for file in files:
        if not (kept and kept[-1].holds(file)):
            kept.append(file)
    return kept
