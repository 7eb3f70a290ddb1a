# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The index template on a real server: what it catches, what it makes, what may be in a document."""

import json
import re
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from elasticsearch import BadRequestError, Elasticsearch
from haystack import Document
from haystack_integrations.components.retrievers.elasticsearch import ElasticsearchBM25Retriever
from haystack_integrations.document_stores.elasticsearch import ElasticsearchDocumentStore

from answer_selection.indexing.elasticsearch.connection import ElasticsearchError, connect
from answer_selection.indexing.elasticsearch.settings import IndexSettings
from answer_selection.indexing.elasticsearch.template import (
    OWN_META,
    STORED_ONLY,
    check_name,
    index_template,
    put_live_settings,
    put_template,
)


@pytest.fixture(scope="module")
def client(elasticsearch_node) -> Iterator[Elasticsearch]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ELASTICSEARCH_HOSTS", elasticsearch_node.url)
        client = connect()
    with client:
        yield client


@contextmanager
def own_name(client: Elasticsearch) -> Iterator[str]:
    """A name that nobody else has; what is made of it is removed."""
    name = f"template-{uuid.uuid4().hex[:12]}"
    yield name
    templates = [item["name"] for item in client.indices.get_index_template()["index_templates"]]
    for index in client.indices.get(index=f"{name}*"):
        client.indices.delete(index=index)
    for template in templates:
        if template.startswith(name):
            client.indices.delete_index_template(name=template)


@pytest.fixture
def name(client: Elasticsearch) -> Iterator[str]:
    with own_name(client) as name:
        yield name


def make(client: Elasticsearch, name: str, settings: IndexSettings | None = None, version: int = 1) -> str:
    """A version of an index by its template."""
    put_template(client, name, settings or IndexSettings())
    index = f"{name}-{version:06}"
    client.indices.create(index=index)
    return index


def write(client: Elasticsearch, index: str, *documents: Document) -> None:
    """What the writer does, for a few: metadata stand beside the content."""
    for document in documents:
        client.index(index=index, id=document.id, document=document.to_dict(), refresh=True)


def retriever(client: Elasticsearch, index: str) -> ElasticsearchBM25Retriever:
    """The integration's own, which names no fields."""
    [node] = client.transport.node_pool.all()
    store = ElasticsearchDocumentStore(hosts=node.base_url, index=index)
    return ElasticsearchBM25Retriever(document_store=store, fuzziness="0")


def found(retriever: ElasticsearchBM25Retriever, query: str, **arguments: Any) -> list[str]:
    return [document.id for document in retriever.run(query=query, **arguments)["documents"]]


def test_a_template_is_as_it_is_printed(client: Elasticsearch, name: str):
    settings = IndexSettings(language="german", k1=0.9, b=0.4, shards=2, replicas=1, search_fields={"title": 2.0})
    index = make(client, name, settings)
    template = index_template(name, settings)
    assert json.loads(json.dumps(template)) == template
    made = client.indices.get(index=index)[index]
    assert made["mappings"]["_meta"] == template["template"]["mappings"]["_meta"]
    assert made["mappings"]["_meta"][OWN_META]["settings_digest"] == settings.digest
    assert made["mappings"]["_meta"][OWN_META]["analysis"]["stemmer"] == "snowball_german"
    named = {"id", "entry_id", "content", "question", "title"}
    assert set(made["mappings"]["properties"]) == named | set(STORED_ONLY)
    assert made["settings"]["index"]["query"]["default_field"] == ["title^2"]
    assert made["settings"]["index"]["number_of_shards"] == "2"
    assert made["settings"]["index"]["number_of_replicas"] == "1"
    assert made["settings"]["index"]["similarity"]["default"] == {"type": "BM25", "k1": "0.9", "b": "0.4"}


def test_only_versions_of_the_name_are_made_by_it(client: Elasticsearch, name: str):
    make(client, name)
    for other in ("archive", "archive-000001", "v2-000001"):
        client.indices.create(index=f"{name}-{other}")
        assert client.indices.get_mapping(index=f"{name}-{other}")[f"{name}-{other}"]["mappings"] == {}


