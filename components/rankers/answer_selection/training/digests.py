# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""What tells what a run reads from anything else."""

from collections.abc import Iterable
from hashlib import file_digest, sha256
from pathlib import Path


def digest(path: Path) -> str:
    """
    Tell a file's content from any other.

    :param path: the file.
    :returns: its SHA-256.
    """
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()


def text_digest(texts: Iterable[str], what_else: bytes = b"") -> str:
    """
    Tell texts, in their order, from any others.

    :param texts: the texts; read once.
    :param what_else: what they are to be told apart by beside themselves.
    :returns: the SHA-256 of both.
    """
    found = sha256(what_else)
    for text in texts:
        found.update(f"{text}\0".encode())
    return found.hexdigest()
