# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""A definition's store in Elasticsearch: what its index holds. An index that is missing is not made."""

from contextlib import closing
from typing import TYPE_CHECKING, Any

from answer_selection.indexing.elasticsearch.connection import clear_errors
from answer_selection.indexing.encoder import EncoderRecord

if TYPE_CHECKING:
    from haystack_integrations.document_stores.elasticsearch import ElasticsearchDocumentStore


def index_name(store: dict[str, Any]) -> str:
    """
    Give the name of a store's index.

    :param store: The store, as a definition has it.
    :returns: The name.
    """
    return str((store.get("init_parameters") or {}).get("index", "default"))


def makes_it(store: dict[str, Any]) -> str:
    """
    Say how a store's index is made.

    :param store: The store, as a definition has it.
    :returns: What the command does.
    """
    return f"`answer-selection index FILE --store elasticsearch --index {index_name(store)}` makes it"


def count_documents(store: dict[str, Any]) -> int:
    """
    Count the documents of a store's index.

    :param store: The store, as a definition has it.
    :returns: Their number.
    :raises answer_selection.indexing.elasticsearch.connection.ElasticsearchError: If there is no cluster to ask, or no
        such index in it.
    """
    with closing(open_store(store)) as opened, clear_errors():
        count: int = opened.count_documents()
    return count


def open_store(store: dict[str, Any]) -> "ElasticsearchDocumentStore":
    """
    Open a store that does not make its index. It connects when it is asked first.

    :param store: The store, as a definition has it.
    :returns: The store.
    """
    from haystack_integrations.document_stores.elasticsearch import ElasticsearchDocumentStore

    # The store makes an index that is missing, unless its mapping is one that no server accepts.
    guard = {"properties": {"content": {"type": f"there is no such index {index_name(store)!r}: {makes_it(store)}"}}}
    parameters = {**(store.get("init_parameters") or {}), "custom_mapping": guard}
    opened: ElasticsearchDocumentStore = ElasticsearchDocumentStore.from_dict({**store, "init_parameters": parameters})
    return opened


def read_encoder(opened: "ElasticsearchDocumentStore") -> EncoderRecord | None:
    """
    Read which encoder made the vectors of a store's index.

    :param opened: What :func:`open_store` returned.
    :returns: The encoder; None if the index has no vectors.
    :raises answer_selection.indexing.elasticsearch.connection.ElasticsearchError: If there is no cluster to ask, or no
        such index in it, or one that `answer-selection index` did not make.
    """
    from answer_selection.indexing.elasticsearch.index import ElasticsearchIndex

    with clear_errors():
        return ElasticsearchIndex.open(index_name(opened.to_dict()), opened.client).encoder
