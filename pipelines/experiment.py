# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Experiments: in one YAML file, which model is trained how on which data set, with which seeds."""

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from answer_selection.pipelines.evaluation.scores import METRICS
from answer_selection.pipelines.recipe import SHIPPED as RECIPES
from answer_selection.pipelines.recipe import Recipe, make_recipe, recipe_fields
from answer_selection.pipelines.research_data import DATASETS
from answer_selection.pipelines.yaml_fields import FieldError, Fields, nearest, parse, section

FOLDER: Final = Path(__file__).parent / "experiments"
# What a file says of itself alone, not of those that are like it.
_OWN: Final = ("description", "paper", "against")
_KNOWN: Final = ("data", "like", "seeds", "recipe", "texts", *_OWN)


class ExperimentError(ValueError):
    """An experiment's file cannot be used; the message names file, line and field, and what was expected."""


@dataclass(frozen=True, slots=True)
class Experiment:
    """
    An experiment.

    :param name: Its file's name.
    :param data: The data set, one of :data:`research_data.DATASETS`.
    :param seeds: One model is trained with each.
    :param recipe: How.
    :param settings: The recipe's fields as the files have them.
    :param texts: Further data sets whose training texts the vocabulary and the word vectors come from.
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
    description: str
    paper: Mapping[str, float]
    against: tuple[str, ...]

    @property
    def digest(self) -> str:
        """Tells what decides the models, the data aside, from anything else."""
        return sha256(json.dumps([self.settings, self.texts], sort_keys=True).encode()).hexdigest()


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
    """A file's own fields; a shipped recipe's name is replaced by the recipe."""
    try:
        fields = parse(file.read_text(encoding="utf-8"), str(file))
        data = section(fields.data, _KNOWN)
        recipe = data.get("recipe")
        if not isinstance(recipe, str):
            return Fields(data, fields.places)
        if recipe not in RECIPES:
            msg = f"recipe is '{recipe}'{nearest(recipe, RECIPES)}; or a mapping with its sections"
            raise FieldError(msg, "recipe")
        shipped = recipe_fields(recipe)
    except OSError as error:
        msg = f"{file}: {error.strerror}; expected a YAML file, or a shipped experiment"
        raise ExperimentError(msg + nearest(file.name, shipped_experiments()).replace("; expected", ":")) from error
    except FieldError as error:
        msg = f"{fields.place(error.path, str(file))}: {error}"
        raise ExperimentError(msg) from error
    except ValueError as error:
        raise ExperimentError(str(error)) from error
    places = {("recipe", *path): place for path, place in shipped.places.items()}
    return Fields({**data, "recipe": shipped.data}, {**fields.places, **places})


def _files(file: Path) -> dict[str, Path]:
    """What an experiment can name, by name: the files beside it, and the shipped ones."""
    return shipped_experiments() | {other.stem: other for other in sorted(file.parent.glob("*.yaml"))}


def _base(own: Fields, file: Path, behind: tuple[str, ...]) -> Fields:
    """What a file is like, and what that is like; of what these say of themselves nothing."""
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
    settings = merged.get("recipe")
    try:
        recipe = make_recipe(settings)
    except FieldError as error:
        raise FieldError(str(error), "recipe", *error.path) from error
    return Experiment(
        name=name,
        data=data,
        seeds=tuple(seeds),
        recipe=recipe,
        settings=settings or {},
        texts=tuple(texts or ()),
        description=str(own.get("description") or name),
        paper=dict(paper),
        against=tuple(dict.fromkeys([*([own["like"]] if own.get("like") else []), *(against or [])])),
    )


def _are(values: Any, kind: type) -> bool:
    return isinstance(values, list) and all(isinstance(value, kind) and not isinstance(value, bool) for value in values)
