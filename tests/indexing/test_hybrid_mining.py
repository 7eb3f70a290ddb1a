# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Candidates from an index with vectors: both scores of each, and those of an entry's own question are no give-away."""

import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from haystack import Document

from answer_selection.indexing.building.embedding import embed
from answer_selection.indexing.corpus import Query
from answer_selection.indexing.encoder import document_text, vector_fingerprint
from answer_selection.indexing.fusion import Fusion
from answer_selection.indexing.negatives import ANSWER_TEXT_ALONE, HybridSearch, mine
from hash_encoder import HashEncoder
from haystack_integrations.document_stores.tantivy import TantivyDocumentStore

ENTRIES = 40


def entry(number: int, encoder: HashEncoder) -> Document:
    question, answer = f"where is desk number{number}", f"the desk number{number} is on floor {number % 7}"
    document = Document(id=f"e{number:02}", content=answer, meta={"question": question})
    text = document_text(document)
    meta = {"embedding_fingerprint": vector_fingerprint(encoder.record, text)}
    return replace(document, embedding=encoder.encode([text])[0].tolist(), meta=document.meta | meta)


@pytest.fixture
def encoder() -> HashEncoder:
    return HashEncoder()


@pytest.fixture
def store(encoder: HashEncoder, tmp_path: Path) -> TantivyDocumentStore:
    made = TantivyDocumentStore(path=tmp_path / "index")
    made.write_documents([entry(number, encoder) for number in range(ENTRIES)], encoder=encoder.record)
    return made


OWN = [Query(f"e{number:02}", f"where is desk number{number}", (f"e{number:02}",)) for number in range(8)]
REAL = [Query(f"r{number}", f"find me the desk number{number} please", (f"e{number:02}",)) for number in range(8)]


def mined(store, queries, path, search, **options) -> list[dict]:
    mine(store, queries, output=path, hybrid=search, **options)
    return [json.loads(line) for line in path.read_text().splitlines()]


def cosine(encoder: HashEncoder, *texts: str) -> float:
    one, other = encoder.encode(texts)
    return float(one @ other)


@pytest.mark.parametrize("mode", ["uniform", "retrieved"])
def test_both_scores_are_what_a_ranker_will_see(store, encoder, tmp_path, mode):
    fields, weight = store.search_fields, 2.0
    lists = mined(
        store, REAL, tmp_path / "l.jsonl", HybridSearch(encoder, weight), mode=mode, depth=ENTRIES, fields=fields
    )
    assert len(lists) == len(REAL)
    for one in lists:
        found = store.hybrid_retrieval(
            one["query"], encoder.encode([one["query"]])[0].tolist(), top_k=ENTRIES, search_fields=fields, weight=weight
        )
        deployed = {document.id: document for document in found}
        for each in one["candidates"]:
            document, meta = deployed[each["candidate_id"]], each["meta"]
            assert meta["vector_score"] == pytest.approx(document.meta["vector_score"])
            assert meta["bm25_score"] == pytest.approx(document.meta["bm25_score"])
            if mode == "retrieved":
                assert meta["retriever_score"] == pytest.approx(document.score)
        if mode == "retrieved":
            assert [each["candidate_id"] for each in one["candidates"]] == [document.id for document in found]


@pytest.mark.parametrize("mode", ["uniform", "retrieved"])
def test_an_entrys_own_question_is_held_against_answers_alone(store, encoder, tmp_path, mode):
    search = HybridSearch(encoder, own_questions=True)
    lists = mined(store, OWN, tmp_path / "l.jsonl", search, mode=mode, depth=ENTRIES)
    for one in lists:
        for each in one["candidates"]:
            assert each["meta"]["vector_score"] == pytest.approx(
                cosine(encoder, one["query"], each["answer"]), abs=1e-6
            )
        [_, scored] = [
            dict(found) for found in store.search_scored(["zebra", one["query"]], ENTRIES, ANSWER_TEXT_ALONE)
        ]
        for each in one["candidates"]:
            assert each["meta"]["bm25_score"] == pytest.approx(scored.get(each["candidate_id"], 0.0))


