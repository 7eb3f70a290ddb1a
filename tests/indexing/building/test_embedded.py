# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Indexes on disk whose entries are encoded while they are built."""

import json
import os
import random
import re
import signal
import time
from dataclasses import replace

import numpy as np
import pytest
from haystack import Document
from haystack.document_stores.errors import DocumentStoreError
from haystack.document_stores.types import DuplicatePolicy

from answer_selection.indexing.building import embedding
from answer_selection.indexing.building.embedded import build_index
from answer_selection.indexing.corpus_index import DocumentUpdate
from answer_selection.indexing.encoder import FINGERPRINT_FIELD, vector_fingerprint
from answer_selection.indexing.fusion import VECTOR_WEIGHT
from answer_selection.indexing.passages import PASSAGES_FIELD, pack, unpack
from answer_selection.indexing.sources import Sources
from answer_selection.indexing.text.tree import TREE_FIELD
from answer_selection.indexing.word_states import WORDS_FIELD
from hash_encoder import HashEncoder, HashReader
from haystack_integrations.components.converters.faq import FAQConverter
from haystack_integrations.document_stores.tantivy import OtherEncoderError, TantivyDocumentStore, folder
from haystack_integrations.document_stores.tantivy.verify import verify
from new_process import NewProcess


@pytest.fixture
def store(tmp_path):
    return TantivyDocumentStore(path=tmp_path / "index")


@pytest.fixture
def build(store, tmp_path):
    """Write entries into a file, and index that."""

    def run(entries, encoder=None, **options):
        path = tmp_path / "faq.jsonl"
        path.write_text("".join(json.dumps(entry) + "\n" for entry in entries), encoding="utf-8")
        return build_index(store, Sources([path], require_question=False, strict=True), encoder=encoder, **options)

    return run


def entries(numbers, text="Answer"):
    return [{"id": f"e{i}", "question": f"Question {i}?", "answer": f"{text} {i}."} for i in numbers]


def texts(numbers, text="Answer"):
    return [f"Question {i}? {text} {i}." for i in numbers]


def check(store, encoder, written):
    """All entries are there, each with the vector of its own text."""
    assert store.encoder == encoder.record
    found = {document.id: document for document in store.filter_documents()}
    assert found.keys() == written.keys()
    vectors = HashEncoder(encoder.record.name, encoder.record.dimension).encode(list(written.values()))
    for (key, text), vector in zip(written.items(), vectors, strict=True):
        assert found[key].embedding == vector.tolist()
        assert found[key].meta[FINGERPRINT_FIELD] == vector_fingerprint(encoder.record, text)
        nearest = store.embedding_retrieval(vector.tolist(), top_k=1)[0]
        assert (nearest.id, nearest.score) == (key, pytest.approx(1, abs=1e-6))
    assert verify(store.path).damaged == []


def by_id(entries_written):
    return {entry["id"]: f"{entry['question']} {entry['answer']}" for entry in entries_written}


def test_what_a_pipeline_wrote_keeps_its_vectors_without_an_encoder(store, build, tmp_path):
    """A converter also names the file; vectors of whose encoder nobody knows can't be made again."""
    build(entries(range(2)))
    read = FAQConverter().run(sources=[tmp_path / "faq.jsonl"])["documents"]
    assert "file_path" in read[0].meta
    given = [replace(one, embedding=[1.0, float(n)], meta={**one.meta, "source": "."}) for n, one in enumerate(read)]
    store.write_documents(given, policy=DuplicatePolicy.OVERWRITE)
    changed = [*entries([0]), *entries([1], "Other")]
    assert build(changed).written == 2
    assert {one.id: one.embedding for one in store.filter_documents()} == {"e0": [1.0, 0.0], "e1": None}


