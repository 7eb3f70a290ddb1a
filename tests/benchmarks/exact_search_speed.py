# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
What an index of approximate neighbours would gain over exact searches of vectors, and what each commit would cost.

The exact search is a product of the question's vector with all entries', block by block, as the index on disk has it.
The other is usearch's HNSW (`pip install usearch`). Vectors lie in clusters and in 96 directions of their space, as
those of texts do, more or less. Times are the process's own, medians over questions. No target: it is printed.

    OMP_NUM_THREADS=1 python tests/benchmarks/exact_search_speed.py --entries 1000000
"""

import argparse
import os
import statistics
import tempfile
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

WIDTH, DIRECTIONS, CLUSTERS, BLOCK, TOP_K, QUESTIONS = 384, 96, 2_000, 65_536, 30, 50

Vectors = NDArray[np.float32]


def unit_vectors(number: int, seed: int) -> Vectors:
    """Vectors around the centres of clusters that all seeds share, at unit length."""
    fixed, generator = np.random.default_rng(0), np.random.default_rng(seed)
    directions = fixed.normal(size=(DIRECTIONS, WIDTH)).astype(np.float32)
    centres = fixed.normal(size=(CLUSTERS, DIRECTIONS)).astype(np.float32)
    vectors = np.empty((number, WIDTH), np.float32)
    for begin in range(0, number, BLOCK):
        size = min(BLOCK, number - begin)
        near = centres[generator.integers(0, CLUSTERS, size)] + 0.7 * generator.normal(size=(size, DIRECTIONS))
        block = near.astype(np.float32) @ directions
        vectors[begin : begin + size] = block / np.linalg.norm(block, axis=1, keepdims=True)
    return vectors


def timed(search: Callable[[Vectors], set[int]], questions: Vectors) -> tuple[float, list[set[int]]]:
    """The median of the milliseconds that a question takes, and what is found for each."""
    times, found = [], []
    for question in questions:
        start = time.process_time()
        found.append(search(question))
        times.append(1_000 * (time.process_time() - start))
    return statistics.median(times), found


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--entries", type=int, default=100_000)
    options = parser.parse_args()
    if os.environ.get("OMP_NUM_THREADS") != "1":
        parser.error("set OMP_NUM_THREADS=1: everything is measured on one thread")
    # No package of this project's.
    index_class: Any = import_module("usearch.index").Index

    vectors, questions = unit_vectors(options.entries, 1), unit_vectors(QUESTIONS, 2)

    def exact(question: Vectors) -> set[int]:
        scores = np.concatenate([vectors[i : i + BLOCK] @ question for i in range(0, len(vectors), BLOCK)])
        return set(np.argpartition(-scores, TOP_K)[:TOP_K].tolist())

    index = index_class(ndim=WIDTH, metric="cos", dtype="f32")
    start = time.process_time()
    index.add(np.arange(len(vectors)), vectors, threads=1)
    building = time.process_time() - start
    exact_ms, right = timed(exact, questions)
    ms, found = timed(lambda question: set(index.search(question, TOP_K).keys.tolist()), questions)
    recall = statistics.mean(len(one & other) / TOP_K for one, other in zip(right, found, strict=True))
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "index"
        start = time.perf_counter()
        index.save(str(file))
        saving, size = time.perf_counter() - start, file.stat().st_size
    print(f"{options.entries:,} entries: exact {exact_ms:.2f} ms a question")
    print(f"HNSW {ms:.2f} ms, recall@{TOP_K} {recall:.3f}; made in {building:.0f} s of one thread")
    sizes = f"{size / 1e6:,.0f} MB in {saving:.1f} s (vectors {vectors.nbytes / 1e6:,.0f} MB)"
    print(f"its file, which a commit would write anew: {sizes}")


if __name__ == "__main__":
    main()
