# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The tests' server is a real one, and what stands in for its parts that are not published behaves as they do."""

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from elasticsearch import ApiError, BadRequestError, Elasticsearch, helpers

from elasticsearch_server import ElasticsearchNode

TESTS = Path(__file__).parent
DNS = ["dns, domain name system"]


@pytest.fixture(scope="module")
def client(elasticsearch_node):
    with Elasticsearch(elasticsearch_node.url) as client:
        yield client


@pytest.fixture(scope="module")
def own_node(elasticsearch_files):
    with ElasticsearchNode({"http.max_content_length": "2kb"}, files={"synonyms.txt": "tv, television\n"}) as node:
        yield node


def tokens(client: Elasticsearch, text: str, **analysis) -> list[str]:
    return [token["token"] for token in client.indices.analyze(text=text, **analysis)["tokens"]]


def filtered(client: Elasticsearch, text: str, *filters: str | dict) -> list[str]:
    return tokens(client, text, tokenizer="standard", filter=list(filters))


def test_a_client_takes_it_for_what_it_is(client):
    assert client.info()["version"]["number"] == "8.19.21"
    assert client.ping()


@pytest.mark.parametrize(
    ("analyzer", "text", "expected"),
    [
        ("english", "The libraries' readers are running to John's houses", "librari reader run john hous"),
        ("german", "Die Bücher der Häuser und die größten Straßen", "buch haus grosst strass"),
        ("french", "L'examen des chevaux n'est pas nécessaire", "examen cheval est necesair"),
        ("spanish", "Las bibliotecas de los estudiantes", "bibliotec estudiant"),
    ],
)
def test_language_analyzers(client, analyzer, text, expected):
    assert tokens(client, text, analyzer=analyzer) == expected.split()


# Where the vendor's reference has an example, it is that.
@pytest.mark.parametrize(
    ("filters", "text", "expected"),
    [
        (["stemmer"], "the foxes jumping quickly", "the fox jump quickli"),
        ([{"type": "stemmer", "language": "english"}], "news fairly", "new fairli"),
        ([{"type": "stemmer", "language": "porter2"}], "news fairly", "news fair"),
        ([{"type": "stemmer", "language": "possessive_english"}], "John's foxes", "John foxes"),
        ([{"type": "stemmer", "language": "german"}], "katzen laufen", "katz lauf"),
        (["snowball"], "news fairly", "news fair"),
        ([{"type": "snowball", "language": "German"}], "katzen laufen", "katz lauf"),
        (["stop"], "a quick fox jumps over the lazy dog", "quick fox jumps over lazy dog"),
        (["lowercase", {"type": "stop", "stopwords": "_german_"}], "Der Hund und die Katze", "hund katze"),
        ([{"type": "stop", "stopwords": ["und"]}], "der und die", "der die"),
        (["lowercase"], "THE Quick FoX JUMPs", "the quick fox jumps"),
        ([{"type": "lowercase", "language": "turkish"}], "ISI", "\u0131s\u0131"),
        (["asciifolding"], "açaí à la carte", "acai a la carte"),
        ([{"type": "asciifolding", "preserve_original": True}], "açaí à la", "acai açaí a à la"),
        ([{"type": "elision", "articles": ["j", "l"]}], "j'examine près du wharf", "examine près du wharf"),
        ([{"type": "length", "max": 4}], "the quick brown fox jumps over the lazy dog", "the fox over the lazy dog"),
        (["lowercase", {"type": "synonym", "synonyms": ["foo, bar => baz"]}], "Foo bar qux", "baz baz qux"),
        ([{"type": "synonym", "synonyms": ["foo, bar"], "expand": False}], "foo bar qux", "foo foo qux"),
        (["stemmer", {"type": "synonym", "synonyms": ["houses, dwellings"]}], "a house", "a dwell hous"),
        (["stop", {"type": "synonym", "synonyms": ["the, a", "x, y"], "lenient": True}], "the x", "y x"),
    ],
    ids=str,
)
def test_token_filters(client, filters, text, expected):
    assert sorted(filtered(client, text, *filters)) == sorted(expected.split())


def test_a_graph_of_synonyms_says_how_long_each_is(client):
    graph = client.indices.analyze(
        text="the dns is fragile",
        tokenizer="standard",
        filter=["lowercase", {"type": "synonym_graph", "synonyms": DNS}],
    )["tokens"]
    found = {(token["token"], token["position"], token.get("positionLength", 1)) for token in graph}
    assert found == {
        ("the", 0, 1), ("dns", 1, 3), ("domain", 1, 1), ("name", 2, 1), ("system", 3, 1),
        ("is", 4, 1), ("fragile", 5, 1),
    }  # fmt: skip


