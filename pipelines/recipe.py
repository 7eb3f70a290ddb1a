# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Recipes: in one YAML file, which model to make, with which word vectors, and how to train it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Any

import yaml
from haystack_integrations.components.rankers.answer_selection.models.registry import MODELS
from haystack_integrations.components.rankers.answer_selection.training.settings import TrainingSettings

SHIPPED = ("small_ctrn", "fine_tune", "paper_ctrn_trecqa")
_SECTIONS = ("model", "vectors", "training", "negatives", "keep_top")


class RecipeError(ValueError):
    """A recipe cannot be used; the message names the file, the field and what was expected."""


@dataclass(frozen=True, slots=True)
class Vectors:
    """
    Where word vectors come from, when a model is trained from scratch.

    :param source: "corpus" (trained on its texts), "random", or the path of a GloVe or word2vec text file.
    :param epochs: With "corpus": passes over the texts.
    :param window: With "corpus": the most words between a word and its context.
    :param method: With "corpus": "fasttext" or "word2vec".
    """

    source: str = "corpus"
    epochs: int = 10
    window: int = 5
    method: str = "fasttext"


@dataclass(frozen=True, slots=True)
class Recipe:
    """
    How a model comes about.

    :param name: The model's name in the registry.
    :param options: Fields of its configuration.
    :param max_words: The most words of its vocabulary.
    :param vectors: Its word vectors.
    :param training: How it is trained.
    :param negatives: Negatives that a mined training list gets.
    :param keep_top: So many of them are the best-ranked ones.
    """

    name: str = "ctrn"
    options: Mapping[str, Any] = field(default_factory=dict)
    max_words: int = 50_000
    vectors: Vectors = field(default_factory=Vectors)
    training: TrainingSettings = field(default_factory=TrainingSettings)
    negatives: int = 50
    keep_top: int = 25


def read_recipe(recipe: str | Path) -> Recipe:
    """
    Read a recipe.

    :param recipe: Path of a YAML file with the sections `model`, `vectors`, `negatives` and `training`, or a shipped
        recipe's name.
    :returns: The recipe; what the file leaves out has its default.
    :raises RecipeError: If there is no such file, or something in it is not known.
    """
    try:
        if recipe in SHIPPED:
            text = files("answer_selection.pipelines").joinpath("recipes", f"{recipe}.yaml").read_text(encoding="utf-8")
        else:
            text = Path(recipe).read_text(encoding="utf-8")
        data = yaml.safe_load(text) or {}
    except OSError as error:
        msg = f"{recipe}: {error.strerror}; expected a YAML file, or one of {', '.join(SHIPPED)}"
        raise RecipeError(msg) from error
    except yaml.YAMLError as error:
        msg = f"{recipe}: not YAML: {error}"
        raise RecipeError(msg) from error
    if not isinstance(data, dict) or (unknown := sorted(set(data) - set(_SECTIONS))):
        what = f"unknown section(s) {', '.join(map(str, unknown))}" if isinstance(data, dict) else "no mapping"
        msg = f"{recipe}: {what}; expected {', '.join(_SECTIONS)}"
        raise RecipeError(msg)
    model = dict(data.get("model") or {})
    name = model.pop("name", "ctrn")
    if name not in MODELS:
        msg = f"{recipe}: model.name is {name!r}; expected one of {', '.join(MODELS)}"
        raise RecipeError(msg)
    try:
        return Recipe(
            name=name,
            max_words=model.pop("max_words", 50_000),
            options=model,
            vectors=Vectors(**(data.get("vectors") or {})),
            training=TrainingSettings.from_dict(data.get("training") or {}),
            negatives=data.get("negatives", 50),
            keep_top=data.get("keep_top", 25),
        )
    except (TypeError, ValueError) as error:
        msg = f"{recipe}: {error}"
        raise RecipeError(msg) from error
