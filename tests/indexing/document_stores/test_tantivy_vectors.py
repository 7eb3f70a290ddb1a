# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Searching by vectors, against plain numpy over the documents that should be there."""

import math
import random
import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest
import tantivy
from haystack import Document
from haystack.document_stores.errors import DocumentStoreError
from haystack.document_stores.in_memory import InMemoryDocumentStore
from haystack.document_stores.types import DuplicatePolicy

from answer_selection.indexing.corpus_index import DocumentUpdate
from haystack_integrations.document_stores.tantivy import (
    IndexDamagedError,
    IndexOpenError,
    TantivyDocumentStore,
    folder,
    vector_writing,
)
from haystack_integrations.document_stores.tantivy.checksums import _write, file_checksum, read_checksums
from haystack_integrations.document_stores.tantivy.folder import create_index, settings
from haystack_integrations.document_stores.tantivy.verify import verify

WIDTH = 16


@pytest.fixture
def store(tmp_path):
    return TantivyDocumentStore(path=tmp_path / "index")


def documents(generator, numbers, width=WIDTH):
    """Every seventh document has no embedding, and some of them have the same one."""
    return [
        Document(
            id=f"d{i}",
            content=f"loan {i}",
            meta={"topic": i % 5},
            embedding=None
            if i % 7 == 3
            else (generator.normal(size=width).round(i % 3) * 10.0 ** (i % 9 - 4)).tolist(),
        )
        for i in numbers
    ]


def obvious(kept, query, top_k):
    """Cosines of what is stored, vectors of length 1 in single precision, one after another."""

    def unit(vector):
        norm = math.sqrt(math.fsum(x * x for x in vector)) or 1.0
        return [x / norm for x in vector]

    def cosine(vector):
        return math.fsum(float(np.float32(x)) * y for x, y in zip(unit(vector), unit(query), strict=True))

    scored = [(cosine(d.embedding), i, d.id) for i, d in enumerate(kept) if d.embedding is not None]
    # What is equal but for rounding is left to the order of writing.
    best = sorted(scored, key=lambda hit: (-round(hit[0], 11), hit[1]))[:top_k]
    return [(document_id, pytest.approx(score, abs=1e-11)) for score, _, document_id in best]


def found(store, query, **kwargs):
    return [(d.id, d.score) for d in store.embedding_retrieval(query, **kwargs)]


def vector_files(store):
    return sorted(file.name for file in (store.path / "index").iterdir() if ".vectors" in file.name)


def test_the_nearest_come_first(store):
    store.write_documents(
        [
            Document(id="far", embedding=[-1.0, 0.0]),
            Document(id="none", content="no embedding"),
            Document(id="near", embedding=[300.0, 10.0]),
            Document(id="zero", embedding=[0.0, 0.0]),
            Document(id="same", embedding=[300.0, 10.0]),
            Document(id="tiny", embedding=[1e-200, 1e-200]),
        ]
    )
    hits = store.embedding_retrieval([2, 0])
    assert [d.id for d in hits] == ["near", "same", "tiny", "zero", "far"]
    assert [d.score for d in hits] == pytest.approx([300 / math.hypot(300, 10)] * 2 + [math.sqrt(0.5), 0, -1])
    assert hits[0].embedding == [300.0, 10.0]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_random_changes(tmp_path, seed, monkeypatch):
    """Writes, overwrites, updates and deletions, the files of vectors put together and rewritten meanwhile."""
    monkeypatch.setattr(vector_writing, "_BLOCK", 7)
    generator, chooser = np.random.default_rng(seed), random.Random(seed)
    store, expected, number = TantivyDocumentStore(path=tmp_path / "index"), {}, 0
    topics = {"field": "meta.topic", "operator": "in", "value": [1, 3]}
    rare = {"field": "id", "operator": "in", "value": ["d1", "d5", "d60", "d3"]}
    for step in range(25):
        chosen = chooser.sample(sorted(expected), min(len(expected), chooser.randint(0, 25)))
        kind = chooser.choice(["write", "write", "overwrite", "update", "meta", "delete", "filter", "all"])
        if kind == "write":
            new = documents(generator, range(number, number + chooser.randint(1, 30)))
            number += len(new)
            store.write_documents(new)
            expected.update((d.id, d) for d in new)
        elif kind == "overwrite" and chosen:
            new = documents(generator, [int(i[1:]) for i in chosen])
            store.write_documents([*new, *new], DuplicatePolicy.OVERWRITE)
            for d in new:
                expected.pop(d.id)
                expected[d.id] = d
        elif kind == "update":
            embeddings = {i: generator.normal(size=WIDTH).tolist() for i in chosen}
            store.update_documents(DocumentUpdate(i, e, {"new": step}) for i, e in embeddings.items())
            for i, e in embeddings.items():
                expected[i] = replace(expected[i], embedding=e, meta={**expected[i].meta, "new": step})
        elif kind == "meta":
            store.update_documents(DocumentUpdate(i, None, {"mark": step}) for i in chosen)
            store.update_by_filter(topics, {"seen": step})
            for i in chosen:
                expected[i] = replace(expected[i], meta={**expected[i].meta, "mark": step})
            for i, d in expected.items():
                if d.meta["topic"] in (1, 3):
                    expected[i] = replace(d, meta={**d.meta, "seen": step})
        elif kind == "delete":
            store.delete_documents(chosen)
            for i in chosen:
                expected.pop(i)
        elif kind == "filter" and step % 3 == 0:
            store.delete_by_filter({"field": "meta.topic", "operator": "==", "value": 4})
            expected = {i: d for i, d in expected.items() if d.meta["topic"] != 4}
        elif kind == "all" and step % 4 == 0:
            store.delete_all_documents()
            expected = {}
        if chooser.random() < 0.3:
            store = TantivyDocumentStore.open(store.path) if store.path.exists() else store
        kept = list(expected.values())
        assert store.filter_documents() == kept
        if not any(d.embedding for d in kept):
            continue
        queries = [generator.normal(size=WIDTH).tolist() for _ in range(3)]
        for query in queries:
            assert found(store, query) == obvious(kept, query, 10)
        assert found(store, queries[0], top_k=1000) == obvious(kept, queries[0], 1000)
        filtered = [d for d in kept if d.meta["topic"] in (1, 3)]
        assert found(store, queries[0], filters=topics, top_k=3) == obvious(filtered, queries[0], 3)
        some = [d for d in kept if d.id in ("d1", "d5", "d60", "d3")]
        assert found(store, queries[0], filters=rare) == obvious(some, queries[0], 10)
        assert verify(store.path).damaged == []
        assert len(vector_files(store)) <= 8


