# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Experiments: in one YAML file, which model is trained how on which data set, on what before, with which seeds."""

import json
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from dataclasses import fields as fields_of
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from answer_selection.indexing.yaml_text import read_yaml
from answer_selection.pipelines.definitions.yaml_fields import FieldError, Fields, nearest, parse, section
from answer_selection.pipelines.evaluation.scores import METRICS
from answer_selection.pipelines.experiments.data import DATASETS
from answer_selection.pipelines.training.recipe import SHIPPED as RECIPES
from answer_selection.pipelines.training.recipe import Recipe, make_recipe, recipe_fields
from haystack_integrations.components.rankers.answer_selection.models.registry import MODELS
from haystack_integrations.components.rankers.answer_selection.training.settings import TrainingSettings

FOLDER: Final = Path(__file__).parent / "settings"
# What a file says of itself alone, not of those that are like it.
_OWN: Final = ("description", "paper", "against")
_KNOWN: Final = ("data", "like", "seeds", "recipe", "texts", "encoder", "source", "signals", "teacher", *_OWN)


class ExperimentError(ValueError):
    """An experiment's file cannot be used; the message names file, line and field, and what was expected."""


@dataclass(frozen=True, slots=True)
class Source:
    """
    What an experiment's models learn from before its own data.

    :param data: Data sets, each one of :data:`data.DATASETS`, or the path of candidate lists or of a folder with
        ``corpus.jsonl`` and ``queries.jsonl``. The lists of several are mixed.
    :param recipe: How.
    :param settings: The recipe's fields as the files have them.
    :param questions: The most lists of each data set that are learned from; None takes all.
    :param alone: Whether nothing is learned from the experiment's own data afterwards: they only say how much of the
        retriever's score is mixed in.
    """

    data: tuple[str, ...]
    recipe: Recipe
    settings: Mapping[str, Any]
    questions: int | None = None
    alone: bool = False

    @property
    def decided(self) -> list[Any]:
        """What decides its model, as JSON has it."""
        # One data set and nothing else is written as it was before there could be more.
        [first, *others] = self.data
        decided: list[Any] = [[first, *others] if others else first, self.settings]
        return decided if self.questions is None else [*decided, self.questions]


@dataclass(frozen=True, slots=True)
class Taught:
    """
    Which model an experiment's models follow, beside the labels.

    :param model: A trained model's folder.
    :param experiment: Instead: another experiment, whose model it is.
    :param seed: That model's seed.
    """

    model: str | None = None
    experiment: str | None = None
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Experiment:
    """
    An experiment.

    :param name: Its file's name.
    :param data: The data set, one of :data:`data.DATASETS`.
    :param seeds: One model is trained with each.
    :param recipe: How.
    :param settings: The recipe's fields as the files have them.
    :param texts: Further data sets whose training texts the vocabulary and the word vectors come from.
    :param encoder: The name on the hub of the encoder that the model is built on, if it is.
    :param source: What is learned from first, if anything is.
    :param signals: Whether BM25 over each question's candidates and the other signals are weighed beside the model,
        where the validation part says so.
    :param teacher: Which model is followed, if one is; how is the recipe's to say.
    :param description: What it is called in a table.
    :param paper: What its paper reports, by metric.
    :param against: Other experiments on the same data that it is compared with: the one that it is like, and those that
        its file names.
    """

    name: str
    data: str
    seeds: tuple[int, ...]
    recipe: Recipe
    settings: Mapping[str, Any]
    texts: tuple[str, ...]
    encoder: str | None
    source: Source | None
    signals: bool
    teacher: Taught | None
    description: str
    paper: Mapping[str, float]
    against: tuple[str, ...]

    @property
    def digest(self) -> str:
        """Tells what decides the models, the data aside, from anything else."""
        decided: list[Any] = [self.settings, self.texts]
        if self.encoder is not None or self.source is not None:
            decided += [self.encoder, self.source and self.source.decided]
            if self.source is not None and self.source.alone:
                decided.append("the source alone")
        if self.signals:
            decided.append("all signals")
        if self.teacher is not None:
            decided.append(asdict(self.teacher))
        return sha256(json.dumps(decided, sort_keys=True).encode()).hexdigest()


def shipped_experiments() -> dict[str, Path]:
    """
    Find the experiments that come with the package.

    :returns: Their files by name.
    """
    return {file.stem: file for file in sorted(FOLDER.glob("*.yaml"))}


def read_experiment(experiment: str | Path) -> Experiment:
    """
    Read an experiment.

    :param experiment: A YAML file's path, or a shipped experiment's name.
    :returns: The experiment.
    :raises ExperimentError: If there is no such file, something in it is not known, or it is like itself.
    """
    file = Path(experiment)
    if file.suffix != ".yaml" and str(experiment) in shipped_experiments():
        file = shipped_experiments()[str(experiment)]
    own = _own(file)
    merged = own if own.data.get("like") is None else own.over(_base(own, file, (file.stem,)))
    try:
        return _experiment(file.stem, own.data, merged.data, _files(file))
    except FieldError as error:
        msg = f"{merged.place(error.path, str(file))}: {error}"
        raise ExperimentError(msg) from error


