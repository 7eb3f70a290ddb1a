# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""What a candidate list is."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from answer_selection.indexing.formats.lines import EncodingError, iter_lines


@dataclass(frozen=True, slots=True)
class Candidate:
    """
    One answer to be ranked.

    :param candidate_id: its identity, without white space, so that TREC files can name it.
    :param answer: its text.
    :param label: its relevance; 0 is wrong, above 0 is correct.
    :param meta: what else its source gave.
    """

    candidate_id: str
    answer: str
    label: int
    meta: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class CandidateList:
    """
    A query and its candidates, in the order of the source.

    :param query_id: the query's identity.
    :param query: its text.
    :param candidates: the answers to be ranked.
    :param query_meta: what else the source gave about the query.
    """

    query_id: str
    query: str
    candidates: tuple[Candidate, ...]
    query_meta: dict[str, Any] = field(default_factory=dict)


class CandidateSourceError(ValueError):
    """Candidate lists that cannot be read: file, line or element, field, what was expected."""


def place(path: Path, line: int, name: str | None = None) -> str:
    """
    Begin a message.

    :param path: the file.
    :param line: the line, counted from 1.
    :param name: the field, if one is meant.
    :returns: ``"file, line 3, field 'label'"``.
    """
    return f"{path}, line {line}" + (f", field '{name}'" if name else "")


def label_of(text: str, path: Path, line: int, name: str | None = None) -> int:
    """
    Read a label of 0 or 1.

    :param text: the label's text.
    :param path: the file it stands in.
    :param line: the line it stands in.
    :param name: the field it stands in, if fields have names.
    :returns: 0 or 1.
    :raises CandidateSourceError: if it is neither.
    """
    if text not in ("0", "1"):
        msg = f"{place(path, line, name)}: expected the label 0 or 1, found {text!r}"
        raise CandidateSourceError(msg)
    return int(text)


def text_lines(path: Path) -> Iterator[tuple[int, str]]:
    """
    Stream a text file's lines.

    :param path: the file.
    :returns: each line's number, counted from 1, and its text without line end.
    :raises CandidateSourceError: if the file cannot be opened, or a line is not text.
    """
    try:
        with path.open("rb") as stream:
            for line in iter_lines(stream):
                if line.problem is not None:
                    msg = f"{place(path, line.number)}: {line.problem}"
                    raise CandidateSourceError(msg)
                yield line.number, line.text.rstrip("\r\n")
    except EncodingError as error:
        msg = f"{path}: {error}"
        raise CandidateSourceError(msg) from error
    except OSError as error:
        msg = f"{path}: cannot be read: {error.strerror or error}"
        raise CandidateSourceError(msg) from error
