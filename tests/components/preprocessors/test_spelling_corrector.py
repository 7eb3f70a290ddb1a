# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""A question's misspelt words are corrected as the index spells them, by either store, and all else is left alone."""

import asyncio
import json
from concurrent.futures import ThreadPoolExecutor

import pytest
from elasticsearch import Elasticsearch
from haystack import Document, Pipeline
from haystack.document_stores.in_memory import InMemoryDocumentStore
from haystack.utils import Secret
from haystack_integrations.document_stores.elasticsearch import ElasticsearchDocumentStore

from answer_selection.indexing.elasticsearch import kept_answer
from answer_selection.indexing.elasticsearch.index_of import index_of
from haystack_integrations.components.preprocessors.answer_selection import (
    QuerySpellingCorrector,
    dictionary,
)
from haystack_integrations.components.preprocessors.answer_selection.dictionary import Dictionary
from haystack_integrations.document_stores.tantivy import IndexOpenError, TantivyDocumentStore

TEXTS = [
    ("The library opens at ten. Receive an email from the scanner.", "When is the library open?"),
    ("An account at the library covers the coast, not the coats.", "Who has an account?"),
    ("Coasts, coasts and boats.", None),
    ("We recognize a kubectl plugin.", None),
]
CASES = [
    ("when does the libary open", "when does the library open"),
    ("Libary acount", "Library account"),
    ("the libary's scaner, at the libary", "the library's scanner, at the library"),
    ("a libary in the libary", "a library in the library"),
    # Of the index it is another form that is right.
    ("recieving from a scaner", "receiving from a scanner"),
    ("when does the libary of acount open", "when does the library of account open"),
    # Of two words one with the same letters; of several of these, the one that more documents hold.
    ("the caosts", "the coasts"),
    # What the index does not hold is the most common word.
    ("a hospitol near the libary", "a hospital near the library"),
    ("riped off", "ripped off"),
]
KEPT = [
    "",
    "?!",
    "when does the library open",
    "Hospitol",  # a name, as far as the index knows
    "intro",  # "nitro" begins otherwise
    "backend",  # nobody says "backbend"
    "kubctl",  # in no dictionary
    "kubectl",  # the index holds it
    "libbary",  # two slips
    "opne",  # short
    "Wann öffnet die Bibliothek, wo ist der Scaner?",  # another language
    "theyre, doesnt",  # without their apostrophes
    "--path=libary $libary %libary% libary() `libary` <libary> {libary} libary:latest #libary libary==2.0",
    "the bibrary",
    "liBary LIBARY libary.py --libary a@libary.com libary-2 libary_3",
    "図書館はどこですか",
    "library " * 2000,
]


def stored() -> list[Document]:
    return [
        Document(id=str(number), content=content, meta={} if question is None else {"question": question})
        for number, (content, question) in enumerate(TEXTS)
    ]


@pytest.fixture(scope="module")
def store(tmp_path_factory) -> TantivyDocumentStore:
    made = TantivyDocumentStore(path=tmp_path_factory.mktemp("spelling") / "index")
    made.write_documents(stored())
    return made


@pytest.mark.parametrize(("query", "expected"), [*CASES, *((query, query) for query in KEPT)])
def test_a_question_is_spelt_as_the_index_is(store, query, expected):
    assert QuerySpellingCorrector(document_store=store).run(query) == {"query": expected}


def test_words_are_counted_by_their_stems_in_all_search_fields(store):
    assert store.document_frequencies(["opening", "coast", "Coats", "email", "hospital", "", "a b"]) == {
        "opening": 1, "coast": 2, "Coats": 1, "email": 1, "hospital": 0, "": 0, "a b": 1,
    }  # fmt: skip


def test_the_word_that_more_documents_hold_is_taken(tmp_path):
    store = TantivyDocumentStore(path=tmp_path / "index")
    store.write_documents([Document(content=text) for text in ("a trail", "the trial", "a trial")])
    corrector = QuerySpellingCorrector(document_store=store)
    assert corrector.run("triaal") == {"query": "trial"}
    store.write_documents([Document(content=text) for text in ("trails are long", "trails are short")])
    assert store.document_frequencies(["trail", "trial"]) == {"trail": 3, "trial": 2}
    assert corrector.run("trael and trial")["query"] == "trail and trial"


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("wie kann ich das Konto wechseln, gerne", None),
        (
            "Guten Abend, ich würde gerne wissen, warum meine letzte Bestellung noch nicht angekommen ist, obwohl "
            "überall angegeben wurde, dass zwischen Versand und Lieferung höchstens fünf Werktage vergehen sollten",
            None,
        ),
        ("gerne Zotero", "genre Zotero"),
        ("teh libary gerne scaner", "teh library genre scanner"),
    ],
)
def test_a_question_that_is_mostly_unknown_is_of_another_language(tmp_path, query, expected):
    store = TantivyDocumentStore(path=tmp_path / "index")
    store.write_documents([Document(content="Any genre, gluten, a handler in Maine. The library has a scanner.")])
    assert QuerySpellingCorrector(document_store=store).run(query) == {"query": expected or query}


def test_other_languages(tmp_path):
    german = TantivyDocumentStore(path=tmp_path / "german", language="german")
    german.write_documents([Document(content="Die Bibliothek öffnet um zehn.")])
    corrector = QuerySpellingCorrector(document_store=german)
    assert corrector.run("Wann öffent die Biblothek?") == {"query": "Wann öffnet die Bibliothek?"}
    for language in ("danish", None):
        other = TantivyDocumentStore(path=tmp_path / str(language), language=language)
        other.write_documents([Document(content="The library opens at ten.")])
        assert QuerySpellingCorrector(document_store=other).run("libary") == {"query": "libary"}


