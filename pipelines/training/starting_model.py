# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The model that a run starts from: a new one, the package's own, or one that was trained before."""

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

import torch

from answer_selection.pipelines.training.recipe import Recipe
from answer_selection.pipelines.training.texts import Texts
from answer_selection.pipelines.training.word_vectors import encoder_words, make_word_vectors
from haystack_integrations.components.rankers.answer_selection.models import registry
from haystack_integrations.components.rankers.answer_selection.models.base import AnswerSelectionModel, Collator
from haystack_integrations.components.rankers.answer_selection.models.model_folder import CTRN, PACKAGED, packaged
from haystack_integrations.components.rankers.answer_selection.training.vectors import Matrix


def start_folder(start: str | Path) -> Path:
    """
    Find the trained model that a run starts from.

    :param start: "default" (the package's CTRN), "answer-selection-gsamn" (its GSAMN), or a model folder.
    :returns: Its folder.
    """
    return PACKAGED[CTRN] if start == "default" else packaged(start)


def is_over_encoder(start: str | Path) -> bool:
    """
    Tell whether a trained model is one over a pretrained encoder.

    :param start: "default" (the package's CTRN), "answer-selection-gsamn", or a model folder.
    :returns: Whether it is; False where there is no model folder.
    """
    model = registry.class_of(start_folder(start))
    return model is not None and model.over_encoder


def make_model(
    recipe: Recipe, start: str | Path, texts: Texts, *, seed: int = 0, vectors_cache: Path | None = None
) -> tuple[AnswerSelectionModel, Collator]:
    """
    Make the model to train.

    :param recipe: Which one, from scratch: with new word vectors, or over the encoder that it names.
    :param start: "scratch", "default" (the package's CTRN), "answer-selection-gsamn", or a model folder. A trained
        model that reads words gets the corpus's idf, and a row for each of its words.
    :param texts: Gives all texts to learn from, at each call anew.
    :param seed: Seed of the weights and the word vectors.
    :param vectors_cache: Folder where word vectors of a corpus are kept, for other models on the same texts.
    :returns: The model and its collator.
    """
    if start != "scratch":
        trained, collator = registry.load(start_folder(start))
        return trained.extend(collator, texts)

    read = texts
    if recipe.vectors.source == "encoder":
        read = partial(_with_words, texts, encoder_words())

    def word_vectors(vocabulary: Sequence[str], size: int) -> Matrix:
        return make_word_vectors(recipe.vectors, texts, vocabulary, size, seed=seed, cache=vectors_cache)

    torch.manual_seed(seed)
    return registry.build(recipe.name, read(), max_words=recipe.max_words, word_vectors=word_vectors, **recipe.options)


def _with_words(texts: Texts, words: Sequence[str]) -> Iterator[str]:
    """The texts, and one more of further words: of what another corpus asks, few words are then unknown."""
    yield from texts()
    yield " ".join(words)
