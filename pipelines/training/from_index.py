# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""From a corpus in an index to a trained model folder."""

from collections.abc import Sequence
from pathlib import Path

from answer_selection.indexing.corpus import Query
from answer_selection.indexing.corpus_index import CorpusIndex
from answer_selection.indexing.progress import Progress
from answer_selection.pipelines.training.from_lists import train_from_lists
from answer_selection.pipelines.training.index_encoder import load_encoder_of
from answer_selection.pipelines.training.mining import mine_lists
from answer_selection.pipelines.training.ranker_card import beginnings
from answer_selection.pipelines.training.recipe import Recipe
from answer_selection.pipelines.training.run_folder import LISTS
from answer_selection.pipelines.training.texts import corpus_texts
from answer_selection.pipelines.training.trees import Trees
from haystack_integrations.components.rankers.answer_selection.training.model_card import DataSource
from haystack_integrations.components.rankers.answer_selection.training.processes import Processes
from haystack_integrations.components.rankers.answer_selection.training.training_result import TrainingResult


def train_from_index(
    index: CorpusIndex,
    output: Path,
    recipe: Recipe,
    progress: Progress,
    *,
    start: str | Path = "default",
    queries: list[Query] | None = None,
    validation: list[Query] | None = None,
    licence: str = "not stated",
    seed: int = 0,
    trees: Trees | None = None,
    teacher_questions: Sequence[Query] = (),
) -> TrainingResult:
    """
    Train a ranker on a corpus: on its own questions, or on queries that are given.

    :param index: The corpus's index.
    :param output: The model folder to be. The candidate lists stay in it.
    :param recipe: How to train, and what from scratch.
    :param progress: Shows progress.
    :param start: "scratch", "default" (the package's CTRN), "answer-selection-gsamn", or a model folder.
    :param queries: Queries to learn from; the corpus's own questions by default.
    :param validation: Real queries to stop and to choose by.
    :param licence: The data's licence, for the card.
    :param seed: Seed of everything that is drawn.
    :param trees: Where missing parse trees come from, for a model or a teacher that reads trees; None if all texts have
        one.
    :param teacher_questions: Further questions, whose candidates the recipe's teacher alone ranks.
    :returns: What came out.
    """
    lists = Processes.joined(use_cpu=recipe.training.use_cpu).once(
        lambda: mine_lists(
            index,
            output / LISTS,
            progress,
            queries=queries,
            validation=validation,
            negatives=recipe.negatives,
            keep_top=recipe.keep_top,
            seed=seed,
            encoder=load_encoder_of(index),
            unlabelled=teacher_questions,
        )
    )
    texts = corpus_texts(index, [*(queries or ()), *teacher_questions])
    sources = [DataSource(index.label, licence, index.location, "training")]
    if teacher_questions:
        count = f"{len(teacher_questions)} questions"
        sources.append(DataSource("questions without labels", licence, count, "training, ranked by the teacher"))
    return train_from_lists(
        lists,
        output,
        recipe,
        progress,
        start=start,
        texts=texts,
        sources=[*sources, *beginnings(recipe, start)],
        summary=f"Ranks the answers of the corpus in `{index.label}`, trained on "
        + ("that corpus's own questions." if queries is None else "queries to it."),
        seed=seed,
        trees=trees,
    )
