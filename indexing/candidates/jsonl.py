# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
Candidate lists as JSONL: one list a line.

``{"query_id", "query", "candidates": [{"candidate_id", "answer", "label", "meta"?}], "query_meta"?}``
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from answer_selection.indexing.candidates.lists import (
    Candidate,
    CandidateList,
    CandidateSourceError,
    place,
    text_lines,
)
from answer_selection.indexing.formats import jsonl


def read_jsonl(path: str | Path) -> Iterator[CandidateList]:
    """
    Stream candidate lists.

    :param path: the file.
    :returns: the lists in the file's order.
    :raises CandidateSourceError: at the first line that cannot be read; names file, line, field and what was expected.
    """
    path = Path(path)
    seen: set[str] = set()
    for number, text in text_lines(path):
        if not text.strip():
            continue
        try:
            value = jsonl.loads(text)
            candidates = _list(value)
            if candidates.query_id in seen:
                msg = f"the id {candidates.query_id!r} comes twice; expected each id once"
                raise _FieldError(msg, "query_id")
        except json.JSONDecodeError as error:
            msg = f"{place(path, number)}: expected JSON, but at column {error.colno} it is not: {error.msg}"
            raise CandidateSourceError(msg) from error
        except _FieldError as error:
            msg = f"{place(path, number, error.name)}: {error}"
            raise CandidateSourceError(msg) from error
        except ValueError as error:
            msg = f"{place(path, number)}: expected one JSON object, but {error}"
            raise CandidateSourceError(msg) from error
        seen.add(candidates.query_id)
        yield candidates


def write_jsonl(path: str | Path, lists: Iterable[CandidateList]) -> int:
    """
    Write candidate lists. :func:`read_jsonl` gives the same lists back.

    :param path: where to; a file that is there is replaced once all is written.
    :param lists: consumed one at a time.
    :returns: how many lists were written.
    """
    return jsonl.write_lines(path, map(list_to_dict, lists))


def list_to_dict(candidates: CandidateList) -> dict[str, Any]:
    """
    Give a list as the object that one line holds.

    :param candidates: the list.
    :returns: a dictionary that JSON can hold, without empty metadata.
    """
    value: dict[str, Any] = {
        "query_id": candidates.query_id,
        "query": candidates.query,
        "candidates": [
            {
                "candidate_id": c.candidate_id,
                "answer": c.answer,
                "label": c.label,
                **({"meta": c.meta} if c.meta else {}),
            }
            for c in candidates.candidates
        ],
    }
    if candidates.query_meta:
        value["query_meta"] = candidates.query_meta
    return value


class _FieldError(ValueError):
    def __init__(self, message: str, name: str | None = None) -> None:
        super().__init__(message)
        self.name = name


def _list(value: Any) -> CandidateList:
    if not isinstance(value, dict):
        msg = f"expected a JSON object, found {jsonl.json_type(value)}"
        raise _FieldError(msg)
    rows = _take(value, "candidates", list, "a list of candidates")
    candidates = []
    seen: set[str] = set()
    for index, row in enumerate(rows):
        at = f"candidates[{index}]"
        if not isinstance(row, dict):
            msg = f"expected a JSON object, found {jsonl.json_type(row)}"
            raise _FieldError(msg, at)
        candidate_id = _take(row, "candidate_id", str, "an id", at)
        if candidate_id in seen:
            msg = f"the id {candidate_id!r} comes twice in one list"
            raise _FieldError(msg, f"{at}.candidate_id")
        seen.add(candidate_id)
        label = _take(row, "label", int, "a whole number", at)
        if isinstance(label, bool) or label < 0:
            msg = f"expected a whole number of 0 or above, found {json.dumps(label)}"
            raise _FieldError(msg, f"{at}.label")
        answer = _take(row, "answer", str, "text", at)
        candidates.append(Candidate(candidate_id, answer, label, _take(row, "meta", dict, "an object", at, {})))
    return CandidateList(
        _take(value, "query_id", str, "an id"),
        _take(value, "query", str, "text"),
        tuple(candidates),
        _take(value, "query_meta", dict, "an object", default={}),
    )


def _take(
    row: Mapping[str, Any], name: str, kind: type, expected: str, at: str = "", default: dict[str, Any] | None = None
) -> Any:
    value = row.get(name, default)
    if not isinstance(value, kind) or value == "":
        found = "nothing" if value in (None, "") else jsonl.json_type(value)
        msg = f"expected {expected}, found {found}"
        raise _FieldError(msg, f"{at}.{name}" if at else name)
    return value
