# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
What goes wrong between us and a cluster is one clear line, from the commands and from the integration's own store.

Users, API keys and TLS are those of a proxy in front of the node: the server's own security is not published.
"""

import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from elasticsearch import Elasticsearch
from haystack import Pipeline

import tls_proxy
from answer_selection.indexing.elasticsearch.connection import ElasticsearchError, clear_errors, connect
from answer_selection.pipelines.messages import is_expected, one_line
from elasticsearch_server import ElasticsearchNode
from tls_proxy import TlsProxy

VARIABLES = (
    "ELASTICSEARCH_HOSTS",
    "ELASTIC_USERNAME",
    "ELASTIC_PASSWORD",
    "ELASTIC_CA_CERTS",
    "ELASTIC_API_KEY",
    "ELASTIC_API_KEY_ID",
)
SEARCHING = """
components:
  bm25:
    type: haystack_integrations.components.retrievers.elasticsearch.bm25_retriever.ElasticsearchBM25Retriever
    init_parameters:
      document_store:
        type: haystack_integrations.document_stores.elasticsearch.document_store.ElasticsearchDocumentStore
        init_parameters:
          index: {index}
          hosts: {{type: haystack_integrations.document_stores.elasticsearch_nodes.nodes.ElasticsearchNodes}}
          request_timeout: {timeout}
          max_retries: 1
          retry_on_timeout: true
connections: []
"""


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """The variables that these tests are about: none, until a test sets some."""
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)

    def change(**values: object) -> None:
        for name, value in values.items():
            monkeypatch.setenv(name, str(value))

    return change


@pytest.fixture
def index(elasticsearch_node) -> Iterator[str]:
    """An index of one document."""
    name = f"connection-{uuid.uuid4().hex[:12]}"
    with Elasticsearch(elasticsearch_node.url) as client:
        client.index(index=name, id="one", document={"id": "one", "content": "Any desk replaces it."}, refresh=True)
        yield name
        client.indices.delete(index=name)


@pytest.fixture
def proxy(elasticsearch_node) -> Iterator[TlsProxy]:
    with TlsProxy(elasticsearch_node.url) as proxy:
        yield proxy


def connected(timeout: float = 20) -> None:
    """What the commands do first."""
    connect(request_timeout=timeout, max_retries=1).close()


async def asked_async(index: str = "faq", timeout: float = 20) -> list[str]:
    """The same where a pipeline is awaited, by the integration's other client."""
    pipeline = Pipeline.loads(SEARCHING.format(index=index, timeout=timeout))
    try:
        return [document.id for document in (await pipeline.run_async({"query": "replaces"}))["bm25"]["documents"]]
    finally:
        await pipeline.close_async()


def asked(index: str = "faq", timeout: float = 20) -> list[str]:
    """The same by the integration's own store, as a pipeline's YAML names it."""
    pipeline = Pipeline.loads(SEARCHING.format(index=index, timeout=timeout))
    try:
        return [document.id for document in pipeline.run({"query": "replaces"})["bm25"]["documents"]]
    finally:
        pipeline.close()


def message(action: Callable[[], object]) -> str:
    """The one line that the command line shows for what goes wrong."""
    with pytest.raises(Exception) as failure:
        action()
    assert is_expected(failure.value)
    line = one_line(failure.value)
    assert "\n" not in line
    return line


def both(expected: str, timeout: float = 20) -> None:
    """Connecting and asking fail with the same text."""
    line = message(lambda: connected(timeout=timeout))
    assert re.search(expected, line), line
    assert message(lambda: asked(timeout=timeout)) == f"bm25: {line}"


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