def test_only_what_has_changed_is_encoded_again(store, build):
    encoder, first = HashEncoder(), entries(range(6))
    assert build(first, encoder).encoded == 6
    check(store, encoder, by_id(first))
    # One is changed, one is new, one's metadata are new, one is gone.
    second = [{**first[0], "answer": "Another."}, *first[1:4], {**first[4], "topic": "loans"}, *entries([6])]
    encoder = HashEncoder()
    report = build(second, encoder, remove_missing=True)
    assert (report.entries, report.encoded, report.documents) == (6, 2, 6)
    assert encoder.texts == ["Question 0? Another.", "Question 6? Answer 6."]
    check(store, encoder, by_id(second))
    [document] = store.filter_documents({"field": "id", "operator": "==", "value": "e4"})
    assert document.meta["topic"] == "loans"


@pytest.mark.slow
@pytest.mark.parametrize("encoder", [None, HashEncoder()])
def test_what_has_not_changed_is_not_written_again(store, build, encoder, tmp_path):
    def files():
        return {path: path.stat().st_mtime_ns for path in (tmp_path / "index").rglob("*") if path.is_file()}

    build(entries(range(250)), encoder)
    written = files()
    assert build(entries(range(250)), encoder, remove_missing=True).documents == 250
    assert files() == written
    # One of a batch that has changed is.
    changed = [*entries(range(249)), *entries([249], text="Other")]
    assert build(changed, encoder).documents == 250
    assert files() != written
    assert store.documents_with_ids(["e249"])[0].content == "Other 249."
    # What a pipeline has written in an entry's place is replaced.
    seventh = store.documents_with_ids(["e7"])[0]
    other = replace(seventh, meta={**seventh.meta, "more": 1})
    store.write_documents([other], policy=DuplicatePolicy.OVERWRITE)
    build(changed, encoder)
    assert "more" not in store.documents_with_ids(["e7"])[0].meta


@pytest.mark.parametrize("encoder", [None, HashEncoder()])
def test_what_was_computed_of_an_entry_since_is_kept_while_it_is_the_same(store, build, encoder):
    first = entries(range(3))
    build(first, encoder)
    computed = {TREE_FIELD: "(S Answer)", "answer_vector": "AAAA", "answer_vector_fingerprint": "abc"}
    store.update_documents([DocumentUpdate(entry["id"], None, computed) for entry in first])
    assert build(first, encoder).written == 0
    assert all(computed.items() <= document.meta.items() for document in store.filter_documents())
    report = build([first[0], {**first[1], "answer": "Another."}, {**first[2], "topic": "loans"}], encoder)
    assert report.written == 2
    kept, *others = sorted(store.filter_documents(), key=lambda document: document.id)
    assert computed.items() <= kept.meta.items()
    assert all(computed.keys().isdisjoint(document.meta) for document in others)


def test_equal_texts_are_encoded_once(store, build):
    encoder = HashEncoder()
    report = build([{"id": str(i), "answer": "The same."} for i in range(5)], encoder)
    assert (report.encoded, encoder.texts) == (5, ["The same."])
    assert len({tuple(document.embedding) for document in store.filter_documents()}) == 1


def test_a_run_that_ends_in_the_middle_goes_on_there(store, build, monkeypatch):
    monkeypatch.setattr(embedding, "BATCH", 10)

    class Failing(HashEncoder):
        def encode(self, texts):
            if len(self.texts) >= 30:
                raise KeyboardInterrupt
            return super().encode(texts)

    with pytest.raises(KeyboardInterrupt):
        build(entries(range(50)), Failing())
    assert store.count_documents() == 30
    encoder, seen = HashEncoder(), []
    report = build(entries(range(50)), encoder, progress=seen.append)
    assert (report.entries, report.encoded) == (50, 20)
    assert encoder.texts == texts(range(30, 50))
    assert seen == [10, 20, 30, 40, 50]
    check(store, encoder, by_id(entries(range(50))))


