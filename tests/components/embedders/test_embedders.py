# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The embedders of questions and of documents, alone, in YAML and before a hybrid retriever."""

import copy
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest
from haystack import Document, Pipeline
from haystack.document_stores.types import DuplicatePolicy
from haystack.utils import ComponentDevice, Secret
from haystack_integrations.components.embedders.sentence_transformers import SentenceTransformersTextEmbedder

import tiny_sentence_encoders
from answer_selection.indexing.encoder import ENCODER_FIELD, FINGERPRINT_FIELD, entry_text, maker_of, vector_fingerprint
from answer_selection.indexing.passages import PASSAGES_FIELD, unpack
from answer_selection.indexing.word_states import WORDS_FIELD, stored_words, word_fingerprint
from haystack_integrations.components.embedders.answer_selection import (
    AnswerSelectionDocumentEmbedder,
    AnswerSelectionTextEmbedder,
)
from haystack_integrations.components.rankers.answer_selection.encoders.sentence_encoder import SentenceEncoder
from haystack_integrations.components.rankers.answer_selection.encoders.word_reader import WordReader
from haystack_integrations.components.rankers.answer_selection.models.model_folder import PACKAGED, SENTENCE_ENCODER
from haystack_integrations.components.retrievers.tantivy import TantivyHybridRetriever
from haystack_integrations.document_stores.tantivy import TantivyDocumentStore
from haystack_integrations.document_stores.tantivy import folder as store_folder

QUERY = "When does the reading room close?"
ENTRIES = [
    (QUERY, "At eight on weekdays."),
    (None, "A lost card is replaced at any desk for two dollars."),
    ("", "Renew a loan online."),
    ("Where?", ""),
]
EMBEDDERS = {"text": AnswerSelectionTextEmbedder, "document": AnswerSelectionDocumentEmbedder}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tiny_sentence_encoders.save(tmp_path_factory.mktemp("encoder") / "student")


def documents():
    return [
        Document(content=answer, meta={"entry_id": n} | ({} if question is None else {"question": question}))
        for n, (question, answer) in enumerate(ENTRIES)
    ]


def close_to(vector):
    return pytest.approx(vector, abs=2e-5)


def test_warm_up_loads_what_reads_words(folder, monkeypatch):
    embedder = AnswerSelectionDocumentEmbedder(model=folder)
    embedder.warm_up()
    monkeypatch.setattr(WordReader, "load", lambda **_: pytest.fail("loaded by the first run"))
    assert WORDS_FIELD in embedder.run(documents())["documents"][0].meta


def test_a_text_gets_the_encoders_vector(folder):
    found = AnswerSelectionTextEmbedder(model=folder).run(QUERY)
    assert found == {"embedding": close_to(SentenceEncoder.load(folder).encode([QUERY])[0].tolist())}
    assert all(isinstance(number, float) for number in found["embedding"])


def test_it_is_that_of_haystacks_own_embedder(folder):
    others = SentenceTransformersTextEmbedder(
        model=str(folder), device=ComponentDevice.from_str("cpu"), progress_bar=False
    )
    expected = others.run(QUERY)["embedding"]
    assert AnswerSelectionTextEmbedder(model=str(folder)).run(QUERY)["embedding"] == close_to(expected)


def test_a_document_gets_the_vector_of_its_entrys_text(folder):
    given = documents()
    found = AnswerSelectionDocumentEmbedder(model=folder, batch_size=2).run(given)["documents"]
    encoder, texts = SentenceEncoder.load(folder), [entry_text(*entry) for entry in ENTRIES]
    for document, before, text, vector in zip(found, given, texts, encoder.encode(texts).tolist(), strict=True):
        assert document.embedding == close_to(vector)
        assert before.embedding is None
        made = {FINGERPRINT_FIELD: vector_fingerprint(encoder.record, text), WORDS_FIELD: document.meta[WORDS_FIELD]}
        made[ENCODER_FIELD] = maker_of(str(folder), document.embedding)
        assert replace(document, embedding=None) == replace(before, meta={**before.meta, **made})
    assert AnswerSelectionDocumentEmbedder(model="gone").run([]) == {"documents": []}


