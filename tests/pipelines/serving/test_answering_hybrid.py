# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""A service over an index with vectors."""

import json
import shutil
import uuid
from pathlib import Path

import pytest
import yaml
from elastic_transport import Transport
from elasticsearch import Elasticsearch
from haystack import Document

import tiny_sentence_encoders
from answer_selection.indexing.building.elasticsearch import Change, build_version
from answer_selection.indexing.building.embedded import build_index
from answer_selection.indexing.elasticsearch import kept_answer
from answer_selection.indexing.sources import Sources
from answer_selection.pipelines.definitions import pipeline_yaml
from answer_selection.pipelines.definitions.encoders import EncoderMismatchError
from answer_selection.pipelines.definitions.question_inputs import asked, question_inputs
from answer_selection.pipelines.serving.answering import Answering
from answer_selection.pipelines.serving.answers import Answers
from answer_selection.pipelines.serving.errors import QuestionError, UnavailableError
from answer_selection.pipelines.serving.following import Following
from answer_selection.pipelines.serving.question import Question
from entry_cosine import entry_cosine
from haystack_integrations.components.rankers.answer_selection.encoders.sentence_encoder import SentenceEncoder
from haystack_integrations.document_stores.tantivy import IndexDamagedError, TantivyDocumentStore


@pytest.fixture(scope="module")
def definition(embedded_index):
    return pipeline_yaml.point_at(pipeline_yaml.read("answer"), index=embedded_index)


@pytest.fixture(scope="module")
def answering(definition):
    made = Answering(definition)
    made.warm_up()
    return made


@pytest.fixture(scope="module")
def other_encoder(tmp_path_factory):
    return tiny_sentence_encoders.save(tmp_path_factory.mktemp("encoder") / "other", seed=8)


@pytest.fixture(scope="module")
def questions(small_faq):
    lines = small_faq.queries.read_text(encoding="utf-8").splitlines()
    return [json.loads(line)["query"] for line in lines[:8]]


@pytest.mark.slow
def test_questions_together_have_the_pipelines_answers(answering, definition, questions, monkeypatch):
    ranker, calls = answering._pipeline.get_component("ranker"), []
    run_batch = ranker.run_batch
    monkeypatch.setattr(
        ranker, "run_batch", lambda texts, *rest, **more: calls.append(len(texts)) or run_batch(texts, *rest, **more)
    )
    together = answering.answer_many([Question(question=each) for each in questions])
    assert calls == [len(questions)]
    pipeline = pipeline_yaml.load(definition)
    inputs = question_inputs(pipeline)
    for question, answers in zip(questions, together, strict=True):
        expected = pipeline.run(asked(inputs, question))["ranker"]["documents"]
        assert [one.entry_id for one in answers.answers] == [one.meta["entry_id"] for one in expected]
        assert [one.meta["vector_score"] for one in answers.answers] == pytest.approx(
            [one.meta["vector_score"] for one in expected], abs=1e-5
        )
        assert answers.retrieval_ms > 0


def test_questions_together_are_encoded_in_one_call(answering, questions, monkeypatch):
    embedder, calls = answering._pipeline.get_component("embedder"), []
    run_batch = embedder.run_batch
    monkeypatch.setattr(embedder, "run_batch", lambda texts: calls.append(list(texts)) or run_batch(texts))
    together = answering.answer_many([Question(question=each) for each in questions])
    corrector = answering._pipeline.get_component("corrector")
    assert calls == [[corrector.run(each)["query"] for each in questions]]
    for each, outcome in zip(questions, together, strict=True):
        alone = answering.answer(each)
        assert [one.entry_id for one in outcome.answers] == [one.entry_id for one in alone.answers]
        assert [one.score for one in outcome.answers] == pytest.approx([one.score for one in alone.answers], abs=1e-4)
    assert len(calls) == 1


def test_a_question_that_cannot_be_encoded_leaves_the_others_theirs(answering, questions, monkeypatch):
    embedder = answering._pipeline.get_component("embedder")
    warm = embedder._warm

    class Failing:
        def encode(self, texts):
            if questions[1] in texts:
                message = "it broke"
                raise ZeroDivisionError(message)
            return warm().encode(texts)

    monkeypatch.setattr(embedder, "_warm", Failing)
    outcomes = answering.answer_many([Question(question=each) for each in questions[:3]])
    assert [type(each) for each in outcomes] == [Answers, ZeroDivisionError, Answers]