def _own(file: Path) -> Fields:
    """A file's own fields; the name of a shipped recipe is replaced by that."""
    try:
        fields = parse(read_yaml(file), str(file))
        data, places = dict(section(fields.data, _KNOWN)), dict(fields.places)
        if isinstance(name := data.get("recipe"), str):
            if name not in RECIPES:
                msg = f"recipe is '{name}'{nearest(name, RECIPES)}; or a mapping with its fields"
                raise FieldError(msg, "recipe")
            shipped = recipe_fields(name)
            data["recipe"] = shipped.data
            places = {**places, **{("recipe", *path): place for path, place in shipped.places.items()}}
    except OSError as error:
        msg = f"{file}: {error.strerror}; expected a YAML file, or a shipped experiment"
        raise ExperimentError(msg + nearest(file.name, shipped_experiments()).replace("; expected", ":")) from error
    except FieldError as error:
        msg = f"{fields.place(error.path, str(file))}: {error}"
        raise ExperimentError(msg) from error
    except ValueError as error:
        raise ExperimentError(str(error)) from error
    return Fields(data, places)


def _files(file: Path) -> dict[str, Path]:
    """Find the experiments that one can name: the files beside it, and the shipped ones."""
    return shipped_experiments() | {other.stem: other for other in sorted(file.parent.glob("*.yaml"))}


def _base(own: Fields, file: Path, behind: tuple[str, ...]) -> Fields:
    """Read the experiment that `like` names, with its own `like`, without what these say about themselves."""
    like, place = own.data["like"], own.place(("like",), str(file))
    known = _files(file)
    base = known.get(str(like))
    if base is None:
        msg = f"{place}: there is no {file.with_name(f'{like}.yaml')}{nearest(str(like), known)}"
        raise ExperimentError(msg)
    if base.stem in behind:
        msg = f"{place}: {' is like '.join((*behind, base.stem))}; expected no circle"
        raise ExperimentError(msg)
    fields = _own(base)
    inherited = Fields({name: value for name, value in fields.data.items() if name not in _OWN}, fields.places)
    if fields.data.get("like") is None:
        return inherited
    return inherited.over(_base(fields, base, (*behind, base.stem)))


def _check_names(field: str, names: Any, known: Collection[str], kind: str) -> None:
    """Refuse what is no list of names, and a name that is not known."""
    if not _are(names or [], str):
        msg = f"{field} is {names!r}; expected a list of {kind}' names"
        raise FieldError(msg, field)
    for name in names or []:
        if name not in known:
            msg = f"{field} has {name!r}{nearest(name, known)}"
            raise FieldError(msg, field)


def _experiment(name: str, own: Mapping[str, Any], merged: Mapping[str, Any], known: Collection[str]) -> Experiment:
    data, seeds, texts, against = (merged.get(field) for field in ("data", "seeds", "texts", "against"))
    if data not in DATASETS:
        msg = f"data is {data!r}{nearest(str(data), DATASETS)}"
        raise FieldError(msg, "data")
    seeds = [0] if seeds is None else seeds
    if not _are(seeds, int) or not seeds or len(set(seeds)) < len(seeds) or min(seeds) < 0:
        msg = f"seeds is {seeds!r}; expected a list of different whole numbers, at least 0"
        raise FieldError(msg, "seeds")
    _check_names("texts", texts, DATASETS, "data sets")
    _check_names("against", against, known, "experiments")
    paper = section(merged.get("paper"), METRICS, "paper")
    for metric, value in paper.items():
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
            msg = f"paper.{metric} is {value!r}; expected a number from 0 to 1"
            raise FieldError(msg, "paper", metric)
    settings, encoder = merged.get("recipe"), merged.get("encoder")
    # Before the recipe is made: that reads the encoder which it names.
    if encoder is not None and isinstance(settings, Mapping) and _names_encoder(settings):
        msg = "encoder says what the model's encoder is, and recipe.model.encoder names another; expected one of them"
        raise FieldError(msg, "encoder")
    teacher = None if merged.get("teacher") is None else _teacher(merged["teacher"], name, known)
    with _at("recipe"):
        recipe = make_recipe(settings if teacher is None else {**(settings or {}), "teacher": _followed(settings)})
    if recipe.teacher is not None and (teacher is None or recipe.teacher.model is not None):
        msg = "recipe.teacher says how a teacher is followed; expected which one in the field teacher: a model folder, "
        msg += "or another experiment and a seed"
        raise FieldError(msg, "recipe", "teacher")
    if encoder is not None:
        _check_encoder(encoder, recipe)
    source = None if merged.get("source") is None else _source(merged["source"], data, settings or {})
    if source is not None and source.alone and len(seeds) > 1:
        msg = f"seeds is {seeds!r}, but a source has one model; expected one seed with source.alone"
        raise FieldError(msg, "seeds")
    if source is not None and source.alone and teacher is not None:
        msg = "teacher is followed on the experiment's own data, and with source.alone nothing is learned from these; "
        msg += "expected one of them"
        raise FieldError(msg, "teacher")
    return Experiment(
        name=name,
        data=data,
        seeds=tuple(seeds),
        recipe=recipe,
        settings=settings or {},
        texts=tuple(texts or ()),
        encoder=encoder,
        source=source,
        signals=_is_set("signals", merged.get("signals", False)),
        teacher=teacher,
        description=str(own.get("description") or name),
        paper=dict(paper),
        against=tuple(dict.fromkeys([*([own["like"]] if own.get("like") else []), *(against or [])])),
    )


