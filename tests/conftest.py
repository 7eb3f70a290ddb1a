# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""What tests of several folders share: a part of the bundled FAQ, a recipe and a model that are trained in seconds."""

import gc
import json
import logging
import os
import runpy
import shutil
import sys
import uuid
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from corenlp_server import CoreNLPServer, corenlp_files
from elasticsearch_server import ElasticsearchCluster, ElasticsearchNode, distribution
from maven_files import UnavailableError

# Two processes run tests, and what they start runs beside them: threads would wait for those that have not got their
# turn, and do that by spinning. Read when torch is first imported.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
# A tenth of the time goes into looking for garbage, unless it is looked for more rarely.
gc.set_threshold(50_000)
# Haystack's telemetry would log that it cannot get out, in the middle of a test that reads the log.
os.environ.setdefault("HAYSTACK_TELEMETRY_ENABLED", "False")

SECONDS_TO_OPEN = 120
REPOSITORY = Path(__file__).parents[1]
LIBRARY_FAQ = REPOSITORY / "indexing" / "library_faq"
ENTRIES = 32

RECIPE = """\
model:
  name: ctrn
  embedding_size: 16
  projection_size: 16
  hidden_size: 16
  mlp_layers: 1
  mlp_size: 8
  dropout: 0.1
  max_query_length: 30
  max_answer_length: 60
  pair_features: [overlap, idf_overlap]
vectors: {source: random}
negatives: 6
keep_top: 2
training: {loss: listwise, epochs: 2, pairs_per_batch: 64, negatives: 5, learning_rate: 0.01, use_cpu: true}
"""


# Fixtures that start a server, or need research data: who asks for one is slow, and needs no mark of its own.
SLOW_FIXTURES = {"elasticsearch_files", "corenlp_server", "benchmark_data"}


def pytest_collection_finish() -> None:
    """Keep the search for garbage, which begins every training, from what was imported: a third of a second each."""
    gc.collect()
    gc.freeze()


def pytest_runtest_setup() -> None:
    """First weights that no test asks a seed for are the same whichever tests ran before in the same process."""
    if "torch" in sys.modules:
        sys.modules["torch"].manual_seed(0)


def pytest_unconfigure() -> None:
    """At the end all is let go, as without `freeze`: a library tells of objects that outlive it."""
    gc.unfreeze()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark as slow what asks for a slow fixture, or is the case of a test with Elasticsearch as its store."""
    for item in items:
        case = getattr(item, "callspec", None)
        if SLOW_FIXTURES.intersection(getattr(item, "fixturenames", ())) or (
            case and "elasticsearch" in case.params.values()
        ):
            item.add_marker(pytest.mark.slow)


@dataclass(frozen=True)
class Faq:
    """A part of the bundled FAQ: its entries, and the validation half's questions to them."""

    entries: Path
    queries: Path


@dataclass(frozen=True)
class Outcome:
    """What a command did, as whoever typed it sees it; runs of white space are one space."""

    code: int
    out: str
    err: str


def read_lines(path: Path) -> list[dict]:
    """The objects of a JSON Lines file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def write_lines(path: Path, lines: list[dict]) -> Path:
    """Write a JSON Lines file."""
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


@pytest.fixture(scope="session")
def benchmark_data() -> Path:
    """The folder of the research data sets; a test that asks for it is skipped where there is none."""
    folder = Path(os.environ.get("ANSWER_SELECTION_DATA", REPOSITORY.parent / "shared" / "data"))
    if not folder.is_dir():
        pytest.skip(f"no benchmark data at {folder}; name its folder in ANSWER_SELECTION_DATA")
    return folder


@pytest.fixture(scope="session")
def small_faq(tmp_path_factory: pytest.TempPathFactory) -> Faq:
    """Entries of the bundled FAQ, and the held-out questions to them."""
    folder = tmp_path_factory.mktemp("small-faq")
    entries = read_lines(LIBRARY_FAQ / "faq.jsonl")[:ENTRIES]
    ids = {entry["id"] for entry in entries}
    queries = [query for query in read_lines(LIBRARY_FAQ / "validation.jsonl") if ids.issuperset(query["relevant"])]
    return Faq(write_lines(folder / "faq.jsonl", entries), write_lines(folder / "queries.jsonl", queries))


@pytest.fixture(scope="session")
def small_recipe(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A recipe of a CTRN that is made and trained in a second."""
    path = tmp_path_factory.mktemp("recipe") / "small.yaml"
    path.write_text(RECIPE, encoding="utf-8")
    return path


