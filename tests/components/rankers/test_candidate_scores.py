# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""What the default ranker finds out about candidates: how they meet the query's words, and what retrieval has not."""

import pickle
from copy import deepcopy
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from haystack import Document

from answer_selection.indexing.corpus import iter_corpus, iter_queries
from answer_selection.indexing.passages import PASSAGES_FIELD
from answer_selection.indexing.word_states import LONGEST, WORDS_FIELD, word_fingerprint, words_meta
from haystack_integrations.components.rankers.answer_selection import AnswerRanker, BM25Ranker, CTRNRanker
from haystack_integrations.components.rankers.answer_selection.candidate_scores import CandidateScores
from haystack_integrations.components.rankers.answer_selection.encoders.sentence_encoder import SentenceEncoder
from haystack_integrations.components.rankers.answer_selection.encoders.word_reader import WordReader
from haystack_integrations.components.rankers.answer_selection.models.record import Record
from haystack_integrations.components.rankers.answer_selection.word_match import word_scores

QUERY = "How can I pay my fine?"
TEXTS = ["Opening hours are on the door.", "What you owe is settled by card.", "A fine view from the roof.", ""]
RECORDS = [Record(QUERY, text, {}, {"page": place}) for place, text in enumerate(TEXTS)]
REPOSITORY = Path(__file__).parents[3]


