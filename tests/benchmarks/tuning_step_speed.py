# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
A step of fine-tuning a sentence encoder, forward and backward, over texts of all lengths in one batch.

The peer is the same network over the batch as sentence-transformers' trainer gives it: padded to its longest text. Both
are measured in turn on the same batches of entries of invented FAQs, whose answers have 1 to 323 words; figures are
medians over the rounds of the process's own time.

    OMP_NUM_THREADS=1 python tests/benchmarks/tuning_step_speed.py --precision bfloat16
"""

import argparse
import json
import os
import random
import statistics
import time
from pathlib import Path

import torch

from haystack_integrations.components.embedders.answer_selection.tuning import trainable_encoder
from haystack_integrations.components.embedders.answer_selection.tuning.pairs import padded_tokens
from haystack_integrations.components.embedders.answer_selection.tuning.trainable_encoder import TrainableEncoder
from haystack_integrations.components.rankers.answer_selection.encoders.encoder_folder import find_folder, read_folder

FAQS = Path(__file__).parents[2] / "pipelines" / "experiments" / "faqs" / "uneven"
BATCH, TARGET = 64, 1.5


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--encoder", default="answer-selection-small", help="A folder, or the package's.")
    parser.add_argument("--precision", choices=("float32", "bfloat16"), default="float32")
    parser.add_argument("--rounds", type=int, default=7)
    options = parser.parse_args()
    if os.environ.get("OMP_NUM_THREADS") != "1":
        parser.error("set OMP_NUM_THREADS=1: everything is measured on one thread")
    torch.set_num_threads(1)
    lines = [json.loads(line) for path in sorted(FAQS.glob("*.jsonl")) for line in path.open(encoding="utf-8")]
    texts = [f"{line['question']} {line['answer']}" for line in lines]
    model = TrainableEncoder(read_folder(find_folder(options.encoder, None, None)))
    drawn = random.Random(0)
    together = {"by length": trainable_encoder.TOGETHER, "padded": BATCH}
    seconds: dict[str, list[float]] = {name: [] for name in together}
    filled = []
    for place in range(options.rounds + 1):
        ids, mask = padded_tokens(drawn.sample(texts, BATCH), model.tokenizer, model.padding)
        for name, size in together.items():
            trainable_encoder.TOGETHER = size  # type: ignore[misc]
            start = time.process_time()
            with torch.autocast("cpu", dtype=torch.bfloat16, enabled=options.precision == "bfloat16"):
                vectors = model(ids, mask)
            vectors.float().square().mean(1).sum().backward()
            # The first one makes what later ones use again.
            if place:
                seconds[name].append(time.process_time() - start)
        filled.append(mask.float().mean().item())
    medians = {name: statistics.median(own) for name, own in seconds.items()}
    ratio = medians["padded"] / medians["by length"]
    print(f"{BATCH} texts, {statistics.mean(filled):.0%} of a padded batch are words, {options.precision}")
    print(", ".join(f"{name} {1000 * median:.0f} ms" for name, median in medians.items()))
    print(f"{ratio:.1f}x; target {TARGET}x: {'reached' if ratio >= TARGET else 'missed'}")


if __name__ == "__main__":
    main()