@pytest.fixture(scope="session")
def small_index(tmp_path_factory: pytest.TempPathFactory, small_faq: Faq) -> Path:
    """An index of the small FAQ, as `answer-selection index` makes it. Nothing may write into it."""
    from answer_selection.indexing.building.embedded import build_index
    from answer_selection.indexing.sources import Sources
    from haystack_integrations.document_stores.tantivy import TantivyDocumentStore

    folder = tmp_path_factory.mktemp("index") / "faq-index"
    build_index(TantivyDocumentStore(path=folder), Sources([small_faq.entries], strict=True))
    return folder


@pytest.fixture(scope="session")
def small_model(tmp_path_factory: pytest.TempPathFactory, small_index: Path, small_recipe: Path) -> Path:
    """A CTRN's folder, trained on the small FAQ's own questions. Nothing may write into it."""
    from answer_selection.pipelines.commands.console import bar
    from answer_selection.pipelines.training.from_index import train_from_index
    from answer_selection.pipelines.training.recipe import read_recipe
    from haystack_integrations.document_stores.tantivy import TantivyDocumentStore

    folder = tmp_path_factory.mktemp("model") / "ctrn"
    store = TantivyDocumentStore.open(small_index)
    train_from_index(store, folder, read_recipe(small_recipe), bar, start="scratch", licence="CC0-1.0")
    return folder


@pytest.fixture(scope="session")
def tiny_encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A sentence encoder's folder, tiny and with random weights. Nothing may write into it."""
    import tiny_sentence_encoders

    return tiny_sentence_encoders.save(tmp_path_factory.mktemp("encoder") / "tiny")


@pytest.fixture(scope="session")
def embedded_index(tmp_path_factory: pytest.TempPathFactory, small_faq: Faq, tiny_encoder: Path) -> Path:
    """An index of the small FAQ with vectors, as `answer-selection index` makes it. Nothing may write into it."""
    from answer_selection.indexing.building.embedded import build_index
    from answer_selection.indexing.sources import Sources
    from haystack_integrations.components.rankers.answer_selection.encoders.sentence_encoder import SentenceEncoder
    from haystack_integrations.document_stores.tantivy import TantivyDocumentStore

    folder = tmp_path_factory.mktemp("index") / "embedded-index"
    encoder = SentenceEncoder.load(tiny_encoder)
    build_index(TantivyDocumentStore(path=folder), Sources([small_faq.entries], strict=True), encoder=encoder)
    return folder


@pytest.fixture(scope="session")
def elasticsearch_files() -> Path:
    """The files of a real Elasticsearch: what a test that starts nodes of its own asks for, and is skipped without."""
    return _files_of(distribution)


@pytest.fixture(scope="session")
def elasticsearch_node(elasticsearch_files: Path) -> Iterator[ElasticsearchNode]:
    """A real Elasticsearch of one node that all tests share: use an index name of your own and remove it."""
    with ElasticsearchNode() as node:
        yield node


@pytest.fixture(scope="session")
def elasticsearch_cluster(elasticsearch_files: Path) -> Iterator[ElasticsearchCluster]:
    """A real Elasticsearch of three nodes that all tests share: a node that a test kills is started again after it."""
    with ElasticsearchCluster() as cluster:
        yield cluster


@pytest.fixture(scope="session")
def elasticsearch_index(elasticsearch_node: ElasticsearchNode, tmp_path_factory: pytest.TempPathFactory) -> Iterator:
    """Makes indexes on the shared node, as `answer-selection index` does: called with a file, it gives the name."""
    from elasticsearch import Elasticsearch

    from answer_selection.indexing.building.elasticsearch import build_version
    from answer_selection.indexing.elasticsearch.settings import IndexSettings
    from answer_selection.indexing.sources import Sources

    made = []
    with Elasticsearch(elasticsearch_node.url) as client:

        def make(entries: Path, *, require_question: bool = True, encoder: Any = None, **settings: object) -> str:
            name = f"made-{uuid.uuid4().hex[:12]}"
            made.append(name)
            sources = Sources([entries], require_question=require_question, strict=True)
            rejects = tmp_path_factory.mktemp("rejects") / "rejects.jsonl"
            build_version(client, name, sources, rejects=rejects, settings=IndexSettings(**settings), encoder=encoder)
            return name

        yield make
        for name in made:
            client.options(ignore_status=404).indices.delete(index=f"{name}-000001")
            client.options(ignore_status=404).indices.delete_index_template(name=name)


