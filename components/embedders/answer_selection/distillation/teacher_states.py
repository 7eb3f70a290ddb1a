# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The teacher's outputs for all tokens of all texts, on disk: made once, read by every epoch and by every student."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from answer_selection.indexing.artifact import Artifact, changed, digest, text_digest
from answer_selection.indexing.progress import Progress
from haystack_integrations.components.embedders.answer_selection.distillation.teacher import Teacher

# Texts that are written at once; a kill costs at most these.
_TEXTS: Final = 1024


class TeacherStates:
    """
    The outputs of a teacher for all tokens of texts. The file is mapped, not read, so that it takes no memory.

    :param path: the file.
    :param ids: each text's tokens, by the teacher's ids.
    :param width: numbers an output.
    """

    def __init__(self, path: Path, ids: Sequence[NDArray[np.int32]], width: int) -> None:
        self.ids = ids
        self._ends = _ends(ids)
        self._states = np.memmap(path, dtype=np.float16, mode="r", shape=(int(self._ends[-1]), width))

    def __getitem__(self, text: int) -> NDArray[np.float16]:
        """
        Give a text's states.

        :param text: its number.
        :returns: its tokens' outputs, [tokens x width].
        """
        return self._states[self._ends[text] : self._ends[text + 1]]


def write_states(teacher: Teacher, texts: Sequence[str], folder: Path, progress: Progress) -> TeacherStates:
    """
    Ask the teacher, where it was not asked before. What a killed run wrote is gone on with.

    :param teacher: the teacher.
    :param texts: the texts.
    :param folder: where the states are, or go: two bytes a number, so 768 bytes a token of a teacher of 384.
    :param progress: shows progress.
    :returns: the states.
    :raises FileExistsError: if the folder holds the states of another teacher or of other texts.
    :raises ValueError: if they are not what was written: cut off, or changed.
    """
    artifact = Artifact(folder / "states.bin")
    inputs = {
        "teacher": teacher.fingerprint,
        "texts": text_digest(texts),
        "max_length": teacher.max_length,
    }
    with artifact.lock(progress):
        recorded = artifact.recorded()
        if recorded is not None and (names := changed(recorded, inputs)):
            msg = f"{folder} holds the states of something else (other {', '.join(names)}): name another folder for "
            msg += "the teacher's states, or remove it"
            raise FileExistsError(msg)
        ids = [np.array(one, dtype=np.int32) for one in teacher.tokenise(texts)]
        if recorded is None or "sha256" not in recorded:
            artifact.write_record(inputs)
            _write(teacher, ids, artifact.path, progress)
            artifact.write_record({**inputs, "sha256": digest(artifact.path)})
        elif not artifact.path.exists() or digest(artifact.path) != recorded["sha256"]:
            msg = f"{artifact.path} is not what was written: cut off, or changed; remove {folder}, and the teacher is "
            msg += "asked again"
            raise ValueError(msg)
    return TeacherStates(artifact.path, ids, teacher.width)


def _write(teacher: Teacher, ids: Sequence[NDArray[np.int32]], path: Path, progress: Progress) -> None:
    ends = _ends(ids) * teacher.width * np.dtype(np.float16).itemsize
    with path.open("ab") as file, progress("asking the teacher", len(ids)) as bar:
        # A kill may have cut a text off.
        done = int(np.searchsorted(ends, file.tell(), side="right")) - 1
        file.truncate(int(ends[done]))
        for start in range(done, len(ids), _TEXTS):
            for states in teacher.states([one.tolist() for one in ids[start : start + _TEXTS]]):
                file.write(states.tobytes())
            file.flush()
            os.fsync(file.fileno())
            bar(min(start + _TEXTS, len(ids)))


def _ends(ids: Sequence[NDArray[np.int32]]) -> NDArray[np.int64]:
    """Say where each text begins, and the last one ends, in tokens."""
    return np.concatenate([[0], np.cumsum([len(one) for one in ids])]).astype(np.int64)
