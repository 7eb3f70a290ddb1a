# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Given candidate lists are ranked whole, in an order that tells nothing of the labels."""

import pytest
from haystack import Document, component
from haystack.components.rankers import MetaFieldRanker

from answer_selection.indexing.candidates import Candidate, CandidateList
from answer_selection.pipelines.evaluation.candidate_mode import rank_candidates
from haystack_integrations.components.rankers.answer_selection.bm25 import BM25Ranker


@component
class Incoming:
    """Leaves the candidates in the order they come in, as a ranker does whose scores are all equal."""

    def __init__(self, drop=0):
        self.drop = drop
        self.seen = []

    @component.output_types(documents=list[Document])
    def run(self, query: str, documents: list[Document], top_k: int | None = None):
        self.seen.append((query, documents, top_k))
        return {"documents": documents[self.drop :]}


def candidate_list(number, size=4, **meta):
    """The positive comes first, and its id sorts first."""
    candidates = tuple(Candidate(f"{number}-{rank}", f"answer {rank}", int(rank == 0), meta) for rank in range(size))
    return CandidateList(f"q{number}", f"question {number}", candidates, {"category": "visas"})


def test_equal_scores_say_nothing_about_the_label():
    results = list(rank_candidates({"tied": Incoming()}, map(candidate_list, range(1000))))
    first = sum(result.relevance[result.stages["tied"].ids[0]] for result in results)
    # A quarter of 1,000, give or take four standard deviations of 13.7.
    assert 195 <= first <= 305
    assert len({tuple(name[-1] for name in result.stages["tied"].ids) for result in results}) == 24


def test_the_order_depends_on_the_seed_and_the_question_alone():
    lists = [candidate_list(number, 8) for number in range(20)]
    turned = [
        CandidateList(one.query_id, one.query, tuple(reversed(one.candidates)), one.query_meta)
        for one in reversed(lists)
    ]

    def ranked(given, seed):
        return {
            result.query_id: result.stages["tied"].ids
            for result in rank_candidates({"tied": Incoming()}, given, seed=seed, batch_size=3)
        }

    assert ranked(lists, 1) == ranked(turned, 1)
    assert ranked(lists, 1) != ranked(lists, 2)


def test_a_ranker_sees_the_candidate_and_neither_label_nor_how_it_was_mined():
    ranker = Incoming()
    given = candidate_list(3, retriever_score=7.5, retriever_rank=2, author="ann")
    (result,) = rank_candidates({"ranker": ranker}, [given])
    warming_up, (query, documents, top_k) = ranker.seen
    assert warming_up == (query, documents, top_k)
    assert (query, top_k) == ("question 3", 4)
    assert sorted((document.id, document.content) for document in documents) == [
        (f"3-{rank}", f"answer {rank}") for rank in range(4)
    ]
    assert all(document.meta == {"author": "ann"} and document.score is None for document in documents)
    assert result.closed
    assert result.relevance == {"3-0": 1, "3-1": 0, "3-2": 0, "3-3": 0}


@pytest.mark.parametrize(
    ("missing", "seen"), [({}, {"bm25_score", "vector_score"}), ({"vector_score"}, {"bm25_score"})]
)
def test_scores_of_a_search_are_seen_where_all_candidates_have_them(missing, seen):
    ranker, scores = Incoming(), {"bm25_score": 2.0, "vector_score": 0.5}
    found = {key: value for key, value in scores.items() if key not in missing}
    candidates = tuple(Candidate(str(n), "answer", int(n == 0), scores if n else found) for n in range(3))
    list(rank_candidates({"ranker": ranker}, [CandidateList("q", "question", candidates, {})]))
    assert all(document.meta.keys() == seen for document in ranker.seen[-1][1])


def test_many_lists_in_a_call_rank_as_one_at_a_time():
    """Through the real baseline, by its batch method; twelve candidates, more than a ranker returns by default."""

    def lists():
        for number in range(7):
            answers = [f"word{number} " * (rank % 4) + f"filler text number {rank}" for rank in range(12)]
            candidates = tuple(Candidate(f"{number}-{rank}", text, 0, {}) for rank, text in enumerate(answers))
            yield CandidateList(f"q{number}", f"word{number}", candidates, {})

    together = list(rank_candidates({"BM25": BM25Ranker(), "none": Incoming()}, lists(), batch_size=3))
    alone = list(rank_candidates({"BM25": BM25Ranker()}, lists(), batch_size=1))
    assert [result.query_id for result in together] == [f"q{number}" for number in range(7)]
    for one, other in zip(together, alone, strict=True):
        assert list(one.stages) == ["BM25", "none"]
        assert one.stages["BM25"].ids == other.stages["BM25"].ids
        assert len(one.stages["BM25"].ids) == 12
        assert one.stages["BM25"].ids[0].split("-")[1] in {"3", "7", "11"}
        assert list(one.stages["BM25"].scores) == sorted(one.stages["BM25"].scores, reverse=True)
        assert one.stages["BM25"].seconds > 0


def test_haystacks_own_rankers_can_be_measured():
    candidates = tuple(Candidate(f"c{votes}", "text", int(votes == 3), {"votes": votes}) for votes in (1, 3, 2))
    ranker = MetaFieldRanker(meta_field="votes", top_k=1)
    (result,) = rank_candidates({"votes": ranker}, [CandidateList("q", "question", candidates, {})])
    assert result.stages["votes"].ids == ("c3", "c2", "c1")


def test_a_ranker_that_leaves_candidates_out_is_named():
    with pytest.raises(ValueError, match=r"query 'q0': ranker 'cut' was given 4 candidates and returned 3"):
        list(rank_candidates({"cut": Incoming(drop=1)}, [candidate_list(0)]))


def test_a_candidate_twice_in_a_list_is_an_error():
    given = candidate_list(0)
    twice = CandidateList("q0", "question", (*given.candidates, given.candidates[1]), {})
    with pytest.raises(ValueError, match=r"query 'q0': candidate id '0-1' occurs twice"):
        list(rank_candidates({"ranker": Incoming()}, [twice]))


def test_questions_share_an_entry_if_id_and_answer_are_the_same():
    def one(query_id, candidate_id, answer):
        wrong = Candidate("x", "something else", 0, {})
        return CandidateList(query_id, "question", (Candidate(candidate_id, answer, 1, {}), wrong), {})

    lists = [one("q1", "e1", "Twice."), one("q2", "e1", "Twice."), one("q3", "e1", "Never."), one("q4", "e2", "Twice.")]
    entries = [result.entries for result in rank_candidates({"ranker": Incoming()}, lists)]
    assert entries[0] == entries[1]
    assert len(set(entries)) == 3


def test_an_empty_list_has_an_empty_ranking():
    (result,) = rank_candidates({"BM25": BM25Ranker()}, [CandidateList("q", "question", (), {})])
    assert result.stages["BM25"].ids == ()


def test_what_only_a_first_call_costs_is_no_part_of_the_time(monkeypatch):
    clock = [0.0]
    monkeypatch.setattr("answer_selection.pipelines.evaluation.candidate_mode.time.perf_counter", lambda: clock[0])

    @component
    class SlowAtFirst:
        @component.output_types(documents=list[Document])
        def run(self, query: str, documents: list[Document]):
            clock[0] += 1.0 if clock[0] else 100.0
            return {"documents": documents}

    results = list(rank_candidates({"slow": SlowAtFirst()}, map(candidate_list, range(3))))
    assert [result.stages["slow"].seconds for result in results] == [1.0, 1.0, 1.0]
