# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The words of an index, whichever store keeps it."""

import math
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final, Protocol

from answer_selection.indexing.elasticsearch.index_of import index_of
from haystack_integrations.document_stores.tantivy import TantivyDocumentStore

if TYPE_CHECKING:
    from haystack_integrations.document_stores.elasticsearch import ElasticsearchDocumentStore


# How long an index in Elasticsearch is taken to have the same language.
_SECONDS: Final = 60


class IndexWords(Protocol):
    """What is known of an index's words."""

    @property
    def language(self) -> str | None:
        """The language of its stemmer; None if it has none, or it is not known."""

    def document_frequencies(self, words: Sequence[str]) -> dict[str, int]:
        """Count the documents that hold a word, in any form that has its stem."""


def words_of(document_store: Any) -> IndexWords:
    """
    Give the words of a store's index. Nothing is asked of it yet.

    :param document_store: A `TantivyDocumentStore` or an `ElasticsearchDocumentStore`.
    :returns: Its words.
    :raises TypeError: If it is something else.
    """
    if isinstance(document_store, TantivyDocumentStore):
        return document_store
    # Where Elasticsearch is not used, its client need not be installed.
    try:
        from haystack_integrations.document_stores.elasticsearch import ElasticsearchDocumentStore
    except ImportError:
        pass
    else:
        if isinstance(document_store, ElasticsearchDocumentStore):
            return _ElasticsearchWords(document_store)
    found = type(document_store).__name__
    msg = f"document_store must be a TantivyDocumentStore or an ElasticsearchDocumentStore, got {found}"
    raise TypeError(msg)


class _ElasticsearchWords:
    def __init__(self, document_store: "ElasticsearchDocumentStore") -> None:
        self._store = document_store
        self._language: str | None = None
        self._asked_at = -math.inf

    @property
    def language(self) -> str | None:
        from answer_selection.indexing.elasticsearch.index_words import language

        # A new version of the index may be of another language.
        if time.monotonic() > self._asked_at + _SECONDS:
            self._language = language(self._store.client, index_of(self._store))
            self._asked_at = time.monotonic()
        return self._language

    def document_frequencies(self, words: Sequence[str]) -> dict[str, int]:
        from answer_selection.indexing.elasticsearch.index_words import document_frequencies

        return document_frequencies(self._store.client, index_of(self._store), words)
