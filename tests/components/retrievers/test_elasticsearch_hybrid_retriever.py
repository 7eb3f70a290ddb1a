# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Retrieval by both scores in one request, on the real server."""

import math
import uuid

import pytest
from elasticsearch import BadRequestError, Elasticsearch, NotFoundError
from haystack import Document, Pipeline
from haystack.document_stores.in_memory import InMemoryDocumentStore
from haystack.document_stores.types import FilterPolicy
from haystack_integrations.document_stores.elasticsearch import ElasticsearchDocumentStore

from answer_selection.indexing.elasticsearch.settings import IndexSettings
from answer_selection.indexing.elasticsearch.template import index_template
from answer_selection.indexing.encoder import EncoderRecord
from haystack_integrations.components.retrievers.elasticsearch_hybrid import ElasticsearchHybridScoreRetriever

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
ENCODER = EncoderRecord("two numbers", "f", 2)


@pytest.fixture(scope="module")
def make(elasticsearch_node):
    """Makes an index as the template has it, and gives the integration's store of it."""
    made = []
    with Elasticsearch(elasticsearch_node.url) as client:

        def make(documents, encoder=ENCODER, **settings):
            name = f"hybrid-{uuid.uuid4().hex[:12]}"
            made.append(name)
            template = index_template(name, IndexSettings(encoder=encoder, **settings))["template"]
            client.indices.create(index=name, settings=template["settings"], mappings=template["mappings"])
            for document in documents:
                source = {key: value for key, value in document.to_dict().items() if value is not None}
                client.index(index=name, id=document.id, document=source)
            client.indices.refresh(index=name)
            return ElasticsearchDocumentStore(hosts=elasticsearch_node.url, index=name)

        yield make
        for name in made:
            client.indices.delete(index=name)


@pytest.fixture(scope="module")
def store(make):
    return make(DOCUMENTS)


def ids(result):
    return [d.id for d in result["documents"]]


def test_run_time_values_win(store):
    """BM25 wants the last, the vectors the first: the weight says who has it."""
    retriever = ElasticsearchHybridScoreRetriever(document_store=store, filters=AT_LEAST_3, top_k=2, weight=9.0)
    assert ids(retriever.run(**QUERY)) == ["3", "4"]
    assert ids(retriever.run(**QUERY, top_k=3)) == ["3", "4", "5"]
    assert ids(retriever.run(**QUERY, filters=AT_MOST_4)) == ["0", "1"]
    assert ids(retriever.run(**QUERY, filters={}, top_k=8))[-1] == "7"
    by_words = ElasticsearchHybridScoreRetriever(document_store=store, top_k=2, weight=0.001)
    assert ids(by_words.run(**QUERY)) == ["7", "6"]
    # Of question 1 it is the odd ones, of these the vectors choose.
    assert ids(retriever.run("1", [0.0, 1.0], filters={}, search_fields={"question": 1.0})) == ["7", "6"]
    for top_k in (0, -3, 10_001, True):
        with pytest.raises(ValueError, match=f"top_k must be an integer from 1 to 10000, got {top_k}"):
            retriever.run(**QUERY, top_k=top_k)
    with pytest.raises(ValueError, match="the boost of 'content' must be a number greater than 0, got 0"):
        retriever.run(**QUERY, search_fields={"content": 0})


@pytest.mark.parametrize("shards", [1, 3])
def test_both_scores_are_in_the_metadata_whichever_search_has_found_a_document(make, shards):
    store = make(DOCUMENTS, shards=shards)
    bm25 = {d.id: d.score for d in store._bm25_retrieval("loan", fuzziness="0")}
    retriever = ElasticsearchHybridScoreRetriever(document_store=store, top_k=2, fusion="reciprocal_rank")
    documents = {d.id: d for d in retriever.run(**QUERY, top_k=4)["documents"]}
    for i, document in documents.items():
        assert document.meta["bm25_score"] == pytest.approx(bm25[i], rel=1e-6)
        assert document.meta["vector_score"] == pytest.approx(math.cos(int(i) / 5), abs=1e-6)
        assert document.meta["n"] == int(i)
        assert document.embedding is None
    if shards == 1:
        expected = {"0": 1 / 61, "7": 1 / 61, "1": 1 / 62, "6": 1 / 62}
        assert {i: d.score for i, d in documents.items()} == pytest.approx(expected)
        assert list(documents) == ["0", "7", "1", "6"]
    # Those that the other has not found.
    nothing = retriever.run("nothing", [1.0, 0.0], top_k=3)["documents"]
    assert [(d.id, d.meta["bm25_score"]) for d in nothing] == [("0", 0.0), ("1", 0.0), ("2", 0.0)]


def test_a_document_without_a_vector_is_found_by_its_words(make):
    store = make([*DOCUMENTS[:2], Document(id="none", content="loan " * 20)])
    retriever = ElasticsearchHybridScoreRetriever(document_store=store)
    found = {d.id: d.meta["vector_score"] for d in retriever.run(**QUERY)["documents"]}
    assert found == {"0": pytest.approx(1, abs=1e-6), "1": pytest.approx(math.cos(0.2), abs=1e-6), "none": None}


