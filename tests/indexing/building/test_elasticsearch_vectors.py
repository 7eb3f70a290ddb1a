# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Vectors written by the bulk stream into a real server: which ones, whose, and what is not encoded again."""

import json
import uuid
from pathlib import Path

import numpy as np
import pytest
from elasticsearch import Elasticsearch

from answer_selection.indexing.building.elasticsearch import Change, build_version
from answer_selection.indexing.elasticsearch import documents, writer
from answer_selection.indexing.elasticsearch.connection import ElasticsearchError
from answer_selection.indexing.elasticsearch.index import ElasticsearchIndex
from answer_selection.indexing.elasticsearch.settings import IndexSettings
from answer_selection.indexing.elasticsearch.versions import find_versions
from answer_selection.indexing.encoder import EncoderRecord, entry_text, vector_fingerprint
from answer_selection.indexing.passages import PASSAGES_FIELD, unpack
from answer_selection.indexing.sources import Sources
from answer_selection.indexing.word_states import WORDS_FIELD
from hash_encoder import HashEncoder, HashReader

FAQ = [{"id": f"e{i:02}", "question": f"Question {i}?", "answer": f"Answer {i}.", "n": i} for i in range(30)]


class Index:
    """An index of its own, its file of entries, and what is in it."""

    def __init__(self, client: Elasticsearch, folder: Path) -> None:
        self.client, self.name, self.file = client, f"vectors-{uuid.uuid4().hex[:12]}", folder / "faq.jsonl"
        self.rejects = folder / "rejects.jsonl"
        self.entries(FAQ)

    def entries(self, entries: list[dict]) -> None:
        self.file.write_text("".join(json.dumps(entry) + "\n" for entry in entries), encoding="utf-8")

    def build(self, encoder: HashEncoder | None, change: Change = Change.NOTHING, **options):
        options = {"rejects": self.rejects, "change": change, "encoder": encoder, **options}
        return build_version(self.client, self.name, Sources([self.file]), **options)

    @property
    def encoder(self) -> EncoderRecord | None:
        return ElasticsearchIndex.open(self.name, self.client).encoder

    def versions(self) -> list[tuple[int, bool]]:
        return [(version.number, version.live) for version in find_versions(self.client, self.name)]

    def stored(self) -> dict[str, dict]:
        hits = self.client.search(index=self.name, size=1000)["hits"]["hits"]
        return {hit["_id"]: hit["_source"] for hit in hits}

    def check(self, encoder: HashEncoder) -> None:
        """Every document has the vector of its own text, in single precision and to its last bit."""
        for source in self.stored().values():
            text = entry_text(source["question"], source["content"])
            assert source["embedding_fingerprint"] == vector_fingerprint(encoder.record, text)
            [vector] = HashEncoder(encoder.record.name, encoder.record.dimension).encode([text])
            np.testing.assert_array_equal(np.array(source["embedding"], np.float32), vector)


@pytest.fixture
def index(elasticsearch_node, tmp_path, monkeypatch):
    # Several requests for these few entries.
    monkeypatch.setattr(documents, "BATCH_DOCUMENTS", 10)
    with Elasticsearch(elasticsearch_node.url) as client:
        index = Index(client, tmp_path)
        yield index
        for found in client.indices.get(index=f"{index.name}*", expand_wildcards="all"):
            client.indices.delete(index=found)
        client.options(ignore_status=404).indices.delete_index_template(name=index.name)


def texts(*numbers: int) -> list[str]:
    return [f"Question {i}? Answer {i}." for i in numbers]