def test_as_haystacks_own_store(store):
    generator = np.random.default_rng(7)
    written = documents(generator, range(200), width=48)
    store.write_documents(written)
    memory = InMemoryDocumentStore(embedding_similarity_function="cosine", shared=False)
    memory.write_documents(written)
    topic = {"field": "meta.topic", "operator": "<=", "value": 2}
    for _ in range(10):
        query = generator.normal(size=48).tolist()
        for filters in (None, topic):
            right = memory.embedding_retrieval(query, filters=filters, top_k=15)
            hits = store.embedding_retrieval(query, filters=filters, top_k=15)
            assert [d.score for d in hits] == pytest.approx([d.score for d in right], abs=1e-6)
            assert [d.id for d in hits] == [d.id for d in right]


def test_many_equal_vectors_keep_the_order_of_writing(store):
    vector = np.random.default_rng(0).normal(size=33).tolist()
    for start in range(0, 300, 50):
        store.write_documents([Document(id=str(i), embedding=vector) for i in range(start, start + 50)])
    assert [d.id for d in store.embedding_retrieval(vector[::-1], top_k=60)] == [str(i) for i in range(60)]


@pytest.mark.slow
def test_small_files_are_put_together_and_dead_rows_left_out(store, monkeypatch):
    generator = np.random.default_rng(0)
    for document in documents(generator, range(24)):
        store.write_documents([document])
    assert len(vector_files(store)) <= 6
    store.write_documents(documents(generator, range(24, 400)))
    store.delete_documents([f"d{i}" for i in range(24, 380)])
    assert sum(file.stat().st_size for file in (store.path / "index").glob("*.vectors")) < 60 * (4 * WIDTH + 8)
    assert {d.id for d in store.embedding_retrieval([1.0] * WIDTH, top_k=500)} == {
        f"d{i}" for i in [*range(24), *range(380, 400)] if i % 7 != 3
    }
    store.delete_all_documents()
    assert vector_files(store) == []
    # Files above a size are left alone.
    monkeypatch.setattr(vector_writing, "_LARGE", 4 * WIDTH * 50)
    for start in range(0, 200, 40):
        store.write_documents(documents(generator, range(start, start + 40)))
    assert len(vector_files(store)) == 5


def test_a_change_of_metadata_writes_no_vectors(store):
    store.write_documents(documents(np.random.default_rng(0), range(50)))
    before = vector_files(store)
    store.update_by_filter({"field": "meta.topic", "operator": "<", "value": 9}, {"seen": True})
    assert vector_files(store) == before
    assert verify(store.path).damaged == []


