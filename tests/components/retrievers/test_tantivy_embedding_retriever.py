# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0

import math

import pytest
from haystack import Document, Pipeline
from haystack.document_stores.errors import DocumentStoreError
from haystack.document_stores.in_memory import InMemoryDocumentStore
from haystack.document_stores.types import FilterPolicy

from haystack_integrations.components.retrievers.tantivy import TantivyEmbeddingRetriever
from haystack_integrations.document_stores.tantivy import IndexOpenError, TantivyDocumentStore

DOCUMENTS = [
    Document(id=str(i), content="loan", meta={"n": i, "even": i % 2 == 0}, embedding=[math.cos(i / 5), math.sin(i / 5)])
    for i in range(8)
]
AT_LEAST_3 = {"field": "meta.n", "operator": ">=", "value": 3}
AT_MOST_4 = {"field": "meta.n", "operator": "<=", "value": 4}
QUERY = [1.0, 0.0]


@pytest.fixture
def store(tmp_path):
    store = TantivyDocumentStore(path=tmp_path / "index")
    store.write_documents(DOCUMENTS)
    return store


def ids(result):
    return [d.id for d in result["documents"]]


def test_run_time_values_win(store):
    retriever = TantivyEmbeddingRetriever(document_store=store, filters=AT_LEAST_3, top_k=2)
    assert ids(retriever.run(QUERY)) == ["3", "4"]
    assert [d.score for d in retriever.run(QUERY)["documents"]] == pytest.approx([math.cos(0.6), math.cos(0.8)])
    assert ids(retriever.run(QUERY, top_k=4)) == ["3", "4", "5", "6"]
    assert ids(retriever.run(QUERY, filters=AT_MOST_4)) == ["0", "1"]
    assert ids(retriever.run(QUERY, filters={}, top_k=8))[0] == "0"
    with pytest.raises(ValueError, match="top_k must be an integer of at least 1, got 0"):
        retriever.run(QUERY, top_k=0)
    with pytest.raises(ValueError, match="query_embedding has 1 numbers"):
        retriever.run([1.0])


def test_merged_filters(store):
    retriever = TantivyEmbeddingRetriever(document_store=store, filters=AT_LEAST_3, filter_policy=FilterPolicy.MERGE)
    even = {"field": "meta.even", "operator": "==", "value": True}
    assert ids(retriever.run(QUERY, filters=even)) == ["4", "6"]


async def test_async_run_is_the_same(store):
    retriever = TantivyEmbeddingRetriever(document_store=store)
    arguments = {"filters": AT_LEAST_3, "top_k": 3}
    assert await retriever.run_async(QUERY, **arguments) == retriever.run(QUERY, **arguments)


def test_bad_arguments(store, tmp_path):
    with pytest.raises(TypeError, match="must be a TantivyDocumentStore, got InMemoryDocumentStore"):
        TantivyEmbeddingRetriever(document_store=InMemoryDocumentStore())
    with pytest.raises(ValueError, match="top_k must be an integer of at least 1, got 0"):
        TantivyEmbeddingRetriever(document_store=store, top_k=0)
    retriever = TantivyEmbeddingRetriever(document_store=TantivyDocumentStore(path=tmp_path / "none"))
    with pytest.raises(IndexOpenError, match="there is no index in"):
        retriever.run(QUERY)
    retriever.document_store.write_documents([Document(content="loan")])
    with pytest.raises(DocumentStoreError, match=r"no document of the index in .* has an embedding"):
        retriever.run(QUERY)


def test_pipelines_round_trip_as_yaml(store):
    retriever = TantivyEmbeddingRetriever(
        document_store=store, filters=AT_LEAST_3, top_k=3, filter_policy=FilterPolicy.MERGE
    )
    assert retriever.to_dict() == {
        "type": "haystack_integrations.components.retrievers.tantivy.embedding_retriever.TantivyEmbeddingRetriever",
        "init_parameters": {
            "document_store": store.to_dict(),
            "filters": AT_LEAST_3,
            "top_k": 3,
            "filter_policy": "merge",
        },
    }
    pipeline = Pipeline()
    pipeline.add_component("retriever", retriever)
    loaded = Pipeline.loads(pipeline.dumps())
    assert loaded == pipeline
    assert loaded.get_component("retriever").filter_policy == FilterPolicy.MERGE
    assert ids(loaded.run({"query_embedding": QUERY})["retriever"]) == ["3", "4", "5"]
