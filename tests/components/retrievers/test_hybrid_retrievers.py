# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Retrieval by words and by meaning: what both stores' retrievers do alike, then what only one of them does."""

import math
import uuid
from dataclasses import replace

import numpy as np
import pytest
from elasticsearch import BadRequestError, Elasticsearch, NotFoundError
from haystack import Document, Pipeline
from haystack.document_stores.in_memory import InMemoryDocumentStore
from haystack.document_stores.types import FilterPolicy
from haystack_integrations.document_stores.elasticsearch import ElasticsearchDocumentStore

from answer_selection.indexing.elasticsearch.settings import IndexSettings
from answer_selection.indexing.elasticsearch.template import index_template
from answer_selection.indexing.encoder import FINGERPRINT_FIELD, EncoderRecord
from answer_selection.indexing.passages import PASSAGES_FIELD, pack
from haystack_integrations.components.retrievers.elasticsearch_hybrid import ElasticsearchHybridScoreRetriever
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
def elasticsearch_store(make):
    return make(DOCUMENTS)


@pytest.fixture(scope="module")
def tantivy_store(tmp_path_factory):
    store = TantivyDocumentStore(path=tmp_path_factory.mktemp("hybrid") / "index")
    store.write_documents(DOCUMENTS)
    return store


@pytest.fixture(params=["tantivy", "elasticsearch"])
def store(request):
    return request.getfixturevalue(f"{request.param}_store")


@pytest.fixture
def retriever_class(store):
    return TantivyHybridRetriever if isinstance(store, TantivyDocumentStore) else ElasticsearchHybridScoreRetriever


def bm25_of(store) -> dict[str, float]:
    """The documents' BM25 scores, of a search by BM25 alone."""
    by_words = store.bm25_retrieval if isinstance(store, TantivyDocumentStore) else store._bm25_retrieval
    more = {} if isinstance(store, TantivyDocumentStore) else {"fuzziness": "0"}
    return {document.id: document.score for document in by_words("loan", **more)}


def ids(result):
    return [d.id for d in result["documents"]]


def test_run_time_values_win(store, retriever_class):
    """BM25 wants the last, the vectors the first: the weight says who has it."""
    retriever = retriever_class(document_store=store, filters=AT_LEAST_3, top_k=2, weight=9.0)
    assert ids(retriever.run(**QUERY)) == ["3", "4"]
    assert ids(retriever.run(**QUERY, top_k=3)) == ["3", "4", "5"]
    assert ids(retriever.run(**QUERY, filters=AT_MOST_4)) == ["0", "1"]
    assert ids(retriever.run(**QUERY, filters={}, top_k=8))[-1] == "7"
    assert ids(retriever_class(document_store=store, top_k=2, weight=0.001).run(**QUERY)) == ["7", "6"]
    # Of question 1 it is the odd ones, of these the vectors choose.
    assert ids(retriever.run("1", [0.0, 1.0], filters={}, search_fields={"question": 1.0})) == ["7", "6"]
    for top_k in (0, -3):
        with pytest.raises(ValueError, match=f"top_k must be an integer .*got {top_k}"):
            retriever.run(**QUERY, top_k=top_k)
    with pytest.raises(ValueError, match="the boost of 'content' must be a number greater than 0, got 0"):
        retriever.run(**QUERY, search_fields={"content": 0})


def test_both_scores_are_in_the_metadata_whichever_search_has_found_a_document(store, retriever_class):
    bm25, retriever = bm25_of(store), retriever_class(document_store=store, top_k=2, fusion="reciprocal_rank")
    documents = {d.id: d for d in retriever.run(**QUERY, top_k=4)["documents"]}
    assert_both_scores(documents, bm25)
    assert {i: d.score for i, d in documents.items()} == pytest.approx(
        {"0": 1 / 61, "7": 1 / 61, "1": 1 / 62, "6": 1 / 62}
    )
    assert list(documents) == ["0", "7", "1", "6"]
    # Those that the other has not found.
    nothing = retriever.run("nothing", [1.0, 0.0], top_k=3)["documents"]
    assert [(d.id, d.meta["bm25_score"]) for d in nothing] == [("0", 0.0), ("1", 0.0), ("2", 0.0)]