@contextmanager
def tcp_server(answer: bytes | None) -> Iterator[str]:
    """Take every connection; answer each with these bytes, or with nothing, ever."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        taken = []

        def serve() -> None:
            while True:
                try:
                    connection, _ = listening.accept()
                except OSError:
                    return
                taken.append(connection)
                if answer is not None:
                    # What is left unread would make of the end a reset, and the answer would be lost.
                    request = b""
                    while b"\r\n\r\n" not in request and (part := connection.recv(10_000)):
                        request += part
                    connection.sendall(answer)
                    connection.close()

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        listening.shutdown(socket.SHUT_RDWR)
        thread.join()
        for connection in taken:
            connection.close()


def test_nothing_listens(environment: Callable[..., None]):
    port = free_port()
    environment(ELASTICSEARCH_HOSTS=f"http://127.0.0.1:{port}")
    both(rf"^nothing answers at 127\.0\.0\.1:{port}; is Elasticsearch running, .*Connection refused")


def test_no_such_host(environment: Callable[..., None]):
    environment(ELASTICSEARCH_HOSTS="http://no-such-host.invalid:9200")
    both(r"^nothing answers at no-such-host\.invalid:9200; .*resolve")


def test_every_node_that_was_tried_is_named(environment: Callable[..., None]):
    one, two = free_port(), free_port()
    environment(ELASTICSEARCH_HOSTS=f"http://127.0.0.1:{one},http://127.0.0.1:{two}")
    line = message(connected)
    assert f"127.0.0.1:{one}" in line
    assert f"127.0.0.1:{two}" in line


def test_another_node_is_asked_where_the_first_is_gone(
    elasticsearch_node, environment: Callable[..., None], index: str
):
    environment(ELASTICSEARCH_HOSTS=f"http://127.0.0.1:{free_port()}, {elasticsearch_node.url}")
    for _ in range(3):
        connected()
        assert asked(index) == ["one"]


def test_a_web_server_answers(environment: Callable[..., None], tmp_path: Path):
    class Files(SimpleHTTPRequestHandler):
        def __init__(self, *arguments):
            super().__init__(*arguments, directory=str(tmp_path))

        def log_message(self, *_):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Files) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
        thread.start()
        url = f"http://127.0.0.1:{server.server_port}"
        environment(ELASTICSEARCH_HOSTS=url)
        both(rf"^the server at {url} is not Elasticsearch 8 or later \(HTTP 200: Directory listing")
        with (
            Elasticsearch(url) as client,
            pytest.raises(ElasticsearchError, match=r"is not Elasticsearch 8 or later \(HTTP 501"),
        ):
            with clear_errors():
                client.search(index="faq")
        server.shutdown()
        thread.join()


def test_without_the_extra_it_is_named(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "elasticsearch", None)
    assert message(connect).endswith("Elasticsearch needs more packages: pip install '.[elasticsearch]'")


@pytest.mark.slow
def test_the_command_line_shows_that_line_and_nothing_else(tmp_path: Path):
    # In a process of its own, where the client's notes on its retries would be shown.
    script = "from answer_selection.pipelines.commands.cli import main; main()"
    environment = {**os.environ, "ELASTICSEARCH_HOSTS": f"http://127.0.0.1:{free_port()}"}
    done = subprocess.run(
        [sys.executable, "-c", script, "ask", "where?", "--pipeline", "answer_elasticsearch"],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert re.fullmatch(r"error (retriever: )?nothing answers at 127\.0\.0\.1:\d+; .*\)\n", done.stderr)


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (b"SSH-2.0-OpenSSH_9.2\r\n", "does not speak HTTP"),
        (b"\x15\x03\x03\x00\x02\x02\x46", "does not speak HTTP|broke off"),
        (
            b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 5\r\n\r\nhello",
            "is not Elasticsearch",
        ),
        (b"HTTP/1.1 502 Bad Gateway\r\nconnection: close\r\ncontent-length: 0\r\n\r\n", "answers HTTP 502"),
        (b"", "broke off"),
    ],
)
def test_something_else_answers(environment: Callable[..., None], answer: bytes, expected: str):
    with tcp_server(answer) as url:
        environment(ELASTICSEARCH_HOSTS=url)
        both(f"{url.removeprefix('http://')}.*({expected})|({expected}).*{url.removeprefix('http://')}")


def test_a_server_that_never_answers_is_given_up_after_the_timeout(environment: Callable[..., None]):
    with tcp_server(None) as url:
        environment(ELASTICSEARCH_HOSTS=url)
        started = time.monotonic()
        both(rf"^Elasticsearch at {url.removeprefix('http://')} did not answer within 0\.5 s \(2 attempts\)$", 0.5)
        # Two attempts of half a second each, by connecting and by asking.
        assert time.monotonic() - started < 60


def test_a_server_that_hangs_in_the_middle_is_given_up_too(elasticsearch_files, environment: Callable[..., None]):
    with ElasticsearchNode() as node:
        environment(ELASTICSEARCH_HOSTS=node.url)
        with connect(max_retries=1) as client:
            os.kill(node.pid, signal.SIGSTOP)
            try:
                with pytest.raises(ElasticsearchError, match=r"did not answer within 0\.5 s \(2 attempts\)"):
                    with clear_errors():
                        client.options(request_timeout=0.5).count()
            finally:
                os.kill(node.pid, signal.SIGCONT)
            assert client.count()["count"] == 0


def test_a_missing_index_is_named_with_the_command_that_makes_it(elasticsearch_node):
    with Elasticsearch(elasticsearch_node.url) as client, pytest.raises(ElasticsearchError) as failure:
        with clear_errors():
            client.search(index="no-such-index")
    assert str(failure.value) == (
        f"there is no index 'no-such-index' at {elasticsearch_node.url}; "
        "`answer-selection index FILE --store elasticsearch --index no-such-index` makes it"
    )


@pytest.mark.parametrize(
    ("block", "expected"),
    [
        ("index.blocks.write", "index write"),
        ("index.blocks.read_only", "index read-only"),
        ("index.blocks.read_only_allow_delete", "disk usage exceeded flood-stage watermark"),
    ],
)
def test_a_blocked_index_is_named_with_what_blocks_it(elasticsearch_node, index: str, block: str, expected: str):
    with Elasticsearch(elasticsearch_node.url, max_retries=0) as client:
        client.indices.put_settings(index=index, settings={block: True})
        try:
            with pytest.raises(ElasticsearchError, match=f"^the index {index} at .* is blocked: {expected}"):
                with clear_errors():
                    client.index(index=index, document={"id": "two"})
        finally:
            client.indices.put_settings(index=index, settings={block: None})


def test_what_the_mapping_refuses_is_said_once(elasticsearch_node, index: str):
    with Elasticsearch(elasticsearch_node.url) as client, pytest.raises(ElasticsearchError) as failure:
        with clear_errors():
            client.indices.put_mapping(index=index, properties={"content": {"type": "double"}})
    assert str(failure.value) == (
        f"Elasticsearch at {elasticsearch_node.url} answers HTTP 400: illegal_argument_exception: "
        "mapper [content] cannot be changed from type [text] to [double]"
    )


def test_what_a_shard_says_is_not_lost_behind_all_shards_failed(elasticsearch_node, index: str):
    with (
        Elasticsearch(elasticsearch_node.url) as client,
        pytest.raises(ElasticsearchError, match="too large") as failure,
    ):
        with clear_errors():
            client.search(index=index, size=20_000)
    assert str(failure.value).count("too large") == 1


def test_a_document_over_the_servers_limit(elasticsearch_files):
    with ElasticsearchNode({"http.max_content_length": "64kb"}) as node, Elasticsearch(node.url) as client:
        with pytest.raises(ElasticsearchError, match=r"larger than Elasticsearch at .* accepts"):
            with clear_errors():
                client.index(index="faq", document={"content": "x" * 100_000})


# --- users, keys and TLS, by the proxy ---


def test_user_and_password_over_tls(proxy: TlsProxy, environment: Callable[..., None], tmp_path: Path, index: str):
    environment(
        ELASTICSEARCH_HOSTS=proxy.url,
        ELASTIC_CA_CERTS=proxy.certificates(tmp_path),
        ELASTIC_USERNAME=tls_proxy.USER,
        ELASTIC_PASSWORD=tls_proxy.PASSWORD,
    )
    connected()
    assert asked(index) == ["one"]


@pytest.mark.parametrize(
    "key",
    [
        {"ELASTIC_API_KEY": tls_proxy.ENCODED_KEY},
        {"ELASTIC_API_KEY": tls_proxy.KEY, "ELASTIC_API_KEY_ID": tls_proxy.KEY_ID},
    ],
)
def test_an_api_key_over_tls(
    proxy: TlsProxy, environment: Callable[..., None], tmp_path: Path, index: str, key: dict[str, str]
):
    environment(ELASTICSEARCH_HOSTS=proxy.url, ELASTIC_CA_CERTS=proxy.certificates(tmp_path), **key)
    connected()
    assert asked(index) == ["one"]


def test_of_key_and_user_the_key_alone_is_sent(
    proxy: TlsProxy, environment: Callable[..., None], tmp_path: Path, index: str
):
    environment(
        ELASTICSEARCH_HOSTS=proxy.url,
        ELASTIC_CA_CERTS=proxy.certificates(tmp_path),
        ELASTIC_USERNAME=tls_proxy.USER,
        ELASTIC_PASSWORD="wrong",
        ELASTIC_API_KEY=tls_proxy.ENCODED_KEY,
    )
    connected()
    assert asked(index) == ["one"]
    assert set(proxy.authorizations) == {f"ApiKey {tls_proxy.ENCODED_KEY}"}


@pytest.mark.parametrize(
    ("credentials", "reason"),
    [
        ({}, "missing authentication credentials"),
        ({"ELASTIC_USERNAME": tls_proxy.USER, "ELASTIC_PASSWORD": "wrong"}, r"unable to authenticate user \[faq\]"),
        ({"ELASTIC_API_KEY": "d3Jvbmc6a2V5"}, "unable to authenticate with provided credentials"),
    ],
)
def test_who_is_not_let_in_is_told_which_variables_say_who_it_is(
    proxy: TlsProxy, environment: Callable[..., None], tmp_path: Path, credentials: dict[str, str], reason: str
):
    environment(ELASTICSEARCH_HOSTS=proxy.url, ELASTIC_CA_CERTS=proxy.certificates(tmp_path), **credentials)
    both(rf"^Elasticsearch at {proxy.url} refuses access \(HTTP 401\)\. Check ELASTIC_API_KEY, or .*{reason}")


def test_a_key_without_the_privilege_is_let_in_but_not_obeyed(
    proxy: TlsProxy, environment: Callable[..., None], tmp_path: Path, index: str
):
    environment(
        ELASTICSEARCH_HOSTS=proxy.url,
        ELASTIC_CA_CERTS=proxy.certificates(tmp_path),
        ELASTIC_API_KEY=tls_proxy.READER_KEY,
    )
    assert asked(index) == ["one"]
    with (
        connect() as client,
        pytest.raises(ElasticsearchError, match=r"\(HTTP 403\).* their privileges.*create"),
    ):
        with clear_errors():
            client.indices.create(index="not-allowed")


def test_a_certificate_of_another_authority(
    proxy: TlsProxy, elasticsearch_node, environment: Callable[..., None], tmp_path: Path
):
    other = TlsProxy(elasticsearch_node.url).certificates(tmp_path)
    environment(ELASTICSEARCH_HOSTS=proxy.url, ELASTIC_CA_CERTS=other)
    both(rf"^the certificate of {proxy.url} is not trusted; ELASTIC_CA_CERTS is {other} \(.*certificate verify failed")


def test_a_certificate_that_nobody_vouches_for(proxy: TlsProxy, environment: Callable[..., None]):
    environment(ELASTICSEARCH_HOSTS=proxy.url)
    both(rf"^the certificate of {proxy.url} is not trusted; set ELASTIC_CA_CERTS to the file")


def test_a_certificate_for_another_host(elasticsearch_node, environment: Callable[..., None], tmp_path: Path):
    with TlsProxy(elasticsearch_node.url, "search.example.org") as proxy:
        environment(ELASTICSEARCH_HOSTS=proxy.url, ELASTIC_CA_CERTS=proxy.certificates(tmp_path))
        both(rf"^the certificate of {proxy.url} is for another name: .*search\.example\.org")


def test_https_where_there_is_no_tls(elasticsearch_node, environment: Callable[..., None]):
    url = elasticsearch_node.url.replace("http:", "https:")
    environment(ELASTICSEARCH_HOSTS=url)
    both(rf"^the server at {url} does not speak TLS: http:// instead of https://\?$")


def test_http_where_there_is_tls(proxy: TlsProxy, environment: Callable[..., None]):
    url = proxy.url.replace("https:", "http:")
    environment(ELASTICSEARCH_HOSTS=url)
    both(rf"{url}.*(https:// instead of http://|\(2 attempts\))")


async def test_the_awaited_client_works_and_fails_alike(
    proxy: TlsProxy, elasticsearch_node, environment: Callable[..., None], tmp_path: Path, index: str
):
    environment(
        ELASTICSEARCH_HOSTS=proxy.url,
        ELASTIC_CA_CERTS=proxy.certificates(tmp_path),
        ELASTIC_USERNAME=tls_proxy.USER,
        ELASTIC_PASSWORD=tls_proxy.PASSWORD,
    )
    assert await asked_async(index) == ["one"]

    async def line(timeout: float = 20) -> str:
        with pytest.raises(Exception) as failure:
            await asked_async(index, timeout)
        assert is_expected(failure.value)
        return one_line(failure.value)

    environment(ELASTIC_PASSWORD="wrong")
    assert "refuses access (HTTP 401)" in await line()
    environment(ELASTIC_CA_CERTS=TlsProxy(elasticsearch_node.url).certificates(tmp_path))
    assert f"the certificate of {proxy.url} is not trusted" in await line()
    environment(ELASTIC_CA_CERTS="", ELASTICSEARCH_HOSTS=f"http://127.0.0.1:{(port := free_port())}")
    assert f"nothing answers at http://127.0.0.1:{port}" in await line()
    with tcp_server(None) as url:
        environment(ELASTICSEARCH_HOSTS=url)
        assert f"Elasticsearch at {url} did not answer" in await line(timeout=0.5)


@pytest.mark.parametrize(
    ("body", "shown"),
    [
        ('{"version": {"distribution": "opensearch", "number": "2.19.1"}, "tagline": "..."}', "opensearch 2.19.1"),
        ('{"version": {"number": "7.10.2"}, "tagline": "You Know, for Search"}', "elasticsearch 7.10.2"),
    ],
)
def test_another_search_engine_is_named(environment: Callable[..., None], body: str, shown: str):
    head = f"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {len(body)}\r\n\r\n"
    with tcp_server(f"{head}{body}".encode()) as url:
        environment(ELASTICSEARCH_HOSTS=url)
        both(rf"^the server at {url} is not Elasticsearch 8 or later \(HTTP 200: {shown}\)$")


def test_no_secret_is_in_what_is_shown(proxy: TlsProxy, environment: Callable[..., None], tmp_path: Path):
    environment(
        ELASTICSEARCH_HOSTS=proxy.url,
        ELASTIC_CA_CERTS=proxy.certificates(tmp_path),
        ELASTIC_USERNAME=tls_proxy.USER,
        ELASTIC_PASSWORD="hunter2-hunter2",
    )
    for action in (connected, asked):
        with pytest.raises(Exception) as failure:
            action()
        error: BaseException | None = failure.value
        while error is not None:
            assert "hunter2" not in f"{error!s} {error!r}"
            error = error.__cause__ or error.__context__
