# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Recipes of encoders: in one YAML file, which one to pretrain, and how."""

from dataclasses import fields
from pathlib import Path
from typing import Any

from answer_selection.pipelines.definitions.yaml_fields import FieldError, section
from answer_selection.pipelines.training.recipe import RecipeError, recipe_fields
from haystack_integrations.components.rankers.answer_selection.training.pretraining_settings import PretrainingSettings

SHIPPED_ENCODERS = ("small_encoder",)


def read_pretraining(recipe: str | Path) -> PretrainingSettings:
    """
    Read a recipe of an encoder.

    :param recipe: Path of a YAML file with the fields of the settings, or a shipped recipe's name.
    :returns: The settings; what the file leaves out has its default.
    :raises RecipeError: If there is no such file, or something in it is not known.
    """
    content = recipe_fields(recipe, SHIPPED_ENCODERS, "pretraining")
    try:
        return make_pretraining(content.data)
    except FieldError as error:
        msg = f"{content.place(error.path, str(recipe))}: {error}"
        raise RecipeError(msg) from error


def make_pretraining(values: Any) -> PretrainingSettings:
    """
    Make an encoder's settings of their fields.

    :param values: The fields, as YAML has them.
    :returns: The settings; what they leave out has its default.
    :raises FieldError: If one is not known, or its value is out of its range.
    """
    known = [field.name for field in fields(PretrainingSettings)]
    data = section(values, known, what="pretraining setting")
    # One after the other, so that the error is about the field that it stands at.
    for name in data:
        try:
            PretrainingSettings.from_dict({name: data[name]})
        except ValueError as error:
            raise FieldError(str(error), name) from error
    return PretrainingSettings.from_dict(data)
