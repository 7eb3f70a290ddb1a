# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
The ids of the best 1000 answers for 50,000 questions, at 142,000 answers: time, and whether memory stays the same.

Answers are sentences of squad-sentences, cut and joined anew until there are enough of them; questions are its own.

    python tests/benchmarks/search_ids_speed.py --data ../shared/data
"""

import argparse
import os
import random
import resource
import sys
import tempfile
import time
from itertools import cycle, islice
from pathlib import Path

from haystack import Document

from haystack_integrations.document_stores.tantivy import TantivyDocumentStore


def corpus(data: Path, answers: int, queries: int) -> tuple[list[Document], list[str]]:
    """Build answers of the sentences' own lengths out of halves of real sentences; repeat the questions as needed."""
    folder = data / "squad-sentences"
    sentences = sorted(
        {line for part in ("dev", "test") for line in (folder / f"src-{part}.txt").read_text().splitlines()}
    )
    questions = [line for part in ("dev", "test") for line in (folder / f"tgt-{part}.txt").read_text().splitlines()]
    generator = random.Random(0)
    documents = []
    for i in range(answers):
        first, second = (generator.choice(sentences).split() for _ in range(2))
        text = " ".join(first[: len(first) // 2] + second[len(second) // 2 :])
        documents.append(Document(id=f"answer-{i}", content=text, meta={"question": questions[i % len(questions)]}))
    generator.shuffle(questions)
    return documents, list(islice(cycle(questions), queries))


def resident() -> float:
    """MiB of memory in use now (Linux) or at most so far (elsewhere)."""
    status = Path("/proc/self/statm")
    if status.exists():
        return int(status.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (2**20 if sys.platform == "darwin" else 2**10)


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder that holds squad-sentences")
    parser.add_argument("--answers", type=int, default=142_000)
    parser.add_argument("--queries", type=int, default=50_000)
    parser.add_argument("--top-k", type=int, default=1000)
    parser.add_argument("--fields", nargs="+", default=["content"], choices=["content", "question"])
    options = parser.parse_args()

    documents, queries = corpus(options.data, options.answers, options.queries)
    with tempfile.TemporaryDirectory() as folder:
        store = TantivyDocumentStore(path=Path(folder) / "store")
        start = time.perf_counter()
        store.write_documents(documents)
        del documents
        print(f"{options.answers:,} answers indexed in {time.perf_counter() - start:.1f} s")
        start, cpu_start = time.perf_counter(), time.process_time()
        found, memory = 0, []
        for i, ids in enumerate(store.search_ids(queries, options.top_k, dict.fromkeys(options.fields, 1.0)), start=1):
            found += len(ids)
            if i % (len(queries) // 10) == 0:
                memory.append(resident())
                print(f"{i:7,} queries, {time.perf_counter() - start:6.1f} s, {memory[-1]:6.0f} MiB", flush=True)
        seconds, cpu = time.perf_counter() - start, time.process_time() - cpu_start
    print(
        f"{len(queries):,} queries, {found / len(queries):.0f} ids each: {seconds:.1f} s, {cpu:.1f} s of processor time"
    )
    print(f"memory: {memory[0]:.0f} MiB after the first tenth, {memory[-1]:.0f} MiB at the end")


if __name__ == "__main__":
    main()
