# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
from itertools import pairwise, permutations
from pathlib import Path

import numpy as np
import pytest

from answer_selection.indexing.candidates import Candidate, CandidateList, write_jsonl
from haystack_integrations.components.rankers.answer_selection.mixing import mix
from haystack_integrations.components.rankers.answer_selection.training.dataset import CandidateFile
from haystack_integrations.components.rankers.answer_selection.training.validation import (
    METRICS,
    Measures,
    choose_weight,
    is_worse,
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
            [(0, 1, 3.0), (1, 2, 2.0), (0, 3, 1.0)],  # model: the first two tie: rank 1 or 2
            [(1, 2, 1.0), (0, 1, 2.0), (1, None, None)],  # the last one leads, then the second: ranks 1 and 3
            [(0, 1, 2.0), (0, 2, 1.0)],  # nothing relevant: 0
            [],  # nothing retrieved: 0
            [(1, 3, 1.0), (0, 1, 9.0), (0, 2, 8.0)],  # a tie, whichever of the two the list has first: rank 1 or 2
        ],
    )
    scores = np.array([0.5, 0.5, 0.1, 0.2, 0.3, 0.9, 1.0, 2.0, 0.7, 0.7, 0.1])
    measured = measure(scores, file)
    assert measured.mrr == pytest.approx((3 / 4 + 1 + 0 + 0 + 3 / 4) / 5)
    assert measured.map == pytest.approx((3 / 4 + (1 + 2 / 3) / 2 + 0 + 0 + 3 / 4) / 5)
    assert measured.p1 == pytest.approx((1 / 2 + 1 + 0 + 0 + 1 / 2) / 5)
    assert [measured.by(name) for name in METRICS] == [measured.mrr, measured.map, measured.p1]
    found = measure_retriever(file)
    assert found is not None
    assert found.mrr == pytest.approx((1 / 2 + 1 / 2 + 0 + 0 + 1 / 3) / 5)
    assert found.p1 == 0.0
    with pytest.raises(ValueError, match="1 NaN"):
        measure(np.where(scores == 2.0, np.nan, scores), file)


def test_relevant_candidates_that_the_retriever_missed_come_last_in_any_order(tmp_path: Path) -> None:
    file = lists_file(tmp_path, [[(1, None, None), (0, None, None), (0, 1, 2.0)]])
    found = measure_retriever(file)
    assert found is not None
    assert found.mrr == pytest.approx((1 / 2 + 1 / 3) / 2)


def test_a_constant_scorer_is_as_good_as_chance(tmp_path: Path) -> None:
    """In published lists the relevant candidates often come first."""
    file = lists_file(tmp_path, [[(1, None, None)] + [(0, None, None)] * 9] * 3)
    harmonic = sum(1 / rank for rank in range(1, 11)) / 10
    expected = Measures(pytest.approx(harmonic), pytest.approx(harmonic), pytest.approx(0.1))
    assert measure(np.zeros(30), file) == expected


def test_no_candidate_at_all(tmp_path: Path) -> None:
    assert measure(np.zeros(0), lists_file(tmp_path, [[], []])) == Measures(0.0, 0.0, 0.0)


def test_same_as_every_order_of_the_ties(tmp_path: Path) -> None:
    """Against the obvious version: the mean over all orders of a list that its scores allow."""
    random = np.random.default_rng(0)
    rows = [[(int(random.random() < 0.4), None, None) for _ in range(random.integers(0, 7))] for _ in range(60)]
    file = lists_file(tmp_path, rows)
    scores = random.integers(0, 3, len(file.labels)).astype(float)
    expected = []
    for start, row in zip(file.starts, rows, strict=True):
        labels, own = [one[0] for one in row], scores[start : start + len(row)]
        orders = [
            [labels[i] for i in order]
            for order in permutations(range(len(row)))
            if all(own[before] >= own[after] for before, after in pairwise(order))
        ]
        expected.append(np.mean([_measured(one) for one in orders], 0))
    measured = measure(scores, file)
    assert [measured.by(name) for name in METRICS] == pytest.approx(np.mean(expected, 0))
    assert measure_retriever(file) is None
    assert choose_weight(scores, file, (0.0, 1.0)) is None


def _measured(labels: list[int]) -> list[float]:
    """A list's reciprocal rank, average precision and P@1, of its labels from the best to the worst."""
    ranks = [rank for rank, label in enumerate(labels, start=1) if label]
    precisions = [found / rank for found, rank in enumerate(ranks, start=1)]
    return [1 / ranks[0], float(np.mean(precisions)), float(ranks[0] == 1)] if ranks else [0.0, 0.0, 0.0]


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
    assert chosen == (0.5, Measures(1.0, 1.0, 1.0)), "the smallest of those that are best"
    parts = np.split(np.arange(7), [2, 5])
    for weight in (0.0, 0.5, 4.0):
        mixed = np.concatenate([mix(logits[part], file.scores[part], weight) for part in parts])
        assert measure(mixed, file) == (choose_weight(logits, file, (weight,)) or ())[1]


def test_weight_is_chosen_by_the_metric(tmp_path: Path) -> None:
    """The model has a relevant one in front and the other two last; with the retriever they are second to fourth."""
    rows = [(1, 4, 3.0), (0, 3, 5.0), (0, 5, 0.0), (0, 6, 0.0), (1, 2, 6.0), (1, 1, 6.5)]
    file = lists_file(tmp_path, [rows])
    logits = np.array([5.0, 4.0, 3.0, 2.0, 1.0, 0.0])
    chosen = {metric: choose_weight(logits, file, (0.0, 2.0), metric) for metric in METRICS}
    assert {metric: found and found[0] for metric, found in chosen.items()} == {"mrr": 0.0, "p@1": 0.0, "map": 2.0}


@pytest.mark.parametrize(
    ("lost", "worse"), [(0, False), (1, False), (3, True), (20, True)], ids=["none", "one", "three", "all"]
)
def test_an_order_is_worse_by_more_than_chance(tmp_path: Path, lost: int, worse: bool) -> None:
    file = lists_file(tmp_path, [[(1, 1, 2.0), (0, 2, 1.0)]] * 20)
    scores = np.array([0.0, 1.0] * lost + [1.0, 0.0] * (20 - lost))
    # The loss of each is half; by hand, the mean over its standard error is 1, 1.83 and beyond for 1, 3 and 20 of them.
    assert is_worse(scores, file) == worse
    assert not is_worse(-np.tile([1.0, 2.0], 20), file), "the retriever's own order"


def test_one_list_tells_nothing_of_chance(tmp_path: Path) -> None:
    file = lists_file(tmp_path, [[(1, 1, 2.0), (0, 2, 1.0)]])
    assert not is_worse(np.array([0.0, 1.0]), file)
