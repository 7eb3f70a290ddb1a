# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The commands that read an index, with Elasticsearch in the place of the folder, on the real server."""

import json
import os
import re
import signal
import threading
import time
import uuid
from collections.abc import Iterator
from itertools import chain, islice
from pathlib import Path

import pytest
import yaml
from elasticsearch import Elasticsearch

from answer_selection.indexing.building.elasticsearch import build_version
from answer_selection.indexing.building.embedded import build_index
from answer_selection.indexing.elasticsearch import retry
from answer_selection.indexing.elasticsearch.index import ElasticsearchIndex
from answer_selection.indexing.sources import Sources
from answer_selection.pipelines.definitions import pipeline_yaml
from answer_selection.pipelines.experiments.data.squad_blocks import read_squad_sentences
from elasticsearch_server import ElasticsearchNode
from haystack_integrations.components.rankers.answer_selection.encoders.sentence_encoder import SentenceEncoder
from haystack_integrations.document_stores.tantivy import TantivyDocumentStore

LIBRARY_FAQ = Path(__file__).parents[3] / "indexing" / "library_faq"


def lines(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def write(path: Path, items: list[dict]) -> Path:
    path.write_text("".join(json.dumps(item) + "\n" for item in items), encoding="utf-8")
    return path


def metrics(folder: Path) -> dict[str, dict[str, float]]:
    stages = json.loads((folder / "results.json").read_text(encoding="utf-8"))["stages"]
    return {name: stage["metrics"] for name, stage in stages.items()}


@pytest.fixture
def hosts(elasticsearch_node, monkeypatch):
    monkeypatch.setenv("ELASTICSEARCH_HOSTS", elasticsearch_node.url)


@pytest.fixture(scope="module")
def entries(small_faq, tmp_path_factory) -> Path:
    """The small FAQ by its ids: Elasticsearch has equal scores in that order, Tantivy in that of the file."""
    ordered = sorted(lines(small_faq.entries), key=lambda entry: entry["id"])
    return write(tmp_path_factory.mktemp("entries") / "faq.jsonl", ordered)


@pytest.fixture(scope="module")
def faq_queries(tmp_path_factory) -> Path:
    """A third of the questions to the whole bundled FAQ."""
    return write(tmp_path_factory.mktemp("queries") / "queries.jsonl", lines(LIBRARY_FAQ / "validation.jsonl")[::3])


@pytest.fixture(scope="module")
def few_queries(small_faq, tmp_path_factory) -> Path:
    """Some questions to the small FAQ."""
    return write(tmp_path_factory.mktemp("few") / "queries.jsonl", lines(small_faq.queries)[:16])


@pytest.fixture(scope="module")
def name(elasticsearch_index, entries) -> str:
    return elasticsearch_index(entries)


@pytest.fixture(scope="module")
def folder(entries, tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("index") / "faq-index"
    build_index(TantivyDocumentStore(path=folder), Sources([entries]))
    return folder


# --- the same as with the folder ---


def test_ask_answers_from_either_store(command, hosts, name, folder):
    question = "what does it cost to replace a lost card?"
    there = command("ask", question, "--pipeline", "answer_elasticsearch", "--index", name)
    assert there.code == 0
    assert "lost-card" in there.out
    assert there == command("ask", question, "--index", folder)


def test_list_and_export_give_the_same_from_either_store(command, hosts, embedded, folder, tmp_path):
    there = command("list", "--store", "elasticsearch", "--index", embedded)
    assert there.code == 0
    assert there == command("list", "--index", folder)
    assert command("export", "there.jsonl", "--store", "elasticsearch", "--index", embedded).code == 0
    assert command("export", "here.jsonl", "--index", folder).code == 0
    # The one has vectors, the other has none.
    assert (tmp_path / "there.jsonl").read_text() == (tmp_path / "here.jsonl").read_text()
    assert command("index", "there.jsonl", "--index", "again", "--encoder", "none").code == 0


def compare_evaluations(command, name, folder, queries, tmp_path, *more) -> None:
    arguments = ("eval", "--queries", queries, "--policy", "all", *more)
    done = command(*arguments, "--pipeline", "answer_elasticsearch", "--index", name, "--output", "there")
    assert done.code == 0, done.err
    assert command(*arguments, "--index", folder, "--output", "here").code == 0
    there, here = metrics(tmp_path / "there"), metrics(tmp_path / "here")
    assert set(there) == {"bm25", "ranker"}
    for stage in there:
        for metric in ("P@1", "MRR"):
            assert there[stage][metric] == pytest.approx(here[stage][metric], abs=0.005), (stage, metric)
    # The pipeline lies beside the results, with the index in it and nothing of where it is.
    pipeline = (tmp_path / "there" / "pipeline.yaml").read_text(encoding="utf-8")
    assert f"index: {name}" in pipeline
    assert "127.0.0.1" not in pipeline


def test_eval_measures_the_same_with_either_store(
    command, hosts, elasticsearch_index, small_model, faq_queries, tmp_path
):
    command("index", LIBRARY_FAQ / "faq.jsonl", "--index", "here-index", "--encoder", "none")
    name = elasticsearch_index(LIBRARY_FAQ / "faq.jsonl")
    compare_evaluations(command, name, "here-index", faq_queries, tmp_path, "--model", small_model)


@pytest.fixture(scope="module")
def embedded(elasticsearch_index, entries, tiny_encoder) -> str:
    """The small FAQ with the vectors of an encoder."""
    return elasticsearch_index(entries, encoder=SentenceEncoder.load(tiny_encoder))


def test_ask_and_eval_follow_the_encoder_of_the_index(command, hosts, embedded, embedded_index, few_queries, tmp_path):
    # The vectors of an untrained encoder say nothing, so it is asked in the words of the entry.
    question = "I lost my library card, what should I do?"
    there = command("ask", question, "--pipeline", "answer_elasticsearch", "--index", embedded)
    assert there.code == 0, there.err
    assert "lost-card" in there.out
    here = command("ask", question, "--index", embedded_index)
    # The same entries came from two files.
    sources = re.compile(r" · \S+\.jsonl")
    assert sources.sub("", there.out) == sources.sub("", here.out)

    arguments = ("eval", "--queries", few_queries, "--policy", "all")
    done = command(*arguments, "--pipeline", "answer_elasticsearch", "--index", embedded, "--output", "there")
    assert done.code == 0, done.err
    assert command(*arguments, "--index", embedded_index, "--output", "here").code == 0
    found, expected = metrics(tmp_path / "there"), metrics(tmp_path / "here")
    assert list(found) == list(expected) == ["bm25", "vectors", "hybrid", "ranker"]
    for row in found:
        assert found[row]["MRR"] == pytest.approx(expected[row]["MRR"], abs=0.02), row


def test_eval_names_entries_that_are_not_in_the_index(command, hosts, elasticsearch_index, tmp_path):
    name = elasticsearch_index(LIBRARY_FAQ / "faq.jsonl")
    queries = lines(LIBRARY_FAQ / "validation.jsonl")
    queries[3]["relevant"] = ["gone"]
    write(tmp_path / "queries.jsonl", queries)
    arguments = ("eval", "--pipeline", "answer_elasticsearch", "--index", name, "--output", "report")
    done = command(*arguments, "--queries", "queries.jsonl")
    assert done.code == 2
    assert "relevant entries are not in the index: 'gone'" in done.err
    assert ": 1 of " in done.err
    assert not (tmp_path / "report").exists()


def test_eval_measures_the_same_on_squads_sentences(
    command, hosts, elasticsearch_index, benchmark_data, small_model, tmp_path
):
    folder = benchmark_data / "squad-sentences"
    entries, queries = read_squad_sentences(folder / "src-test.txt", folder / "tgt-test.txt")
    corpus = write(
        tmp_path / "corpus.jsonl", [{"entry_id": e.entry_id, "answer": e.answer} for e in islice(entries, 5000)]
    )
    ids = {entry["entry_id"] for entry in lines(corpus)}
    asked = [{"query_id": q.query_id, "query": q.query, "relevant": list(q.relevant)} for q in queries]
    answered = [query for query in asked if ids.issuperset(query["relevant"])]
    command("index", corpus, "--answers-only", "--index", "here-index", "--encoder", "none")
    name = elasticsearch_index(corpus, require_question=False)
    some = write(tmp_path / "queries.jsonl", answered[:: len(answered) // 500][:500])
    compare_evaluations(command, name, "here-index", some, tmp_path, "--model", small_model)


def test_negatives_are_the_same_from_either_store(command, hosts, name, small_faq, folder, tmp_path):
    arguments = ("negatives", small_faq.queries, "--number", 5, "--depth", 20)
    done = command(*arguments, "--store", "elasticsearch", "--index", name, "--output", "there.jsonl")
    assert done.code == 0
    command(*arguments, "--index", folder, "--output", "here.jsonl")
    assert_same_lists(tmp_path / "there.jsonl", tmp_path / "here.jsonl")


def test_train_learns_from_the_same_lists(command, hosts, name, small_faq, folder, small_recipe, tmp_path):
    arguments = ("train", "--recipe", small_recipe, "--licence", "CC0-1.0")
    done = command(*arguments, "there", "--store", "elasticsearch", "--index", name)
    assert done.code == 0
    command(*arguments, "here", "--index", folder)
    for part in ("train", "validation"):
        assert_same_lists(*(tmp_path / place / "lists" / f"{part}.jsonl" for place in ("there", "here")))
    card = (tmp_path / "there" / "README.md").read_text(encoding="utf-8")
    assert f"Ranks the answers of the corpus in `{name}`" in card
    assert f"Elasticsearch, index {name}-000001" in card
    assert "127.0.0.1" not in card
    assert command("eval", "--queries", small_faq.queries, "--index", folder, "--model", "there").code == 0


def test_train_follows_the_vectors_of_the_index(command, hosts, embedded, embedded_index, small_faq, tmp_path):
    arguments = ("train", "--recipe", "linear", "--queries", small_faq.queries)
    done = command(*arguments, "there", "--store", "elasticsearch", "--index", embedded)
    assert done.code == 0, done.err
    assert command(*arguments, "here", "--index", embedded_index).code == 0
    for part in ("train", "validation"):
        found, expected = (lines(tmp_path / place / "lists" / f"{part}.jsonl") for place in ("there", "here"))
        assert [one["query"] for one in found] == [one["query"] for one in expected]
        cosines = {(one["query"], each["candidate_id"]): each["meta"] for one in expected for each in one["candidates"]}
        metas = {(one["query"], each["candidate_id"]): each["meta"] for one in found for each in one["candidates"]}
        # The stores stem a few words differently, so that BM25 does not find all the same.
        assert len(metas.keys() & cosines.keys()) >= 0.9 * len(cosines)
        for key in metas.keys() & cosines.keys():
            assert metas[key]["vector_score"] == pytest.approx(cosines[key]["vector_score"], abs=1e-3)


def assert_same_lists(there: Path, here: Path) -> None:
    """The same candidates, in the same places, for the same queries."""
    ours, theirs = lines(there), lines(here)
    scores = [[c.get("meta", {}).pop("retriever_score", 0) for c in candidates(lists)] for lists in (ours, theirs)]
    assert ours == theirs
    assert scores[0] == pytest.approx(scores[1], rel=1e-5)


def candidates(lists: list[dict]) -> Iterator[dict]:
    return chain.from_iterable(one["candidates"] for one in lists)


def test_validation_queries_are_asked_of_all_fields(command, hosts, name, few_queries, small_recipe, tmp_path):
    arguments = ("train", "model", "--recipe", small_recipe, "--validation", few_queries)
    assert command(*arguments, "--store", "elasticsearch", "--index", name).code == 0
    index = ElasticsearchIndex.open(name)
    for one in lines(tmp_path / "model" / "lists" / "validation.jsonl")[:10]:
        [scored] = index.search_scored([one["query"]], 30)
        assert [(c["candidate_id"], c["meta"]["retriever_score"]) for c in one["candidates"]] == scored


def test_adapt_brings_a_model_to_the_index(command, hosts, name, small_model, tmp_path):
    done = command("adapt", "adapted", "--store", "elasticsearch", "--index", name, "--start", small_model)
    assert done.code == 0
    assert f"adapted to the corpus in `{name}`" in (tmp_path / "adapted" / "README.md").read_text(encoding="utf-8")


# --- what is wrong is said in one line ---


READING = [
    ("negatives", "queries.jsonl", "--output", "lists.jsonl", "--store", "elasticsearch"),
    ("train", "model", "--store", "elasticsearch"),
    ("adapt", "model", "--store", "elasticsearch"),
    ("ask", "Why?", "--pipeline", "answer_elasticsearch"),
    ("eval", "--queries", "queries.jsonl", "--pipeline", "answer_elasticsearch"),
]


@pytest.fixture
def queries(command, tmp_path) -> Path:
    return write(tmp_path / "queries.jsonl", [{"query_id": "q", "query": "Why?", "relevant": ["a"]}])


@pytest.mark.parametrize("arguments", READING)
def test_a_missing_index_is_said(command, hosts, queries, elasticsearch_node, arguments, tmp_path):
    missing = f"missing-{uuid.uuid4().hex[:12]}"
    done = command(*arguments, "--index", missing)
    assert done.code == 2
    assert f"`answer-selection index FILE --store elasticsearch --index {missing}` makes it" in done.err
    assert done.err.startswith("error there is no ")
    assert "Traceback" not in done.err
    assert [path.name for path in tmp_path.iterdir()] == ["queries.jsonl"]
    with Elasticsearch(elasticsearch_node.url) as client:
        assert not client.indices.exists(index=missing)


@pytest.mark.parametrize("arguments", READING)
def test_a_cluster_that_is_not_there_is_said_at_once(command, queries, arguments, monkeypatch):
    monkeypatch.setenv("ELASTICSEARCH_HOSTS", "http://127.0.0.1:1")
    start = time.monotonic()
    done = command(*arguments, "--index", "faq")
    assert done.code == 2
    assert "nothing answers at 127.0.0.1:1; is Elasticsearch running, and does ELASTICSEARCH_HOSTS name it?" in done.err
    assert time.monotonic() - start < retry.PATIENCE


@pytest.mark.parametrize("arguments", READING[:3])
def test_an_index_of_others_is_refused(command, hosts, queries, elasticsearch_node, arguments):
    theirs = f"theirs-{uuid.uuid4().hex[:12]}"
    with Elasticsearch(elasticsearch_node.url) as client:
        client.index(index=theirs, document={"content": "An answer."}, refresh=True)
        try:
            done = command(*arguments, "--index", theirs)
        finally:
            client.indices.delete(index=theirs)
    assert done.code == 2
    assert f"the index '{theirs}' was not made by answer-selection" in done.err


def test_the_option_goes_with_an_index(command):
    done = command("train", "model", "--candidates", "lists.jsonl", "--store", "elasticsearch")
    assert done.code == 2
    assert "--store needs --index" in done.err
    assert "Invalid value for '--store'" in command("adapt", "model", "--store", "lucene").err


# --- a server that goes ---


@pytest.fixture(scope="module")
def mortal(elasticsearch_files, tmp_path_factory):
    """A node of one's own, with the bundled FAQ in the index `faq`."""
    rejects = tmp_path_factory.mktemp("rejects") / "rejects.jsonl"
    with ElasticsearchNode() as node:
        with Elasticsearch(node.url) as client:
            build_version(client, "faq", Sources([LIBRARY_FAQ / "faq.jsonl"]), rejects=rejects)
        yield node


def once_it_is_being_asked(node: ElasticsearchNode, action) -> threading.Thread:
    """Do something to a node after some questions were asked."""

    def wait() -> None:
        with Elasticsearch(node.url) as client:
            while client.indices.stats(index="faq", metric="search")["_all"]["total"]["search"]["query_total"] < asked:
                time.sleep(0.02)
        action()

    with Elasticsearch(node.url) as client:
        before = client.indices.stats(index="faq", metric="search")["_all"]["total"]["search"]["query_total"]
    asked = before + 40
    thread = threading.Thread(target=wait)
    thread.start()
    return thread


def test_an_evaluation_goes_on_when_the_server_is_back(
    command, mortal, faq_queries, small_model, monkeypatch, tmp_path
):
    monkeypatch.setenv("ELASTICSEARCH_HOSTS", mortal.url)
    arguments = ("eval", "--queries", faq_queries, "--pipeline", "answer_elasticsearch")
    arguments = (*arguments, "--index", "faq", "--model", small_model)
    assert command(*arguments, "--output", "undisturbed").code == 0

    def restart() -> None:
        mortal.kill()
        time.sleep(1)
        mortal.start()

    thread = once_it_is_being_asked(mortal, restart)
    done = command(*arguments, "--output", "disturbed")
    thread.join()
    assert done.code == 0, done.err
    assert metrics(tmp_path / "disturbed") == metrics(tmp_path / "undisturbed")


def test_a_server_that_hangs_is_given_up_in_time(command, mortal, faq_queries, small_model, monkeypatch, tmp_path):
    monkeypatch.setenv("ELASTICSEARCH_HOSTS", mortal.url)
    monkeypatch.setattr(retry, "PATIENCE", 2.0)
    definition = pipeline_yaml.point_at(pipeline_yaml.read("answer_elasticsearch"), index="faq", model=small_model)
    store = definition["components"]["retriever"]["init_parameters"]["document_store"]["init_parameters"]
    store.update(request_timeout=5, max_retries=1)
    (tmp_path / "own.yaml").write_text(yaml.safe_dump(definition), encoding="utf-8")
    hung = mortal.pid
    thread = once_it_is_being_asked(mortal, lambda: os.kill(hung, signal.SIGSTOP))
    start = time.monotonic()
    try:
        done = command("eval", "--queries", faq_queries, "--pipeline", "own.yaml")
    finally:
        thread.join()
        os.kill(hung, signal.SIGCONT)
    assert done.code == 2
    assert time.monotonic() - start < 120
    assert f"Elasticsearch at 127.0.0.1:{mortal.http_port} did not answer within 5 s (2 attempts)" in done.err


def test_an_evaluation_ends_with_one_clear_error_when_the_server_stays_away(
    command, mortal, faq_queries, small_model, monkeypatch, tmp_path
):
    monkeypatch.setenv("ELASTICSEARCH_HOSTS", mortal.url)
    monkeypatch.setattr(retry, "PATIENCE", 3.0)
    thread = once_it_is_being_asked(mortal, mortal.stop)
    start = time.monotonic()
    done = command(
        *("eval", "--queries", faq_queries, "--pipeline", "answer_elasticsearch"),
        *("--index", "faq", "--model", small_model, "--output", "report"),
    )
    thread.join()
    assert done.code == 2
    assert time.monotonic() - start < 120
    said = done.err[done.err.index("error ") :]
    assert said.startswith("error query '")
    assert f"): nothing answers at 127.0.0.1:{mortal.http_port}; is Elasticsearch running" in said
    assert "Traceback" not in done.err
    assert not (tmp_path / "report" / "results.json").exists()