def test_a_question_that_is_no_text_is_none_as_to_an_index(folder, tmp_path):
    given = [Document(id=str(n), content="Not found.", meta={"question": n}) for n in (404, ["a", "b"])]
    found = AnswerSelectionDocumentEmbedder(model=folder).run(given)["documents"]
    assert found[0].embedding == close_to(SentenceEncoder.load(folder).encode(["Not found."])[0].tolist())
    store = TantivyDocumentStore(path=tmp_path / "index")
    assert store.write_documents(found, encoder=SentenceEncoder.load(folder).record) == 2


def test_an_index_that_a_pipeline_writes_has_its_encoder(folder, tmp_path):
    """So that commands ask it by vectors, and that no vector stays beside another text."""
    store = TantivyDocumentStore(path=tmp_path / "index")
    embedder = AnswerSelectionDocumentEmbedder(model=folder)
    store.write_documents(embedder.run(documents())["documents"])
    assert store.encoder == SentenceEncoder.load(folder).record
    found = store.filter_documents()
    assert not any(ENCODER_FIELD in document.meta for document in found)
    with pytest.raises(ValueError, match="is of another text than its question and content now"):
        store.write_documents([replace(found[0], content="At nine.")], policy=DuplicatePolicy.OVERWRITE)
    other = tiny_sentence_encoders.save(tmp_path / "other", seed=5)
    more = [Document(content="Ask at a desk.", meta={"question": "Where?"})]
    with pytest.raises(ValueError, match="is another encoder's"):
        store.write_documents(AnswerSelectionDocumentEmbedder(model=other).run(more)["documents"])
    store.write_documents(embedder.run(more)["documents"])
    assert store.encoder == SentenceEncoder.load(folder).record
    # A new encoder embeds what was read from another store.
    embedded = AnswerSelectionDocumentEmbedder(model=other).run(embedder.run(more)["documents"])["documents"]
    assert embedded[0].meta[ENCODER_FIELD].endswith(f" {other}")


def of_other_texts(folder):
    fields = ["question", "entry_id"]
    return AnswerSelectionDocumentEmbedder(model=folder, meta_fields_to_embed=fields).run(documents())["documents"]


def cleaned_afterwards(folder):
    first, *others = AnswerSelectionDocumentEmbedder(model=folder).run(documents())["documents"]
    return [*others, replace(first, content="At eight")]


def embedded_again(folder):
    """By an embedder that leaves metadata as they are."""
    embedded = AnswerSelectionDocumentEmbedder(model=folder, embed_passages=False).run(documents())["documents"]
    return [replace(document, embedding=document.embedding[:8]) for document in embedded]


@pytest.mark.parametrize("make", [of_other_texts, cleaned_afterwards, embedded_again])
def test_an_index_takes_no_encoder_at_its_word(folder, tmp_path, make):
    store = TantivyDocumentStore(path=tmp_path / "index")
    store.write_documents(make(folder))
    assert (store.has_vectors, store.encoder) == (True, None)


def test_an_index_learns_its_encoder_from_the_first_embeddings(folder, tmp_path, monkeypatch):
    """However many documents without come before, and if it has no place for vectors, not at all."""
    monkeypatch.setattr("haystack_integrations.document_stores.tantivy.document_store.BLOCK", 2)
    plain = [Document(content=str(n), meta={ENCODER_FIELD: "mine"}) for n in range(3)]
    store = TantivyDocumentStore(path=tmp_path / "index")
    store.write_documents([*plain, *AnswerSelectionDocumentEmbedder(model=folder).run(documents())["documents"]])
    assert store.encoder == SentenceEncoder.load(folder).record
    assert [document.meta.get(ENCODER_FIELD) for document in store.filter_documents()[2:4]] == ["mine", None]
    monkeypatch.setattr(store_folder, "_FORMAT_VERSION", 2)
    old = TantivyDocumentStore(path=tmp_path / "old")
    old.write_documents(AnswerSelectionDocumentEmbedder(model=folder).run(documents())["documents"])
    assert (old.count_documents(), old.encoder) == (4, None)


