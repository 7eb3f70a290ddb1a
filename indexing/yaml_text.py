# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""YAML files, read so that one line says what is wrong with one, and none of them fills the memory."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import yaml

# Aliases repeat what they name: nine lines can stand for a thousand million values.
_MOST_VALUES: Final = 1_000_000


class NotYamlError(ValueError):
    """
    A text that is not YAML, or whose aliases stand for too many values. As a string it names text and line.

    :param name: what the text is called.
    :param line: the line, from 1, or None where nobody knows it.
    :param message: what was found.
    """

    def __init__(self, name: str, line: int | None, message: str) -> None:
        super().__init__(f"{name}{'' if line is None else f', line {line}'}: {message}")
        self.line = line
        self.message = message


def read_yaml(path: Path) -> str:
    """
    Read a YAML file's text.

    :param path: the file.
    :returns: its text.
    :raises OSError: if there is no such file.
    :raises ValueError: if it is not UTF-8; the message names file and line.
    """
    content = path.read_bytes()
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        msg = f"{path}, line {line}: not UTF-8: byte 0x{content[error.start]:02x}"
        raise ValueError(msg) from error


def parse_yaml(text: str, name: str) -> tuple[yaml.Node | None, Any]:
    """
    Parse a YAML text.

    :param text: the text.
    :param name: what to call it, such as its file's name.
    :returns: its root, which knows where everything stands, and its content; nothing twice if the text is empty.
    :raises NotYamlError: if it is not YAML, or its aliases stand for too many values.
    """
    with _told(text, name):
        loader = yaml.SafeLoader(text)
        try:
            root = loader.get_single_node()
            if root is None:
                return None, None
            _size(root, name, {})
            return root, loader.construct_document(root)
        finally:
            loader.dispose()


def parse_yaml_texts(text: str, name: str) -> list[Any]:
    """
    Parse YAML whose values are all texts, as people mean them: the answer ``yes`` is a word and ``2024-05-01`` no date.

    :param text: one YAML document or several.
    :param name: what to call it, such as its file's name.
    :returns: the content of each document that is not empty: lists, dictionaries and texts.
    :raises NotYamlError: as :func:`parse_yaml` does.
    """
    documents = []
    with _told(text, name):
        loader = yaml.BaseLoader(text)
        try:
            while loader.check_node() and (root := loader.get_node()) is not None:
                _size(root, name, {})
                documents.append(loader.construct_document(root))
        finally:
            loader.dispose()
    return [content for content in documents if content]


@contextmanager
def _told(text: str, name: str) -> Iterator[None]:
    """Make one line of each of the parser's errors."""
    try:
        yield
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        message = f"not YAML: the character {chr(error.character)!r} is not allowed"
        raise NotYamlError(name, line, message) from error
    except yaml.MarkedYAMLError as error:
        place = error.problem_mark.line + 1 if error.problem_mark else None
        message = f"not YAML: {' '.join(filter(None, (error.context, error.problem)))}"
        raise NotYamlError(name, place, message) from error
    except RecursionError as error:
        raise NotYamlError(name, None, "not YAML that can be read: its values are nested too deep") from error
    except NotYamlError:
        raise
    except ValueError as error:  # a date such as 2026-13-01, or a number of thousands of digits
        raise NotYamlError(name, None, f"not YAML: {error}") from error


def _size(node: yaml.Node, name: str, known: dict[int, int]) -> int:
    """Count the values of a node; those that aliases repeat count each time."""
    if not isinstance(node, yaml.CollectionNode):
        return 1
    found = known.get(id(node))
    line = node.start_mark.line + 1
    if found == 0:
        raise NotYamlError(name, line, "an alias names a value that contains it")
    if found is None:
        known[id(node)] = 0  # until all in it is counted
        inside = node.value if isinstance(node, yaml.SequenceNode) else [one for pair in node.value for one in pair]
        found = known[id(node)] = 1 + sum(_size(one, name, known) for one in inside)
    if found > _MOST_VALUES:
        message = f"has {found:,} values, counting aliases each time; expected at most {_MOST_VALUES:,}"
        raise NotYamlError(name, line, message)
    return found
