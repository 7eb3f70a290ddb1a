# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The service as a process of its own, on a free port, stopped whatever happens."""

import ctypes
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

_LIBC = ctypes.CDLL(None) if sys.platform == "linux" else None
SECONDS_TO_START = 600
SECONDS_TO_STOP = 120


class Service:
    """
    A service that runs.

    :param url: Where it is asked.
    :param log: The file with what it wrote.
    :param process: Its process.
    """

    def __init__(self, url: str, log: Path, process: subprocess.Popen) -> None:
        self.url, self.log, self.process = url, log, process
        self.client = httpx.Client(base_url=url, timeout=300, trust_env=False)

    def ask(self, question: str, **fields: Any) -> dict[str, Any]:
        """Ask a question that has answers."""
        response = self.client.post("/answer/run", json={"question": question, **fields})
        assert response.status_code == 200, response.text
        return response.json()["result"]


def same_answers(ours: list[dict[str, Any]], theirs: list[dict[str, Any]]) -> None:
    """The same answers in the same order. Ranked beside other questions', a score may differ in its last bits."""
    assert [answer["entry_id"] for answer in ours] == [answer["entry_id"] for answer in theirs]
    for one, other in zip(ours, theirs, strict=True):
        assert one["score"] == pytest.approx(other["score"], rel=1e-4)
        # Questions that come together are encoded together.
        assert one["retriever_score"] == pytest.approx(other["retriever_score"], rel=1e-4)
        assert one["answer"] == other["answer"]


@contextmanager
def running(command: Sequence[str], environment: Mapping[str, str], folder: Path) -> Iterator[Service]:
    """
    Run a command that serves, in an environment of its own, until the context ends.

    :param command: The command.
    :param environment: What it sees of the environment, over what a login shell has.
    :param folder: Its working folder; what it writes is in `service.log` beside it.
    :returns: The service, once it answers.
    """
    port = _free_port()
    own = {"ANSWER_SELECTION_HOST": "127.0.0.1", "ANSWER_SELECTION_PORT": str(port)}
    log = folder.with_name(f"{folder.name}.log")
    with log.open("wb") as output:
        process = subprocess.Popen(
            [beside_python(command[0]), *command[1:]],
            cwd=folder,
            env=login_environment() | dict(environment) | own,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            preexec_fn=_end_with_parent,  # noqa: PLW1509 - it calls the C library alone, which is loaded
        )
    service = Service(f"http://127.0.0.1:{port}", log, process)
    try:
        _wait(process, service)
        yield service
    finally:
        service.client.close()
        process.terminate()
        try:
            process.wait(SECONDS_TO_STOP)
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)


def login_environment() -> dict[str, str]:
    """What a process needs that is started outside this repository, and two threads of which neither is in the way."""
    kept = {name: value for name, value in os.environ.items() if name in ("HOME", "LANG", "PATH", "TMPDIR")}
    return kept | {"OMP_NUM_THREADS": "1", "HAYSTACK_TELEMETRY_ENABLED": "False"}


def beside_python(program: str) -> str:
    """The program that is installed with this Python, as in the image."""
    found = shutil.which(program, path=str(Path(sys.executable).parent))
    assert found, f"{program} is not installed beside {sys.executable}"
    return found


def _wait(process: subprocess.Popen, service: Service) -> None:
    deadline = time.monotonic() + SECONDS_TO_START
    while True:
        assert process.poll() is None, f"ended with {process.returncode}:\n{service.log.read_text()}"
        try:
            service.client.get("/health/live")
            return
        except httpx.TransportError:
            assert time.monotonic() < deadline, f"not up within {SECONDS_TO_START} s:\n{service.log.read_text()}"
            time.sleep(0.1)


def _free_port() -> int:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        return listening.getsockname()[1]


def _end_with_parent() -> None:
    if _LIBC:
        # Also where the tests are killed before they could stop it: PR_SET_PDEATHSIG.
        _LIBC.prctl(1, signal.SIGKILL)