def assert_both_scores(documents, bm25):
    for i, document in documents.items():
        assert document.meta["bm25_score"] == pytest.approx(bm25[i], rel=1e-6)
        assert document.meta["vector_score"] == pytest.approx(math.cos(int(i) / 5), abs=1e-6)
        assert document.meta["n"] == int(i)


@pytest.mark.parametrize("kind", ["tantivy", "elasticsearch"])
def test_the_cosine_is_the_mean_with_the_best_passages(kind, make, tmp_path):
    right, other = np.array([[0.0, 1.0], [1.0, 0.0]]), np.array([[0.6, 0.8]])
    passages = {
        "0": pack("f-0", other, "0"), "1": pack("f-1", right, "1"), "2": pack("other-2", right, "2"),
        "3": pack("f-3", np.ones((1, 3)), "3"), "4": pack("f-4", right, "4")[:-1], "5": "text",
    }  # fmt: skip
    documents = [
        replace(one, meta={**one.meta, FINGERPRINT_FIELD: f"f-{one.id}", PASSAGES_FIELD: passages[one.id]})
        if one.id in passages
        else one
        for one in DOCUMENTS
    ]
    if kind == "tantivy":
        store = TantivyDocumentStore(path=tmp_path / "index")
        store.write_documents(documents)
        retriever = TantivyHybridRetriever(document_store=store)
    else:
        retriever = ElasticsearchHybridScoreRetriever(document_store=make(documents))
    found = retriever.run(**QUERY)["documents"]
    cosines = [math.cos(int(one.id) / 5) for one in sorted(found, key=lambda one: one.id)]
    expected = [(cosines[0] + 0.6) / 2, (cosines[1] + 1) / 2, *cosines[2:]]
    assert {one.id: one.meta["vector_score"] for one in found} == {
        str(i): pytest.approx(cosine, abs=1e-3) for i, cosine in enumerate(expected)
    }
    assert [one.id for one in found] == sorted(
        map(str, range(8)), key=lambda i: -expected[int(i)] * 60 - bm25(found, i)
    )
    for each in (found, *(retriever.run_alone(search, **QUERY)["documents"] for search in retriever.searches)):
        assert not [one.id for one in each if PASSAGES_FIELD in one.meta]


def bm25(found, id_) -> float:
    return next(one.meta["bm25_score"] for one in found if one.id == id_)


def test_each_search_alone(store, retriever_class):
    retriever = retriever_class(document_store=store, filters=AT_LEAST_3, top_k=2)
    assert retriever.searches == ("bm25", "vectors")
    by_words, by_vectors = (retriever.run_alone(search, **QUERY) for search in retriever.searches)
    assert (ids(by_words), ids(by_vectors)) == (["7", "6"], ["3", "4"])
    bm25 = bm25_of(store)
    assert [d.score for d in by_words["documents"]] == pytest.approx([bm25["7"], bm25["6"]])
    assert [d.score for d in by_vectors["documents"]] == pytest.approx([math.cos(0.6), math.cos(0.8)], abs=1e-6)
    assert ids(retriever.run_alone("bm25", **QUERY, filters=AT_MOST_4, top_k=3)) == ["4", "3", "2"]
    assert ids(retriever.run_alone("vectors", **QUERY, top_k=3)) == ["3", "4", "5"]


@pytest.mark.parametrize("merge", [FilterPolicy.MERGE, "merge"])
def test_merged_filters(store, retriever_class, merge):
    retriever = retriever_class(document_store=store, filters=AT_LEAST_3, filter_policy=merge)
    assert retriever.to_dict()["init_parameters"]["filter_policy"] == "merge"
    some = {"field": "id", "operator": "in", "value": ["2", "3", "4"]}
    assert sorted(ids(retriever.run(**QUERY, filters=some))) == ["3", "4"]


async def test_async_run_is_the_same(store, retriever_class):
    retriever = retriever_class(document_store=store)
    arguments = {**QUERY, "filters": AT_LEAST_3, "top_k": 3, "search_fields": {"content": 2.0}}
    try:
        assert await retriever.run_async(**arguments) == retriever.run(**arguments)
    finally:
        await store.close_async()


