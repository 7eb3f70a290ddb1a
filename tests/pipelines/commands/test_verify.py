# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
import json

import pytest
from haystack import Document

from haystack_integrations.document_stores.tantivy import IndexDamagedError, TantivyDocumentStore
from haystack_integrations.document_stores.tantivy.folder import create_index, settings


@pytest.fixture
def store(tmp_path):
    store = TantivyDocumentStore(path=tmp_path / "faq-index")
    store.write_documents([Document(id=f"[{i}]", content=f"Desk {i}.") for i in range(30)])
    return store


def flip(file):
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 4
    file.write_bytes(data)


def test_a_sound_index(command, store):
    done = command("verify")
    assert (done.code, done.out) == (
        0,
        "faq-index is sound: 9 files and 30 documents were compared with their checksums",
    )


def test_damaged_files_are_named(command, store):
    damaged = sorted([*(store.path / "index").glob("*.store"), *(store.path / "index").glob("*.term")])
    for file in damaged:
        flip(file)
    done = command("verify", "--index", "faq-index")
    assert done.code == 1
    named = " ".join(f"damaged: {file.name}" for file in damaged)
    assert done.out == (
        f"{named} faq-index is damaged in 2 places; 9 files and 0 documents were compared with their checksums. Index "
        "its sources into a new folder"
    )
    asked = command("ask", "where is the desk?")
    assert asked.code == 2
    assert "the index in faq-index is damaged: " in asked.err
    assert "`answer-selection verify --index faq-index`" in asked.err


def test_ten_damaged_documents_are_named(command, store, monkeypatch):
    def damaged(searcher, order, address, score=None):
        raise IndexDamagedError(store.path, f"document '[{order}]'")

    monkeypatch.setattr("haystack_integrations.document_stores.tantivy.searcher.Searcher.document", damaged)
    done = command("verify")
    assert done.code == 1
    assert done.out.count("damaged: document") == 10
    assert "damaged: document '[9]' ... and 20 more faq-index is damaged in 30 places" in done.out


def test_an_index_without_checksums(command, tmp_path):
    create_index(tmp_path / "old", settings("english", ["content", "question"]))
    file = tmp_path / "old" / "index" / "settings.json"
    file.write_text(json.dumps({**json.loads(file.read_text()), "format_version": 1}))
    (tmp_path / "old" / "index" / "checksums").unlink()
    TantivyDocumentStore.open(tmp_path / "old").write_documents([Document(content="At any desk.")])
    done = command("verify", "--index", "old")
    assert (done.code, done.out) == (
        0,
        "old has no checksums: an earlier version made it. Its 1 document can be read. "
        "`answer-selection index SOURCES --index NEW` makes an index with checksums",
    )


def test_no_index_and_an_index_that_is_written(command, store):
    done = command("verify", "--index", "nowhere")
    assert done.code == 2
    assert done.err.endswith(
        "error there is no index in nowhere, or it is empty: `answer-selection index FILE --index nowhere`"
    )
    with store._commits.transaction():
        done = command("verify")
    assert done.code == 2
    assert "another writer is at work on the index in faq-index" in done.err
