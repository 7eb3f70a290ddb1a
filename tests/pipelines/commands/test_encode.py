# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""`answer-selection encode` over both stores, killed in the middle too, and what rankers find afterwards."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
import torch
import yaml
from elasticsearch import Elasticsearch
from haystack import Document

from answer_selection.indexing.corpus_index import CorpusIndex, DocumentUpdate
from answer_selection.indexing.elasticsearch.index import ElasticsearchIndex
from answer_selection.indexing.elasticsearch.versions import find_versions
from answer_selection.pipelines.definitions import pipeline_yaml
from answer_selection.pipelines.definitions.question_inputs import asked, question_inputs
from haystack_integrations.components.embedders.answer_selection import AnswerEncoder
from haystack_integrations.components.rankers.answer_selection import AnswerRanker
from haystack_integrations.components.rankers.answer_selection.models import registry
from haystack_integrations.components.retrievers.tantivy import TantivyBM25Retriever
from haystack_integrations.document_stores.tantivy import TantivyDocumentStore
from new_process import python

STORES = ("tantivy", "elasticsearch")
QUESTION = "how long can I keep a book?"
# The shipped pipelines read an entry's question before its answer, and leave its embedding to their retrievers.
EMBEDDED = ["question"]
FIELD = "answer_vector"
BY_WORDS = f"{TantivyBM25Retriever.__module__}.{TantivyBM25Retriever.__name__}"

COMMAND = """
import os, signal, sys
from answer_selection.indexing.elasticsearch.index import ElasticsearchIndex
from answer_selection.pipelines.commands import cli
from answer_selection.pipelines.index_time import vectors as encode_index
from haystack_integrations.document_stores.tantivy import TantivyDocumentStore

encode_index.BATCH, encode_index._PAGE = 20, 5
left = int(os.environ["KILL_AT"])

def watched(update):
    def updated(self, updates):
        def given():
            global left
            for each in updates:
                left -= 1
                if left == 0:
                    os.kill(os.getpid(), signal.SIGKILL)
                yield each
        update(self, given())
    return updated

for store in (ElasticsearchIndex, TantivyDocumentStore):
    store.update_documents = watched(store.update_documents)
cli.main()
"""


def build(folder: Path, texts: list[str], seed: int = 0, **options: object) -> Path:
    torch.manual_seed(seed)
    sizes = {"embedding_size": 12, "projection_size": 10, "hidden_size": 24, "mlp_size": 8}
    registry.save(folder, *registry.build("qrnn", texts, **sizes, **options))
    return folder


@pytest.fixture(scope="module")
def texts(small_faq) -> list[str]:
    entries = [json.loads(line) for line in small_faq.entries.read_text(encoding="utf-8").splitlines()]
    return [text for entry in entries for text in (entry["question"], entry["answer"])]


@pytest.fixture(scope="module")
def model(tmp_path_factory, texts) -> Path:
    return build(tmp_path_factory.mktemp("model"), texts)


@dataclass
class Encoded:
    """An index of the small FAQ in one of the stores."""

    store: str
    name: str
    url: str
    tmp_path: Path

    def open(self) -> CorpusIndex:
        if self.store == "tantivy":
            return TantivyDocumentStore.open(self.name)
        return ElasticsearchIndex.open(self.name, Elasticsearch(self.url))

    @property
    def options(self) -> list[str]:
        return ["--index", self.name, "--store", self.store]

    def documents(self) -> dict[str, Document]:
        if self.store == "tantivy":
            return {document.id: document for document in TantivyDocumentStore.open(self.name).filter_documents()}
        from haystack_integrations.document_stores.elasticsearch import ElasticsearchDocumentStore

        with Elasticsearch(self.url) as client:
            client.indices.refresh(index=self.name)
        found = ElasticsearchDocumentStore(hosts=self.url, index=self.name).filter_documents()
        return {document.id: document for document in found}

    def pipeline(self, model: Path, **parameters: object) -> dict:
        """The shipped pipeline of this store, with this model's ranker."""
        shipped = "answer" if self.store == "tantivy" else "answer_elasticsearch"
        definition = pipeline_yaml.point_at(pipeline_yaml.read(shipped), index=self.name, model=model)
        definition["components"]["ranker"]["init_parameters"] |= parameters
        return definition

    def answers(self, model: Path, **parameters: object) -> list[tuple[str, float]]:
        return answers_of(self.pipeline(model, **parameters))