def test_each_search_alone(store):
    retriever = ElasticsearchHybridScoreRetriever(document_store=store, top_k=2)
    assert retriever.searches == ("bm25", "vectors")
    by_words, by_vectors = (retriever.run_alone(search, **QUERY) for search in retriever.searches)
    assert (ids(by_words), ids(by_vectors)) == (["7", "6"], ["0", "1"])
    assert [d.score for d in by_vectors["documents"]] == pytest.approx([1, math.cos(0.2)], abs=1e-6)
    assert by_words["documents"][0].score == pytest.approx(store._bm25_retrieval("loan", fuzziness="0")[0].score)
    assert ids(retriever.run_alone("vectors", **QUERY, filters=AT_LEAST_3, top_k=3)) == ["3", "4", "5"]


@pytest.mark.parametrize("query", ["", "  ?! ", '"loan', "loan AND (", "é😀\ud800"])
def test_a_query_has_no_syntax(store, query):
    found = ElasticsearchHybridScoreRetriever(document_store=store, top_k=3).run(query, [1.0, 0.0])["documents"]
    assert len(found) == 3
    if "loan" not in query:
        assert [d.id for d in found] == ["0", "1", "2"]


def test_merged_filters(store):
    retriever = ElasticsearchHybridScoreRetriever(
        document_store=store, filters=AT_LEAST_3, filter_policy=FilterPolicy.MERGE
    )
    some = {"field": "id", "operator": "in", "value": ["2", "3", "4"]}
    assert sorted(ids(retriever.run(**QUERY, filters=some))) == ["3", "4"]


async def test_async_run_is_the_same(store):
    retriever = ElasticsearchHybridScoreRetriever(document_store=store)
    arguments = {**QUERY, "filters": AT_LEAST_3, "top_k": 3, "search_fields": {"content": 2.0}}
    try:
        assert await retriever.run_async(**arguments) == retriever.run(**arguments)
    finally:
        await store.close_async()


def test_an_embedding_that_does_not_fit_is_refused(store):
    retriever = ElasticsearchHybridScoreRetriever(document_store=store)
    with pytest.raises(ValueError, match=r"query_embedding has 3 numbers, the vectors of the index 'hybrid-.*' have 2"):
        retriever.run("loan", [1.0, 0.0, 0.0])
    with pytest.raises(ValueError, match="query_embedding holds nan at place 1"):
        retriever.run("loan", [1.0, math.nan])
    with pytest.raises(ValueError, match="query_embedding is missing: connect the text embedder"):
        retriever.run("loan")
    with pytest.raises(BadRequestError, match="zero magnitude"):
        retriever.run("loan", [0.0, 0.0])


def test_an_index_without_vectors_is_searched_by_bm25_and_one_line_says_how_to_add_them(make, caplog):
    store = make(DOCUMENTS, encoder=None)
    retriever = ElasticsearchHybridScoreRetriever(document_store=store, top_k=3)
    expected = store._bm25_retrieval("loan", fuzziness="0", top_k=3)
    for embedding in ([1.0, 0.0], None):
        found = retriever.run("loan", embedding)["documents"]
        assert [(d.id, d.score) for d in found] == [(d.id, d.score) for d in expected]
        assert [(d.meta["bm25_score"], d.meta["vector_score"]) for d in found] == [(d.score, None) for d in expected]
    assert retriever.searches == ("bm25",)
    [told] = [record.getMessage() for record in caplog.records if "has no vectors" in record.getMessage()]
    assert "--store elasticsearch" in told
    assert "--rebuild" in told


def test_what_the_server_refuses_is_raised_as_by_the_client(make):
    store = make(DOCUMENTS[:1])
    retriever = ElasticsearchHybridScoreRetriever(document_store=store)
    retriever.run(**QUERY)
    gone = store.to_dict()["init_parameters"]["index"]
    store.client.indices.delete(index=gone)
    try:
        with pytest.raises(NotFoundError, match="index_not_found_exception"):
            retriever.run(**QUERY)
    finally:
        store.client.indices.create(index=gone)


def test_bad_arguments(elasticsearch_node):
    with pytest.raises(TypeError, match="must be an ElasticsearchDocumentStore, got InMemoryDocumentStore"):
        ElasticsearchHybridScoreRetriever(document_store=InMemoryDocumentStore())
    store = ElasticsearchDocumentStore(hosts="http://nowhere:9200")
    with pytest.raises(ValueError, match="fusion must be one of weighted, reciprocal_rank, got 'sum'"):
        ElasticsearchHybridScoreRetriever(document_store=store, fusion="sum")
    with pytest.raises(ValueError, match="weight must be a number of at least 0, got -1"):
        ElasticsearchHybridScoreRetriever(document_store=store, weight=-1)
    with pytest.raises(ValueError, match="top_k must be an integer from 1 to 10000, got 0"):
        ElasticsearchHybridScoreRetriever(document_store=store, top_k=0)


def test_pipelines_round_trip_as_yaml(store):
    retriever = ElasticsearchHybridScoreRetriever(
        document_store=store, filters=AT_LEAST_3, top_k=3, search_fields={"content": 2.0}, fusion="reciprocal_rank",
        weight=2.5, filter_policy=FilterPolicy.MERGE,
    )  # fmt: skip
    where = "haystack_integrations.components.retrievers.elasticsearch_hybrid.retriever"
    assert retriever.to_dict() == {
        "type": f"{where}.ElasticsearchHybridScoreRetriever",
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
