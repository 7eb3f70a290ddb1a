# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
Both stores find the same by words and by meaning, but for what HNSW leaves out.

The vectors are of a small encoder made for this: hashed words, projected at random, so that texts with common words are
near. That is as a sentence encoder's are, and unlike drawn ones, which are all equally far from one another.
"""

import hashlib
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
from answer_selection.indexing.corpus import iter_queries
from answer_selection.indexing.elasticsearch.settings import IndexSettings
from answer_selection.indexing.encoder import EncoderRecord
from answer_selection.indexing.sources import Sources
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
    """The bundled FAQ in both, with vectors."""
    folder = tmp_path_factory.mktemp("stores")
    # Stemmers differ in a few words.
    tantivy = TantivyDocumentStore(path=folder / "index", language=None)
    build_index(tantivy, Sources([LIBRARY_FAQ / "faq.jsonl"]), encoder=WordsEncoder())
    name = "hybrid-parity"
    with Elasticsearch(elasticsearch_node.url) as client:
        sources = Sources([LIBRARY_FAQ / "faq.jsonl"])
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
