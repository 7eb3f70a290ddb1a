# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from answer_selection.indexing.candidates import Candidate, CandidateList, write_jsonl
from haystack_integrations.components.rankers.answer_selection.training.batches import (
    StepBatches,
    TrainingBatches,
    TrainingLists,
    pack,
    shuffled_batches,
)
from haystack_integrations.components.rankers.answer_selection.training.dataset import CandidateFile, sample_epoch
from haystack_integrations.components.rankers.answer_selection.training.processes import Processes


def candidates(index: int, labels: list[int]) -> CandidateList:
    return CandidateList(
        f"q{index}",
        f"query {index} ü",
        tuple(
            Candidate(f"c{place}", f"{'word ' * ((index * 7) % 23)}{index} {place}", label, {"place": place})
            for place, label in enumerate(labels)
        ),
        {"number": index},
    )


@pytest.fixture
def path(tmp_path: Path) -> Path:
    lists = [candidates(i, [int(place == i % 20) for place in range(20)]) for i in range(60)]
    lists[3] = candidates(3, [1, 1, 0, 1])
    lists[5] = candidates(5, [0, 0, 0])
    lists[7] = candidates(7, [1, 1])
    lists[9] = candidates(9, [])
    write_jsonl(tmp_path / "lists.jsonl", lists)
    return tmp_path / "lists.jsonl"


def length(record) -> int:
    return len(record.answer.split())


@pytest.mark.slow
def test_epochs_draw_anew_and_reproducibly(path: Path) -> None:
    file = CandidateFile(path, length)
    drawn = []
    for epoch in range(40):
        sample = sample_epoch(file, 4, seed=1, epoch=epoch)
        assert sample.lists.tolist() == [i for i in range(60) if i != 9]
        assert sample.sizes[[3, 5, 7]].tolist() == [4, 3, 2]
        first = sample.pairs[: sample.sizes[0]].tolist()
        assert 0 in first, "the relevant candidate is in every epoch"
        assert len(set(first)) == 5
        drawn.append(tuple(first))
        again = sample_epoch(CandidateFile(path, length), 4, seed=1, epoch=epoch)
        assert again.pairs.tolist() == sample.pairs.tolist()
    assert len(set(drawn)) > 35
    assert {place for places in drawn for place in places} == set(range(20)), "every negative has its turn"
    other = sample_epoch(file, 4, seed=2, epoch=0)
    assert other.pairs.tolist() != sample_epoch(file, 4, seed=1, epoch=0).pairs.tolist()
    assert sample_epoch(file, None, seed=1, epoch=0).sizes.tolist() == [s for s in file.sizes.tolist() if s]


def test_both_labels(path: Path) -> None:
    sample = sample_epoch(CandidateFile(path), 4, seed=0, epoch=0, both_labels=True)
    assert sample.lists.tolist() == [i for i in range(60) if i not in (5, 7, 9)]


def test_samples_are_the_files_own(path: Path) -> None:
    """Every text and label comes from the right line, in whatever order lists are asked for."""
    batches = TrainingBatches(
        CandidateFile(path, length), negatives=4, max_pairs=32, epochs=3, seed=0, both_labels=False
    )
    lists = TrainingLists(batches)
    seen: Counter[tuple[int, int]] = Counter()
    for batch in batches:
        for key in batch:
            sample = lists[key]
            index = sample.records[0].query_meta["number"]
            seen[key[0], index] += 1
            expected = [int(place == index % 20) for place in range(20)]
            expected = {3: [1, 1, 0, 1], 5: [0, 0, 0], 7: [1, 1]}.get(index, expected)
            for record, label in zip(sample.records, sample.labels, strict=True):
                place = record.meta["place"]
                assert record.query == f"query {index} ü"
                assert record.answer.split()[-2:] == [str(index), str(place)]
                assert label == expected[place]
    assert set(seen.values()) == {1}
    assert len(seen) == 3 * 59


