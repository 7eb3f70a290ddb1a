# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
A node of three is killed while the `index` command writes and clients ask: how that is done, and what is held against
what.

Every entry has a word that it shares with a known part of the corpus, so that the right result of a search is known
from the corpus alone. Whether a result is whole is read from what the servers sent, before anything of ours has seen
it.
"""

import json
import random
import subprocess
import threading
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from elastic_transport import BaseNode
from elasticsearch import Elasticsearch, helpers

from answer_selection.indexing.building.elasticsearch import build_version
from answer_selection.indexing.elasticsearch.connection import connect
from answer_selection.indexing.elasticsearch.errors import explain
from answer_selection.indexing.elasticsearch.index import ElasticsearchIndex
from answer_selection.indexing.elasticsearch.settings import IndexSettings
from answer_selection.indexing.elasticsearch.versions import delete_versions, find_versions
from answer_selection.indexing.sources import Sources
from answer_selection.pipelines.definitions.pipeline_yaml import load, point_at, read
from elasticsearch_server import ElasticsearchCluster, ElasticsearchNode
from service_process import beside_python

SHARDS, REPLICAS, CLIENTS = 3, 1, 8
# Entries of the index that clients ask.
ASKED = 2000
# So many that none has more entries than a query asks for, up to some 90,000 of them.
GROUPS = [f"group{number}" for number in range(100)]
TOP_K = 1000
SECONDS_FOR_THE_COMMAND = 600
# The pipeline gives a request ten seconds and tries it four times; more than a few seconds only an election takes.
SECONDS_FOR_A_QUERY = 30
SECONDS_AFTER = 1.0
# A client's pause between two queries: what else runs here needs the processors too.
PAUSE = 0.2
_WORDS = [f"{a}{b}{c}" for a in ("ka", "lo", "mi", "tu") for b in "abcdefghij" for c in ("n", "rt", "ssen", "lik", "d")]

Ids = frozenset[str]


@dataclass(frozen=True)
class Corpus:
    """Entries that tell by their ids and texts which corpus they are of."""

    edition: str
    size: int

    @cached_property
    def documents(self) -> dict[str, dict[str, Any]]:
        """What Elasticsearch has to hold, by its ids."""
        generator = random.Random(self.edition)
        documents = {}
        for number in range(self.size):
            id_ = f"{self.edition}-{number}"
            text = " ".join(generator.choices(_WORDS, k=40))
            documents[id_] = {
                "id": id_,
                "entry_id": id_,
                "question": f"What is {id_}?",
                "source": "corpus",
                "content": f"{GROUPS[generator.randrange(len(GROUPS))]} {text}",
            }
        return documents

    @cached_property
    def groups(self) -> dict[str, Ids]:
        """The ids of the entries that a group's name finds."""
        found: dict[str, set[str]] = {group: set() for group in GROUPS}
        for id_, document in self.documents.items():
            found[document["content"].split()[0]].add(id_)
        return {group: frozenset(ids) for group, ids in found.items()}

    def write(self, path: Path) -> Path:
        """Write it as a FAQ file."""
        with path.open("w", encoding="utf-8") as file:
            for document in self.documents.values():
                entry = {name: document[name] for name in ("id", "question", "source")}
                file.write(json.dumps({**entry, "answer": document["content"]}) + "\n")
        return path


class Wire:
    """
    What the servers sent to one client.

    :param client: The client.
    """

    def __init__(self, client: Elasticsearch) -> None:
        self._answers: list[tuple[str, Any]] = []
        for node in client.transport.node_pool.all():
            self._watch(node)

    def take(self, *, together: bool) -> tuple[int, int]:
        """
        Count the results of single queries since the last time: the whole ones, and those that are none.

        :param together: Whether a request is sent again as a whole if one of its searches fails: then nothing that it
            brought is a result. Otherwise only that search is sent again.
        :returns: How many of either.
        """
        answers, self._answers[:] = list(self._answers), []
        whole = other = 0
        for target, (meta, body) in answers:
            if "search" not in target:
                continue
            answer = json.loads(body)
            results = answer.get("responses", [answer])
            good = sum(meta.status == 200 and "error" not in result and _is_whole(result) for result in results)
            if together and good < len(results):
                good = 0
            whole += good
            other += len(results) - good
        return whole, other

    def _watch(self, node: BaseNode) -> None:
        perform = node.perform_request

        def watched(method: str, target: str, **more: Any) -> Any:
            answer = perform(method, target, **more)
            self._answers.append((target, answer))
            return answer

        node.perform_request = watched  # type: ignore[method-assign]


