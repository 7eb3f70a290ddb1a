# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
What GSAMN's gated memory costs above an encoder of BERT-base's size, forward alone and with the way back.

Random weights, two hops, batches of pairs that differ in length, on one thread; encoder and memory in turn, in the
process's own time, so that others on the machine do not count. The memory reads what the encoder gave, so that only its
own work is timed; on the way back it hands gradients down to the encoder.

    python tests/benchmarks/gsamn_head_speed.py
"""

import argparse
import statistics
import time
from collections.abc import Callable
from random import Random

import torch

from haystack_integrations.components.rankers.answer_selection.models.gsamn import GSAMNConfig, GSAMNModel

ASKED = 0.10
FORWARD, BOTH = "forward", "forward and backward"


def main() -> int:
    """Prints the table; the exit code is 1 if a forward pass of the memory takes more than asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--pairs", type=int, default=16)
    parser.add_argument("--lengths", type=int, nargs="+", default=[64, 128])
    parser.add_argument("--dtype", choices=("float32", "bfloat16"), default="float32")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(0)
    # Dropout belongs to the encoder alone, and would make it look slower.
    model = GSAMNModel(GSAMNConfig(encoder={"model_type": "bert"})).eval()
    model.to(getattr(torch, arguments.dtype))

    print(f"{arguments.pairs} pairs, {arguments.dtype}, median of {arguments.rounds} rounds (least, most)")
    missed = False
    for length in arguments.lengths:
        times = measure(model, arguments.pairs, length, arguments.rounds)
        for way, (encoder, memory) in times.items():
            share = statistics.median(memory) / statistics.median(encoder)
            missed |= way == FORWARD and share > ASKED
            both = "   ".join(
                f"{name} {1000 * statistics.median(taken):7.1f} ms ({1000 * min(taken):.1f}, {1000 * max(taken):.1f})"
                for name, taken in (("encoder", encoder), ("memory", memory))
            )
            print(f"{length:4} tokens, {way:20}   {both}   +{share:.1%}")
    return int(missed)


def measure(model: GSAMNModel, pairs: int, length: int, rounds: int) -> dict[str, tuple[list[float], list[float]]]:
    """The seconds of encoder and memory, one each a round, by the way that was timed."""
    random = Random(length)
    mask = torch.zeros(pairs, length, dtype=torch.int64)
    for row in range(pairs):
        mask[row, : length if row == 0 else random.randint(3 * length // 4, length)] = 1
    tokens = torch.randint(5, model.config.encoder.vocab_size, (pairs, length)) * mask

    def encode() -> torch.Tensor:
        return model.states(input_ids=tokens, attention_mask=mask)

    def read(states: torch.Tensor) -> torch.Tensor:
        return model.classifier(model.memory(states, mask.bool()))

    times: dict[str, tuple[list[float], list[float]]] = {FORWARD: ([], []), BOTH: ([], [])}
    for turn in range(rounds + 1):
        with torch.inference_mode():
            seconds, states = timed(encode)
            taken = [(FORWARD, 0, seconds), (FORWARD, 1, timed(lambda states=states: read(states))[0])]
        seconds, states = timed(encode)
        leaf = states.detach().requires_grad_()
        memory, _ = timed(lambda leaf=leaf: read(leaf).sum().backward())
        back, _ = timed(lambda states=states, leaf=leaf: states.backward(leaf.grad))
        model.zero_grad()
        if turn:  # the first is for allocations
            for way, which, spent in (*taken, (BOTH, 0, seconds + back), (BOTH, 1, memory)):
                times[way][which].append(spent)
    return times


def timed(work: Callable[[], torch.Tensor | None]) -> tuple[float, torch.Tensor | None]:
    """The seconds that something takes, and what it gives."""
    start = time.process_time()
    result = work()
    return time.process_time() - start, result


if __name__ == "__main__":
    raise SystemExit(main())