def test_every_document_gets_the_vector_of_its_question_and_answer(index):
    encoder = HashEncoder()
    report = index.build(encoder)
    assert (report.written, report.refused, report.documents) == (30, 0, 30)
    assert encoder.texts == texts(*range(30))
    index.check(encoder)
    [mapping] = [each["mappings"] for each in index.client.indices.get(index=index.name).values()]
    assert mapping["properties"]["embedding"] == {
        "type": "dense_vector",
        "dims": 16,
        "index": True,
        "similarity": "cosine",
        "index_options": {"type": "hnsw", "m": 16, "ef_construction": 100},
    }
    assert index.encoder == encoder.record
    assert find_versions(index.client, index.name)[0].encoder == encoder.record
    # What else a document has is as it was.
    assert {**index.stored()["e07"], "embedding": None, "embedding_fingerprint": None} == {
        "id": "e07", "entry_id": "e07", "question": "Question 7?", "content": "Answer 7.", "n": 7,
        "source": str(index.file), "embedding": None, "embedding_fingerprint": None,
    }  # fmt: skip


def test_the_same_again_writes_and_encodes_nothing(index):
    index.build(HashEncoder())
    for change in Change:
        again = HashEncoder()
        assert (index.build(again, change).written, again.texts) == (0, [])
    assert index.versions() == [(1, True)]


def test_an_update_encodes_only_what_is_new_or_has_another_text(index):
    index.build(HashEncoder())
    index.entries([*FAQ[:3], {**FAQ[3], "answer": "Another."}, {**FAQ[4], "n": -1}, *FAQ[5:], {**FAQ[0], "id": "new"}])
    encoder = HashEncoder()
    assert index.build(encoder, Change.UPDATE).documents == 31
    # The new entry has the text of another one, but nothing is known of it.
    assert encoder.texts == ["Question 3? Another.", *texts(0)]
    assert index.stored()["e04"]["n"] == -1
    index.check(encoder)


def test_a_rebuild_takes_the_vectors_of_the_version_before(index):
    index.build(HashEncoder())
    encoder = HashEncoder()
    report = index.build(encoder, Change.REBUILD, settings=IndexSettings(language="german"))
    assert (report.documents, encoder.texts, index.versions()) == (30, [], [(1, False), (2, True)])
    assert index.encoder == encoder.record
    index.check(encoder)


def test_another_encoder_needs_a_new_version(index):
    first, other = HashEncoder("first"), HashEncoder("other", 24)
    index.build(first)
    for change in (Change.NOTHING, Change.UPDATE):
        with pytest.raises(ElasticsearchError, match="has vectors of the encoder 'first'") as told:
            index.build(other, change)
        assert "Pass --rebuild to make a new version with those of 'other'" in str(told.value)
        with pytest.raises(ElasticsearchError, match=r"'first'.*Pass --rebuild to make a new version without vectors"):
            index.build(None, change)
    assert other.texts == []
    assert index.build(other, Change.REBUILD).replaced == f"{index.name}-000001"
    assert len(other.texts) == 30
    assert index.encoder == other.record
    index.check(other)
    # And none again.
    index.build(None, Change.REBUILD)
    assert index.encoder is None
    assert "embedding" not in index.stored()["e00"]


def test_an_index_without_vectors_gets_them_in_a_new_version(index):
    index.build(None)
    with pytest.raises(ElasticsearchError, match=r"has no vectors\. Pass --rebuild to make a new version with"):
        index.build(HashEncoder(), Change.UPDATE)
    index.build(HashEncoder(), Change.REBUILD)
    assert index.versions() == [(1, False), (2, True)]
    index.check(HashEncoder())


def test_an_encoder_of_another_name_is_the_same_if_its_fingerprint_is(index):
    index.build(HashEncoder())
    moved = HashEncoder()
    moved.record = EncoderRecord("elsewhere", moved.record.fingerprint, moved.record.dimension)
    index.entries(FAQ[:5])
    index.build(moved, Change.UPDATE, settings=IndexSettings(replicas=0))
    assert moved.texts == []
    assert index.encoder == HashEncoder().record


