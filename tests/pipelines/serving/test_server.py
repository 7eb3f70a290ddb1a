# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The service's socket, slow clients, and its end: over answers that are made up, in a thread or a process."""

import asyncio
import signal
import socket
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from uvicorn import Config, Server
from uvicorn.server import ServerState

from answer_selection.pipelines.serving import server
from answer_selection.pipelines.serving.slow_headers import PromptH11Protocol
from service_process import login_environment

PATIENCE = 1
# A pipeline that waits as long as the question says, behind the real server.
SLOW_SERVICE = """
import asyncio, sys
from answer_selection.pipelines.serving import server
from answer_selection.pipelines.serving.answers import Answers
from answer_selection.pipelines.serving.app import create_app
from answer_selection.pipelines.serving.settings import ServiceSettings

async def answer(questions):
    await asyncio.sleep(float(questions[0].question))
    return [Answers(answers=[], retrieval_ms=0, ranking_ms=0)] * len(questions)

async def ready():
    pass

server.log_to_stderr()
settings = ServiceSettings(drain_timeout=int(sys.argv[1]), request_timeout=60)
with server.listen("127.0.0.1", 0) as listening:
    print(server.address_of(listening), flush=True)
    server.run(create_app(settings, answer, ready), listening, settings)
print("closed", flush=True)
"""


async def hello(scope, receive, send) -> None:
    more = True
    while more:
        more = (await receive()).get("more_body", False)
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
    await send({"type": "http.response.body", "body": b"ok"})


@pytest.fixture
def address() -> Iterator[tuple[str, int]]:
    listening = server.listen("127.0.0.1", 0)
    running = Server(
        Config(hello, http=PromptH11Protocol, lifespan="off", log_config=None, timeout_keep_alive=PATIENCE)
    )
    thread = threading.Thread(target=asyncio.run, args=(running.serve([listening]),))
    thread.start()
    yield listening.getsockname()
    running.should_exit = True
    thread.join()


def read_to_end(connection: socket.socket) -> bytes:
    read = b""
    while piece := connection.recv(1000):
        read += piece
    return read


@pytest.mark.parametrize("sent", [b"", b"GET / HTTP/1.1\r\nHost: a\r\n", b"GET / HTTP/1.1\r\nHost: a\r\n\r\nGET"])
def test_a_client_that_does_not_come_to_the_point_is_dropped(address, sent):
    with socket.create_connection(address) as connection:
        connection.settimeout(30)
        connection.sendall(sent)
        answered = read_to_end(connection)
    assert answered.count(b"200 OK") == sent.count(b"\r\n\r\n")


def test_bytes_that_trickle_in_do_not_stop_the_clock(address):
    with socket.create_connection(address) as connection:
        connection.sendall(b"GET / HTTP/1.1\r\nX-Long: ")
        start = time.monotonic()
        with pytest.raises(OSError):
            while time.monotonic() - start < 30:
                connection.sendall(b"x")
                time.sleep(PATIENCE / 10)


async def test_the_clock_runs_for_headers_alone():
    """It is looked at, rather than waited for: a slow machine is no slow client."""
    loop = asyncio.get_running_loop()
    config = Config(hello, lifespan="off", log_config=None, timeout_keep_alive=3600)
    protocol = PromptH11Protocol(config, ServerState(), {}, loop)
    listening = await loop.create_server(lambda: protocol, "127.0.0.1", 0)
    reader, writer = await asyncio.open_connection(*listening.sockets[0].getsockname())
    for _ in range(3):
        writer.write(b"POST / HTTP/1.1\r\nHost: a\r\n")
        while not protocol.conn.trailing_data[0]:
            await asyncio.sleep(0.01)
        running = protocol._deadline
        writer.write(b"Content-Length: 2\r\n\r\n")
        while protocol._deadline is not None:
            await asyncio.sleep(0.01)
        assert running.cancelled()
        writer.write(b"ab")
        assert b"200 OK" in await reader.readuntil(b"\r\n\r\nok")
        assert protocol._deadline is None
    writer.close()
    listening.close()


def test_a_taken_port_is_taken():
    with server.listen("127.0.0.1", 0) as listening, pytest.raises(OSError, match="in use"):
        server.listen("127.0.0.1", listening.getsockname()[1])


@pytest.mark.skipif(not socket.has_ipv6, reason="there is no IPv6")
def test_an_address_of_ipv6_is_written_as_in_a_url():
    try:
        listening = server.listen("::1", 0)
    except OSError:
        pytest.skip("there is no IPv6")
    with listening:
        assert server.address_of(listening) == f"[::1]:{listening.getsockname()[1]}"


@contextmanager
def slow_service(folder: Path, drain_timeout: int) -> Iterator[tuple[subprocess.Popen, str]]:
    script = folder / "slow_service.py"
    script.write_text(textwrap.dedent(SLOW_SERVICE), encoding="utf-8")
    process = subprocess.Popen(
        [sys.executable, script, str(drain_timeout)],
        env=login_environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        yield process, process.stdout.readline().strip()
    finally:
        process.kill()
        process.communicate()


def asked(address: str, seconds: float) -> httpx.Response:
    return httpx.post(f"http://{address}/answer/run", json={"question": str(seconds)}, timeout=60, trust_env=False)


def wait_until_asked(address: str) -> None:
    """Until a batch is being answered."""
    while "answer_selection_batch_size_count 1.0" not in httpx.get(f"http://{address}/metrics", trust_env=False).text:
        time.sleep(0.05)


@pytest.mark.slow
def test_what_is_in_progress_is_finished_and_nothing_new_is_taken(tmp_path):
    with slow_service(tmp_path, drain_timeout=50) as (process, address), ThreadPoolExecutor(1) as threads:
        answer = threads.submit(asked, address, 3)
        wait_until_asked(address)
        process.send_signal(signal.SIGTERM)
        refused = False
        while not refused and not answer.done():
            try:
                socket.create_connection((address.rpartition(":")[0], int(address.rpartition(":")[2]))).close()
            except ConnectionResetError:
                continue  # the port was closed in the middle of it
            except ConnectionRefusedError:
                refused = True
        assert refused
        assert answer.result().status_code == 200
        assert (process.wait(50), process.stdout.read()) == (0, "closed\n")


@pytest.mark.slow
def test_the_drain_has_an_end_and_says_so(tmp_path):
    with slow_service(tmp_path, drain_timeout=1) as (process, address), ThreadPoolExecutor(1) as threads:
        answer = threads.submit(asked, address, 50)
        wait_until_asked(address)
        process.send_signal(signal.SIGTERM)
        response = answer.result()
        assert (response.status_code, response.json()) == (503, {"detail": "the service stops"})
        assert process.wait(40) == 0
        assert "Traceback" not in process.stderr.read()