def test_a_dry_run_encodes_nothing(store, build):
    encoder = HashEncoder()
    assert build(entries(range(3)), encoder, dry_run=True).entries == 3
    assert (encoder.texts, store.count_documents()) == ([], 0)


def test_an_index_without_vectors_gets_those_of_all_entries(store, build):
    build(entries(range(5)))
    assert store.encoder is None
    encoder = HashEncoder()
    assert build(entries([0], "New"), encoder).encoded == 5
    check(store, encoder, by_id([*entries([0], "New"), *entries(range(1, 5))]))


@pytest.mark.parametrize("dimension", [16, 5])
def test_vectors_that_nobody_knows_are_replaced(store, build, dimension):
    store.write_documents(
        [
            Document(
                id=f"e{i}", content=f"Answer {i}.", meta={"question": f"Question {i}?"}, embedding=[1.0] * dimension
            )
            for i in range(4)
        ]
    )
    assert store.encoder is None
    encoder = HashEncoder()
    assert build(entries([4]), encoder).encoded == 5
    check(store, encoder, by_id(entries(range(5))))


def test_vectors_of_a_pipeline_are_kept_if_they_are_the_encoders(store, build):
    """A pipeline's embedder gives documents vectors and fingerprints, and does not say how to load it again."""
    encoder, written = HashEncoder(), entries(range(3))
    vectors = HashEncoder().encode(texts(range(3))).tolist()
    store.write_documents(
        [
            Document(
                id=entry["id"],
                content=entry["answer"],
                embedding=vector,
                meta={"question": entry["question"], FINGERPRINT_FIELD: vector_fingerprint(encoder.record, text)},
            )
            for entry, vector, text in zip(written, vectors, texts(range(3)), strict=True)
        ]
    )
    assert store.encoder is None
    build(entries([3]), encoder)
    assert encoder.texts == texts([3])
    check(store, encoder, by_id(entries(range(4))))


def test_another_encoder_is_refused_by_both_names(store, build, monkeypatch):
    build(entries(range(3)), HashEncoder("first"))
    files = sorted((store.path / "index").glob("*.vectors"))
    other = HashEncoder("second")
    told = (
        f"the vectors of the index in {store.path} are of the encoder 'first' (fingerprint "
        f"{HashEncoder('first').record.fingerprint}), not of 'second' ({other.record.fingerprint})"
    )
    with pytest.raises(OtherEncoderError, match=re.escape(told)):
        build(entries(range(4)), other)
    with pytest.raises(OtherEncoderError, match=re.escape(told)):
        store.write_documents([Document(id="x", embedding=[1.0] * 16)], encoder=other.record)
    assert other.texts == []
    assert sorted((store.path / "index").glob("*.vectors")) == files
    # When all are gone another one may come.
    store.delete_all_documents()
    assert store.encoder is None
    build(entries(range(4)), other)
    check(store, other, by_id(entries(range(4))))


def test_an_encoder_that_has_another_name_now_is_the_same(store, build):
    encoder = HashEncoder()
    build(entries(range(3)), encoder)
    moved = HashEncoder()
    moved.record = replace(encoder.record, name="elsewhere")
    build(entries(range(4)), moved)
    assert moved.texts == texts([3])
    assert store.encoder == moved.record
    assert TantivyDocumentStore.open(store.path).encoder == moved.record


def test_an_index_of_an_earlier_version_is_refused(store, build, monkeypatch):
    monkeypatch.setattr(folder, "_FORMAT_VERSION", 2)
    store = TantivyDocumentStore(path=store.path)
    store.write_documents([Document(id="1", content="loan", embedding=[1.0])])
    assert store.encoder is None
    with pytest.raises(DocumentStoreError, match="made by an earlier version and has no place for vectors"):
        build_index(store, Sources([]), encoder=HashEncoder())
    assert [document.id for document in store.bm25_retrieval("loan")] == ["1"]


# --- passages ---


