# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Recipes: in one YAML file, which model to make, with which word vectors, and how to train it."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, fields
from importlib.resources import files
from pathlib import Path
from typing import Any, get_args

from transformers import PreTrainedConfig

from answer_selection.indexing.yaml_text import read_yaml
from answer_selection.pipelines.definitions.yaml_fields import FieldError, Fields, nearest, parse, section
from answer_selection.pipelines.training.trees import PARSERS
from haystack_integrations.components.embedders.answer_selection.tuning.settings import TuningSettings
from haystack_integrations.components.rankers.answer_selection.models.base import AnswerSelectionConfig
from haystack_integrations.components.rankers.answer_selection.models.registry import MODELS
from haystack_integrations.components.rankers.answer_selection.models.weights import without_storage
from haystack_integrations.components.rankers.answer_selection.training.settings import TrainingSettings
from haystack_integrations.components.rankers.answer_selection.training.teacher_settings import TeacherSettings
from haystack_integrations.components.rankers.answer_selection.training.vectors import Method

SHIPPED = ("small_ctrn", "small_ggsa", "fine_tune", "fine_tune_encoder", "gsamn", "linear", "multilingual")
_SECTIONS = (
    "model",
    "vectors",
    "training",
    "negatives",
    "keep_top",
    "reworded",
    "retriever_weight",
    "trees",
    "teacher",
    "encoder_tuning",
)


class RecipeError(ValueError):
    """A recipe cannot be used; the message names the file, the field and what was expected."""


@dataclass(frozen=True, slots=True)
class Vectors:
    """
    Where word vectors come from, when a model is trained from scratch.

    :param source: "corpus" (trained on its texts), "encoder" (what the package's sentence encoder gives each word,
        its own words among them), "random", or the path of a GloVe or word2vec text file.
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
        if self.source not in ("corpus", "encoder", "random") and not Path(self.source).is_file():
            msg = (
                f"vectors.source is {self.source!r}; expected 'corpus', 'encoder', 'random', or a file of word vectors"
            )
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
    :param reworded: Every training list comes a second time, with this part of the question's content words replaced by
        words whose vectors are near; see :mod:`rewording`.
    :param retriever_weight: How much of the retriever's score is mixed in, where no real queries choose it; None leaves
        what the model started with.
    :param trees: What parses texts that have no tree, for models that read trees: one of :data:`trees.PARSERS`.
    :param encoder_tuning: How the encoder of the index's vectors is fine-tuned, if it is asked for.
    :param teacher: Which model it follows beside the labels, and how; None follows none.
    :param from_scratch: Whether it describes a model of its own, to be trained from scratch.
    """

    name: str = "ctrn"
    options: Mapping[str, Any] = field(default_factory=dict)
    max_words: int = 50_000
    vectors: Vectors = field(default_factory=Vectors)
    training: TrainingSettings = field(default_factory=TrainingSettings)
    negatives: int = 50
    keep_top: int = 25
    reworded: float = 0.0
    retriever_weight: float | None = None
    trees: str = PARSERS[0]
    encoder_tuning: TuningSettings = field(default_factory=TuningSettings)
    teacher: TeacherSettings | None = None
    from_scratch: bool = False


def read_recipe(recipe: str | Path, given: Mapping[str, Any] | None = None) -> Recipe:
    """
    Read a recipe.

    :param recipe: Path of a YAML file with the sections `model`, `vectors`, `negatives` and `training`, or a shipped
        recipe's name.
    :param given: Fields that override the file's, section by section.
    :returns: The recipe; what the file leaves out has its default.
    :raises RecipeError: If there is no such file, something in it is not known, or two things contradict each other.
    """
    content = recipe_fields(recipe)
    try:
        known = Fields(section(content.data, _SECTIONS), content.places)
        return make_recipe(Fields(given or {}, {}).over(known).data)
    except FieldError as error:
        msg = f"{content.place(error.path, str(recipe))}: {error}"
        raise RecipeError(msg) from error


def recipe_fields(recipe: str | Path, shipped: Collection[str] = SHIPPED, folder: str = "recipes") -> Fields:
    """
    Read a recipe's fields as they stand in its file.

    :param recipe: Path of a YAML file, or a shipped recipe's name.
    :param shipped: The names of those that are shipped.
    :param folder: The package's folder that these are in.
    :returns: The fields.
    :raises RecipeError: If there is no such file, or it is not YAML.
    """
    try:
        if recipe in shipped:
            text = (
                files("answer_selection.pipelines")
                .joinpath("shipped", folder, f"{recipe}.yaml")
                .read_text(encoding="utf-8")
            )
        else:
            text = read_yaml(Path(recipe))
        return parse(text, str(recipe))
    except OSError as error:
        msg = f"{recipe}: {error.strerror}; expected a YAML file, or a shipped recipe"
        raise RecipeError(msg + nearest(str(recipe), shipped).replace("; expected", ":")) from error
    except ValueError as error:
        raise RecipeError(str(error)) from error


