# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Nodes as processes: started, stopped, killed, and started again on the same ports and data."""

import functools
import hashlib
import http.client
import subprocess
import tempfile
import time
import uuid
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any, Literal, Self

import yaml

from maven_files import BRIEFLY, java, kept, run
from reserved_port import HOST, ReservedPort

from .distribution import distribution

SECONDS_TO_START = 300
SECONDS_TO_STOP = 120

_JVM = (
    # The collector and its limits are those of the vendor's own distribution for small heaps. The first compiler alone:
    # a node starts in 3 seconds of CPU time instead of 5 and indexes as fast; only after thousands of queries do these
    # take a tenth longer than with the second.
    "-XX:+UseG1GC",
    "-XX:G1ReservePercent=15",
    "-XX:InitiatingHeapOccupancyPercent=30",
    BRIEFLY,
    "-Djava.awt.headless=true",
    "-Dio.netty.noUnsafe=true",
    "-Dlog4j.shutdownHookEnabled=false",
    "-Dlog4j2.disable.jmx=true",
)
_LOGGING = """\
appender.console.type = Console
appender.console.name = console
appender.console.layout.type = PatternLayout
appender.console.layout.pattern = [%d{ISO8601}][%-5p][%c{1.}] %m%n%xEx
rootLogger.level = info
rootLogger.appenderRef.console.ref = console
"""
_LOG_LINES_SHOWN = 30


