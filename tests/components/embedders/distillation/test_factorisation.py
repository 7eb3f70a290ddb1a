# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
import pytest
import torch

import tiny_teacher
from haystack_integrations.components.embedders.answer_selection.distillation.factorisation import (
    Inputs,
    read_inputs,
    reduce_layer,
    reduce_words,
)
from haystack_integrations.components.embedders.answer_selection.distillation.student import chosen_layers
from haystack_integrations.components.embedders.answer_selection.distillation.teacher import Teacher

pytestmark = pytest.mark.usefixtures("one_thread")


@pytest.fixture
def rows() -> torch.Tensor:
    """Inputs that lie mostly in a few directions, away from 0."""
    torch.manual_seed(3)
    return torch.randn(500, 12) * torch.logspace(0, -2, 12) @ torch.linalg.qr(torch.randn(12, 12)).Q + 1


def seen(rows: torch.Tensor) -> Inputs:
    return Inputs(rows.sum(0).double(), (rows.T @ rows).double(), len(rows))


class TestLayer:
    def test_of_full_rank_it_is_the_layer(self, rows) -> None:
        weight = torch.randn(8, 12)
        found, added, kept = reduce_layer(weight, seen(rows), 8)
        torch.testing.assert_close(found, weight, atol=1e-4, rtol=1e-4)
        torch.testing.assert_close(added, torch.zeros(8), atol=1e-4, rtol=0)
        assert kept == pytest.approx(1)

    def test_its_outputs_are_nearer_than_those_of_the_truncated_decomposition(self, rows) -> None:
        weight = torch.randn(8, 12)
        found, added, kept = reduce_layer(weight, seen(rows), 3)
        assert torch.linalg.matrix_rank(found, rtol=1e-4) == 3
        wanted = rows @ weight.T
        errors = wanted - (rows @ found.T + added)
        torch.testing.assert_close(errors.mean(0), torch.zeros(8), atol=1e-3, rtol=0)
        variance = (wanted - wanted.mean(0)).square().sum()
        assert errors.square().sum() / variance == pytest.approx(1 - kept, rel=0.05)
        left, scales, right = torch.linalg.svd(weight, full_matrices=False)
        plain = (left[:, :3] * scales[:3]) @ right[:3]
        others = (rows - rows.mean(0)) @ (weight - plain).T
        assert errors.square().sum() < 0.5 * others.square().sum()


class TestWords:
    def test_of_full_rank_they_stay(self) -> None:
        vectors = torch.randn(40, 6)
        found, kept = reduce_words(vectors, torch.arange(40), 6)
        torch.testing.assert_close(found, vectors, atol=1e-5, rtol=1e-5)
        assert kept == pytest.approx(1)

    def test_frequent_words_keep_more(self) -> None:
        torch.manual_seed(1)
        vectors, counts = torch.randn(200, 24), torch.ones(200, dtype=torch.long)
        counts[:20] = 10_000
        found, kept = reduce_words(vectors, counts, 12)
        errors = (found - vectors).square().sum(1)
        assert errors[:20].mean() < 0.5 * errors[20:].mean()
        assert 0.5 < kept < 1


def test_inputs_are_those_of_all_tokens_and_of_no_padding() -> None:
    teacher = Teacher.load(str(tiny_teacher.folder()), max_length=32, use_cpu=True)
    texts = teacher.tokenise(["car", "Can you drive with a car today?", "boat", "The boat is red."])
    found = read_inputs(teacher, texts)
    assert sum(name.startswith("encoder.layer.") for name in found) == 2 * 6
    with torch.inference_mode():
        rows = torch.cat([teacher.encoder.embeddings(input_ids=torch.tensor([text]))[0] for text in texts])
    for name in ("query", "key", "value"):
        inputs = found[f"encoder.layer.0.attention.self.{name}"]
        assert inputs.count == len(rows)
        torch.testing.assert_close(inputs.mean.float(), rows.mean(0), atol=1e-5, rtol=1e-5)
        torch.testing.assert_close(inputs.covariance.float(), rows.T.cov(correction=0), atol=1e-5, rtol=1e-4)
    assert not any(module._forward_pre_hooks for module in teacher.encoder.modules())


def test_the_chosen_layers_are_the_first_the_last_and_those_between() -> None:
    assert [chosen_layers(layers, 6) for layers in range(1, 7)] == [
        [5],
        [0, 5],
        [0, 3, 5],
        [0, 2, 4, 5],
        [0, 2, 3, 4, 5],
        [0, 1, 2, 3, 4, 5],
    ]
    with pytest.raises(ValueError, match="'layers' is 7; expected at most the 6 that the teacher has"):
        chosen_layers(7, 6)