def long(numbers, last="Then close it"):
    return [
        {"id": f"e{i}", "question": f"Question {i}?", "answer": f"Open desk {i}. Wait there. {last} {i}."}
        for i in numbers
    ]


def passage_texts_of(entry):
    return [f"{entry['question']} {sentence.strip()}." for sentence in entry["answer"].split(".") if sentence]


def check_passages(store, encoder, written):
    found = {document.id: document for document in store.filter_documents()}
    assert found.keys() == {entry["id"] for entry in written}
    fresh = HashEncoder(encoder.record.name, encoder.record.dimension)
    for entry in written:
        expected = fresh.encode(passage_texts_of(entry)).astype(np.float16)
        np.testing.assert_array_equal(unpack(found[entry["id"]].meta, 16), expected)
    assert verify(store.path).damaged == []


def test_an_answer_of_several_sentences_has_passages(store, build):
    encoder, written = HashEncoder(), long(range(3))
    assert build([*written, *entries([3])], encoder).encoded == 4
    assert store.has_passages
    [single] = store.filter_documents({"field": "id", "operator": "==", "value": "e3"})
    assert PASSAGES_FIELD not in single.meta
    store.delete_documents(["e3"])
    check_passages(store, encoder, written)
    check(store, encoder, by_id(written))


def test_of_passages_too_only_what_has_changed_is_encoded_again(store, build):
    written = long(range(4))
    build(written, HashEncoder())
    encoder = HashEncoder()
    assert build(written, encoder).encoded == 0
    changed = [{**written[0], "topic": "desks"}, *long([1], "Leave"), *long([2, 3]), *long([9])]
    assert build(changed, encoder).encoded == 2
    new = [changed[1], changed[4]]
    assert sorted(encoder.texts) == sorted({*by_id(new).values(), *passage_texts_of(new[0]), *passage_texts_of(new[1])})
    check_passages(store, encoder, changed)


def test_an_answer_that_becomes_one_sentence_loses_its_passages(store, build):
    build(long([0]), HashEncoder())
    build(entries([0]), HashEncoder())
    check(store, HashEncoder(), by_id(entries([0])))
    assert not store.has_passages


def test_an_index_without_passages_is_searched_as_before_and_gets_them_by_an_update(store, build, monkeypatch):
    """Entries that are not in the files as well: else those of the files would have the better cosines."""
    written, encoder = long(range(6)), HashEncoder()
    with monkeypatch.context() as earlier:
        earlier.setattr(embedding, "document_passages", lambda _: [])
        build(written, encoder)
    assert not store.has_passages
    vector = encoder.encode(["Open desk 2."])[0].tolist()
    cosines = {one.id: one.score for one in store.embedding_retrieval(vector)}
    for one in store.hybrid_retrieval("desk", vector):
        assert one.meta["vector_score"] == cosines[one.id]
    encoder = HashEncoder()
    assert build(written[:2], encoder).encoded == 6
    assert not set(encoder.texts) & set(by_id(written).values())
    check_passages(store, encoder, written)
    check(store, encoder, by_id(written))


def test_a_search_takes_them_into_the_cosine_and_leaves_them_out_of_what_it_gives(store, build):
    encoder, written = HashEncoder(), [*long(range(8)), *entries(range(8, 12))]
    build(written, encoder)
    query = encoder.encode(["a question"])[0]
    whole = {one.id: one.score for one in store.embedding_retrieval(query.tolist(), top_k=20)}
    hits = store.hybrid_retrieval("desk", query.tolist(), top_k=20)
    assert len(hits) == 12
    for hit in hits:
        expected = whole[hit.id]
        if int(hit.id[1:]) < 8:
            passages = encoder.encode(passage_texts_of(written[int(hit.id[1:])]))
            expected = (expected + (passages @ query).max()) / 2
        assert hit.meta["vector_score"] == pytest.approx(expected, abs=1e-3)
        assert hit.score == pytest.approx(hit.meta["bm25_score"] + VECTOR_WEIGHT * hit.meta["vector_score"])
    for found in (hits, store.bm25_retrieval("desk"), store.embedding_retrieval(query.tolist())):
        assert not [one.id for one in found if PASSAGES_FIELD in one.meta]
    [many] = store.search_hybrid(["desk"], [query.tolist()], 20)
    assert [tuple(hit) for hit in many] == [
        (hit.id, hit.score, hit.meta["bm25_score"], hit.meta["vector_score"]) for hit in hits
    ]


