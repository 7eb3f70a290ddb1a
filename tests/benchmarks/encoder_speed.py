# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
How long one question takes to be encoded on one thread, against all-MiniLM-L6-v2 through sentence-transformers.

All contenders encode the same questions, one at a time, round about in one process; what is printed are medians over
rounds of the processor's time for a question, which on one thread is that of the clock if nothing else runs. The
encoder measured first has the shape of the one that comes with the package and random weights, or is that of
`--encoder`; its factor is what is asked for. The others tell what the runtime itself is worth: the same encoder through
sentence-transformers, and all-MiniLM-L6-v2 through this runtime.

    OMP_NUM_THREADS=1 python tests/benchmarks/encoder_speed.py --data ../shared/data
"""

import argparse
import os
import shutil
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import torch
from haystack.utils import ComponentDevice
from sentence_transformers import SentenceTransformer
from sentence_transformers.base.modules import Dense, Normalize, Transformer
from sentence_transformers.sentence_transformer.modules import Pooling
from transformers import ElectraConfig, ElectraModel

from haystack_integrations.components.embedders.answer_selection.sentence_encoder import SentenceEncoder

ASKED = 5.0
QUESTIONS = (
    "How do I renew a library card that I have lost?",
    "When does the reading room close?",
    "Can I bring my own food?",
    "Is there a fine for books that come back late, and how much is it for each day?",
    "printing costs",
    "Who do I ask if the self-service machine does not take my card?",
)
FILES = ("tokenizer.json", "tokenizer_config.json", "special_tokens_map.json", "vocab.txt")


def save_student(folder: Path, minilm: Path) -> Path:
    """An encoder of the package's shape, with the words of all-MiniLM-L6-v2."""
    torch.manual_seed(0)
    network = folder / "network"
    # 30,522 words and not 24,000: what a table has more of costs a question nothing.
    sizes = {"embedding_size": 128, "hidden_size": 256, "num_hidden_layers": 3, "num_attention_heads": 4}
    ElectraModel(ElectraConfig(vocab_size=30_522, intermediate_size=1024, **sizes)).save_pretrained(network)
    for name in FILES:
        if (minilm / name).is_file():
            shutil.copy(minilm / name, network / name)
    linear = Dense(256, 384, bias=False, activation_function=torch.nn.Identity())
    modules = [Transformer(str(network), max_seq_length=256), Pooling(256), linear, Normalize()]
    SentenceTransformer(modules=modules, device="cpu").save(str(folder / "student"), create_model_card=False)
    return folder / "student"


def seconds_a_question(encode: Callable[[list[str]], object], questions: Sequence[str]) -> float:
    """Mean processor time of one round."""
    start = time.process_time()
    for question in questions:
        encode([question])
    return (time.process_time() - start) / len(questions)


def main() -> int:
    """Prints the table; the exit code is 1 if the encoder is below the factor that is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="the folder with encoders/all-MiniLM-L6-v2")
    parser.add_argument("--encoder", type=Path, help="an encoder's folder, in the place of the one of random weights")
    parser.add_argument("--rounds", type=int, default=15)
    options = parser.parse_args()
    if os.environ.get("OMP_NUM_THREADS") != "1":
        parser.error("set OMP_NUM_THREADS=1: everything is measured on one thread")

    minilm, cpu = options.data / "encoders" / "all-MiniLM-L6-v2", ComponentDevice.from_str("cpu")
    reference = "all-MiniLM-L6-v2, sentence-transformers"
    with tempfile.TemporaryDirectory() as folder:
        student = options.encoder or save_student(Path(folder), minilm)
        contenders: dict[str, Callable[[list[str]], object]] = {
            "encoder": SentenceEncoder.load(student, device=cpu).encode,
            "encoder, sentence-transformers": SentenceTransformer(str(student), device="cpu").float().encode,
            "all-MiniLM-L6-v2": SentenceEncoder.load(minilm, device=cpu).encode,
            reference: SentenceTransformer(str(minilm), device="cpu").encode,
        }
        times: dict[str, list[float]] = {name: [] for name in contenders}
        for turn in range(options.rounds + 1):
            for name, encode in contenders.items():
                taken = seconds_a_question(encode, QUESTIONS)
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
