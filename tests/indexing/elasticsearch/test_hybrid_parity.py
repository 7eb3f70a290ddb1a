# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
Both stores find the same by words and by meaning, but for what HNSW leaves out.

The vectors are of a small encoder made for this: hashed words, projected at random, so that texts with common words are
near. That is as a sentence encoder's are, and unlike drawn ones, which are all equally far from one another.
"""

import hashlib
import json
import re
from functools import cache
from itertools import chain
from pathlib import Path

import numpy as np
import pytest
from elasticsearch import Elasticsearch
from haystack_integrations.document_stores.elasticsearch import ElasticsearchDocumentStore

from answer_selection.indexing.building.elasticsearch import build_version
from answer_selection.indexing.building.embedded import build_index
from answer_selection.indexing.candidates import Candidate, CandidateList, read_jsonl
from answer_selection.indexing.corpus import iter_queries
from answer_selection.indexing.elasticsearch.connection import ElasticsearchError
from answer_selection.indexing.elasticsearch.index import ElasticsearchIndex
from answer_selection.indexing.elasticsearch.settings import IndexSettings
from answer_selection.indexing.encoder import EncoderRecord
from answer_selection.indexing.sources import Sources
from answer_selection.pipelines.commands.console import bar
from answer_selection.pipelines.training.mining import mine_lists
from haystack_integrations.components.retrievers.elasticsearch_hybrid import ElasticsearchHybridScoreRetriever
from haystack_integrations.components.retrievers.tantivy import TantivyHybridRetriever
from haystack_integrations.document_stores.tantivy import TantivyDocumentStore

LIBRARY_FAQ = Path(__file__).parents[3] / "indexing" / "library_faq"
TOP, QUESTIONS, WIDTH = 30, 500, 64


@cache
def drawn(word: str) -> np.ndarray:
    seed = int.from_bytes(hashlib.blake2b(word.encode(), digest_size=8).digest(), "big")
    return np.random.default_rng(seed).standard_normal(WIDTH, np.float32)


class WordsEncoder:
    """The sum of its words' vectors, which are drawn by their hashes."""

    record = EncoderRecord("words", "words-64", WIDTH)

    def encode(self, texts):
        sums = [sum(map(drawn, set(re.findall(r"\w+", text.lower()))), drawn("")) for text in texts]
        return np.stack([vector / np.linalg.norm(vector) for vector in sums])


@pytest.fixture(scope="module")
def stores(elasticsearch_node, tmp_path_factory):
    """The bundled FAQ in both, with vectors, by its ids: Elasticsearch has equal scores in that order."""
    folder = tmp_path_factory.mktemp("stores")
    entries = map(json.loads, (LIBRARY_FAQ / "faq.jsonl").read_text(encoding="utf-8").splitlines())
    faq = folder / "faq.jsonl"
    faq.write_text("".join(f"{json.dumps(one)}\n" for one in sorted(entries, key=lambda one: one["id"])))
    # Stemmers differ in a few words.
    tantivy = TantivyDocumentStore(path=folder / "index", language=None)
    build_index(tantivy, Sources([faq]), encoder=WordsEncoder())
    name = "hybrid-parity"
    with Elasticsearch(elasticsearch_node.url) as client:
        sources = Sources([faq])
        settings = IndexSettings(language=None)
        build_version(
            client, name, sources, rejects=folder / "rejects.jsonl", settings=settings, encoder=WordsEncoder()
        )
        yield ElasticsearchDocumentStore(hosts=elasticsearch_node.url, index=name), tantivy
        client.indices.delete(index=f"{name}-000001")
        client.indices.delete_index_template(name=name)


@pytest.fixture(scope="module")
def questions() -> list[tuple[str, list[float]]]:
    files = (LIBRARY_FAQ / "validation.jsonl", LIBRARY_FAQ / "test.jsonl")
    texts = [query.query for query in chain.from_iterable(map(iter_queries, files))][:QUESTIONS]
    return list(zip(texts, WordsEncoder().encode(texts).tolist(), strict=True))


def test_the_nearest_are_found(stores, questions):
    there = ElasticsearchHybridScoreRetriever(document_store=stores[0], top_k=TOP)
    recalls = []
    for text, embedding in questions:
        nearest = {document.id for document in there.run_alone("vectors", text, embedding)["documents"]}
        exact = {document.id for document in stores[1].embedding_retrieval(embedding, top_k=TOP)}
        recalls.append(len(nearest & exact) / len(exact))
    assert len(recalls) == QUESTIONS
    assert np.mean(recalls) >= 0.99


def test_where_both_find_the_same_the_scores_are_the_same(stores, questions):
    there = ElasticsearchHybridScoreRetriever(document_store=stores[0], top_k=TOP)
    here = TantivyHybridRetriever(document_store=stores[1], top_k=TOP)
    asked, same = questions[::5], 0
    for text, embedding in asked:
        found, expected = (
            {document.id: document for document in each.run(text, embedding)["documents"]} for each in (there, here)
        )
        for id_ in found.keys() & expected.keys():
            for key in ("bm25_score", "vector_score"):
                assert found[id_].meta[key] == pytest.approx(expected[id_].meta[key], abs=1e-4), (text, id_, key)
        if found.keys() == expected.keys():
            same += 1
            assert {id_: document.score for id_, document in found.items()} == pytest.approx(
                {id_: document.score for id_, document in expected.items()}, abs=1e-3
            )
    assert same >= 0.9 * len(asked)


