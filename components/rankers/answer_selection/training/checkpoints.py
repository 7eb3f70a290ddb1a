# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""What a run leaves in its folder until it is done, so that a killed one goes on; and who may write there."""

import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from answer_selection.indexing.artifact import Artifact, changed, refuse_changed
from haystack_integrations.components.rankers.answer_selection.models.quantized_weights import weights_file

CHECKPOINTS: Final = "checkpoints"
LOGS: Final = "logs"


def _run(output_dir: Path) -> Artifact:
    """A run's checkpoints, with the record of what it learns from and how."""
    folder = output_dir / CHECKPOINTS
    return Artifact(folder, folder / "run.json")


def is_unfinished(output_dir: Path) -> bool:
    """
    Say whether a run was killed, also while it saved its model: then it has its checkpoints still, and goes on.

    :param output_dir: the run's folder.
    :returns: whether it is there, unfinished.
    """
    return _run(output_dir).record.exists()


def refuse_finished(output_dir: Path, *, overwrite: bool) -> None:
    """
    Make sure that no run replaces a model without being asked.

    :param output_dir: the run's folder.
    :param overwrite: whether it may.
    :raises FileExistsError: if a model is there that is not an unfinished run's.
    """
    if weights_file(output_dir).exists() and not overwrite and not is_unfinished(output_dir):
        msg = f"{output_dir} already holds a model; overwrite=True replaces it"
        raise FileExistsError(msg)


def begin(output_dir: Path, inputs: Mapping[str, Any], *, overwrite: bool) -> Path | None:
    """
    Look at the checkpoints in a run's folder, and record there what the run is made from.

    :param output_dir: the run's folder.
    :param inputs: what it is made from, by name: settings, and digests of what it reads.
    :param overwrite: whether an unfinished run that is there is thrown away.
    :returns: the checkpoint to go on from; None if the run begins.
    :raises FileExistsError: if there is an unfinished run of something else.
    """
    run = _run(output_dir)
    if overwrite:
        shutil.rmtree(run.path, ignore_errors=True)
    elif (recorded := run.recorded()) is not None:
        checkpoint = _last_checkpoint(run.path)
        if not changed(recorded, inputs):
            return checkpoint
        # Before the first checkpoint nothing is lost: a run that failed at once may be mended.
        if checkpoint is not None:
            what = f"{run.path} holds an unfinished run"
            refuse_changed(what, recorded, inputs, overwriting="starts anew")
        shutil.rmtree(run.path)
    shutil.rmtree(output_dir / LOGS, ignore_errors=True)
    run.path.mkdir(parents=True, exist_ok=True)
    run.write_record(inputs)
    return None


def _last_checkpoint(folder: Path) -> Path | None:
    """The newest whole checkpoint; what a kill in the middle of saving left is removed."""
    whole: dict[int, Path] = {}
    for path in folder.glob("checkpoint-*"):
        try:
            # Trainer writes this file last.
            state = json.loads((path / "trainer_state.json").read_text(encoding="utf-8"))
            whole[int(state["global_step"])] = path
        except (OSError, ValueError):
            shutil.rmtree(path)
    return whole[max(whole)] if whole else None
