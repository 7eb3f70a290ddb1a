# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Platt's scaling, and models that take it over."""

import numpy as np
import pytest
import torch

from haystack_integrations.components.rankers.answer_selection.models import registry
from haystack_integrations.components.rankers.answer_selection.models.record import Record
from haystack_integrations.components.rankers.answer_selection.training.calibration import fit_scale


def test_it_finds_the_scale_and_shift_that_made_the_labels():
    random = np.random.default_rng(0)
    logits = random.normal(3.0, 5.0, 50_000)
    labels = (random.random(50_000) < 1 / (1 + np.exp(-(0.4 * logits - 2.0)))).astype(np.int8)
    assert fit_scale(logits, labels) == pytest.approx((0.4, -2.0), abs=0.05)


def test_separable_logits_do_not_become_certain():
    scale, shift = fit_scale(
        np.r_[np.full(20, -1.0), np.full(20, 1.0)], np.r_[np.zeros(20), np.ones(20)].astype(np.int8)
    )
    assert 1 / (1 + np.exp(-(scale + shift))) == pytest.approx(21 / 22, abs=1e-3)


@pytest.mark.parametrize(
    ("logits", "labels"),
    [([1.0, 2.0] * 4, [0] * 8), ([1.0] * 20, [0, 1] * 10), ([0.0, 1.0] * 20, [1, 0] * 20)],
    ids=["one label", "no difference", "upside down"],
)
def test_where_there_is_nothing_to_fit_it_says_so(logits, labels):
    assert fit_scale(np.array(logits), np.array(labels, dtype=np.int8)) is None


@pytest.mark.parametrize("shortcut", [False, True])
def test_a_model_gives_the_scaled_logits(shortcut):
    torch.manual_seed(0)
    model, collator = registry.build(
        "ctrn", ["a b c", "c d e"], hidden_size=4, embedding_size=4, projection_size=4, mlp_size=4,
        pair_features=["overlap", "bm25"], feature_shortcut=shortcut,
    )  # fmt: skip
    model.eval()
    batch = collator([Record("a b", "c d"), Record("a b", "a b c")])
    with torch.no_grad():
        before = model(**batch)
        model.scale_logits(0.5, -3.0)
        torch.testing.assert_close(model(**batch), 0.5 * before - 3.0)
