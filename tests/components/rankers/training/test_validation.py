# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
from pathlib import Path

import numpy as np
import pytest
from answer_selection.indexing.candidates import Candidate, CandidateList, write_jsonl
from haystack_integrations.components.rankers.answer_selection.mixing import mix
from haystack_integrations.components.rankers.answer_selection.training.dataset import CandidateFile
from haystack_integrations.components.rankers.answer_selection.training.validation import (
    Measures,
    choose_weight,
    measure,
    measure_retriever,
)


def lists_file(tmp_path: Path, lists: list[list[tuple[int, int | None, float | None]]]) -> CandidateFile:
    """(label, rank, score) of every candidate."""

    def meta(rank: int | None, score: float | None) -> dict:
        pairs = {"retriever_rank": rank, "retriever_score": score}
        return {name: value for name, value in pairs.items() if value is not None}

    write_jsonl(
        tmp_path / "lists.jsonl",
        [
            CandidateList(
                f"q{i}", "q", tuple(Candidate(f"c{j}", "a", one[0], meta(*one[1:])) for j, one in enumerate(rows)), {}
            )
            for i, rows in enumerate(lists)
        ],
    )
    return CandidateFile(tmp_path / "lists.jsonl")


def test_by_hand(tmp_path: Path) -> None:
    file = lists_file(
        tmp_path,
        [
            [(0, 1, 3.0), (1, 2, 2.0), (0, 3, 1.0)],  # model: tie of the first two, the first stands first: rank 2
            [(1, 2, 1.0), (0, 1, 2.0), (1, None, None)],  # the last one leads: rank 1
            [(0, 1, 2.0), (0, 2, 1.0)],  # nothing relevant: 0
            [],  # nothing retrieved: 0
            [(1, 3, 1.0), (0, 1, 9.0), (0, 2, 8.0)],  # tie, but the relevant stands first: rank 1
        ],
    )
    scores = np.array([0.5, 0.5, 0.1, 0.2, 0.3, 0.9, 1.0, 2.0, 0.7, 0.7, 0.1])
    assert measure(scores, file) == Measures(pytest.approx((1 / 2 + 1 + 0 + 0 + 1) / 5), pytest.approx(2 / 5))
    assert measure_retriever(file) == Measures(pytest.approx((1 / 2 + 1 / 2 + 0 + 0 + 1 / 3) / 5), 0.0)
    with pytest.raises(ValueError, match="1 NaN"):
        measure(np.where(scores == 2.0, np.nan, scores), file)


def test_same_as_sorting(tmp_path: Path) -> None:
    """Against the obvious version, with many ties."""
    random = np.random.default_rng(0)
    rows = [[(int(random.random() < 0.3), None, None) for _ in range(random.integers(0, 9))] for _ in range(300)]
    file = lists_file(tmp_path, rows)
    scores = random.integers(0, 4, len(file.labels)).astype(float)
    reciprocal, first = [], 0
    for start, row in zip(file.starts, rows, strict=True):
        order = sorted(range(len(row)), key=lambda i: -scores[start + i])
        rank = next((rank for rank, i in enumerate(order, start=1) if row[i][0]), None)
        reciprocal.append(0 if rank is None else 1 / rank)
        first += rank == 1
    assert measure(scores, file) == Measures(pytest.approx(np.mean(reciprocal)), pytest.approx(first / 300))
    assert measure_retriever(file) is None
    assert choose_weight(scores, file, (0.0, 1.0)) is None


def test_weight_is_chosen_as_the_ranker_mixes(tmp_path: Path) -> None:
    """The model is right about the first list only, the retriever about the others, by scores of any scale."""
    file = lists_file(
        tmp_path,
        [
            [(1, 2, 1.0), (0, 1, 1.1)],
            [(1, 1, 900.0), (0, 2, 100.0), (0, 3, 90.0)],
            [(1, 1, 0.02), (0, 2, 0.01)],
        ],
    )
    logits = np.array([3.0, -3.0, 0.0, 0.5, 0.0, -0.1, 0.1])
    chosen = choose_weight(logits, file, (4.0, 0.0, 0.5, 1.0))
    assert chosen == (0.5, Measures(1.0, 1.0)), "the smallest of those that are best"
    parts = np.split(np.arange(7), [2, 5])
    for weight in (0.0, 0.5, 4.0):
        mixed = np.concatenate([mix(logits[part], file.scores[part], weight) for part in parts])
        assert measure(mixed, file) == (choose_weight(logits, file, (weight,)) or ())[1]
