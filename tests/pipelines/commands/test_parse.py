# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""`answer-selection parse` over both stores, with a server that is not there, and again."""

import pytest
from elasticsearch import Elasticsearch

from answer_selection.indexing.elasticsearch.index import ElasticsearchIndex
from answer_selection.pipelines.index_time import trees as parse_index
from haystack_integrations.components.preprocessors.answer_selection.corenlp import CoreNLPBackend
from haystack_integrations.components.preprocessors.answer_selection.shallow import ShallowBackend
from haystack_integrations.components.preprocessors.answer_selection.tree_cache import TreeCache
from haystack_integrations.document_stores.tantivy import TantivyDocumentStore

FIELDS = ["id", "content", "meta.question", "meta.parse_tree"]


@pytest.fixture(params=["tantivy", "elasticsearch"])
def store(request, monkeypatch):
    if request.param == "elasticsearch":
        monkeypatch.setenv("ELASTICSEARCH_HOSTS", request.getfixturevalue("elasticsearch_node").url)
    return request.param


@pytest.fixture
def index(store, small_faq, command, request):
    """An index's name, and what gives its rows."""
    if store == "elasticsearch":
        name = request.getfixturevalue("elasticsearch_index")(small_faq.entries)
        url = request.getfixturevalue("elasticsearch_node").url
    else:
        name, url = "faq-index", None
        assert command("index", small_faq.entries, "--index", name).code == 0

    def rows():
        opened = TantivyDocumentStore.open(name) if url is None else ElasticsearchIndex.open(name, Elasticsearch(url))
        return {row["id"]: row for page in opened.iter_pages(FIELDS) for row in page}

    return name, rows


@pytest.mark.slow
def test_answers_get_trees_once(store, index, command, monkeypatch):
    monkeypatch.setattr(parse_index, "_BATCH", 7)
    monkeypatch.setattr(parse_index, "_PAGE", 3)
    name, rows = index
    before = rows()
    options = ("parse", "--index", name, "--store", store)
    done = command(*options)
    assert (done.code, done.out) == (0, f"32 answers parsed in {name}"), done.err
    after = rows()
    assert [row["meta.parse_tree"] for row in after.values()] == ShallowBackend().parse(
        [row["content"] for row in after.values()]
    )
    assert {id_: {**row, "meta.parse_tree": None} for id_, row in after.items()} == before
    assert command(*options).out == f"0 answers parsed in {name}, 32 had their trees already"
    # Of another text: that which a ranker reads with the question in front.
    assert command(*options, "--meta-field", "question").out == f"32 answers parsed in {name}"
    row = rows()["lost-card"]
    assert [row["meta.parse_tree"]] == ShallowBackend().parse([f"{row['meta.question']}\n{row['content']}"])


@pytest.mark.slow
def test_what_the_cache_has_needs_no_server(store, index, command, tmp_path, monkeypatch):
    monkeypatch.setattr("haystack_integrations.components.preprocessors.answer_selection.corenlp._FIRST_WAIT", 0)
    monkeypatch.setattr(parse_index, "_BATCH", 10)
    monkeypatch.setattr(parse_index, "_PAGE", 5)
    name, rows = index
    texts = [row["content"] for row in rows().values()]
    own = {text: f"(ROOT (X {' '.join(text.replace('(', '-LRB-').replace(')', '-RRB-').split())}))" for text in texts}
    cache = TreeCache(tmp_path / "trees.sqlite")
    cache.keep(CoreNLPBackend().name, dict(list(own.items())[:20]))
    options = ("parse", "--index", name, "--store", store, "--corenlp-url", "http://127.0.0.1:9")
    stopped = command(*options)
    assert stopped.code == 2
    assert "the CoreNLP server at http://127.0.0.1:9 parsed nothing of" in stopped.err
    assert "(tried 3 times)" in stopped.err
    cache.keep(CoreNLPBackend().name, own)
    assert command(*options).code == 0
    assert {row["content"]: row["meta.parse_tree"] for row in rows().values()} == own
