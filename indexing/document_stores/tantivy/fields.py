# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Fields of documents by their names: a Document's own, or metadata as meta.<key>."""

from collections.abc import Sequence
from typing import Any

from haystack import Document


class Fields:
    """
    Reads fields of documents.

    :param names: Their names ("id", "content", "meta", ...), or "meta.<key>", nested keys with dots between them.
    :raises ValueError: If one is unknown.
    """

    def __init__(self, names: Sequence[str]) -> None:
        if isinstance(names, str):
            msg = f"fields must be a sequence of names, got the string {names!r}"
            raise ValueError(msg)
        self._paths = {name: _path(name) for name in names}

    def of(self, document: Document) -> dict[str, Any]:
        """
        Read a document's fields.

        :param document: The document.
        :returns: Their values by name; None where the document has none.
        """
        return {name: _value(document, path) for name, path in self._paths.items()}


def _path(name: str) -> tuple[str, ...]:
    path = tuple(name.split("."))
    if path[0] not in Document.__dataclass_fields__ or (len(path) > 1 and path[0] != "meta"):
        names = ", ".join(Document.__dataclass_fields__)
        msg = f"unknown field {name!r}: expected one of {names}, or meta.<key>"
        raise ValueError(msg)
    return path


def _value(document: Document, path: tuple[str, ...]) -> Any:
    value = getattr(document, path[0])
    for key in path[1:]:
        value = value.get(key) if isinstance(value, dict) else None
    return value