class ElasticsearchNode:
    """
    A node on loopback, a cluster by itself, with ports and a temporary folder of its own, until the context ends.

    :param settings: Lines of `elasticsearch.yml`, over the tests' own. They are read at each start.
    :param files: Text by file name, for the folder `config`: synonyms, stop words.
    :param heap: How large the heap may become, as Java writes it.
    :param name: The node's name.
    """

    def __init__(
        self,
        settings: Mapping[str, Any] | None = None,
        *,
        files: Mapping[str, str] | None = None,
        heap: str = "512m",
        name: str = "node-1",
    ) -> None:
        self.name = name
        self._files = dict(files or {})
        self._heap = heap
        self._process: subprocess.Popen[bytes] | None = None
        self._folder = tempfile.TemporaryDirectory(prefix="elasticsearch-")
        self.home = Path(self._folder.name)
        self._ports = ReservedPort(), ReservedPort()
        self.http_port, self.transport_port = (port.number for port in self._ports)
        self.settings = {
            "cluster.name": f"tests-{uuid.uuid4()}",
            "cluster.routing.allocation.disk.threshold_enabled": False,
            "discovery.type": "single-node",
            "http.port": self.http_port,
            "network.host": HOST,
            "node.name": name,
            "transport.port": self.transport_port,
            **(settings or {}),
        }

    @property
    def url(self) -> str:
        """Where it answers."""
        return f"http://{HOST}:{self.http_port}"

    @property
    def log(self) -> Path:
        """What it printed since its first start."""
        return self.home / "node.log"

    @property
    def pid(self) -> int:
        """Its process."""
        return self._running().pid

    def is_running(self) -> bool:
        """Whether its process is there."""
        return self._process is not None and self._process.poll() is None

    def __enter__(self) -> Self:
        try:
            self.start()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def start(self) -> None:
        """
        Start it, on the data that it has, and wait until all of that can be searched.

        :raises RuntimeError: If it does not come up, with the end of its log.
        """
        self.launch()
        self.wait_until("yellow")

    def stop(self) -> None:
        """Ask it to end (SIGTERM), and wait until it has."""
        process = self._running()
        process.terminate()
        process.wait(SECONDS_TO_STOP)

    def kill(self) -> None:
        """End it at once (SIGKILL)."""
        process = self._running()
        process.kill()
        process.wait()

    def close(self) -> None:
        """Kill it, remove its folder and let go of its ports."""
        if self.is_running():
            self.kill()
        self._folder.cleanup()
        for port in self._ports:
            port.release()

    def launch(self) -> None:
        """Start it without waiting."""
        self._launch(f"-XX:SharedArchiveFile={_class_archive()}")

    def _launch(self, classes: str) -> None:
        if self.is_running():
            msg = f"Elasticsearch {self.name} is running already"
            raise RuntimeError(msg)
        server = distribution()
        self._configure(server)
        command = [java(), f"-Xmx{self._heap}", *_JVM, classes, f"-Djava.io.tmpdir={self.home / 'tmp'}"]
        command += ["-p", str(server / "lib"), "--add-modules", "ALL-MODULE-PATH", "-cp", str(server / "launcher.jar")]
        with self.log.open("ab") as log:
            # It ends when its standard input does: with this process at the latest, however that ends. And it has a
            # session of its own, so that Ctrl-C is for the tests alone, which then stop it.
            self._process = subprocess.Popen(
                [*command, "launcher.Launcher", str(self.home)],
                cwd=self.home,
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def wait_until(self, status: Literal["yellow", "green"]) -> None:
        """
        Wait until its cluster has this health, or better.

        :param status: `yellow` (every shard is there) or `green` (and every replica).
        :raises RuntimeError: If that takes too long or the node ends, with the end of its log.
        """
        end = time.monotonic() + SECONDS_TO_START
        while not self._has_health(status):
            if not self.is_running():
                msg = "ended"
                raise self._failure(msg)
            if time.monotonic() > end:
                msg = f"was not {status} within {SECONDS_TO_START} seconds"
                raise self._failure(msg)
            time.sleep(0.1)

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is None or not self.is_running():
            msg = f"Elasticsearch {self.name} is not running"
            raise RuntimeError(msg)
        return self._process

    def _configure(self, server: Path) -> None:
        config = self.home / "config"
        for folder in (config, self.home / "tmp"):
            folder.mkdir(exist_ok=True)
        modules = self.home / "modules"
        if not modules.is_symlink():
            modules.symlink_to(server / "modules")
        files = {"elasticsearch.yml": yaml.safe_dump(self.settings), "log4j2.properties": _LOGGING, **self._files}
        for name, text in files.items():
            (config / name).write_text(text, encoding="utf-8")

    def _has_health(self, status: str) -> bool:
        connection = http.client.HTTPConnection(HOST, self.http_port, timeout=10)
        try:
            connection.request("GET", f"/_cluster/health?wait_for_status={status}&timeout=1s&master_timeout=1s")
            # 408 if it does not become so within that second, 503 while there is no master.
            return connection.getresponse().status == http.client.OK
        except (OSError, http.client.HTTPException):
            return False
        finally:
            connection.close()

    def _failure(self, what: str) -> RuntimeError:
        lines = self.log.read_text(encoding="utf-8", errors="replace").splitlines()
        return RuntimeError(
            "\n".join([f"Elasticsearch {self.name} {what}; the end of its log:", *lines[-_LOG_LINES_SHOWN:]])
        )


class ElasticsearchCluster:
    """
    Three nodes that are one cluster, until the context ends.

    :param settings: As a node's, for all of them.
    :param files: As a node's, for all of them.
    :param heap: As a node's, for each of them.
    """

    def __init__(
        self,
        settings: Mapping[str, Any] | None = None,
        *,
        files: Mapping[str, str] | None = None,
        heap: str = "512m",
    ) -> None:
        names = [f"node-{number}" for number in (1, 2, 3)]
        own = {
            "cluster.name": f"tests-{uuid.uuid4()}",
            "cluster.initial_master_nodes": names,
            "discovery.type": "multi-node",
            **(settings or {}),
        }
        self.nodes = [ElasticsearchNode(own, files=files, heap=heap, name=name) for name in names]
        for node in self.nodes:
            node.settings["discovery.seed_hosts"] = [f"{HOST}:{other.transport_port}" for other in self.nodes]

    @property
    def urls(self) -> list[str]:
        """Where its nodes answer."""
        return [node.url for node in self.nodes]

    def __enter__(self) -> Self:
        try:
            self.restore()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def restore(self) -> None:
        """
        Start the nodes that are down, and wait until every shard has all of its replicas.

        :raises RuntimeError: If that takes too long or a node ends, with the end of its log.
        """
        for node in self.nodes:
            if not node.is_running():
                node.launch()
        for node in self.nodes:
            node.wait_until("green")

    def close(self) -> None:
        """Kill the nodes, remove their folders and let go of their ports."""
        for node in self.nodes:
            node.close()


@functools.cache
def _class_archive() -> Path:
    """The classes of a node that has started, as Java takes them into memory: the next ones start in half the time."""
    made_by = run([java(), "-version"]).stdout + " ".join(_JVM)
    digest = hashlib.sha256(made_by.encode()).hexdigest()[:12]
    return kept(f"{distribution().name}-classes-{digest}", _archive_classes) / "classes.jsa"


def _archive_classes(folder: Path) -> None:
    folder.mkdir()
    with closing(ElasticsearchNode()) as node:
        node._launch(f"-XX:ArchiveClassesAtExit={folder / 'classes.jsa'}")
        node.wait_until("yellow")
        node.stop()
