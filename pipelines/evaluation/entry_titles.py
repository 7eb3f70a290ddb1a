# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""What people call an entry: its question, or the beginning of its answer."""

from collections.abc import Iterable
from functools import partial
from typing import Any, Final

from answer_selection.indexing.batched import LOOKUP, batched
from answer_selection.indexing.stored_entries import entry_of
from answer_selection.pipelines.definitions import pipeline_yaml
from answer_selection.pipelines.evaluation.known_entries import documents_of, stores_of
from answer_selection.pipelines.evaluation.waiting import waiting_for_cluster

_SHORT: Final = 90


def entry_titles(definition: dict[str, Any], ids: Iterable[str]) -> dict[str, str]:
    """
    Look up what entries are called.

    :param definition: The pipeline that searches them.
    :param ids: Their ids.
    :returns: Titles by id, of those that its stores have.
    """
    wanted = list(dict.fromkeys(ids))
    pipeline = pipeline_yaml.load(definition)
    titles: dict[str, str] = {}
    try:
        for store in stores_of(pipeline):
            for piece in batched(wanted, LOOKUP):
                for document in waiting_for_cluster(partial(documents_of, store, piece)):
                    title = short_title(document.meta.get("question") or document.content or "")
                    titles.setdefault(entry_of(document), title)
    finally:
        pipeline.close()
    return titles


def short_title(text: str) -> str:
    """
    Shorten a text to a line.

    :param text: The text.
    :returns: Its beginning.
    """
    text = " ".join(str(text).split())
    return text if len(text) <= _SHORT else f"{text[:_SHORT]}…"
