# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Files of questions that nobody has labelled: they are to be, or a teacher alone ranks their candidates."""

import hashlib
from collections.abc import Iterator
from pathlib import Path

from answer_selection.indexing.corpus import Query
from answer_selection.indexing.formats import jsonl
from answer_selection.indexing.formats.raw import Problem
from answer_selection.indexing.text.sameness import sameness
from answer_selection.pipelines.training.texts import file_texts


def question_id(question: str) -> str:
    """
    Make an id of a question.

    :param question: The question.
    :returns: The same for questions that are the same.
    """
    return f"asked-{hashlib.blake2b(sameness(question), digest_size=6).hexdigest()}"


def read_questions(path: Path) -> list[Query]:
    """
    Read questions, whatever is known of their answers.

    :param path: A text file with a question a line; or `.jsonl`, objects with `query` and perhaps `query_id`.
    :returns: Each different question, without entries.
    :raises ValueError: If the file is of another type, a line cannot be read, or there is no question.
    """
    # The service itself needs none of what is imported here.
    kind = path.suffix.lower()
    if kind not in ("", ".txt", ".jsonl"):
        # A page's every line would be a question.
        msg = f"{path}: expected .txt, a question a line, or .jsonl, objects with `query`"
        raise ValueError(msg)
    texts = ((text, None) for text in file_texts([path])())
    asked = _jsonl_questions(path) if kind == ".jsonl" else texts
    found: dict[bytes, Query] = {}
    for text, query_id in asked:
        found.setdefault(sameness(text), Query(query_id or question_id(text), text, ()))
    if not found:
        msg = f"{path}: no question in the file; expected a question a line, or objects with `query`"
        raise ValueError(msg)
    return list(found.values())


def _jsonl_questions(path: Path) -> Iterator[tuple[str, str | None]]:
    with path.open("rb") as stream:
        for raw in jsonl.read(stream):
            if isinstance(raw, Problem):
                msg = f"{path}, {raw.location}: {raw.message}"
                raise ValueError(msg)
            query, query_id = raw.fields.get("query"), raw.fields.get("query_id")
            if not isinstance(query, str) or not query.strip():
                found = "nothing" if query is None or isinstance(query, str) else jsonl.json_type(query)
                msg = f"{path}, {raw.location}, field 'query': expected text, found {found}"
                raise ValueError(msg)
            yield query.strip(), None if query_id is None else str(query_id).strip()
