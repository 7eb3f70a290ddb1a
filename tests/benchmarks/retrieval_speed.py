# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
BM25 retrieval through the component, against raw tantivy and Haystack's in-memory store, in one run.

Rounds are interleaved: in each, every contender answers the same queries, the in-memory store fewer of them because
one takes it most of a second. What is printed are medians over rounds of the time for a query. "Raw tantivy" searches
an index of the same text by the query parser, as tantivy's own tutorial does, and reads the stored text of each hit.
Both search the answers alone, which is all that the in-memory store can, and then questions and answers.

    python tests/benchmarks/retrieval_speed.py
"""

import argparse
import random
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import tantivy
from haystack import Document
from haystack.document_stores.in_memory import InMemoryDocumentStore

from haystack_integrations.components.retrievers.tantivy import TantivyBM25Retriever
from haystack_integrations.document_stores.tantivy import TantivyDocumentStore


def synthetic_corpus(size: int, queries: int, seed: int = 0) -> tuple[list[Document], list[str]]:
    """Answers of 60 words and questions of 10 from a vocabulary of 50,000 words with Zipf's frequencies."""
    generator = random.Random(seed)
    letters = "abcdefghijklmnopqrstuvwxyz"
    words = ["".join(generator.choices(letters, k=generator.randint(2, 9))) for _ in range(50_000)]
    total, cumulative = 0.0, []
    for rank in range(1, len(words) + 1):
        total += 1 / rank
        cumulative.append(total)

    def text(length: int) -> str:
        return " ".join(generator.choices(words, cum_weights=cumulative, k=length))

    documents = [Document(id=f"d{i}", content=text(60), meta={"question": text(10)}) for i in range(size)]
    return documents, [text(10) for _ in range(queries)]


def raw_tantivy(documents: Sequence[Document], folder: Path, top_k: int) -> Callable[[str, list[str]], object]:
    """Index and search as in tantivy's tutorial, with the same analysis."""
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("id", stored=True, tokenizer_name="raw")
    builder.add_text_field("content", stored=True, tokenizer_name="en_stem", index_option="freq")
    builder.add_text_field("question", stored=True, tokenizer_name="en_stem", index_option="freq")
    folder.mkdir()
    index = tantivy.Index(builder.build(), path=str(folder))
    writer = index.writer(128_000_000, 1)
    for document in documents:
        question = document.meta["question"]
        writer.add_document(tantivy.Document(id=document.id, content=document.content, question=question))
    writer.commit()
    writer.wait_merging_threads()
    index.reload()
    searcher = index.searcher()

    def search(query: str, fields: list[str]) -> object:
        hits = searcher.search(index.parse_query(query, fields), top_k).hits
        return [searcher.doc(address).to_dict() for _, address in hits]

    return search


def seconds_a_query(search: Callable[[str], object], queries: Sequence[str]) -> float:
    """Mean time of one round."""
    start = time.perf_counter()
    for query in queries:
        search(query)
    return (time.perf_counter() - start) / len(queries)


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--answers", type=int, default=100_000)
    parser.add_argument("--queries", type=int, default=200, help="queries a round (the in-memory store: 1 in 100)")
    parser.add_argument("--top-k", type=int, default=10)
    parser.add_argument("--rounds", type=int, default=7)
    options = parser.parse_args()

    documents, queries = synthetic_corpus(options.answers, options.queries)
    with tempfile.TemporaryDirectory() as folder:
        raw = raw_tantivy(documents, Path(folder) / "raw", options.top_k)
        store = TantivyDocumentStore(path=Path(folder) / "store")
        start = time.perf_counter()
        store.write_documents(documents)
        print(f"{len(documents):,} answers indexed in {time.perf_counter() - start:.1f} s")
        retriever = TantivyBM25Retriever(document_store=store, top_k=options.top_k)
        memory = InMemoryDocumentStore(shared=False)
        memory.write_documents([Document(id=d.id, content=d.content, meta=d.meta) for d in documents])
        both = {"content": 1.0, "question": 1.0}
        few = queries[: max(1, len(queries) // 100)]
        contenders: dict[str, tuple[Callable[[str], object], list[str]]] = {
            "raw tantivy, answers": (lambda query: raw(query, ["content"]), queries),
            "retriever, answers": (lambda query: retriever.run(query, search_fields={"content": 1.0}), queries),
            "in memory, answers": (lambda query: memory.bm25_retrieval(query, top_k=options.top_k), few),
            "raw tantivy, both": (lambda query: raw(query, list(both)), queries),
            "retriever, both": (lambda query: retriever.run(query, search_fields=both), queries),
        }
        times: dict[str, list[float]] = {name: [] for name in contenders}
        for search, round_queries in contenders.values():
            seconds_a_query(search, round_queries[:20])
        for _ in range(options.rounds):
            for name, (search, round_queries) in contenders.items():
                times[name].append(seconds_a_query(search, round_queries))
        medians = {name: statistics.median(values) for name, values in times.items()}
        for name, median in medians.items():
            spread = f"{min(times[name]) * 1e3:.3f} to {max(times[name]) * 1e3:.3f}"
            print(f"{name:22} {median * 1e3:10.3f} ms a query ({spread})")
        for against, contender, target in (
            ("raw tantivy, answers", "retriever, answers", 0.7),
            ("raw tantivy, both", "retriever, both", 0.7),
            ("in memory, answers", "retriever, answers", 500),
        ):
            print(f"{contender} against {against}: {medians[against] / medians[contender]:.2f}x (at least {target}x)")


if __name__ == "__main__":
    main()
