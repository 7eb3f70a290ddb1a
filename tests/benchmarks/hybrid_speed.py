# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
Hybrid retrieval through the component, against its parts and Haystack's in-memory store, in one run on one thread.

The parts are what nobody can do without: a search of tantivy by its query parser that reads the hits' text, and one
product of numpy of the question's vector with all entries'. Rounds are interleaved: in each, every contender answers
the same queries, the in-memory store a few of them because one takes it seconds. What is printed are medians over
rounds of the process's own time for a query, so that others on the machine count less. Entries are synthetic, and so
are their vectors.

    OMP_NUM_THREADS=1 python tests/benchmarks/hybrid_speed.py
"""

import argparse
import os
import statistics
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from haystack import Document, Pipeline
from haystack.components.joiners import DocumentJoiner
from haystack.components.retrievers.in_memory import InMemoryBM25Retriever, InMemoryEmbeddingRetriever
from haystack.document_stores.in_memory import InMemoryDocumentStore
from retrieval_speed import raw_tantivy, synthetic_corpus

from haystack_integrations.components.retrievers.tantivy import TantivyHybridRetriever
from haystack_integrations.document_stores.tantivy import TantivyDocumentStore

Question = tuple[str, list[float]]


def in_memory(documents: Iterable[Document], top_k: int) -> Callable[[Question], object]:
    """Haystack's own hybrid retrieval: two retrievers and a joiner."""
    store = InMemoryDocumentStore(embedding_similarity_function="cosine", shared=False)
    store.write_documents(list(documents))
    pipeline = Pipeline()
    pipeline.add_component("bm25", InMemoryBM25Retriever(document_store=store, top_k=top_k))
    pipeline.add_component("vectors", InMemoryEmbeddingRetriever(document_store=store, top_k=top_k))
    pipeline.add_component("joiner", DocumentJoiner(join_mode="reciprocal_rank_fusion", top_k=top_k))
    pipeline.connect("bm25", "joiner")
    pipeline.connect("vectors", "joiner")
    return lambda question: pipeline.run({"bm25": {"query": question[0]}, "vectors": {"query_embedding": question[1]}})


def seconds_a_query(search: Callable[[Question], object], questions: Sequence[Question]) -> float:
    """Mean time of one round."""
    start = time.process_time()
    for question in questions:
        search(question)
    return (time.process_time() - start) / len(questions)


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--entries", type=int, default=100_000)
    parser.add_argument("--width", type=int, default=384)
    parser.add_argument("--queries", type=int, default=50, help="queries a round (the in-memory store: one)")
    parser.add_argument("--top-k", type=int, default=10)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--in-memory-rounds", type=int, default=3)
    options = parser.parse_args()
    if os.environ.get("OMP_NUM_THREADS") != "1":
        parser.error("set OMP_NUM_THREADS=1: everything is measured on one thread")

    entries, texts = synthetic_corpus(options.entries, options.queries)
    generator = np.random.default_rng(0)
    vectors = generator.normal(size=(len(entries), options.width)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    questions = [(text, generator.normal(size=options.width).tolist()) for text in texts]

    def embedded() -> Iterator[Document]:
        return (replace(entry, embedding=vector.tolist()) for entry, vector in zip(entries, vectors, strict=True))

    fields = ["content", "question"]
    with tempfile.TemporaryDirectory() as folder:
        raw = raw_tantivy(entries, Path(folder) / "raw", options.top_k)
        store = TantivyDocumentStore(path=Path(folder) / "store", search_fields=dict.fromkeys(fields, 1.0))
        start = time.process_time()
        store.write_documents(embedded())
        print(f"{len(entries):,} entries indexed in {time.process_time() - start:.1f} s")
        retriever = TantivyHybridRetriever(document_store=store, top_k=options.top_k)
        contenders: dict[str, Callable[[Question], object]] = {
            "raw tantivy": lambda question: raw(question[0], fields),
            "one product": lambda question: vectors @ np.array(question[1], np.float32),
            "hybrid retriever": lambda question: retriever.run(*question),
        }
        times: dict[str, list[float]] = {name: [] for name in contenders}
        for search in contenders.values():
            seconds_a_query(search, questions[:5])
        for _ in range(options.rounds):
            for name, search in contenders.items():
                times[name].append(seconds_a_query(search, questions))
        if options.in_memory_rounds:
            slow = in_memory(embedded(), options.top_k)
            times["in memory"] = [seconds_a_query(slow, questions[i : i + 1]) for i in range(options.in_memory_rounds)]
    medians = {name: statistics.median(values) for name, values in times.items()}
    for name, median in medians.items():
        spread = f"{min(times[name]) * 1e3:.3f} to {max(times[name]) * 1e3:.3f}"
        print(f"{name:18} {median * 1e3:10.3f} ms a query ({spread})")
    parts = medians["raw tantivy"] + medians["one product"]
    print(f"hybrid retriever against its parts: {medians['hybrid retriever'] / parts:.2f}x their sum (at most 1.3x)")
    if options.in_memory_rounds:
        print(f"in memory against it: {medians['in memory'] / medians['hybrid retriever']:.0f}x (at least 50x)")


if __name__ == "__main__":
    main()