@pytest.mark.slow
def test_nothing_is_left_of_a_write_that_fails(store):
    store.write_documents(documents(np.random.default_rng(0), range(50)))
    before = vector_files(store)

    def failing():
        yield from documents(np.random.default_rng(0), range(50, 20_000))
        raise RuntimeError

    with pytest.raises(RuntimeError):
        store.write_documents(failing())
    assert vector_files(store) == before
    assert store.count_documents() == 50


# --- what can't be searched ---


@pytest.mark.parametrize(
    ("embedding", "message"),
    [
        ([1.0, 2.0], "the embedding of document 'x' has 2 numbers, expected 3, as those of the index have"),
        ([1.0, math.nan, 0.0], "the embedding of document 'x' holds nan at place 1, expected finite numbers"),
        ([1.0, 2.0, -math.inf], "the embedding of document 'x' holds -inf at place 2"),
        ([], "the embedding of document 'x' must be a list of numbers, got an array of shape [0]"),
        ([[1.0, 2.0, 3.0]], "got an array of shape [1, 3]"),
        (["a", 1.0, 2.0], "the embedding of document 'x' must be a list of numbers"),
    ],
)
def test_embeddings_that_cannot_be_searched_are_named_and_nothing_is_written(store, embedding, message):
    store.write_documents([Document(id="1", embedding=[1.0, 2.0, 3.0])])
    with pytest.raises(ValueError, match=re.escape(message)):
        store.write_documents([Document(id="good", embedding=[3.0, 2.0, 1.0]), Document(id="x", embedding=embedding)])
    assert store.count_documents() == 1
    if len(embedding) != 2:
        with pytest.raises(ValueError, match=re.escape(message.replace("'x'", "'1'"))):
            store.update_documents([DocumentUpdate("1", embedding, {})])
    query_message = message.replace("the embedding of document 'x'", "query_embedding").partition(", expected 3")[0]
    with pytest.raises(ValueError, match=re.escape(query_message)):
        store.embedding_retrieval(embedding)
    assert found(store, [1.0, 2.0, 3.0]) == [("1", pytest.approx(1))]


def test_embeddings_come_back_as_they_were(store):
    single = np.random.default_rng(0).normal(size=8).astype(np.float32).tolist()
    embeddings = [single, [x / 3 for x in single], [1, 2, 3, 4, 5, 6, 7, 8], [1e300, -1e-300, 0.1, -0.0, 0, 0, 0, 1]]
    store.write_documents([Document(id=str(i), embedding=e) for i, e in enumerate(embeddings)])
    assert [repr(d.embedding) for d in store.filter_documents()] == [
        repr([float(x) for x in embedding]) for embedding in embeddings
    ]


def test_the_first_embedding_sets_the_width_until_all_are_gone(store):
    with pytest.raises(ValueError, match="document '2' has 3 numbers, expected 2"):
        store.write_documents([Document(id="1", embedding=[1.0, 2.0]), Document(id="2", embedding=[1.0, 2.0, 3.0])])
    store.write_documents([Document(id="1", embedding=[1.0, 2.0])])
    store.delete_all_documents()
    store.write_documents([Document(id="2", embedding=[1.0, 2.0, 3.0])])
    assert found(store, [1.0, 2.0, 3.0]) == [("2", pytest.approx(1))]


def test_a_new_model_takes_the_place_of_the_old_one(store):
    store.write_documents([Document(id=str(i), embedding=[1.0, i]) for i in range(4)])
    store.update_documents([DocumentUpdate(i, [1.0, 0.0, 2.0], {}) for i in "01"])
    with pytest.raises(DocumentStoreError, match=r"are of several widths \(2, 3\): embed all documents by one model"):
        store.embedding_retrieval([1.0, 2.0])
    assert verify(store.path).damaged == []
    store.update_documents([DocumentUpdate(i, [0.0, 1.0, 2.0], {}) for i in "23"])
    assert [i for i, _ in found(store, [1.0, 0.0, 0.0])] == ["0", "1", "2", "3"]
    with pytest.raises(ValueError, match=r"query_embedding has 2 numbers, the vectors of the index in .* have 3"):
        store.embedding_retrieval([1.0, 2.0])


def test_an_index_without_vectors(store):
    with pytest.raises(IndexOpenError, match="there is no index in"):
        store.embedding_retrieval([1.0])
    store.write_documents([Document(id="1", content="loan")])
    with pytest.raises(DocumentStoreError, match=r"no document of the index in .* has an embedding: write the"):
        store.embedding_retrieval([1.0])
    store.update_documents([DocumentUpdate("1", [1.0, 1.0], {})])
    assert [i for i, _ in found(store, [1.0, 0.0])] == ["1"]
    nowhere = {"field": "meta.topic", "operator": "==", "value": 9}
    assert found(store, [1.0, 0.0], filters=nowhere) == []
    for top_k in (0, True):
        with pytest.raises(ValueError, match="top_k must be an integer of at least 1"):
            store.embedding_retrieval([1.0, 0.0], top_k=top_k)
    store.delete_all_documents()
    assert found(store, [1.0]) == []


