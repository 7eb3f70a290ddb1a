# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
import torch

from haystack_integrations.components.rankers.answer_selection.models import (
    recurrence,
    recurrence_numba,
    recurrence_torch,
)
from haystack_integrations.components.rankers.answer_selection.models.recurrence import forget_mult


def slow(f, z, lengths):
    """Straight from the formula, one number at a time."""
    c = torch.zeros_like(z)
    for b in range(f.shape[0]):
        for i in range(f.shape[2]):
            state = 0.0
            for t in range(int(lengths[b])):
                state = f[b, t, i] * state + (1 - f[b, t, i]) * z[b, t, i]
                c[b, t, i] = state
    return c


def example(dtype=torch.float64, batch=4, steps=6, size=5):
    generator = torch.Generator().manual_seed(7)
    f = torch.rand(batch, steps, size, dtype=dtype, generator=generator)
    z = torch.randn(batch, steps, size, dtype=dtype, generator=generator)
    lengths = torch.tensor([steps, 3, 0, 1] * (batch // 4))
    return f, z, lengths


@pytest.fixture(params=[recurrence_numba, recurrence_torch], ids=["numba", "torch"])
def kernels(request, monkeypatch):
    monkeypatch.setattr(recurrence, "_kernels", lambda device, dtype: request.param)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.bfloat16])
def test_equals_the_formula(kernels, dtype):
    f, z, lengths = example(dtype)
    c = forget_mult(f, z, lengths=lengths)
    assert c.dtype == dtype
    expected = slow(f.double(), z.double(), lengths)
    torch.testing.assert_close(c.double(), expected, atol={torch.bfloat16: 2e-2}.get(dtype, 1e-6), rtol=0)


def test_gradients_by_finite_differences(kernels):
    f, z, lengths = example()
    inputs = [x.requires_grad_() for x in (f, z)]
    assert torch.autograd.gradcheck(lambda f, z: forget_mult(f, z, lengths=lengths), inputs)


def test_slices_and_expanded_tensors_need_no_copy(kernels):
    wide = torch.rand(4, 6, 15, dtype=torch.float64, requires_grad=True)
    f, z = wide[..., 5:10], wide[..., 10:]
    lengths = torch.full((4,), 6)
    torch.testing.assert_close(forget_mult(f, z, lengths=lengths), slow(f, z, lengths))
    assert torch.autograd.gradcheck(lambda x: forget_mult(x[..., 5:10], x[..., 10:], lengths=lengths), (wide,))
    one, features_last = f[:1].expand(4, 6, 5), wide.transpose(1, 2)[:, 5:10]
    torch.testing.assert_close(forget_mult(one, z, lengths=lengths), slow(one, z, lengths))
    gates = features_last.transpose(1, 2)
    torch.testing.assert_close(forget_mult(gates, gates.flip(1), lengths=lengths), slow(gates, gates.flip(1), lengths))


def test_both_kernels_agree_on_work_that_is_divided_between_threads(monkeypatch):
    f, z, lengths = example(torch.float32, batch=64, steps=40, size=64)
    results = []
    for threads, module in ((2, recurrence_numba), (1, recurrence_numba), (1, recurrence_torch)):
        monkeypatch.setattr(recurrence, "_kernels", lambda device, dtype, module=module: module)
        monkeypatch.setattr(torch, "get_num_threads", lambda threads=threads: threads)
        inputs = [x.clone().requires_grad_() for x in (f, z)]
        c = forget_mult(inputs[0], inputs[1], lengths=lengths)
        (c * torch.linspace(-1, 1, c.numel()).view_as(c)).sum().backward()
        results.append([c.detach(), *(x.grad for x in inputs)])
    for two_threads, one_thread, plain in zip(*results, strict=True):
        assert torch.equal(two_threads, one_thread)
        torch.testing.assert_close(one_thread, plain, atol=1e-5, rtol=1e-4)


