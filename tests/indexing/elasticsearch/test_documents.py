# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""What is stored is what the integration's own store would have written, in an order and with a digest that tell it."""

import json
import uuid
from pathlib import Path

import pytest
from elasticsearch import Elasticsearch
from haystack_integrations.document_stores.elasticsearch import ElasticsearchDocumentStore

from answer_selection.indexing.elasticsearch.documents import NOTHING, DocumentStream, stored
from answer_selection.indexing.elasticsearch.settings import IndexSettings
from answer_selection.indexing.elasticsearch.template import put_template
from answer_selection.indexing.elasticsearch.writer import BATCH_DOCUMENTS, Batch, BulkWriter, Operation
from answer_selection.indexing.entries import Entry
from answer_selection.indexing.sources import Sources

ODD = [
    Entry("plain", "At the desk.", "Where?", {"topic": "loans", "year": 2024, "tags": ["a", "b"], "nested": {"a": 1}}),
    Entry("no question", "At the desk."),
    Entry("no meta", "At the desk.", "Where?"),
    # Names that a document has for itself, or once had.
    Entry("content", "At the desk.", "Where?", {"content": "other", "topic": "x"}),
    Entry("id", "At the desk.", "Where?", {"id": 7}),
    Entry("score", "At the desk.", "Where?", {"score": 0.5}),
    Entry("embedding", "At the desk.", "Where?", {"embedding": [0.5, 1], "blob": "b", "sparse_embedding": {"a": 1}}),
    Entry("meta", "At the desk.", "Where?", {"meta": {"a": 1}}),
    Entry("legacy", "At the desk.", "Where?", {"content_type": "text", "dataframe": "d", "id_hash_keys": ["a"]}),
    Entry("none", "At the desk.", "Where?", {"topic": None}),
    Entry("é 😀", "Größe\u2028东京", "Où ?", {"où": "là"}),
]


def write(path: Path, number: int, **changed: str) -> Sources:
    lines = [
        {"id": f"e{i}", "question": f"q{i}", "answer": changed.get(f"e{i}", f"Answer {i}.")} for i in range(number)
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return Sources([path])


@pytest.mark.parametrize("entry", ODD, ids=lambda entry: entry.entry_id)
def test_a_document_is_what_haystack_makes_of_it(entry: Entry):
    expected = entry.to_document().to_dict()
    for name in ("blob", "score", "embedding", "sparse_embedding"):
        assert expected.pop(name) is None
    assert stored(entry) == expected


def test_the_integrations_store_writes_the_same_and_reads_it_back(elasticsearch_node):
    name = f"documents-{uuid.uuid4().hex}"
    with Elasticsearch(elasticsearch_node.url) as client:
        put_template(client, name, IndexSettings())
        sources = {}
        for number, index in enumerate((f"{name}-000001", f"{name}-000002")):
            client.indices.create(index=index)
            store = ElasticsearchDocumentStore(hosts=elasticsearch_node.url, index=index)
            if number:
                store.write_documents([entry.to_document() for entry in ODD], refresh=True)
            else:
                operations = [Operation(entry.entry_id, json.dumps(stored(entry)).encode()) for entry in ODD]
                assert [refused for _, refused in BulkWriter(client, index).write([Batch(operations)])] == [[]]
                client.indices.refresh(index=index)
            hits = client.search(index=index, size=100)["hits"]["hits"]
            sources[index] = {hit["_id"]: hit["_source"] for hit in hits}
            read = {document.id: document for document in store.filter_documents()}
            assert {id_: (document.content, document.meta) for id_, document in read.items()} == {
                entry.entry_id: (entry.answer, entry.to_document().meta) for entry in ODD
            }
            client.indices.delete(index=index)
        client.indices.delete_index_template(name=name)
    first, second = sources.values()
    assert first == second
    assert len(first) == len(ODD)


def test_a_corpus_is_told_by_the_digest_of_its_documents(tmp_path):
    with DocumentStream(write(tmp_path / "a.jsonl", 10)) as stream:
        assert (stream.position, stream.digest) == (0, NOTHING)
        assert stream.starts_with(0, NOTHING)
        digests = [stream.digest]
        for _ in stream:
            digests.append(stream.digest)
        assert stream.position == 10
        assert len(set(digests)) == 11
    for position in (0, 1, 9, 10):
        with DocumentStream(write(tmp_path / "a.jsonl", 10)) as stream:
            assert stream.starts_with(position, digests[position])
            assert [operation.id for operation in stream] == [f"e{i}" for i in range(position, 10)]
            assert stream.digest == digests[10]


@pytest.mark.parametrize("position", [1, 5, 10])
def test_a_corpus_that_begins_otherwise_is_told(position, tmp_path):
    with DocumentStream(write(tmp_path / "a.jsonl", 10)) as stream:
        stream.starts_with(position, "")
        digest = stream.digest
    for number, changed in ((10, {"e0": "Other."}), (position - 1, {})):
        with DocumentStream(write(tmp_path / "a.jsonl", number, **changed)) as stream:
            assert not stream.starts_with(position, digest)
    with DocumentStream(write(tmp_path / "a.jsonl", 10, e9="Other.")) as stream:
        assert stream.starts_with(position, digest) == (position < 10)


def test_where_an_entry_comes_from_is_a_part_of_it(tmp_path):
    digests = {}
    for name in ("a.jsonl", "b.jsonl", "a.jsonl"):
        with DocumentStream(write(tmp_path / name, 5)) as stream:
            stream.starts_with(5, "")
            assert digests.setdefault(name, stream.digest) == stream.digest
    assert len(set(digests.values())) == 2


def test_batches_have_a_number_of_documents_and_say_where_they_end(tmp_path):
    number = 2 * BATCH_DOCUMENTS + 7
    sources = write(tmp_path / "a.jsonl", number)
    with DocumentStream(sources) as stream:
        batches = list(stream.batches(10**9))
    assert [len(batch.operations) for batch in batches] == [BATCH_DOCUMENTS, BATCH_DOCUMENTS, 7]
    assert [batch.position for batch in batches] == [BATCH_DOCUMENTS, 2 * BATCH_DOCUMENTS, number]
    assert [operation.id for batch in batches for operation in batch.operations] == [f"e{i}" for i in range(number)]
    for batch in batches:
        with DocumentStream(sources) as stream:
            assert stream.starts_with(batch.position, batch.digest)


def test_batches_stay_below_a_number_of_bytes(tmp_path):
    sources = write(tmp_path / "a.jsonl", 40, e7="long " * 100, e8="longer " * 200)
    with DocumentStream(sources) as stream:
        batches = list(stream.batches(600))
    assert sum(len(batch.operations) for batch in batches) == 40
    assert max(len(batch.operations) for batch in batches) > 1
    for batch in batches:
        assert sum(operation.size() for operation in batch.operations) <= 600 or len(batch.operations) == 1
        with DocumentStream(sources) as stream:
            assert stream.starts_with(batch.position, batch.digest)
