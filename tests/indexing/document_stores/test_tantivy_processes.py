# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Several processes on one index: killed writers, second writers, readers."""

import itertools
import math
import os
import random
import re
import signal
import time

import pytest
from haystack import Document
from haystack.document_stores.types import DuplicatePolicy

from haystack_integrations.document_stores.tantivy import IndexLockedError, TantivyDocumentStore
from haystack_integrations.document_stores.tantivy.vector_writing import NewVectors
from haystack_integrations.document_stores.tantivy.verify import verify
from new_process import NewProcess, python

pytestmark = pytest.mark.slow

# For each line of input, a number, forks a process that writes, overwrites and deletes in a fixed order from that step
# on, and says after each step that it has returned.
WRITERS = """
import os, sys
from haystack import Document
from haystack.document_stores.types import DuplicatePolicy
from haystack_integrations.document_stores.tantivy import TantivyDocumentStore
for line in sys.stdin:
    process = os.fork()
    if process:
        os.waitpid(process, 0)
        print("dead", flush=True)
        continue
    print(os.getpid(), flush=True)
    store = TantivyDocumentStore(path=sys.argv[1])
    for step in range(int(line), 1_000_000):
        documents = [
            Document(id=f"{step}-{i}", content=f"loan {step} " * 20, meta={"step": step}) for i in range(step % 40 + 1)
        ]
        store.write_documents([*documents, Document(id="last", content=str(step))], DuplicatePolicy.OVERWRITE)
        if step % 5 == 4:
            store.delete_documents([f"{step - 1}-0"])
        os.write(1, b"%d\\n" % step)  # one piece, whenever the kill comes
"""

# The same with vectors: each step gives all documents new ones and a text that says which.
VECTOR_WRITERS = """
import os, sys
from answer_selection.indexing.corpus_index import DocumentUpdate
from haystack import Document
from haystack.document_stores.types import DuplicatePolicy
from haystack_integrations.document_stores.tantivy import TantivyDocumentStore
for line in sys.stdin:
    process = os.fork()
    if process:
        os.waitpid(process, 0)
        print("dead", flush=True)
        continue
    print(os.getpid(), flush=True)
    store = TantivyDocumentStore(path=sys.argv[1])
    for step in range(int(line), 1_000_000):
        vectors = {f"d{i}": [1.0, step, i] for i in range(step % 7 + 5)}
        if step % 3:
            store.write_documents(
                [Document(id=key, content=str(step), embedding=vector) for key, vector in vectors.items()],
                DuplicatePolicy.OVERWRITE,
            )
        else:
            store.update_documents(DocumentUpdate(key, vector, {"step": step}) for key, vector in vectors.items())
        os.write(1, b"%d\\n" % step)
"""

# Holds the writer's lock until its input ends.
HOLDER = """
import sys
from haystack import Document
from haystack_integrations.document_stores.tantivy import TantivyDocumentStore
store = TantivyDocumentStore(path=sys.argv[1])
with store._commits.transaction():
    print("ready", flush=True)
    sys.stdin.read()
"""

READER = """
import sys
from haystack_integrations.document_stores.tantivy import TantivyDocumentStore
store = TantivyDocumentStore(path=sys.argv[1])
for line in sys.stdin:
    count, hits = store.count_documents(), store.bm25_retrieval(line, top_k=100)
    print(count, len(hits), *next(store.search_ids([line], 100)), flush=True)
"""


def expected_after(step):
    ids = {f"{s}-{i}" for s in range(step + 1) for i in range(s % 40 + 1)} | {"last"}
    return ids - {f"{s - 1}-0" for s in range(step + 1) if s % 5 == 4}


