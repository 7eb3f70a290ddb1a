# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The pipeline that answers from Elasticsearch, as a user loads it, on the real server."""

import json
import re
import uuid
from pathlib import Path

import pytest
from elastic_transport import ConnectionError as ClientConnectionError
from elasticsearch import ApiError, Elasticsearch, helpers
from haystack import Pipeline
from haystack.core.errors import PipelineRuntimeError
from haystack_integrations.components.retrievers.elasticsearch import ElasticsearchBM25Retriever

import tiny_sentence_encoders
from answer_selection.indexing.elasticsearch.errors import explain
from answer_selection.indexing.elasticsearch.index import ElasticsearchIndex
from answer_selection.pipelines.definitions import pipeline_yaml
from answer_selection.pipelines.definitions.encoders import EncoderMismatchError
from answer_selection.pipelines.definitions.pipeline_yaml import PipelineFileError, check_indexes, load, point_at, read
from answer_selection.pipelines.definitions.question_inputs import asked, question_inputs
from haystack_integrations.components.rankers.answer_selection.encoders.sentence_encoder import SentenceEncoder
from haystack_integrations.document_stores.elasticsearch_nodes.whole_results import PartialResultError, WholeResults

LIBRARY_FAQ = Path(__file__).parents[3] / "indexing" / "library_faq" / "faq.jsonl"
LOST = "what does it cost to replace a lost card?"


@pytest.fixture(autouse=True)
def hosts(elasticsearch_node, monkeypatch):
    monkeypatch.setenv("ELASTICSEARCH_HOSTS", elasticsearch_node.url)


@pytest.fixture(scope="module")
def client(elasticsearch_node):
    with Elasticsearch(elasticsearch_node.url) as client:
        yield client