def answers_of(definition: dict) -> list[tuple[str, float]]:
    pipeline = pipeline_yaml.load(definition)
    found = pipeline.run(asked(question_inputs(pipeline), QUESTION))["ranker"]["documents"]
    return [(document.id, document.score) for document in found]


@pytest.fixture(params=STORES)
def index(request, small_faq, tmp_path, monkeypatch, command) -> Encoded:
    """An index that is made anew for each test."""
    if request.param == "tantivy":
        name, url = str(tmp_path / "index"), ""
        assert command("index", small_faq.entries, "--index", name).code == 0
    else:
        node = request.getfixturevalue("elasticsearch_node")
        monkeypatch.setenv("ELASTICSEARCH_HOSTS", node.url)
        name, url = request.getfixturevalue("elasticsearch_index")(small_faq.entries), node.url
    return Encoded(request.param, name, url, tmp_path)


def check(index: Encoded, model: Path, before: dict[str, Document], field: str | None = FIELD) -> None:
    """Every document has the vector that it should, and all that it had; in the order in which they were."""
    encoder = AnswerEncoder(model=model, meta_fields_to_embed=EMBEDDED, vector_meta_field=field)
    expected = encoder.run(list(before.values()))
    found = index.documents()
    assert list(found) == list(before) if index.store == "tantivy" else found.keys() == before.keys()
    for document in expected["documents"]:
        assert found[document.id].content == document.content
        for key, value in document.meta.items():
            if key.endswith("_fingerprint"):
                # Model and text; in a batch of other lengths a vector may end in another digit.
                assert found[document.id].meta[key].rpartition("-")[0] == value.rpartition("-")[0]
            elif key != field:
                assert found[document.id].meta[key] == value
        if field is None:
            assert found[document.id].embedding == pytest.approx(document.embedding, abs=1e-6)
        else:
            assert found[document.id].embedding == before[document.id].embedding


@pytest.mark.slow
def test_scores_are_the_same_with_and_without_vectors(index: Encoded, model, command):
    before = index.documents()
    expected = index.answers(model)
    done = command("encode", *index.options, "--model", model)
    assert done.code == 0, done.err
    assert f"{len(before)} answers encoded in" in done.out
    check(index, model, before)
    found = index.answers(model, strict_vectors=True)
    assert [id_ for id_, _ in found] == [id_ for id_, _ in expected]
    assert [score for _, score in found] == pytest.approx([score for _, score in expected], abs=1e-5)
    # Some without: their answers changed since, say.
    index.open().update_documents(DocumentUpdate(id_, None, {f"{FIELD}_fingerprint": "none"}) for id_, _ in found[:3])
    some = index.answers(model)
    assert [score for _, score in some] == pytest.approx([score for _, score in expected], abs=1e-5)


@pytest.mark.slow
@pytest.mark.parametrize("index", ["tantivy"], indirect=True)
def test_a_model_of_the_shipped_recipe(index: Encoded, small_faq, command):
    trained = command("train", "ggsa", "--index", index.name, "--recipe", "small_ggsa", "--epochs", 1)
    assert trained.code == 0, trained.err
    model = index.tmp_path / "ggsa"
    expected = index.answers(model)
    evaluate = ("eval", "--queries", small_faq.queries, "--index", index.name, "--model", model, "--overwrite")
    results = index.tmp_path / "results" / "results.json"
    assert command(*evaluate, "--output", results.parent).code == 0
    before = json.loads(results.read_text(encoding="utf-8"))["stages"]["ranker"]["metrics"]
    done = command("encode", *index.options, "--model", model)
    assert "32 answers encoded in" in done.out, done.err
    found = index.answers(model, strict_vectors=True)
    assert [score for _, score in found] == pytest.approx([score for _, score in expected], abs=1e-5)
    assert command("ask", QUESTION, "--index", index.name, "--model", model).code == 0
    assert command(*evaluate, "--output", results.parent).code == 0
    after = json.loads(results.read_text(encoding="utf-8"))["stages"]["ranker"]["metrics"]
    assert after == before


@pytest.mark.slow
def test_as_embedding_by_a_pipeline_of_ones_own(index: Encoded, small_faq, model, command):
    if index.store == "tantivy":
        # Else an entry's embedding is what it is found by.
        index.name = str(index.tmp_path / "without-vectors")
        assert command("index", small_faq.entries, "--index", index.name, "--encoder", "none").code == 0
    definition = index.pipeline(model, vector_meta_field=None)
    if index.store == "tantivy":
        definition["components"]["retriever"]["type"] = BY_WORDS
    before = index.documents()
    expected = answers_of(definition)
    own = index.tmp_path / "own.yaml"
    own.write_text(yaml.safe_dump(definition), encoding="utf-8")
    assert command("encode", *index.options, "--pipeline", own).code == 0
    check(index, model, before, field=None)
    assert not any(FIELD in document.meta for document in index.documents().values())
    definition["components"]["ranker"]["init_parameters"]["strict_vectors"] = True
    found = answers_of(definition)
    assert [score for _, score in found] == pytest.approx([score for _, score in expected], abs=1e-5)