def test_passages_that_are_not_the_embeddings_are_refused(store, build):
    build(long(range(3)), HashEncoder())
    first, second, _ = store.filter_documents()
    own, fingerprint = first.meta[PASSAGES_FIELD], first.meta[FINGERPRINT_FIELD]
    not_a_number = pack(fingerprint, np.zeros((1, 16)), "x")[: -len("AAA=")] + "AH4="
    wrong = [
        (second.meta[PASSAGES_FIELD], "is of another encoder or text"),
        (own.replace(fingerprint, f"other-{fingerprint.split('-')[1]}"), "is of another encoder or text"),
        (pack(fingerprint, np.ones((3, 17)), "x"), "has 102 bytes, expected 1 to 16 vectors of 16 numbers"),
        (own[:-1], "holds no base64"),
        (not_a_number, "holds NaN or infinity"),
    ]
    for passages, told in wrong:
        changed = replace(first, meta={**first.meta, PASSAGES_FIELD: passages})
        with pytest.raises(ValueError, match=re.escape(f"document 'e0': {PASSAGES_FIELD} {told}")):
            store.write_documents([changed], DuplicatePolicy.OVERWRITE)
    check_passages(store, HashEncoder(), long(range(3)))
    # Another embedding takes them away, other metadata do not.
    store.update_documents([DocumentUpdate("e1", None, {"n": 1})])
    check_passages(store, HashEncoder(), long(range(3)))
    store.update_documents([DocumentUpdate("e0", first.embedding, {FINGERPRINT_FIELD: fingerprint})])
    assert [PASSAGES_FIELD in document.meta for document in store.filter_documents()] == [False, True, True]


def test_a_passage_that_is_encoded_wrongly_is_not_written(store, build):
    class Wrong(HashEncoder):
        def encode(self, texts):
            return np.where([["Wait" in text and "Open" not in text] for text in texts], np.nan, super().encode(texts))

    with pytest.raises(ValueError, match="a vector of a passage of document 'e0' holds NaN or infinity"):
        build(long(range(2)), Wrong())
    assert store.count_documents() == 0


# --- words ---


def check_words(store, reader, written):
    found = {document.id: document.meta[WORDS_FIELD] for document in store.filter_documents()}
    assert found == {key: reader.stored(text) for key, text in written.items()}


def test_what_is_read_with_the_indexs_encoder_is_not_encoded_again(store, build):
    encoder = HashEncoder()
    reader = HashReader(encoder)
    assert build(long(range(3)), encoder, words=reader).encoded == 3
    written = by_id(long(range(3)))
    assert reader.texts == list(written.values())
    # The passages alone.
    assert sorted(encoder.texts) == sorted(text for entry in long(range(3)) for text in passage_texts_of(entry))
    check(store, encoder, written)
    check_passages(store, encoder, long(range(3)))
    check_words(store, reader, written)


def test_another_encoder_makes_the_vectors_beside_what_is_read(store, build):
    encoder = HashEncoder()
    reader = HashReader(HashEncoder("other", 8))
    build(entries(range(3)), encoder, words=reader)
    assert reader.texts == encoder.texts == texts(range(3))
    check(store, encoder, by_id(entries(range(3))))
    check_words(store, reader, by_id(entries(range(3))))


