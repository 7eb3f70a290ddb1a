# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
How fast a training step of CTRN is, beside those of AP-BiLSTM and an LSTM of the same size.

    python tests/benchmarks/ctrn_step_speed.py

A step is forward, backward and Adam at d = 800, L = 50 and a batch of 64 pairs in single precision (the CTRN paper's
figure 3 has d = 800; AP-BiLSTM has it in each direction). Asked: at most a third of AP-BiLSTM's time, and less than the
LSTM's by a tenth. The paper's factors, 8 and 4, were on a GPU: `--device cuda`.
"""

import argparse
import statistics
import time
from collections.abc import Callable

import torch
from torch import Tensor, nn
from torch.nn import functional

from haystack_integrations.components.rankers.answer_selection.models.ap_bilstm import APBiLSTMConfig, APBiLSTMModel
from haystack_integrations.components.rankers.answer_selection.models.ctrn import CTRNConfig, CTRNModel
from haystack_integrations.components.rankers.answer_selection.models.lstm import LSTMConfig, LSTMModel
from haystack_integrations.components.rankers.answer_selection.models.qrnn import QRNNConfig, QRNNModel

ASKED = {"AP-BiLSTM": 3.0, "LSTM": 1.1}


def main() -> int:
    """Prints a line for every model; the exit code is 1 if the target is missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--pairs", type=int, default=64)
    parser.add_argument("--pairs-per-question", type=int, default=1)
    parser.add_argument("--length", type=int, default=50)
    parser.add_argument("--hidden-size", type=int, default=800)
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    torch.manual_seed(0)
    pairs, length = arguments.pairs, arguments.length
    questions = pairs // arguments.pairs_per_question
    batch = {
        "list_sizes": torch.full((questions,), arguments.pairs_per_question),
        "question_ids": torch.randint(2, 1000, (questions, length)),
        "question_lengths": torch.full((questions,), length),
        "answer_ids": torch.randint(2, 1000, (pairs, length)),
        "answer_lengths": torch.full((pairs,), length),
    }
    batch = {name: tensor.to(arguments.device) for name, tensor in batch.items()}
    labels = torch.randint(0, 2, (pairs,), device=arguments.device).float()
    sizes = {"vocab_size": 1000, "hidden_size": arguments.hidden_size}
    models = {
        "CTRN": CTRNModel(CTRNConfig(**sizes)),
        "QRNN": QRNNModel(QRNNConfig(**sizes)),
        "LSTM": LSTMModel(
            LSTMConfig(**sizes, projection_size=300, bidirectional=False, composition="mean", head="mlp")
        ),
        "AP-BiLSTM": APBiLSTMModel(APBiLSTMConfig(**sizes)),
    }
    steps = {name: training_step(model.to(arguments.device), batch, labels) for name, model in models.items()}
    seconds: dict[str, list[float]] = {name: [] for name in models}
    for turn in range(arguments.rounds + 2):
        for name, step in steps.items():
            start = time.perf_counter()
            step()
            if arguments.device != "cpu":
                torch.cuda.synchronize()
            if turn >= 2:  # the first two are for compiled code, allocations and Adam's moments
                seconds[name].append(time.perf_counter() - start)
    medians = {name: 1000 * statistics.median(values) for name, values in seconds.items()}
    print(
        f"A training step, {pairs} pairs, {questions} questions, L {length}, d {arguments.hidden_size}, float32, "
        f"{arguments.device}, {arguments.threads} threads, median of {arguments.rounds} rounds"
    )
    for name, milliseconds in medians.items():
        print(f"{name:10}{milliseconds:8.1f} ms")
    missed = False
    for name, asked in ASKED.items():
        ratio = medians[name] / medians["CTRN"]
        print(f"CTRN is {ratio:.2f}x as fast as {name}; at least {asked:g}x asked")
        missed |= ratio < asked
    return int(missed)


def training_step(model: nn.Module, batch: dict[str, Tensor], labels: Tensor) -> Callable[[], None]:
    """Forward, backward and update, with frozen word vectors."""
    model.train().embedding.weight.requires_grad_(False)
    optimizer = torch.optim.Adam([p for p in model.parameters() if p.requires_grad], lr=1e-4, weight_decay=4e-6)

    def step() -> None:
        optimizer.zero_grad()
        functional.binary_cross_entropy_with_logits(model(**batch), labels).backward()
        optimizer.step()

    return step


if __name__ == "__main__":
    raise SystemExit(main())
