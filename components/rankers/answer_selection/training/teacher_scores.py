# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""A teacher's scores of all candidates of a file, on disk: made once, list by list, and gone on with after a kill."""

import os
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

import numpy as np
import torch
from numpy.typing import NDArray

from answer_selection.indexing.artifact import Artifact, changed, digest
from answer_selection.indexing.progress import Bar, Progress
from answer_selection.indexing.ranking_fields import VECTOR_SCORE
from answer_selection.indexing.text.tree import TreeError
from haystack_integrations.components.rankers.answer_selection.models import registry
from haystack_integrations.components.rankers.answer_selection.training.dataset import CandidateFile, Floats
from haystack_integrations.components.rankers.answer_selection.training.device import on_cpu
from haystack_integrations.components.rankers.answer_selection.training.scoring import scores_of_some

if TYPE_CHECKING:
    from haystack_integrations.components.rankers.answer_selection.models.base import AnswerSelectionModel, Collator

# Lists that are scored, and written, at once; a kill costs at most these.
_LISTS: Final = 64
# Whether scores differ at all, or but for the order in which they were added up.
_SAME: Final = 1e-6
# Where a cross-encoder of others keeps the length of its longest pair.
_LENGTH: Final = "tokenizer_config.json"


def fingerprint(teacher: Path) -> str:
    """
    Tell a model folder's scores from another's.

    :param teacher: the folder.
    :returns: a digest of its files.
    """
    files = [*registry.model_files(teacher), teacher / _LENGTH]
    found = [f"{file.name} {digest(file)}" for file in files if file.is_file()]
    return sha256("\n".join(found).encode()).hexdigest()


def teacher_scores(
    teacher: Path, lists: Path, folder: Path, progress: Progress, *, pairs_per_batch: int, use_cpu: bool = False
) -> Floats:
    """
    Ask a teacher for its scores of candidate lists, unless that was done. What a killed run wrote is gone on with.

    :param teacher: its model folder.
    :param lists: the lists (JSON Lines).
    :param folder: where the scores are, or go: four bytes a candidate.
    :param progress: shows progress.
    :param pairs_per_batch: the most pairs in a batch of the student's, as a measure of the memory that there is.
    :param use_cpu: whether it computes on the CPU even where there is an accelerator.
    :returns: its logits, list after list, [n_pairs].
    :raises FileExistsError: if the folder holds the scores of another teacher or of other lists.
    :raises ModelFolderError: if there is no such model.
    :raises ValueError: if it cannot score the lists, says nothing of their order, or the file is not what was written.
    """
    inputs = {"teacher": fingerprint(teacher), "lists": digest(lists)}
    artifact = Artifact(folder / "scores.bin")
    with artifact.lock(progress):
        recorded = artifact.recorded()
        # Where nothing was written nothing is lost: a run that failed at once may be mended.
        begun = artifact.path.exists() and artifact.path.stat().st_size
        if recorded is not None and begun and (names := changed(recorded, inputs)):
            msg = f"{folder} holds a teacher's scores of something else (other {', '.join(names)}): name another "
            msg += "output folder, or replace it: overwrite=True"
            raise FileExistsError(msg)
        if recorded is None or "sha256" not in recorded:
            model, collator = registry.load(teacher, to_score=True)
            file = CandidateFile(lists, collator.pair_length)
            _check(model, teacher, file)
            if not on_cpu(use_cpu=use_cpu):
                cast(torch.nn.Module, model).to(torch.accelerator.current_accelerator())
            if recorded is None:
                artifact.path.unlink(missing_ok=True)
            artifact.write_record(inputs)
            with progress("asking the teacher", len(file)) as bar:
                _write(model, collator, file, artifact.path, bar, model.pairs_at_once(pairs_per_batch))
            try:
                _refuse_ties(_read(artifact.path), file, teacher)
            except ValueError:
                artifact.path.unlink()
                raise
            artifact.write_record({**inputs, "sha256": digest(artifact.path)})
        elif not artifact.path.exists() or digest(artifact.path) != recorded["sha256"]:
            msg = f"{artifact.path} is not what was written: cut off, or changed; remove {folder}, and the teacher is "
            msg += "asked again"
            raise ValueError(msg)
    return _read(artifact.path)


def _read(path: Path) -> Floats:
    return np.fromfile(path, dtype=np.float32).astype(np.float64)


def _check(model: "AnswerSelectionModel", teacher: Path, file: CandidateFile) -> None:
    if VECTOR_SCORE in model.retrieval_meta and not file.hybrid:
        msg = f"the teacher {teacher} reads cosines (pair_features: cosine), but the candidates of {file.path} have "
        msg += "none; expected lists of an index with vectors, or another teacher"
        raise ValueError(msg)


def _write(
    model: "AnswerSelectionModel",
    collator: "Collator",
    file: CandidateFile,
    path: Path,
    bar: Bar,
    pairs_per_batch: int,
) -> None:
    width = np.dtype(np.float32).itemsize
    bounds = [*range(0, len(file), _LISTS), len(file)]
    ends = np.append(file.starts, len(file.labels))[bounds]
    with path.open("ab") as out:
        # A kill may have cut a block off.
        done = int(np.searchsorted(ends * width, out.tell(), side="right")) - 1
        out.truncate(int(ends[done]) * width)
        for block in range(done, len(bounds) - 1):
            scores: NDArray[np.float32] = np.zeros(ends[block + 1] - ends[block], dtype=np.float32)
            lists = range(bounds[block], bounds[block + 1])
            try:
                for places, scored in scores_of_some(model, collator, file, lists, pairs_per_batch):
                    scores[places - ends[block]] = scored
            except TreeError as error:
                msg = f"{file.path}: the teacher reads parse trees, and {error}"
                raise ValueError(msg) from error
            if not np.isfinite(scores).all():
                number = file.list_of_pair[ends[block] + int(np.argmin(np.isfinite(scores)))] + 1
                msg = f"{file.path}: the teacher's score of a candidate of list {number} is no finite number; expected "
                msg += "another teacher"
                raise ValueError(msg)
            out.write(scores.tobytes())
            out.flush()
            os.fsync(out.fileno())
            bar(bounds[block + 1])


def _refuse_ties(scores: Floats, file: CandidateFile, teacher: Path) -> None:
    """Refuse a teacher that scores all candidates of a list alike, whichever the list."""
    lists = np.flatnonzero(file.sizes)
    starts = file.starts[lists]
    ranges = np.maximum.reduceat(scores, starts) - np.minimum.reduceat(scores, starts) if len(lists) else scores
    if not (ranges > _SAME).any():
        msg = f"the teacher {teacher} gives all candidates of a list the same score, in each of the {len(file)} lists "
        msg += f"of {file.path}: there is no order to learn; expected another teacher"
        raise ValueError(msg)
