# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
How fast the recurrence is, forward and backward, on the CPU.

    python tests/benchmarks/recurrence_speed.py

Against, in the same run and interleaved: a loop that indexes x[:, t] under autograd (at least 15 times as fast asked),
the best plain autograd loop, `unbind` and `lerp` (at least as fast, with less memory), and a copy of the same bytes
(at most 4 times as long): the forward pass reads two tensors and writes one, the backward pass reads four and writes
two, so the copy reads six and writes three. Memory is the most that torch held at any time of the two passes, inputs
aside.
"""

import argparse
import os
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

import torch
from torch import Tensor
from torch.profiler import ProfilerActivity, profile

from haystack_integrations.components.rankers.answer_selection.models.recurrence import forget_mult

BATCH = 64
SHAPES = [(50, 300), (50, 800), (200, 300), (200, 800)]  # L, d


def indexing_loop(f: Tensor, z: Tensor) -> Tensor:
    c = torch.zeros_like(z[:, 0])
    states = []
    for t in range(z.shape[1]):
        c = f[:, t] * c + (1 - f[:, t]) * z[:, t]
        states.append(c)
    return torch.stack(states, dim=1)


def plain_loop(f: Tensor, z: Tensor) -> Tensor:
    c = torch.zeros_like(z[:, 0])
    states = []
    for f_t, z_t in zip(f.unbind(1), z.unbind(1), strict=True):
        c = torch.lerp(z_t, c, f_t)
        states.append(c)
    return torch.stack(states, dim=1)


def both_passes(recurrence: Callable[[Tensor, Tensor], Tensor], f: Tensor, z: Tensor, d_c: Tensor) -> None:
    f.grad = z.grad = None
    recurrence(f, z).backward(d_c)


def copy(*inputs: Tensor) -> list[Tensor]:
    """Reads six tensors and writes three: a sum of two reads twice for each write."""
    f, z, d_c = inputs
    return [torch.add(f, z), torch.add(z, d_c), torch.add(d_c, f)]


@contextmanager
def silent_stderr() -> Iterator[None]:
    """The profiler's native code talks past Python's sys.stderr."""
    sys.stderr.flush()
    kept = os.dup(2)
    with open(os.devnull, "wb") as nowhere:
        os.dup2(nowhere.fileno(), 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)


def peak_memory(run: Callable[[], None]) -> int:
    """The most bytes that torch's CPU allocator held during a call beyond what it held before."""
    with silent_stderr(), profile(activities=[ProfilerActivity.CPU], profile_memory=True) as profiler:
        run()
    held = peak = 0
    for event in sorted(profiler.profiler.kineto_results.events(), key=lambda event: event.start_ns()):
        if event.name() == "[memory]":
            held += event.nbytes()
            peak = max(peak, held)
    return peak


def main() -> int:
    """Prints a line for every shape; the exit code is 1 if a target is missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=11)
    parser.add_argument("--threads", type=int, default=2)
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    missed = 0
    lengths = torch.empty(BATCH, dtype=torch.int64)
    print(
        f"B {BATCH}, float32, {arguments.threads} threads, forward + backward, median of {arguments.rounds} rounds, ms"
    )
    print("  L   d | kernel  indexing      plain       copy | MB: kernel  plain")
    for steps, size in SHAPES:
        torch.manual_seed(0)
        lengths.fill_(steps)
        f = torch.rand(BATCH, steps, size, requires_grad=True)
        z, d_c = torch.randn(BATCH, steps, size, requires_grad=True), torch.randn(BATCH, steps, size)
        plain_inputs = [x.detach() for x in (f, z, d_c)]
        runs: dict[str, Callable[[], object]] = {
            "kernel": lambda f=f, z=z, d_c=d_c: both_passes(partial(forget_mult, lengths=lengths), f, z, d_c),
            "indexing": lambda f=f, z=z, d_c=d_c: both_passes(indexing_loop, f, z, d_c),
            "plain": lambda f=f, z=z, d_c=d_c: both_passes(plain_loop, f, z, d_c),
            "copy": lambda inputs=plain_inputs: copy(*inputs),
        }
        seconds: dict[str, list[float]] = {name: [] for name in runs}
        for turn in range(arguments.rounds + 1):
            for name, run in runs.items():
                if name == "indexing" and turn > 3:  # it takes seconds
                    continue
                start = time.perf_counter()
                run()
                if turn:  # the first is for compiled code and fresh memory
                    seconds[name].append(time.perf_counter() - start)
        ms = {name: 1000 * statistics.median(values) for name, values in seconds.items()}
        memory = {}
        for name in ("kernel", "plain"):
            f.grad = z.grad = None
            memory[name] = peak_memory(runs[name]) / 1e6
        kernel = ms["kernel"]
        print(
            f"{steps:3} {size:3} | {kernel:6.1f}  {ms['indexing']:6.0f} {ms['indexing'] / kernel:4.0f}x "
            f"{ms['plain']:6.1f} {ms['plain'] / kernel:4.1f}x {ms['copy']:6.1f} 1/{kernel / ms['copy']:.1f} "
            f"| {memory['kernel']:10.1f} {memory['plain']:6.1f}"
        )
        missed += ms["indexing"] < 15 * kernel or ms["plain"] < kernel or kernel > 4 * ms["copy"]
        missed += memory["kernel"] >= memory["plain"]
    return int(missed > 0)


if __name__ == "__main__":
    raise SystemExit(main())
