# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The crossing of CTRN: two sides, each under its own gates and under its partner's, averaged over time."""

import functools
import importlib
from types import ModuleType
from typing import Any

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable
from torch.nn import functional

from haystack_integrations.components.rankers.answer_selection.models.alignment import Alignment
from haystack_integrations.components.rankers.answer_selection.models.pooling import mean_over_time
from haystack_integrations.components.rankers.answer_selection.models.qrnn import Gates, gates_of, states


def crossed_means(question: Tensor, answer: Tensor, alignment: Alignment) -> tuple[Tensor, Tensor]:
    """
    Run both sides of every pair under both sides' gates and average the product of the hidden states.

    On the CPU a compiled kernel (numba) does all of it in one pass, elsewhere torch operations do. Gradients flow to
    `question` and `answer`, once (no second derivatives).

    :param question: what the convolution gives of the questions, [n_questions, Lq, 3d].
    :param answer: what it gives of the answers, [n_pairs, La, 3d], of the same dtype and device.
    :param alignment: how they are aligned.
    :returns: the vectors of question and answer, [n_pairs, d] each.
    :raises ValueError: if a length or a step is out of its range, or `question_of` descends.
    """
    kernel = _kernel(question.device.type, question.dtype)
    if kernel is None:
        return _plain(question, answer, alignment)
    # The kernel reads and writes memory where these say.
    _within("question_of", alignment.question_of, 0, len(question) - 1)
    _within("question_lengths", alignment.question_lengths, 1, question.shape[1])
    _within("answer_lengths", alignment.answer_lengths, 1, answer.shape[1])
    _within("question_steps", alignment.question_steps, 0, answer.shape[1] - 1)
    _within("answer_steps", alignment.answer_steps, 0, question.shape[1] - 1)
    if (alignment.question_of[1:] < alignment.question_of[:-1]).any():
        msg = "crossed_means expects an ascending question_of: the pairs of a question side by side."
        raise ValueError(msg)
    return _Crossing.apply(question, answer, *alignment)  # type: ignore[no-any-return]


class _Crossing(torch.autograd.Function):
    """Forward and backward of :func:`crossed_means`, where there is a kernel."""

    @staticmethod
    def forward(ctx: Any, question: Tensor, answer: Tensor, *alignment: Tensor) -> tuple[Tensor, Tensor]:
        kernel: Any = _kernel(question.device.type, question.dtype)
        gates = kernel.activated(question), kernel.activated(answer)
        ctx.save_for_backward(*gates, *alignment)
        return kernel.forward(*gates, Alignment(*alignment))  # type: ignore[no-any-return]

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, d_q: Tensor, d_a: Tensor) -> tuple[Tensor | None, ...]:
        kernel: Any = _kernel(d_q.device.type, d_q.dtype)
        question, answer, *alignment = ctx.saved_tensors
        d_gates = kernel.backward(question, answer, Alignment(*alignment), d_q, d_a)
        return (*d_gates, *[None] * len(alignment))


@functools.cache
def _kernel(device: str, dtype: torch.dtype) -> ModuleType | None:
    """The module whose functions serve this device and dtype, imported on first use."""
    if device != "cpu" or dtype not in (torch.float32, torch.float64):
        return None
    try:
        return importlib.import_module(f"{__package__}.crossing_numba")
    except ImportError:  # the recurrence logs what that means
        return None


def _within(name: str, values: Tensor, low: int, high: int) -> None:
    if values.numel() and not low <= int(values.min()) <= int(values.max()) <= high:
        msg = f"crossed_means expects {name} between {low} and {high}, "
        msg += f"got {int(values.min())} to {int(values.max())}."
        raise ValueError(msg)


def _plain(question: Tensor, answer: Tensor, alignment: Alignment) -> tuple[Tensor, Tensor]:
    """:func:`crossed_means` by torch operations, on any device."""
    question_of, question_lengths, answer_lengths, question_steps, answer_steps = alignment
    question_gates, answer_gates = gates_of(question), gates_of(answer)
    own_lengths = question_lengths[question_of]
    own, z = states(question_gates, question_lengths), question_gates.z
    if len(z) != len(question_of):
        own, z = _rows(own, question_of), _rows(z, question_of)
    answers = torch.arange(len(answer), device=answer.device)
    crossed = states(partners_gates(z, answer_gates, answers, question_steps), own_lengths)
    q = mean_over_time(own * crossed, own_lengths)
    crossed = states(partners_gates(answer_gates.z, question_gates, question_of, answer_steps), answer_lengths)
    return q, mean_over_time(states(answer_gates, answer_lengths) * crossed, answer_lengths)


def partners_gates(z: Tensor, partner: Gates, rows: Tensor, steps: Tensor) -> Gates:
    """
    Give one side its partner's gates.

    :param z: the side's own Z [N, L, d].
    :param partner: the partner's gates [M, L', d].
    :param rows: the partner's row for each of the side's [N].
    :param steps: the partner's step for each of the side's [N, L].
    :returns: Z with the partner's F and O at these steps, [N, L, d].
    """
    at = rows.unsqueeze(1) * partner.f.shape[1] + steps
    return Gates(z, _rows(partner.f.flatten(0, 1), at), _rows(partner.o.flatten(0, 1), at))


def _rows(x: Tensor, rows: Tensor) -> Tensor:
    """x[rows]; the backward of an embedding is many times faster on the CPU than that of indexing."""
    return functional.embedding(rows, x.flatten(1)).view(*rows.shape, *x.shape[1:])