@pytest.mark.slow
def test_what_is_encoded_is_left_and_another_model_replaces_it(index: Encoded, model, texts, command):
    before = index.documents()
    command("encode", *index.options, "--model", model)
    again = command("encode", *index.options, "--model", model)
    assert f"0 answers encoded in {index.name}, {len(before)} had their vectors already" in again.out
    other = build(index.tmp_path / "other", texts, seed=1)
    changed = command("encode", *index.options, "--model", other)
    assert f"{len(before)} answers encoded" in changed.out
    check(index, other, before)


@pytest.mark.slow
def test_a_killed_run_goes_on(index: Encoded, model, command):
    before = index.documents()
    killed = python(COMMAND, "encode", *index.options, "--model", model, environment={"KILL_AT": "31"})
    assert killed.returncode == -9, killed.stderr
    there = sum(f"{FIELD}_fingerprint" in document.meta for document in index.documents().values())
    # What was complete is there: a batch of 20, and of the next one in Elasticsearch perhaps a part.
    assert 20 <= there < 31
    done = command("encode", *index.options, "--model", model)
    assert done.code == 0, done.err
    if index.store == "tantivy":
        assert f"{len(before) - there} answers encoded in {index.name}" in done.out
    check(index, model, before)


@pytest.mark.parametrize("index", ["elasticsearch"], indirect=True)
def test_the_index_command_knows_the_index_still(index: Encoded, small_faq, model, command):
    assert command("encode", *index.options, "--model", model).code == 0
    same = command("index", small_faq.entries, *index.options)
    assert "nothing was written" in same.out, same.err
    with Elasticsearch(index.url) as client:
        [version] = find_versions(client, index.name)
        assert version.state.complete
        hits = client.search(index=index.name, size=1000)["hits"]["hits"]
        assert all(f"{FIELD}_fingerprint" in hit["_source"] for hit in hits)
        mapping = client.indices.get_mapping(index=index.name)[version.name]["mappings"]["properties"]
        assert mapping[FIELD]["index"] is False


@pytest.mark.slow
def test_after_an_update_what_was_written_is_encoded_by_the_same_command(index: Encoded, small_faq, model, command):
    assert command("encode", *index.options, "--model", model).code == 0
    longer = index.tmp_path / "longer.jsonl"
    # An entry of another file is another entry.
    [source] = {document.meta["source"] for document in index.documents().values()}
    entries = [json.loads(line) for line in small_faq.entries.read_text(encoding="utf-8").splitlines()]
    entries.append({"question": "Is there a garden?", "answer": "Behind the house, until sunset."})
    longer.write_text("".join(json.dumps({**entry, "source": source}) + "\n" for entry in entries), encoding="utf-8")
    assert command("index", longer, *index.options, "--update").code == 0
    updated = index.documents()
    # The others are the same, and keep theirs.
    assert sum(f"{FIELD}_fingerprint" in document.meta for document in updated.values()) == len(updated) - 1
    done = command("encode", *index.options, "--model", model)
    assert f"1 answer encoded in {index.name}" in done.out, done.err
    check(index, model, updated)


def test_an_index_from_before_the_fields_were_in_the_template(elasticsearch_node, model):
    with Elasticsearch(elasticsearch_node.url) as client:
        client.indices.create(index="old-vectors", mappings={"properties": {"id": {"type": "keyword"}}})
        try:
            client.index(index="old-vectors", id="a", document={"id": "a", "content": "x"}, refresh=True)
            old = ElasticsearchIndex(client, "old-vectors", "old-vectors", {"content": 1.0})
            old.update_documents([DocumentUpdate("a", [0.5] * 200, {}), DocumentUpdate("gone", [0.5], {})])
            mapping = client.indices.get_mapping(index="old-vectors")["old-vectors"]["mappings"]["properties"]
            assert mapping["embedding"] == {"type": "object", "enabled": False}
            hits = client.search(index="old-vectors")["hits"]["hits"]
            assert [hit["_source"]["embedding"] for hit in hits] == [[0.5] * 200]
        finally:
            client.indices.delete(index="old-vectors")