def _is_whole(result: dict[str, Any]) -> bool:
    shards = result["_shards"]
    return not shards["failed"] and shards.get("successful") == shards.get("total") and not result["timed_out"]


class Client(threading.Thread):
    """
    Asks the same index again and again until it is stopped, and keeps what was wrong.

    :param index: The index's name.
    :param right: Says whether a group's name may find these ids.
    :param seed: Each client asks in an order of its own.
    """

    searches = 1
    """How many searches answer a query."""

    def __init__(self, index: str, right: Callable[[str, Ids], bool], seed: int) -> None:
        super().__init__(name=f"client-{seed}")
        self.queries, self.again, self.slowest = 0, 0, 0.0
        self.failed: list[str] = []
        self.lost: Ids = frozenset()
        self._index, self._right, self._random = index, right, random.Random(seed)
        self._stopped = threading.Event()
        self._wire = Wire(self.connect())
        self._wire.take(together=self.searches > 1)

    def connect(self) -> Elasticsearch:
        """Connect to the cluster."""
        raise NotImplementedError

    def ask(self, groups: Sequence[str]) -> list[list[str]]:
        """Find the ids for some groups."""
        raise NotImplementedError

    def run(self) -> None:
        """Ask."""
        while not self._stopped.wait(PAUSE):
            self.ask_once()

    def ask_once(self) -> None:
        """Ask once and compare."""
        groups = self._random.sample(GROUPS, self._random.randint(1, 4))
        start = time.perf_counter()
        try:
            results = self.ask(groups)
        except Exception as error:
            self.failed.append(explain(error))
            results = []
        self.slowest = max(self.slowest, time.perf_counter() - start)
        self.queries += len(groups)
        whole, other = self._wire.take(together=self.searches > 1)
        self.again += other
        if not results:
            return
        if whole != self.searches * len(groups):
            self.failed.append(f"{len(groups)} queries were answered with {whole} whole results")
        for group, ids in zip(groups, results, strict=True):
            if len(ids) != len(set(ids)) or not self._right(group, frozenset(ids)):
                self.failed.append(f"{group} found {len(ids)} ids, and not those that it should")

    def stop(self) -> None:
        """Ask no more."""
        self._stopped.set()
        self.join(10 * SECONDS_FOR_A_QUERY)
        if self.is_alive():
            self.failed.append("a query did not end")


class RetrieverClient(Client):
    """Asks through the retriever of the shipped pipeline."""

    # By words, and for the nearest, of which there are none here.
    searches = 2

    def connect(self) -> Elasticsearch:
        """Load the pipeline; the store connects."""
        self._retriever = load(point_at(read("answer_elasticsearch"), index=self._index)).get_component("retriever")
        client: Elasticsearch = self._retriever.document_store.client
        return client

    def ask(self, groups: Sequence[str]) -> list[list[str]]:
        """Ask one after the other."""
        return [[document.id for document in self._retriever.run(group, top_k=TOP_K)["documents"]] for group in groups]


class IdsClient(Client):
    """Asks as mining and training do."""

    def connect(self) -> Elasticsearch:
        """Connect."""
        self._client = connect()
        return self._client

    def ask(self, groups: Sequence[str]) -> list[list[str]]:
        """Open the index, and ask all of them together."""
        return list(ElasticsearchIndex.open(self._index, self._client).search_ids(groups, TOP_K))


