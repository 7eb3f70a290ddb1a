# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
How fast attention within groups is, forward and backward, against attention to all words and to a sliding window.

Projections aside: from queries, keys and values at the GGSA paper's sizes (300 features, six heads, groups and windows
of ten words) to what was attended to, and back to the gradients. All run in turn in one process on one thread, over
5,000 words each. Attention to all words is torch's `scaled_dot_product_attention` without a mask, and its queries, keys
and values are three tensors, which spares it putting their gradients together.

    python tests/benchmarks/group_attention_speed.py
"""

import argparse
import statistics
import time
from collections.abc import Callable

import torch
from torch import Tensor
from torch.nn import functional

from haystack_integrations.components.rankers.answer_selection.models import group_attention

WORDS, SIZE, HEADS, GROUP, OFFSET = 5_000, 300, 6, 10, 5
ASKED = {50: 1.0, 200: 2.0, 1_000: 8.0}
"""How many times as fast as attention to all words, by length."""
ASKED_OF_LOCAL = 4.0


def apart(texts: int, steps: int) -> Callable[[], None]:
    """A step of attention to all words."""
    inputs = [torch.randn(texts, steps, SIZE, requires_grad=True) for _ in range(3)]
    gradient = torch.randn(texts, steps, SIZE)

    def step() -> None:
        for x in inputs:
            x.grad = None
        q, k, v = (x.view(texts, steps, HEADS, SIZE // HEADS).transpose(1, 2) for x in inputs)
        out = functional.scaled_dot_product_attention(q, k, v).transpose(1, 2).reshape(texts, steps, SIZE)
        out.backward(gradient)

    return step


def together(attend: Callable[[Tensor, Tensor], Tensor], texts: int, steps: int) -> Callable[[], None]:
    """A step of this package's own kinds."""
    qkv = torch.randn(texts, steps, 3 * SIZE, requires_grad=True)
    gradient, lengths = torch.randn(texts, steps, SIZE), torch.full((texts,), steps)

    def step() -> None:
        qkv.grad = None
        attend(qkv, lengths).backward(gradient)

    return step


def main() -> int:
    """Prints the table; the exit code is 1 if a factor is below what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=15)
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    print(f"{WORDS} words, forward and backward, one thread, median of {arguments.rounds} rounds")
    print(f"{'L':>5} {'group':>10} {'global':>10} {'':>7} {'local':>10}")
    failed = False
    for steps, asked in ASKED.items():
        texts = WORDS // steps
        runs = {
            "group": together(
                lambda qkv, n: group_attention.group_attention(qkv, n, heads=HEADS, group_size=GROUP, offset=OFFSET),
                texts,
                steps,
            ),
            "global": apart(texts, steps),
            "local": together(
                lambda qkv, n: group_attention.local_attention(qkv, n, heads=HEADS, window=GROUP), texts, steps
            ),
        }
        taken: dict[str, list[float]] = {name: [] for name in runs}
        for turn in range(arguments.rounds + 2):
            for name, run in runs.items():
                start = time.perf_counter()
                run()
                if turn >= 2:  # the first two are for compiled kernels and allocations
                    taken[name].append(1000 * (time.perf_counter() - start))
        group, everything, local = (statistics.median(taken[name]) for name in runs)
        print(
            f"{steps:5} {group:7.1f} ms {everything:7.1f} ms {everything / group:6.1f}x "
            f"{local:7.1f} ms {local / group:6.1f}x"
        )
        failed |= everything / group < asked or local / group < ASKED_OF_LOCAL
    return int(failed)


if __name__ == "__main__":
    raise SystemExit(main())