def test_only_what_has_changed_is_read_again(store, build):
    encoder = HashEncoder()
    build(entries(range(4)), encoder, words=HashReader(encoder))
    again, reader = HashEncoder(), HashReader(encoder)
    assert build([*entries([0]), *entries([1], "Other"), *entries(range(2, 5))], again, words=reader).encoded == 2
    assert reader.texts == ["Question 1? Other 1.", *texts([4])]
    assert again.texts == []
    check_words(store, reader, by_id([*entries([0]), *entries([1], "Other"), *entries(range(2, 5))]))


@pytest.mark.parametrize("before", [None, "an earlier reader"])
def test_an_index_that_lacks_words_gets_them_by_an_update(store, build, before):
    encoder = HashEncoder()
    build(entries(range(4)), encoder, words=before and HashReader(encoder, before))
    reader = HashReader(encoder)
    again = HashEncoder()
    # Those that are not among the sources too, if they have none: whose it is, is not looked at.
    assert build(entries([0]), again, words=reader).encoded == (1 if before else 4)
    assert reader.texts == texts([0] if before else range(4))
    assert again.texts == []
    build(entries(range(4)), again, words=reader)
    check_words(store, reader, by_id(entries(range(4))))
    check(store, encoder, by_id(entries(range(4))))


def test_a_search_gives_words_to_the_ranker(store, build):
    encoder = HashEncoder()
    reader = HashReader(encoder)
    build(entries(range(3)), encoder, words=reader)
    query = encoder.encode(texts([1]))[0].tolist()
    found = [
        *store.bm25_retrieval("Question", top_k=3),
        *store.embedding_retrieval(query, top_k=3),
        *store.hybrid_retrieval("Question", query, top_k=3),
    ]
    assert len(found) == 9
    for document in found:
        assert document.meta[WORDS_FIELD] == reader.stored(f"{document.meta['question']} {document.content}")


# --- what others write into such an index ---


def test_what_is_not_the_encoders_or_of_another_text_is_refused(store, build):
    encoder = HashEncoder()
    build(entries(range(3)), encoder)
    [document] = store.filter_documents({"field": "id", "operator": "==", "value": "e0"})
    other = HashEncoder("other")
    wrong = [
        (replace(document, content="Changed."), "is of another text than its question and content now"),
        (replace(document, meta={}), f"has no {FINGERPRINT_FIELD} in its metadata"),
        (replace(document, meta={FINGERPRINT_FIELD: f"{other.record.fingerprint}-00"}), "is another encoder's"),
        (replace(document, embedding=[1.0] * 17), "has 17 numbers, expected 16"),
        (replace(document, embedding=[np.nan] * 16), "holds nan at place 0"),
    ]
    for changed, told in wrong:
        with pytest.raises(ValueError, match=re.escape(f"the embedding of document 'e0' {told}")):
            store.write_documents([changed], DuplicatePolicy.OVERWRITE)
    with pytest.raises(ValueError, match=f"the embedding of document 'e1' has no {FINGERPRINT_FIELD}"):
        store.update_documents([DocumentUpdate("e1", document.embedding, {})])
    with pytest.raises(ValueError, match="is of another text than its question"):
        store.update_by_filter({"field": "id", "operator": "==", "value": "e2"}, {"question": "Why?"})
    check(store, encoder, by_id(entries(range(3))))
    # What comes with its own vector, or with none, is welcome.
    store.write_documents([replace(document, meta={**document.meta, "seen": 1})], DuplicatePolicy.OVERWRITE)
    store.update_by_filter({"field": "meta.seen", "operator": "==", "value": 1}, {"seen": 2})
    store.write_documents([Document(id="e9", content="Answer 9.", meta={"question": "Question 9?"})])
    assert store.encoder == encoder.record
    assert [found.id for found in store.documents_without_embedding_of(encoder.record)] == ["e9"]
    build(entries([0]), encoder)
    check(store, encoder, by_id(entries([0, 1, 2, 9])))


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (lambda vectors: vectors[:, 1:], "has 15 numbers, expected 16"),
        (lambda vectors: np.where(np.arange(16) == 3, np.nan, vectors), "holds nan at place 3"),
    ],
)
def test_vectors_that_cannot_be_searched_are_not_written(store, build, make, told):
    class Wrong(HashEncoder):
        def encode(self, texts):
            return make(super().encode(texts))

    with pytest.raises(ValueError, match=f"the embedding of document 'e0' {told}"):
        build(entries(range(3)), Wrong())
    assert (store.count_documents(), store.encoder) == (0, None)


