# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0

import math
from dataclasses import replace

import pytest
from haystack import Document, Pipeline
from haystack.document_stores.in_memory import InMemoryDocumentStore
from haystack.document_stores.types import FilterPolicy

from haystack_integrations.components.retrievers.tantivy import (
    TantivyBM25Retriever,
    TantivyHybridRetriever,
    hybrid_retriever,
)
from haystack_integrations.document_stores.tantivy import IndexOpenError, TantivyDocumentStore

DOCUMENTS = [
    Document(
        id=str(i),
        content="loan " * (i + 1) + "other " * (10 - i),
        meta={"question": f"fine {i % 2}", "n": i},
        embedding=[math.cos(i / 5), math.sin(i / 5)],
    )
    for i in range(8)
]
AT_LEAST_3 = {"field": "meta.n", "operator": ">=", "value": 3}
AT_MOST_4 = {"field": "meta.n", "operator": "<=", "value": 4}
QUERY = {"query": "loan", "query_embedding": [1.0, 0.0]}


@pytest.fixture
def store(tmp_path):
    store = TantivyDocumentStore(path=tmp_path / "index")
    store.write_documents(DOCUMENTS)
    return store


def ids(result):
    return [d.id for d in result["documents"]]


def test_run_time_values_win(store):
    """BM25 wants the last, the vectors the first: the weight says who has it."""
    retriever = TantivyHybridRetriever(document_store=store, filters=AT_LEAST_3, top_k=2, weight=9.0)
    assert ids(retriever.run(**QUERY)) == ["3", "4"]
    assert ids(retriever.run(**QUERY, top_k=3)) == ["3", "4", "5"]
    assert ids(retriever.run(**QUERY, filters=AT_MOST_4)) == ["0", "1"]
    assert ids(retriever.run(**QUERY, filters={}, top_k=8))[-1] == "7"
    assert ids(TantivyHybridRetriever(document_store=store, top_k=2, weight=0.001).run(**QUERY)) == ["7", "6"]
    assert ids(retriever.run("fine 1", [-1.0, 0.5], filters={}, search_fields={"question": 1.0})) == ["7", "6"]
    for top_k in (0, -3):
        with pytest.raises(ValueError, match=f"top_k must be an integer of at least 1, got {top_k}"):
            retriever.run(**QUERY, top_k=top_k)
    with pytest.raises(ValueError, match="search field 'title' is not in the index"):
        retriever.run(**QUERY, search_fields={"title": 1.0})
    with pytest.raises(ValueError, match="query_embedding has 3 numbers"):
        retriever.run("loan", [1.0, 0.0, 0.0])


def test_both_scores_are_in_the_metadata(store):
    retriever = TantivyHybridRetriever(document_store=store, top_k=2, fusion="reciprocal_rank")
    documents = {d.id: d for d in retriever.run(**QUERY, top_k=4)["documents"]}
    bm25 = {d.id: d.score for d in store.bm25_retrieval("loan")}
    for i, document in documents.items():
        assert document.meta["bm25_score"] == pytest.approx(bm25[i], rel=1e-6)
        assert document.meta["vector_score"] == pytest.approx(math.cos(int(i) / 5))
        assert document.meta["n"] == int(i)
    assert {i: d.score for i, d in documents.items()} == pytest.approx(
        {"0": 1 / 61, "7": 1 / 61, "1": 1 / 62, "6": 1 / 62}
    )
    assert list(documents) == ["0", "7", "1", "6"]


def test_merged_filters(store):
    retriever = TantivyHybridRetriever(document_store=store, filters=AT_LEAST_3, filter_policy=FilterPolicy.MERGE)
    even = {"field": "meta.question", "operator": "==", "value": "fine 0"}
    assert sorted(ids(retriever.run(**QUERY, filters=even))) == ["4", "6"]


async def test_async_run_is_the_same(store):
    retriever = TantivyHybridRetriever(document_store=store)
    arguments = {**QUERY, "filters": AT_LEAST_3, "top_k": 3, "search_fields": {"content": 2.0}}
    assert await retriever.run_async(**arguments) == retriever.run(**arguments)


