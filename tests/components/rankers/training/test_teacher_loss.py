# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
import math
import random

import pytest
import torch

from haystack_integrations.components.rankers.answer_selection.training.losses import LOSSES, listwise
from haystack_integrations.components.rankers.answer_selection.training.teacher_loss import TaughtLoss, kl, margin_mse
from haystack_integrations.components.rankers.answer_selection.training.teacher_settings import (
    TEACHER_LOSSES,
    TeacherSettings,
)

# Both labels; one candidate alone; nothing relevant; an empty list; nothing but relevant ones.
LABELS = [[1, 0, 0, 1], [1], [0, 0, 0], [], [1, 1]]
SIZES = torch.tensor([len(one) for one in LABELS])


def numbers(seed: int) -> list[list[float]]:
    random_ = random.Random(seed)
    return [[random_.gauss(0, 2) for _ in one] for one in LABELS]


def tensor(lists: list[list[float]]) -> torch.Tensor:
    return torch.tensor([number for one in lists for number in one], dtype=torch.float64)


def softmax(values: list[float], temperature: float) -> list[float]:
    exponentials = [math.exp(value / temperature) for value in values]
    return [one / sum(exponentials) for one in exponentials]


def slow_kl(students: list[list[float]], teachers: list[list[float]], temperature: float) -> float:
    divergences = []
    for student, teacher in zip(students, teachers, strict=True):
        if len(student) < 2:
            continue
        p, q = softmax(teacher, temperature), softmax(student, temperature)
        divergences.append(temperature**2 * sum(a * math.log(a / b) for a, b in zip(p, q, strict=True)))
    return sum(divergences) / len(divergences)


def slow_margin_mse(students: list[list[float]], teachers: list[list[float]]) -> float:
    means = []
    for student, teacher, labels in zip(students, teachers, LABELS, strict=True):
        if len(student) < 2:
            continue
        relevant = [i for i, label in enumerate(labels) if label]
        if not 0 < len(relevant) < len(labels):
            relevant = [teacher.index(max(teacher))]
        squares = [
            ((student[i] - student[j]) - (teacher[i] - teacher[j])) ** 2
            for i in relevant
            for j in range(len(labels))
            if j not in relevant
        ]
        means.append(sum(squares) / len(squares))
    return sum(means) / len(means)


@pytest.mark.parametrize("temperature", [0.5, 1.0, 4.0])
def test_kl_is_the_formula(temperature: float) -> None:
    students, teachers = numbers(1), numbers(2)
    found = kl(tensor(students), tensor(teachers), SIZES, temperature=temperature)
    assert found.item() == pytest.approx(slow_kl(students, teachers, temperature))
    assert kl(tensor(teachers) + 3, tensor(teachers), SIZES).item() == pytest.approx(0, abs=1e-12), "the same order"


def test_margin_mse_is_the_formula() -> None:
    students, teachers = numbers(1), numbers(2)
    found = margin_mse(tensor(students), tensor(teachers), tensor(LABELS), SIZES)
    assert found.item() == pytest.approx(slow_margin_mse(students, teachers))
    alike = margin_mse(tensor(teachers) + 3, tensor(teachers), tensor(LABELS), SIZES)
    assert alike.item() == pytest.approx(0, abs=1e-12), "the same margins"


def test_of_equal_candidates_one_takes_the_relevant_ones_place() -> None:
    logits, scores = torch.tensor([0.0, 5.0, 1.0]), torch.tensor([2.0, 2.0, 0.0])
    # The first of the two: its margins are 0 and 2, the student's -5 and -1.
    found = margin_mse(logits, scores, torch.zeros(3), torch.tensor([3]))
    assert found.item() == pytest.approx(((-5 - 0) ** 2 + (-1 - 2) ** 2) / 2)


def taught(loss: str, weight: float, label_loss: str = "listwise") -> TaughtLoss:
    return TaughtLoss(LOSSES[label_loss], TeacherSettings(loss=loss, weight=weight, temperature=1.0))


@pytest.mark.parametrize("label_loss", LOSSES)
@pytest.mark.parametrize("loss", TEACHER_LOSSES)
def test_gradients_are_those_of_finite_differences(loss: str, label_loss: str) -> None:
    # Off the hinge's corner.
    logits = (tensor(numbers(1)) + 0.013 * torch.arange(10)).requires_grad_()
    scores, labels = tensor(numbers(2)), tensor(LABELS)
    # An answer of another list, which the teacher did not score; a list without labels.
    scores[1], labels[5:8] = math.nan, -1
    objective = taught(loss, 0.3, label_loss)
    assert torch.autograd.gradcheck(lambda x: objective(x, labels, SIZES, scores), (logits,))


def test_a_list_without_labels_is_learned_from_the_teacher_alone() -> None:
    logits, scores, labels = tensor(numbers(1)), tensor(numbers(2)), tensor(LABELS)
    labels[:4] = -1
    found = taught("kl", 0.25, "pointwise")(logits, labels, SIZES, scores)
    by_labels = LOSSES["pointwise"](logits[4:], labels[4:], SIZES[1:])
    assert found.item() == pytest.approx((0.75 * by_labels + 0.25 * kl(logits, scores, SIZES)).item())
    unknown = torch.full_like(labels, -1)
    only = taught("kl", 0.25)(logits, unknown, SIZES, scores)
    assert only.item() == pytest.approx(0.25 * kl(logits, scores, SIZES).item())


def test_the_teacher_says_nothing_of_what_it_was_not_asked() -> None:
    logits, scores, labels = tensor(numbers(1)), tensor(numbers(2)), tensor(LABELS)
    scores[2] = math.nan
    asked = torch.arange(10) != 2
    by_teacher = kl(logits[asked], scores[asked], torch.tensor([3, 1, 3, 0, 2]))
    found = taught("kl", 0.5)(logits, labels, SIZES, scores)
    assert found.item() == pytest.approx(0.5 * (listwise(logits, labels, SIZES) + by_teacher).item())


@pytest.mark.parametrize("loss", TEACHER_LOSSES)
def test_extreme_and_empty_stay_finite(loss: str) -> None:
    logits = torch.tensor([1e4, -1e4, -1e4, 1e4], requires_grad=True)
    scores = torch.tensor([-1e4, 1e4, math.nan, 0.0])
    found = taught(loss, 1.0)(logits, torch.tensor([1.0, 0.0, 1.0, 0.0]), torch.tensor([2, 0, 2]), scores)
    found.backward()
    assert math.isfinite(found.item())
    assert logits.grad is not None
    assert torch.isfinite(logits.grad).all()
    nothing = torch.zeros(0)
    assert taught(loss, 1.0)(nothing, nothing, torch.zeros(0, dtype=torch.long), nothing).item() == 0


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"loss": "mse"}, "teacher setting 'loss' is 'mse'; expected one of kl, margin_mse"),
        ({"weight": 0}, "teacher setting 'weight' is 0; expected more than 0 and at most 1"),
        ({"weight": True}, "teacher setting 'weight' is True; expected float"),
        ({"temperature": -1.0}, "teacher setting 'temperature' is -1.0; expected more than 0"),
        ({"loss": "margin_mse", "temperature": 2.0}, "only kl has a temperature"),
        ({"wait": 1}, "unknown teacher setting 'wait'"),
    ],
)
def test_wrong_settings_are_named(values: dict, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        TeacherSettings.from_dict(values)
