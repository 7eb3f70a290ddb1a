# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""An index with flipped bits: what is read is right, or the store's own error; `verify` finds every one."""

import json
import os
import pickle
import random
import shutil
from contextlib import contextmanager
from string import ascii_letters

import pytest
from haystack import Document
from haystack.document_stores.types import DuplicatePolicy

from haystack_integrations.document_stores.tantivy import IndexDamagedError, IndexOpenError, TantivyDocumentStore
from haystack_integrations.document_stores.tantivy.checksums import read_checksums
from haystack_integrations.document_stores.tantivy.folder import create_index, settings
from haystack_integrations.document_stores.tantivy.verify import verify

FILES = [
    ".store",
    ".term",
    ".idx",
    ".pos",
    ".fast",
    ".fieldnorm",
    ".del",
    ".vectors",
    "/meta.json",
    "/.managed.json",
    "/settings.json",
    "/checksums",
]
TOPIC = {"field": "meta.topic", "operator": "==", "value": 3}


def loans(number):
    generator = random.Random(0)
    return [
        Document(
            id=f"loan-{i}",
            content=" ".join(generator.choices(["loan", "card", "desk", "book", "week", "room", "fee"], k=30)),
            meta={
                "question": f"What is loan {i}?",
                "topic": i % 5,
                "mark": "".join(generator.choices(ascii_letters, k=12)),
            },
            embedding=[generator.gauss(0, 1) for _ in range(8)],
        )
        for i in range(number)
    ]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """An index of two segments, one of them with a deleted document."""
    store = TantivyDocumentStore(path=tmp_path_factory.mktemp("damage") / "index")
    documents = loans(120)
    store.write_documents(documents[:100])
    store.write_documents(documents[100:])
    store.delete_documents(["loan-7"])
    return store.path


def files(folder, kind):
    return [file for file in sorted((folder / "index").iterdir()) if str(file).endswith(kind)]


