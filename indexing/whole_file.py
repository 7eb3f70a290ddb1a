# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Files that appear whole or not at all."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """
    Write a file that a reader finds whole, or as it was before. A kill leaves ``<path>.part`` at most.

    :param path: The file; one that is there is replaced.
    :returns: A context whose value is the file to write, which takes the other's place at the end. After an error it is
        gone, and the other as it was.
    """
    part = path.with_name(f"{path.name}.part")
    try:
        yield part
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
