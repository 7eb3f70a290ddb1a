# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Notes beside what was made, of what it was made from: so that it is used again, and never mistaken for another."""

import json
from collections.abc import Mapping
from pathlib import Path


def is_made(path: Path, made_from: Mapping[str, str], *, overwrite: bool = False) -> bool:
    """
    Say whether something is there, finished, and made from these things.

    :param path: The file or folder.
    :param made_from: What it should be made from, by name.
    :param overwrite: Whether one that was made from other things may be replaced: then it counts as not made.
    :returns: Whether it can be used as it is.
    :raises FileExistsError: If it was made from other things and `overwrite` is False.
    """
    noted = noted_of(path)
    if noted is None or not path.exists():
        return False
    if noted != made_from and not overwrite:
        different = ", ".join(name for name in made_from if noted.get(name) != made_from[name])
        msg = f"{path} was made from something else (other {different}): move it away, or replace it: overwrite=True"
        raise FileExistsError(msg)
    return noted == made_from


def note(path: Path, made_from: Mapping[str, str]) -> None:
    """
    Note what something was made from, once it is finished.

    :param path: The file or folder.
    :param made_from: What it was made from, by name.
    """
    note_of(path).write_text(json.dumps(made_from, indent=2) + "\n", encoding="utf-8")


def noted_of(path: Path) -> dict[str, str] | None:
    """
    Say what something was made from.

    :param path: The file or folder.
    :returns: What is noted, by name; None if there is no note that can be read.
    """
    try:
        noted: dict[str, str] = json.loads(note_of(path).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return noted


def note_of(path: Path) -> Path:
    """
    Name the note of a file or folder. What lies there without one is what a killed run left.

    :param path: The file or folder.
    :returns: The note's file.
    """
    return path.parent / f"{path.name}.made-from.json"