@pytest.fixture(scope="session")
def corenlp_server() -> Iterator[CoreNLPServer]:
    """A real CoreNLP server that all tests of a process share: what is done to it is undone."""
    _files_of(corenlp_files)
    with CoreNLPServer() as server:
        yield server


def _files_of(fetch: Callable[[], Path]) -> Path:
    """A server's files; without them a test is skipped, and in CI it fails."""
    try:
        return fetch()
    except UnavailableError as reason:
        if os.environ.get("CI"):
            pytest.fail(str(reason), pytrace=False)
        pytest.skip(str(reason))


@pytest.fixture(autouse=True)
def _restored_cluster(request: pytest.FixtureRequest) -> Iterator[None]:
    yield
    if "elasticsearch_cluster" in request.fixturenames:
        request.getfixturevalue("elasticsearch_cluster").restore()


@pytest.fixture
def typed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> Callable[..., Outcome]:
    """Type words in an empty folder: what the first of them would start is called in this process."""
    monkeypatch.chdir(tmp_path)

    def run(start: Callable[[], object], *words: object) -> Outcome:
        monkeypatch.setattr(sys, "argv", list(map(str, words)))
        capsys.readouterr()
        with _as_it_was(), pytest.raises(SystemExit) as stop:
            start()
        out, err = capsys.readouterr()
        return Outcome(stop.value.code or 0, " ".join(out.split()), " ".join(err.split()))

    return run


@pytest.fixture
def command(typed: Callable[..., Outcome]) -> Callable[..., Outcome]:
    """Type `answer-selection ...`."""

    def run(*arguments: object) -> Outcome:
        from answer_selection.pipelines.commands.cli import main

        return typed(main, "answer-selection", *arguments)

    return run


@pytest.fixture
def research(typed: Callable[..., Outcome]) -> Callable[..., Outcome]:
    """Type `python pipelines/experiments/SCRIPT.py ...`."""

    def run(script: str, *arguments: object) -> Outcome:
        path = REPOSITORY / "pipelines" / "experiments" / f"{script}.py"
        return typed(partial(runpy.run_path, str(path), run_name="__main__"), path, *arguments)

    return run


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A real Chromium that a module's tests drive; see `opened` for a page in it."""
    from playwright.sync_api import sync_playwright

    program = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if program is None:
        pytest.skip("no chromium: on Debian, apt-get install chromium")
    with sync_playwright() as playwright:
        # In a container there is neither a sandbox nor much shared memory.
        launched = playwright.chromium.launch(
            executable_path=program, args=["--no-sandbox", "--disable-dev-shm-usage"], timeout=SECONDS_TO_OPEN * 1000
        )
        yield launched
        launched.close()


@pytest.fixture
def opened(browser: Any) -> Iterator[Callable[..., Any]]:
    """Open an address, by default as on a wide and light screen. What a page writes to the console is an error."""
    contexts, told = [], []

    def open_page(url: str, *, width: int = 1400, dark: bool = False) -> Any:
        context = browser.new_context(
            viewport={"width": width, "height": 900}, color_scheme="dark" if dark else "light"
        )
        context.set_default_timeout(SECONDS_TO_OPEN * 1000)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: told.append(message.text))
        page.on("pageerror", lambda error: told.append(str(error)))
        page.goto(url)
        return page

    open_page.told = told
    yield open_page
    for context in contexts:
        context.close()
    assert told == []


@pytest.fixture(scope="module")
def one_thread() -> Iterator[None]:
    """With several threads, sums are taken in another order, and two runs of a training grow apart sooner."""
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@contextmanager
def _as_it_was() -> Iterator[None]:
    """A command silences other packages; the next test shall hear them again."""
    from answer_selection.pipelines.messages import QUIET

    levels = {name: logging.getLogger(name).level for name in QUIET}
    with warnings.catch_warnings():
        try:
            yield
        finally:
            for name, level in levels.items():
                logging.getLogger(name).setLevel(level)
