# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
import copy
import pickle
from concurrent.futures import ThreadPoolExecutor
from random import Random

import pytest
import torch

from haystack_integrations.components.rankers.answer_selection import AnswerRanker
from haystack_integrations.components.rankers.answer_selection.text_cache import TextCache


def row(number, size=100):
    return torch.full((size,), float(number))


def test_what_was_not_used_for_longest_goes_first():
    cache = TextCache(4 * 1600)
    for number in range(4):
        cache.put(str(number), row(number))
    assert len(cache) == 4
    cache.get(["0"])
    cache.put("4", row(4))
    found = cache.get(["0", "1", "2", "3", "4"])
    assert [None if each is None else each[0].item() for each in found] == [0.0, None, 2.0, 3.0, 4.0]


def test_no_more_than_it_may_hold():
    cache = TextCache(100_000)
    for number in range(1000):
        cache.put(f"answer {number}", row(number, 1 + number % 500))
        assert 0 < cache.bytes <= 100_000
    # One text twice counts once, and what is too large on its own is not kept and takes nothing's place.
    before = len(cache), cache.bytes
    cache.put("answer 999", row(999, 1 + 999 % 500))
    cache.put("large", row(0, 30_000))
    assert (len(cache), cache.bytes) == before
    cache.clear()
    assert (len(cache), cache.bytes) == (0, 0)


def test_none():
    cache = TextCache(0)
    cache.put("a", row(1))
    assert cache.get(["a"]) == [None]


def test_it_keeps_no_larger_tensor_alive():
    batch = torch.zeros(64, 100)
    cache = TextCache(100_000)
    cache.put("a", batch[3])
    (kept,) = cache.get(["a"])
    assert kept.untyped_storage().nbytes() == 400


def test_trees():
    cache = TextCache(5000)
    cache.put("A card.", "(ROOT (NP (DT A) (NN card)) (. .))")
    cache.put("large", "(ROOT (NN large))" * 1000)
    assert cache.get(["A card.", "large"]) == ["(ROOT (NP (DT A) (NN card)) (. .))", None]
    assert 0 < cache.bytes <= 5000


@pytest.mark.parametrize("duplicate", [copy.deepcopy, lambda ranker: pickle.loads(pickle.dumps(ranker))])
def test_a_copy_of_a_ranker_begins_empty(duplicate):
    ranker = AnswerRanker(answer_cache_mib=2.5)
    ranker._cache.put("a", row(1))
    other = duplicate(ranker)
    assert len(ranker._cache) == 1
    assert len(other._cache) == 0
    assert other._cache.most_bytes == 2.5 * 2**20


def test_threads():
    cache = TextCache(50_000)

    def work(seed):
        random = Random(seed)
        for _ in range(2000):
            number = random.randrange(60)
            (found,) = cache.get([str(number)])
            assert found is None or found[0].item() == number
            cache.put(str(number), row(number))

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(work, range(8)))
    assert cache.bytes <= 50_000
    cache.clear()
    assert cache.bytes == 0


@pytest.mark.parametrize("size", [-1, float("nan"), float("inf")])
def test_sizes_that_are_none(size):
    with pytest.raises(ValueError, match="answer_cache_mib must be a number of at least 0"):
        AnswerRanker(answer_cache_mib=size)
