# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""JSONL: one JSON object a line."""

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO, Final

from answer_selection.indexing.formats.lines import iter_lines
from answer_selection.indexing.formats.raw import Problem, RawEntry
from answer_selection.indexing.formats.storable import check_storable
from answer_selection.indexing.whole_file import whole_file


def read(stream: BinaryIO, encoding: str | None = None) -> Iterator[RawEntry | Problem]:
    """
    Read objects line by line; blank lines are passed over.

    :param stream: the file's bytes.
    :param encoding: the declared encoding, if any.
    :returns: one raw entry a line; for a broken line a problem, after which reading goes on.
    :raises EncodingError: if the bytes are not text in a known encoding.
    """
    for line in iter_lines(stream, encoding):
        location = f"line {line.number}"
        if line.problem is not None:
            yield Problem(location, None, line.problem)
        elif line.text.strip():
            try:
                value = parse(line.text.rstrip())
            except json.JSONDecodeError as error:
                message = f"expected one JSON object, but at column {error.colno} it is not JSON: {error.msg}"
                yield Problem(location, None, message)
            except ValueError as error:
                yield Problem(location, None, f"expected one JSON object, but {error}")
            else:
                if isinstance(value, dict):
                    yield RawEntry(location, value)
                else:
                    yield Problem(location, None, f"expected a JSON object, found {json_type(value)}")


def parse(text: str) -> Any:
    """
    Parse JSON.

    :param text: one JSON value.
    :returns: the value, which may hold what no store takes.
    :raises json.JSONDecodeError: if it is not JSON.
    :raises ValueError: if it is nested too deeply.
    """
    try:
        return _DECODER.decode(text)
    except RecursionError as error:
        msg = "it is nested too deeply"
        raise ValueError(msg) from error


def loads(text: str) -> Any:
    """
    Parse JSON, and refuse what Python's parser lets pass but no store can take.

    :param text: one JSON value.
    :returns: the value.
    :raises json.JSONDecodeError: if it is not JSON.
    :raises ValueError: if it is nested too deeply, or :func:`check_storable` refuses it.
    """
    value = parse(text)
    check_storable(value)
    return value


def _integer(digits: str) -> int | float:
    # Python refuses to read thousands of digits, and so the whole text. As a float they are infinite, which is refused
    # where they stand.
    return int(digits) if len(digits) < _MOST_DIGITS else float(digits)


# More than the greatest float has.
_MOST_DIGITS: Final = 400
_DECODER: Final = json.JSONDecoder(parse_int=_integer)


def json_type(value: Any) -> str:
    """
    Name a JSON value's type as messages do.

    :param value: what ``json`` made of it.
    :returns: ``"an array"``, ``"a number"``, …
    """
    names = {dict: "an object", list: "an array", str: "a string", bool: "true or false", type(None): "null"}
    return names.get(type(value), "a number")


def instead_of_text(value: Any) -> str:
    """
    Name what stands where a text is expected, as messages do.

    :param value: what ``json`` made of it, which is no text, or one without a word.
    :returns: ``"nothing"``, or as :func:`json_type`.
    """
    return "nothing" if value is None or isinstance(value, str) else json_type(value)


def write_lines(path: str | Path, objects: Iterable[Mapping[str, Any]]) -> int:
    """
    Write one JSON object a line. The file appears whole or not at all; one that was there is replaced.

    :param path: where to.
    :param objects: what to write; consumed one at a time.
    :returns: how many lines were written.
    :raises OSError: if the file cannot be written.
    """
    count = 0
    with whole_file(Path(path)) as part, part.open("w", encoding="utf-8", newline="\n") as stream:
        for value in objects:
            stream.write(json.dumps(value, ensure_ascii=False) + "\n")
            count += 1
    return count
