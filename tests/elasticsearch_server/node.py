# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Nodes as processes: started, stopped, killed, and started again on the same ports and data."""

import http.client
import json
import random
import socket
import subprocess
import tempfile
import time
import uuid
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Self

import yaml

from .distribution import distribution, java

HOST = "127.0.0.1"
SECONDS_TO_START = 90
SECONDS_TO_STOP = 30

_LOGGING = """\
appender.console.type = Console
appender.console.name = console
appender.console.layout.type = PatternLayout
appender.console.layout.pattern = [%d{ISO8601}][%-5p][%c{1.}] %m%n%xEx
rootLogger.level = info
rootLogger.appenderRef.console.ref = console
"""
# The collector and its limits are those of the vendor's own distribution for small heaps.
_JVM = (
    "-XX:+UseG1GC",
    "-XX:G1ReservePercent=15",
    "-XX:InitiatingHeapOccupancyPercent=30",
    "-Djava.awt.headless=true",
    "-Dio.netty.noUnsafe=true",
    "-Dlog4j.shutdownHookEnabled=false",
    "-Dlog4j2.disable.jmx=true",
)
_LOG_LINES_SHOWN = 30
_ATTEMPTS = 3
# Below those that systems give to outgoing connections, so that a node that is down finds its port free again.
_PORTS = range(12000, 32000)


class _PortTakenError(Exception):
    """Somebody else took a port between its choice and its use."""