@pytest.fixture
def long_answers(encoder, tmp_path) -> TantivyDocumentStore:
    """An index whose answers have several sentences, and so passages; every third has one."""
    documents = [
        Document(
            id=f"e{number:02}",
            content=f"the desk number{number} is there" + bool(number % 3) * f". Ask on floor {number}. Or wait.",
            meta={"question": f"where is desk number{number}"},
        )
        for number in range(ENTRIES)
    ]
    made = TantivyDocumentStore(path=tmp_path / "long")
    made.write_documents(embed(encoder, documents, []).documents, encoder=encoder.record)
    assert made.has_passages
    return made


@pytest.mark.parametrize("mode", ["uniform", "retrieved"])
def test_of_real_queries_the_cosines_are_with_passages_as_in_use(long_answers, encoder, tmp_path, mode):
    search = HybridSearch(encoder, passages=True)
    for one in mined(long_answers, REAL, tmp_path / "l.jsonl", search, mode=mode, depth=ENTRIES):
        vector = encoder.encode([one["query"]])[0].tolist()
        found = long_answers.hybrid_retrieval(one["query"], vector, top_k=ENTRIES)
        deployed = {document.id: document.meta["vector_score"] for document in found}
        for each in one["candidates"]:
            assert each["meta"]["vector_score"] == pytest.approx(deployed[each["candidate_id"]])


@pytest.mark.parametrize("passages", [False, True])
def test_an_own_question_is_held_against_sentences_of_answers_alone(long_answers, encoder, tmp_path, passages):
    search = HybridSearch(encoder, own_questions=True, passages=passages)
    seen = set()
    for one in mined(long_answers, OWN, tmp_path / "l.jsonl", search, depth=ENTRIES):
        for each in one["candidates"]:
            expected = cosine(encoder, one["query"], each["answer"])
            sentences = re.findall(r"\S[^.]*(?:\.|$)", each["answer"])
            if passages and len(sentences) > 1:
                expected = (expected + max(cosine(encoder, one["query"], sentence) for sentence in sentences)) / 2
            assert each["meta"]["vector_score"] == pytest.approx(expected, abs=1e-6)
            seen.add(len(sentences))
    assert seen == {1, 3}


def test_an_own_questions_hits_are_ordered_by_what_is_left_of_their_scores(store, encoder, tmp_path):
    search = HybridSearch(encoder, weight=3.0, own_questions=True)
    for one in mined(store, OWN, tmp_path / "l.jsonl", search, mode="retrieved", depth=12):
        metas = [each["meta"] for each in one["candidates"]]
        bm25, cosines = (np.array([meta[key] for meta in metas]) for key in ("bm25_score", "vector_score"))
        everywhere = np.ones(len(metas), bool)
        scores = Fusion(weight=3.0).scores(bm25, cosines, everywhere, everywhere).tolist()
        assert [meta["retriever_score"] for meta in metas] == pytest.approx(scores)
        assert scores == sorted(scores, reverse=True)
        assert [meta["retriever_rank"] for meta in metas] == list(range(1, len(metas) + 1))


def test_a_relevant_answer_that_was_not_found_has_the_answers_cosine(store, encoder, tmp_path):
    far = [Query("far", "zebra", ("e03",))]
    [one] = mined(store, far, tmp_path / "l.jsonl", HybridSearch(encoder), depth=3, negatives=2)
    [right] = [each for each in one["candidates"] if each["label"]]
    if "retriever_rank" in right["meta"]:
        pytest.fail("expected a query that does not find its entry; name another")
    assert right["meta"] == {"vector_score": pytest.approx(cosine(encoder, "zebra", right["answer"]), abs=1e-6)}


def test_answers_are_encoded_once(store, encoder, tmp_path):
    encoder.texts.clear()
    mined(store, OWN, tmp_path / "l.jsonl", HybridSearch(encoder, own_questions=True), depth=ENTRIES)
    assert len(encoder.texts) == len(set(encoder.texts)) <= len(OWN) + ENTRIES


def test_another_encoder_or_weight_is_another_file(store, encoder, tmp_path):
    mined(store, REAL, tmp_path / "l.jsonl", HybridSearch(encoder))
    for other in (
        HybridSearch(HashEncoder("other")),
        HybridSearch(encoder, 2.0),
        HybridSearch(encoder, 1.0, True),
        HybridSearch(encoder, passages=True),
    ):
        with pytest.raises(FileExistsError):
            mine(store, REAL, output=tmp_path / "l.jsonl", hybrid=other)
