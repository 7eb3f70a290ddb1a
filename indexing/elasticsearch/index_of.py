# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Which index a document store in Elasticsearch is for."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from haystack_integrations.document_stores.elasticsearch import ElasticsearchDocumentStore


def index_of(document_store: "ElasticsearchDocumentStore") -> str:
    """
    Give the name of a store's index.

    :param document_store: The store.
    :returns: The name.
    """
    # Its `to_dict` has the name too, but refuses to write a key that was given as it is.
    return str(document_store._index)
