# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0

import re

import pytest
from haystack import Document, Pipeline
from haystack.components.writers import DocumentWriter
from haystack.document_stores.in_memory import InMemoryDocumentStore
from haystack.document_stores.types import FilterPolicy

from haystack_integrations.components.retrievers.tantivy import TantivyBM25Retriever
from haystack_integrations.document_stores.tantivy import IndexOpenError, TantivyDocumentStore

DOCUMENTS = [
    Document(id=str(i), content="loan " * (i + 1) + "other " * (10 - i), meta={"question": f"fine {i % 2}", "n": i})
    for i in range(8)
]
AT_LEAST_3 = {"field": "meta.n", "operator": ">=", "value": 3}
AT_MOST_4 = {"field": "meta.n", "operator": "<=", "value": 4}


@pytest.fixture
def store(tmp_path):
    store = TantivyDocumentStore(path=tmp_path / "index")
    store.write_documents(DOCUMENTS)
    return store


def ids(result):
    return [d.id for d in result["documents"]]


def test_run_time_values_win(store):
    retriever = TantivyBM25Retriever(
        document_store=store, filters=AT_LEAST_3, top_k=2, scale_score=True, search_fields={"content": 1.0}
    )
    assert ids(retriever.run("loan")) == ["7", "6"]
    assert all(0.5 < d.score < 1 for d in retriever.run("loan")["documents"])
    assert retriever.run("loan", scale_score=False)["documents"][0].score == store.bm25_retrieval("loan")[0].score
    assert ids(retriever.run("loan", top_k=4)) == ["7", "6", "5", "4"]
    assert ids(retriever.run("loan", filters=AT_MOST_4)) == ["4", "3"]
    assert ids(retriever.run("loan", filters={}, top_k=8))[-1] == "0"
    assert ids(retriever.run("fine 1", search_fields={"question": 1.0})) == ["3", "5"]
    for top_k in (0, -3):
        with pytest.raises(ValueError, match=f"top_k must be an integer of at least 1, got {top_k}"):
            retriever.run("loan", top_k=top_k)
    with pytest.raises(ValueError, match="search field 'title' is not in the index"):
        retriever.run("loan", search_fields={"title": 1.0})


def test_merged_filters(store):
    retriever = TantivyBM25Retriever(document_store=store, filters=AT_LEAST_3, filter_policy=FilterPolicy.MERGE)
    even = {"field": "meta.question", "operator": "==", "value": "fine 0"}
    assert ids(retriever.run("loan", filters=even)) == ["6", "4"]


async def test_async_run_is_the_same(store):
    retriever = TantivyBM25Retriever(document_store=store)
    arguments = {"filters": AT_LEAST_3, "top_k": 3, "scale_score": True, "search_fields": {"content": 2.0}}
    assert await retriever.run_async("loan", **arguments) == retriever.run("loan", **arguments)


def test_bad_arguments(store):
    with pytest.raises(TypeError, match="must be a TantivyDocumentStore, got InMemoryDocumentStore"):
        TantivyBM25Retriever(document_store=InMemoryDocumentStore())
    with pytest.raises(ValueError, match="top_k must be an integer of at least 1, got 0"):
        TantivyBM25Retriever(document_store=store, top_k=0)
    with pytest.raises(ValueError, match=re.escape("search field 'x' is not in the index; it has content, question")):
        TantivyBM25Retriever(document_store=store, search_fields={"x": 1.0})


def test_constructing_touches_nothing(tmp_path):
    retriever = TantivyBM25Retriever(document_store=TantivyDocumentStore(path=tmp_path / "index"))
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(IndexOpenError, match="there is no index in"):
        retriever.run("loan")


def test_pipelines_round_trip_as_yaml(tmp_path):
    """One pipeline writes, another, loaded from YAML without any allow-list, reads."""
    store = TantivyDocumentStore(
        path=tmp_path / "index", language="french", search_fields={"content": 1.0, "question": 0.5}
    )
    writer = Pipeline()
    writer.add_component("writer", DocumentWriter(document_store=store))
    assert Pipeline.loads(writer.dumps()).run({"documents": DOCUMENTS})["writer"]["documents_written"] == 8

    pipeline = Pipeline()
    pipeline.add_component(
        "retriever",
        TantivyBM25Retriever(
            document_store=store, filters=AT_LEAST_3, top_k=3, scale_score=True, search_fields={"content": 2.0},
            filter_policy=FilterPolicy.MERGE,
        ),
    )  # fmt: skip
    loaded = Pipeline.loads(pipeline.dumps())
    assert loaded == pipeline
    assert loaded.get_component("retriever").filter_policy == FilterPolicy.MERGE
    assert ids(loaded.run({"query": "loan"})["retriever"]) == ["7", "6", "5"]
