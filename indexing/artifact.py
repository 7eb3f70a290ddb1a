# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
Files and folders that are made once, and the record of what they were made from.

So is one used again, gone on with, or refused; it is never mistaken for another.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from hashlib import file_digest, sha256
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from answer_selection.indexing.progress import Progress
from answer_selection.indexing.whole_file import whole_file


class Artifact:
    """
    A file or folder that is made from known inputs, with a record of these.

    :param path: The file or folder.
    :param record: The record's file; by default one beside `path`.
    """

    def __init__(self, path: Path, record: Path | None = None) -> None:
        self.path = path
        self.record = record or path.with_name(f"{path.name}.made-from.json")

    def recorded(self) -> dict[str, Any] | None:
        """
        Read the record.

        :returns: What it says, by name; None if there is none that can be read.
        """
        try:
            content: dict[str, Any] = json.loads(self.record.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        return content

    def write_record(self, content: Mapping[str, Any]) -> None:
        """
        Record what it is made from. A kill leaves the record that was there, or this one.

        :param content: What it is made from, by name.
        """
        with whole_file(self.record) as part:
            part.write_text(json.dumps(content, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")

    def forget(self) -> None:
        """Remove the record: what is there no longer counts as made."""
        self.record.unlink(missing_ok=True)

    def is_made_from(self, inputs: Mapping[str, Any], *, overwrite: bool = False) -> bool:
        """
        Say whether it is there and made from these inputs. For artifacts whose record is written when they are whole.

        :param inputs: What it should be made from, by name.
        :param overwrite: Whether one that was made from other things may be replaced: then it counts as not made.
        :returns: Whether it can be used as it is.
        :raises FileExistsError: If it was made from other things and `overwrite` is False.
        """
        recorded = self.recorded()
        if recorded is None or not self.path.exists():
            return False
        if recorded != inputs and not overwrite:
            # Names alone: most of these inputs are digests.
            names = sorted(recorded.keys() | inputs.keys())
            other = ", ".join(name for name in names if recorded.get(name) != inputs.get(name))
            msg = f"{self.path} was made from something else (other {other}): move it away, or replace it: "
            msg += "overwrite=True"
            raise FileExistsError(msg)
        return recorded == inputs

    @contextmanager
    def lock(self, progress: Progress) -> Iterator[None]:
        """
        Let one command at a time make it; the next one finds it made.

        :param progress: Shows that another command is waited for.
        :returns: A context in which no other command makes it. A killed process gives the lock back.
        """
        self.path.parent.mkdir(parents=True, exist_ok=True)
        lock = FileLock(self.path.with_name(f"{self.path.name}.lock"))
        try:
            lock.acquire(blocking=False)
        except Timeout:
            with progress(f"waiting for another command to make {self.path.name}", None):
                lock.acquire()
        try:
            yield
        finally:
            lock.release()


def changed(recorded: Mapping[str, Any], inputs: Mapping[str, Any]) -> list[str]:
    """
    Say which inputs are not those of a record.

    :param recorded: The inputs that the record has, by name.
    :param inputs: Those that there are now.
    :returns: The names of those that differ.
    """
    return [name for name in inputs if recorded.get(name) != inputs[name]]


def refuse_changed(what: str, recorded: Mapping[str, Any], inputs: Mapping[str, Any], *, overwriting: str) -> None:
    """
    Make sure that a record's settings are those that are asked for now.

    :param what: What there is, and what became of it so far: the beginning of the message.
    :param recorded: The settings that the record has, by name.
    :param inputs: Those that there are now.
    :param overwriting: What overwriting it would do: the end of the message.
    :raises FileExistsError: If some differ; it says what each was and is.
    """
    if names := changed(recorded, inputs):
        had = ", ".join(f"{name} {recorded.get(name)} (now {inputs[name]})" for name in names)
        msg = f"{what} with other settings: {had}; overwrite=True {overwriting}"
        raise FileExistsError(msg)


def digest(path: Path) -> str:
    """
    Tell a file's content from any other.

    :param path: The file.
    :returns: Its SHA-256.
    """
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()


def text_digest(texts: Iterable[str], what_else: bytes = b"") -> str:
    """
    Tell texts, in their order, from any others.

    :param texts: The texts; read once.
    :param what_else: What they are to be told apart by beside themselves.
    :returns: The SHA-256 of both.
    """
    found = sha256(what_else)
    for text in texts:
        found.update(f"{text}\0".encode())
    return found.hexdigest()
