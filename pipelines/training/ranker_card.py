# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The card of a ranker's model folder: where its data comes from, and what it was made with."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from answer_selection.pipelines.training.recipe import Recipe
from answer_selection.pipelines.training.starting_model import start_folder
from haystack_integrations.components.rankers.answer_selection.models.base import AnswerSelectionModel
from haystack_integrations.components.rankers.answer_selection.models.model_folder import PACKAGED, packaged
from haystack_integrations.components.rankers.answer_selection.training.model_card import (
    DataSource,
    ModelCard,
    card_of,
    write_model_card,
)
from haystack_integrations.components.rankers.answer_selection.training.training_result import TrainingResult

# Where this machine has the package says nothing to others.
_OURS: Final = "comes with answer-selection-haystack"


def beginnings(recipe: Recipe, start: str | Path) -> list[DataSource]:
    """
    Say what a model's training began with: a trained model, or an encoder.

    :param recipe: How the model came about.
    :param start: "scratch", "default" (the package's CTRN), "answer-selection-gsamn", or a model folder.
    :returns: What its own card tells.
    """
    if start != "scratch":
        source = card_of(start_folder(start), "the model that training started from")
        if start in PACKAGED:
            return [replace(source, name=str(start), source=_OURS)]
        return [replace(source, source=_OURS) if start == "default" else source]
    encoder = recipe.options.get("encoder")
    if not isinstance(encoder, str):
        return []
    source = card_of(packaged(encoder), "pretrained encoder")
    return [replace(source, name=encoder, source=_OURS) if encoder in PACKAGED else source]


def write_ranker_card(
    output: Path,
    model: AnswerSelectionModel,
    *,
    summary: str,
    sources: list[DataSource],
    settings: Mapping[str, Mapping[str, Any]],
    result: TrainingResult | None = None,
) -> None:
    """
    Write the card of a model folder. Its licences are those of the data.

    :param output: The folder.
    :param model: The model; what is told of it goes behind the settings.
    :param summary: What it is.
    :param sources: Where the data comes from.
    :param settings: What it was made with, by section.
    :param result: What training came to; None if nothing was trained.
    """
    card = ModelCard(
        name=output.name,
        model_type=model.config.model_type,
        summary=summary,
        sources=sources,
        settings={**settings, "model": _settings_of(model)},
        result=result,
    )
    write_model_card(output, card)


def _settings_of(model: AnswerSelectionModel) -> Mapping[str, Any]:
    """What is worth telling of a model's configuration."""
    hidden = ("stop_words", "transformers_version", "architectures", "dtype", "id2label", "label2id")
    return {name: value for name, value in model.config.to_diff_dict().items() if name not in hidden}
