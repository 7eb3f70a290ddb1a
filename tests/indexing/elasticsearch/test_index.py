# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""What mining and training read of an index, from the real server."""

import json
import time
import uuid
from contextlib import contextmanager
from pathlib import Path
from threading import Event

import pytest
from elasticsearch import Elasticsearch, helpers

from answer_selection.indexing.elasticsearch import many_searches, retry
from answer_selection.indexing.elasticsearch.connection import ElasticsearchError
from answer_selection.indexing.elasticsearch.index import ElasticsearchIndex
from answer_selection.indexing.elasticsearch.many_searches import WordSearch
from answer_selection.indexing.elasticsearch.question import Question
from answer_selection.indexing.elasticsearch.settings import IndexSettings
from answer_selection.indexing.elasticsearch.template import put_template
from haystack_integrations.components.rankers.answer_selection.encoders.sentence_encoder import SentenceEncoder

WORDS = ["loan", "card", "desk", "fine", "book", "renew", "branch", "online", "late", "room"]
# Every pair of words, in an order that is not that of the ids; many score the same.
ENTRIES = [
    {"id": f"{second}-{first}", "answer": f"The {first} is at the {second}.", "question": f"Where is {first}?"}
    for first in WORDS
    for second in WORDS
]


def write(path: Path, entries: list[dict]) -> Path:
    path.write_text("".join(json.dumps(entry) + "\n" for entry in entries), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def client(elasticsearch_node):
    with Elasticsearch(elasticsearch_node.url) as client:
        yield client


@pytest.fixture(scope="module")
def name(elasticsearch_index, tmp_path_factory):
    return elasticsearch_index(write(tmp_path_factory.mktemp("entries") / "entries.jsonl", ENTRIES))


@pytest.fixture(scope="module")
def index(client, name):
    return ElasticsearchIndex.open(name, client)


@pytest.fixture
def impatient(monkeypatch):
    monkeypatch.setattr(retry, "PATIENCE", 3.0)


def open_views(client) -> int:
    nodes = client.nodes.stats(metric="indices", index_metric="search")["nodes"].values()
    return sum(node["indices"]["search"]["open_contexts"] for node in nodes)


# --- opening ---


def test_says_what_it_is(index, name):
    assert index.label == name
    assert index.location == f"Elasticsearch, index {name}-000001"
    assert index.search_fields == {"content": 1.0, "question": 0.5}
    assert index.count_documents() == 100


def test_boosts_are_those_that_the_live_index_has_now(client, elasticsearch_index, tmp_path):
    name = elasticsearch_index(write(tmp_path / "entries.jsonl", ENTRIES[:3]))
    client.indices.put_settings(index=name, settings={"index.query.default_field": ["content", "question^2.5"]})
    assert ElasticsearchIndex.open(name, client).search_fields == {"content": 1.0, "question": 2.5}


def test_stays_with_the_version_that_was_live(client, elasticsearch_index, tmp_path):
    name = elasticsearch_index(write(tmp_path / "entries.jsonl", ENTRIES[:3]))
    index = ElasticsearchIndex.open(name, client)
    other = f"{name}-000002"
    try:
        client.indices.create(index=other)
        actions = [{"remove": {"index": f"{name}-000001", "alias": name}}, {"add": {"index": other, "alias": name}}]
        client.indices.update_aliases(actions=actions)
        assert index.count_documents() == 3
        assert ElasticsearchIndex.open(name, client).count_documents() == 0
    finally:
        client.indices.delete(index=other)


def test_an_index_that_is_missing_or_not_ours_is_refused(client, name, monkeypatch, elasticsearch_node):
    monkeypatch.setenv("ELASTICSEARCH_HOSTS", elasticsearch_node.url)
    makes_it = "`answer-selection index FILE --store elasticsearch --index nowhere` makes it"
    with pytest.raises(ElasticsearchError, match="there is no index 'nowhere'") as refused:
        ElasticsearchIndex.open("nowhere")
    assert makes_it in str(refused.value)
    with pytest.raises(ValueError, match=r"'\./faq-index' can't be the name of an index"):
        ElasticsearchIndex.open("./faq-index")

    theirs = f"theirs-{uuid.uuid4().hex}"
    client.indices.create(
        index=theirs, aliases={f"{theirs}-too": {}}, mappings={"properties": {"id": {"type": "text"}}}
    )
    try:
        with pytest.raises(ElasticsearchError, match=f"'{theirs}-too' was not made by answer-selection"):
            ElasticsearchIndex.open(f"{theirs}-too", client)
        client.indices.put_alias(index=[theirs, f"{name}-000001"], name=f"{theirs}-both")
        with pytest.raises(ElasticsearchError, match=f"is the name of 2 indexes \\({name}-000001, {theirs}\\)"):
            ElasticsearchIndex.open(f"{theirs}-both", client)
    finally:
        client.indices.delete(index=theirs)
        client.options(ignore_status=404).indices.delete_alias(index=f"{name}-000001", name=f"{theirs}-both")


# --- many queries ---


def test_ids_and_scores_are_those_of_a_search_with_the_integrations_query(client, index, name):
    queries = ["where is the card", "renew a loan online?", "a fine, a fine, a fine at the desk"]
    for query, scored in zip(queries, index.search_scored(queries, 40), strict=True):
        match = {"query": query, "fuzziness": "0", "type": "most_fields", "operator": "OR"}
        hits = client.search(index=name, size=40, query={"bool": {"must": [{"multi_match": match}]}})["hits"]["hits"]
        assert [score for _, score in scored] == [hit["_score"] for hit in hits]
        assert scored == sorted(scored, key=lambda hit: (-hit[1], hit[0])), "equal scores in the order of the ids"
    assert list(index.search_ids(queries, 40)) == [[i for i, _ in hits] for hits in index.search_scored(queries, 40)]


def test_searches_the_fields_that_it_is_told(index):
    by_question, by_answer = (
        next(index.search_ids(["where loan"], 100, {field: 1.0})) for field in ("question", "content")
    )
    assert len(by_question) == 100
    assert sorted(by_answer) == sorted({f"loan-{word}" for word in WORDS} | {f"{word}-loan" for word in WORDS})
    [once], [thrice] = (next(index.search_scored(["loan"], 1, {"content": boost})) for boost in (1.0, 3.0))
    assert thrice[1] == pytest.approx(3 * once[1])


def test_a_query_is_text_and_one_without_a_word_finds_nothing(index):
    queries = ["", " ", "?!", "zebra", 'content:"loan" AND -desk* ~2', "loan \ud800 desk", "loan\u0000desk"]
    *nothing, syntax, half, zero = index.search_ids(queries, 3)
    assert nothing == [[], [], [], []]
    assert [sorted(found[:2]) for found in (syntax, half, zero)] == [["desk-loan", "loan-desk"]] * 3
    assert list(index.search_ids([], 3)) == []


def test_results_are_in_order_whatever_the_number_of_queries(index):
    queries = [f"{first} {second}" for first in WORDS for second in WORDS if first != second] * 3
    for query, ids in zip(queries, index.search_ids(queries, 2), strict=True):
        assert sorted(ids) == sorted(["-".join(query.split()), "-".join(reversed(query.split()))])


def test_queries_are_read_as_results_are_taken(index):
    asked = []

    class Queries(list):
        def __iter__(self):
            for query in super().__iter__():
                asked.append(query)
                yield query

    results = index.search_ids(Queries(["loan"] * 5000), 5)
    assert not asked
    next(results)
    assert 0 < len(asked) < 500
    results.close()
    assert len(asked) < 500


def test_a_query_of_thousands_of_words_is_searched_too(index, caplog):
    words = [f"w{number}" for number in range(9000)]
    chinese = "loan desk " + "".join(map(chr, range(0x4E00, 0x4E00 + 9000)))
    queries = ["loan desk", "loan desk " * 5000, "loan " * 6000 + "desk", " ".join(["loan desk", *words]), chinese]
    with caplog.at_level("WARNING"):
        short, repeated, weighted, different, unspaced = index.search_scored(queries, 20)
    assert [id_ for id_, _ in repeated] == [id_ for id_, _ in short]
    # As if it had been asked as it is: a repeated word counts as often as it stands there.
    assert repeated[0][1] == pytest.approx(5000 * short[0][1], rel=1e-5)
    assert weighted[0][0] == "loan-loan"
    assert different == short
    assert unspaced == short
    said = [record.getMessage() for record in caplog.records]
    assert len(said) == 2
    assert all(one.startswith("9002 words are too many for the server, only the first ") for one in said)


def test_a_query_that_is_too_long_however_short_is_refused(monkeypatch):
    searches = [WordSearch(Question("one two three"), 3, {"content": 1.0})]
    too_long = {"error": {"reason": "maxClauseCount is set to 0"}, "status": 400}
    monkeypatch.setattr(many_searches, "_answers", lambda client, index, bodies: [too_long] * len(bodies))
    with pytest.raises(ElasticsearchError, match="query 'one two three': maxClauseCount is set to 0"):
        many_searches.find(None, "faq", searches, Event())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((["x"], 0), "top_k must be from 1 to 10000, got 0"),
        ((["x"], 10_001), "top_k must be from 1 to 10000, got 10001"),
        (("loan", 3), "queries must be a sequence of strings, got one string"),
        ((["x"], 3, {"title": 1.0}), "search field 'title' is not in the index; it has content, question"),
        ((["x"], 3, {"content": 0}), "the boost of 'content' must be a number greater than 0"),
        ((["x"], 3, {}), "search_fields must be a dictionary"),
    ],
)
def test_a_wrong_argument_is_said_at_once(index, arguments, message):
    for search in (index.search_ids, index.search_scored):
        with pytest.raises(ValueError, match=message):
            search(*arguments)