@pytest.fixture
def encoded(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Every text that goes through an encoder."""
    texts: list[str] = []
    plain = SentenceEncoder.read

    def read(self, given, *arguments):
        texts.extend(given)
        return plain(self, given, *arguments)

    monkeypatch.setattr(SentenceEncoder, "read", read)
    return texts


def test_they_get_the_scores_of_both_searches():
    completed, hybrid = CandidateScores(None, 0).complete(RECORDS)
    assert not hybrid
    query, *answers = SentenceEncoder.load().encode([QUERY, *TEXTS])
    assert [one.meta["bm25_score"] for one in completed] == pytest.approx(BM25Ranker().score_pairs(RECORDS))
    # Texts of other lengths beside it change a vector's last bits.
    cosines = [float(query @ one) for one in answers]
    # A blank answer has no meaning, though it has a vector.
    cosines[-1] = min(cosines[:-1])
    assert [one.meta["vector_score"] for one in completed] == pytest.approx(cosines, abs=1e-4)
    read = WordReader.load().read([QUERY, *TEXTS])
    assert [one.meta["word_score"] for one in completed] == pytest.approx(word_scores(read[0], read[1:]), abs=1e-3)
    assert [one.meta["page"] for one in completed] == [0, 1, 2, 3]
    assert [(one.query, one.answer) for one in completed] == [(QUERY, text) for text in TEXTS]


@pytest.mark.parametrize(("most_bytes", "again"), [(2**20, 0), (0, len(TEXTS) + 1)])
def test_vectors_are_kept_as_far_as_there_is_room(most_bytes, again, encoded):
    scores = CandidateScores(None, most_bytes)
    first, _ = scores.complete(RECORDS)
    encoded.clear()
    second, _ = scores.complete(RECORDS)
    for key, off in (("vector_score", 1e-5), ("word_score", 1e-3)):
        assert [one.meta[key] for one in second] == pytest.approx([one.meta[key] for one in first], abs=off)
    assert len(encoded) == again
    scores.close()
    assert scores.complete(RECORDS)[0][0].meta.keys() == first[0].meta.keys()


def test_what_hybrid_retrieval_has_found_keeps_its_scores():
    metas = [{"bm25_score": 2.0, "vector_score": 0.1 * place} for place in range(4)]
    found = [replace(record, meta=meta) for record, meta in zip(RECORDS, metas, strict=True)]
    completed, hybrid = CandidateScores(None, 0).complete(found)
    assert hybrid
    given, _ = CandidateScores(None, 0).complete(RECORDS)
    for record, meta, other in zip(completed, metas, given, strict=True):
        read = {name: pytest.approx(other.meta[name], abs=1e-6) for name in ("word_score", "package_cosine")}
        assert record.meta == {**meta, **read}


def test_of_a_book_the_beginning_is_read(encoded):
    long = [Record("fine " * 200_000, "Opening hours. " * 100_000), Record("fine " * 200_000, "fine")]
    completed, _ = CandidateScores(None, 0).complete(long)
    assert max(map(len, encoded)) == LONGEST
    assert [one.answer for one in completed] == [one.answer for one in long]
    assert completed[1].meta["bm25_score"] > completed[0].meta["bm25_score"]


@pytest.mark.parametrize("most_bytes", [0, 2**20])
def test_what_an_index_has_read_is_not_read_again(most_bytes, encoded):
    reader = WordReader.load()
    expected, _ = CandidateScores(None, 0).complete(RECORDS)
    # Words may be set apart by something else.
    metas = [
        {WORDS_FIELD: words_meta(read, word_fingerprint(reader.fingerprint, text.replace(" ", "\n")))}
        for text, read in zip(TEXTS, reader.read(TEXTS), strict=True)
    ]
    stored = [replace(record, meta=meta) for record, meta in zip(RECORDS, metas, strict=True)]
    encoded.clear()
    scores = CandidateScores(None, most_bytes)
    for again in (False, True):
        completed, _ = scores.complete(stored)
        assert encoded == ([] if again and most_bytes else [QUERY])
        encoded.clear()
        for key, off in (("vector_score", 1e-3), ("word_score", 1e-3), ("bm25_score", 1e-9)):
            assert [one.meta[key] for one in completed] == pytest.approx([one.meta[key] for one in expected], abs=off)


@pytest.mark.slow
@pytest.mark.parametrize(
    "wrong",
    [
        lambda meta: meta.replace(meta.partition("-")[0], "0" * 16),
        lambda meta: meta[:-5],
        lambda meta: meta.partition(":")[0],
        lambda meta: None,
        lambda meta: 7,
    ],
)
def test_what_is_anothers_or_damaged_is_read_again(wrong, encoded):
    reader = WordReader.load()
    [meta] = [words_meta(each, word_fingerprint(reader.fingerprint, TEXTS[1])) for each in reader.read(TEXTS[1:2])]
    other = {WORDS_FIELD: words_meta(reader.read(["Else."])[0], word_fingerprint(reader.fingerprint, "Else."))}
    expected, _ = CandidateScores(None, 0).complete(RECORDS)
    metas = [other, {WORDS_FIELD: wrong(meta)}, {}, {}]
    encoded.clear()
    completed, _ = CandidateScores(None, 0).complete(
        [replace(record, meta=meta) for record, meta in zip(RECORDS, metas, strict=True)]
    )
    assert set(encoded) == {QUERY, *TEXTS}
    assert [one.meta["word_score"] for one in completed] == pytest.approx(
        [one.meta["word_score"] for one in expected], abs=1e-3
    )


@pytest.mark.slow
@pytest.mark.parametrize("blank", ["", " \n\t"])
def test_blank_answers_come_last(blank):
    texts = [blank, "A lost card is replaced at any desk.", blank, "Fines are paid online.", "We close at eight."]
    for query in (QUERY, "?", "", "When do you close?"):
        assert {one.index for one in AnswerRanker().rank(query, texts)[-2:]} == {0, 2}
    assert len(AnswerRanker().rank(QUERY, [blank, blank])) == 2


class TestRanker:
    def test_the_model_reads_candidates_as_they_are_given(self, monkeypatch):
        # As in its calibration. The package's CTRN reads cosines where a search gave them.
        read: list[Record] = []
        plain = CTRNRanker.score_pairs

        def score_pairs(self, records):
            read.extend(records)
            return plain(self, records)

        monkeypatch.setattr(CTRNRanker, "score_pairs", score_pairs)
        CTRNRanker().rank(QUERY, TEXTS)
        assert [(one.query, one.answer) for one in read] == [(QUERY, text) for text in TEXTS]
        assert not any({"bm25_score", "vector_score", "word_score"} & one.meta.keys() for one in read)

    def test_of_many_queries_each_is_completed(self, encoded):
        scored = [
            Document(content=f"{text}!", score=float(place), meta={"bm25_score": 1.0, "vector_score": place / 9})
            for place, text in enumerate(TEXTS[:3])
        ]
        given = [Document(content=text) for text in TEXTS]
        ranker = AnswerRanker()
        ranked = ranker.run_batch([QUERY, QUERY, "Else?"], [scored, given, []])["documents"]
        assert set(encoded) == {QUERY, *TEXTS, *(one.content for one in scored)}
        assert [one.id for one in ranked[0]] == [one.id for one in ranker.run(QUERY, scored)["documents"]]
        assert [one.id for one in ranked[1]] == [one.id for one in ranker.run(QUERY, given)["documents"]]
        assert ranked[2] == []
        assert [one.score for one in ranked[1]] == pytest.approx([one.score for one in ranker.rank(QUERY, TEXTS)])

    def test_meaning_counts_and_the_model_alone_is_a_weight_of_0(self, encoded):
        ranker = AnswerRanker()
        assert ranker.rank(QUERY, TEXTS)[0].text == TEXTS[1]
        assert set(encoded) >= {QUERY, *TEXTS}
        encoded.clear()
        alone = AnswerRanker(retriever_weight=0.0).rank(QUERY, TEXTS)
        assert [one.score for one in alone] == [one.probability for one in alone]
        assert not encoded

    @pytest.mark.parametrize("meta", [{}, {"bm25_score": 2.0}, {"bm25_score": 2.0, "vector_score": None}])
    def test_those_of_another_retriever_are_encoded_and_their_score_counts(self, meta, encoded):
        # None of the texts has a word of it: one shared word can be worth more than the score.
        query = "Where do I settle my debt?"
        ranker = AnswerRanker()
        documents = [Document(content=text, meta=meta) for text in TEXTS]
        without = ranker.run(query, documents)["documents"]
        assert set(encoded) >= {query, *TEXTS}
        # The last one is blank, and stays the last.
        worst = without[-2]
        scored = [replace(one, score=0.9 if one.content == worst.content else 0.1) for one in documents]
        ranked = ranker.run(query, scored)["documents"]
        assert [one.content for one in ranked].index(worst.content) < len(TEXTS) - 2
        assert not ranked[-1].content
        assert without[0].meta.keys() == {
            *meta,
            "ranker_probability",
            "ranker_signals",
            "retriever_rank",
            "retriever_score",
        }

    def test_what_an_index_has_read_is_used_and_not_given_on(self, encoded):
        reader = WordReader.load()
        documents = [
            Document(
                content=text,
                meta={
                    WORDS_FIELD: words_meta(read, word_fingerprint(reader.fingerprint, text)),
                    PASSAGES_FIELD: "kilobytes too",
                },
            )
            for text, read in zip(TEXTS, reader.read(TEXTS), strict=True)
        ]
        expected = [one.text for one in AnswerRanker().rank(QUERY, TEXTS)]
        encoded.clear()
        ranked = AnswerRanker().run(QUERY, documents)["documents"]
        assert encoded == [QUERY]
        assert [one.content for one in ranked] == expected
        assert not any({WORDS_FIELD, PASSAGES_FIELD} & one.meta.keys() for one in ranked)
        assert all({WORDS_FIELD, PASSAGES_FIELD} <= one.meta.keys() for one in documents)

    @pytest.mark.slow
    def test_a_copy_ranks_alike_and_so_does_a_closed_one(self):
        ranker = AnswerRanker()
        expected = [one.index for one in ranker.rank(QUERY, TEXTS)]
        assert [one.index for one in deepcopy(ranker).rank(QUERY, TEXTS)] == expected
        assert [one.index for one in pickle.loads(pickle.dumps(ranker)).rank(QUERY, TEXTS)] == expected
        ranker.close()
        assert [one.index for one in ranker.rank(QUERY, TEXTS)] == expected

    def test_no_texts_are_no_answers(self):
        assert AnswerRanker().rank(QUERY, []) == []


@pytest.mark.slow
def test_the_default_ranker_beats_bm25_on_given_answers():
    # Every question to the bundled FAQ's validation half with its answer and those of eleven others.
    faq = REPOSITORY / "indexing" / "library_faq"
    answers = {one.entry_id: one.answer for one in iter_corpus(faq / "faq.jsonl")}
    questions = list(iter_queries(faq / "validation.jsonl"))[:80]
    right = [answers[next(iter(one.relevant))] for one in questions]
    ranker, bm25 = AnswerRanker(), BM25Ranker()
    ranks = []
    for place, question in enumerate(questions):
        texts = list(dict.fromkeys([right[(place + 7 * step) % len(right)] for step in range(12)]))
        ranks.append([[r.text for r in one.rank(question.query, texts)].index(right[place]) for one in (ranker, bm25)])
    ours, theirs = (1 / (1 + np.array(ranks))).mean(axis=0)
    assert ours > theirs + 0.05
