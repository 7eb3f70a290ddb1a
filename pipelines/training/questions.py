# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Which questions to a corpus are learned from, which choose, and which entries training must not see."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from answer_selection.indexing.corpus import Query
from answer_selection.indexing.corpus_index import CorpusIndex
from answer_selection.indexing.held_out import split_queries, unlearned_entries
from answer_selection.indexing.text.sameness import sameness

# The part of the questions that chooses where none are given, and of the entries that training must not see.
_HELD_OUT: Final = 0.1


@dataclass(frozen=True, slots=True)
class Questions:
    """
    The questions of a run.

    :param learned: Those to learn from.
    :param validation: Those to stop and to choose by; perhaps none.
    :param own: Whether the ones to learn from are the entries' own questions.
    :param real: Whether the others are real: given ones, or held-out ones that are not the entries' own.
    :param held_out: Ids of the entries that training must not see.
    :param entries: Each entry's own question, by its id.
    :param answers: Each entry's answer, as :func:`sameness` tells it, by its id.
    """

    learned: list[Query]
    validation: list[Query]
    own: bool
    real: bool
    held_out: set[str]
    entries: Mapping[str, str]
    answers: Mapping[str, bytes]

    def own_questions(self) -> list[Query]:
        """
        Give the entries' own questions, but those of entries that training must not see.

        :returns: The questions, each answered by its entry.
        """
        return _own_questions(self.entries, self.answers, self.held_out)


def split_questions(
    index: CorpusIndex,
    *,
    queries: Iterable[Query] | None,
    validation: Iterable[Query] | None,
    seed: int = 0,
) -> Questions:
    """
    Say which questions are learned from, and which choose. It is the same for the same arguments.

    :param index: The corpus's index.
    :param queries: Queries to learn from; the corpus's own questions by default.
    :param validation: Real queries to stop and to choose by; by default a part of the others is held out.
    :param seed: Seed of the split.
    :returns: The questions.
    :raises ValueError: If there is no query to learn from, or one of `validation` is answered by an entry that is not
        in the index.
    """
    answers: dict[str, bytes] = {}
    entries: dict[str, str] = {}
    for page in index.iter_pages(["id", "content", "meta.question"]):
        for row in page:
            if row["content"]:
                answers[row["id"]] = sameness(row["content"])
            if (question := row["meta.question"]) and isinstance(question, str):
                entries[row["id"]] = question
    asked = _own_questions(entries, answers, ()) if queries is None else list(queries)
    own = queries is None or _are_own(asked, entries)
    real = validation is not None or not own
    if validation is None:
        shares = {"train": 1 - _HELD_OUT, "validation": _HELD_OUT}
        parts = split_queries(asked, answers, shares, seed)
        # Of very few questions none may be held out, or all.
        if not parts["train"]:
            parts = {"train": parts["validation"], "validation": []}
        asked, validation = parts["train"], parts["validation"]
    validation = list(validation)
    _check_entries(validation, answers)
    if not asked:
        msg = "no question to learn from: the corpus's entries have none; name queries (queries.jsonl)"
        raise ValueError(msg)
    held_out = unlearned_entries(answers, asked, validation, _HELD_OUT, seed)
    return Questions(asked, validation, own, real, held_out, entries, answers)


def _check_entries(queries: Sequence[Query], answers: Mapping[str, bytes]) -> None:
    if queries and not any(query.relevant for query in queries):
        msg = "no validation query has an entry that answers it: there is nothing to choose by"
        raise ValueError(msg)
    for query in queries:
        for entry in query.relevant:
            if entry not in answers:
                msg = f"query {query.query_id!r}: relevant entry {entry!r} is not in the index, or has no answer"
                raise ValueError(msg)


def _own_questions(entries: Mapping[str, str], answers: Mapping[str, bytes], held_out: Iterable[str]) -> list[Query]:
    apart = set(held_out)
    return [Query(id_, text, (id_,)) for id_, text in entries.items() if id_ in answers and id_ not in apart]


def _are_own(queries: Sequence[Query], entries: Mapping[str, str]) -> bool:
    """
    Whether half of the queries or more are the questions of the entries that answer them.

    A search over the entries' questions finds these themselves: it is then no search that a user would make.
    """
    own = sum(
        sameness(query.query) in {sameness(entries[entry]) for entry in query.relevant if entry in entries}
        for query in queries
    )
    return 2 * own >= len(queries)