def test_an_embedder_that_encodes_one_by_one_is_asked_so(answering, questions, monkeypatch):
    """As Haystack's own do."""
    together = answering.answer_many([Question(question=each) for each in questions])

    class OneByOne:
        run = answering._chain.embedder.run

    monkeypatch.setattr(answering, "_chain", answering._chain._replace(embedder=OneByOne()))
    for outcome, expected in zip(
        answering.answer_many([Question(question=each) for each in questions]), together, strict=True
    ):
        assert [one.entry_id for one in outcome.answers] == [one.entry_id for one in expected.answers]


@pytest.mark.slow
def test_what_is_misspelt_is_searched_as_it_was_meant_and_said(answering, definition):
    """By itself, together with others, and by a pipeline that is asked as a whole."""
    right, wrong = "How do I renew my library card?", "How do I renew my libary card?"
    ranker = {
        "type": "haystack.components.rankers.meta_field.MetaFieldRanker",
        "init_parameters": {"meta_field": "none"},
    }
    longer = {**definition, "components": {**definition["components"], "last": ranker}}
    longer["connections"] = [*definition["connections"], {"sender": "ranker.documents", "receiver": "last.documents"}]
    whole = Answering(longer)
    assert (answering._chain is None, whole._chain is None) == (False, True)
    expected = answering.answer(right)
    assert expected.searched is None
    alone, [together, _] = (
        answering.answer(wrong),
        answering.answer_many([Question(question=q) for q in (wrong, right)]),
    )
    for found in (alone, together):
        assert found.searched == right
        assert [one.entry_id for one in found.answers] == [one.entry_id for one in expected.answers]
        assert [one.score for one in found.answers] == pytest.approx([one.score for one in expected.answers], abs=1e-4)
    asked_whole = whole.answer(wrong)
    assert asked_whole.searched == right
    assert [one.entry_id for one in asked_whole.answers] == [one.entry_id for one in expected.answers]


def test_damage_that_only_the_corrector_met_is_told(definition, monkeypatch):
    made = Answering(definition)
    made.check()

    def damaged():
        raise IndexDamagedError(Path("index"), "a file that is searched")

    monkeypatch.setattr(made._pipeline.get_component("corrector").document_store, "check", damaged)
    with pytest.raises(UnavailableError, match="a file that is searched"):
        made.check()


def test_a_corrector_that_fails_fails_its_question_alone(answering, monkeypatch):
    corrector = answering._pipeline.get_component("corrector")
    run = corrector.run

    def broken(query):
        return run(query) if "fine" in query else 1 / 0

    monkeypatch.setattr(corrector, "run", broken)
    outcomes = answering.answer_many([Question(question=each) for each in ("a fine", "a card", "fines")])
    assert [type(each) for each in outcomes] == [Answers, ZeroDivisionError, Answers]


def test_a_filter_is_for_the_retriever(answering, questions):
    category = {"field": "meta.category", "operator": "==", "value": "Accounts and cards"}
    answers = answering.answer(questions[0], filters=category).answers
    assert {one.meta["category"] for one in answers} == {"Accounts and cards"}
    with pytest.raises(QuestionError, match="filters"):
        answering.answer(questions[0], filters={"field": "meta.category"})


def test_another_encoder_is_not_asked(definition, other_encoder):
    definition = pipeline_yaml.point_at(definition)
    definition["components"]["embedder"]["init_parameters"]["model"] = str(other_encoder)
    with pytest.raises(EncoderMismatchError, match="would encode questions by"):
        Answering(definition)


@pytest.mark.slow
def test_an_index_that_comes_later_is_asked_by_its_encoder(tmp_path, small_faq, tiny_encoder, other_encoder, questions):
    index = tmp_path / "faq-index"
    answering = Following("answer", str(index))
    with pytest.raises(UnavailableError, match="there is no index"):
        answering.warm_up()
    asked = [Question(question=questions[0])]
    assert isinstance(answering.answer_many(asked)[0], UnavailableError)
    for encoder in map(SentenceEncoder.load, (other_encoder, tiny_encoder)):
        shutil.rmtree(index, ignore_errors=True)
        store = TantivyDocumentStore(path=index)
        build_index(store, Sources([small_faq.entries]), encoder=encoder)
        [answers] = answering.answer_many(asked)
        best = answers.answers[0]
        expected = entry_cosine(encoder, questions[0], best.question, best.answer)
        assert best.meta["vector_score"] == pytest.approx(expected, abs=1e-3)
        answering.check()


