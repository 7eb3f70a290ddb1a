# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
SelQA's answer sentence selection for analysis: ``selqa-ass-{train,dev,test}.json``.

A question has the sentences of its section of Wikipedia and the places of the right ones among them. In the published
files an array of all questions is one line, with ``candidates`` (sentences) and ``answers`` (places); in an earlier
edition a question is one line, with ``sentences`` and ``candidates`` (places).
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from answer_selection.indexing.candidates.lists import Candidate, CandidateList, CandidateSourceError, place, text_lines
from answer_selection.indexing.candidates.selqa_tsv import check_questions
from answer_selection.indexing.formats.jsonl import json_type, loads

_META = ("article", "section", "topic", "type", "q_types", "is_paraphrase")


def read_selqa_json(path: str | Path) -> Iterator[CandidateList]:
    """
    Read a file of SelQA, line by line.

    :param path: the file.
    :returns: one list a question, in the file's order; its id is its number, counted from 1, a candidate's id that, a
        hyphen, and the sentence's place from 0. Article, section, topic and type are in the ``query_meta``. An empty
        sentence is passed over.
    :raises CandidateSourceError: if a line is not JSON, a field is missing or of another kind, or a right answer's
        place is none of the sentences'; names file, line, item and field.
    """
    path = Path(path)
    number = 0
    for line, text in text_lines(path):
        if not text.strip():
            continue
        try:
            value = loads(text)
        except json.JSONDecodeError as error:
            msg = f"{place(path, line)}: expected JSON, but at column {error.colno} it is not: {error.msg}"
            raise CandidateSourceError(msg) from error
        except ValueError as error:
            msg = f"{place(path, line)}: expected JSON, but {error}"
            raise CandidateSourceError(msg) from error
        for item, row in enumerate(value if isinstance(value, list) else [value]):
            number += 1
            yield _list(row, number, path, line, f"[{item}]" if isinstance(value, list) else "")
    check_questions(path, number)


def _list(row: Any, number: int, path: Path, line: int, item: str) -> CandidateList:
    if not isinstance(row, dict):
        msg = f"{place(path, line, item)}: expected a JSON object, found {json_type(row)}"
        raise CandidateSourceError(msg)
    sentences_name, right_name = ("sentences", "candidates") if "sentences" in row else ("candidates", "answers")
    question: Any = row.get("question")
    sentences: Any = row.get(sentences_name)
    right: Any = row.get(right_name)
    kinds = (
        ("question", "text", isinstance(question, str) and question.strip()),
        (sentences_name, "a list of sentences", sentences and _is_list(sentences, str)),
        (right_name, "a list of places", _is_list(right, int)),
    )
    for name, expected, fits in kinds:
        if not fits:
            found = "nothing" if row.get(name) in (None, "", []) else json_type(row[name])
            msg = f"{place(path, line, f'{item}.{name}'.strip('.'))}: expected {expected}, found {found}"
            raise CandidateSourceError(msg)
    for one in right:
        if not 0 <= one < len(sentences):
            where = place(path, line, f"{item}.{right_name}".strip("."))
            msg = f"{where}: there is no sentence {one}; expected a place from 0 to {len(sentences) - 1}"
            raise CandidateSourceError(msg)
    candidates = (
        Candidate(f"{number}-{index}", sentence.strip(), int(index in right))
        for index, sentence in enumerate(sentences)
        if sentence.strip()
    )
    meta = {name: row[name] for name in _META if name in row}
    return CandidateList(str(number), question.strip(), tuple(candidates), meta)


def _is_list(value: Any, kind: type) -> bool:
    return isinstance(value, list) and all(isinstance(one, kind) and not isinstance(one, bool) for one in value)
