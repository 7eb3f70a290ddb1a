# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
The crossing on the CPU: machine code by numba, forward and backward.

All of it is bound by memory. So the partner's gates are read where they are, no state is written to memory, and the
backward pass runs both cells again instead, a block of channels at a time, for which gates, states and gradients of a
pair fit into a core's cache.
"""

import numpy as np
import torch
from torch import Tensor

from haystack_integrations.components.rankers.answer_selection.models.alignment import Alignment
from haystack_integrations.components.rankers.answer_selection.models.numba_kernels import in_parallel, jit

# The channels of a block: enough that loops over them are long, few enough for the cache.
_BLOCK = 400


# Gates arrive flat. A step's 3d gates are neighbours: z, then f, then o.


@jit
def _mean(own, first, length, partner, partner_first, steps, mean, size):  # type: ignore[no-untyped-def] # noqa: ANN001, ANN202
    """The mean of one row whose gates start at `first`, and those of its partner at `partner_first`."""
    c = np.zeros_like(mean)
    crossed = np.zeros_like(mean)
    mean[:] = 0
    for t in range(length):
        at = first + t * 3 * size
        z = own[at : at + size]
        f = own[at + size : at + 2 * size]
        o = own[at + 2 * size : at + 3 * size]
        at = partner_first + steps[t] * 3 * size
        partner_f = partner[at + size : at + 2 * size]
        partner_o = partner[at + 2 * size : at + 3 * size]
        for i in range(size):
            c[i] = z[i] + f[i] * (c[i] - z[i])
            crossed[i] = z[i] + partner_f[i] * (crossed[i] - z[i])
            mean[i] += o[i] * c[i] * (partner_o[i] * crossed[i])
    for i in range(size):
        mean[i] /= length


@jit
def _forward(  # type: ignore[no-untyped-def] # noqa: ANN202
    question, answer, question_of, question_lengths, answer_lengths, question_steps, answer_steps,  # noqa: ANN001
    q, a, start, stop, size,  # noqa: ANN001
):  # fmt: skip
    for pair in range(start, stop):
        row = question_of[pair]
        q_first = row * question_steps.shape[1] * 3 * size
        a_first = pair * answer_steps.shape[1] * 3 * size
        q_length, a_length = question_lengths[row], answer_lengths[pair]
        _mean(question, q_first, q_length, answer, a_first, question_steps[pair], q[pair], size)
        _mean(answer, a_first, a_length, question, q_first, answer_steps[pair], a[pair], size)


@jit
def _cell_backward(z, f, before, d_c, d_z, d_f):  # type: ignore[no-untyped-def] # noqa: ANN001, ANN202
    """One step; `d_c` is the gradient of the state and becomes that of the state before."""
    for i in range(len(d_c)):
        total = d_c[i]
        kept = f[i] * total
        d_f[i] += total * (before[i] - z[i])
        d_z[i] += total - kept
        d_c[i] = kept


@jit
def _mean_backward(  # type: ignore[no-untyped-def] # noqa: ANN202
    own, d_own, first, length, partner, d_partner, partner_first, steps, d_mean, c, crossed, size,  # noqa: ANN001
):  # fmt: skip
    """Adds to the gradients of the gates of one row and of its partner; over a block of channels from `first` on."""
    width = len(d_mean)
    c[:width] = 0
    crossed[:width] = 0
    for t in range(length):
        at = first + t * 3 * size
        z = own[at : at + width]
        f = own[at + size : at + size + width]
        at = partner_first + steps[t] * 3 * size + size
        partner_f = partner[at : at + width]
        before, now, after = t * width, (t + 1) * width, (t + 2) * width
        c_before, c_now = c[before:now], c[now:after]
        crossed_before, crossed_now = crossed[before:now], crossed[now:after]
        for i in range(width):
            c_now[i] = z[i] + f[i] * (c_before[i] - z[i])
            crossed_now[i] = z[i] + partner_f[i] * (crossed_before[i] - z[i])
    d_c = np.zeros_like(d_mean)
    d_crossed = np.zeros_like(d_mean)
    for t in range(length - 1, -1, -1):
        at = first + t * 3 * size
        z, d_z = own[at : at + width], d_own[at : at + width]
        at += size
        f, d_f = own[at : at + width], d_own[at : at + width]
        at += size
        o, d_o = own[at : at + width], d_own[at : at + width]
        at = partner_first + steps[t] * 3 * size + size
        partner_f, d_partner_f = partner[at : at + width], d_partner[at : at + width]
        at += size
        partner_o, d_partner_o = partner[at : at + width], d_partner[at : at + width]
        before, now, after = t * width, (t + 1) * width, (t + 2) * width
        c_before, c_now = c[before:now], c[now:after]
        crossed_before, crossed_now = crossed[before:now], crossed[now:after]
        for i in range(width):
            step = d_mean[i] / length
            d_h = step * (partner_o[i] * crossed_now[i])
            d_crossed_h = step * (o[i] * c_now[i])
            d_o[i] += d_h * c_now[i]
            d_partner_o[i] += d_crossed_h * crossed_now[i]
            d_c[i] += d_h * o[i]
            d_crossed[i] += d_crossed_h * partner_o[i]
        _cell_backward(z, f, c_before, d_c, d_z, d_f)
        _cell_backward(z, partner_f, crossed_before, d_crossed, d_z, d_partner_f)


@jit
def _before_activation(gates, d_gates, first, steps, width, size):  # type: ignore[no-untyped-def] # noqa: ANN001, ANN202
    """From the gradients of tanh and sigmoid to those of what they were taken of, in place."""
    for t in range(steps):
        at = first + t * 3 * size
        z, d_z = gates[at : at + width], d_gates[at : at + width]
        for i in range(width):
            d_z[i] *= 1 - z[i] * z[i]
        for gate in range(1, 3):
            start = at + gate * size
            x, d_x = gates[start : start + width], d_gates[start : start + width]
            for i in range(width):
                d_x[i] *= (1 - x[i]) * x[i]


@jit
def _clear(d_gates, first, steps, width, size):  # type: ignore[no-untyped-def] # noqa: ANN001, ANN202
    for row in range(3 * steps):
        at = first + row * size
        d_gates[at : at + width] = 0


@jit
def _backward(  # type: ignore[no-untyped-def] # noqa: ANN202
    question, answer, pairs_of, question_lengths, answer_lengths, question_steps, answer_steps,  # noqa: ANN001
    d_q, d_a, d_question, d_answer, start, stop, size, block,  # noqa: ANN001
):  # fmt: skip
    """
    A unit of work is a block of channels of one question and of all its answers, and nobody else writes to these.

    So the gradients of a shared question are added up in the order of its pairs, whatever the number of threads.
    """
    q_steps, a_steps = question_steps.shape[1], answer_steps.shape[1]
    c = np.empty((max(q_steps, a_steps) + 1) * block, d_q.dtype)
    crossed = np.empty_like(c)
    blocks = (size + block - 1) // block
    for unit in range(start, stop):
        row = unit // blocks
        low = unit % blocks * block
        high = min(low + block, size)
        width = high - low
        q_first = row * q_steps * 3 * size + low
        q_length = question_lengths[row]
        _clear(d_question, q_first, q_steps, width, size)
        for pair in range(pairs_of[row], pairs_of[row + 1]):
            a_first = pair * a_steps * 3 * size + low
            a_length = answer_lengths[pair]
            _clear(d_answer, a_first, a_steps, width, size)
            _mean_backward(
                question, d_question, q_first, q_length, answer, d_answer, a_first, question_steps[pair],
                d_q[pair, low:high], c, crossed, size,
            )  # fmt: skip
            _mean_backward(
                answer, d_answer, a_first, a_length, question, d_question, q_first, answer_steps[pair],
                d_a[pair, low:high], c, crossed, size,
            )  # fmt: skip
            _before_activation(answer, d_answer, a_first, a_length, width, size)
        _before_activation(question, d_question, q_first, q_length, width, size)


def activated(convolved: Tensor) -> Tensor:
    """
    Z, F and O side by side.

    :param convolved: what the convolution gives, [N, L, 3d].
    :returns: the gates [N, L, 3d], contiguous.
    """
    gates = torch.empty_like(convolved, memory_format=torch.contiguous_format)
    size = gates.shape[-1] // 3
    torch.tanh(convolved[..., :size], out=gates[..., :size])
    torch.sigmoid(convolved[..., size:], out=gates[..., size:])
    return gates


def forward(question: Tensor, answer: Tensor, alignment: Alignment) -> tuple[Tensor, Tensor]:
    """
    Average the products of both cells' hidden states over time.

    :param question: the questions' gates by :func:`activated`, [n_questions, Lq, 3d], float32 or float64.
    :param answer: the answers' gates, [n_pairs, La, 3d].
    :param alignment: how they are aligned.
    :returns: the vectors of question and answer, [n_pairs, d] each.
    """
    pairs, size = len(answer), answer.shape[-1] // 3
    q, a = answer.new_empty((pairs, size)), answer.new_empty((pairs, size))
    others = (x.contiguous().numpy() for x in (*alignment, q, a))
    arrays = (question.view(-1).numpy(), answer.view(-1).numpy(), *others)
    in_parallel(lambda start, stop: _forward(*arrays, start, stop, size), pairs, 2 * answer.numel())
    return q, a


def backward(question: Tensor, answer: Tensor, alignment: Alignment, d_q: Tensor, d_a: Tensor) -> tuple[Tensor, Tensor]:
    """
    The gradients of :func:`activated` and :func:`forward` together.

    :param question: the questions' gates.
    :param answer: the answers' gates.
    :param alignment: how they are aligned.
    :param d_q: the gradient of the questions' vectors [n_pairs, d].
    :param d_a: the gradient of the answers' vectors [n_pairs, d].
    :returns: the gradients of what the gates were activated of, [n_questions, Lq, 3d] and [n_pairs, La, 3d].
    """
    size = answer.shape[-1] // 3
    # The pairs of question i are those from pairs_of[i] up to pairs_of[i + 1].
    pairs_of = torch.searchsorted(alignment.question_of, torch.arange(len(question) + 1))
    d_question, d_answer = torch.empty_like(question), torch.empty_like(answer)
    others = (pairs_of, *alignment[1:], d_q, d_a)
    arrays = (
        question.view(-1).numpy(),
        answer.view(-1).numpy(),
        *(x.contiguous().numpy() for x in others),
        d_question.view(-1).numpy(),
        d_answer.view(-1).numpy(),
    )
    units = len(question) * -(-size // _BLOCK)
    in_parallel(lambda start, stop: _backward(*arrays, start, stop, size, _BLOCK), units, 2 * answer.numel())
    return d_question, d_answer
