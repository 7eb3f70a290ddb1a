# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
Checksums of an index's files, by which a bit that has flipped on disk is noticed.

The file `checksums` has one for each other file of the index, and in its first line its own. All files but two are
written once. A writer changes those two, so they have no checksum while one is at work; after one was killed they get
theirs from the next.
"""

import json
import os
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from zlib import crc32

CHECKSUMS_FILE = "checksums"
META_FILE = "meta.json"
SETTINGS_FILE = "settings.json"
VECTORS_SUFFIX = ".vectors"

_MANAGED_FILE = ".managed.json"
_REWRITTEN = frozenset({META_FILE, _MANAGED_FILE})
_PIECE = 1 << 20


def has_checksums(folder: Path) -> bool:
    """
    Say whether an index has checksums; one of an earlier version has none.

    :param folder: The folder of the index's files.
    :returns: Whether it has.
    """
    return (folder / CHECKSUMS_FILE).exists()


def read_checksums(folder: Path) -> dict[str, int]:
    """
    Read the checksums of the index's files.

    :param folder: The folder of the index's files.
    :returns: A checksum by the file's name.
    :raises ValueError: If they are damaged themselves.
    """
    first, _, rest = (folder / CHECKSUMS_FILE).read_bytes().partition(b"\n")
    if first != _own(rest):
        msg = f"{CHECKSUMS_FILE} is not as it was written"
        raise ValueError(msg)
    kept: dict[str, int] = json.loads(rest)
    return kept


def begin_writing(folder: Path) -> None:
    """
    Take out the checksums of the files that a writer is going to change.

    :param folder: The folder of the index's files; the writer's lock is held.
    """
    kept = read_checksums(folder)
    lasting = {name: checksum for name, checksum in kept.items() if name not in _REWRITTEN}
    if lasting != kept:
        _write(folder, lasting)


def end_writing(folder: Path) -> None:
    """
    Keep the checksums of all files. Of those that never change only the new ones are read.

    :param folder: The folder of the index's files; the writer's lock is held.
    """
    kept = read_checksums(folder) if has_checksums(folder) else {}
    lasting = {name: checksum for name, checksum in kept.items() if name not in _REWRITTEN}
    _write(folder, {name: lasting.get(name) or file_checksum(folder / name) for name in index_files(folder)})


def index_files(folder: Path) -> list[str]:
    """
    List the files that an index consists of, but for their checksums.

    :param folder: The folder of the index's files.
    :returns: Their names.
    """
    names = {SETTINGS_FILE, _MANAGED_FILE, *json.loads((folder / _MANAGED_FILE).read_bytes())}
    names.update(file.name for file in folder.glob(f"*{VECTORS_SUFFIX}"))
    return [name for name in sorted(names) if (folder / name).is_file()]


def find_damage(folder: Path) -> str | None:
    """
    Compare all files with their checksums, before tantivy reads them: some bits make it end the whole process.

    What never changes is read once in a process; a gigabyte takes about a second.

    :param folder: The folder of the index's files.
    :returns: The name of a file that is not as it was written, or None.
    :raises ValueError: If the checksums are damaged themselves.
    """
    while True:
        before = _identity(folder / CHECKSUMS_FILE)
        damaged = _find_damage(folder)
        # If a writer has begun or ended meanwhile, these were not the checksums of these files.
        if damaged is None or _identity(folder / CHECKSUMS_FILE) == before:
            return damaged


def _find_damage(folder: Path) -> str | None:
    for name, kept in read_checksums(folder).items():
        file = folder / name
        try:
            found = file_checksum(file) if name in _REWRITTEN else _checksum_once(file, *_identity(file))
        except FileNotFoundError:
            # A writer has removed it, or else tantivy is going to miss it.
            continue
        if found != kept:
            return name
    return None


def file_checksum(file: Path) -> int:
    """
    Compute a file's checksum.

    :param file: The file.
    :returns: The CRC-32 of its bytes.
    """
    checksum = 0
    with file.open("rb") as data:
        while piece := data.read(_PIECE):
            checksum = crc32(piece, checksum)
    return checksum


@lru_cache(maxsize=4096)
def _checksum_once(file: Path, *_identity: int) -> int:
    return file_checksum(file)


def _identity(file: Path) -> tuple[int, ...]:
    status = file.stat()
    return status.st_dev, status.st_ino, status.st_mtime_ns, status.st_size


def _write(folder: Path, checksums: Mapping[str, int]) -> None:
    rest = json.dumps(checksums, indent=0).encode("ascii") + b"\n"
    new = folder / f"{CHECKSUMS_FILE}.new"
    with new.open("wb") as file:
        file.write(_own(rest) + b"\n" + rest)
        file.flush()
        os.fsync(file.fileno())
    new.replace(folder / CHECKSUMS_FILE)


def _own(rest: bytes) -> bytes:
    return f"{crc32(rest):08x}".encode("ascii")