@dataclass(frozen=True)
class Kill:
    """
    What is to happen.

    :param change: What the command does: `build` an index beside the one that clients ask; `update` or `rebuild` that.
    :param entries: How many entries it writes.
    :param moment: Which part of them is written when the node is killed.
    :param node: Which node is killed: the elected `master`, or one of the others, by its number among these.
    """

    change: Literal["build", "update", "rebuild"]
    entries: int
    moment: float
    node: Literal["master", 0, 1]


@dataclass(frozen=True)
class Outcome:
    """
    What happened.

    :param node: The node that was killed.
    :param written: How many entries were written by then.
    :param code: The command's exit code.
    :param output: What it printed.
    :param lost: Ids of the documents that not every copy has, or has otherwise than the corpus.
    :param queries: Number of queries.
    :param failed: What was wrong with some of them.
    :param again: How many results were not whole, so that they were asked for again.
    :param slowest: Seconds that the slowest query took.
    :param seconds_to_green: Seconds from the start of the killed node until all shards had all copies.
    """

    node: str
    written: int
    code: int
    output: str
    lost: set[str]
    queries: int
    failed: list[str]
    again: int
    slowest: float
    seconds_to_green: float


def kill_a_node(cluster: ElasticsearchCluster, kill: Kill, folder: Path) -> Outcome:
    """
    Kill a node while the command writes and clients ask; start it again when the command has ended.

    :param cluster: The cluster, which the environment names.
    :param kill: What is to happen.
    :param folder: An empty folder.
    :returns: What happened.
    """
    old, new = Corpus("old", ASKED), Corpus("new", kill.entries)
    asked = f"asked-{uuid.uuid4().hex[:12]}"
    written = f"written-{uuid.uuid4().hex[:12]}" if kill.change == "build" else asked
    version = f"{written}-000002" if kill.change == "rebuild" else f"{written}-000001"

    def right(group: str, ids: Ids) -> bool:
        before, after = old.groups[group], new.groups[group]
        if kill.change == "update":
            return before <= ids <= before | after
        return ids == before or (kill.change == "rebuild" and ids == after)

    with watching(cluster) as client, removing(cluster, client, asked, written):
        build(client, old.write(folder / "old.jsonl"), asked)
        before = operations(client, version)
        options = ("--settings", settings(folder)) if kill.change == "build" else (f"--{kill.change}",)
        with (
            index_command(new.write(folder / "new.jsonl"), written, *options) as process,
            asking(asked, right) as clients,
        ):
            while (done := operations(client, version) - before) <= kill.moment * kill.entries:
                assert process.poll() is None, f"the command has ended: {process.communicate()}"
                time.sleep(0.05)
            node = chosen(cluster, client, kill)
            node.kill()
            assert process.poll() is None, "the command had ended when the node was killed"
            output, errors = process.communicate(timeout=SECONDS_FOR_THE_COMMAND)
            start = time.monotonic()
            cluster.restore()
            seconds_to_green = time.monotonic() - start
            time.sleep(SECONDS_AFTER)
        expected = old.documents | new.documents if kill.change == "update" else new.documents
        # A command that failed has not given the version its name.
        lost = differences(client, version if process.returncode else written, expected)
        if kill.change == "build":
            lost |= differences(client, asked, old.documents)
    return Outcome(
        node=node.name,
        written=done,
        code=process.returncode,
        output=output + errors,
        lost=lost,
        queries=sum(one.queries for one in clients),
        failed=[failure for one in clients for failure in one.failed],
        again=sum(one.again for one in clients),
        slowest=max(one.slowest for one in clients),
        seconds_to_green=seconds_to_green,
    )


def build(client: Elasticsearch, file: Path, name: str) -> None:
    """Make an index of three shards and two copies."""
    wanted = IndexSettings(shards=SHARDS, replicas=REPLICAS)
    build_version(client, name, Sources([file]), rejects=file.with_suffix(".rejects.jsonl"), settings=wanted)
    client.cluster.health(index=name, wait_for_status="green")


