# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""What the documents' metadata hold: one pass over them, in memory only what is different."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

Meta = Mapping[str, Any]


def count_unique(metas: Iterable[Meta], names: Sequence[str]) -> dict[str, int]:
    """
    Count the different values of some fields.

    :param metas: The documents' metadata.
    :param names: Names of fields, with or without "meta.".
    :returns: For each name, without "meta.", the number of different values other than None.
    """
    keys = [name.removeprefix("meta.") for name in names]
    seen: dict[str, set[tuple[str, str]]] = {key: set() for key in keys}
    for meta in metas:
        for key in keys:
            if meta.get(key) is not None:
                seen[key].add(_identity(meta[key]))
    return {key: len(seen[key]) for key in keys}


def types(metas: Iterable[Meta]) -> dict[str, dict[str, str]]:
    """
    Tell which fields there are and of which type.

    :param metas: The documents' metadata.
    :returns: For each field `{"type": ...}` with boolean, int, float or keyword, by the last value that is not None.
    """
    found: dict[str, dict[str, str]] = {}
    names = {bool: "boolean", int: "int", float: "float"}
    for meta in metas:
        found.update(
            {key: {"type": names.get(type(value), "keyword")} for key, value in meta.items() if value is not None}
        )
    return found


def min_max(metas: Iterable[Meta], name: str) -> dict[str, Any]:
    """
    Find a field's least and greatest value.

    :param metas: The documents' metadata.
    :param name: The field's name, with or without "meta.".
    :returns: `min` and `max`; both None if there are no numbers or strings, or both numbers and strings.
    """
    key = name.removeprefix("meta.")
    least = greatest = None
    for meta in metas:
        value = meta.get(key)
        if not isinstance(value, (int, float, str)):
            continue
        if least is None or greatest is None:
            least = greatest = value
        elif isinstance(value, str) != isinstance(least, str):
            return {"min": None, "max": None}
        else:
            least, greatest = min(least, value), max(greatest, value)
    return {"min": least, "max": greatest}


def unique_values(
    metas: Iterable[Meta], name: str, search_term: str | None, start: int, size: int
) -> tuple[list[Any], int]:
    """
    List a field's different values; values of different types are different.

    :param metas: The documents' metadata.
    :param name: The field's name, with or without "meta.".
    :param search_term: Keep only values that have this in their text, whatever its case.
    :param start: How many values to pass over.
    :param size: Greatest number of values.
    :returns: The values, sorted by their text, and the number of all.
    """
    key = name.removeprefix("meta.")
    found: dict[tuple[str, str], Any] = {}
    for meta in metas:
        value = meta.get(key)
        if value is not None and (not search_term or search_term.lower() in str(value).lower()):
            found.setdefault(_identity(value), value)
    values = sorted(found.values(), key=lambda value: (str(value), type(value).__name__))
    return values[start : start + size], len(values)


def _identity(value: Any) -> tuple[str, str]:
    return type(value).__name__, json.dumps(value, sort_keys=True)