def test_a_query_that_is_no_text_is_named(index):
    with pytest.raises(ValueError, match="a query must be a string, got int: 3"):
        list(index.search_ids(["loan", 3], 3))


def test_a_query_that_the_server_refuses_is_named(client, index, name):
    gone = ElasticsearchIndex(client, name, f"{name}-000009", index.search_fields)
    with pytest.raises(ElasticsearchError, match=r"query 'where is it': no such index \[made-.*-000009\]"):
        list(gone.search_ids(["where is it"], 3))


# --- page by page ---


def test_pages_hold_every_document_once_in_the_order_of_the_ids(client, index):
    ids = sorted(entry["id"] for entry in ENTRIES)
    for size in (1, 7, 99, 100, 101, 10_000):
        pages = list(index.iter_pages(["id"], size))
        assert [row["id"] for page in pages for row in page] == ids
        assert [len(page) for page in pages[:-1]] == [size] * (len(pages) - 1)
    assert open_views(client) == 0


def test_pages_have_the_fields_that_are_asked_for(client, elasticsearch_index, tmp_path):
    entries = [
        {"id": "a", "answer": "At any desk.", "question": "Where?", "section": {"name": "desks", "floor": 2}, "n": 1},
        {"id": "b", "answer": "Online.", "section": "web"},
    ]
    name = elasticsearch_index(write(tmp_path / "corpus.jsonl", entries[:1]))
    fields = ["content", "id", "meta.question", "meta.section.name", "meta.section.gone", "meta.n", "meta.gone"]
    [[row]] = ElasticsearchIndex.open(name, client).iter_pages(fields)
    assert row == dict(zip(fields, ["At any desk.", "a", "Where?", "desks", None, 1, None], strict=True))
    assert list(row) == fields