class Breaking(HashEncoder):
    """One that fails at some call."""

    def __init__(self, call: int) -> None:
        super().__init__()
        self.left = call

    def encode(self, texts):
        self.left -= 1
        if not self.left:
            msg = "out of memory"
            raise RuntimeError(msg)
        return super().encode(texts)


def test_a_build_that_broke_off_goes_on_behind_what_is_there(index):
    with pytest.raises(RuntimeError, match="out of memory"):
        index.build(Breaking(3))
    [version] = find_versions(index.client, index.name)
    assert 0 < version.state.position < 30
    assert not version.live
    encoder = HashEncoder()
    assert index.build(encoder).written == 30 - version.state.position
    assert encoder.texts == texts(*range(version.state.position, 30))
    assert index.versions() == [(1, True)]
    index.check(encoder)


def test_an_unfinished_version_of_another_encoder_is_begun_anew(index):
    with pytest.raises(RuntimeError):
        index.build(Breaking(3))
    other = HashEncoder("other")
    index.build(other)
    assert len(other.texts) == 30
    assert index.versions() == [(2, True)]
    index.check(other)


@pytest.mark.parametrize(("column", "value", "message"), [(None, 15, "of 15 numbers"), (3, np.nan, "16 finite ones")])
def test_what_is_no_vector_stops_the_run(index, column, value, message, monkeypatch):
    encode = HashEncoder.encode

    def wrong(self, texts):
        vectors = encode(self, texts)
        if column is None:
            return vectors[:, :value]
        vectors[-1, column] = value
        return vectors

    monkeypatch.setattr(HashEncoder, "encode", wrong)
    with pytest.raises(ValueError, match=rf"the encoder hash gives 'e\d\d' a vector .*{message}"):
        index.build(HashEncoder())
    assert find_versions(index.client, index.name) == []


LONG = [
    {"id": f"e{i:02}", "question": f"Question {i}?", "answer": f"Open it {i}. Wait for {i}. Close it.", "n": i}
    for i in range(12)
]


def passages_of(entry: dict) -> list[str]:
    return [f"{entry['question']} {sentence.strip()}." for sentence in entry["answer"].split(".") if sentence]


def check_passages(index: Index, written: list[dict]) -> None:
    stored = index.stored()
    for entry in written:
        expected = HashEncoder().encode(passages_of(entry)).astype(np.float16)
        np.testing.assert_array_equal(unpack(stored[entry["id"]], 16), expected)


def test_documents_get_the_vectors_of_their_passages(index):
    index.entries([*LONG, FAQ[20]])
    index.build(HashEncoder())
    check_passages(index, LONG)
    assert PASSAGES_FIELD not in index.stored()["e20"]
    [mapping] = [each["mappings"] for each in index.client.indices.get(index=index.name).values()]
    assert mapping["properties"][PASSAGES_FIELD] == {"type": "keyword", "index": False, "doc_values": False}
    assert ElasticsearchIndex.open(index.name, index.client).has_passages
    # Only what has changed is encoded again; what is one sentence now has none.
    encoder = HashEncoder()
    index.entries([{**LONG[0], "n": -1}, {**LONG[1], "answer": "No. Really not."}, FAQ[2], *LONG[3:]])
    index.build(encoder, Change.UPDATE)
    assert sorted(encoder.texts) == sorted(
        ["Question 1? No. Really not.", "Question 1? No.", "Question 1? Really not.", *texts(2)]
    )
    check_passages(index, [LONG[0], *LONG[3:]])
    assert PASSAGES_FIELD not in index.stored()["e02"]