def test_a_document_gets_the_vectors_of_its_passages(folder):
    """Every one of its sentences behind the metadata that are embedded."""
    given = Document(content="At eight. On Sunday at two!", meta={"question": QUERY, PASSAGES_FIELD: "old"})
    encoder, texts = SentenceEncoder.load(folder), [f"{QUERY} At eight.", f"{QUERY} On Sunday at two!"]
    short = replace(given, content="At eight.")
    found, alone = AnswerSelectionDocumentEmbedder(model=folder).run([given, short])["documents"]
    np.testing.assert_allclose(unpack(found.meta, len(found.embedding)), encoder.encode(texts), atol=1e-3)
    assert found.embedding == close_to(encoder.encode([entry_text(QUERY, given.content)])[0].tolist())
    assert PASSAGES_FIELD not in alone.meta
    without = AnswerSelectionDocumentEmbedder(model=folder, embed_passages=False)
    assert PASSAGES_FIELD not in without.run([given])["documents"][0].meta
    other = AnswerSelectionDocumentEmbedder(model=folder, meta_fields_to_embed=[], embedding_separator="|")
    [found] = other.run([given])["documents"]
    expected = encoder.encode(["At eight.", "On Sunday at two!"])
    np.testing.assert_allclose(unpack(found.meta, len(found.embedding)), expected, atol=1e-3)


@pytest.mark.parametrize("default", [False, True])
def test_a_document_gets_the_states_of_its_words(folder, default, monkeypatch):
    """Those of the package's encoder, whatever makes the vectors; a text is not read twice by one encoder."""
    read: list[str] = []
    tokens = SentenceEncoder._tokens

    def seen(self, texts, places):
        read.extend(texts[place] for place in places)
        return tokens(self, texts, places)

    monkeypatch.setattr(SentenceEncoder, "_tokens", seen)
    embedder = AnswerSelectionDocumentEmbedder(model=None if default else folder, embed_passages=False)
    embedder.warm_up()
    given, texts = documents(), [entry_text(*entry) for entry in ENTRIES]
    embedder.run(given[:1])
    read.clear()
    found = embedder.run(given)["documents"]
    assert sorted(read) == sorted(texts if default else texts * 2)
    monkeypatch.undo()
    reader = WordReader.load()
    vectors = SentenceEncoder.load(None if default else folder).encode(texts).tolist()
    for document, text, vector in zip(found, texts, vectors, strict=True):
        kept = reader.unpack(stored_words(document.meta, word_fingerprint(reader.fingerprint, text)))
        assert kept.pieces.tolist() == reader.read([text])[0].pieces.tolist()
        assert document.embedding == close_to(vector)
    without = AnswerSelectionDocumentEmbedder(model=folder, embed_words=False).run(found)["documents"]
    assert not any(WORDS_FIELD in document.meta for document in without)
    embedder.close()
    assert WORDS_FIELD in embedder.run(given)["documents"][0].meta


def test_an_entrys_text_is_made_as_an_index_makes_it(folder):
    embedder = AnswerSelectionDocumentEmbedder(model=folder)
    assert [embedder._text(document) for document in documents()] == [entry_text(*entry) for entry in ENTRIES]
    other = AnswerSelectionDocumentEmbedder(
        model=folder, meta_fields_to_embed=["title", "year"], embedding_separator="|"
    )
    assert other._text(Document(content="Text", meta={"question": "Q", "title": "T", "year": 1999})) == "T|1999|Text"
    alone = AnswerSelectionDocumentEmbedder(model=folder, meta_fields_to_embed=[])
    assert alone._text(Document(content=None, meta={"question": "Q"})) == ""


@pytest.mark.parametrize("kind", EMBEDDERS)
async def test_asynchronously(folder, kind):
    embedder = EMBEDDERS[kind](model=folder)
    given = QUERY if kind == "text" else documents()
    assert (await embedder.run_async(given)).keys() == embedder.run(given).keys()


@pytest.mark.parametrize("kind", EMBEDDERS)
def test_it_is_loaded_once_however_many_threads_ask(folder, kind, monkeypatch):
    loads = []
    load = SentenceEncoder.load.__func__

    def watched(cls, *args, **kwargs):
        loads.append(args)
        return load(cls, *args, **kwargs)

    monkeypatch.setattr(SentenceEncoder, "load", classmethod(watched))
    embedder = EMBEDDERS[kind](model=folder)
    with ThreadPoolExecutor(4) as threads:
        for done in [threads.submit(embedder.warm_up) for _ in range(8)]:
            done.result()
    # Documents' words are read by the encoder of the package.
    assert loads == [(folder,), ()][: 1 if kind == "text" else 2]
    assert copy.deepcopy(embedder).to_dict() == embedder.to_dict()
    embedder.close()
    loads.clear()
    embedder.warm_up()
    assert loads[0] == (folder,)


