# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
How long 1,000 questions with 100 candidates each take to be reranked in one call, against one call a question.

Questions of squad-sentences and their best 100 sentences by BM25; models of the papers' sizes with random weights, and
the default model, all on one thread, in turn. Each begins with nothing encoded. Calls of one question are timed twice:
with the ranker's cache, which keeps answers' encodings from one question to the next, and without it.

    python tests/benchmarks/batch_speed.py --data ../shared/data
"""

import argparse
import statistics
import tempfile
import time
from pathlib import Path

import torch
from haystack import Document
from haystack.utils import ComponentDevice

from answer_selection.pipelines.experiments.data.squad_blocks import read_squad_sentences
from haystack_integrations.components.rankers.answer_selection import AnswerRanker
from haystack_integrations.components.rankers.answer_selection.models import registry
from haystack_integrations.document_stores.tantivy import TantivyDocumentStore

CANDIDATES, ASKED = 100, 1.8
WAYS = ("one call", "a call a question", "a call a question, without a cache")


def main() -> int:
    """Prints the table; the exit code is 1 if GGSA in one call is not so many times as fast as asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--queries", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    torch.set_num_threads(1)

    with tempfile.TemporaryDirectory() as folder:
        queries, lists = candidates(arguments.data / "squad-sentences", Path(folder), arguments.queries)
        rankers = make_rankers(queries, lists, Path(folder))
        seconds: dict[tuple[str, str], list[float]] = {(name, way): [] for name in rankers for way in WAYS}
        for _ in range(arguments.rounds):
            for (name, way), taken in seconds.items():
                taken.append(timed(rankers[name], way, queries, lists))

    medians = {key: statistics.median(taken) for key, taken in seconds.items()}
    distinct = len({document.id for documents in lists for document in documents})
    print(f"{len(queries)} questions x {CANDIDATES} of {distinct} answers, one thread, {arguments.rounds} rounds")
    for (name, way), taken in seconds.items():
        factor = medians[name, way] / medians[name, WAYS[0]]
        print(f"{name:8} {way:36} {medians[name, way]:8.2f} s ({min(taken):.2f}, {max(taken):.2f}) {factor:6.1f}x")
    return int(medians["GGSA", WAYS[1]] / medians["GGSA", WAYS[0]] < ASKED)


def candidates(data: Path, folder: Path, number: int) -> tuple[list[str], list[list[Document]]]:
    """The first questions of the development part, and BM25's best for each."""
    entries, asked = read_squad_sentences(data / "src-dev.txt", data / "tgt-dev.txt")
    documents = {entry.entry_id: entry.to_document() for entry in entries}
    store = TantivyDocumentStore(path=folder / "index")
    store.write_documents(documents.values())
    queries = [query.query for query, _ in zip(asked, range(number), strict=False)]
    found = store.search_scored(queries, CANDIDATES)
    return queries, [
        [Document(id=id_, content=documents[id_].content, score=score) for id_, score in ids] for ids in found
    ]


def make_rankers(queries: list[str], lists: list[list[Document]], folder: Path) -> dict[str, AnswerRanker]:
    """GGSA and QRNN with their default configurations, and the ranker that comes with a model."""
    cpu = ComponentDevice.from_str("cpu")
    texts = [*queries, *{document.content or "" for documents in lists for document in documents}]
    rankers: dict[str, AnswerRanker] = {}
    for name in ("GGSA", "QRNN"):
        registry.save(folder / name, *registry.build(name.lower(), texts))
        rankers[name] = AnswerRanker(model=folder / name, device=cpu)
    rankers["default"] = AnswerRanker(device=cpu)
    return rankers


def timed(ranker: AnswerRanker, way: str, queries: list[str], lists: list[list[Document]]) -> float:
    """Seconds from questions and documents to ranked documents."""
    cache = 0.0 if way == WAYS[2] else ranker.answer_cache_mib
    fresh = AnswerRanker(model=ranker.model, device=ranker.device, answer_cache_mib=cache)
    fresh.run(queries[0], lists[0][:1])  # the model is loaded, and kernels are compiled
    start = time.perf_counter()
    if way == WAYS[0]:
        fresh.run_batch(queries, lists)
    else:
        for query, documents in zip(queries, lists, strict=True):
            fresh.run(query, documents)
    return time.perf_counter() - start


if __name__ == "__main__":
    raise SystemExit(main())
