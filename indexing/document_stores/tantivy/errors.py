# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Errors of the embedded index, and what becomes of those of tantivy."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from haystack.document_stores.errors import DocumentStoreError


class IndexOpenError(DocumentStoreError):
    """The folder holds no index, not one of ours, a damaged one, or one that was made with other settings."""


class IndexDamagedError(IndexOpenError):
    """
    A part of the index is not as it was written.

    :param path: The store's folder.
    :param what: The file or the document.
    """

    def __init__(self, path: Path, what: str) -> None:
        super().__init__(path, what)
        self.path, self.what = path, what

    def __str__(self) -> str:
        """Say what is damaged, and what to do."""
        return (
            f"the index in {self.path} is damaged: {self.what} is not as it was written. `answer-selection verify "
            f"--index {self.path}` lists all damage. Index the sources again, into a new folder"
        )


class IndexLockedError(DocumentStoreError):
    """Another writer, in this process or another, is at work on the index."""


class OtherEncoderError(DocumentStoreError):
    """The vectors of the index are another encoder's."""


def missing(path: Path) -> IndexOpenError:
    """
    Say that there is no index, or nothing in it, and how to make one.

    :param path: The store's folder.
    :returns: The error to raise.
    """
    return IndexOpenError(f"there is no index in {path}, or it is empty: `answer-selection index FILE --index {path}`")


def unreadable(path: Path, error: BaseException) -> IndexOpenError:
    """
    Say why an index can't be read.

    :param path: The store's folder.
    :param error: What tantivy or the operating system said.
    :returns: The error to raise.
    """
    if "Lockfile" in str(error):
        return IndexOpenError(f"can't take a lock in {path}: readers must be able to write there, too: {error}")
    return IndexOpenError(
        f"the index in {path} can't be read, it may be damaged: {error}. If so, index into a new folder"
    )


def is_panic(error: BaseException) -> bool:
    """
    Say whether tantivy has broken off in the middle, as it does at some damaged bytes.

    :param error: Whatever was raised.
    :returns: Whether it is a panic of Rust. That is no Exception, and its class can't be imported.
    """
    return type(error).__name__ == "PanicException"


@contextmanager
def failures_told(path: Path, *kinds: type[Exception]) -> Iterator[None]:
    """
    Turn what fails in tantivy into the store's error.

    :param path: The store's folder.
    :param kinds: The exceptions that are meant; panics are meant always.
    :returns: A context.
    :raises IndexOpenError: Instead of them.
    """
    try:
        yield
    except BaseException as error:
        if not (isinstance(error, kinds) or is_panic(error)):
            raise
        raise unreadable(path, error) from error
