# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
Three nodes, of which one is killed, or two, while the command writes and clients ask.

A few times here; `tests/benchmarks/elasticsearch_kill_cluster.py` does it as often as is wanted, with the times that
servers and clients are given in earnest.
"""

import re
import time
import uuid
from concurrent.futures import ThreadPoolExecutor

import pytest

from answer_selection.indexing.elasticsearch import retry, versions, writer
from answer_selection.indexing.elasticsearch.settings import IndexSettings
from answer_selection.indexing.elasticsearch.template import put_template
from answer_selection.indexing.elasticsearch.versions import await_copies
from killed_node import (
    Corpus,
    IdsClient,
    Kill,
    RetrieverClient,
    build,
    differences,
    kill_a_node,
    operations,
    removing,
    settings,
    watching,
)

ENTRIES = 6000


@pytest.fixture
def cluster(elasticsearch_cluster, monkeypatch):
    monkeypatch.setenv("ELASTICSEARCH_HOSTS", ",".join(elasticsearch_cluster.urls))
    return elasticsearch_cluster


@pytest.fixture
def client(cluster):
    with watching(cluster) as client:
        yield client


@pytest.mark.parametrize(
    "kill",
    [Kill("build", ENTRIES, moment=0, node="master"), Kill("rebuild", ENTRIES, moment=0.5, node=0)],
    ids=lambda kill: f"{kill.change}-{kill.node}",
)
def test_a_node_is_killed_and_nothing_is_lost_and_no_query_fails(cluster, kill, tmp_path):
    outcome = kill_a_node(cluster, kill, tmp_path)
    assert outcome.code == 0, outcome.output
    assert 0 < outcome.written < ENTRIES
    assert outcome.lost == set()
    assert outcome.failed == []
    assert outcome.queries > 100
    assert f"{ENTRIES} entries written, {ENTRIES} documents" in " ".join(outcome.output.split())


def test_without_a_master_there_is_one_clear_error_and_later_the_same_command_goes_on(
    cluster, client, command, monkeypatch, tmp_path
):
    old, new = Corpus("old", 500), Corpus("new", 2 * ENTRIES)
    asked, written = (f"{what}-{uuid.uuid4().hex[:12]}" for what in ("asked", "written"))
    arguments = ("index", new.write(tmp_path / "new.jsonl"), "--store", "elasticsearch", "--index", written)
    # What is tried is the cluster; encoding twelve thousand texts would only take time.
    arguments += ("--encoder", "none")
    arguments += ("--settings", tmp_path / settings(tmp_path))

    def kill_two() -> float:
        end = time.monotonic() + 300
        while operations(client, f"{written}-000001") < 2000:
            assert time.monotonic() < end
            time.sleep(0.05)
        for node in cluster.nodes[1:]:
            node.kill()
        return time.monotonic()

    with removing(cluster, client, asked, written):
        build(client, old.write(tmp_path / "old.jsonl"), asked)
        clients = [way(asked, lambda group, ids: ids == old.groups[group], 1) for way in (RetrieverClient, IdsClient)]
        with monkeypatch.context() as impatient, ThreadPoolExecutor(1) as executor:
            impatient.setattr(retry, "PATIENCE", 2.0)
            impatient.setattr(retry, "SERVER_PATIENCE", 1.0)
            impatient.setattr(writer, "_REQUEST_TIMEOUT", 8.0)
            killed = executor.submit(kill_two)
            done = command(*arguments)
            assert time.monotonic() - killed.result() < 120
            assert done.code == 2
            assert done.err.count("error") == 1
            assert done.err.endswith(". Give the command again to continue"), done.err

            for one, error in zip(
                clients,
                ("shards of the index failed|the search failed: .*shard", "nothing answers|no master"),
                strict=True,
            ):
                one.ask_once()
                assert one.slowest < 120
                [failure] = one.failed
                assert re.search(error, failure)
                one.failed.clear()

            done = command(*arguments)
            assert done.code == 2
            assert re.fullmatch(r".*error the cluster at \S+ has no master: most of its nodes are gone. .*", done.err)

        cluster.restore()
        done = command(*arguments)
        assert done.code == 0, done.err
        assert " that were there already, 12000 documents in " in done.out
        assert differences(client, written, new.documents) == set()
        for one in clients:
            one.ask_once()
            assert one.failed == []


def test_nothing_is_written_before_there_are_two_copies_of_it(cluster, client):
    name = f"copies-{uuid.uuid4().hex[:12]}"
    allocation = "cluster.routing.allocation.enable"
    with removing(cluster, client, name), ThreadPoolExecutor(1) as executor:
        put_template(client, name, IndexSettings(shards=3, replicas=1))
        try:
            client.cluster.put_settings(transient={allocation: "primaries"})
            client.indices.create(index=f"{name}-000001")
            waiting = executor.submit(await_copies, client, f"{name}-000001")
            time.sleep(1)
            assert not waiting.done()
        finally:
            client.cluster.put_settings(transient={allocation: None})
        waiting.result(timeout=120)
        assert client.cluster.health(index=f"{name}-000001")["status"] == "green"

        # More than there are nodes for: those that can be there are waited for, and no longer.
        put_template(client, name, IndexSettings(replicas=3))
        client.indices.create(index=f"{name}-000002")
        try:
            start = time.monotonic()
            await_copies(client, f"{name}-000002")
            assert time.monotonic() - start < versions._SECONDS_FOR_COPIES
            assert client.cluster.health(index=f"{name}-000002")["active_shards"] == 3
        finally:
            client.indices.delete(index=f"{name}-000002")