def settings(folder: Path) -> str:
    """Write the file that says so to the command; its name."""
    path = folder / "settings.yaml"
    path.write_text(f"shards: {SHARDS}\nreplicas: {REPLICAS}\n", encoding="utf-8")
    return path.name


@contextmanager
def index_command(file: Path, name: str, *options: str) -> Iterator[subprocess.Popen[str]]:
    """Run `answer-selection index`, in the folder of the file that it reads."""
    command = [beside_python("answer-selection"), "index", file.name, "--store", "elasticsearch", "--index", name]
    # What is tried is the cluster, not the encoder.
    command += ["--encoder", "none"]
    process = subprocess.Popen(
        [*command, *options], cwd=file.parent, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


@contextmanager
def asking(name: str, right: Callable[[str, Ids], bool]) -> Iterator[list[Client]]:
    """Let eight clients ask, half of them in either way."""
    clients = [(RetrieverClient if number % 2 else IdsClient)(name, right, number) for number in range(CLIENTS)]
    for client in clients:
        client.start()
    try:
        yield clients
    finally:
        for client in clients:
            client.stop()


@contextmanager
def watching(cluster: ElasticsearchCluster) -> Iterator[Elasticsearch]:
    """A client that is in no hurry."""
    with Elasticsearch(cluster.urls, max_retries=10, retry_on_timeout=True, request_timeout=60) as client:
        yield client


@contextmanager
def removing(cluster: ElasticsearchCluster, client: Elasticsearch, *names: str) -> Iterator[None]:
    """Remove the indexes of these names, with all of their versions, once all nodes are there again."""
    try:
        yield
    finally:
        cluster.restore()
        quiet = client.options(ignore_status=404)
        for name in set(names):
            delete_versions(client, find_versions(client, name))
            quiet.indices.delete_index_template(name=name)


def operations(client: Elasticsearch, version: str) -> int:
    """Count what was written into an index so far, whether it can be searched or not."""
    answer = client.options(ignore_status=404).indices.stats(index=version, metric="indexing").body
    return int(answer.get("_all", {}).get("primaries", {}).get("indexing", {}).get("index_total", 0))


def chosen(cluster: ElasticsearchCluster, client: Elasticsearch, kill: Kill) -> ElasticsearchNode:
    """The node that is to be killed."""
    [elected] = client.cat.master(format="json")
    master = [node for node in cluster.nodes if node.name == elected["node"]]
    others = [node for node in cluster.nodes if node.name != elected["node"]]
    return master[0] if kill.node == "master" else others[kill.node]


def differences(client: Elasticsearch, name: str, documents: Mapping[str, Mapping[str, Any]]) -> set[str]:
    """
    Compare every copy of an index's shards with what has to be in it.

    :param client: The cluster.
    :param name: The index.
    :param documents: The documents by their ids.
    :returns: Ids of documents that a copy has not, has otherwise, or should not have.
    """
    state = client.cluster.state(metric="nodes", filter_path="nodes.*.name")
    nodes = {node["name"]: number for number, node in state["nodes"].items()}
    copies: dict[str, dict[str, Any]] = {"p": {}, "r": {}}
    # A node that came back is given copies of others' shards, which takes a while.
    client.cluster.health(index=name, wait_for_status="green", wait_for_no_relocating_shards=True, timeout="120s")
    rows = client.cat.shards(index=name, format="json")
    assert len(rows) == SHARDS * (1 + REPLICAS), rows
    for row in rows:
        assert row["state"] == "STARTED", rows
        preference = f"_shards:{row['shard']}|_only_nodes:{nodes[row['node']]}"
        hits = helpers.scan(client, index=name, size=5000, preference=preference)
        copies[row["prirep"]] |= {hit["_id"]: hit["_source"] for hit in hits}
    return {
        id_ for copy in copies.values() for id_ in copy.keys() | documents.keys() if copy.get(id_) != documents.get(id_)
    }
