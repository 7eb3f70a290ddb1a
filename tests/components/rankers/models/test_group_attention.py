# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0

import subprocess
import sys
import textwrap

import pytest
import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

from haystack_integrations.components.rankers.answer_selection.models import group_attention

LENGTHS = torch.tensor([23, 1, 10, 16])
STEPS = 25


def seen_in_groups(i, head, length, heads, group_size, offset):
    """The words that word i attends to: the head's groups, cut one after another as section 3.1.2 says."""
    end = offset if head >= heads - heads // 2 and offset else group_size
    start = 0
    while i >= end:
        start, end = end, end + group_size
    return range(start, min(end, length))


def seen_in_a_window(i, length, window):
    return range(max(i - window // 2, 0), min(i + (window + 1) // 2, length))


def slow(qkv, heads, seen):
    """A word, a head and another word at a time. `seen`: the words that a word attends to in a head."""
    size = qkv.shape[-1] // 3 // heads
    rows = []
    for text, length in zip(qkv, LENGTHS.tolist(), strict=True):
        words = []
        for i in range(length):
            parts = []
            for head in range(heads):
                q, k, v = (text[:, (kind * heads + head) * size :][:, :size] for kind in range(3))
                others = list(seen(i, head, length))
                weights = torch.stack([q[i] @ k[j] / size**0.5 for j in others]).softmax(0)
                parts.append(sum(weight * v[j] for weight, j in zip(weights, others, strict=True)))
            words.append(torch.cat(parts))
        rows.append(torch.stack(words))
    return rows


def check(fast, heads, seen, size=4):
    """Values and gradients, of real words; what padding holds is far out, and neither counts nor learns."""
    torch.manual_seed(0)
    qkv = torch.randn(len(LENGTHS), STEPS, 3 * heads * size, dtype=torch.float64)
    qkv[torch.arange(STEPS) >= LENGTHS.unsqueeze(1)] = 1e3
    expected_of, found_of = qkv.clone().requires_grad_(), qkv.clone().requires_grad_()
    expected, found = slow(expected_of, heads, seen), fast(found_of)
    assert found.isfinite().all()
    real = [row[:length] for row, length in zip(found, LENGTHS, strict=True)]
    for one, other in zip(real, expected, strict=True):
        torch.testing.assert_close(one, other)
    for rows in (real, expected):
        sum((row * row.detach().cos()).sum() for row in rows).backward()
    torch.testing.assert_close(found_of.grad, expected_of.grad)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("heads", "group_size", "offset"), [(6, 10, 5), (3, 4, 1), (1, 7, 3), (2, 3, 0), (4, 6, 5), (2, 40, 13), (2, 1, 0)]
)
@pytest.mark.parametrize("compiled", [True, False])
def test_groups_equal_the_formulas(heads, group_size, offset, compiled, monkeypatch):
    if not compiled:
        monkeypatch.setattr(group_attention, "_kernels", lambda: None)
    check(
        lambda qkv: group_attention.group_attention(qkv, LENGTHS, heads=heads, group_size=group_size, offset=offset),
        heads,
        lambda i, head, length: seen_in_groups(i, head, length, heads, group_size, offset),
    )


def test_groups_of_the_papers_figures():
    """Figures 4 and 5: groups of three words; where the other half's offset is two, w3 and w4 meet there."""
    assert [list(seen_in_groups(i, 0, 7, 4, 3, 2)) for i in (2, 3, 6)] == [[0, 1, 2], [3, 4, 5], [6]]
    assert [list(seen_in_groups(i, 2, 7, 4, 3, 2)) for i in (0, 2, 3, 6)] == [[0, 1], [2, 3, 4], [2, 3, 4], [5, 6]]
    assert [list(seen_in_a_window(i, 5, 3)) for i in range(5)] == [[0, 1], [0, 1, 2], [1, 2, 3], [2, 3, 4], [3, 4]]


@pytest.mark.slow
def test_global_attention_equals_the_formulas():
    check(lambda qkv: group_attention.global_attention(qkv, LENGTHS, heads=3), 3, lambda _, __, length: range(length))


@pytest.mark.parametrize("window", [1, 2, 5, 10])
def test_local_attention_equals_the_formulas(window):
    check(
        lambda qkv: group_attention.local_attention(qkv, LENGTHS, heads=2, window=window),
        2,
        lambda i, _, length: seen_in_a_window(i, length, window),
    )


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
def test_half_precision(dtype):
    torch.manual_seed(0)
    qkv = torch.randn(4, STEPS, 36).to(dtype).requires_grad_()
    found = group_attention.group_attention(qkv, LENGTHS, heads=3, group_size=5, offset=2)
    found.sum().backward()
    whole = qkv.detach().float().requires_grad_()
    expected = group_attention.group_attention(whole, LENGTHS, heads=3, group_size=5, offset=2)
    expected.sum().backward()
    assert found.dtype == qkv.grad.dtype == dtype
    torch.testing.assert_close(found, expected.to(dtype))
    torch.testing.assert_close(qkv.grad, whole.grad.to(dtype))


def test_threads_change_nothing():
    threads, results = torch.get_num_threads(), []
    torch.manual_seed(0)
    qkv = torch.randn(9, 100, 180)
    lengths = torch.randint(1, 101, (9,))
    try:
        for count in (1, 3):
            torch.set_num_threads(count)
            x = qkv.clone().requires_grad_()
            y = group_attention.group_attention(x, lengths, heads=6, group_size=10, offset=5)
            y.sum().backward()
            results.append((y, x.grad))
    finally:
        torch.set_num_threads(threads)
    for one, other in zip(*results, strict=True):
        torch.testing.assert_close(one, other)


class LargestTensor(TorchDispatchMode):
    """The most elements of any tensor that is made."""

    largest = 0

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        out = func(*args, **(kwargs or {}))
        sizes = [leaf.untyped_storage().nbytes() for leaf in tree_leaves(out) if isinstance(leaf, torch.Tensor)]
        self.largest = max([self.largest, *sizes])
        return out


@pytest.mark.parametrize("compiled", [True, False])
def test_no_tensor_grows_faster_than_the_text(compiled, monkeypatch):
    """So few features that even one mask of L x L bytes would be larger than all there has to be."""
    if not compiled:
        monkeypatch.setattr(group_attention, "_kernels", lambda: None)
    largest = []
    for steps in (200, 2000):
        qkv = torch.randn(1, steps, 12, requires_grad=True)
        with LargestTensor() as made:
            out = group_attention.group_attention(qkv, torch.tensor([steps]), heads=2, group_size=10, offset=5)
            out.sum().backward()
        largest.append(made.largest)
    assert largest[1] <= 10.5 * largest[0]


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="a process's own peak is read from /proc")
def test_peak_memory_grows_linearly_with_length():
    """In a process of its own, forward and backward, at the paper's sizes: ten times the words, ten times the peak."""
    program = """
        import re, torch
        from pathlib import Path
        from haystack_integrations.components.rankers.answer_selection.models.group_attention import group_attention

        def peak():
            return int(re.search(r"VmHWM:\\s*(\\d+) kB", Path("/proc/self/status").read_text())[1])

        def step(steps):
            qkv = torch.randn(16, steps, 900, requires_grad=True)
            lengths = torch.full((16,), steps)
            group_attention(qkv, lengths, heads=6, group_size=10, offset=5).sum().backward()

        step(20)
        before = peak()
        step(200)
        short = peak() - before
        step(2000)
        print(short, peak() - before)
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(program)], capture_output=True, text=True, check=True)
    short, long = map(int, done.stdout.split())
    words = 16 * 2000 * 900 * 4 / 1024  # in KiB: the queries, keys and values
    assert 2 * words < long < min(12 * short, 4 * words)
