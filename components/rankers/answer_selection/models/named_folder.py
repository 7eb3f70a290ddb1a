# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Folders by name: of the package, here, in the hub's cache, or on the hub."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from haystack_integrations.components.rankers.answer_selection.models.model_folder import (
    PACKAGED,
    ModelFolderError,
    refuse_unknown,
    refused,
)

_HUB_NAME: Final = re.compile(r"[\w.-]+(/[\w.-]+)?")
# Seconds in which the hub has to answer at all: without a network, people are told at once, or have what is there.
_HUB_ANSWERS_IN: Final = 1.5


@dataclass(frozen=True, slots=True)
class Sought:
    """
    What a name stands for.

    :param kind: "model" or "encoder".
    :param own: the names of the package's own.
    :param expected: what is expected of a path, for whoever names a file.
    :param patterns: which files are fetched.
    :param is_whole: whether a folder of the hub's cache has all that is needed: whoever asked for the name before may
        have fetched other files.
    :param stays: whether what is in the cache is taken without asking the hub for what is new.
    """

    kind: str
    own: tuple[str, ...]
    expected: str
    patterns: tuple[str, ...]
    is_whole: Callable[[Path], bool]
    stays: bool


def find_named(name: str | Path, sought: Sought, *, token: str | None = None, revision: str | None = None) -> Path:
    """
    Find a folder.

    What is of the hub is fetched. Where the hub does not answer, and of what stays in any case, it is what is in the
    cache, if that is whole.

    :param name: a folder, the name of one of the package's own, or of one on the Hugging Face hub.
    :param sought: what it stands for.
    :param token: the hub's token, for what is private.
    :param revision: the branch, tag or commit on the hub.
    :returns: the folder.
    :raises ModelFolderError: if there is none.
    """
    folder = PACKAGED[name] if isinstance(name, str) and name in sought.own else Path(name)
    if folder.is_dir():
        return folder
    if name in sought.own:
        msg = f"the {sought.kind} {name} of this package is missing: there is no folder {folder}. "
        msg += "Install the package anew"
        raise ModelFolderError(msg)
    if folder.is_file():
        msg = f"{folder} is a file; expected {sought.expected}"
        raise ModelFolderError(msg)
    refuse_unknown(name, sought.kind, sought.own)
    if isinstance(name, Path) or not _HUB_NAME.fullmatch(name):
        msg = f"there is no {sought.kind} folder {folder}"
        raise ModelFolderError(msg)
    what = f"there is no {sought.kind} folder '{name}', and no model of that name could be fetched from the hub"
    with refused(what):
        return _from_hub(name, sought, token, revision)


def _from_hub(name: str, sought: Sought, token: str | None, revision: str | None) -> Path:
    from huggingface_hub import HfApi, snapshot_download
    from huggingface_hub.errors import LocalEntryNotFoundError

    patterns = list(sought.patterns)
    try:
        cached = Path(snapshot_download(name, revision=revision, allow_patterns=patterns, local_files_only=True))
        whole = cached if sought.is_whole(cached) else None
    except LocalEntryNotFoundError:
        whole = None
    if whole is not None and sought.stays:
        return whole
    try:
        HfApi().model_info(name, revision=revision, token=token, timeout=_HUB_ANSWERS_IN)
        return Path(snapshot_download(name, revision=revision, token=token, allow_patterns=patterns))
    except Exception:  # the hub's own errors, and whatever the network's client raises
        if whole is None:
            raise
    return whole