class ElasticsearchNode:
    """
    A node on loopback, with its own temporary folder, until the context ends.

    :param settings: Lines of `elasticsearch.yml`, over the tests' own.
    :param files: Text by file name, for the folder `config`: synonyms, stop words.
    :param heap: The heap's size at most, as Java writes it.
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
        self.http_port, self.transport_port = _free_ports(2)
        self._settings = {"cluster.name": f"tests-{uuid.uuid4()}", "discovery.type": "single-node", **(settings or {})}
        self._files = dict(files or {})
        self._heap = heap
        self._process: subprocess.Popen[bytes] | None = None
        self._folder = tempfile.TemporaryDirectory(prefix="elasticsearch-")
        self.home = Path(self._folder.name)

    @property
    def url(self) -> str:
        """Where it answers."""
        return f"http://{HOST}:{self.http_port}"

    @property
    def log(self) -> Path:
        """What it printed, since its first start."""
        return self.home / "node.log"

    @property
    def pid(self) -> int:
        """Its process, while it is running."""
        if not self.is_running():
            msg = f"{self.name} is not running"
            raise RuntimeError(msg)
        assert self._process
        return self._process.pid

    def is_running(self) -> bool:
        """Whether its process is there."""
        return self._process is not None and self._process.poll() is None

    def __enter__(self) -> Self:
        try:
            for attempt in range(1, _ATTEMPTS + 1):
                try:
                    self.start()
                    break
                except _PortTakenError:
                    if attempt == _ATTEMPTS:
                        raise
                    self.http_port, self.transport_port = _free_ports(2)
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def start(self) -> None:
        """
        Start it, on the data that it has, and wait until it can be searched.

        :raises RuntimeError: If it does not come up; with the end of its log.
        """
        self.launch()
        self.wait_until("yellow")

    def stop(self) -> None:
        """Ask it to end (SIGTERM), and wait until it has."""
        assert self._process
        self._process.terminate()
        self._process.wait(SECONDS_TO_STOP)

    def kill(self) -> None:
        """End it at once (SIGKILL)."""
        if self._process:
            self._process.kill()
            self._process.wait()

    def close(self) -> None:
        """Kill it and remove its folder."""
        self.kill()
        if self._process and self._process.stdin:
            self._process.stdin.close()
        self._folder.cleanup()

    def launch(self) -> None:
        """Start it without waiting."""
        if self.is_running():
            msg = f"{self.name} is running already"
            raise RuntimeError(msg)
        server = distribution()
        self._configure(server)
        command = [java(), f"-Xmx{self._heap}", *_JVM, f"-Djava.io.tmpdir={self.home / 'tmp'}"]
        command += ["-p", str(server / "lib"), "--add-modules", "ALL-MODULE-PATH", "-cp", str(server / "launcher")]
        with self.log.open("ab") as log:
            # It ends when its standard input does: with this process at the latest, however that ends. And it has a
            # session of its own, so that Ctrl-C is for the tests, which then stop it.
            self._process = subprocess.Popen(
                [*command, "Launcher", str(self.home)],
                cwd=self.home,
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def wait_until(self, status: str) -> None:
        """
        Wait until its cluster's health is this or better.

        :param status: `yellow` (all primaries are there) or `green` (all replicas too).
        :raises RuntimeError: If that takes too long or the node ends; with the end of its log.
        """
        end = time.monotonic() + SECONDS_TO_START
        while time.monotonic() < end:
            if not self.is_running():
                msg = "ended"
                raise self._failure(msg)
            if self._health(status):
                return
            time.sleep(0.1)
        msg = f"was not {status} within {SECONDS_TO_START} seconds"
        raise self._failure(msg)

    def _health(self, status: str) -> bool:
        connection = http.client.HTTPConnection(HOST, self.http_port, timeout=10)
        try:
            connection.request("GET", f"/_cluster/health?wait_for_status={status}&timeout=1s&master_timeout=1s")
            response = connection.getresponse()
            return response.status == http.client.OK and json.load(response)["cluster_name"] == self.cluster_name
        except (OSError, http.client.HTTPException, ValueError):
            return False
        finally:
            connection.close()

    @property
    def cluster_name(self) -> str:
        return str(self._settings["cluster.name"])

    def _configure(self, server: Path) -> None:
        config = self.home / "config"
        for folder in (config, self.home / "tmp"):
            folder.mkdir(exist_ok=True)
        modules = self.home / "modules"
        if not modules.is_symlink():
            modules.symlink_to(server / "modules")
        settings = {
            "node.name": self.name,
            "network.host": HOST,
            "http.port": self.http_port,
            "transport.port": self.transport_port,
            "cluster.routing.allocation.disk.threshold_enabled": False,
            **self._settings,
        }
        files = {"elasticsearch.yml": yaml.safe_dump(settings), "log4j2.properties": _LOGGING, **self._files}
        for name, text in files.items():
            (config / name).write_text(text, encoding="utf-8")

    def _failure(self, what: str) -> Exception:
        lines = self.log.read_text(encoding="utf-8", errors="replace").splitlines()
        msg = "\n".join([f"Elasticsearch {self.name} {what}; the end of its log:", *lines[-_LOG_LINES_SHOWN:]])
        return (_PortTakenError if "Address already in use" in msg else RuntimeError)(msg)


class ElasticsearchCluster:
    """
    Three nodes that are one cluster, until the context ends.

    :param settings: As a node's, for all of them.
    :param files: As a node's.
    :param heap: As a node's.
    """

    def __init__(
        self,
        settings: Mapping[str, Any] | None = None,
        *,
        files: Mapping[str, str] | None = None,
        heap: str = "512m",
    ) -> None:
        self._options: dict[str, Any] = {"files": files, "heap": heap}
        self._settings = dict(settings or {})
        self.nodes: list[ElasticsearchNode] = []

    @property
    def urls(self) -> list[str]:
        """Where its nodes answer."""
        return [node.url for node in self.nodes]

    def __enter__(self) -> Self:
        for attempt in range(1, _ATTEMPTS + 1):
            try:
                self._form()
                break
            except _PortTakenError:
                self.close()
                if attempt == _ATTEMPTS:
                    raise
            except BaseException:
                self.close()
                raise
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Kill the nodes and remove their folders."""
        for node in self.nodes:
            node.close()

    def restore(self) -> None:
        """Start the nodes that are down and wait until every shard has its replicas again."""
        for node in self.nodes:
            if not node.is_running():
                node.launch()
        for node in self.nodes:
            node.wait_until("green")

    def _form(self) -> None:
        names = [f"node-{number}" for number in (1, 2, 3)]
        settings = {
            "cluster.name": f"tests-{uuid.uuid4()}",
            "cluster.initial_master_nodes": names,
            "discovery.type": "multi-node",
            **self._settings,
        }
        self.nodes = [ElasticsearchNode(settings, name=name, **self._options) for name in names]
        hosts = [f"{HOST}:{node.transport_port}" for node in self.nodes]
        for node in self.nodes:
            node._settings["discovery.seed_hosts"] = hosts
        self.restore()


def _free_ports(number: int) -> list[int]:
    """Choose ports of loopback that nobody has."""
    return [port for port, _ in zip(_untaken(), range(number), strict=False)]


def _untaken() -> Iterator[int]:
    for port in random.SystemRandom().sample(_PORTS, len(_PORTS)):
        with socket.socket() as probe:
            try:
                probe.bind((HOST, port))
            except OSError:
                continue
        yield port
