# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0

import subprocess
import sys

import pytest
import torch

from haystack_integrations.components.rankers.answer_selection.models import crossing, crossing_numba
from haystack_integrations.components.rankers.answer_selection.models.alignment import (
    ALIGNMENTS,
    Alignment,
    aligned_steps,
)

# The pairs of each question: three share one, two have one each, one has none.
PAIRS = (3, 1, 0, 1)


def example(dtype=torch.float64, *, pairs=PAIRS, q_steps=4, a_steps=6, size=5, alignment="index"):
    """Ragged texts, down to one word; texts longer and shorter than their partner's."""
    generator = torch.Generator().manual_seed(7)
    question_of = torch.repeat_interleave(torch.arange(len(pairs)), torch.tensor(pairs))
    question_lengths = torch.arange(q_steps, q_steps + len(pairs)) % q_steps + 1
    answer_lengths = a_steps - torch.arange(len(question_of)) * 2 % a_steps
    own_lengths = question_lengths[question_of]
    convolved = [
        torch.randn(rows, steps, 3 * size, dtype=dtype, generator=generator)
        for rows, steps in ((len(pairs), q_steps), (len(question_of), a_steps))
    ]
    return (
        *convolved,
        question_of,
        question_lengths,
        answer_lengths,
        aligned_steps(alignment, q_steps, own_lengths, answer_lengths),
        aligned_steps(alignment, a_steps, answer_lengths, own_lengths),
    )


def crossed_means(question, answer, *indices):
    return crossing.crossed_means(question, answer, Alignment(*indices))


def plain_means(question, answer, *indices):
    return crossing._plain(question, answer, Alignment(*indices))


def means_and_gradients(function, question, answer, *indices):
    """What `function` gives, and the gradients under different weights for every element of it."""
    convolved = [x.clone().requires_grad_() for x in (question, answer)]
    means = function(*convolved, *indices)
    weights = [torch.linspace(-1, 2, x.numel(), dtype=x.dtype).view_as(x) for x in means]
    sum((x * weight).sum() for x, weight in zip(means, weights, strict=True)).backward()
    return [*(x.detach() for x in means), *(x.grad for x in convolved)]


@pytest.mark.parametrize("block", [2, 5, 400])
@pytest.mark.parametrize("alignment", ALIGNMENTS)
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_the_kernel_gives_what_the_plain_operations_give(monkeypatch, dtype, alignment, block):
    monkeypatch.setattr(crossing_numba, "_BLOCK", block)
    arguments = example(dtype, alignment=alignment)
    assert {1, 4} <= set(arguments[3].tolist())
    fused = means_and_gradients(crossed_means, *arguments)
    plain = means_and_gradients(plain_means, *arguments)
    tolerance = {torch.float32: 1e-5, torch.float64: 1e-12}[dtype]
    for ours, theirs in zip(fused, plain, strict=True):
        assert ours.dtype == dtype
        torch.testing.assert_close(ours, theirs, atol=tolerance, rtol=tolerance)