@pytest.mark.parametrize(
    ("tokenizer", "text", "expected"),
    [
        ("standard", "The foo_bar_size's default is 5.", "The foo_bar_size's default is 5"),
        ("pattern", "The foo_bar_size's default is 5.", "The foo_bar_size s default is 5"),
        ({"type": "pattern", "pattern": ","}, "comma,separated,values", "comma separated values"),
        ({"type": "pattern", "pattern": "X", "flags": "CASE_INSENSITIVE"}, "axbXc", "a b c"),
        ({"type": "pattern", "pattern": "<(.)>", "group": 1}, "<a><b>", "a b"),
    ],
    ids=str,
)
def test_tokenizers(client, tokenizer, text, expected):
    assert tokens(client, text, tokenizer=tokenizer) == expected.split()


@pytest.mark.parametrize(
    ("filter_", "message"),
    [
        ({"type": "stemmer", "language": "light_english"}, "lacks the language [light_english]"),
        ({"type": "snowball", "language": "Klingon"}, "Invalid stemmer class specified: Klingon"),
        ({"type": "lowercase", "language": "german"}, "lacks the language [german]"),
        ({"type": "length", "minimum": 2}, "lacks: [minimum]; it has [min, max]"),
        ({"type": "synonym", "synonyms": ["a, b"], "format": "wordnet"}, "lacks: [format]"),
        ({"type": "synonym"}, "requires `synonyms` or `synonyms_path`"),
        ({"type": "synonym_graph", "synonyms_path": "none.txt"}, "none.txt"),
        ({"type": "synonym_graph", "synonyms": ["the, a"]}, "Invalid synonym rule at line 1"),
        ("elision", "settings required"),
        ("word_delimiter", "failed to find global filter under [word_delimiter]"),
    ],
    ids=str,
)
def test_what_is_not_there_is_refused(client, filter_, message):
    with pytest.raises(BadRequestError) as refusal:
        filtered(client, "text", "stop", filter_)
    assert message in str(refusal.value)


def test_analysis_in_the_settings_of_an_index(client):
    analysis = {
        "analyzer": {
            "text": {"type": "custom", "tokenizer": "standard", "filter": ["lowercase", "synonyms", "stems"]},
            "own_words": {"type": "english", "stopwords": ["foo"], "stem_exclusion": ["running"]},
        },
        "filter": {
            "synonyms": {"type": "synonym_graph", "synonyms": DNS},
            "stems": {"type": "stemmer", "language": "porter2"},
        },
        "normalizer": {"plain": {"type": "custom", "filter": ["lowercase", "asciifolding"]}},
    }
    properties = {"text": {"type": "text", "analyzer": "text"}, "key": {"type": "keyword", "normalizer": "plain"}}
    name = "server-analysis"
    client.indices.create(index=name, settings={"analysis": analysis}, mappings={"properties": properties})
    try:
        client.index(index=name, id="1", document={"text": "Domain Name System", "key": "ÄB"}, refresh=True)
        for query in ({"match": {"text": "DNS"}}, {"term": {"key": "ab"}}):
            assert client.search(index=name, query=query)["hits"]["total"]["value"] == 1
        assert tokens(client, "the foo running dogs", index=name, analyzer="own_words") == ["the", "running", "dog"]
    finally:
        client.indices.delete(index=name)


def test_settings_and_files_are_the_nodes(own_node):
    with Elasticsearch(own_node.url) as client:
        synonyms = {"type": "synonym_graph", "synonyms_path": "synonyms.txt"}
        assert filtered(client, "my tv", synonyms) == ["my", "television", "tv"]
        with pytest.raises(ApiError) as refusal:
            client.index(index="large", document={"text": "a" * 3000})
        assert refusal.value.meta.status == 413


def test_a_killed_node_comes_back_with_what_it_acknowledged(own_node):
    actions = [{"_index": "kept", "_id": str(i), "text": f"document {i}"} for i in range(20)]
    with Elasticsearch(own_node.url) as client:
        helpers.bulk(client, actions)
        own_node.kill()
        assert not own_node.is_running()
        own_node.start()
        assert {hit["_id"] for hit in helpers.scan(client, index="kept")} == {action["_id"] for action in actions}
        own_node.stop()
        with pytest.raises(RuntimeError, match="node-1 is not running"):
            own_node.kill()
        own_node.start()
        assert client.count(index="kept")["count"] == len(actions)


def test_three_nodes_are_one_green_cluster(elasticsearch_cluster):
    with Elasticsearch(elasticsearch_cluster.urls) as client:
        health = client.cluster.health()
        assert (health["number_of_nodes"], health["status"]) == (3, "green")


def test_a_cluster_is_restored_after_a_kill(elasticsearch_cluster):
    first, *others = elasticsearch_cluster.nodes
    with Elasticsearch([node.url for node in others]) as client:
        client.indices.create(index="replicated", settings={"number_of_shards": 3, "number_of_replicas": 1})
        try:
            client.cluster.health(wait_for_status="green", timeout="30s")
            first.kill()
            assert client.cluster.health(wait_for_nodes="2", timeout="30s")["status"] == "yellow"
            elasticsearch_cluster.restore()
            assert client.cluster.health()["status"] == "green"
        finally:
            client.indices.delete(index="replicated")


