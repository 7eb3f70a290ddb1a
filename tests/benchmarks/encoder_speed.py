# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
How long one question takes to be encoded on one thread, against all-MiniLM-L6-v2 through sentence-transformers.

All contenders encode the same questions, one at a time, round about in one process; every round's begin with another
number, as the package's encoder keeps the last questions that it read; what is printed are medians over
rounds of the processor's time for a question, which on one thread is that of the clock if nothing else runs. The
encoder measured first is the one that comes with the package, or that of `--encoder`; its factor is what is asked for.
all-MiniLM-L6-v2 through this runtime tells what the runtime itself is worth.

    OMP_NUM_THREADS=1 python tests/benchmarks/encoder_speed.py --data ../shared/data
"""

import argparse
import os
import statistics
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from haystack.utils import ComponentDevice
from sentence_transformers import SentenceTransformer

from haystack_integrations.components.rankers.answer_selection.encoders.sentence_encoder import SentenceEncoder

ASKED = 5.0
QUESTIONS = (
    "How do I renew a library card that I have lost?",
    "When does the reading room close?",
    "Can I bring my own food?",
    "Is there a fine for books that come back late, and how much is it for each day?",
    "printing costs",
    "Who do I ask if the self-service machine does not take my card?",
)


def seconds_a_question(encode: Callable[[list[str]], object], questions: Sequence[str]) -> float:
    """Mean processor time of one round of new questions."""
    start = time.process_time()
    for question in questions:
        encode([question])
    return (time.process_time() - start) / len(questions)


def main() -> int:
    """Prints the table; the exit code is 1 if the encoder is below the factor that is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="the folder with encoders/all-MiniLM-L6-v2")
    parser.add_argument("--encoder", type=Path, help="an encoder's folder, in the place of the package's own")
    parser.add_argument("--rounds", type=int, default=15)
    options = parser.parse_args()
    if os.environ.get("OMP_NUM_THREADS") != "1":
        parser.error("set OMP_NUM_THREADS=1: everything is measured on one thread")

    minilm, cpu = options.data / "encoders" / "all-MiniLM-L6-v2", ComponentDevice.from_str("cpu")
    reference = "all-MiniLM-L6-v2, sentence-transformers"
    contenders: dict[str, Callable[[list[str]], object]] = {
        "encoder": SentenceEncoder.load(options.encoder, device=cpu).encode,
        "all-MiniLM-L6-v2": SentenceEncoder.load(minilm, device=cpu).encode,
        reference: SentenceTransformer(str(minilm), device="cpu").encode,
    }
    times: dict[str, list[float]] = {name: [] for name in contenders}
    for turn in range(options.rounds + 1):
        for name, encode in contenders.items():
            taken = seconds_a_question(encode, [f"{turn} {question}" for question in QUESTIONS])
            if turn:  # the first round warms up
                times[name].append(taken)
    medians = {name: statistics.median(values) for name, values in times.items()}
    for name, median in medians.items():
        spread = f"{min(times[name]) * 1e3:.2f} to {max(times[name]) * 1e3:.2f}"
        print(f"{name:40} {median * 1e3:8.2f} ms a question ({spread}), {medians[reference] / median:5.1f}x")
    factor = medians[reference] / medians["encoder"]
    print(f"the encoder is {factor:.1f}x as fast as {reference} (asked for: {ASKED:.0f}x)")
    return int(factor < ASKED)


if __name__ == "__main__":
    raise SystemExit(main())
