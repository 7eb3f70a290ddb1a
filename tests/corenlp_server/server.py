# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The server as a process: started, paused, killed, and started again on the same port."""

import functools
import http.client
import os
import signal
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Self

from maven_files import BRIEFLY, java, kept, maven
from reserved_port import HOST, ReservedPort

VERSION = "4.5.10"
SECONDS_TO_START = 300
_COPY = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy"
_LOG_LINES_SHOWN = 30
# It ends when the shell's standard input does: with this process at the latest, however that ends.
_SHELL = 'exec 3<&0; "$@" </dev/null & server=$!; { cat <&3 >/dev/null; kill -9 $server; } & echo $server; wait $server'


@functools.cache
def corenlp_files() -> Path:
    """The folder of the server's two jars, fetched (474 MB) if it is not there."""
    java()
    return kept(f"corenlp-{VERSION}", _fetch)


def _fetch(folder: Path) -> None:
    for kind in ("", ":jar:models"):
        artifact = f"edu.stanford.nlp:stanford-corenlp:{VERSION}{kind}"
        maven(f"CoreNLP {VERSION}", _COPY, f"-Dartifact={artifact}", f"-DoutputDirectory={folder}")


class CoreNLPServer:
    """
    A server on loopback, on a port of its own, until the context ends.

    :param heap: How large the heap may become, as Java writes it.
    :param jars: Where its classes and models are, as Java writes it; by default the fetched ones.
    """

    def __init__(self, heap: str = "2g", jars: str | None = None) -> None:
        self._heap = heap
        self._jars = jars or str(corenlp_files() / "*")
        self._shell: subprocess.Popen[bytes] | None = None
        self._port = ReservedPort()
        self._folder = tempfile.TemporaryDirectory(prefix="corenlp-")
        self.log = Path(self._folder.name, "server.log")
        self.url = f"http://{HOST}:{self._port.number}"

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
        Start it and wait until it answers; its models it reads with the first request.

        :raises RuntimeError: If it does not come up, with the end of its log.
        """
        server = ["edu.stanford.nlp.pipeline.StanfordCoreNLPServer", "-port", str(self._port.number)]
        command = [java(), f"-Xmx{self._heap}", BRIEFLY, "-XX:+UseSerialGC", "-cp", self._jars, *server]
        command += ["-timeout", "60000", "-quiet", "true"]
        with self.log.open("ab") as log:
            self._shell = subprocess.Popen(
                ["sh", "-c", _SHELL, "sh", *command],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                start_new_session=True,
            )
        assert self._shell.stdout is not None
        self.pid = int(self._shell.stdout.readline())
        end = time.monotonic() + SECONDS_TO_START
        while not self._answers():
            if self._shell.poll() is not None or time.monotonic() > end:
                lines = self.log.read_text(encoding="utf-8", errors="replace").splitlines()[-_LOG_LINES_SHOWN:]
                raise RuntimeError("\n".join(["CoreNLP did not come up; the end of its log:", *lines]))
            time.sleep(0.1)

    def pause(self) -> None:
        """Let it hang: connections are taken, and nothing is answered."""
        os.kill(self.pid, signal.SIGSTOP)

    def resume(self) -> None:
        """Let it go on."""
        os.kill(self.pid, signal.SIGCONT)

    def kill(self) -> None:
        """End it at once (SIGKILL)."""
        if self._shell is not None:
            assert self._shell.stdin is not None
            assert self._shell.stdout is not None
            self._shell.stdin.close()
            self._shell.wait()
            self._shell.stdout.close()
            self._shell = None

    def close(self) -> None:
        """Kill it, remove its folder and let go of its port."""
        self.kill()
        self._folder.cleanup()
        self._port.release()

    def _answers(self) -> bool:
        connection = http.client.HTTPConnection(HOST, self._port.number, timeout=10)
        try:
            connection.request("GET", "/ready")
            return connection.getresponse().status == http.client.OK
        except (OSError, http.client.HTTPException):
            return False
        finally:
            connection.close()