def test_pages_have_all_metadata_and_no_vector(client, elasticsearch_index, tiny_encoder, tmp_path):
    entry = {"id": "a", "answer": "At any desk.", "question": "Where?", "section": {"name": "desks"}, "n": 1}
    path = write(tmp_path / "corpus.jsonl", [entry])
    name = elasticsearch_index(path, encoder=SentenceEncoder.load(tiny_encoder))
    [[row]] = ElasticsearchIndex.open(name, client).iter_pages(["meta"])
    assert row["meta"].pop("embedding_fingerprint")
    assert row["meta"].pop("source") == str(path)
    assert row == {"meta": {"entry_id": "a", "question": "Where?", "section": {"name": "desks"}, "n": 1}}


def test_pages_show_the_index_as_it_was_at_the_first_one(client, elasticsearch_index, tmp_path):
    name = elasticsearch_index(write(tmp_path / "entries.jsonl", ENTRIES[:30]))
    index = ElasticsearchIndex.open(name, client)
    pages = index.iter_pages(["id"], 10)
    first = next(pages)
    version = f"{name}-000001"
    client.delete(index=version, id=sorted(entry["id"] for entry in ENTRIES[:30])[-1])
    client.index(index=version, id="zzz", document={"id": "zzz", "content": "New."}, refresh=True)
    rest = [row["id"] for page in pages for row in page]
    assert [row["id"] for row in first] + rest == sorted(entry["id"] for entry in ENTRIES[:30])
    assert [row["id"] for page in index.iter_pages(["id"]) for row in page][-1] == "zzz"


