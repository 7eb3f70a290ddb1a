# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""YAML files whose fields are checked: which line a field stands on, and which name a misspelt one may have meant."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, TypeAlias

import yaml

from answer_selection.indexing.yaml_text import parse_yaml

FieldPath: TypeAlias = tuple[str, ...]
"""A field's name, after those of the mappings that it stands in."""


class FieldError(ValueError):
    """
    Something is wrong with a field.

    :param message: What, and what was expected.
    :param path: The field's name, after those of the mappings that it stands in.
    """

    def __init__(self, message: str, *path: str) -> None:
        super().__init__(message)
        self.path = path


@dataclass(frozen=True, slots=True)
class Fields:
    """
    What a YAML file holds, and where.

    :param data: The content.
    :param places: File and line of every field, by its path.
    """

    data: Any
    places: Mapping[FieldPath, str]

    def place(self, path: FieldPath, otherwise: str) -> str:
        """
        Say where a field stands.

        :param path: The field's path.
        :param otherwise: What to say of one that stands nowhere.
        :returns: Its file and line.
        """
        return self.places.get(path, otherwise)

    def over(self, base: "Fields") -> "Fields":
        """
        Lay these fields over others: mappings are merged, whatever else both have is taken from here.

        :param base: What lies below.
        :returns: All fields of both, each with its own place.
        """
        return Fields(_merged(base.data, self.data), {**base.places, **self.places})


def _merged(base: Any, over: Any) -> Any:
    if not isinstance(base, Mapping) or not isinstance(over, Mapping):
        return over
    return {**base, **{name: _merged(base[name], value) if name in base else value for name, value in over.items()}}


def parse(text: str, name: str) -> Fields:
    """
    Read a YAML text.

    :param text: The text.
    :param name: What to call it, such as its file's name.
    :returns: Its fields; an empty text has none.
    :raises ValueError: If it is not YAML, or has a field twice; the message says at which line.
    """
    root, data = parse_yaml(text, name)
    if root is None:
        return Fields({}, {})
    places: dict[FieldPath, str] = {}
    _walk(root, (), name, places)
    return Fields(data, places)


def _walk(node: yaml.Node, path: FieldPath, name: str, places: dict[FieldPath, str]) -> None:
    if not isinstance(node, yaml.MappingNode):
        return
    for key, value in node.value:
        here, place = (*path, str(key.value)), f"{name}, line {key.start_mark.line + 1}"
        if here in places:
            msg = f"{place}: the field '{key.value}' comes twice; {places[here]} has it already"
            raise ValueError(msg)
        places[here] = place
        _walk(value, here, name, places)


def section(values: Any, known: Collection[str] | None, *path: str, what: str = "field") -> Mapping[str, Any]:
    """
    Check that something is a mapping of fields that are known.

    :param values: What it is; None is an empty one.
    :param known: The names that are known; None lets any pass.
    :param path: Its own path.
    :param what: What a field of it is called in the message.
    :returns: The mapping.
    :raises FieldError: If it is none, or a name in it is not known; the nearest known one is named.
    """
    if values is None:
        return {}
    name = ".".join(path)
    if not isinstance(values, Mapping):
        msg = f"expected a mapping of fields, found {type(values).__name__}"
        raise FieldError(f"{name}: {msg}" if name else msg, *path)
    for field in values:
        if known is not None and field not in known:
            msg = f"unknown {what} '{field}'{nearest(str(field), known)}"
            raise FieldError(f"{name}: {msg}" if name else msg, *path, str(field))
    return values


def nearest(name: str, known: Collection[str]) -> str:
    """
    Say what a name may have meant.

    :param name: The name that is not known.
    :param known: Those that are.
    :returns: The end of a message: the nearest known name, or all of them if none is near.
    """
    near = get_close_matches(name, known, n=1)
    return f"; did you mean '{near[0]}'?" if near else f"; expected one of {', '.join(known)}"