# --- as training reads them: many questions at once, ids and scores alone ---


@pytest.fixture(scope="module")
def index(stores, elasticsearch_node):
    with Elasticsearch(elasticsearch_node.url) as client:
        yield ElasticsearchIndex.open("hybrid-parity", client)


def scores(hits) -> dict[str, tuple[float, float, float]]:
    return {hit.id: (hit.score, hit.bm25_score, hit.vector_score) for hit in hits}


@pytest.mark.parametrize("options", [{}, {"fields": {"question": 2.0}, "weight": 5.0}])
def test_many_questions_find_the_same_in_both(stores, index, questions, options):
    """So many documents that most are found by one search alone, and the other's score has to be asked for."""
    texts, vectors = zip(*questions[::10], strict=True)
    top_k = 60
    assert index.encoder == stores[1].encoder
    found = list(index.search_hybrid(texts, vectors, top_k, **options))
    expected = list(stores[1].search_hybrid(texts, vectors, top_k, **options))
    assert len(found) == len(expected) == len(texts)
    recalls = []
    for text, hits, others in zip(texts, found, expected, strict=True):
        ours, theirs = scores(hits), scores(others)
        # The graph of vectors misses one here and there; which, depends on how the server has merged it.
        recalls.append(len(ours.keys() & theirs.keys()) / top_k)
        if recalls[-1] == 1:
            assert [hit.score for hit in hits] == pytest.approx([hit.score for hit in others], abs=1e-3), text
        for id_ in ours.keys() & theirs.keys():
            assert ours[id_] == pytest.approx(theirs[id_], abs=1e-3), (text, id_)
    assert np.mean(recalls) >= 0.99
    assert any(hit.bm25_score == 0 for hits in found for hit in hits)


def test_what_is_asked_wrongly_is_said(index, stores, questions, elasticsearch_index):
    [(text, vector), *_] = questions
    with pytest.raises(ValueError, match="expected one of query_embeddings for each query, got 2 for 1"):
        index.search_hybrid([text], [vector, vector], 3)
    with pytest.raises(ValueError, match="queries must be a sequence of strings, got one string"):
        index.search_hybrid("l", [vector], 3)
    with pytest.raises(ValueError, match="search field 'title' is not in the index"):
        index.search_hybrid([text], [vector], 3, {"title": 1.0})
    with pytest.raises(ValueError, match=f"query_embedding has 2 numbers, the vectors of the index .* have {WIDTH}"):
        list(index.search_hybrid([text], [[1.0, 0.0]], 3))
    without = ElasticsearchIndex(index.client, index.name, index.version, index.search_fields)
    with pytest.raises(ElasticsearchError, match=r"'hybrid-parity' has no vectors: .*--rebuild --encoder NAME"):
        without.search_hybrid([text], [vector], 3)


def test_a_question_that_is_too_long_for_the_server_is_cut_for_both_searches(index, questions, caplog):
    [(text, vector), *_] = questions
    long = " ".join([text, *(f"w{number}" for number in range(9000))])
    with caplog.at_level("WARNING"):
        short, cut = index.search_hybrid([text, long], [vector, vector], 20)
    assert scores(cut) == {id_: pytest.approx(each, rel=1e-5) for id_, each in scores(short).items()}
    [said] = {record.getMessage() for record in caplog.records}
    assert "words are too many for the server" in said


def candidates(one: CandidateList) -> dict[str, Candidate]:
    return {each.candidate_id: each for each in one.candidates}


@pytest.mark.parametrize("real", [False, True])
def test_lists_to_learn_from_are_the_same(index, stores, tmp_path, real):
    """Of the entries' own questions, and of real ones, which choose how the index is searched."""
    asked = list(iter_queries(LIBRARY_FAQ / "validation.jsonl"))
    given = {"queries": asked[::9], "validation": asked[1::9]} if real else {}
    mined = {}
    for name, store in (("there", index), ("here", stores[1])):
        made = mine_lists(store, tmp_path / name, bar, encoder=WordsEncoder(), negatives=20, keep_top=10, **given)
        mined[name] = (made, list(read_jsonl(made.train)), list(read_jsonl(made.validation)))
    (ours, *our_lists), (theirs, *their_lists) = mined["there"], mined["here"]
    assert ours.retrieval.parameters() == theirs.retrieval.parameters()
    if real:
        assert ours.retrieval.mrr == pytest.approx(theirs.retrieval.mrr, abs=0.005)
    for found, expected in zip(our_lists, their_lists, strict=True):
        assert [one.query_id for one in found] == [one.query_id for one in expected]
        shared = []
        for one, other in zip(map(candidates, found), map(candidates, expected), strict=True):
            shared.append(len(one.keys() & other.keys()) / len(other))
            for id_ in one.keys() & other.keys():
                assert one[id_].label == other[id_].label
                for key in ("bm25_score", "vector_score"):
                    assert one[id_].meta.get(key) == pytest.approx(other[id_].meta.get(key), abs=1e-3)
        # Where two scores are nearly the same, chance draws another negative.
        assert np.mean(shared) >= 0.99
