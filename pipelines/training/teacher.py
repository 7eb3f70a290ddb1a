# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The model that a run follows, its teacher: whether there is one, and what it says of the lists."""

from pathlib import Path

from answer_selection.indexing.progress import Progress
from answer_selection.pipelines.training.recipe import Recipe
from haystack_integrations.components.rankers.answer_selection.models import registry
from haystack_integrations.components.rankers.answer_selection.models.model_folder import packaged
from haystack_integrations.components.rankers.answer_selection.training.model_card import DataSource, card_of
from haystack_integrations.components.rankers.answer_selection.training.teacher_loss import Teaching
from haystack_integrations.components.rankers.answer_selection.training.teacher_scores import (
    fingerprint,
    teacher_scores,
)


def teacher_folder(recipe: Recipe) -> Path | None:
    """
    Find the teacher that a recipe names.

    :param recipe: The recipe.
    :returns: Its folder; None if no teacher is followed.
    :raises ValueError: If it says how to follow a teacher, but not which; or there is no such model folder.
    """
    if recipe.teacher is None:
        return None
    if recipe.teacher.model is None:
        msg = "the recipe says how to follow a teacher, but not which one; expected a model folder (teacher.model, or "
        msg += "--teacher)"
        raise ValueError(msg)
    folder = packaged(recipe.teacher.model)
    if not folder.is_dir():
        msg = f"the teacher {folder}: no such model folder; expected the folder of a trained model"
        raise ValueError(msg)
    if registry.class_of(folder) is None:
        msg = f"the teacher {folder}: no ranker's model is in this folder; expected one that `train` wrote, or a "
        msg += "cross-encoder's"
        raise ValueError(msg)
    # Said now, not after the lists are mined.
    if missing := [file.name for file in registry.model_files(folder) if not file.is_file()]:
        msg = f"the teacher {folder}: the model folder lacks {' and '.join(missing)}; expected a whole one"
        raise ValueError(msg)
    return folder


def reads_trees(recipe: Recipe) -> bool:
    """
    Say whether a recipe's teacher reads parse trees.

    :param recipe: The recipe.
    :returns: Whether there is a teacher, and it does.
    """
    folder = teacher_folder(recipe)
    model = None if folder is None else registry.class_of(folder)
    return model is not None and model.reads_trees


def ask_teacher(recipe: Recipe, lists: Path, folder: Path, progress: Progress) -> Teaching | None:
    """
    Ask the recipe's teacher for its scores, unless that was done.

    :param recipe: The recipe.
    :param lists: The lists to learn from.
    :param folder: Where the scores are, or go.
    :param progress: Shows progress.
    :returns: What it says; None if no teacher is followed.
    """
    teacher, training = teacher_folder(recipe), recipe.training
    if teacher is None or recipe.teacher is None:
        return None
    scores = teacher_scores(
        teacher, lists, folder, progress, pairs_per_batch=training.pairs_per_batch, use_cpu=training.use_cpu
    )
    return Teaching(recipe.teacher, scores)


def teacher_source(recipe: Recipe) -> list[DataSource]:
    """
    Describe a recipe's teacher for a card.

    :param recipe: The recipe.
    :returns: The teacher, with the licences that its own card names; nothing if there is none.
    """
    folder = teacher_folder(recipe)
    if folder is None:
        return []
    # A folder's place says nothing to others.
    name, mark = folder.resolve().name, f"fingerprint {fingerprint(folder)[:16]}"
    return [DataSource(name, card_of(folder, "").licence, mark, "teacher")]
