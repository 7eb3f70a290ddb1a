# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
How long 100 answers of 50 tokens take to be reranked, against a cross-encoder of MiniLM-L6's shape.

Both run on one thread in one process, round about, and both start from text. The cross-encoder has random weights (its
speed does not depend on them) and a vocabulary in which every word is one piece, which is the best case for it; its
fastest batch size of four is what counts. A CTRN of the paper's size, with its four overlap features, is shown beside
the default model; it is the default model that has to reach the factor asked for.

    python tests/benchmarks/rerank_speed.py
"""

import argparse
import statistics
import tempfile
import time
from random import Random

import torch
from cross_encoder import BATCH_SIZES, CrossEncoder
from haystack import Document
from haystack.utils import ComponentDevice
from haystack_integrations.components.rankers.answer_selection import CTRNRanker
from haystack_integrations.components.rankers.answer_selection.models import registry
from haystack_integrations.components.rankers.answer_selection.models.matching import PAPER_FEATURES

ANSWERS, ANSWER_TOKENS, QUERY_TOKENS, ASKED = 100, 50, 10, 10.0


def main() -> int:
    """Prints the table; the exit code is 1 if the default model is below the factor that is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=9)
    arguments = parser.parse_args()
    torch.set_num_threads(1)

    default = CTRNRanker(device=ComponentDevice.from_str("cpu"), top_k=ANSWERS)
    _, collator = registry.load(CTRNRanker.default_model)
    words = collator.vocabulary[2:]  # without those for padding and unknown words
    cross_encoder = CrossEncoder(words)
    rankers = {"CTRN, the default model": default, "CTRN of the paper's size": paper_size(words)}
    runs = {f"cross-encoder, batches of {size}": size for size in BATCH_SIZES}

    random = Random(0)
    seconds: dict[str, list[float]] = {name: [] for name in [*runs, *rankers]}
    for turn in range(arguments.rounds + 2):
        # New texts every time: the ranker's collator remembers those that it has seen.
        query = " ".join(random.choices(words, k=QUERY_TOKENS))
        answers = [" ".join(random.choices(words, k=ANSWER_TOKENS)) for _ in range(ANSWERS)]
        documents = [Document(content=answer, score=float(ANSWERS - rank)) for rank, answer in enumerate(answers)]
        for name, taken in seconds.items():
            start = time.perf_counter()
            if name in runs:
                found = len(cross_encoder.rank(query, answers, runs[name]))
            else:
                found = len(rankers[name].run(query, documents)["documents"])
            elapsed = time.perf_counter() - start
            if found != ANSWERS:
                raise AssertionError(name)
            if turn >= 2:  # the first two are for caches, allocations and compiled kernels
                taken.append(elapsed)

    medians = {name: statistics.median(taken) for name, taken in seconds.items()}
    best = min(medians[name] for name in runs)
    print(f"{ANSWERS} answers of {ANSWER_TOKENS} tokens, one thread, median of {arguments.rounds} rounds (least, most)")
    for name, taken in seconds.items():
        milliseconds = [1000 * value for value in (medians[name], min(taken), max(taken))]
        factor = f"{best / medians[name]:8.1f}x" if name in rankers else ""
        print("{:32} {:8.1f} ms ({:.1f}, {:.1f})".format(name, *milliseconds) + factor)
    return int(best / medians["CTRN, the default model"] < ASKED)


def paper_size(words: list[str]) -> CTRNRanker:
    """A ranker whose model has the paper's sizes and its four overlap features, and random weights."""
    model, collator = registry.build("ctrn", [" ".join(words)], pair_features=PAPER_FEATURES)
    with tempfile.TemporaryDirectory() as folder:
        registry.save(folder, model, collator)
        ranker = CTRNRanker(model=folder, device=ComponentDevice.from_str("cpu"), top_k=ANSWERS)
        ranker.warm_up()
    return ranker


if __name__ == "__main__":
    raise SystemExit(main())