@pytest.fixture(scope="module")
def name(elasticsearch_index, tmp_path_factory):
    """The bundled FAQ, with metadata to filter by."""
    path = tmp_path_factory.mktemp("entries") / "faq.jsonl"
    entries = [json.loads(line) for line in LIBRARY_FAQ.read_text(encoding="utf-8").splitlines()]
    lines = [json.dumps({**entry, "number": number, "floor": number % 3}) for number, entry in enumerate(entries)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return elasticsearch_index(path)


@pytest.fixture
def pipeline(name):
    pipeline = load(point_at(read("answer_elasticsearch"), index=name))
    yield pipeline
    pipeline.close()


@pytest.fixture
def retriever(pipeline):
    return pipeline.get_component("retriever")


def test_answers_with_scores_that_the_ranker_can_mix(pipeline):
    done = pipeline.run({"query": LOST}, include_outputs_from={"retriever", "ranker"})
    candidates, answers = (done[name]["documents"] for name in ("retriever", "ranker"))
    assert len(candidates) == 30
    scores = [document.score for document in candidates]
    assert scores == sorted(scores, reverse=True)
    assert "lost-card" in [document.id for document in answers[:2]]
    assert len(answers) == 10
    for document in answers:
        assert document.meta["retriever_score"] in scores
        assert document.meta["question"]
        assert document.meta["entry_id"] == document.id


def test_what_is_loaded_can_be_dumped_and_holds_no_address(pipeline, elasticsearch_node):
    text = pipeline.dumps()
    assert str(elasticsearch_node.http_port) not in text
    again = Pipeline.loads(text)
    assert again.to_dict() == pipeline.to_dict()
    found = again.run({"query": LOST})["ranker"]["documents"]
    assert found == pipeline.run({"query": LOST})["ranker"]["documents"]


async def test_answers_without_blocking(pipeline):
    blocking = pipeline.run({"query": LOST})["ranker"]["documents"]
    answered = await pipeline.run_async({"query": LOST})
    assert answered["ranker"]["documents"] == blocking
    await pipeline.close_async()


def test_finds_as_many_as_are_asked_for(retriever):
    for top_k in (1, 30, 100, 252):
        documents = retriever.run("a the is to you card book library", top_k=top_k)["documents"]
        assert len({document.id for document in documents}) == top_k
    assert 100 < len(retriever.run("a the is to you card book library", top_k=1000)["documents"]) <= 252


@pytest.mark.parametrize(
    ("filters", "kept"),
    [
        (
            {"field": "meta.entry_id", "operator": "==", "value": "lost-card"},
            lambda meta: meta["entry_id"] == "lost-card",
        ),
        ({"field": "meta.floor", "operator": "in", "value": [0, 2]}, lambda meta: meta["floor"] in (0, 2)),
        ({"field": "meta.number", "operator": ">", "value": 200}, lambda meta: meta["number"] > 200),
        (
            {
                "operator": "AND",
                "conditions": [
                    {"field": "meta.number", "operator": ">=", "value": 50},
                    {"field": "meta.number", "operator": "<", "value": 150},
                    {"field": "meta.floor", "operator": "!=", "value": 1},
                ],
            },
            lambda meta: 50 <= meta["number"] < 150 and meta["floor"] != 1,
        ),
        ({"field": "meta.floor", "operator": "==", "value": 7}, lambda meta: False),
    ],
)
def test_filters_at_run_time(pipeline, retriever, filters, kept):
    query = "a the is to you card book library lost"
    everything = retriever.run(query, top_k=252)["documents"]
    expected = [document for document in everything if kept(document.meta)]
    done = pipeline.run({"corrector": {"query": query}, "retriever": {"filters": filters, "top_k": 10}})
    assert {document.id for document in done["ranker"]["documents"]} <= {document.id for document in expected}
    assert retriever.run(query, filters=filters, top_k=252)["documents"] == expected


def test_the_index_decides_what_is_searched_and_how_much_it_counts(client, elasticsearch_index, tmp_path, name):
    path = tmp_path / "faq.jsonl"
    entries = [
        {"id": "asked", "question": "Is there a parrot?", "answer": "No."},
        {"id": "told", "question": "Animals", "answer": "A parrot, a parrot, a parrot."},
    ]
    path.write_text("".join(json.dumps(entry) + "\n" for entry in entries), encoding="utf-8")
    name = elasticsearch_index(path)
    retriever = load(point_at(read("answer_elasticsearch"), index=name)).get_component("retriever")
    assert [document.id for document in retriever.run("parrot")["documents"]] == ["told", "asked"]
    client.indices.put_settings(index=name, settings={"index.query.default_field": ["content", "question^9"]})
    assert [document.id for document in retriever.run("parrot")["documents"]] == ["asked", "told"]
    # Fuzziness is off: with the integration's default this would find them.
    assert retriever.run("parrit")["documents"] == []
    assert ElasticsearchBM25Retriever(document_store=retriever.document_store).run("parrit")["documents"]


# --- an index that is not there ---


def test_a_missing_index_is_said_and_never_made(client):
    missing = f"missing-{uuid.uuid4().hex}"
    definition = point_at(read("answer_elasticsearch"), index=missing)
    with pytest.raises(RuntimeError, match=f"there is no such index '{missing}': `answer-selection index FILE --store"):
        check_indexes(definition)
    pipeline = load(definition)
    with pytest.raises(PipelineRuntimeError, match="there is no such index: `answer-selection index FILE --store elas"):
        pipeline.run(asked(question_inputs(pipeline), "Is it there?"))
    assert not client.indices.exists(index=missing)


async def test_nor_is_it_made_without_blocking(client):
    missing = f"missing-{uuid.uuid4().hex}"
    pipeline = load(point_at(read("answer_elasticsearch"), index=missing))
    with pytest.raises(PipelineRuntimeError, match="there is no such index: `answer-selection index FILE --store elas"):
        await pipeline.run_async(asked(question_inputs(pipeline), "Is it there?"))
    await pipeline.close_async()
    assert not client.indices.exists(index=missing)


def test_a_pipeline_of_ones_own_without_the_guard_is_checked_all_the_same(client):
    missing = f"missing-{uuid.uuid4().hex}"
    definition = point_at(read("answer_elasticsearch"), index=missing)
    del definition["components"]["retriever"]["init_parameters"]["document_store"]["init_parameters"]["custom_mapping"]
    with pytest.raises(RuntimeError, match="there is no such index"):
        check_indexes(definition)
    assert not client.indices.exists(index=missing)


def test_an_index_that_is_there_is_left_as_it_is(client, name, pipeline):
    before = client.indices.get(index=name)
    check_indexes(point_at(read("answer_elasticsearch"), index=name))
    pipeline.run({"query": LOST})
    assert client.indices.get(index=name) == before


def test_an_empty_index_is_said(client):
    empty = f"empty-{uuid.uuid4().hex}"
    client.indices.create(index=empty)
    try:
        with pytest.raises(PipelineFileError, match=f"the index '{empty}' is empty: `answer-selection index"):
            check_indexes(point_at(read("answer_elasticsearch"), index=empty))
    finally:
        client.indices.delete(index=empty)


def test_points_a_store_at_an_index_by_its_name():
    changed = point_at(read("answer_elasticsearch"), index="help-centre", retriever_top_k=100)
    retriever = load(changed).get_component("retriever")
    assert (retriever.document_store._index, retriever.top_k) == ("help-centre", 100)
    stores = {component["type"] for component in changed["components"].values()}
    assert stores == {
        "haystack_integrations.components.preprocessors.answer_selection.spelling_corrector.QuerySpellingCorrector",
        "haystack_integrations.components.embedders.answer_selection.text_embedder.AnswerSelectionTextEmbedder",
        f"{pipeline_yaml.RETRIEVERS}elasticsearch_hybrid.retriever.ElasticsearchHybridScoreRetriever",
        "haystack_integrations.components.rankers.answer_selection.answer_ranker.AnswerRanker",
    }


# --- an index with vectors, and one without ---


@pytest.fixture(scope="module")
def embedded(elasticsearch_index, small_faq, tiny_encoder):
    """The small FAQ, with the vectors of an encoder that is not the package's."""
    return elasticsearch_index(small_faq.entries, encoder=SentenceEncoder.load(tiny_encoder))


async def test_questions_are_encoded_as_the_indexs_entries_were(embedded, embedded_index, tiny_encoder):
    definition = point_at(read("answer_elasticsearch"), index=embedded)
    assert definition["components"]["embedder"]["init_parameters"]["model"] == str(tiny_encoder)
    check_indexes(definition)
    pipeline, folders = load(definition), load(point_at(read("answer"), index=embedded_index))
    question = asked(question_inputs(pipeline), LOST)
    found = pipeline.run(question, include_outputs_from={"retriever"})["retriever"]["documents"]
    assert (await pipeline.run_async(question, include_outputs_from={"retriever"}))["retriever"]["documents"] == found
    await pipeline.close_async()
    # Both stores have the same scores, but for the words that they stem differently.
    others = folders.run(question, include_outputs_from={"retriever"})["retriever"]["documents"]
    cosines = {document.id: document.meta["vector_score"] for document in others}
    assert len(found) == len(others) == 30
    both = [document for document in found if document.id in cosines]
    assert len(both) >= 28
    for document in both:
        assert document.meta["vector_score"] == pytest.approx(cosines[document.id], abs=1e-3)


def test_another_encoder_than_the_indexs_is_refused(embedded, tiny_encoder, tmp_path):
    other = tiny_sentence_encoders.save(tmp_path / "other", seed=8)
    definition = point_at(read("answer_elasticsearch"), index=embedded)
    definition["components"]["embedder"]["init_parameters"]["model"] = str(other)
    with pytest.raises(EncoderMismatchError, match="name the same one") as refused:
        point_at(definition)
    for name in (embedded, tiny_encoder, other):
        assert str(name) in str(refused.value)
    # With an index, it is the index's that is taken.
    assert point_at(definition, index=embedded)["components"]["embedder"]["init_parameters"]["model"] == str(
        tiny_encoder
    )


def test_the_cluster_is_asked_once_for_the_encoder(embedded, monkeypatch):
    asked_for, open_index = [], ElasticsearchIndex.open.__func__
    opened = classmethod(lambda cls, name, *more: asked_for.append(name) or open_index(cls, name, *more))
    monkeypatch.setattr(ElasticsearchIndex, "open", opened)
    definition = point_at(read("answer_elasticsearch"), index=embedded)
    check_indexes(definition)
    load(definition)
    assert asked_for == [embedded]


def test_without_vectors_there_is_no_embedder_and_bm25_finds_what_it_found(name, pipeline, retriever, caplog):
    assert question_inputs(pipeline) == {"corrector": "query"}
    documents = pipeline.run({"query": LOST}, include_outputs_from={"retriever"})["retriever"]["documents"]
    expected = ElasticsearchBM25Retriever(document_store=retriever.document_store, fuzziness="0", top_k=30).run(LOST)
    assert [(one.id, one.score) for one in documents] == [(one.id, one.score) for one in expected["documents"]]
    assert f"the index {name!r} has no vectors" in caplog.text


# --- a part of an index is no answer ---


@pytest.fixture
def broken(elasticsearch_cluster, monkeypatch):
    """The name of an index on three nodes, one of which is gone with its shard."""
    monkeypatch.setenv("ELASTICSEARCH_HOSTS", ",".join(elasticsearch_cluster.urls))
    name = f"broken-{uuid.uuid4().hex}"
    with Elasticsearch(elasticsearch_cluster.urls, max_retries=5, retry_on_timeout=True) as client:
        client.indices.create(index=name, settings={"number_of_shards": 3, "number_of_replicas": 0})
        documents = [{"_index": name, "_id": str(i), "id": str(i), "content": "a loan"} for i in range(60)]
        helpers.bulk(client, documents, refresh=True)
        elasticsearch_cluster.nodes[2].kill()
        client.cluster.health(index=name, wait_for_status="red")
        yield name
        elasticsearch_cluster.restore()
        client.indices.delete(index=name)


async def test_a_search_that_some_shards_did_not_answer_fails(broken):
    definition = point_at(read("answer_elasticsearch"), index=broken)
    retriever = load(definition).get_component("retriever")
    with pytest.raises(ClientConnectionError) as failed:
        retriever.run("loan", top_k=100)
    with pytest.raises(ClientConnectionError) as failed_without_blocking:
        await retriever.run_async("loan", top_k=100)
    await retriever.close_async()
    for error in (failed.value, failed_without_blocking.value):
        assert re.match(r"the search failed: \w.*shard", explain(error))
    with pytest.raises(RuntimeError, match="1 of 3 shards of the index failed"):
        check_indexes(definition)

    # What the integration makes of it otherwise: a shorter list, and no word. Our retriever says it all the same.
    del definition["components"]["retriever"]["init_parameters"]["document_store"]["init_parameters"]["serializer"]
    retriever = load(definition).get_component("retriever")
    with pytest.raises(ApiError, match="search_phase_execution_exception"):
        retriever.run("loan", top_k=100)
    documents = ElasticsearchBM25Retriever(document_store=retriever.document_store, top_k=100).run("loan")["documents"]
    assert 0 < len(documents) < 60


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (b'{"hits": {}, "timed_out": true, "_shards": {"failed": 0}}', "the search ran out of time"),
        (
            b'{"count": 3, "_shards": {"failed": 1, "total": 2}}',
            "1 of 2 shards of the index failed: no reason was given",
        ),
        (
            b'{"hits": {}, "_shards": {"failed": 2, "total": 5, "failures": [{"reason": {"reason": "no disk"}}]}}',
            "2 of 5 shards of the index failed: no disk",
        ),
        (
            b'{"responses": [{"hits": {}}, {"hits": {}, "_shards": {"failed": 1, "total": 2}}]}',
            "1 of 2 shards of the index failed",
        ),
        (
            b'{"responses": [{"status": 503, "error": {"reason": "all shards failed"}}]}',
            "the search failed: all shards failed",
        ),
    ],
)
def test_what_counts_as_a_part(answer, message):
    with pytest.raises(PartialResultError, match=message):
        WholeResults().loads(answer)


def test_other_answers_are_read_as_ever():
    # A document is written although a replica was not: that is not to be written again.
    written = {"_id": "1", "result": "created", "_shards": {"failed": 1, "total": 2}}
    assert WholeResults().loads(json.dumps(written).encode()) == written
    assert WholeResults().loads(b'{"timed_out": true, "status": "red"}')["status"] == "red"
    assert WholeResults().loads(b"[1]") == [1]
    # What will not pass is for whoever asked.
    assert WholeResults().loads(b'{"responses": [{"status": 400, "error": {}}]}')["responses"][0]["status"] == 400