@pytest.mark.parametrize(("accumulation", "count"), [(1, 1), (4, 1), (1, 4), (2, 4), (200, 2)])
def test_steps_take_the_runs_batches_in_turns(path: Path, accumulation: int, count: int) -> None:
    """All processes together take every batch with the same weight in its step, and as many each."""
    batches = TrainingBatches(CandidateFile(path), negatives=4, max_pairs=10, epochs=3, seed=0, both_labels=False)
    shares = [StepBatches(batches, accumulation, Processes(count, index)) for index in range(count)]
    run, taken = list(batches), [list(share) for share in shares]
    per_step = accumulation * count
    assert {len(share) for share in shares} == {len(one) for one in taken} == {len(taken[0])}
    assert {share.steps for share in shares} == {-(-len(run) // per_step)}
    assert len(run) % 4, "the last step is not a full one"
    for step in range(shares[0].steps):
        there = run[step * per_step : (step + 1) * per_step]
        found = []
        for share, mine in zip(shares, taken, strict=True):
            weights = share.weights(step)
            own = mine[step * accumulation : (step + 1) * accumulation]
            found += [(batch, weight / len(own) / count) for batch, weight in zip(own, weights, strict=True) if weight]
        assert sorted(batch for batch, _ in found) == sorted(there)
        assert [weight for _, weight in found] == [pytest.approx(1 / len(there))] * len(there)


def test_batches_are_bounded_and_of_one_length() -> None:
    random = np.random.default_rng(0)
    sizes = random.integers(2, 17, 5000)
    sizes[17] = 300  # larger than a batch may be: it comes alone
    lengths = random.integers(5, 200, 5000)
    batches = shuffled_batches(sizes, lengths, 256, seed=0, epoch=0)
    assert sorted(index for batch in batches for index in batch) == list(range(5000))
    assert [17] in batches
    assert all(sizes[batch].sum() <= 256 for batch in batches if batch != [17])
    padded = sum(sizes[batch].sum() * lengths[batch].max() for batch in batches)
    assert padded < 1.1 * (sizes * lengths).sum(), "little padding"
    means = [lengths[batch].mean() for batch in batches]
    assert abs(np.corrcoef(means[1:], means[:-1])[0, 1]) < 0.2, "but no order by length"
    assert shuffled_batches(sizes, lengths, 256, seed=0, epoch=0) == batches
    assert shuffled_batches(sizes, lengths, 256, seed=0, epoch=1) != batches


def test_pack() -> None:
    assert pack([2, 0, 1, 3], np.array([3, 2, 3, 9]), 5) == [[2], [0, 1], [3]]
    assert pack([2, 0, 1], np.array([3, 2, 2]), 5) == [[2, 0], [1]]


def test_no_batch_of_a_single_pair() -> None:
    ones = np.ones(41, dtype=np.int64)
    batches = shuffled_batches(ones, ones, 8, seed=0, epoch=0)
    assert sorted(len(batch) for batch in batches) == [8, 8, 8, 8, 9]


def test_nothing_to_learn_from(tmp_path: Path) -> None:
    write_jsonl(tmp_path / "a.jsonl", [candidates(0, [0, 0]), candidates(1, [1])])
    file = CandidateFile(tmp_path / "a.jsonl")
    with pytest.raises(ValueError, match=r"a\.jsonl: none of the 2 lists has a relevant and an irrelevant candidate"):
        TrainingBatches(file, negatives=4, max_pairs=32, epochs=1, seed=0, both_labels=True)
    (tmp_path / "empty.jsonl").write_text("\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"empty\.jsonl: no candidate list"):
        CandidateFile(tmp_path / "empty.jsonl")


def test_broken_line_is_named_before_training(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    path.write_text(
        "".join([*lines[:4], lines[4].replace('"label": 1', '"label": "yes"'), *lines[5:]]), encoding="utf-8"
    )
    with pytest.raises(ValueError, match=r"lists\.jsonl, line 5.*label"):
        CandidateFile(path)


class TestListSize:
    def test_every_list_has_all_its_relevant_candidates_and_so_many_in_all(self, path: Path) -> None:
        file = CandidateFile(path, length)
        batches = TrainingBatches(file, negatives=None, list_size=8, max_pairs=32, epochs=6, seed=0, both_labels=True)
        lists = TrainingLists(batches)
        drawn: dict[int, set[tuple[str, ...]]] = {}
        for batch in batches:
            assert len(batch) <= 4
            for key in batch:
                sample = lists[key]
                index = sample.records[0].query_meta["number"]
                own = [int(record.answer.split()[-2]) == index for record in sample.records]
                assert {record.query for record in sample.records} == {f"query {index} ü"}
                assert len({record.answer for record in sample.records}) == len(own) == 8
                assert sum(sample.labels) == {3: 3, 7: 2}.get(index, 1)
                assert not any(label for label, its in zip(sample.labels, own, strict=True) if not its)
                assert sum(own) == {3: 4, 7: 2}.get(index, 8), "others fill up what is too short, and nothing else"
                drawn.setdefault(index, set()).add(tuple(record.answer for record in sample.records))
        assert sorted(drawn) == [i for i in range(60) if i not in (5, 9)]
        assert {len(answers) for answers in drawn.values()} == {6}, "every epoch draws anew"

    def test_is_a_function_of_file_seed_and_epoch(self, path: Path) -> None:
        options = {"list_size": 12, "both_labels": True}
        first = sample_epoch(CandidateFile(path), None, seed=1, epoch=2, **options).pairs.tolist()
        assert sample_epoch(CandidateFile(path), None, seed=1, epoch=2, **options).pairs.tolist() == first
        assert sample_epoch(CandidateFile(path), None, seed=2, epoch=2, **options).pairs.tolist() != first

    def test_more_relevant_candidates_than_fit_leave_room_for_an_irrelevant_one(self, tmp_path: Path) -> None:
        write_jsonl(tmp_path / "a.jsonl", [candidates(0, [1] * 9 + [0] * 3), candidates(1, [1, 0])])
        file = CandidateFile(tmp_path / "a.jsonl")
        chosen = set()
        for epoch in range(30):
            sample = sample_epoch(file, None, seed=0, epoch=epoch, both_labels=True, list_size=5)
            relevant = sample.pairs[file.labels[sample.pairs] * (file.list_of_pair[sample.pairs] == 0) > 0]
            assert sample.sizes.tolist() == [5, 5]
            assert sum(pair < 9 for pair in sample.pairs[:5]) == 4
            chosen |= set(relevant.tolist())
        assert chosen == set(range(9))

    def test_a_list_is_never_filled_with_an_answer_that_it_has(self, tmp_path: Path) -> None:
        """The same answer is relevant to one question and stands, under another id, in the other lists too."""
        shared = Candidate("x", "the shared answer", 1)
        lists = [
            CandidateList(f"q{i}", f"query {i}", (shared, *(Candidate(f"c{i}{n}", f"{i} {n}", 0) for n in range(2))))
            for i in range(3)
        ]
        write_jsonl(tmp_path / "a.jsonl", lists)
        file = CandidateFile(tmp_path / "a.jsonl")
        for epoch in range(20):
            sample = sample_epoch(file, None, seed=0, epoch=epoch, both_labels=True, list_size=7)
            for start in sample.starts:
                answers = file.answers[sample.pairs[start : start + 7]]
                assert len(set(answers.tolist())) == 7

    @pytest.mark.parametrize(
        ("labels", "message"),
        [
            ([[1, 0], [1, 0, 0]], "5 different answers in the file, too few to fill up list 1; expected 4"),
            ([[1] * 6], "6 different answers in the file, too few to fill up list 1; expected 1"),
        ],
    )
    def test_a_file_with_too_few_answers(self, labels: list[list[int]], message: str, tmp_path: Path) -> None:
        write_jsonl(tmp_path / "a.jsonl", [candidates(number, own) for number, own in enumerate(labels)])
        with pytest.raises(ValueError, match=rf"a\.jsonl: {message}"):
            TrainingBatches(
                CandidateFile(tmp_path / "a.jsonl"),
                negatives=None,
                list_size=6,
                max_pairs=32,
                epochs=1,
                seed=0,
                both_labels=True,
            )