def test_bad_arguments(store, tmp_path):
    with pytest.raises(TypeError, match="must be a TantivyDocumentStore, got InMemoryDocumentStore"):
        TantivyHybridRetriever(document_store=InMemoryDocumentStore())
    with pytest.raises(ValueError, match="top_k must be an integer of at least 1, got 0"):
        TantivyHybridRetriever(document_store=store, top_k=0)
    with pytest.raises(ValueError, match="fusion must be one of weighted, reciprocal_rank, got 'sum'"):
        TantivyHybridRetriever(document_store=store, fusion="sum")
    for weight in (-1, math.nan, math.inf, True, "2"):
        with pytest.raises(ValueError, match="weight must be a number of at least 0, got"):
            TantivyHybridRetriever(document_store=store, weight=weight)
    retriever = TantivyHybridRetriever(document_store=TantivyDocumentStore(path=tmp_path / "none"))
    with pytest.raises(IndexOpenError, match="there is no index in"):
        retriever.run(**QUERY)
    with pytest.raises(ValueError, match="query_embedding is missing: connect the text embedder"):
        TantivyHybridRetriever(document_store=store).run("loan")


async def test_an_index_without_vectors_is_searched_by_bm25_and_says_so_once(tmp_path, caplog, monkeypatch):
    store = TantivyDocumentStore(path=tmp_path / "index")
    store.write_documents([replace(document, embedding=None) for document in DOCUMENTS])
    parameters = {"document_store": store, "top_k": 3, "filters": AT_LEAST_3, "search_fields": {"content": 2.0}}
    expected = TantivyBM25Retriever(**parameters).run("loan")["documents"]
    retriever = TantivyHybridRetriever(**parameters)
    for found in (retriever.run("loan"), retriever.run(**QUERY), await retriever.run_async(**QUERY)):
        assert [(one.id, one.score) for one in found["documents"]] == [(one.id, one.score) for one in expected]
        for one in found["documents"]:
            assert (one.meta["bm25_score"], one.meta["vector_score"]) == (one.score, None)
    [record] = caplog.records
    assert record.getMessage() == (
        f"the index in {store.path} has no vectors and is searched by BM25 alone: "
        f"`answer-selection index FILE --index {store.path} --update --encoder NAME` adds them"
    )
    # One that has no place for them has to be made anew.
    monkeypatch.setattr(hybrid_retriever, "keeps_vectors", lambda _: False)
    TantivyHybridRetriever(**parameters).run("loan")
    assert caplog.records[-1].getMessage().endswith("an earlier version made it, so index its files into a new folder")
    # Vectors that are added are searched from then on.
    store.write_documents([Document(id="new", content="loan", embedding=[1.0, 0.0], meta={"n": 9})])
    scores = {one.id: one.meta["vector_score"] for one in retriever.run(**QUERY, top_k=9)["documents"]}
    assert {name for name, cosine in scores.items() if cosine is not None} == {"new"}
    with pytest.raises(ValueError, match="query_embedding is missing"):
        retriever.run("loan")


def test_each_search_alone(store, tmp_path):
    retriever = TantivyHybridRetriever(document_store=store, filters=AT_LEAST_3, top_k=2)
    assert retriever.searches == ("bm25", "vectors")
    by_words, by_vectors = (retriever.run_alone(search, **QUERY) for search in retriever.searches)
    assert ids(by_words) == ["7", "6"]
    assert ids(by_vectors) == ["3", "4"]
    scores = {one.id: one.score for one in store.bm25_retrieval("loan")}
    assert [one.score for one in by_words["documents"]] == [scores["7"], scores["6"]]
    assert [one.score for one in by_vectors["documents"]] == pytest.approx([math.cos(3 / 5), math.cos(4 / 5)])
    assert ids(retriever.run_alone("bm25", **QUERY, filters=AT_MOST_4, top_k=3)) == ["4", "3", "2"]
    words = TantivyDocumentStore(path=tmp_path / "words")
    words.write_documents([Document(content="loan")])
    assert TantivyHybridRetriever(document_store=words).searches == ("bm25",)


def test_pipelines_round_trip_as_yaml(store):
    retriever = TantivyHybridRetriever(
        document_store=store, filters=AT_LEAST_3, top_k=3, search_fields={"content": 2.0}, fusion="reciprocal_rank",
        weight=2.5, filter_policy=FilterPolicy.MERGE,
    )  # fmt: skip
    assert retriever.to_dict() == {
        "type": "haystack_integrations.components.retrievers.tantivy.hybrid_retriever.TantivyHybridRetriever",
        "init_parameters": {
            "document_store": store.to_dict(),
            "filters": AT_LEAST_3,
            "top_k": 3,
            "search_fields": {"content": 2.0},
            "fusion": "reciprocal_rank",
            "weight": 2.5,
            "filter_policy": "merge",
        },
    }
    pipeline = Pipeline()
    pipeline.add_component("retriever", retriever)
    loaded = Pipeline.loads(pipeline.dumps())
    assert loaded == pipeline
    assert loaded.get_component("retriever").filter_policy == FilterPolicy.MERGE
    # 5 is the last of three in both lists, the others are in one.
    assert ids(loaded.run(QUERY)["retriever"]) == ["5", "3", "4"]