def test_of_two_names_that_begin_alike_the_longer_one_wins(client: Elasticsearch, name: str):
    longer = f"{name}-0"
    put_template(client, longer, IndexSettings(language="german"))
    put_template(client, name, IndexSettings(language="english"))
    for each, stemmer in ((name, "snowball_english"), (longer, "snowball_german")):
        client.indices.create(index=f"{each}-000001")
        mapping = client.indices.get_mapping(index=f"{each}-000001")[f"{each}-000001"]["mappings"]
        assert mapping["_meta"][OWN_META]["analysis"]["stemmer"] == stemmer


def test_a_template_is_brought_up_to_date_but_that_of_another_is_left_alone(client: Elasticsearch, name: str):
    make(client, name, IndexSettings(k1=1.2))
    new = make(client, name, IndexSettings(k1=2.0), version=2)
    assert client.indices.get_settings(index=new)[new]["settings"]["index"]["similarity"]["default"]["k1"] == "2.0"
    client.indices.put_index_template(name=f"{name}-x", index_patterns=[f"{name}-x-0*"], priority=1)
    with pytest.raises(ElasticsearchError, match=f"'{name}-x' that answer-selection did not make"):
        put_template(client, f"{name}-x", IndexSettings())


@pytest.mark.parametrize("name", ["", "Faq", "-faq", "_faq", "fa q", "faq,two", "faq*", "a/b", ".faq", "ä" * 150])
def test_a_name_that_no_index_can_have_is_refused(name: str):
    with pytest.raises(ValueError, match=re.escape(repr(name)) + ".*can't be the name of an index"):
        check_name(name)


def test_boosts_and_replicas_change_on_a_live_index(client: Elasticsearch, name: str):
    index = make(client, name)
    write(
        client,
        index,
        Document(id="answer", content="the card is lost", meta={"question": "what is it?"}),
        Document(id="question", content="ask at a desk", meta={"question": "is the card lost"}),
    )
    searching = retriever(client, index)
    assert found(searching, "lost card") == ["answer", "question"]
    put_live_settings(client, index, IndexSettings(search_fields={"content": 0.5, "question": 3}, replicas=0))
    assert found(searching, "lost card") == ["question", "answer"]
    put_live_settings(client, index, IndexSettings(search_fields={"content": 1}))
    assert found(searching, "lost card") == ["answer"]
    assert client.indices.get_settings(index=index)[index]["settings"]["index"]["auto_expand_replicas"] == "0-1"


