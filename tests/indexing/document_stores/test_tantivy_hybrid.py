# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Hybrid search, against the two searches apart and Haystack's own joiner."""

import random
from dataclasses import replace

import numpy as np
import pytest
from haystack import Document
from haystack.components.joiners import DocumentJoiner
from haystack.document_stores.errors import DocumentStoreError

from answer_selection.indexing.fusion import VECTOR_WEIGHT
from haystack_integrations.document_stores.tantivy import TantivyDocumentStore

WORDS = [f"w{i}" for i in range(60)]
TOPIC = {"field": "meta.topic", "operator": "==", "value": 2}


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    """Two segments, deleted documents, and every ninth without an embedding."""
    generator, numbers = random.Random(1), np.random.default_rng(1)
    store = TantivyDocumentStore(path=tmp_path_factory.mktemp("hybrid") / "index")
    for start in (0, 300):
        store.write_documents(
            [
                Document(
                    id=f"d{i}",
                    content=" ".join(generator.choices(WORDS, k=12)),
                    meta={"question": " ".join(generator.choices(WORDS, k=4)), "topic": i % 3},
                    embedding=None if i % 9 == 4 else numbers.normal(size=24).tolist(),
                )
                for i in range(start, start + 300)
            ]
        )
    store.delete_documents([f"d{i}" for i in range(0, 600, 7)])
    return store


@pytest.fixture(scope="module")
def questions():
    generator, numbers = random.Random(2), np.random.default_rng(2)
    return [(" ".join(generator.choices(WORDS, k=3)), numbers.normal(size=24).tolist()) for _ in range(40)] + [
        ("nothing here", numbers.normal(size=24).tolist())
    ]


@pytest.mark.slow
@pytest.mark.parametrize("filters", [None, TOPIC])
@pytest.mark.parametrize("weight", [None, 1.0, 4.0])
def test_weighted(store, questions, filters, weight):
    place = {d.id: i for i, d in enumerate(store.filter_documents())}
    for text, embedding in questions:
        bm25 = {d.id: d.score for d in store.bm25_retrieval(text, top_k=1000)}
        cosines = {d.id: d.score for d in store.embedding_retrieval(embedding, top_k=1000)}
        union = {d.id for d in store.bm25_retrieval(text, top_k=8, filters=filters)}
        union |= {d.id for d in store.embedding_retrieval(embedding, top_k=8, filters=filters)}
        union = sorted(union, key=place.get)
        known = [i for i in union if i in cosines]
        neutral = np.mean([cosines[i] for i in known])
        vectors = VECTOR_WEIGHT if weight is None else weight
        expected = {i: vectors * cosines.get(i, neutral) + bm25.get(i, 0.0) for i in union}
        best = sorted(union, key=lambda i: (-expected[i], place[i]))[:8]
        hits = store.hybrid_retrieval(text, embedding, top_k=8, filters=filters, weight=weight)
        assert [d.id for d in hits] == best
        stored = {d.id: d for d in store.filter_documents()}
        for hit in hits:
            assert hit.embedding is None
            meta = {key: value for key, value in hit.meta.items() if key not in ("bm25_score", "vector_score")}
            assert replace(hit, meta=meta, score=None) == replace(stored[hit.id], embedding=None)
            assert hit.score == pytest.approx(expected[hit.id], abs=1e-5)
            assert hit.meta["bm25_score"] == pytest.approx(bm25.get(hit.id, 0.0), rel=1e-6)
            assert hit.meta["vector_score"] == cosines.get(hit.id)


def test_reciprocal_ranks_as_haystacks_joiner(store, questions):
    joiner = DocumentJoiner(join_mode="reciprocal_rank_fusion", weights=[2.0, 1.0])
    for text, embedding in questions:
        lists = [store.embedding_retrieval(embedding, top_k=8), store.bm25_retrieval(text, top_k=8)]
        # Its scores are ours but for one factor: there the best that can be is 1.
        right = {d.id: d.score * 3 / 61 for d in joiner.run(documents=lists)["documents"]}
        hits = store.hybrid_retrieval(text, embedding, top_k=8, fusion="reciprocal_rank", weight=2.0)
        assert [d.score for d in hits] == pytest.approx(sorted(right.values(), reverse=True)[:8])
        assert [d.score for d in hits] == pytest.approx([right[d.id] for d in hits])


@pytest.mark.parametrize("arguments", [{}, {"weight": 0}])
def test_many_at_once_are_as_one_by_one(store, questions, arguments):
    questions = questions * 3
    found = list(store.search_hybrid(*zip(*questions, strict=True), 10, **arguments))
    for hits, (text, embedding) in zip(found, questions, strict=True):
        documents = store.hybrid_retrieval(text, embedding, top_k=10, **arguments)
        assert [tuple(hit) for hit in hits] == [
            (d.id, d.score, d.meta["bm25_score"], d.meta["vector_score"]) for d in documents
        ]


def test_fields_of_one_search(store, questions):
    text, embedding = questions[0]
    hits = store.hybrid_retrieval(text, embedding, search_fields={"question": 2.0}, top_k=600)
    scores = {d.id: d.score for d in store.bm25_retrieval(text, search_fields={"question": 2.0}, top_k=600)}
    assert {d.id: d.meta["bm25_score"] for d in hits if d.meta["bm25_score"]} == pytest.approx(scores)
    [found] = store.search_hybrid([text], [embedding], 600, {"question": 2.0})
    assert [hit.id for hit in found] == [d.id for d in hits]


def test_equal_scores_keep_the_order_of_writing(tmp_path):
    store = TantivyDocumentStore(path=tmp_path / "index")
    for start in range(0, 30, 3):
        same = [Document(id=str(i), content="same text", embedding=[1.0, 3.0]) for i in range(start, start + 3)]
        store.write_documents(same)
    for arguments in ({}, {"weight": 0.7}):
        hits = store.hybrid_retrieval("text", [1.0, 1.0], top_k=30, **arguments)
        assert [d.id for d in hits] == [str(i) for i in range(30)]


def test_bad_searches(tmp_path):
    store = TantivyDocumentStore(path=tmp_path / "index")
    store.write_documents([Document(id="1", content="loan")])
    with pytest.raises(DocumentStoreError, match=r"no document of the index in .* has an embedding"):
        store.hybrid_retrieval("loan", [1.0])
    with pytest.raises(DocumentStoreError, match="has an embedding"):
        store.search_hybrid(["loan"], [[1.0]], 3)
    store.write_documents([Document(id="2", content="loan", embedding=[1.0, 0.0])])
    with pytest.raises(ValueError, match="queries must be a sequence of strings, as many as query_embeddings"):
        store.search_hybrid(["loan", "loan"], [[1.0, 0.0]], 3)
    with pytest.raises(ValueError, match="queries must be a sequence of strings"):
        store.search_hybrid("l", [[1.0, 0.0]], 3)
    with pytest.raises(ValueError, match="query_embedding has 1 numbers"):
        list(store.search_hybrid(["loan"], [[1.0]], 3))
    with pytest.raises(ValueError, match="a query must be a string, got int"):
        store.hybrid_retrieval(3, [1.0, 0.0])
    [near, other] = store.hybrid_retrieval("loan", [1.0, 0.0])
    assert (near.id, near.meta["vector_score"], other.meta["vector_score"]) == ("1", None, 1.0)
    store.delete_all_documents()
    assert store.hybrid_retrieval("loan", [1.0]) == []
    assert list(store.search_hybrid(["loan"], [[1.0]], 3)) == [[]]