def test_killed_at_any_point_keeps_what_was_acknowledged(tmp_path):
    generator = random.Random(time.time_ns())
    path = tmp_path / "index"
    writers = NewProcess(WRITERS, path)
    done = -1
    for kill in itertools.count():
        if kill >= 15 and done > 5:
            break
        writers.stdin.write(f"{done + 1}\n")
        writers.stdin.flush()
        process = int(writers.stdout.readline())
        # The first kills hit the making of the folder, the later ones commits, merges and deletes: of a step that is
        # begun, in however long steps take here.
        steps, length = [], 0.02
        if kill >= 4:
            begun = time.perf_counter()
            steps = [int(writers.stdout.readline()) for _ in range(generator.randint(1, 3))]
            length = (time.perf_counter() - begun) / len(steps)
        time.sleep(generator.random() * length)
        os.kill(process, signal.SIGKILL)
        steps += [int(line) for line in iter(writers.stdout.readline, "dead\n")]
        acknowledged = steps[-1] if steps else done
        assert steps == list(range(done + 1, acknowledged + 1))
        store = TantivyDocumentStore(path=path)
        ids = {d.id for d in store.filter_documents()}
        if acknowledged < 0 and not ids:
            continue
        # The step that was not acknowledged happened as a whole, or its write did, or nothing of it.
        after = expected_after(acknowledged + 1)
        write_only = after | {f"{acknowledged}-0"} if (acknowledged + 1) % 5 == 4 else after
        assert ids in ([expected_after(acknowledged)] if acknowledged >= 0 else []) + [after, write_only]
        last = int(store.filter_documents({"field": "id", "operator": "==", "value": "last"})[0].content)
        assert last in (acknowledged, acknowledged + 1)
        hits = store.bm25_retrieval(
            "loan", top_k=100_000, filters={"field": "meta.step", "operator": "<=", "value": acknowledged}
        )
        assert {d.id for d in hits} == {i for i in ids if i != "last" and int(i.split("-")[0]) <= acknowledged}
        assert verify(path).damaged == []
        done = acknowledged
    writers.stdin.close()
    writers.wait()
    # What killed writers left behind is cleared away by the next ones.
    store = TantivyDocumentStore(path=path)
    store.delete_all_documents()
    store.write_documents([Document(id="1")])
    assert len(list((path / "index").iterdir())) < 40


def test_killed_while_vectors_are_written(tmp_path):
    """Nothing that was acknowledged is lost, and no vector is beside another text."""
    generator = random.Random(time.time_ns())
    path = tmp_path / "index"
    writers = NewProcess(VECTOR_WRITERS, path)
    TantivyDocumentStore(path=path).write_documents(
        [Document(id=f"d{i}", content="0", embedding=[1.0, 0, i]) for i in range(11)]
    )
    done = 0
    for _ in range(50):
        writers.stdin.write(f"{done + 1}\n")
        writers.stdin.flush()
        process = int(writers.stdout.readline())
        begun = time.perf_counter()
        steps = [int(writers.stdout.readline())]
        time.sleep(generator.random() * (time.perf_counter() - begun))
        os.kill(process, signal.SIGKILL)
        steps += [int(line) for line in iter(writers.stdout.readline, "dead\n")]
        assert steps == list(range(done + 1, steps[-1] + 1))
        done = steps[-1]
        store = TantivyDocumentStore(path=path)
        found = {d.id: d for d in store.embedding_retrieval([0.0, 1.0, 1.0], top_k=20)}
        assert found.keys() == {f"d{i}" for i in range(11)}
        written = {int(document.embedding[1]) for i, document in found.items() if int(i[1:]) < 5}
        # The step that was not acknowledged happened as a whole or not at all.
        assert written in ({done}, {done + 1})
        for key, document in found.items():
            _, step, i = document.embedding
            assert i == int(key[1:])
            assert step == (int(document.content) if step % 3 else document.meta.get("step", 0))
            assert document.score == pytest.approx((step + i) / math.sqrt(2 * (1 + step**2 + i**2)), abs=1e-6)
        assert verify(path).damaged == []
    writers.stdin.close()
    writers.wait()
    # What killed writers left behind is cleared away by the next one.
    store.delete_all_documents()
    assert not [item for item in (path / "index").iterdir() if ".vectors" in item.name]


def test_killed_between_vectors_and_text(tmp_path):
    """The old commit is read with its own vectors; the file that no commit refers to is gone after the next write."""
    store = TantivyDocumentStore(path=tmp_path / "index")
    store.write_documents([Document(id=str(i), embedding=[1.0, i]) for i in range(5)])
    before = [(d.id, d.score) for d in store.embedding_retrieval([0.0, 1.0])]
    process = os.fork()
    if not process:
        NewVectors.finish = finish_and_die
        TantivyDocumentStore(path=store.path).write_documents(
            [Document(id=str(i), embedding=[i, 1.0]) for i in range(3)], DuplicatePolicy.OVERWRITE
        )
        os._exit(0)
    _, status = os.waitpid(process, 0)
    assert os.WTERMSIG(status) == signal.SIGKILL
    files = set((store.path / "index").glob("*.vectors"))
    assert len(files) == 2
    for reader in (store, TantivyDocumentStore.open(store.path)):
        assert [(d.id, d.score) for d in reader.embedding_retrieval([0.0, 1.0])] == before
    assert verify(store.path).damaged == []
    store.write_documents([Document(id="5", embedding=[1.0, 0.0])])
    assert {d.id for d in store.embedding_retrieval([0.0, 1.0])} == set("012345")
    assert len(list((store.path / "index").glob("*.vectors"))) <= 2
    assert verify(store.path).damaged == []