def test_the_server_keeps_nothing_for_pages_that_nobody_reads(client, index):
    index.iter_pages(["id"])
    assert open_views(client) == 0
    pages = index.iter_pages(["id"], 10)
    next(pages)
    assert open_views(client) == 1
    del pages
    assert open_views(client) == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("id",), "fields must be a sequence of names, got the string 'id'"),
        ((["title"],), "unknown field 'title'; expected 'id', 'content', 'meta' or 'meta.<key>'"),
        ((["meta."],), "unknown field 'meta.'"),
        ((["id"], 0), "page_size must be from 1 to 10000, got 0"),
    ],
)
def test_a_wrong_page_is_said_at_once(index, arguments, message):
    with pytest.raises(ValueError, match=message):
        index.iter_pages(*arguments)


def test_an_index_that_is_deleted_meanwhile_is_one_clear_error(client, elasticsearch_index, tmp_path):
    name = elasticsearch_index(write(tmp_path / "entries.jsonl", ENTRIES))
    pages = ElasticsearchIndex.open(name, client).iter_pages(["id"], 10)
    next(pages)
    client.indices.delete(index=f"{name}-000001")
    with pytest.raises(ElasticsearchError, match=f"there is no index '{name}-000001'"):
        list(pages)


# --- nodes that go ---


@contextmanager
def spread(client, *, replicas: int):
    """An index of three shards, one on each node."""
    name = f"spread-{uuid.uuid4().hex[:12]}"
    put_template(client, name, IndexSettings(shards=3, replicas=replicas))
    client.indices.create(index=f"{name}-000001", aliases={name: {}})
    documents = ({"_id": entry["id"], "id": entry["id"], "content": entry["answer"]} for entry in ENTRIES)
    helpers.bulk(client, ({"_index": name, **document} for document in documents), refresh=True)
    client.cluster.health(index=name, wait_for_status="green")
    try:
        yield ElasticsearchIndex.open(name, client)
    finally:
        client.indices.delete(index=f"{name}-000001")
        client.indices.delete_index_template(name=name)


@pytest.fixture
def three(elasticsearch_cluster):
    with Elasticsearch(elasticsearch_cluster.urls, retry_on_timeout=True, max_retries=5) as client:
        yield client


def test_what_several_shards_find_is_one_list(three):
    with spread(three, replicas=0) as index:
        [scored] = index.search_scored(["loan"], 100)
        assert sorted(id_ for id_, _ in scored) == sorted(
            entry["id"] for entry in ENTRIES if "loan" in entry["id"].split("-")
        )
        assert scored == sorted(scored, key=lambda hit: (-hit[1], hit[0]))
        assert [row["id"] for page in index.iter_pages(["id"], 7) for row in page] == sorted(e["id"] for e in ENTRIES)


def test_a_lost_node_is_not_noticed_where_there_are_replicas(three, elasticsearch_cluster):
    with spread(three, replicas=1) as index:
        queries = [f"{word} {number}" for number in range(200) for word in WORDS]
        expected = dict(zip(WORDS, index.search_ids(WORDS, 100), strict=True))
        pages = index.iter_pages(["id"], 7)
        read = [row["id"] for _ in range(3) for row in next(pages)]
        results = index.search_ids(queries, 100)
        found = [next(results) for _ in range(100)]
        elasticsearch_cluster.nodes[2].kill()
        found += results
        read += [row["id"] for page in pages for row in page]
        assert read == sorted(entry["id"] for entry in ENTRIES)
        assert all(set(ids) == set(expected[query.split()[0]]) for query, ids in zip(queries, found, strict=True))
        elasticsearch_cluster.restore()


def test_a_part_of_an_index_is_no_answer(three, elasticsearch_cluster, impatient):
    with spread(three, replicas=0) as index:
        pages = index.iter_pages(["id"], 7)
        next(pages)
        elasticsearch_cluster.nodes[1].kill()
        three.cluster.health(index=index.name, wait_for_status="red")
        start = time.monotonic()
        with pytest.raises(ElasticsearchError, match="query 'loan': "):
            list(index.search_ids(["loan"], 100))
        # The first request's failure ends the others, which do not wait their own time out.
        with pytest.raises(ElasticsearchError, match="query 'loan': "):
            list(index.search_ids(["loan"] * 1000, 100))
        # The last attempt may be at the node that is gone, once the others have failed as often.
        with pytest.raises(ElasticsearchError, match=r"HTTP 503: .*shards|nothing answers at"):
            list(pages)
        with pytest.raises(ElasticsearchError, match=r"only a part of spread-.* could be counted"):
            index.count_documents()
        assert time.monotonic() - start < 300
        elasticsearch_cluster.restore()
