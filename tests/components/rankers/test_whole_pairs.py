# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""In which batches pairs are scored."""

from itertools import pairwise

import numpy as np
import pytest

from haystack_integrations.components.rankers.answer_selection.models.record import Record
from haystack_integrations.components.rankers.answer_selection.whole_pairs import score_whole_pairs


class Words:
    """A collator whose batch is the records; a model whose score is the answer's number of words."""

    def __init__(self, tokens_at_once):
        self.tokens_at_once = tokens_at_once
        self.batches = []

    def pair_length(self, record):
        return len(record.answer.split())

    def __call__(self, records):
        return records

    def score(self, records):
        self.batches.append([self.pair_length(record) for record in records])
        return np.array(self.batches[-1], dtype=float)


LENGTHS = [30, 3, 200, 7, 12, 50, 1, 64, 9, 33, 12]
RECORDS = [Record("q", " ".join(f"{place}x" for _ in range(length))) for place, length in enumerate(LENGTHS)]


@pytest.mark.parametrize(("batch_size", "tokens"), [(64, None), (4, None), (64, 100), (4, 100), (1, 100), (64, 1)])
def test_every_pair_has_its_score_whatever_the_batches(batch_size, tokens):
    words = Words(tokens)
    assert score_whole_pairs(words, words, RECORDS, batch_size).tolist() == LENGTHS
    assert sorted(length for batch in words.batches for length in batch) == sorted(LENGTHS)
    for batch in words.batches:
        assert len(batch) <= batch_size
        assert len(batch) == 1 or tokens is None or len(batch) * max(batch) <= tokens


def test_batches_are_as_large_as_may_be_and_of_similar_length():
    words = Words(100)
    score_whole_pairs(words, words, RECORDS, 64)
    in_order = [sorted(batch) for batch in words.batches]
    assert [length for batch in in_order for length in batch] == sorted(LENGTHS)
    for batch, after in pairwise(in_order):
        assert (len(batch) + 1) * after[0] > 100


def test_equal_pairs_are_scored_once():
    words = Words(100)
    assert score_whole_pairs(words, words, [*RECORDS, *RECORDS], 64).tolist() == LENGTHS * 2
    assert sum(map(len, words.batches)) == len(LENGTHS)