def finish_and_die(vectors, finish=NewVectors.finish):
    finish(vectors)
    os.kill(os.getpid(), signal.SIGKILL)


def test_what_killed_writers_leave_is_cleared_away_by_the_next_one(tmp_path):
    generator = random.Random(0)
    # More than a writer keeps in memory, so that it writes files before it commits.
    documents = [
        Document(id=str(i), content=" ".join(f"{generator.getrandbits(40):x}" for _ in range(1000))) for i in range(220)
    ]
    store = TantivyDocumentStore(path=tmp_path / "index")
    store.write_documents(documents)
    folder = store.path / "index"
    clean = folder_size(folder)
    for _ in range(10):
        before = {item.name for item in folder.iterdir()}
        process = os.fork()
        if not process:
            with TantivyDocumentStore(path=store.path)._commits.transaction() as transaction:
                for order, document in enumerate(documents, start=1000):
                    transaction.writer.add_document(store._commits.to_tantivy(document, order))
                signal.pause()
        while not any(item.name not in before and item.stat().st_size > 100_000 for item in folder.glob("*.store")):
            time.sleep(0.01)
        os.kill(process, signal.SIGKILL)
        os.waitpid(process, 0)
        assert folder_size(folder) < 3 * clean
    store.delete_documents(["not there"])
    assert folder_size(folder) < 1.1 * clean
    assert store.count_documents() == 220


def folder_size(folder):
    return sum(item.stat().st_size for item in folder.iterdir())


def test_second_writer_is_told_about_the_lock_and_may_write_when_it_is_free(tmp_path):
    store = TantivyDocumentStore(path=tmp_path / "index")
    store.write_documents([Document(id="1", content="loan")])
    holder = NewProcess(HOLDER, store.path)
    assert holder.stdout.readline() == "ready\n"
    lock = store.path / "index" / ".tantivy-writer.lock"
    assert lock.exists()
    for write in (lambda: store.write_documents([Document(id="2")]), lambda: store.delete_documents(["1"])):
        with pytest.raises(IndexLockedError, match=f"another writer is at work .*{re.escape(str(lock))}"):
            write()
    assert [d.id for d in store.bm25_retrieval("loan")] == ["1"]
    # A killed writer leaves no lock.
    holder.kill()
    holder.wait()
    store.write_documents([Document(id="2")])
    assert store.count_documents() == 2


def test_readers_in_other_processes_see_each_commit(tmp_path):
    store = TantivyDocumentStore(path=tmp_path / "index")
    store.write_documents([Document(id="0", content="loan")])
    reader = NewProcess(READER, store.path)

    def ask():
        reader.stdin.write("loan\n")
        reader.stdin.flush()
        return reader.stdout.readline().split()

    assert ask() == ["1", "1", "0"]
    for i in range(1, 30):
        store.write_documents([Document(id=str(i), content="loan")])
        assert ask() == [str(i + 1), str(i + 1), *map(str, range(i + 1))]
    store.delete_documents([str(i) for i in range(29)])
    assert ask() == ["1", "1", "29"]
    reader.stdin.close()
    assert reader.wait() == 0


def test_processes_that_make_the_same_index_at_once(tmp_path):
    """None loses what it has written, whichever makes the folder first."""
    script = """
import os, sys, time
from haystack import Document
from haystack_integrations.document_stores.tantivy import IndexLockedError, TantivyDocumentStore
ready, go = os.pipe()
children = []
for i in range(6):
    child = os.fork()
    if child:
        children.append(child)
        continue
    os.close(go)
    os.read(ready, 1)
    store = TantivyDocumentStore(path=sys.argv[1])
    while True:
        try:
            store.write_documents([Document(id=str(i))])
            os._exit(0)
        except IndexLockedError:
            time.sleep(0.001)
os.close(go)
sys.exit(any(os.waitpid(child, 0)[1] for child in children))
"""
    path = tmp_path / "index"
    assert python(script, path).returncode == 0
    assert {d.id for d in TantivyDocumentStore(path=path).filter_documents()} == set("012345")
    assert [item.name for item in path.iterdir()] == ["index"]
