# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Questions are encoded as the index's entries were."""

import shutil

import pytest
from haystack_integrations.components.embedders.sentence_transformers import SentenceTransformersTextEmbedder

import tiny_sentence_encoders
from answer_selection.indexing.encoder import EncoderRecord
from answer_selection.pipelines.definitions.encoders import EncoderMismatchError, check_encoder
from answer_selection.pipelines.definitions.pipeline_yaml import check_indexes, load, point_at, read
from answer_selection.pipelines.definitions.question_inputs import asked, question_inputs
from haystack_integrations.components.retrievers.tantivy import TantivyBM25Retriever
from haystack_integrations.document_stores.tantivy import TantivyDocumentStore

LOST = "what does it cost to replace a lost card?"
HAYSTACKS = f"{SentenceTransformersTextEmbedder.__module__}.SentenceTransformersTextEmbedder"


def model_of(definition):
    return definition["components"]["embedder"]["init_parameters"]["model"]


def with_model(definition, model, kind=None):
    embedder = definition["components"]["embedder"]
    embedder["init_parameters"] = {"model": str(model)}
    embedder["type"] = kind or embedder["type"]
    return definition


@pytest.fixture
def in_an_empty_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.fixture(scope="module")
def other_encoder(tmp_path_factory):
    """Vectors of the same width, of other weights."""
    return tiny_sentence_encoders.save(tmp_path_factory.mktemp("encoder") / "other", seed=8)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["answer", "rag"])
def test_the_embedder_gets_the_encoder_of_the_index(name, embedded_index, tiny_encoder):
    definition = point_at(read(name), index=embedded_index)
    assert model_of(definition) == str(tiny_encoder)
    check_indexes(definition)
    pipeline = load(definition)
    assert question_inputs(pipeline)["corrector"] == "query"
    done = pipeline.run(asked(question_inputs(pipeline), LOST), include_outputs_from={"embedder", "retriever"})
    documents = done["retriever"]["documents"]
    store = TantivyDocumentStore.open(embedded_index)
    expected = store.hybrid_retrieval(LOST, done["embedder"]["embedding"], top_k=30)
    assert [(one.id, one.meta) for one in documents] == [(one.id, one.meta) for one in expected]
    assert all(one.meta["vector_score"] is not None for one in documents)


@pytest.mark.slow
@pytest.mark.usefixtures("in_an_empty_folder")
def test_without_vectors_there_is_no_embedder_and_bm25_finds_what_it_found(small_index, caplog):
    shutil.copytree(small_index, "faq-index")
    for definition in (point_at(read("answer")), point_at(read("answer"), index=small_index)):
        assert list(definition["components"]) == ["corrector", "retriever", "ranker"]
        assert definition["inputs"] == {"query": ["corrector.query"]}
        check_indexes(definition)
        pipeline = load(definition)
        found = pipeline.run({"query": LOST}, include_outputs_from={"retriever"})["retriever"]["documents"]
        store = TantivyDocumentStore.open(small_index)
        expected = TantivyBM25Retriever(document_store=store, top_k=30).run(LOST)["documents"]
        assert [(one.id, one.score) for one in found] == [(one.id, one.score) for one in expected]
    assert "has no vectors and is searched by BM25 alone" in caplog.text


@pytest.mark.usefixtures("in_an_empty_folder")
def test_an_index_that_is_not_there_yet_leaves_the_pipeline_as_it_is():
    assert point_at(read("answer"), index="faq-index")["components"].keys() == read("answer")["components"].keys()


def test_an_embedder_of_two_retrievers_stays_for_the_other(small_index, embedded_index):
    definition = read("answer")
    second = read("answer")["components"]["retriever"]
    second["init_parameters"]["document_store"]["init_parameters"]["path"] = str(embedded_index)
    first = definition["components"]["retriever"]["init_parameters"]["document_store"]["init_parameters"]
    first["path"] = str(small_index)
    definition["components"]["second"] = second
    definition["connections"].append({"sender": "embedder.embedding", "receiver": "second.query_embedding"})
    changed = point_at(definition)
    assert "embedder" in changed["components"]
    receivers = [one["receiver"] for one in changed["connections"] if one["sender"] == "embedder.embedding"]
    assert receivers == ["second.query_embedding"]


def test_another_encoder_is_refused_by_what_it_is(embedded_index, tiny_encoder, other_encoder, tmp_path):
    # In another place it is still the same one.
    same = shutil.copytree(tiny_encoder, tmp_path / "copied")
    named = point_at(read("answer"), index=embedded_index)
    assert model_of(point_at(with_model(named, same))) == str(same)
    with pytest.raises(EncoderMismatchError, match="name the same one") as refused:
        point_at(with_model(named, other_encoder))
    for name in (embedded_index, tiny_encoder, other_encoder):
        assert str(name) in str(refused.value)
    # With an index, it is the index's that is taken.
    assert model_of(point_at(with_model(named, other_encoder), index=embedded_index)) == str(tiny_encoder)


def test_an_encoder_that_has_changed_since_is_not_to_be_named_again(embedded_index, tiny_encoder):
    definition = with_model(point_at(read("answer"), index=embedded_index), tiny_encoder)
    record = EncoderRecord(str(tiny_encoder), "another", 8)
    with pytest.raises(EncoderMismatchError, match=r"'.*' as it was, .*: index the sources into a new folder"):
        check_encoder(definition, "retriever", record, "faq")


def test_encoders_of_haystack_are_compared_by_name(embedded_index, tiny_encoder, other_encoder):
    definition = point_at(with_model(read("answer"), tiny_encoder, HAYSTACKS), index=embedded_index)
    assert model_of(definition) == str(tiny_encoder)
    with pytest.raises(EncoderMismatchError, match="'embedder' would encode questions by"):
        point_at(with_model(read("answer"), other_encoder, HAYSTACKS), index=embedded_index)


def test_a_missing_encoder_is_said(embedded_index):
    definition = point_at(read("answer"), index=embedded_index)
    with pytest.raises(ValueError, match="there is no encoder folder"):
        point_at(with_model(definition, "/no/such/folder"))
