# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Writing into the real server: what it refuses, when it is busy, blocked, killed or too small."""

import json
import re
import threading
import time
import uuid
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from elastic_transport import ConnectionError  # noqa: A004
from elasticsearch import Elasticsearch

from answer_selection.indexing.elasticsearch import retry
from answer_selection.indexing.elasticsearch.connection import ElasticsearchError
from answer_selection.indexing.elasticsearch.settings import IndexSettings
from answer_selection.indexing.elasticsearch.template import put_template
from answer_selection.indexing.elasticsearch.writer import BATCH_BYTES, Batch, BulkWriter, Operation, Refused
from elasticsearch_server import ElasticsearchNode

MEGABYTE = 2**20


@pytest.fixture(scope="module")
def small_node(elasticsearch_files) -> Iterator[ElasticsearchNode]:
    """A node that takes little at a time: one megabyte in a request, one request at work and one waiting."""
    settings = {
        "http.max_content_length": "1mb",
        "node.processors": 1,
        "thread_pool.write.size": 1,
        "thread_pool.write.queue_size": 1,
    }
    with ElasticsearchNode(settings) as node:
        yield node


@pytest.fixture
def index(elasticsearch_node) -> Iterator[tuple[Elasticsearch, str]]:
    with Elasticsearch(elasticsearch_node.url) as client:
        yield from _index(client)


@pytest.fixture
def small_index(small_node) -> Iterator[tuple[Elasticsearch, str]]:
    with Elasticsearch(small_node.url) as client:
        yield from _index(client)


def _index(client: Elasticsearch) -> Iterator[tuple[Elasticsearch, str]]:
    name = f"writer-{uuid.uuid4().hex}"
    put_template(client, name, IndexSettings())
    client.indices.create(index=f"{name}-000001")
    yield client, f"{name}-000001"
    client.indices.delete(index=f"{name}-000001", ignore_unavailable=True)
    client.indices.delete_index_template(name=name)


def operation(id_: str, **fields: object) -> Operation:
    return Operation(id_, json.dumps({"id": id_, "content": f"Answer {id_}.", **fields}).encode())