def test_verify_finds_a_vector_beside_another_text(store, build, monkeypatch):
    build(entries(range(3)), HashEncoder())
    monkeypatch.setattr("haystack_integrations.document_stores.tantivy.commits.check_embedding", lambda *_: None)
    store.update_by_filter({"field": "id", "operator": "==", "value": "e1"}, {"question": "Why?"})
    assert verify(store.path).damaged == ["the vector of document 'e1'"]


# For each line of input, a number, forks a process that indexes version after version of the same entries, and says
# after each batch which version it was of, and how many of its entries are written.
BUILDERS = """
import json, os, sys
from pathlib import Path
from answer_selection.indexing.building import embedding
from answer_selection.indexing.building.embedded import build_index
from answer_selection.indexing.sources import Sources
from hash_encoder import HashEncoder
from haystack_integrations.document_stores.tantivy import TantivyDocumentStore
embedding.BATCH = 4
for line in sys.stdin:
    process = os.fork()
    if process:
        os.waitpid(process, 0)
        print("dead", flush=True)
        continue
    print(os.getpid(), flush=True)
    store, encoder, source = TantivyDocumentStore(path=sys.argv[1]), HashEncoder(), Path(sys.argv[2])
    for version in range(int(line), 1_000_000):
        # Half of the entries stay as they are for a while.
        entries = [{"id": f"e{i}", "answer": f"Answer {version // (1 + i % 2 * 3)} to {i}."} for i in range(8)]
        source.write_text("".join(json.dumps(entry) + "\\n" for entry in entries))
        told = lambda written: os.write(1, b"%d %d\\n" % (version, written))
        build_index(store, Sources([source], require_question=False), encoder=encoder, progress=told)
"""


@pytest.mark.slow
def test_killed_while_entries_are_encoded_and_written(store, tmp_path):
    """Nothing that was acknowledged is lost, no vector is beside another text, and the same run goes on."""
    generator = random.Random(time.time_ns())
    builders, encoder = NewProcess(BUILDERS, store.path, tmp_path / "faq.jsonl"), HashEncoder()
    version, acknowledged = 0, [-1] * 8
    for _ in range(50):
        builders.stdin.write(f"{version}\n")
        builders.stdin.flush()
        process = int(builders.stdout.readline())
        begun = time.perf_counter()
        lines = [builders.stdout.readline() for _ in range(generator.randint(1, 3))]
        time.sleep(generator.random() * (time.perf_counter() - begun) / len(lines))
        os.kill(process, signal.SIGKILL)
        for line in [*lines, *iter(builders.stdout.readline, "dead\n")]:
            version, written = map(int, line.split())
            acknowledged[written - 4 : written] = [version] * 4
        found = {document.id: document.content for document in store.filter_documents()}
        # The batch that was not acknowledged happened as a whole or not at all.
        for begin, unsure in ((0, written == 8), (4, written == 4)):
            versions = [acknowledged[begin], acknowledged[begin] + 1] if unsure else [acknowledged[begin]]
            numbers = range(begin, begin + 4)
            batch = [found[f"e{i}"] for i in numbers if f"e{i}" in found]
            assert batch in [
                [f"Answer {each // (1 + i % 2 * 3)} to {i}." for i in numbers] if each >= 0 else [] for each in versions
            ]
        check(store, encoder, found)
    builders.stdin.close()
    builders.wait()