def earlier_schema(expected):
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("id", tokenizer_name="raw", index_option="basic")
    builder.add_unsigned_field("order", indexed=True, fast=True)
    for i in range(len(expected.fields)):
        builder.add_text_field(f"text_{i}", tokenizer_name="text", index_option="freq")
    builder.add_text_field("filter", tokenizer_name="raw", index_option="basic")
    builder.add_bytes_field("document", stored=True)
    return builder.build()


def test_an_index_of_an_earlier_version(tmp_path, monkeypatch):
    """BM25 is as it was; a search by vectors says what to do."""
    with monkeypatch.context() as patched:
        patched.setattr(folder, "_FORMAT_VERSION", 2)
        patched.setattr(folder, "_schema", earlier_schema)
        create_index(tmp_path / "index", settings("english", ["content", "question"]))
    store = TantivyDocumentStore(path=tmp_path / "index")
    written = [
        Document(id="1", content="loan", embedding=[1.0, 2.0]),
        Document(id="2", content="loans", embedding=[1.0, 2.0, 3.0]),
    ]
    store.write_documents(written)
    store.update_by_filter({"field": "id", "operator": "==", "value": "1"}, {})
    store.update_documents([DocumentUpdate("2", [math.inf], {})])
    assert [(d.id, d.embedding) for d in store.bm25_retrieval("loan")] == [("1", [1.0, 2.0]), ("2", [math.inf])]
    assert vector_files(store) == []
    assert verify(store.path).damaged == []
    with pytest.raises(
        DocumentStoreError,
        match=r"made by an earlier version and has no place for vectors: write its documents with their embeddings",
    ):
        TantivyDocumentStore.open(store.path).embedding_retrieval([1.0, 2.0])


def test_vectors_that_are_gone_or_beside_another_text_are_damage(store):
    store.write_documents(documents(np.random.default_rng(0), range(20)))
    store.write_documents(documents(np.random.default_rng(1), range(20, 60)))
    vectors = store._commits.last().vectors
    first = vectors.parts[0].file
    path = store.path / "index" / first.name
    data = path.read_bytes()
    path.unlink()
    with pytest.raises(IndexDamagedError, match="a file of vectors is not as it was written"):
        TantivyDocumentStore.open(store.path).count_documents()
    assert verify(store.path).damaged == [first.name]
    # Two rows in each other's place, as no checksum of a file that was just written would tell.
    size = 4 * WIDTH
    path.write_bytes(data[size : 2 * size] + data[:size] + data[2 * size :])
    kept = read_checksums(store.path / "index") | {first.name: file_checksum(path)}
    _write(store.path / "index", kept)
    assert verify(store.path).damaged == ["the vector of document 'd0'", "the vector of document 'd1'"]


# --- readers beside a writer ---


@pytest.mark.slow
def test_readers_see_each_commit_with_its_own_vectors(store):
    """Every commit moves all vectors: a search that mixed two commits would find another text's vector."""

    def vector(step, i):
        angle = (step * 7 + i) % 60 / 60 * 2 * math.pi
        return [math.cos(angle), math.sin(angle)]

    def write(step):
        updates = [Document(id=str(i), content=f"{step}", embedding=vector(step, i)) for i in range(20)]
        store.write_documents(updates, DuplicatePolicy.OVERWRITE)

    write(0)
    done = []

    def read(_):
        reader, searches = TantivyDocumentStore.open(store.path), 0
        while not done:
            hits = reader.embedding_retrieval([1.0, 0.0], top_k=20)
            [step] = {d.content for d in hits}
            for hit in hits:
                assert hit.embedding == vector(int(step), int(hit.id))
                assert hit.score == pytest.approx(hit.embedding[0], abs=1e-6)
            searches += 1
        return searches

    with ThreadPoolExecutor(3) as executor:
        readers = [executor.submit(read, i) for i in range(2)]
        try:
            for step in range(1, 25):
                write(step)
        finally:
            done.append(True)
        assert all(reader.result() for reader in readers)


def test_a_search_that_has_begun_ends_on_its_commit(store):
    generator = np.random.default_rng(0)
    written = documents(generator, range(100))
    store.write_documents(written)
    queries = [generator.normal(size=WIDTH).tolist() for _ in range(200)]
    right = list(store.search_hybrid(["text"] * len(queries), queries, 5))
    results = store.search_hybrid(["text"] * len(queries), queries, 5)
    first = next(results)
    store.delete_all_documents()
    store.write_documents(documents(generator, range(100)))
    assert [first, *results] == right
