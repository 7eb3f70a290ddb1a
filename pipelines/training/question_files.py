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
    # Labels, which the service keeps, need the ids of questions alone.
    from answer_selection.pipelines.training.texts import file_texts

    kind = path.suffix.lower()
    if kind not in ("", ".txt", ".jsonl"):
        # A page's every line would be a question.
        msg = f"{path}: expected .txt, a question a line, or .jsonl, objects with `query`"
        raise ValueError(msg)
    texts = ((text, None) for text in file_texts([path])())
    asked = _jsonl_questions(path) if kind == ".jsonl" else texts
    found: dict[bytes, Query] = {}
    ids: set[str] = set()
    for text, given in asked:
        if (same := sameness(text)) not in found:
            query_id = given if given and given not in ids else question_id(text)
            ids.add(query_id)
            found[same] = Query(query_id, text, ())
    if not found:
        msg = f"{path}: no question in the file; expected a question a line, or objects with `query`"
        raise ValueError(msg)
    return list(found.values())


def _jsonl_questions(path: Path) -> Iterator[tuple[str, str | None]]:
    try:
        stream = path.open("rb")
    except OSError as error:
        msg = f"{path} cannot be read: {error.strerror or error}; expected objects with `query`"
        raise ValueError(msg) from error
    with stream:
        for raw in jsonl.read(stream):
            if isinstance(raw, Problem):
                msg = f"{path}, {raw.location}: {raw.message}"
                raise ValueError(msg)
            query, query_id = raw.fields.get("query"), raw.fields.get("query_id")
            if not isinstance(query, str) or not query.strip():
                found = jsonl.instead_of_text(query)
                msg = f"{path}, {raw.location}, field 'query': expected text, found {found}"
                raise ValueError(msg)
            yield query.strip(), None if query_id is None else str(query_id).strip()
