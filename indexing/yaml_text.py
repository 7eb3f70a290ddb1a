# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""YAML files, read so that one line says what is wrong with one, and none of them fills the memory."""

from pathlib import Path
from typing import Any, Final

import yaml

# Aliases repeat what they name: nine lines can stand for a thousand million values.
_MOST_VALUES: Final = 100_000


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
    :raises ValueError: if it is not YAML, or its aliases stand for too many values. The message names the line.
    """
    try:
        loader = yaml.SafeLoader(text)
        try:
            root = loader.get_single_node()
            if root is None:
                return None, None
            _size(root, name, {})
            return root, _content(loader, root, name)
        finally:
            loader.dispose()
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        msg = f"{name}, line {line}: not YAML: the character {chr(error.character)!r} is not allowed"
        raise ValueError(msg) from error
    except yaml.MarkedYAMLError as error:
        place = f", line {error.problem_mark.line + 1}" if error.problem_mark else ""
        msg = f"{name}{place}: not YAML: {' '.join(filter(None, (error.context, error.problem)))}"
        raise ValueError(msg) from error
    except RecursionError as error:
        msg = f"{name}: not YAML that can be read: its values are nested too deep"
        raise ValueError(msg) from error


def _content(loader: yaml.SafeLoader, root: yaml.Node, name: str) -> Any:
    try:
        return loader.construct_document(root)
    except ValueError as error:  # a date such as 2026-13-01, or a number of thousands of digits
        msg = f"{name}: not YAML: {error}"
        raise ValueError(msg) from error


def _size(node: yaml.Node, name: str, known: dict[int, int]) -> int:
    """Count the values of a node; those that aliases repeat count each time."""
    if not isinstance(node, yaml.CollectionNode):
        return 1
    found = known.get(id(node))
    if found == 0:
        msg = f"{name}, line {node.start_mark.line + 1}: an alias names a value that contains it"
        raise ValueError(msg)
    if found is None:
        known[id(node)] = 0  # until all in it is counted
        inside = node.value if isinstance(node, yaml.SequenceNode) else [one for pair in node.value for one in pair]
        found = known[id(node)] = 1 + sum(_size(one, name, known) for one in inside)
    if found > _MOST_VALUES:
        msg = f"{name}, line {node.start_mark.line + 1}: has {found:,} values, counting aliases each time; "
        msg += f"expected at most {_MOST_VALUES:,}"
        raise ValueError(msg)
    return found
