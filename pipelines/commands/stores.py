# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The options that name an index and its store, and the function that opens it."""

from enum import StrEnum
from typing import Annotated, Final

import typer

from answer_selection.indexing.corpus_index import CorpusIndex


class Store(StrEnum):
    """The engine that holds an index."""

    TANTIVY = "tantivy"
    ELASTICSEARCH = "elasticsearch"


DEFAULT_INDEX: Final = "faq-index"
StoreOption = Annotated[
    Store,
    typer.Option(
        "--store",
        help="What holds the index: tantivy (a folder on this disk) or elasticsearch (the cluster in "
        "ELASTICSEARCH_HOSTS).",
    ),
]
IndexOption = Annotated[str, typer.Option("--index", help="Folder of the index; with Elasticsearch, its name.")]


def open_index(store: Store, index: str) -> CorpusIndex:
    """
    Open an existing index.

    :param store: What holds it.
    :param index: Its folder, or its name in Elasticsearch.
    :returns: The index.
    :raises haystack_integrations.document_stores.tantivy.IndexOpenError: If the folder holds no index of this package.
    :raises answer_selection.indexing.elasticsearch.connection.ElasticsearchError: If there is no index of that name,
        or no cluster.
    """
    if store is Store.ELASTICSEARCH:
        from answer_selection.indexing.elasticsearch.index import ElasticsearchIndex

        return ElasticsearchIndex.open(index)
    from haystack_integrations.document_stores.tantivy import TantivyDocumentStore

    return TantivyDocumentStore.open(index)
