# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
Which questions and entries of a corpus are kept apart from training, to stop and to choose by.

A model learns of every answer that it sees whether it is mostly right or mostly wrong. So the right answers of a
validation question must have the same past as the wrong ones beside them: all of them were learned from, or none.
Otherwise "was never right in training" tells them apart, and validation measures memory.
"""

from collections.abc import Iterable, Mapping, Sequence

from networkx.utils import UnionFind  # type: ignore[import-untyped]

from answer_selection.indexing.corpus import Query, part_of, split_by_entry
from answer_selection.indexing.text.sameness import sameness


def split_queries(
    queries: Sequence[Query], answers: Mapping[str, bytes], parts: Mapping[str, float], seed: int = 0
) -> dict[str, list[Query]]:
    """
    Split queries so that no question and no answer is in two parts.

    Queries that share a relevant entry, the same answer in two entries, or their own wording are drawn as one.

    :param queries: the queries, each with a relevant entry.
    :param answers: each entry's answer, as :func:`sameness` tells it.
    :param parts: each part's name and share.
    :param seed: another seed gives another split.
    :returns: each part's queries, in their order; a part may be empty.
    :raises ValueError: if the shares are wrong, or a query has no relevant entry.
    """
    groups = UnionFind()
    for query in queries:
        if not query.relevant:
            msg = f"query {query.query_id!r} has no relevant entry; expected at least one to learn from"
            raise ValueError(msg)
        for entry in query.relevant:
            groups.union(entry, b"question " + sameness(query.query))
            if entry in answers:
                groups.union(entry, b"answer " + answers[entry])
    # A group is drawn by its first id in the alphabet: that depends neither on an order nor on what is joined first.
    first: dict[str | bytes, str] = {}
    for query in queries:
        group = groups[query.relevant[0]]
        first[group] = min(first.get(group, query.relevant[0]), *query.relevant)
    return split_by_entry(queries, lambda query: first[groups[query.relevant[0]]], parts, seed)


def unlearned_entries(
    answers: Mapping[str, bytes], learned: Iterable[Query], validation: Iterable[Query], share: float, seed: int = 0
) -> set[str]:
    """
    Say which entries training must not see: the validation questions' answers that no training question has.

    As much as `share` of the entries that no question asks for is kept apart with them: beside candidates that are
    known to be wrong, answers that are new would stand out. There is nothing to keep apart where all validation
    questions ask for answers that are learned from.

    :param answers: each entry's answer, as :func:`sameness` tells it.
    :param learned: the queries to learn from.
    :param validation: the queries to stop and to choose by.
    :param share: the share of the entries that no question asks for.
    :param seed: another seed keeps other ones of these apart.
    :returns: the entries' ids.
    """
    right, held_out = (
        {answers[one] for query in asked for one in query.relevant if one in answers} for asked in (learned, validation)
    )
    held_out -= right
    if not held_out:
        return set()
    parts = {"train": 1 - share, "validation": share}
    return {
        entry
        for entry, answer in answers.items()
        if answer in held_out or (answer not in right and part_of(answer.hex(), parts, seed) == "validation")
    }