def test_there_is_a_second_copy_where_there_is_a_second_node(elasticsearch_cluster, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("ELASTICSEARCH_HOSTS", ",".join(elasticsearch_cluster.urls))
    name = f"template-{uuid.uuid4().hex[:12]}"
    with connect() as client:
        try:
            index = make(client, name)
            health = client.cluster.health(index=index, wait_for_status="green", timeout="30s")
            assert (health["status"], health["active_shards"]) == ("green", 2)
        finally:
            client.options(ignore_status=404).indices.delete(index=f"{name}-000001")
            client.indices.delete_index_template(name=name)


def test_a_synonym_in_any_form_finds_what_its_partners_find(client: Elasticsearch, name: str, tmp_path: Path):
    rules = tmp_path / "synonyms.txt"
    rules.write_text(
        "sofa, couch, settee\ntv, telly => television\nlibrary card, reader's ticket\nbike, bikes, bicycle\n",
        encoding="utf-8",
    )
    index = make(client, name, IndexSettings(synonyms=rules))
    write(
        client,
        index,
        Document(id="sofa", content="Our sofas are blue."),
        Document(id="tv", content="A television in each room."),
        Document(id="card", content="The library card is free."),
        Document(id="cards", content="A library with a free birthday card."),
        Document(id="bike", content="Leave your bikes outside."),
    )
    searching = retriever(client, index)
    assert found(searching, "COUCHES") == ["sofa"]
    assert found(searching, "telly") == ["tv"]
    assert found(searching, "a bicycle outside")[0] == "bike"
    # Of several words, it is their sequence that is meant.
    assert found(searching, "reader's tickets") == ["card"]
    # They are for questions only: what is indexed stays as it is.
    terms = client.indices.analyze(index=index, field="content", text="telly")["tokens"]
    assert [term["token"] for term in terms] == ["telli"]


def test_rules_that_pass_the_local_check_pass_the_servers(client: Elasticsearch, name: str, tmp_path: Path):
    rules = tmp_path / "synonyms.txt"
    rules.write_text(
        "run, running\nc++, cpp\nr\\,d, research and development\na\\=>b, arrow\n日本, japan\nin the, of the\n"
        "x => y\nx => z, w v\n1, one\nÄPFEL, apples\n",
        encoding="utf-8",
    )
    make(client, name, IndexSettings(synonyms=rules))


DOCUMENT = Document(
    id="one",
    content="Any desk replaces it.",
    meta={
        "question": "I lost my card",
        "entry_id": "one",
        "price": 3,
        "staff": True,
        "since": "2024-05-01",
        "topics": ["cards", "fees"],
        "source": {"page": "help.md", "line": 7},
        "nothing": None,
        "long": "é" * 40_000,
    },
)


@pytest.fixture(scope="module")
def two_documents(client: Elasticsearch) -> Iterator[ElasticsearchBM25Retriever]:
    """An index of that document and another one."""
    meta = {
        "question": "When do you close?",
        "entry_id": "two",
        "price": 3.5,
        "since": "2025-01-01",
        "topics": ["opening hours"],
        "source": {"page": "shop.md", "line": 9.5},
    }
    with own_name(client) as name:
        index = make(client, name)
        write(client, index, DOCUMENT, Document(id="two", content="We close the desk at noon.", meta=meta))
        yield retriever(client, index)


def equal(field: str, value: Any) -> dict[str, Any]:
    return compare(field, "==", value)


def compare(field: str, operator: str, value: Any) -> dict[str, Any]:
    return {"field": field, "operator": operator, "value": value}


@pytest.mark.parametrize(
    ("condition", "ids"),
    [
        (equal("id", "one"), ["one"]),
        (equal("meta.entry_id", "two"), ["two"]),
        (equal("meta.price", 3), ["one"]),
        (equal("meta.price", 3.5), ["two"]),
        (compare("meta.price", "!=", 3), ["two"]),
        (compare("meta.price", ">", 3.2), ["two"]),
        (compare("meta.price", "<=", 3), ["one"]),
        (equal("meta.staff", True), ["one"]),
        (equal("meta.since", "2024-05-01"), ["one"]),
        (compare("meta.since", ">", "2024-05-01"), ["two"]),
        (equal("meta.topics", "fees"), ["one"]),
        (compare("meta.topics", "in", ["opening hours", "fees"]), ["one", "two"]),
        (compare("meta.topics", "not in", ["fees"]), ["two"]),
        (equal("meta.source.page", "help.md"), ["one"]),
        (compare("meta.source.line", ">=", 8), ["two"]),
        (equal("meta.topic", None), ["one", "two"]),
        (compare("meta.staff", "!=", None), ["one"]),
        (
            {"operator": "OR", "conditions": [equal("meta.price", 3.5), equal("meta.staff", True)]},
            ["one", "two"],
        ),
        ({"operator": "NOT", "conditions": [equal("meta.price", 3.5)]}, ["one"]),
    ],
)
def test_metadata_are_found_by_the_integrations_filters(
    two_documents: ElasticsearchBM25Retriever, condition: dict[str, Any], ids: list[str]
):
    assert sorted(found(two_documents, "desk", filters=condition)) == ids


def test_a_document_comes_back_as_it_was_however_long_its_metadata(client: Elasticsearch, name: str):
    index = make(client, name)
    write(client, index, DOCUMENT)
    [document] = retriever(client, index).run(query="desk")["documents"]
    assert (document.content, document.meta) == (DOCUMENT.content, DOCUMENT.meta)


def test_many_different_metadata_are_kept_and_the_first_of_them_searchable(client: Elasticsearch, name: str):
    index = make(client, name)
    meta = {f"field-{number:04}": "x" for number in range(1500)}
    write(client, index, Document(id="many", content="many", meta=meta))
    searching = retriever(client, index)
    [document] = searching.run(query="many")["documents"]
    assert document.meta == meta
    assert found(searching, "many", filters=equal("meta.field-0001", "x")) == ["many"]
    assert found(searching, "many", filters=equal("meta.field-1499", "x")) == []


def test_a_text_where_there_were_numbers_is_refused_by_its_field(client: Elasticsearch, name: str):
    index = make(client, name)
    write(client, index, Document(id="number", content="a", meta={"price": 3, "room": "12b"}))
    write(client, index, Document(id="other", content="a", meta={"room": 12}))
    with pytest.raises(BadRequestError, match="failed to parse field \\[price\\] of type \\[double\\]"):
        write(client, index, Document(id="text", content="a", meta={"price": "ask us"}))
