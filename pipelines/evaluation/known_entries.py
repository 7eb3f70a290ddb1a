# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Check that a pipeline's stores have the entries that answer the questions."""

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any, Final

from haystack import Pipeline

from answer_selection.indexing.corpus import Query
from answer_selection.pipelines.evaluation.waiting import waiting_for_cluster

# Ids that are looked up in one request.
_LOOKUP: Final = 500
_NAMED: Final = 5


def check_entries(pipeline: Pipeline, queries: Iterable[Query], source: str) -> None:
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
        pieces = [missing[start : start + _LOOKUP] for start in range(0, len(missing), _LOOKUP)]
        missing = [one for piece in pieces for one in waiting_for_cluster(partial(_missing, store, piece))]
    if missing:
        first = ", ".join(map(repr, missing[:_NAMED])) + (", …" if len(missing) > _NAMED else "")
        msg = f"{source}: {len(missing)} of {len(wanted)} relevant entries are not in the index: {first}"
        raise ValueError(msg)


def stores_of(pipeline: Pipeline) -> list[Any]:
    """
    Find the stores that a pipeline searches.

    :param pipeline: The pipeline.
    :returns: Its stores.
    """
    components = (pipeline.get_component(name) for name in pipeline.graph.nodes)
    # A retriever has its store in an attribute of any name.
    return [held for each in components for held in vars(each).values() if hasattr(held, "filter_documents")]


def _missing(store: Any, ids: Sequence[str]) -> list[str]:
    """Give the ids that no document has, neither as its own nor, as one of several of an entry, in its metadata."""
    of_documents = {"field": "id", "operator": "in", "value": list(ids)}
    # Ours have the ids of their entries, and to count them costs nothing.
    if store.count_documents_by_filter(of_documents) == len(ids):
        return []
    of_entries = {"field": "meta.entry_id", "operator": "in", "value": list(ids)}
    found = store.filter_documents({"operator": "OR", "conditions": [of_documents, of_entries]})
    known = {str(document.meta.get("entry_id", document.id)) for document in found}
    return [one for one in ids if one not in known]
