# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from answer_selection.indexing.candidates import Candidate, CandidateList, write_jsonl
from haystack_integrations.components.rankers.answer_selection.candidate_scores import CandidateScores
from haystack_integrations.components.rankers.answer_selection.models.base import Collator
from haystack_integrations.components.rankers.answer_selection.models.record import Record
from haystack_integrations.components.rankers.answer_selection.signals import weighed
from haystack_integrations.components.rankers.answer_selection.training.dataset import CandidateFile
from haystack_integrations.components.rankers.answer_selection.training.other_signals import OtherSignals


@pytest.mark.slow
def test_signals_are_mixed_list_by_list(tmp_path: Path) -> None:
    rows = [[("a lost card", 0.9), ("a room", 0.1)], [], [("the card", 0.4), ("a book", 0.5), ("the desk", 0.2)]]
    write_jsonl(
        tmp_path / "lists.jsonl",
        [
            CandidateList(
                f"q{i}",
                "where is my card?",
                tuple(
                    Candidate(
                        f"c{j}", text, 0, {"retriever_score": 3.0 - j, "vector_score": cosine, "bm25_score": 1.0 * j}
                    )
                    for j, (text, cosine) in enumerate(row)
                ),
                {},
            )
            for i, row in enumerate(rows)
        ],
    )
    file = CandidateFile(tmp_path / "lists.jsonl")
    logits = np.array([0.5, -0.5, 1.0, 2.0, 3.0])
    expected: list[float] = []
    for row, own in zip(rows, (logits[:2], logits[:0], logits[2:]), strict=True):
        records = [
            Record("where is my card?", text, {}, {"vector_score": cosine, "bm25_score": 1.0 * j})
            for j, (text, cosine) in enumerate(row)
        ]
        if records:
            records, _ = CandidateScores(None, 0).complete(records)
            expected += weighed(records, own, 3.0 - np.arange(len(row))).sum(axis=1).tolist()
    mixed = OtherSignals.of(file, Collator()).with_model(logits)
    assert mixed == pytest.approx(expected)

    class Foreign(Collator):
        """Of a model that knows none of the words."""

        def known_share(self, records: Sequence[Record]) -> float:
            return 0.0

    unheard = OtherSignals.of(file, Foreign()).with_model(logits)
    assert np.argsort(-unheard[:2]).tolist() == [0, 1], "the retriever's order"
    assert np.argsort(-unheard[2:]).tolist() == [0, 1, 2]


def test_a_list_without_scores_gets_those_that_a_ranker_finds(tmp_path: Path) -> None:
    write_jsonl(
        tmp_path / "lists.jsonl",
        [
            CandidateList("q0", "q", (Candidate("c0", "a", 1), Candidate("c1", "a", 0)), {}),
            CandidateList(
                "q1",
                "q",
                tuple(Candidate(f"c{j}", "ab"[j], 1 - j, {"retriever_score": 2.0 - j}) for j in range(2)),
                {},
            ),
        ],
    )
    file = CandidateFile(tmp_path / "lists.jsonl")
    logits = np.array([0.5, 0.7, 0.1, 0.2])
    others = OtherSignals.of(file, Collator())
    mixed, heavy = others.with_model(logits), others.with_model(logits, 3.0)
    completed, _ = CandidateScores(None, 0).complete(file.sample(0, file.pairs(0)).records)
    none = np.full(2, np.nan)
    assert mixed[:2] == pytest.approx(weighed(completed, logits[:2], none).sum(axis=1))
    assert heavy[:2] == pytest.approx(weighed(completed, logits[:2], none, model=3.0).sum(axis=1))
    completed, hybrid = CandidateScores(None, 0).complete(file.sample(1, file.pairs(1)).records)
    own = weighed(completed, logits[2:], np.array([2.0, 1.0]), hybrid=hybrid).sum(axis=1)
    assert mixed[2:] == pytest.approx(own, abs=1e-4)
    assert own != pytest.approx(weighed(completed, logits[2:], none, hybrid=hybrid).sum(axis=1))


def test_what_is_worth_reading_is_chosen_in_each_list(tmp_path: Path) -> None:
    write_jsonl(
        tmp_path / "lists.jsonl",
        [
            CandidateList(f"q{i}", "q", tuple(Candidate(f"c{j}", "a", 0) for j in range(size)), {})
            for i, size in enumerate((3, 0, 2))
        ],
    )
    file = CandidateFile(tmp_path / "lists.jsonl")
    others = OtherSignals(np.array([0.5, 2.0, 1.0, -3.0, -1.5]), np.zeros(5), np.zeros(5))
    assert others.worth_reading(file, None, None).tolist() == [True] * 5
    assert others.worth_reading(file, 2, None).tolist() == [False, True, True, True, True]
    assert others.worth_reading(file, 2, 1.25).tolist() == [False, True, True, False, True]
    assert others.worth_reading(file, None, 1.5).tolist() == [True] * 5
    assert others.worth_reading(file, None, 0.0).tolist() == [False, True, False, False, True]