def test_a_node_that_does_not_come_up_says_why(elasticsearch_files):
    node = ElasticsearchNode({"node.rolls": "master"})
    with (
        pytest.raises(RuntimeError, match=r"(?s)node-1 ended; the end of its log:.*unknown setting \[node.rolls\]"),
        node,
    ):
        pass
    assert not node.home.exists()


def test_a_node_does_not_outlive_who_started_it(elasticsearch_files, tmp_path):
    script = (
        "from elasticsearch_server import *\nwith ElasticsearchNode() as node: print(node.pid, flush=True); input()"
    )
    environment = {**os.environ, "TMPDIR": str(tmp_path)}  # for the folder that a killed owner leaves behind
    with subprocess.Popen(
        [sys.executable, "-c", script],
        cwd=TESTS,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as owner:
        pid = int(owner.stdout.readline())
        os.kill(pid, 0)
        owner.send_signal(signal.SIGKILL)
        owner.wait()
    end = time.monotonic() + 60
    while _is_alive(pid):
        assert time.monotonic() < end, "the node is still there"
        time.sleep(0.05)


def _is_alive(pid: int) -> bool:
    try:
        # Whoever takes in orphans may leave it a zombie.
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_two_processes_may_make_the_servers_files_at_once(elasticsearch_files, tmp_path):
    script = "from elasticsearch_server import distribution; print(distribution())"
    makers = [
        subprocess.Popen(
            [sys.executable, "-c", script], cwd=TESTS, env=_cache(tmp_path), stdout=subprocess.PIPE, text=True
        )
        for _ in range(2)
    ]
    assert {Path(maker.communicate()[0].strip()) for maker in makers} == {tmp_path / elasticsearch_files.name}
    assert [path.name for path in tmp_path.iterdir()] == [elasticsearch_files.name]


@pytest.fixture
def programs(tmp_path) -> Path:
    """A folder to be all of PATH."""
    folder = tmp_path / "programs"
    folder.mkdir()
    return folder


@pytest.mark.slow
def test_without_java_its_tests_are_skipped_with_one_line(programs):
    code, lines = _client_test({**os.environ, "PATH": str(programs), "JAVA_HOME": "", "CI": ""})
    [line] = [line for line in lines if line.startswith("SKIPPED")]
    assert "the servers need Java 17: install a JDK (Debian: openjdk-17-jdk-headless) or set JAVA_HOME" in line
    assert code == 0


@pytest.mark.slow
def test_without_java_they_fail_in_ci(programs):
    code, lines = _client_test({**os.environ, "PATH": str(programs), "JAVA_HOME": "", "CI": "true"})
    assert any("the servers need Java 17" in line for line in lines)
    assert code == 1


@pytest.mark.slow
def test_an_older_java_is_none(programs):
    java = programs / "java"
    java.write_text("#!/bin/sh\necho 'openjdk version \"11.0.2\" 2019-01-15' >&2\n", encoding="utf-8")
    java.chmod(0o755)
    _, lines = _client_test({**os.environ, "PATH": f"{programs}:/bin", "JAVA_HOME": "", "CI": ""})
    assert any("the servers need Java 17" in line for line in lines)


def test_without_maven_they_are_skipped(elasticsearch_files, programs, tmp_path):
    (programs / "java").symlink_to(shutil.which("java"))
    _, lines = _client_test({**_cache(tmp_path), "PATH": str(programs), "CI": ""})
    assert any("is fetched by Maven: install it (Debian: maven)" in line for line in lines)


def test_without_a_repository_they_are_skipped(elasticsearch_files, tmp_path):
    # Nothing fetched before, and a proxy that is not there.
    options = [f"-Dmaven.repo.local={tmp_path / 'none'}"]
    options += [f"-D{scheme}.proxyHost=127.0.0.1 -D{scheme}.proxyPort=9" for scheme in ("http", "https")]
    _, lines = _client_test({**_cache(tmp_path), "MAVEN_OPTS": " ".join(options), "CI": ""})
    [line] = [line for line in lines if line.startswith("SKIPPED")]
    assert "Maven can't fetch Elasticsearch 8.19.21" in line
    assert not list(tmp_path.glob("*being-made*"))


def _cache(folder: Path) -> dict[str, str]:
    return {**os.environ, "ANSWER_SELECTION_TEST_CACHE": str(folder)}


def _client_test(environment: dict[str, str]) -> tuple[int, list[str]]:
    """Run a test that needs the server, in a process of its own; its exit code and what it printed."""
    test = f"{__file__}::{test_a_client_takes_it_for_what_it_is.__name__}"
    # Without the plugins that are installed and the processes that pyproject.toml asks for, which take far longer.
    plain = ("-o", "addopts=--import-mode=importlib", "-ra", "-q", "-p", "no:cacheprovider")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *plain, test],
        cwd=TESTS.parent,
        env={**environment, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout.splitlines()