def make_recipe(values: Any) -> Recipe:
    """
    Make a recipe of its fields.

    :param values: The fields, as YAML has them.
    :returns: The recipe; what they leave out has its default.
    :raises FieldError: If one is not known, its value is out of its range, or two do not go together.
    """
    data = section(values, _SECTIONS)
    name, max_words, model = _model(data)
    vectors = section(data.get("vectors"), _names(Vectors), "vectors")
    training = section(data.get("training"), _names(TrainingSettings), "training", what="training setting")
    sampling = _sampling(data)
    trees = _trees(data, name)
    config = _config(name, model)
    if vectors and MODELS[name].over_encoder:
        msg = f"vectors are those of models that read words, and {name} does not"
        raise FieldError(msg, "vectors")
    with _wrong("vectors"):
        word_vectors = Vectors(**vectors)
    with _wrong("training"):
        settings = TrainingSettings.from_dict(training)
    tuning = section(data.get("encoder_tuning"), _names(TuningSettings), "encoder_tuning", what="training setting")
    with _wrong("encoder_tuning"):
        encoder_tuning = TuningSettings.from_dict(tuning)
    teacher = _teacher(data["teacher"]) if data.get("teacher") is not None else None
    if config.gives_bare_cosines:
        named_by = ("model", "head" if "head" in model else "name")
        _check_bare_cosines(name, settings, teacher, named_by, ("training", "loss") if "loss" in training else named_by)
    return Recipe(
        name=name,
        max_words=max_words,
        options=model,
        vectors=word_vectors,
        training=settings,
        trees=trees,
        encoder_tuning=encoder_tuning,
        teacher=teacher,
        from_scratch="model" in data or "vectors" in data,
        **sampling,
    )


def _names(settings: type[Any]) -> list[str]:
    return [field.name for field in fields(settings)]


def _model(data: Mapping[str, Any]) -> tuple[str, int, dict[str, Any]]:
    """Give the model's name, the most words that it keeps, and the fields of its configuration."""
    model = dict(section(data.get("model"), None, "model"))
    name, max_words = model.pop("name", "ctrn"), model.pop("max_words", 50_000)
    if not isinstance(name, str) or name not in MODELS:
        msg = f"model.name is {name!r}{nearest(str(name), MODELS)}"
        raise FieldError(msg, "model", "name")
    with _wrong("model", "max_words"):
        _at_least("model.max_words", max_words, 1)
    return name, max_words, model


def _sampling(data: Mapping[str, Any]) -> dict[str, Any]:
    """Give what lists are made of: negatives, words that are replaced, and retrieval's share."""
    negatives, keep_top = data.get("negatives", 50), data.get("keep_top", 25)
    with _wrong("negatives"):
        _at_least("negatives", negatives, 1)
    with _wrong("keep_top"):
        _at_least("keep_top", keep_top, 0)
    if keep_top > negatives:
        msg = f"keep_top is {keep_top}; expected at most negatives, which is {negatives}"
        raise FieldError(msg, "keep_top")
    reworded, weight = data.get("reworded", 0.0), data.get("retriever_weight")
    if not _is_number(reworded) or not 0 <= reworded <= 1:
        msg = (
            f"reworded is {reworded!r}; expected a number from 0 to 1, the part of a question's words that is replaced"
        )
        raise FieldError(msg, "reworded")
    if weight is not None and (not _is_number(weight) or weight < 0):
        msg = f"retriever_weight is {weight!r}; expected a number, at least 0"
        raise FieldError(msg, "retriever_weight")
    return {"negatives": negatives, "keep_top": keep_top, "reworded": float(reworded), "retriever_weight": weight}


def _trees(data: Mapping[str, Any], name: str) -> str:
    """Give the parser of the trees, if anybody reads some."""
    trees: str = data.get("trees", PARSERS[0])
    if trees not in PARSERS:
        msg = f"trees is {trees!r}{nearest(str(trees), PARSERS)}"
        raise FieldError(msg, "trees")
    # A teacher may be one that does.
    if "trees" in data and "model" in data and "teacher" not in data and not MODELS[name].reads_trees:
        msg = f"trees are for models that read them, and {name} does not"
        raise FieldError(msg, "trees")
    return trees


def _check_bare_cosines(
    name: str,
    settings: TrainingSettings,
    teacher: TeacherSettings | None,
    named_by: Sequence[str],
    loss_by: Sequence[str],
) -> None:
    """Refuse what bare cosines cannot learn by; `named_by` and `loss_by` are the fields that say so."""
    bare = f"the logits of {name} with the head 'cosine' are bare cosines"
    if teacher is not None:
        msg = f"{bare}, which cannot follow a teacher's log-odds; expected another head, such as `model: {{head: mlp}}`"
        raise FieldError(msg, *named_by)
    if settings.loss != "pairwise":
        msg = (
            f"{bare}, too near to each other for the loss '{settings.loss}'; expected "
            "`training: {loss: pairwise, margin: 0.1}`, or another head, such as `model: {head: mlp}`"
        )
        raise FieldError(msg, *loss_by)


def _teacher(values: Any) -> TeacherSettings:
    given = section(values, _names(TeacherSettings), "teacher", what=TeacherSettings.called)
    with _wrong("teacher"):
        return TeacherSettings.from_dict(given)


@contextmanager
def _wrong(*path: str) -> Iterator[None]:
    """Say of which field an error is."""
    try:
        yield
    except (TypeError, ValueError) as error:
        raise FieldError(str(error), *path) from error


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _at_least(name: str, value: Any, least: int) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        msg = f"{name} is {value!r}; expected a whole number, at least {least}"
        raise ValueError(msg)


def _config(name: str, options: Mapping[str, Any]) -> AnswerSelectionConfig:
    config = MODELS[name].config_class
    # What transformers keeps in every configuration is nothing to choose.
    known = [field for field in config().to_dict() if field not in PreTrainedConfig().to_dict()]
    section(options, known, "model", what=f"field of {name}")
    try:
        made = config(**options)
        if "encoder" in options:
            # The model looks at the encoder's positions; without storage it is made in no time.
            with without_storage():
                MODELS[name](made)
    except (TypeError, ValueError) as error:
        msg = f"model: {error}"
        raise FieldError(msg, "model") from error
    return made
