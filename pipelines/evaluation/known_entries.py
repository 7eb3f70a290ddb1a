# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Check that a pipeline's stores have the entries that answer the questions."""

from collections.abc import Sequence
from functools import partial
from typing import Any, Final

from haystack import Document, Pipeline

from answer_selection.indexing.batched import LOOKUP, batched
from answer_selection.indexing.corpus import Query
from answer_selection.indexing.stored_entries import entry_of
from answer_selection.pipelines.evaluation.waiting import waiting_for_cluster

_NAMED: Final = 5


def check_entries(pipeline: Pipeline, queries: Sequence[Query], source: str) -> None:
    """
    Make sure that every entry that is relevant to a question is in a store that the pipeline searches.

    :param pipeline: The pipeline. One without a store is not checked.
    :param queries: The questions.
    :param source: Where they come from, for the message.
    :raises ValueError: If an entry is in none of the stores; names the first ones and their number.
    """
    stores = stores_of(pipeline)
    if not stores:
        return
    wanted = list(dict.fromkeys(entry_id for query in queries for entry_id in query.relevant))
    missing = wanted
    for store in stores:
        pieces = batched(missing, LOOKUP)
        missing = [one for piece in pieces for one in waiting_for_cluster(partial(_missing, store, piece))]
    if missing:
        first = ", ".join(map(repr, missing[:_NAMED])) + (", …" if len(missing) > _NAMED else "")
        query_id = next(query.query_id for query in queries if missing[0] in query.relevant)
        msg = (
            f"{source}: {len(missing)} of {len(wanted)} relevant entries are not in the index: {first} (the first in "
            f"query {query_id!r}). `answer-selection list` shows the ids of an index"
        )
        raise ValueError(msg)


def stores_of(pipeline: Pipeline) -> list[Any]:
    """
    Find the stores that a pipeline searches.

    :param pipeline: The pipeline.
    :returns: Its stores, each once.
    """
    components = (pipeline.get_component(name) for name in pipeline.graph.nodes)
    # A retriever has its store in an attribute of any name.
    every = (held for each in components for held in vars(each).values() if hasattr(held, "filter_documents"))
    return list({id(held): held for held in every}.values())


def documents_of(store: Any, ids: Sequence[str]) -> list[Document]:
    """
    Read the documents of some entries.

    :param store: A store.
    :param ids: The entries' ids, few enough for one request.
    :returns: Those that have one of them as their own, or, as one of several of an entry, in their metadata.
    """
    conditions = [_in("id", ids), _in("meta.entry_id", ids)]
    found: list[Document] = store.filter_documents({"operator": "OR", "conditions": conditions})
    return found


def _missing(store: Any, ids: Sequence[str]) -> list[str]:
    """Give the ids that no document has, neither as its own nor, as one of several of an entry, in its metadata."""
    # Ours have the ids of their entries, and to count them costs nothing.
    if store.count_documents_by_filter(_in("id", ids)) == len(ids):
        return []
    known = set(map(entry_of, documents_of(store, ids)))
    return [one for one in ids if one not in known]


def _in(field: str, ids: Sequence[str]) -> dict[str, Any]:
    return {"field": field, "operator": "in", "value": list(ids)}