def test_a_dictionary_is_loaded_once_and_by_warm_up(store, monkeypatch):
    loaded = []

    class Loaded(Dictionary):
        def __init__(self, language):
            loaded.append(language)
            super().__init__(language)

    monkeypatch.setattr(dictionary, "Dictionary", Loaded)
    dictionary._load.cache_clear()
    QuerySpellingCorrector(document_store=store).warm_up()
    assert loaded == ["english"]
    dictionary._load.cache_clear()
    with ThreadPoolExecutor(8) as threads:
        assert len(set(threads.map(lambda _: id(dictionary.dictionary("english")), range(8)))) == 1
    assert loaded == ["english"] * 2


async def test_closing_lets_go_of_the_store_and_a_later_run_opens_it(store):
    corrector = QuerySpellingCorrector(document_store=store)
    for _ in range(2):
        assert corrector.run("libary") == {"query": "library"}
        corrector.close()
    await corrector.close_async()
    assert (await corrector.run_async(query="libary")) == {"query": "library"}


def test_async_and_many_threads(store):
    corrector = QuerySpellingCorrector(document_store=store)
    assert asyncio.run(corrector.run_async(query="libary")) == {"query": "library"}
    with ThreadPoolExecutor(8) as threads:
        assert set(threads.map(lambda _: corrector.run("libary acount")["query"], range(40))) == {"library account"}


def test_in_a_pipeline_through_yaml(store):
    pipeline = Pipeline()
    pipeline.add_component("corrector", QuerySpellingCorrector(document_store=store))
    again = Pipeline.loads(pipeline.dumps())
    assert again.run({"query": "libary"}) == {"corrector": {"query": "library"}}


def test_a_missing_index_is_said_where_it_is_asked(tmp_path):
    corrector = QuerySpellingCorrector(document_store=TantivyDocumentStore(path=tmp_path / "none"))
    assert corrector.run("the library") == {"query": "the library"}
    with pytest.raises(IndexOpenError, match="there is no index in"):
        corrector.run("the libary")


def test_what_it_is_not_for(store):
    with pytest.raises(TypeError, match="TantivyDocumentStore or an ElasticsearchDocumentStore, got InMemoryDocument"):
        QuerySpellingCorrector(document_store=InMemoryDocumentStore())
    with pytest.raises(TypeError, match="query must be a string, but is of the type int"):
        QuerySpellingCorrector(document_store=store).run(3)


# --- Elasticsearch ---


@pytest.fixture
def elsewhere(elasticsearch_index, elasticsearch_node, tmp_path):
    """Makes an index of the same entries, and gives its store."""
    entries = tmp_path / "entries.jsonl"
    lines = [{"entry_id": one.id, "answer": one.content, **one.meta} for one in stored()]
    entries.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    opened = []

    def make(**settings):
        name = elasticsearch_index(entries, require_question=False, **settings)
        opened.append(ElasticsearchDocumentStore(hosts=elasticsearch_node.url, index=name))
        return opened[-1]

    yield make
    for each in opened:
        each.close()


def test_elasticsearch_corrects_alike(elsewhere):
    corrector = QuerySpellingCorrector(document_store=elsewhere())
    for query, expected in [*CASES, *((query, query) for query in KEPT)]:
        assert corrector.run(query) == {"query": expected}, query


def test_a_question_without_unknown_words_asks_elasticsearch_nothing(elsewhere, monkeypatch):
    store = elsewhere()
    corrector = QuerySpellingCorrector(document_store=store)
    assert corrector.run("libary") == {"query": "library"}
    monkeypatch.setattr(store.client, "search", None)
    assert corrector.run("when does the library open") == {"query": "when does the library open"}


async def test_the_connection_to_elasticsearch_is_closed_with_the_pipeline(elsewhere):
    pipeline = Pipeline()
    pipeline.add_component("corrector", QuerySpellingCorrector(document_store=elsewhere()))
    again = Pipeline.loads(pipeline.dumps())
    for close in (again.close_async, None):
        assert again.run({"query": "libary"}) == {"corrector": {"query": "library"}}
        client = again.get_component("corrector").document_store.client
        if close is None:
            again.close()
        else:
            await close()
        assert again.get_component("corrector").document_store._client is not client


def test_a_new_language_of_an_index_in_elasticsearch_is_found_out(elsewhere, monkeypatch):
    corrector = QuerySpellingCorrector(document_store=elsewhere(language="danish"))
    clock = [0.0]
    monkeypatch.setattr(kept_answer.time, "monotonic", lambda: clock[0])
    assert corrector.run("libary") == {"query": "libary"}
    corrector.document_store._index = elsewhere()._index
    assert corrector.run("libary") == {"query": "libary"}
    clock[0] += 61
    assert corrector.run("libary") == {"query": "library"}


def test_a_key_that_is_given_as_it_is_is_no_obstacle():
    store = ElasticsearchDocumentStore(
        hosts="http://127.0.0.1:9", index="any", api_key=Secret.from_token("a"), api_key_id=Secret.from_token("b")
    )
    QuerySpellingCorrector(document_store=store).warm_up()
    assert index_of(store) == "any"


def test_an_index_in_elasticsearch_is_asked_for_its_language(elsewhere, elasticsearch_node):
    danish = QuerySpellingCorrector(document_store=elsewhere(language="danish"))
    assert danish.run("libary") == {"query": "libary"}
    with Elasticsearch(elasticsearch_node.url) as client:
        client.index(index="not-ours", document={"content": "the library"}, refresh=True)
        try:
            foreign = ElasticsearchDocumentStore(hosts=elasticsearch_node.url, index="not-ours")
            assert QuerySpellingCorrector(document_store=foreign).run("libary") == {"query": "libary"}
            foreign.close()
        finally:
            client.indices.delete(index="not-ours")
