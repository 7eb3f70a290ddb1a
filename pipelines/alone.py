# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""One command at a time where several make the same file or folder."""

from collections.abc import Iterator
from contextlib import contextmanager
from fcntl import LOCK_EX, LOCK_NB, flock
from pathlib import Path

from answer_selection.pipelines.training.train_ranker import Progress


@contextmanager
def alone(path: Path, progress: Progress) -> Iterator[None]:
    """
    Let one command at a time make what several may want; the next one finds it made.

    :param path: The file or folder.
    :param progress: Shows that another command is waited for.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    # The file stays: one who waits for a file that is removed would hold a lock that nobody else sees. The lock itself
    # goes with its process, also where that is killed.
    with (path.parent / f"{path.name}.lock").open("wb") as file:
        try:
            flock(file, LOCK_EX | LOCK_NB)
        except BlockingIOError:
            with progress(f"waiting for another command to make {path.name}", None):
                flock(file, LOCK_EX)
        yield