def test_an_index_that_comes_later_is_asked_in_its_language(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    answering = Following("answer")
    with pytest.raises(UnavailableError, match="there is no index"):
        answering.check()
    renewing = Document(content="Am Schalter.", meta={"question": "Wie verlängere ich Bücher?"})
    TantivyDocumentStore(path="faq-index", language="german").write_documents([renewing])
    [answers] = answering.answer_many([Question(question="Buch")])
    assert [one.answer for one in answers.answers] == ["Am Schalter."]
    assert answering.language == "german"


def test_an_index_that_comes_later_of_another_encoder_than_the_pipelines_is_not_asked(
    definition, tmp_path, embedded_index, other_encoder, questions
):
    own = pipeline_yaml.point_at(definition)
    own["components"]["embedder"]["init_parameters"]["model"] = str(other_encoder)
    store = own["components"]["retriever"]["init_parameters"]["document_store"]["init_parameters"]
    store["path"] = str(tmp_path / "faq-index")
    (tmp_path / "own.yaml").write_text(yaml.safe_dump(own), encoding="utf-8")
    answering = Following(str(tmp_path / "own.yaml"))
    shutil.copytree(embedded_index, tmp_path / "faq-index")
    [outcome] = answering.answer_many([Question(question=questions[0])])
    assert isinstance(outcome, UnavailableError)
    assert str(other_encoder) in str(outcome)
    with pytest.raises(UnavailableError, match="would encode questions by"):
        answering.check()


def test_an_index_in_elasticsearch_that_is_made_anew_is_asked_by_its_encoder(
    elasticsearch_node, small_faq, tiny_encoder, other_encoder, questions, tmp_path, monkeypatch
):
    monkeypatch.setenv("ELASTICSEARCH_HOSTS", elasticsearch_node.url)
    name = f"served-{uuid.uuid4().hex[:12]}"
    asked = [Question(question=questions[0])]
    # A minute is soon over.
    monkeypatch.setattr(kept_answer, "SECONDS", 0)
    answering = Following("answer_elasticsearch", name)
    assert isinstance(answering.answer_many(asked)[0], UnavailableError)
    with Elasticsearch(elasticsearch_node.url) as client:
        try:
            for encoder in (None, *map(SentenceEncoder.load, (other_encoder, tiny_encoder))):
                rejects = tmp_path / "rejects.jsonl"
                sources = Sources([small_faq.entries])
                build_version(client, name, sources, rejects=rejects, change=Change.REBUILD, encoder=encoder)
                [answers] = answering.answer_many(asked)
                best = answers.answers[0]
                if encoder is None:
                    assert "vector_score" not in best.meta
                else:
                    expected = entry_cosine(encoder, questions[0], best.question, best.answer)
                    assert best.meta["vector_score"] == pytest.approx(expected, abs=1e-3)
                answering.check()
        finally:
            client.indices.delete(index=[*client.indices.get(index=f"{name}-*").body])
            client.options(ignore_status=404).indices.delete_index_template(name=name)


def test_which_encoder_an_index_in_elasticsearch_has_is_not_asked_with_every_question(
    elasticsearch_node, elasticsearch_index, small_faq, questions, monkeypatch
):
    monkeypatch.setenv("ELASTICSEARCH_HOSTS", elasticsearch_node.url)
    answering = Following("answer_elasticsearch", elasticsearch_index(small_faq.entries))
    answering.warm_up()
    requests, perform = [], Transport.perform_request

    def record(self, method, target, **more):
        requests.append((method, target.partition("?")[0]))
        return perform(self, method, target, **more)

    def metadata_requests(do):
        requests.clear()
        do()
        assert requests
        return sum(method == "GET" for method, _ in requests)

    def ask():
        assert isinstance(answering.answer_many([Question(question=questions[0])])[0], Answers)

    monkeypatch.setattr(Transport, "perform_request", record)
    assert metadata_requests(ask) == 0
    # Who asks whether all is well is told of the index as it is, and so is who asks a minute later.
    answering.check()
    assert any(method == "GET" for method, _ in requests)
    assert metadata_requests(ask) == 0
    monkeypatch.setattr(kept_answer, "SECONDS", 0)
    assert metadata_requests(ask) > 0
