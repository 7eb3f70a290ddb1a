# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0

import numpy as np
import pytest
import torch
from sklearn.metrics import accuracy_score, f1_score

from answer_selection.pipelines.experiments.probing.classifier import majority, probe, score, standardised
from answer_selection.pipelines.experiments.probing.split import split

NUMBER, CLASSES = 2000, 6
PARTS = split([f"sentence {number}" for number in range(NUMBER)])
# Of uneven sizes, so that the majority's accuracy is not chance's.
LABELS = np.random.default_rng(0).choice(CLASSES, NUMBER, p=[0.5, 0.2, 0.1, 0.1, 0.06, 0.04])


def test_scores_are_those_of_the_field():
    random = np.random.default_rng(1)
    gold, predicted = random.integers(0, CLASSES - 1, 300), random.integers(0, CLASSES - 2, 300)
    found = score(predicted, gold, CLASSES - 1)
    assert found.macro_f1 == pytest.approx(f1_score(gold, predicted, average="macro"))
    assert found.accuracy == pytest.approx(accuracy_score(gold, predicted))
    # A class that is nowhere counts, as one that is never found.
    assert score(predicted, gold, CLASSES).macro_f1 == pytest.approx(found.macro_f1 * (CLASSES - 1) / CLASSES)


def test_vectors_that_hold_the_label_are_read():
    vectors = np.random.default_rng(2).normal(size=(NUMBER, 30)).astype(np.float32)
    vectors[:, 3:9] += 8 * np.eye(CLASSES, dtype=np.float32)[LABELS]
    found = probe(standardised(vectors, PARTS), LABELS, CLASSES, PARTS, seed=0)
    assert found.macro_f1 > 0.98
    assert found.accuracy > 0.98


def test_what_only_two_elements_together_tell_is_read():
    signs = np.random.default_rng(3).choice([-1.0, 1.0], size=(NUMBER, 10)).astype(np.float32)
    labels = (signs[:, 0] * signs[:, 1] > 0).astype(np.int64)
    assert probe(standardised(signs, PARTS), labels, 2, PARTS, seed=0).accuracy > 0.97


def test_random_vectors_tell_no_more_than_the_majority():
    least = majority(LABELS, CLASSES, PARTS)
    assert least.accuracy == np.mean(LABELS[PARTS.test] == 0)
    vectors = standardised(np.random.default_rng(4).normal(size=(NUMBER, 30)).astype(np.float32), PARTS)
    for seed in range(3):
        found = probe(vectors, LABELS, CLASSES, PARTS, seed=seed)
        assert found.accuracy < least.accuracy + 0.03
        assert found.macro_f1 < 1 / CLASSES + 0.06


@pytest.mark.slow
def test_a_seed_decides_everything_and_changes_nothing_outside():
    vectors = standardised(np.random.default_rng(5).normal(size=(NUMBER, 5)).astype(np.float32), PARTS)
    before = torch.get_rng_state()
    once, other = (probe(vectors, LABELS, CLASSES, PARTS, seed=seed) for seed in (0, 1))
    assert torch.equal(torch.get_rng_state(), before)
    torch.rand(3)
    assert probe(vectors, LABELS, CLASSES, PARTS, seed=0) == once != other


def test_vectors_come_to_one_scale():
    random = np.random.default_rng(6)
    vectors = (random.normal(size=(NUMBER, 3)) * [1e-4, 1.0, 0.0] + [5, 0, 7]).astype(np.float32)
    found = standardised(vectors, PARTS)[PARTS.train]
    assert torch.allclose(found.mean(0), torch.zeros(3), atol=1e-2)
    assert torch.allclose(found.std(0), torch.tensor([1.0, 1.0, 0.0]), atol=1e-2)
