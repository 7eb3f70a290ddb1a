# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
How long 100 answers of 50 tokens take to be reranked, against a cross-encoder of MiniLM-L6's shape.

Both run on one thread in one process, round about, and both start from text. The cross-encoder has random weights (its
speed does not depend on them) and a vocabulary in which every word is one piece, which is the best case for it; its
fastest batch size of four is what counts, in float32 and in bfloat16 each against what has the same precision. The
package's model, alone, has to reach the factor asked for, and GGSA of the paper's size, whose answers are all new to
it. A CTRN of the paper's size, with its four overlap features, is shown beside them. What the package's ranker takes
with all that it weighs beside its model is in `answer_speed.py`. Times are the process's own, so that others on the
machine count less.

    python tests/benchmarks/rerank_speed.py
"""

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable
from random import Random

import torch
from cross_encoder import BATCH_SIZES, CrossEncoder
from haystack import Document
from haystack.utils import ComponentDevice

from haystack_integrations.components.rankers.answer_selection import AnswerRanker, CTRNRanker
from haystack_integrations.components.rankers.answer_selection.models import registry
from haystack_integrations.components.rankers.answer_selection.models.matching import PAPER_FEATURES

ANSWERS, ANSWER_TOKENS, QUERY_TOKENS = 100, 50, 10
DEFAULT, CTRN, GGSA, GGSA_HALF = "CTRN, the package's model alone", "CTRN of the paper's size", "GGSA", "GGSA, bfloat16"
ASKED = {DEFAULT: 10.0, GGSA: 8.0, GGSA_HALF: 8.0}


def main() -> int:
    """Prints the table; the exit code is 1 if a factor is below the one that is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=9)
    arguments = parser.parse_args()
    torch.set_num_threads(1)

    _, collator = registry.load(CTRNRanker.default_model)
    words = collator.vocabulary[2:]  # without those for padding and unknown words
    rankers: dict[str, AnswerRanker] = {
        DEFAULT: CTRNRanker(device=ComponentDevice.from_str("cpu"), top_k=ANSWERS, retriever_weight=0.0),
        CTRN: untrained("ctrn", words, pair_features=PAPER_FEATURES),
        GGSA: untrained("ggsa", words),
        GGSA_HALF: untrained("ggsa", words, dtype="bfloat16"),
    }
    whole, half = CrossEncoder(words), CrossEncoder(words)
    half.model.to(torch.bfloat16)
    against = {f"cross-encoder, batches of {size}": (whole, size) for size in BATCH_SIZES}
    against_half = {f"cross-encoder, bfloat16, of {size}": (half, size) for size in BATCH_SIZES}

    runs: dict[str, Callable[[str, list[Document]], int]] = {
        name: lambda query, documents, ranker=ranker: len(ranker.run(query, documents)["documents"])
        for name, ranker in rankers.items()
    }
    for name, (encoder, size) in (against | against_half).items():
        runs[name] = lambda query, documents, encoder=encoder, size=size: len(
            encoder.rank(query, [document.content for document in documents], size)
        )

    random = Random(0)
    seconds: dict[str, list[float]] = {name: [] for name in runs}
    for turn in range(arguments.rounds + 2):
        # New texts every time: the ranker's collator remembers those that it has seen.
        query = " ".join(random.choices(words, k=QUERY_TOKENS))
        answers = [" ".join(random.choices(words, k=ANSWER_TOKENS)) for _ in range(ANSWERS)]
        documents = [Document(content=answer, score=float(ANSWERS - rank)) for rank, answer in enumerate(answers)]
        for name, taken in seconds.items():
            start = time.process_time()
            found = runs[name](query, documents)
            elapsed = time.process_time() - start
            if found != ANSWERS:
                raise AssertionError(name)
            if turn >= 2:  # the first two are for caches, allocations and compiled kernels
                taken.append(elapsed)

    medians = {name: statistics.median(taken) for name, taken in seconds.items()}
    best, best_half = (min(medians[name] for name in names) for names in (against, against_half))
    factors = {name: (best_half if name == GGSA_HALF else best) / medians[name] for name in rankers}
    print(f"{ANSWERS} answers of {ANSWER_TOKENS} tokens, one thread, median of {arguments.rounds} rounds (least, most)")
    for name, taken in seconds.items():
        milliseconds = [1000 * value for value in (medians[name], min(taken), max(taken))]
        factor = f"{factors[name]:8.1f}x" if name in factors else ""
        print("{:32} {:8.1f} ms ({:.1f}, {:.1f})".format(name, *milliseconds) + factor)
    return int(any(factors[name] < asked for name, asked in ASKED.items()))


def untrained(name: str, words: list[str], dtype: str | None = None, **options: object) -> AnswerRanker:
    """A ranker whose model has the paper's sizes, and random weights."""
    model, collator = registry.build(name, [" ".join(words)], **options)
    with tempfile.TemporaryDirectory() as folder:
        registry.save(folder, model, collator)
        ranker = AnswerRanker(model=folder, device=ComponentDevice.from_str("cpu"), top_k=ANSWERS, dtype=dtype)
        ranker.warm_up()
    return ranker


if __name__ == "__main__":
    raise SystemExit(main())
