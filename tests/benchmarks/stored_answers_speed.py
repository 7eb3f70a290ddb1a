# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
How long 100 answers of 50 tokens take to be reranked if their vectors are stored, against a cross-encoder.

The cross-encoder (MiniLM-L6's shape, single precision, the fastest of four batch sizes) and the rankers run on one
thread in one process, round about, through the component: documents in, all of them out again. The models have the
papers' sizes and random weights. The one called "GGSA" is that which has to reach the factor asked for.

    python tests/benchmarks/stored_answers_speed.py
"""

import argparse
import statistics
import tempfile
import time
from pathlib import Path
from random import Random

import torch
from cross_encoder import BATCH_SIZES, CrossEncoder
from haystack import Document
from haystack.utils import ComponentDevice

from haystack_integrations.components.embedders.answer_selection import AnswerEncoder
from haystack_integrations.components.rankers.answer_selection import AnswerRanker, CTRNRanker
from haystack_integrations.components.rankers.answer_selection.models import registry

ANSWERS, ANSWER_TOKENS, QUERY_TOKENS, ASKED = 100, 50, 10, 250.0
# A ranker takes so little time that one run of it says less than one of the cross-encoder.
RUNS = 5


def main() -> int:
    """Prints the table; the exit code is 1 if GGSA is below the factor that is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=7)
    arguments = parser.parse_args()
    torch.set_num_threads(1)

    _, collator = registry.load(CTRNRanker.default_model)
    words = collator.vocabulary[2:]  # without those for padding and unknown words
    cross_encoder = CrossEncoder(words)
    seconds: dict[str, list[float]] = {f"cross-encoder, batches of {size}": [] for size in BATCH_SIZES}
    with tempfile.TemporaryDirectory() as folder:
        rankers = make_rankers(words, Path(folder))
        seconds |= {name: [] for name in rankers}
        random = Random(0)
        for turn in range(arguments.rounds + 1):
            query = " ".join(random.choices(words, k=QUERY_TOKENS))
            answers = [" ".join(random.choices(words, k=ANSWER_TOKENS)) for _ in range(ANSWERS)]
            documents = [Document(content=answer, score=float(ANSWERS - rank)) for rank, answer in enumerate(answers)]
            taken: dict[str, float] = {}
            for size in BATCH_SIZES:
                start = time.perf_counter()
                cross_encoder.rank(query, answers, size)
                taken[f"cross-encoder, batches of {size}"] = time.perf_counter() - start
            for name, (encoder, ranker) in rankers.items():
                encoded = encoder.run(documents)["documents"]
                times = []
                for run in range(RUNS):
                    start = time.perf_counter()
                    found = ranker.run(f"{query} {words[run]}", encoded)["documents"]
                    times.append(time.perf_counter() - start)
                    assert len(found) == ANSWERS
                taken[name] = statistics.median(times)
            if turn:  # the first is for allocations and compiled kernels
                for name, value in taken.items():
                    seconds[name].append(value)

    medians = {name: statistics.median(values) for name, values in seconds.items()}
    best = min(value for name, value in medians.items() if name not in rankers)
    print(f"{ANSWERS} answers of {ANSWER_TOKENS} tokens, one thread, median of {arguments.rounds} rounds (least, most)")
    for name, values in seconds.items():
        milliseconds = [1000 * value for value in (medians[name], min(values), max(values))]
        factor = f"{best / medians[name]:8.0f}x" if name in rankers else ""
        print("{:32} {:8.2f} ms ({:.2f}, {:.2f})".format(name, *milliseconds) + factor)
    return int(best / medians["GGSA"] < ASKED)


def make_rankers(words: list[str], folder: Path) -> dict[str, tuple[AnswerEncoder, AnswerRanker]]:
    """Each ranker, strict, so that nothing is encoded unseen, with the encoder that fills its documents."""
    cpu = ComponentDevice.from_str("cpu")
    made: dict[str, tuple[AnswerEncoder, AnswerRanker]] = {}
    for name, model_type, field, options in (
        ("GGSA", "ggsa", None, {}),
        ("GGSA, vectors in metadata", "ggsa", "answer_vector", {}),
        ("QRNN, cosine", "qrnn", None, {"head": "cosine"}),
        ("QRNN, perceptron", "qrnn", None, {}),
    ):
        model, collator = registry.build(model_type, [" ".join(words)], **options)
        registry.save(folder / name, model, collator)
        place = {"model": folder / name, "device": cpu, "vector_meta_field": field}
        made[name] = AnswerEncoder(**place), AnswerRanker(**place, top_k=ANSWERS, strict_vectors=True)
        made[name][1].warm_up()
    return made


if __name__ == "__main__":
    raise SystemExit(main())