def test_bad_arguments(store, retriever_class):
    with pytest.raises(TypeError, match=r"must be an? \w+DocumentStore, got InMemoryDocumentStore"):
        retriever_class(document_store=InMemoryDocumentStore())
    with pytest.raises(ValueError, match=r"top_k must be an integer .*got 0"):
        retriever_class(document_store=store, top_k=0)
    with pytest.raises(ValueError, match="fusion must be one of weighted, reciprocal_rank, got 'sum'"):
        retriever_class(document_store=store, fusion="sum")
    for weight in (-1, math.nan, math.inf, True, "2"):
        with pytest.raises(ValueError, match="weight must be a number of at least 0, got"):
            retriever_class(document_store=store, weight=weight)
    retriever = retriever_class(document_store=store)
    with pytest.raises(ValueError, match=r"query_embedding has 3 numbers, the vectors of the index .* have 2"):
        retriever.run("loan", [1.0, 0.0, 0.0])
    with pytest.raises(ValueError, match="query_embedding holds nan at place 1"):
        retriever.run("loan", [1.0, math.nan])
    with pytest.raises(ValueError, match="query_embedding is missing: connect the text embedder"):
        retriever.run("loan")


def test_pipelines_round_trip_as_yaml(store, retriever_class):
    retriever = retriever_class(
        document_store=store, filters=AT_LEAST_3, top_k=3, search_fields={"content": 2.0}, fusion="reciprocal_rank",
        weight=2.5, filter_policy=FilterPolicy.MERGE,
    )  # fmt: skip
    assert retriever.to_dict() == {
        "type": f"{retriever_class.__module__}.{retriever_class.__name__}",
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


# --- on disk ---


async def test_an_index_on_disk_without_vectors_is_searched_by_bm25_and_says_so_once(tmp_path, caplog, monkeypatch):
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
    words = TantivyDocumentStore(path=tmp_path / "words")
    words.write_documents([Document(content="loan")])
    assert TantivyHybridRetriever(document_store=words).searches == ("bm25",)


def test_an_index_on_disk_that_is_missing_or_lacks_a_field_is_said(tantivy_store, tmp_path):
    retriever = TantivyHybridRetriever(document_store=TantivyDocumentStore(path=tmp_path / "none"))
    with pytest.raises(IndexOpenError, match="there is no index in"):
        retriever.run(**QUERY)
    with pytest.raises(ValueError, match="search field 'title' is not in the index"):
        TantivyHybridRetriever(document_store=tantivy_store).run(**QUERY, search_fields={"title": 1.0})


# --- in Elasticsearch ---


def test_scores_of_several_shards(make):
    """Each has the BM25 scores of its own documents."""
    store = make(DOCUMENTS, shards=3)
    retriever = ElasticsearchHybridScoreRetriever(document_store=store)
    found = retriever.run(**QUERY, top_k=4)["documents"]
    assert_both_scores({d.id: d for d in found}, bm25_of(store))
    assert all(d.embedding is None for d in found)


def test_a_search_goes_so_far(elasticsearch_store):
    for top_k in (10_001, True):
        with pytest.raises(ValueError, match=f"top_k must be an integer from 1 to 10000, got {top_k}"):
            ElasticsearchHybridScoreRetriever(document_store=elasticsearch_store).run(**QUERY, top_k=top_k)


def test_a_vector_of_zeros_is_refused(elasticsearch_store):
    with pytest.raises(BadRequestError, match="zero magnitude"):
        ElasticsearchHybridScoreRetriever(document_store=elasticsearch_store).run("loan", [0.0, 0.0])


def test_a_document_without_a_vector_is_found_by_its_words(make):
    store = make([*DOCUMENTS[:2], Document(id="none", content="loan " * 20)])
    retriever = ElasticsearchHybridScoreRetriever(document_store=store)
    found = {d.id: d.meta["vector_score"] for d in retriever.run(**QUERY)["documents"]}
    assert found == {"0": pytest.approx(1, abs=1e-6), "1": pytest.approx(math.cos(0.2), abs=1e-6), "none": None}


@pytest.mark.parametrize("query", ["", "  ?! ", '"loan', "loan AND (", "é😀\ud800"])
def test_a_query_has_no_syntax(elasticsearch_store, query):
    found = ElasticsearchHybridScoreRetriever(document_store=elasticsearch_store, top_k=3).run(query, [1.0, 0.0])[
        "documents"
    ]
    assert len(found) == 3
    if "loan" not in query:
        assert [d.id for d in found] == ["0", "1", "2"]


def test_an_index_in_elasticsearch_without_vectors_is_searched_by_bm25_and_says_so_once(make, caplog):
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