def test_what_is_no_text_or_no_documents(folder):
    with pytest.raises(TypeError, match="text must be a string, but is of the type list; for documents there is"):
        AnswerSelectionTextEmbedder(model=folder).run([QUERY])
    for wrong in (QUERY, [QUERY], Document(content="a")):
        with pytest.raises(TypeError, match="documents must be a list of Document; for a text there is"):
            AnswerSelectionDocumentEmbedder(model=folder).run(wrong)


@pytest.mark.parametrize("kind", EMBEDDERS)
def test_bad_parameters(kind):
    with pytest.raises(ValueError, match="device"):
        EMBEDDERS[kind](device=ComponentDevice.from_multiple(device_map=_two_devices()))
    with pytest.raises(ValueError, match="there is no encoder folder /gone"):
        EMBEDDERS[kind](model="/gone").warm_up()
    with pytest.raises(ValueError, match="batch_size must be > 0, but got 0"):
        AnswerSelectionDocumentEmbedder(batch_size=0)


def _two_devices():
    from haystack.utils.device import Device, DeviceMap

    return DeviceMap({"a": Device.cpu(), "b": Device.gpu(0)})


class TestSerialization:
    def test_defaults(self):
        token = {"type": "env_var", "env_vars": ["HF_API_TOKEN", "HF_TOKEN"], "strict": False}
        common = {"model": None, "device": None, "token": token, "revision": None}
        package = "haystack_integrations.components.embedders.answer_selection"
        assert AnswerSelectionTextEmbedder().to_dict() == {
            "type": f"{package}.text_embedder.AnswerSelectionTextEmbedder",
            "init_parameters": common,
        }
        own = {
            "batch_size": 32,
            "meta_fields_to_embed": ["question"],
            "embedding_separator": " ",
            "embed_passages": True,
            "embed_words": True,
        }
        assert AnswerSelectionDocumentEmbedder().to_dict() == {
            "type": f"{package}.document_embedder.AnswerSelectionDocumentEmbedder",
            "init_parameters": common | own,
        }

    @pytest.mark.parametrize("kind", EMBEDDERS)
    def test_there_and_back(self, kind, tmp_path):
        own = (
            {
                "batch_size": 7,
                "meta_fields_to_embed": [],
                "embedding_separator": "\n",
                "embed_passages": False,
                "embed_words": False,
            }
            if kind == "document"
            else {}
        )
        embedder = EMBEDDERS[kind](
            model=tmp_path, device=ComponentDevice.from_str("cpu"), token=Secret.from_env_var("T"), revision="v1", **own
        )
        again = EMBEDDERS[kind].from_dict(embedder.to_dict())
        assert again.to_dict() == embedder.to_dict()
        assert (again.model, again.device, again.revision) == (str(tmp_path), embedder.device, "v1")

    def test_the_encoder_of_the_package_in_yaml(self, folder, monkeypatch):
        monkeypatch.setitem(PACKAGED, SENTENCE_ENCODER, folder)
        pipeline = Pipeline()
        pipeline.add_component("embedder", AnswerSelectionTextEmbedder())
        again = Pipeline.loads(pipeline.dumps())
        expected = AnswerSelectionTextEmbedder(model=folder).run(QUERY)["embedding"]
        assert again.run({"embedder": {"text": QUERY}})["embedder"]["embedding"] == close_to(expected)


def test_in_a_pipeline_of_yaml_before_hybrid_retrieval(folder, tmp_path):
    store = TantivyDocumentStore(path=tmp_path / "index", search_fields={"content": 1.0, "question": 1.0})
    store.write_documents(AnswerSelectionDocumentEmbedder(model=folder).run(documents())["documents"])
    pipeline = Pipeline()
    pipeline.add_component("embedder", AnswerSelectionTextEmbedder(model=folder))
    pipeline.add_component("retriever", TantivyHybridRetriever(document_store=store, top_k=4))
    pipeline.connect("embedder.embedding", "retriever.query_embedding")
    again = Pipeline.loads(pipeline.dumps())
    assert again.dumps() == pipeline.dumps()
    # The text of the first entry, as it is: its vector is the query's own.
    query = entry_text(*ENTRIES[0])
    found = again.run({"embedder": {"text": query}, "retriever": {"query": query}})["retriever"]["documents"]
    assert found[0].meta["entry_id"] == 0
    assert found[0].meta["vector_score"] == pytest.approx(1, abs=1e-3)
    assert {document.meta["entry_id"] for document in found} == {0, 1, 2, 3}