def batches(number: int, size: int, *, length: int = 0) -> list[Batch]:
    operations = [operation(f"e{i}", content="word " * (length // 5)) for i in range(number)]
    return [Batch(operations[i : i + size], position=min(i + size, number)) for i in range(0, number, size)]


def write(client: Elasticsearch, index: str, given: Iterable[Batch]) -> tuple[list[int], list[Refused]]:
    results = list(BulkWriter(client, index).write(given))
    return [batch.position for batch, _ in results], [refused for _, some in results for refused in some]


def ids(client: Elasticsearch, index: str) -> set[str]:
    client.indices.refresh(index=index)
    return {hit["_id"] for hit in client.search(index=index, size=10_000, source=False)["hits"]["hits"]}


def test_batches_are_acknowledged_in_their_order(index):
    client, name = index
    positions, refused = write(client, name, batches(500, 30))
    assert positions == [*range(30, 500, 30), 500]
    assert not refused
    assert ids(client, name) == {f"e{i}" for i in range(500)}


def test_the_next_batches_are_read_while_the_server_works_but_not_many(index):
    client, name = index
    read = 0

    def reading() -> Iterator[Batch]:
        nonlocal read
        for batch in batches(40, 2):
            read += 1
            yield batch

    ahead = [read - done for done, _ in enumerate(BulkWriter(client, name).write(reading()), start=1)]
    assert max(ahead) == 2
    assert read == 20


def test_what_the_server_refuses_is_given_back_with_its_reason_and_the_others_are_written(index):
    client, name = index
    wrong = {
        "other type": operation("other type", number="not a number"),
        "no name": operation("no name", **{"": 1}),
        "reserved": operation("reserved", _id="7"),
        "no json": Operation("no json", b'{"id": "no json", "number": NaN}'),
        "x" * 513: operation("x" * 513),
    }
    first = Batch([operation("number", number=7)], 1)
    rest = Batch([*wrong.values(), *(operation(f"e{i}") for i in range(100))], 106)
    positions, refused = write(client, name, [first, rest])
    assert positions == [1, 106]
    reasons = {each.operation.id: each.error for each in refused}
    assert reasons.keys() == wrong.keys()
    assert re.fullmatch(
        r"document_parsing_exception: \[1:\d+\] failed to parse field \[number\] of type \[double\] in document with "
        r"id 'other type'. Preview of field's value: 'not a number'; For input string: \"not a number\"",
        reasons["other type"],
    )
    assert "field name cannot be an empty string" in reasons["no name"]
    assert "metadata field" in reasons["reserved"]
    assert "Non-standard token 'NaN'" in reasons["no json"]
    assert "is too long, must be no longer than 512 bytes" in reasons["x" * 513]
    assert ids(client, name) == {"number", *(f"e{i}" for i in range(100))}


def test_deleting_what_is_not_there_is_no_error(index):
    client, name = index
    write(client, name, batches(5, 5))
    deletions = Batch([Operation("e1", None), Operation("never", None), Operation("e3", None)])
    assert write(client, name, [deletions])[1] == []
    assert ids(client, name) == {"e0", "e2", "e4"}


def test_a_request_stays_below_what_the_server_takes(small_index):
    client, name = small_index
    writer = BulkWriter(client, name)
    assert writer.limit == writer.batch_bytes == MEGABYTE
    room = MEGABYTE - operation("fits", text="").size()
    fits = operation("fits", text="x" * room)
    assert fits.size() == MEGABYTE
    over = operation("over", text="x" * (room + 1))
    positions, refused = write(client, name, [Batch([operation("a"), over], 2), Batch([fits], 3)])
    assert positions == [2, 3]
    assert [(each.operation.id, each.error) for each in refused] == [
        ("over", "it has 1,048,577 bytes; the server takes at most 1,048,576 in a request (http.max_content_length)")
    ]
    assert ids(client, name) == {"a", "fits"}


def test_a_limit_that_nobody_told_is_found(small_index):
    client, name = small_index
    # As with a key that may not ask for the nodes' settings, or with a proxy that takes less than the server.
    writer = BulkWriter(client, name)
    writer.limit = 100 * MEGABYTE
    large = operation("large", text="x" * 2 * MEGABYTE)
    operations = [*(operation(f"e{i}", text="x" * 100_000) for i in range(30)), large]
    [(_, refused)] = writer.write([Batch(operations, 31)])
    assert [each.operation.id for each in refused] == ["large"]
    assert ids(client, name) == {f"e{i}" for i in range(30)}


def test_the_usual_limit_leaves_batches_as_they_are(index):
    assert BulkWriter(*index).limit == 100 * MEGABYTE
    assert BulkWriter(*index).batch_bytes == BATCH_BYTES


def test_a_server_that_is_busy_is_waited_for(small_index):
    client, name = small_index

    def rejections() -> int:
        [node] = client.nodes.stats(metric="thread_pool")["nodes"].values()
        return node["thread_pool"]["write"]["rejected"]

    before = rejections()
    with ThreadPoolExecutor(8) as executor:
        parts = [
            [Batch([operation(f"{part}-{i}-{k}", text="some words " * 100) for k in range(50)]) for i in range(5)]
            for part in range(8)
        ]
        results = list(executor.map(lambda part: write(client, name, part), parts))
    # It did reject some, and in the end took all.
    assert rejections() > before
    assert all(not refused for _, refused in results)
    client.indices.refresh(index=name)
    assert client.count(index=name)["count"] == 8 * 5 * 50


def test_a_server_that_stays_busy_is_waited_for_only_so_long(elasticsearch_files, monkeypatch):
    monkeypatch.setattr(retry, "PATIENCE", 2.0)
    # Half a kilobyte for all documents that are being indexed.
    with ElasticsearchNode({"indexing_pressure.memory.limit": "500b"}) as node, Elasticsearch(node.url) as client:
        client.indices.create(index="busy")
        start = time.monotonic()
        with pytest.raises(Exception, match=r"rejected execution of .*operation") as caught:
            write(client, "busy", batches(2, 1, length=1000))
        assert 2 <= time.monotonic() - start < 60
        assert caught.value.status_code == 429


@pytest.mark.parametrize("block", ["read_only", "read_only_allow_delete", "write"])
def test_a_blocked_index_is_said_to_be_one_at_once(index, block):
    client, name = index
    client.indices.put_settings(index=name, settings={f"index.blocks.{block}": True})
    start = time.monotonic()
    with pytest.raises(ElasticsearchError, match=f"{name} is read-only. Free disk space or remove the block") as said:
        write(client, name, batches(20, 5))
    assert time.monotonic() - start < retry.PATIENCE
    assert "blocked by" in str(said.value)
    client.indices.put_settings(index=name, settings={f"index.blocks.{block}": None})
    assert write(client, name, batches(20, 5))[0] == [5, 10, 15, 20]


def test_an_index_that_is_deleted_meanwhile_is_not_made_again(index):
    client, name = index

    def reading() -> Iterator[Batch]:
        for number, batch in enumerate(batches(100, 5)):
            if number == 5:
                client.indices.delete(index=name)
            yield batch

    with pytest.raises(ElasticsearchError, match=f"{name} is gone: somebody deleted it meanwhile"):
        write(client, name, reading())
    assert not client.indices.exists(index=name)


def test_a_server_that_is_restarted_meanwhile_loses_nothing(elasticsearch_files):
    with ElasticsearchNode() as node, Elasticsearch(node.url) as client:
        client.indices.create(index="restarted")
        restart = threading.Thread(target=lambda: (node.kill(), time.sleep(1), node.start()))

        def reading() -> Iterator[Batch]:
            for number, batch in enumerate(batches(3000, 50)):
                if number == 20:
                    restart.start()
                yield batch

        positions, refused = write(client, "restarted", reading())
        restart.join()
        assert (positions[-1], refused) == (3000, [])
        assert ids(client, "restarted") == {f"e{i}" for i in range(3000)}


def test_a_server_that_does_not_come_back_is_given_up(elasticsearch_files, monkeypatch):
    monkeypatch.setattr(retry, "PATIENCE", 2.0)
    with ElasticsearchNode() as node, Elasticsearch(node.url) as client:
        client.indices.create(index="gone")
        acknowledged = []
        given = iter(batches(1000, 10))
        start = time.monotonic()
        with pytest.raises(ConnectionError):
            for batch, _ in BulkWriter(client, "gone").write(given):
                acknowledged.append(batch.position)
                if batch.position == 100:
                    node.kill()
                    start = time.monotonic()
        assert 1.5 < time.monotonic() - start < 60
        assert acknowledged[:10] == list(range(10, 101, 10))
        # It stopped reading when it stopped writing.
        assert next(given).position < 300
        node.start()
        assert ids(client, "gone") >= {f"e{i}" for i in range(acknowledged[-1])}
