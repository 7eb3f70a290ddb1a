# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Recipes: in one YAML file, which model to make, with which word vectors, and how to train it."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, fields
from importlib.resources import files
from pathlib import Path
from typing import Any, get_args

import yaml
from haystack_integrations.components.rankers.answer_selection.models.registry import MODELS
from haystack_integrations.components.rankers.answer_selection.training.settings import TrainingSettings
from haystack_integrations.components.rankers.answer_selection.training.vectors import Method

SHIPPED = ("small_ctrn", "fine_tune", "ctrn_trecqa", "paper_ctrn_trecqa")
_SECTIONS = ("model", "vectors", "training", "negatives", "keep_top", "retriever_weight")


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

    def __post_init__(self) -> None:
        """
        Check every value.

        :raises ValueError: naming the field, what it is and what was expected.
        """
        if self.source not in ("corpus", "random") and not Path(self.source).is_file():
            msg = f"vectors.source is {self.source!r}; expected 'corpus', 'random', or a file of word vectors"
            raise ValueError(msg)
        if self.method not in get_args(Method):
            msg = f"vectors.method is {self.method!r}; expected one of {', '.join(get_args(Method))}"
            raise ValueError(msg)
        for name in ("epochs", "window"):
            _at_least(f"vectors.{name}", getattr(self, name), 1)


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
    :param retriever_weight: How much of the retriever's score is mixed in, where no real queries choose it; None leaves
        what the model started with.
    :param from_scratch: Whether it describes a model of its own, to be trained from scratch.
    """

    name: str = "ctrn"
    options: Mapping[str, Any] = field(default_factory=dict)
    max_words: int = 50_000
    vectors: Vectors = field(default_factory=Vectors)
    training: TrainingSettings = field(default_factory=TrainingSettings)
    negatives: int = 50
    keep_top: int = 25
    retriever_weight: float | None = None
    from_scratch: bool = False


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
    try:
        return _recipe(data)
    except ValueError as error:
        msg = f"{recipe}: {error}"
        raise RecipeError(msg) from error


def _recipe(data: Any) -> Recipe:
    data = _section("recipe", data, _SECTIONS)
    model = dict(_section("model", data.get("model")))
    vectors = _section("vectors", data.get("vectors"), [field.name for field in fields(Vectors)])
    training = _section("training", data.get("training"))
    name, max_words = model.pop("name", "ctrn"), model.pop("max_words", 50_000)
    negatives, keep_top = data.get("negatives", 50), data.get("keep_top", 25)
    if name not in MODELS:
        msg = f"model.name is {name!r}; expected one of {', '.join(MODELS)}"
        raise ValueError(msg)
    _at_least("model.max_words", max_words, 1)
    _at_least("negatives", negatives, 1)
    _at_least("keep_top", keep_top, 0)
    if keep_top > negatives:
        msg = f"keep_top is {keep_top}; expected at most negatives, which is {negatives}"
        raise ValueError(msg)
    weight = data.get("retriever_weight")
    if weight is not None and (isinstance(weight, bool) or not isinstance(weight, int | float) or weight < 0):
        msg = f"retriever_weight is {weight!r}; expected a number, at least 0"
        raise ValueError(msg)
    _check_options(name, model)
    return Recipe(
        name=name,
        max_words=max_words,
        options=model,
        vectors=Vectors(**vectors),
        training=TrainingSettings.from_dict(training),
        negatives=negatives,
        keep_top=keep_top,
        retriever_weight=weight,
        from_scratch="model" in data or "vectors" in data,
    )


def _section(name: str, values: Any, known: Collection[str] | None = None) -> Mapping[str, Any]:
    if values is None:
        return {}
    if not isinstance(values, Mapping):
        msg = f"{name}: expected a mapping of fields, found {type(values).__name__}"
        raise ValueError(msg)
    if known is not None and (unknown := [str(field) for field in values if field not in known]):
        msg = f"{name}: unknown field '{unknown[0]}'; expected {', '.join(known)}"
        raise ValueError(msg)
    return values


def _at_least(name: str, value: Any, least: int) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        msg = f"{name} is {value!r}; expected a whole number, at least {least}"
        raise ValueError(msg)


def _check_options(name: str, options: Mapping[str, Any]) -> None:
    config = MODELS[name].config_class
    known = config().to_dict()
    if unknown := [option for option in options if option not in known]:
        msg = f"model: unknown field '{unknown[0]}' of {name}"
        raise ValueError(msg)
    try:
        config(**options)
    except (TypeError, ValueError) as error:
        msg = f"model: {error}"
        raise ValueError(msg) from error
