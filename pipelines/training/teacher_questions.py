# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Questions that nobody labelled: a teacher alone ranks their candidates."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from answer_selection.indexing.candidates import CandidateList, read_jsonl, write_jsonl
from answer_selection.indexing.corpus import Query
from answer_selection.indexing.text.sameness import sameness
from haystack_integrations.components.rankers.answer_selection.training.dataset import UNLABELLED


def new_questions(questions: Sequence[Query], known: Iterable[Query]) -> list[Query]:
    """
    Leave out the questions that are learned from or validated on anyway.

    :param questions: The questions.
    :param known: Those that are.
    :returns: The others, with ids of their own.
    :raises ValueError: If there are none.
    """
    seen = {sameness(query.query) for query in known}
    others = (query.query for query in questions if sameness(query.query) not in seen)
    # An id of their own: those of labelled questions may be the same.
    new = [Query(f"unlabelled-{number}", text, ()) for number, text in enumerate(others, start=1)]
    if not new:
        msg = f"the questions for the teacher ({len(questions)}) are all learned from or validated on already; "
        msg += "expected others"
        raise ValueError(msg)
    return new


def with_unlabelled(labelled: Path, unlabelled: Path, output: Path) -> Path:
    """
    Write lists with labels and lists without into one file.

    :param labelled: The lists with labels.
    :param unlabelled: Lists whose labels say nothing.
    :param output: The file to write.
    :returns: The same.
    """

    def both() -> Iterator[CandidateList]:
        yield from read_jsonl(labelled)
        for one in read_jsonl(unlabelled):
            if one.candidates:
                yield replace(one, query_meta={**one.query_meta, UNLABELLED: True})

    write_jsonl(output, both())
    return output