@pytest.mark.parametrize(("q_steps", "a_steps"), [(1, 1), (1, 5), (5, 1), (60, 50)])
def test_short_and_long_texts(q_steps, a_steps):
    arguments = example(q_steps=q_steps, a_steps=a_steps)
    fused = means_and_gradients(crossed_means, *arguments)
    plain = means_and_gradients(plain_means, *arguments)
    torch.testing.assert_close(fused, plain, atol=1e-12, rtol=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("alignment", ALIGNMENTS)
@pytest.mark.parametrize("block", [2, 400])
def test_gradients_by_finite_differences(monkeypatch, alignment, block):
    monkeypatch.setattr(crossing_numba, "_BLOCK", block)
    question, answer, *indices = example(alignment=alignment)
    inputs = (question.requires_grad_(), answer.requires_grad_())
    assert torch.autograd.gradcheck(lambda question, answer: crossed_means(question, answer, *indices), inputs)


def test_slices_of_wider_tensors():
    question, answer, *indices = example()
    wide = [torch.cat([x, x], dim=-1)[..., : x.shape[-1]] for x in (question, answer)]
    assert not wide[0].is_contiguous()
    torch.testing.assert_close(crossed_means(*wide, *indices), crossed_means(question, answer, *indices))


def test_padding_is_not_read_and_has_no_gradient():
    question, answer, *indices = example()
    clean = means_and_gradients(crossed_means, question, answer, *indices)
    padding = []
    for x, lengths in ((question, indices[1]), (answer, indices[2])):
        padding.append(torch.arange(x.shape[1]) >= lengths.unsqueeze(1))
        x[padding[-1]] = torch.nan
    dirty = means_and_gradients(crossed_means, question, answer, *indices)
    assert all(torch.equal(x, y) for x, y in zip(clean, dirty, strict=True))
    assert all(not d_x[where].any() for d_x, where in zip(dirty[2:], padding, strict=True))


@pytest.mark.parametrize("pairs", [(1,) * 40, (13, 2, 25), (40,)])
def test_the_number_of_threads_changes_no_bit(monkeypatch, pairs):
    monkeypatch.setattr(crossing_numba, "_BLOCK", 16)
    arguments = example(torch.float32, pairs=pairs, q_steps=20, a_steps=30, size=50)
    results = []
    for threads in (1, 2, 3, 3, 7):
        monkeypatch.setattr(torch, "get_num_threads", lambda threads=threads: threads)
        results.append(means_and_gradients(crossed_means, *arguments))
    for result in results[1:]:
        assert all(torch.equal(x, y) for x, y in zip(result, results[0], strict=True))
    plain = means_and_gradients(plain_means, *arguments)
    torch.testing.assert_close(results[0], plain, atol=1e-4, rtol=1e-4)


def test_no_pairs():
    question, answer, *_ = example()
    none, rows = torch.zeros(0, dtype=torch.int64), torch.zeros(0, 6, dtype=torch.int64)
    arguments = (question, answer[:0], none, torch.tensor([1, 2, 3, 4]), none, rows[:, :4], rows)
    q, a, d_question, d_answer = means_and_gradients(crossed_means, *arguments)
    assert q.shape == a.shape == (0, 5)
    assert d_answer.shape == (0, 6, 15)
    assert not d_question.any()


@pytest.mark.parametrize(
    ("position", "value", "message"),
    [
        (2, [0, 0, 0, 1, 4], "question_of between 0 and 3, got 0 to 4"),
        (2, [0, 0, 1, 0, 3], "an ascending question_of"),
        (3, [1, 5, 1, 1], "question_lengths between 1 and 4, got 1 to 5"),
        (4, [1, 0, 1, 1, 1], "answer_lengths between 1 and 6, got 0 to 1"),
        (5, [[0, 0, 0, 6]] * 5, "question_steps between 0 and 5, got 0 to 6"),
        (6, [[0, 0, 0, 0, 0, -1]] * 5, "answer_steps between 0 and 3, got -1 to 0"),
    ],
)
def test_what_would_lead_out_of_the_tensors_is_refused(position, value, message):
    arguments = list(example())
    arguments[position] = torch.tensor(value)
    with pytest.raises(ValueError, match=message):
        crossed_means(*arguments)


@pytest.mark.slow
def test_runs_without_numba_and_says_so():
    program = """
import sys, torch
sys.modules["numba"] = None
from haystack_integrations.components.rankers.answer_selection.models.alignment import Alignment
from haystack_integrations.components.rankers.answer_selection.models.crossing import crossed_means
one, zero = torch.tensor([1]), torch.tensor([0])
z, half = torch.tensor(0.8).atanh(), 0.0
x = torch.tensor([[[z, half, half]]])
q, a = crossed_means(x, x, Alignment(zero, one, one, zero[None], zero[None]))
torch.testing.assert_close(torch.stack([q, a]).flatten(), torch.full((2,), (0.5 * 0.5 * 0.8) ** 2))
"""
    result = subprocess.run([sys.executable, "-c", program], check=True, timeout=600, capture_output=True, text=True)
    assert "runs step by step, which is slower" in result.stderr