@contextmanager
def flipped(file, bit):
    """A file with one bit flipped; afterwards the very file that was there is there again."""
    data = bytearray(file.read_bytes())
    data[bit // 8] ^= 1 << bit % 8
    kept = file.with_name(".kept")
    file.rename(kept)
    try:
        file.write_bytes(data)
        yield
    finally:
        kept.rename(file)


def bits(file, number):
    size = file.stat().st_size * 8
    return random.Random(file.suffix).sample(range(size), min(size, number))


def read(folder):
    """What reading a whole index gives, in all ways."""
    store = TantivyDocumentStore.open(folder)
    return (
        store.count_documents(),
        store.filter_documents(),
        store.filter_documents(TOPIC),
        store.bm25_retrieval("loan card", top_k=200),
        list(store.search_scored(["week room", "fee"], 200)),
        store.embedding_retrieval([1.0] * 8, top_k=200),
        list(store.iter_pages(["id", "meta.topic"], page_size=7)),
    )


@pytest.mark.slow
@pytest.mark.parametrize("kind", FILES)
def test_a_flipped_bit_never_changes_what_is_read(folder, kind):
    right = read(folder)
    tried = files(folder, kind)
    assert tried
    told = 0
    for file in tried:
        for bit in bits(file, (200 if kind == ".store" else 30) // len(tried)):
            with flipped(file, bit):
                try:
                    assert read(folder) == right
                except IndexOpenError as error:
                    assert str(folder) in str(error)
                    told += 1
    assert told


@pytest.mark.parametrize("kind", FILES)
def test_verify_finds_every_flipped_bit(folder, kind):
    sound = verify(folder)
    assert (sound.damaged, sound.unchecked, sound.documents) == ([], [], 119)
    for file in files(folder, kind):
        for bit in bits(file, 10):
            with flipped(file, bit):
                assert file.name in verify(folder).damaged


def corrupt(store, document):
    """Flip a bit of a file that is open: tantivy has it mapped into memory, and its checksum was compared before."""
    [file] = files(store.path, ".store")
    # What comes but once is not compressed.
    text = document.meta["mark"].encode()
    at = file.read_bytes().index(text)
    with file.open("r+b") as opened:
        opened.seek(at)
        opened.write(bytes([text[0] ^ 1]))


def test_a_document_that_is_damaged_after_its_file_was_opened_is_named(tmp_path):
    store = TantivyDocumentStore(path=tmp_path / "index")
    documents = loans(20)
    store.write_documents(documents)
    store.check()
    corrupt(store, documents[3])
    for reading in (
        store.filter_documents,
        lambda: store.bm25_retrieval("loan", top_k=20),
        lambda: list(store.search_ids(["fee"], 3)),
        lambda: list(store.iter_pages(["id"])),
    ):
        with pytest.raises(
            IndexDamagedError, match=r"is damaged: document 'loan-3' is not as it was written\. .*verify"
        ) as raised:
            reading()
    assert len(store.bm25_retrieval("loan", top_k=1)) == 1
    assert str(pickle.loads(pickle.dumps(raised.value))) == str(raised.value)
    # Whoever is asked whether all is well can tell, until the documents are written again.
    with pytest.raises(IndexDamagedError, match="document 'loan-3'"):
        store.check()
    with pytest.raises(IndexDamagedError, match=r"\.store is not as it was written"):
        TantivyDocumentStore.open(store.path).check()


def test_another_document_in_its_place_is_noticed(folder):
    store = TantivyDocumentStore.open(folder)
    searcher = store._commits.last().searcher
    [(first, _), (_, second)] = [hit for name in ("loan-1", "loan-2") for hit in searcher.with_ids([name])]
    with pytest.raises(IndexDamagedError, match=f"document {first} in the order of writing"):
        searcher.document(first, second)


def test_a_killed_writer_leaves_files_without_checksums_until_the_next_write(tmp_path):
    store = TantivyDocumentStore(path=tmp_path / "index")
    store.write_documents(loans(20))
    process = os.fork()
    if not process:
        transaction = TantivyDocumentStore(path=store.path)._commits.transaction()
        change = transaction.__enter__()
        change.writer.delete_all_documents()
        change.writer.add_document(store._commits.to_tantivy(Document(id="new"), 1000))
        change.writer.commit()
        change.writer.wait_merging_threads()
        os._exit(0)
    os.waitpid(process, 0)
    # Files that it has removed are still among the checksums.
    assert not all((store.path / "index" / name).exists() for name in read_checksums(store.path / "index"))
    found = verify(store.path)
    assert found.damaged == []
    assert found.documents == store.count_documents() == 1
    assert {"meta.json", ".managed.json"} < set(found.unchecked)
    store.delete_documents(["not there"])
    assert verify(store.path).unchecked == []


def test_an_index_without_checksums_can_be_read_and_written(tmp_path):
    """As an earlier version has made it."""
    store = TantivyDocumentStore(path=tmp_path / "index")
    create_index(store.path, settings("english", ["content", "question"]))
    file = store.path / "index" / "settings.json"
    file.write_text(json.dumps({**json.loads(file.read_text()), "format_version": 1}))
    (store.path / "index" / "checksums").unlink()
    documents = loans(20)
    store.write_documents(documents)
    store.write_documents(documents, DuplicatePolicy.OVERWRITE)
    assert TantivyDocumentStore.open(store.path).filter_documents() == documents
    found = verify(store.path)
    assert (found.files, found.documents, found.damaged, found.unchecked) == (0, 20, [], [])


def test_checksums_that_are_gone_are_damage(folder, tmp_path):
    shutil.copytree(folder, tmp_path / "copy")
    (tmp_path / "copy" / "index" / "checksums").unlink()
    with pytest.raises(IndexDamagedError, match="checksums is not as it was written"):
        TantivyDocumentStore.open(tmp_path / "copy")
    assert verify(tmp_path / "copy").damaged == ["checksums"]