def test_an_embedding_of_another_kind_is_left_alone(elasticsearch_node):
    with Elasticsearch(elasticsearch_node.url) as client:
        vector = {"type": "dense_vector", "dims": 4}
        client.indices.create(index="dense-vectors", mappings={"properties": {"embedding": vector}})
        try:
            index = ElasticsearchIndex(client, "dense-vectors", "dense-vectors", {"content": 1.0})
            with pytest.raises(
                RuntimeError,
                match=r"has one of the fields embedding with a mapping that answers'.*vector_meta_field",
            ):
                index.update_documents([DocumentUpdate("a", [0.5] * 4, {})])
            index.update_documents([DocumentUpdate("a", None, {"answer_vector": "AAAA"})])
        finally:
            client.indices.delete(index="dense-vectors")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ([], "no model is named"),
        (["--model", "nowhere"], "nowhere"),
        (["--index", "nowhere", "--model", "MODEL"], "there is no index in nowhere"),
        (["--pipeline", "index_faq"], "the pipeline has 0 rankers with a model; expected one"),
    ],
)
def test_what_it_cannot_do_it_says(command: Callable, model, options, message):
    done = command("encode", *(str(model) if option == "MODEL" else option for option in options))
    assert done.code == 2
    assert message in done.err


def test_a_model_whose_answers_depend_on_the_question(command, texts, tmp_path, small_index):
    crossing = build(tmp_path / "model", texts, match_channels=True)
    done = command("encode", "--index", small_index, "--model", crossing)
    assert done.code == 2
    assert "has no answers' vectors to store: what it makes of an answer depends on the question" in done.err


class TestTantivyUpdates:
    @pytest.fixture
    def store(self, tmp_path) -> TantivyDocumentStore:
        store = TantivyDocumentStore(path=tmp_path / "index")
        store.write_documents(
            [Document(id=f"d{n}", content=f"answer number{n}", meta={"n": n}, embedding=[1.0]) for n in range(5)]
        )
        return store

    def test_what_is_not_told_stays_and_so_does_the_order(self, store):
        store.update_documents(
            [
                DocumentUpdate("d3", [0.25, 0.5], {"new": "x"}),
                DocumentUpdate("gone", [9.0], {}),
                DocumentUpdate("d0", None, {"n": 7}),
            ]
        )
        found = store.filter_documents()
        assert [document.id for document in found] == ["d0", "d1", "d2", "d3", "d4"]
        assert found[3] == Document(id="d3", content="answer number3", meta={"n": 3, "new": "x"}, embedding=[0.25, 0.5])
        assert found[0] == Document(id="d0", content="answer number0", meta={"n": 7}, embedding=[1.0])
        assert [document.id for document in store.bm25_retrieval("number3")] == ["d3"]
        assert store.count_documents_by_filter({"field": "meta.new", "operator": "==", "value": "x"}) == 1

    def test_all_or_nothing(self, store):
        before = store.filter_documents()

        def updates():
            yield DocumentUpdate("d1", [2.0], {})
            raise RuntimeError

        with pytest.raises(RuntimeError):
            store.update_documents(updates())
        with pytest.raises(ValueError, match=r"document 'd1': meta\.x: expected a JSON value"):
            store.update_documents([DocumentUpdate("d0", [2.0], {}), DocumentUpdate("d1", None, {"x": object()})])
        assert store.filter_documents() == before

    def test_without_an_index_there_is_nothing_to_update(self, tmp_path):
        TantivyDocumentStore(path=tmp_path / "none").update_documents([DocumentUpdate("a", [1.0], {})])
        assert not (tmp_path / "none").exists()


def test_vectors_of_a_ranker_by_a_plain_indexing_pipeline(small_faq, model, tmp_path, monkeypatch):
    """AnswerEncoder as the embedder between converter and writer, in YAML that loads as it is."""
    monkeypatch.chdir(tmp_path)
    definition = pipeline_yaml.read("index_faq")
    definition["components"]["embedder"] = AnswerEncoder(model=model, meta_fields_to_embed=EMBEDDED).to_dict()
    pipeline_yaml.load(definition).run({"converter": {"sources": [str(small_faq.entries)]}})
    documents = TantivyDocumentStore.open("faq-index").bm25_retrieval(QUESTION, top_k=20)
    ranker = AnswerRanker(model=model, meta_fields_to_embed=EMBEDDED, strict_vectors=True)
    assert ranker.run(QUESTION, documents)["documents"]
