# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""From given candidate lists to a trained model folder."""

from pathlib import Path

from answer_selection.indexing.progress import Progress
from answer_selection.pipelines.training.from_lists import train_from_lists
from answer_selection.pipelines.training.lists import given_lists
from answer_selection.pipelines.training.ranker_card import beginnings
from answer_selection.pipelines.training.recipe import Recipe
from answer_selection.pipelines.training.run_folder import LISTS
from answer_selection.pipelines.training.texts import list_texts
from answer_selection.pipelines.training.trees import Trees
from haystack_integrations.components.rankers.answer_selection.training.model_card import DataSource
from haystack_integrations.components.rankers.answer_selection.training.processes import Processes
from haystack_integrations.components.rankers.answer_selection.training.training_result import TrainingResult


def train_from_candidates(
    candidates: Path,
    output: Path,
    recipe: Recipe,
    progress: Progress,
    *,
    start: str | Path = "default",
    validation: Path | None = None,
    licence: str = "not stated",
    seed: int = 0,
    trees: Trees | None = None,
) -> TrainingResult:
    """
    Train a ranker on given candidate lists.

    :param candidates: Lists to learn from, in any form that `read_candidates` reads.
    :param output: The model folder to be.
    :param recipe: How to train, and what from scratch.
    :param progress: Shows progress.
    :param start: "scratch", "default" (the package's CTRN), "answer-selection-gsamn", or a model folder.
    :param validation: Lists to stop and to choose by; without them a tenth of the lists is held out.
    :param licence: The data's licence, for the card.
    :param seed: Seed of everything that is drawn.
    :param trees: Where missing parse trees come from, for a model or a teacher that reads trees; None if all texts have
        one.
    :returns: What came out.
    """
    lists = Processes.joined(use_cpu=recipe.training.use_cpu).once(
        lambda: given_lists(candidates, validation, output / LISTS, seed=seed)
    )
    return train_from_lists(
        lists,
        output,
        recipe,
        progress,
        start=start,
        texts=list_texts(lists.train),
        sources=[DataSource(candidates.name, licence, str(candidates), "training"), *beginnings(recipe, start)],
        summary=f"Ranks answers, trained on the candidate lists of `{candidates.name}`.",
        seed=seed,
        trees=trees,
    )