def test_may_be_called_from_several_threads_at_once():
    f, z, lengths = example(torch.float32, batch=64, steps=40, size=64)
    expected = forget_mult(f, z, lengths=lengths)
    with ThreadPoolExecutor(8) as threads:
        results = list(threads.map(lambda _: forget_mult(f, z, lengths=lengths), range(64)))
    assert all(torch.equal(result, expected) for result in results)


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_works_in_a_process_that_was_forked_after_first_use():
    program = """
import os, torch
from haystack_integrations.components.rankers.answer_selection.models.recurrence import forget_mult
torch.get_num_threads = lambda: 2
f, z, lengths = torch.rand(64, 40, 64), torch.rand(64, 40, 64), torch.full((64,), 40)
expected = forget_mult(f, z, lengths=lengths)
child = os.fork()
if child == 0:
    os._exit(0 if torch.equal(forget_mult(f, z, lengths=lengths), expected) else 3)
raise SystemExit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
    subprocess.run([sys.executable, "-c", program], check=True, timeout=600)


@pytest.mark.slow
def test_runs_without_numba_and_says_so():
    program = """
import sys, torch
sys.modules["numba"] = None
from haystack_integrations.components.rankers.answer_selection.models.recurrence import forget_mult
c = forget_mult(torch.tensor([[[0.5], [0.5]]]), torch.tensor([[[4.0], [0.0]]]), lengths=torch.tensor([2]))
assert c.flatten().tolist() == [2.0, 1.0], c
"""
    result = subprocess.run([sys.executable, "-c", program], check=True, timeout=600, capture_output=True, text=True)
    assert "runs step by step, which is slower" in result.stderr


@pytest.mark.slow
def test_numba_is_imported_only_when_it_is_needed():
    program = """
import sys
import haystack_integrations.components.rankers.answer_selection.models.recurrence
assert "numba" not in sys.modules and "triton" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", program], check=True, timeout=600)


@pytest.mark.slow
def test_triton_kernels_in_the_interpreter():
    pytest.importorskip("triton")
    program = """
import torch
from haystack_integrations.components.rankers.answer_selection.models import recurrence_torch, recurrence_triton
torch.manual_seed(0)
wide = torch.rand(4, 6, 400)
f, z, lengths = wide[..., :200], wide[..., 200:], torch.tensor([6, 3, 0, 1])
c = recurrence_triton.forward(f, z, lengths)
torch.testing.assert_close(c, recurrence_torch.forward(f, z, lengths))
d_c = torch.rand(4, 6, 200)
for ours, plain in zip(recurrence_triton.backward(f, z, lengths, c, d_c),
                       recurrence_torch.backward(f, z, lengths, c, d_c), strict=True):
    torch.testing.assert_close(ours, plain)
"""
    environment = {**os.environ, "TRITON_INTERPRET": "1"}
    subprocess.run([sys.executable, "-c", program], check=True, timeout=600, env=environment)


@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device")
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float64])
def test_the_gpu_gives_what_the_cpu_gives(dtype):
    f, z, lengths = example(dtype)
    results = []
    for device in ("cpu", "cuda"):
        inputs = [x.detach().to(device).requires_grad_() for x in (f, z)]
        c = forget_mult(inputs[0], inputs[1], lengths=lengths.to(device))
        c.square().sum().backward()
        results.append([c.detach().cpu(), *(x.grad.cpu() for x in inputs)])
    tolerance = 5e-2 if dtype == torch.bfloat16 else 1e-5
    for cpu, gpu in zip(*results, strict=True):
        torch.testing.assert_close(cpu, gpu, atol=tolerance, rtol=tolerance)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"z": torch.zeros(4, 6, 4)}, r"one shape \[B, L, d\], got \[4, 6, 5\] and \[4, 6, 4\]"),
        ({"z": torch.zeros(4, 6, 5)}, "one floating dtype and device, got torch.float64 on cpu and torch.float32"),
        ({"lengths": torch.zeros(3, dtype=torch.long)}, r"int64 lengths of shape \[4\], got torch.int64 \[3\]"),
        ({"lengths": torch.tensor([1, 7, 1, 1])}, "lengths between 0 and 6, got 1 to 7"),
        ({"lengths": torch.tensor([1, -1, 1, 1])}, "lengths between 0 and 6, got -1 to 1"),
    ],
)
def test_what_does_not_go_together_is_refused(change, message):
    f, z, lengths = example()
    arguments = {"f": f, "z": z, "lengths": lengths, **change}
    with pytest.raises(ValueError, match=message):
        forget_mult(**arguments)


def test_nothing_to_do():
    for shape in ((0, 3, 2), (2, 0, 2)):
        nothing, lengths = torch.zeros(shape), torch.zeros(shape[0], dtype=torch.int64)
        assert forget_mult(nothing, nothing, lengths=lengths).shape == shape