def _is_set(field: str, value: Any, *path: str) -> bool:
    if not isinstance(value, bool):
        msg = f"{field} is {value!r}; expected true or false"
        raise FieldError(msg, *(path or (field,)))
    return value


def _followed(settings: Any) -> Any:
    """How a recipe follows the teacher; as usual, where it does not say."""
    given = settings.get("teacher") if isinstance(settings, Mapping) else None
    return {} if given is None else given


def _teacher(values: Any, name: str, known: Collection[str]) -> Taught:
    """Which model is followed: a folder, or an experiment's with one of its seeds."""
    given = section(values, ("model", "experiment", "seed"), "teacher")
    model, experiment, seed = given.get("model"), given.get("experiment"), given.get("seed", 0)
    if (model is None) == (experiment is None):
        msg = "teacher: expected either model, a trained model's folder, or experiment, another experiment's name"
        raise FieldError(msg, "teacher")
    if model is not None:
        if not isinstance(model, str) or "seed" in given:
            msg = f"teacher is {dict(given)!r}; expected a folder's path as model, and no seed with it"
            raise FieldError(msg, "teacher", "model")
        return Taught(model=model)
    if experiment not in known or experiment == name:
        near = "; expected another experiment" if experiment == name else nearest(str(experiment), known)
        msg = f"teacher.experiment is {experiment!r}{near}"
        raise FieldError(msg, "teacher", "experiment")
    if not isinstance(seed, int) or isinstance(seed, bool) or seed < 0:
        msg = f"teacher.seed is {seed!r}; expected a whole number, at least 0"
        raise FieldError(msg, "teacher", "seed")
    return Taught(experiment=experiment, seed=seed)


def _names_encoder(recipe: Mapping[str, Any]) -> bool:
    model = recipe.get("model")
    return isinstance(model, Mapping) and model.get("encoder") is not None


def _check_encoder(encoder: Any, recipe: Recipe) -> None:
    """Refuse what is no name, and a model that is not built on an encoder."""
    if not isinstance(encoder, str) or "/" not in encoder:
        msg = f"encoder is {encoder!r}; expected a name on the hub (owner/name)"
        raise FieldError(msg, "encoder")
    if not MODELS[recipe.name].over_encoder:
        over = ", ".join(name for name, one in MODELS.items() if one.over_encoder)
        msg = f"encoder is for models over one, and {recipe.name} has none; expected recipe.model.name one of {over}"
        raise FieldError(msg, "encoder")


def _source(values: Any, data: str, settings: Mapping[str, Any]) -> Source:
    """What comes first: other data, and the recipe with settings of its own."""
    given = section(values, ("data", "training", "questions", "alone"), "source")
    named = given.get("data")
    names: list[Any] = named if isinstance(named, list) and named else [named]
    for name in names:
        if not isinstance(name, str) or (name not in DATASETS and not Path(name).exists()):
            near = nearest(str(name), DATASETS)
            msg = f"source.data is {name!r}{near}; or a file of candidate lists, or a folder with corpus.jsonl and "
            raise FieldError(msg + "queries.jsonl", *(("source", "data") if "data" in given else ("source",)))
    if names == [data]:
        msg = f"source.data is '{data}', which is the experiment's own data; expected other data"
        raise FieldError(msg, "source", "data")
    if len(set(names)) < len(names):
        msg = f"source.data is {named!r}; expected each data set once"
        raise FieldError(msg, "source", "data")
    questions = given.get("questions")
    if questions is not None and (not isinstance(questions, int) or isinstance(questions, bool) or questions < 1):
        msg = f"source.questions is {questions!r}; expected a whole number, at least 1"
        raise FieldError(msg, "source", "questions")
    alone = _is_set("source.alone", given.get("alone", False), "source", "alone")
    training = section(
        given.get("training"),
        [field.name for field in fields_of(TrainingSettings)],
        "source",
        "training",
        what="training setting",
    )
    # Other data are learned from before there is a teacher.
    untaught = {field: value for field, value in settings.items() if field != "teacher"}
    merged = {**untaught, "training": {**(settings.get("training") or {}), **training}}
    with _at("source"):
        return Source(tuple(names), make_recipe(merged), merged, questions, alone)


@contextmanager
def _at(*path: str) -> Iterator[None]:
    """Say in which section of the file a field is that something is wrong with."""
    try:
        yield
    except FieldError as error:
        raise FieldError(str(error), *path, *error.path) from error


def _are(values: Any, kind: type) -> bool:
    return isinstance(values, list) and all(isinstance(value, kind) and not isinstance(value, bool) for value in values)
