# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
WikiQA's own format: TSV, one candidate sentence a line, with a first line of field names and no quoting.

The source is Yang et al. 2015, "WikiQA: a challenge dataset for open-domain question answering".
"""

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from answer_selection.indexing.candidates.lists import (
    Candidate,
    CandidateList,
    CandidateSourceError,
    check_ids,
    label_of,
    place,
    text_lines,
)

_FIELDS = ("QuestionID", "Question", "DocumentID", "DocumentTitle", "SentenceID", "Sentence", "Label")


def read_wikiqa_tsv(path: str | Path) -> Iterator[CandidateList]:
    """
    Stream a file of WikiQA (``WikiQA-train.tsv``, …), questions without a correct candidate among them.

    :param path: the file.
    :returns: one list a question; the document's id and title are in its ``query_meta``.
    :raises CandidateSourceError: if a field is missing or empty, a label is neither 0 nor 1, an id is not one, or a
        question's lines do not follow one another; names file, line and field.
    """
    path = Path(path)
    seen: set[str] = set()
    for query_id, group in groupby(_rows(path), key=lambda row: row[1]["QuestionID"]):
        rows = list(group)
        number, first = rows[0]
        if query_id in seen:
            msg = (
                f"{place(path, number, 'QuestionID')}: the id {query_id!r} comes again after other ids; expected all "
                "lines of a question to follow one another"
            )
            raise CandidateSourceError(msg)
        seen.add(query_id)
        check_ids(query_id, (row["SentenceID"] for _, row in rows), place(path, number))
        yield CandidateList(
            query_id,
            first["Question"],
            tuple(
                Candidate(row["SentenceID"], row["Sentence"], label_of(row["Label"], path, line, "Label"))
                for line, row in rows
            ),
            {"document_id": first["DocumentID"], "document_title": first["DocumentTitle"]},
        )


def _rows(path: Path) -> Iterator[tuple[int, dict[str, str]]]:
    names: list[str] = []
    for number, text in text_lines(path):
        values = [value.strip() for value in text.split("\t")]
        if not names:
            names = values
            if missing := [name for name in _FIELDS if name not in names]:
                msg = f"{place(path, number)}: the field name(s) {', '.join(missing)} are missing"
                raise CandidateSourceError(msg)
        elif any(values):
            if len(values) != len(names):
                msg = f"{place(path, number)}: expected {len(names)} fields separated by tabs, found {len(values)}"
                raise CandidateSourceError(msg)
            row = dict(zip(names, values, strict=True))
            for name in ("QuestionID", "Question", "SentenceID", "Sentence"):
                if not row[name]:
                    msg = f"{place(path, number, name)}: expected text, found nothing"
                    raise CandidateSourceError(msg)
            yield number, row
