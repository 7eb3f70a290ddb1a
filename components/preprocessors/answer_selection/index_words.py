# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The words of an index, whichever store keeps it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

from answer_selection.indexing.elasticsearch.index_of import index_of
from answer_selection.indexing.elasticsearch.kept_answer import KeptAnswer
from haystack_integrations.document_stores.tantivy import TantivyDocumentStore

if TYPE_CHECKING:
    from haystack_integrations.document_stores.elasticsearch import ElasticsearchDocumentStore


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
        self._language = KeptAnswer(self._find_language)

    @property
    def language(self) -> str | None:
        return self._language.get()

    def _find_language(self) -> str | None:
        from answer_selection.indexing.elasticsearch.index_words import language

        return language(self._store.client, index_of(self._store))

    def document_frequencies(self, words: Sequence[str]) -> dict[str, int]:
        from answer_selection.indexing.elasticsearch.index_words import document_frequencies

        return document_frequencies(self._store.client, index_of(self._store), words)
