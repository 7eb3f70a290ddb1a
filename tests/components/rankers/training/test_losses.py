# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
import math

import pytest
import torch

from haystack_integrations.components.rankers.answer_selection.training.losses import (
    LOSSES,
    NEEDS_BOTH_LABELS,
    pairwise,
)

# Three lists: one relevant of three; two relevant of three; nothing relevant.
LOGITS = [2.0, 1.0, -1.0, 0.5, 0.0, 1.5, 3.0, 4.0]
LABELS = [1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0]
SIZES = [3, 3, 2]


def sigmoid(x: float) -> float:
    return 1 / (1 + math.exp(-x))


def expected(name: str) -> float:
    if name == "pointwise":
        terms = [-math.log(sigmoid(x) if y else 1 - sigmoid(x)) for x, y in zip(LOGITS, LABELS, strict=True)]
        return sum(terms) / 8
    if name == "pairwise":
        first = (max(0, 1 - (2 - 1)) + max(0, 1 - (2 + 1))) / 2
        second = (max(0, 1 - (0.5 - 1.5)) + max(0, 1 - (0 - 1.5))) / 2
        return (first + second) / 2  # the third list has no relevant candidate
    if name == "pairwise_logistic":
        first = (math.log(1 + math.exp(-1)) + math.log(1 + math.exp(-3))) / 2
        second = (math.log(1 + math.exp(1)) + math.log(1 + math.exp(1.5))) / 2
        return (first + second) / 2
    first = -math.log(math.exp(2) / (math.exp(2) + math.exp(1) + math.exp(-1)))
    total = math.exp(0.5) + 1 + math.exp(1.5)
    second = 0.5 * (math.log(0.5) - math.log(math.exp(0.5) / total)) + 0.5 * (math.log(0.5) - math.log(1 / total))
    return (first + second) / 2


@pytest.mark.parametrize("name", LOSSES)
def test_by_hand(name: str) -> None:
    loss = LOSSES[name](torch.tensor(LOGITS), torch.tensor(LABELS), torch.tensor(SIZES))
    assert loss.shape == ()
    assert loss.item() == pytest.approx(expected(name), abs=1e-6)


@pytest.mark.parametrize("name", LOSSES)
def test_gradient(name: str) -> None:
    # Off the hinge's corner, where the difference quotient of gradcheck holds.
    logits = (torch.tensor(LOGITS, dtype=torch.float64) + 0.013 * torch.arange(8)).requires_grad_()
    labels, sizes = torch.tensor(LABELS), torch.tensor(SIZES)
    assert torch.autograd.gradcheck(lambda x: LOSSES[name](x, labels, sizes), (logits,))


@pytest.mark.parametrize("name", sorted(NEEDS_BOTH_LABELS))
@pytest.mark.parametrize("label", [0.0, 1.0])
def test_list_of_one_kind_is_zero(name: str, label: float) -> None:
    logits = torch.tensor([1.0, -2.0, 3.0], requires_grad=True)
    loss = LOSSES[name](logits, torch.full((3,), label), torch.tensor([2, 1]))
    loss.backward()
    assert loss.item() == 0
    assert logits.grad is not None
    assert logits.grad.tolist() == [0, 0, 0]


@pytest.mark.parametrize("name", sorted(NEEDS_BOTH_LABELS))
def test_list_of_one_kind_does_not_dilute(name: str) -> None:
    """A list that says nothing must not shrink the others' part either."""
    alone = LOSSES[name](torch.tensor([1.0, 2.0]), torch.tensor([1.0, 0.0]), torch.tensor([2]))
    beside = LOSSES[name](
        torch.tensor([1.0, 2.0, 5.0, 6.0]), torch.tensor([1.0, 0.0, 1.0, 1.0]), torch.tensor([2, 0, 2])
    )
    assert beside.item() == pytest.approx(alone.item())


@pytest.mark.parametrize("name", LOSSES)
def test_extreme_and_empty_stay_finite(name: str) -> None:
    logits = torch.tensor([1e4, -1e4, -1e4, 1e4], requires_grad=True)
    loss = LOSSES[name](logits, torch.tensor([1.0, 0.0, 1.0, 0.0]), torch.tensor([2, 0, 2]))
    loss.backward()
    assert math.isfinite(loss.item())
    assert logits.grad is not None
    assert torch.isfinite(logits.grad).all()
    empty = LOSSES[name](torch.zeros(0), torch.zeros(0), torch.zeros(0, dtype=torch.long))
    assert empty.item() == 0


def test_margin() -> None:
    arguments = torch.tensor([0.3, 0.0]), torch.tensor([1.0, 0.0]), torch.tensor([2])
    assert pairwise(*arguments, margin=0.1).item() == 0
    assert pairwise(*arguments, margin=0.5).item() == pytest.approx(0.2)


def test_wrong_sizes() -> None:
    with pytest.raises(ValueError, match="add up to 3, but there are 2 pairs"):
        LOSSES["listwise"](torch.zeros(2), torch.zeros(2), torch.tensor([3]))