def test_a_version_without_passages_stays_as_it_is_until_a_rebuild(index, monkeypatch):
    """Entries that have some have other cosines than those that have none."""
    index.entries(LONG)
    with monkeypatch.context() as earlier:
        with_encoder = IndexSettings.with_encoder
        earlier.setattr(
            IndexSettings, "with_encoder", lambda self, encoder, **_: with_encoder(self, encoder, passages=False)
        )
        index.build(HashEncoder())
    assert not ElasticsearchIndex.open(index.name, index.client).has_passages
    index.entries([*LONG, {**LONG[0], "id": "new"}])
    report = index.build(
        HashEncoder(), Change.UPDATE, settings=IndexSettings(search_fields={"content": 2.0, "question": 1.0})
    )
    assert (report.settings_changed, report.documents) == (True, 13)
    assert not any(PASSAGES_FIELD in source for source in index.stored().values())
    [hit], _ = ElasticsearchIndex.open(index.name, index.client).search_hybrid(
        ["it", "it"], HashEncoder().encode(["a", "b"]).tolist(), 1
    )
    assert hit.vector_score is not None
    encoder = HashEncoder()
    assert index.build(encoder, Change.REBUILD).live
    assert index.versions() == [(1, False), (2, True)]
    # The vectors of the entries are known.
    assert sorted(encoder.texts) == sorted(text for entry in [*LONG, LONG[0]] for text in passages_of(entry))
    check_passages(index, LONG)
    again = HashEncoder()
    assert (index.build(again, Change.REBUILD).written, again.texts) == (0, [])


def check_words(index: Index, reader: HashReader) -> None:
    for source in index.stored().values():
        assert source[WORDS_FIELD] == reader.stored(entry_text(source["question"], source["content"]))


def test_documents_have_the_states_of_their_words(index):
    encoder = HashEncoder()
    reader = HashReader(encoder)
    index.build(encoder, words=reader)
    # They were read with the index's encoder.
    assert (reader.texts, encoder.texts) == (texts(*range(30)), [])
    index.check(encoder)
    check_words(index, reader)
    [mapping] = [each["mappings"] for each in index.client.indices.get(index=index.name).values()]
    assert mapping["properties"][WORDS_FIELD] == {"type": "keyword", "index": False, "doc_values": False}

    index.entries([{**FAQ[0], "answer": "Another."}, {**FAQ[1], "n": -1}, *FAQ[2:]])
    again = HashReader(encoder)
    index.build(encoder, Change.UPDATE, words=again)
    assert (again.texts, encoder.texts) == (["Question 0? Another."], [])
    check_words(index, again)
    other = HashReader(encoder, "another reader")
    index.build(encoder, Change.REBUILD, words=other)
    assert len(other.texts) == 30
    assert encoder.texts == []
    check_words(index, other)


def test_a_version_without_words_gets_none_until_a_rebuild(index):
    """Its mapping has no place for them, and the server would look into them."""
    index.build(HashEncoder())
    assert not find_versions(index.client, index.name)[0].words
    index.entries([*FAQ, {**FAQ[0], "id": "new"}])
    reader = HashReader(HashEncoder())
    index.build(HashEncoder(), Change.UPDATE, words=reader)
    assert reader.texts == []
    assert not any(WORDS_FIELD in source for source in index.stored().values())
    index.build(HashEncoder(), Change.REBUILD, words=reader)
    assert find_versions(index.client, index.name)[-1].words
    check_words(index, reader)


def test_a_dry_run_encodes_nothing(index):
    encoder = HashEncoder()
    assert index.build(encoder, dry_run=True).written == 30
    assert encoder.texts == []


def test_many_numbers_do_not_make_a_request_larger_than_the_server_takes(index, monkeypatch):
    index.entries([{**entry, "answer": "long " * 50} for entry in FAQ])
    sizes = []
    send = writer.BulkWriter._send

    def measured(self, operations, stop):
        sizes.append(sum(operation.size() for operation in operations))
        return send(self, operations, stop)

    monkeypatch.setattr(writer, "BATCH_BYTES", 20_000)
    monkeypatch.setattr(writer.BulkWriter, "_send", measured)
    encoder = HashEncoder(dimension=200)
    index.build(encoder, words=HashReader(encoder))
    assert max(sizes) <= 20_000
    assert len(sizes) >= 4
