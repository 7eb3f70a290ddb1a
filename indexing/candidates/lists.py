# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Candidate lists, and the code that the readers of their formats share."""

import gzip
import logging
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO, cast

from answer_selection.indexing.formats.lines import EncodingError, iter_lines

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Candidate:
    """
    One answer to be ranked.

    :param candidate_id: its identity; no other candidate of the list has it. In published data it is without white
        space, as TREC files want it; in lists of our own it is an entry's id, which may have some.
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


def text_of(element: Any) -> str:
    """
    Give an XML element's text, that of the elements inside it included, with single spaces.

    :param element: an lxml element, or None.
    :returns: its text, perhaps empty. References to entities of the file's own stay as they are.
    """
    return "" if element is None else " ".join("".join(element.itertext()).split())


def check_ids(query_id: str, candidate_ids: Iterable[str], where: str) -> None:
    """
    Make sure that ids of published data can be told apart, also in a TREC file, where white space ends one.

    :param query_id: the list's id.
    :param candidate_ids: its candidates' ids.
    :param where: the beginning of a message: file and line.
    :raises CandidateSourceError: if an id has white space in it, or comes twice in the list.
    """
    ids = list(candidate_ids)
    for what, one in [("query", query_id), *(("candidate", one) for one in ids)]:
        if len(one.split()) != 1:
            msg = f"{where}: the {what} id {one!r} of list {query_id!r} has white space in it; expected an id without"
            raise CandidateSourceError(msg)
    for one, count in Counter(ids).items():
        if count > 1:
            msg = f"{where}: the candidate id {one!r} comes twice in list {query_id!r}; expected each id once"
            raise CandidateSourceError(msg)


def check_count(path: Path, what: str, found: int, stated: int | None, source: str) -> None:
    """
    Compare a count with the one that the data's own description states; a difference is a warning.

    :param path: the file.
    :param what: what was counted.
    :param found: how many there are.
    :param stated: how many there should be; None where nobody states it.
    :param source: who states it.
    """
    if stated is not None and found != stated:
        logger.warning(f"{path}: {found:,} {what}, but {source} states {stated:,}")


def open_bytes(path: Path) -> BinaryIO:
    """
    Open a file, gzipped or not, as its name says.

    :param path: the file.
    :returns: its bytes, unpacked.
    """
    return cast("BinaryIO", gzip.open(path, "rb")) if path.suffix.lower() == ".gz" else path.open("rb")


def text_lines(path: Path) -> Iterator[tuple[int, str]]:
    """
    Stream a text file's lines.

    :param path: the file; gzipped if it ends in ``.gz``.
    :returns: each line's number, counted from 1, and its text without line end.
    :raises CandidateSourceError: if the file cannot be opened or unpacked, or a line is not text.
    """
    number = 0
    try:
        with open_bytes(path) as stream:
            for line in iter_lines(stream):
                number = line.number
                if line.problem is not None:
                    msg = f"{place(path, number)}: {line.problem}"
                    raise CandidateSourceError(msg)
                yield number, line.text.rstrip("\r\n")
    except EncodingError as error:
        msg = f"{path}: {error}"
        raise CandidateSourceError(msg) from error
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        msg = f"{path}: expected a whole gzip file, but after line {number} it is cut off or damaged: {error}"
        raise CandidateSourceError(msg) from error
    except OSError as error:
        msg = f"{path}: cannot be read: {error.strerror or error}"
        raise CandidateSourceError(msg) from error
