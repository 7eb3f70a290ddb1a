# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""From candidate lists of a run to a trained model folder with its card."""

from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from answer_selection.indexing.progress import Progress
from answer_selection.indexing.ranking_fields import VECTOR_SCORE
from answer_selection.pipelines.training.lists import Lists
from answer_selection.pipelines.training.ranker_card import write_ranker_card
from answer_selection.pipelines.training.recipe import Recipe
from answer_selection.pipelines.training.rewording import reworded_lists
from answer_selection.pipelines.training.run_folder import LISTS
from answer_selection.pipelines.training.starting_model import make_model
from answer_selection.pipelines.training.teacher import ask_teacher, reads_trees, teacher_source
from answer_selection.pipelines.training.texts import Texts
from answer_selection.pipelines.training.trees import Trees
from haystack_integrations.components.rankers.answer_selection.models.base import AnswerSelectionModel, Collator
from haystack_integrations.components.rankers.answer_selection.models.known_words import KnownWords
from haystack_integrations.components.rankers.answer_selection.training.dataset import CandidateFile
from haystack_integrations.components.rankers.answer_selection.training.device import affordable_precision
from haystack_integrations.components.rankers.answer_selection.training.model_card import DataSource
from haystack_integrations.components.rankers.answer_selection.training.processes import Processes
from haystack_integrations.components.rankers.answer_selection.training.settings import TrainingSettings
from haystack_integrations.components.rankers.answer_selection.training.trainer import train
from haystack_integrations.components.rankers.answer_selection.training.training_result import TrainingResult
from haystack_integrations.components.rankers.answer_selection.training.untrained import measure_untrained


def train_from_lists(
    lists: Lists,
    output: Path,
    recipe: Recipe,
    progress: Progress,
    *,
    start: str | Path,
    texts: Texts,
    sources: list[DataSource],
    summary: str,
    seed: int = 0,
    vectors_cache: Path | None = None,
    trees: Trees | None = None,
    scores_cache: Path | None = None,
) -> TrainingResult:
    """
    Train a model on candidate lists, and write its folder with the card.

    :param lists: The lists.
    :param output: The model folder to be.
    :param recipe: How to train, and what from scratch.
    :param progress: Shows progress.
    :param start: "scratch", "default" (the package's CTRN), "answer-selection-gsamn", or a model folder.
    :param texts: Gives all texts to learn from, at each call anew.
    :param sources: Where the data comes from, for the card.
    :param summary: What the model is, for the card.
    :param seed: Seed of everything that is drawn.
    :param vectors_cache: Folder where word vectors of a corpus are kept, for other models on the same texts.
    :param trees: Where missing parse trees come from, for a model or a teacher that reads trees; None if all texts have
        one.
    :param scores_cache: Folder where the teacher's scores are kept, for other models on the same lists; None keeps them
        beside the lists.
    :returns: What came out.
    """
    with progress("preparing the model", None):
        model, collator = make_model(recipe, start, texts, seed=seed, vectors_cache=vectors_cache)
    # A trained model may do without; one that is made for cosines would learn that they say nothing.
    needs_cosines = start == "scratch" and VECTOR_SCORE in model.retrieval_meta
    # To look at the file is to read all of it.
    if needs_cosines and lists.retrieval is None and not CandidateFile(lists.train).hybrid:
        msg = "the model reads cosines (pair_features: cosine), but the candidates to learn from have none: index the "
        msg += "corpus with an encoder, or take another recipe"
        raise ValueError(msg)
    processes = Processes.joined(use_cpu=recipe.training.use_cpu)
    if recipe.reworded:
        known, learned, share = _known_words(model, collator), lists.train, recipe.reworded
        path = output / LISTS / "reworded.jsonl"
        reworded = processes.once(lambda: reworded_lists(learned, path, known, share, seed, progress))
        lists = replace(lists, train=reworded)
    if trees is not None and (model.reads_trees or reads_trees(recipe)):
        # A teacher is not asked about the validation lists.
        parsed = output / LISTS / "with_trees"
        lists = processes.once(lambda: _with_trees(lists, trees, parsed, progress, validation=model.reads_trees))
    scores = scores_cache or output / LISTS / "teacher"
    teaching = processes.once(lambda: ask_teacher(recipe, lists.train, scores, progress))
    if recipe.retriever_weight is not None:
        model.config.retriever_weight, model.config.signals = recipe.retriever_weight, False
    settings = _settings(recipe, lists, seed)
    wanted, precision = recipe.training.precision, settings.precision
    instead = "" if precision == wanted else f" in {precision}: this CPU has no {wanted} of its own"
    with progress(f"training{instead}", None) as bar:
        result = train(
            model,
            collator,
            lists.train,
            lists.validation,
            output,
            settings,
            teaching=teaching,
            progress=lambda step, steps, _: bar(step, steps),
        )
    result = processes.once(lambda: _beside_untrained(result, lists, settings, progress))
    if processes.main:
        write_ranker_card(
            output,
            model,
            summary=summary,
            sources=[*sources, *teacher_source(recipe)],
            settings=_of_the_card(recipe, settings, lists, model, start),
            result=result,
        )
    if lists.retrieval is not None and lists.retrieval.chosen:
        return replace(result, retrieval=lists.retrieval.parameters())
    return result


def _beside_untrained(
    result: TrainingResult, lists: Lists, settings: TrainingSettings, progress: Progress
) -> TrainingResult:
    """The result, beside what the package's ranker reaches; of other questions than users' that would say little."""
    if result.validation is None or lists.validation is None or not lists.real:
        return result
    with progress("ranking the validation questions without training", None):
        untrained = measure_untrained(lists.validation, use_cpu=settings.use_cpu)
    return replace(result, validation=replace(result.validation, untrained=untrained))


def _known_words(model: AnswerSelectionModel, collator: Collator) -> KnownWords:
    known = model.known_words(collator)
    if known is None:
        msg = f"reworded is set, but the model '{model.config.model_type}' has no word vectors to find other words by; "
        msg += "leave it out"
        raise ValueError(msg)
    return known


def _settings(recipe: Recipe, lists: Lists, seed: int) -> TrainingSettings:
    """The recipe's settings as they are on this machine and for these lists."""
    return replace(
        recipe.training,
        seed=seed,
        precision=affordable_precision(recipe.training.precision, use_cpu=recipe.training.use_cpu),
        choose_retriever_weight=lists.real,
        # A weight that is named is what the ranker will use.
        choose_signals=lists.given and recipe.retriever_weight is None,
    )


def _of_the_card(
    recipe: Recipe, settings: TrainingSettings, lists: Lists, model: AnswerSelectionModel, start: str | Path
) -> dict[str, Any]:
    """What a model's card says of how it was trained."""
    return {
        "training": settings.to_dict(),
        **({} if recipe.teacher is None else {"teacher": recipe.teacher.to_dict()}),
        **({} if lists.retrieval is None else {"retrieval": lists.retrieval.parameters()}),
        "start": {"from": str(start)}
        | (asdict(recipe.vectors) if start == "scratch" and not model.over_encoder else {})
        | ({"trees": recipe.trees} if model.reads_trees else {}),
    }


def _with_trees(lists: Lists, trees: Trees, folder: Path, progress: Progress, *, validation: bool) -> Lists:
    """Lists whose texts all have a tree."""
    train = trees.complete(lists.train, folder / "train.jsonl", progress)
    if lists.validation is None or not validation:
        return replace(lists, train=train)
    return replace(
        lists, train=train, validation=trees.complete(lists.validation, folder / "validation.jsonl", progress)
    )
