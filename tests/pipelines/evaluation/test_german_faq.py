# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""A German FAQ, and questions to it in other words: what BM25 finds, and that the English ranker leaves it as it is."""

import json
from pathlib import Path

import pytest

import tiny_sentence_encoders
from answer_selection.indexing.building.embedded import build_index
from answer_selection.indexing.corpus import iter_queries
from answer_selection.indexing.sources import Sources
from haystack_integrations.components.rankers.answer_selection import AnswerRanker
from haystack_integrations.document_stores.tantivy import TantivyDocumentStore

FAQ = Path(__file__).parents[2] / "german_faq"
QUERIES = list(iter_queries(FAQ / "queries.jsonl"))


def first_right(lists) -> float:
    """P@1."""
    return sum(bool(found) and found[0].id in query.relevant for query, found in zip(QUERIES, lists, strict=True)) / 40


@pytest.fixture(scope="module")
def candidates(tmp_path_factory):
    """What BM25 finds for each question, by the language of stemming."""
    found = {}
    for language in ("german", None):
        store = TantivyDocumentStore(path=tmp_path_factory.mktemp("index") / "faq-index", language=language)
        build_index(store, Sources([FAQ / "faq.jsonl"], strict=True))
        found[language] = [store.bm25_retrieval(query.query, top_k=30) for query in QUERIES]
    return found


def test_stems_find_what_words_do_not(candidates):
    assert first_right(candidates["german"]) >= 0.8
    assert first_right(candidates["german"]) >= first_right(candidates[None]) + 0.1


@pytest.mark.slow
def test_the_english_ranker_keeps_the_order_of_retrieval(candidates):
    queries, found = [query.query for query in QUERIES], candidates["german"]
    ranker = AnswerRanker(meta_fields_to_embed=["question"], top_k=30)
    ranked = ranker.run_batch(queries, found)["documents"]
    assert [[each.id for each in one] for one in ranked] == [[each.id for each in one] for one in found]
    assert all("ranker_probability" in each.meta for one in ranked for each in one)


@pytest.mark.slow
def test_who_does_not_say_that_a_faq_is_german_is_told(command):
    hint = "these entries seem to be German, and are searched as English"
    done = command("index", FAQ / "faq.jsonl", "--encoder", "none")
    assert f"{hint}. If so, make a new --index with --language german" in done.out
    # It was told once; and whoever names a language has one.
    assert hint not in command("index", FAQ / "faq.jsonl", "--update").out
    assert hint not in command("index", FAQ / "faq.jsonl", "--index", "other", "--language", "english").out


@pytest.mark.slow
def test_a_german_faq_gets_no_vectors_of_the_english_encoder(command, tmp_path):
    done = command("index", FAQ / "faq.jsonl", "--language", "german")
    assert "40 entries written" in done.out
    assert "the package's encoder reads English: these entries are searched by BM25 alone" in done.out
    assert TantivyDocumentStore.open(tmp_path / "faq-index").encoder is None
    asked = command("ask", "Sind die Wandföhne umsonst?", "--json")
    assert json.loads(asked.out)["answers"][0]["entry_id"] == "foehn"


@pytest.mark.slow
def test_the_default_index_is_explained_and_measured_in_its_language(command):
    command("index", FAQ / "faq.jsonl", "--language", "german")
    assert command("explain", "Sind die Wandföhne umsonst?", "--output", "foehn.html").err == ""
    measured = command("eval", "--queries", FAQ / "queries.jsonl", "--output", "measured")
    assert (measured.code, "BM25 + ranker" in measured.out) == (0, True)


@pytest.mark.slow
def test_a_german_faq_is_searched_and_ranked_by_an_encoder_of_its_language(command, tmp_path):
    """As the shipped pipelines' README says, with an encoder of a published one's layout: pooled, and no more."""
    encoder = tiny_sentence_encoders.save(tmp_path / "multilingual", "bert", dense=None, normalize=False)
    queries = FAQ / "queries.jsonl"
    done = command("index", FAQ / "faq.jsonl", "--language", "german", "--encoder", encoder)
    assert (done.code, "40 encoded by" in done.out) == (0, True)
    given = ("--recipe", "multilingual", "--encoder", encoder, "--epochs", "1", "--validation", queries)
    trained = command("train", "my-ranker", "--index", "faq-index", *given)
    assert trained.code == 0, trained.err
    assert json.loads((tmp_path / "my-ranker" / "config.json").read_text())["model_type"] == "cross_encoder"
    asked = command("ask", "Sind die Wandföhne umsonst?", "--model", "my-ranker", "--json")
    assert asked.code == 0, asked.err
    assert json.loads(asked.out)["answers"][0]["meta"]["vector_score"] > 0
