# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The folder of a run, a model folder to be: what it leaves there, and whether it may write there."""

import shutil
from collections.abc import Collection
from pathlib import Path
from typing import Final

from haystack_integrations.components.rankers.answer_selection import answer_risk
from haystack_integrations.components.rankers.answer_selection.models import registry
from haystack_integrations.components.rankers.answer_selection.models.quantized_weights import (
    QUANTIZED_WEIGHTS,
    weights_file,
)
from haystack_integrations.components.rankers.answer_selection.training.checkpoints import (
    CHECKPOINTS,
    LOGS,
    is_unfinished,
)

LISTS: Final = "lists"
ENCODER: Final = "encoder"
_FILES: Final = (*registry.FILES, QUANTIZED_WEIGHTS)
_FOLDERS: Final = (LISTS, ENCODER, CHECKPOINTS, LOGS)


def holds_model(output: Path) -> bool:
    """
    Say whether a folder holds a model whose training has ended.

    :param output: The folder.
    :returns: Whether it does.
    """
    return weights_file(output).exists() and not is_unfinished(output)


def refuse_model(output: Path, *, files: Collection[str] = _FILES, overwrite: bool) -> None:
    """
    Make sure that no model, nor anything else, is overwritten without being asked.

    An unfinished run is left to be gone on with.

    :param output: The model folder to be.
    :param files: The files that a model is.
    :param overwrite: Whether a model or an unfinished run that is there may go; other files stay.
    :raises FileExistsError: If a model or other files are there and `overwrite` is False, or it is a file.
    """
    if not output.exists():
        return
    if not output.is_dir():
        msg = f"{output} is a file; expected a new or empty folder for the model"
        raise FileExistsError(msg)
    if overwrite:
        for name in (*files, answer_risk.FILE, "README.md", *_FOLDERS):
            path = output / name
            shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
        return
    # A run that was killed while it saved its model still has its checkpoints: it goes on, and saves again.
    unfinished = is_unfinished(output)
    if holds_model(output):
        msg = f"{output} holds a model already: name another folder, or allow overwriting it (overwrite=True)"
        raise FileExistsError(msg)
    known = {*_FOLDERS, *((*files, "README.md") if unfinished else ())}
    if strangers := sorted(path.name for path in output.iterdir() if path.name not in known):
        msg = (
            f"{output} holds other files ({', '.join(strangers[:3])}); expected a new or empty folder for the model "
            "(overwrite=True writes it there all the same)"
        )
        raise FileExistsError(msg)
