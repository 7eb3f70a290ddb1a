# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
How much memory a GSAMN of BERT-base's size takes while it is trained, on the GPU if there is one, else on the CPU.

Steps of 32 pairs of 128 tokens each: at once, at once with the encoder's layers computed again in the backward pass,
and as four batches of 8. Weights are random, words too. Each way is a process of its own, whose most memory counts: all
that it has on the CPU, libraries included; what torch has allocated on a GPU.

    python tests/benchmarks/encoder_training_memory.py
"""

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from random import Random

import torch

from answer_selection.indexing.candidates import Candidate, CandidateList, write_jsonl
from haystack_integrations.components.rankers.answer_selection.models.gsamn import GSAMNConfig, GSAMNModel
from haystack_integrations.components.rankers.answer_selection.models.pair_collator import PairCollator
from haystack_integrations.components.rankers.answer_selection.models.wordpiece import train_wordpiece
from haystack_integrations.components.rankers.answer_selection.training.settings import TrainingSettings
from haystack_integrations.components.rankers.answer_selection.training.trainer import train

ALLOWED_GIB = {"CPU": 24, "GPU": 8}
WAYS = {
    "32 pairs at once": {"pairs_per_batch": 32},
    "the same, layers computed again": {"pairs_per_batch": 32, "gradient_checkpointing": True},
    "four batches of 8 pairs": {"pairs_per_batch": 8, "gradient_accumulation": 4},
}
TOKENS, CANDIDATES = 128, 8
WORDS = [f"{first}{second}{third}" for first in "bdfgklmnprst" for second in "aeiou" for third in "bdfgklmnprst"]


def main() -> int:
    """Prints the table; the exit code is 1 if one batch of 32, computed again, takes more than is allowed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=2, help="The second one has the optimizer's state beside it.")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--way", choices=WAYS, help="Measure one in this process.")
    arguments = parser.parse_args()
    if arguments.way:
        torch.set_num_threads(arguments.threads)
        print(json.dumps(measure(WAYS[arguments.way], arguments.steps)))
        return 0
    device = "GPU" if torch.cuda.is_available() else "CPU"
    taken = {}
    for way in WAYS:
        command = [sys.executable, __file__, "--way", way, "--steps", arguments.steps, "--threads", arguments.threads]
        done = subprocess.run([*map(str, command)], stdout=subprocess.PIPE, text=True, check=True)
        taken[way], seconds = json.loads(done.stdout.splitlines()[-1])
        print(f"{way:32} {taken[way]:6.2f} GiB on the {device}, {seconds:6.1f} s a step", flush=True)
    return int(taken["the same, layers computed again"] > ALLOWED_GIB[device])


def measure(settings: dict[str, object], steps: int) -> tuple[float, float]:
    """Trains for some steps, and gives the most GiB and the seconds of the last step."""
    tokenizer = train_wordpiece(WORDS, 1000)
    config = GSAMNConfig(encoder={"model_type": "bert"}, max_pair_length=TOKENS)
    tokenizer.add_tokens([f"[unused{n}]" for n in range(config.encoder.vocab_size - tokenizer.get_vocab_size())])
    collator = PairCollator(config.encoder, TOKENS, tokenizer)
    ends = [time.perf_counter()]
    with tempfile.TemporaryDirectory() as folder:
        lists = Path(folder) / "train.jsonl"
        write_jsonl(lists, (candidates(number) for number in range(steps * 32 // CANDIDATES)))
        train(
            GSAMNModel(config),
            collator,
            lists,
            None,
            Path(folder) / "model",
            TrainingSettings(epochs=1, negatives=None, learning_rate=1e-5, optimizer="adamw", **settings),
            progress=lambda *_: ends.append(time.perf_counter()),
        )
    assert len(ends) == steps + 1
    resident = 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    most = torch.cuda.max_memory_allocated() if torch.cuda.is_available() else resident
    return most / 2**30, ends[-1] - ends[-2]


def candidates(number: int) -> CandidateList:
    """A list whose pairs all are longer than they may be."""
    random = Random(number)
    texts = [" ".join(random.choices(WORDS, k=TOKENS)) for _ in range(CANDIDATES)]
    answers = tuple(Candidate(f"a{place}", text, int(place == 0)) for place, text in enumerate(texts))
    return CandidateList(f"q{number}", " ".join(random.choices(WORDS, k=10)), answers)


if __name__ == "__main__":
    raise SystemExit(main())
