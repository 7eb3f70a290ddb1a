# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
A cross-encoder over 30 candidates on one thread: in 8 bits, in float32, in one batch, and against the shipped ranker.

The cross-encoder has MiniLM-L6's shape and random weights. Candidates have about 100 tokens. "One batch" is float32 as
others run it: all pairs at once, padded to the longest. The shipped ranker is hybrid retrieval and CTRN: the package's
encoder reads the question, a search of 2,000 such answers with stored vectors finds 30, and the default model ranks
them. Contenders answer the same questions in turn, a round each. What is printed are medians of the process's own time
for a question, so that others on the machine count less.

    OMP_NUM_THREADS=1 taskset -c 0 python tests/benchmarks/pair_ranker_int8_speed.py
"""

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch
from haystack import Document
from haystack.utils import ComponentDevice
from pair_ranker_speed import write

from haystack_integrations.components.embedders.answer_selection import AnswerSelectionTextEmbedder
from haystack_integrations.components.rankers.answer_selection import AnswerRanker
from haystack_integrations.components.retrievers.tantivy import TantivyHybridRetriever
from haystack_integrations.document_stores.tantivy import TantivyDocumentStore

CANDIDATES, ENTRIES, QUESTIONS = 30, 2_000, 3
CPU = ComponentDevice.from_str("cpu")

Question = tuple[str, list[Document]]


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    rounds: int = parser.parse_args().rounds
    torch.set_num_threads(1)
    generator = np.random.default_rng(0)
    # Words of one token each, as Zipf has them.
    words = [f"w{number}" for number in range(5_000)]
    shares = np.arange(1, len(words) + 1) ** -1.0
    shares /= shares.sum()

    def text(length: int) -> str:
        return " ".join(generator.choice(words, size=length, p=shares))

    lengths = np.clip(generator.normal(88, 35, QUESTIONS * CANDIDATES).astype(int), 20, 240)
    answers = [Document(id=str(number), content=text(length)) for number, length in enumerate(lengths)]
    questions = [(text(10), answers[start : start + CANDIDATES]) for start in range(0, len(answers), CANDIDATES)]
    with tempfile.TemporaryDirectory() as folder:
        model = Path(folder) / "model"
        write(model, [*words, *(each.content or "" for each in answers)], 6)
        contenders: dict[str, Callable[[Question], object]] = {
            "float32, one batch": one_batch(AnswerRanker(model=model, device=CPU, dtype="float32")),
            "float32": ranking(AnswerRanker(model=model, device=CPU, dtype="float32")),
            "int8": ranking(AnswerRanker(model=model, device=CPU, dtype="int8")),
            "hybrid + CTRN": shipped(Path(folder), answers, [text(88) for _ in range(ENTRIES)], generator),
        }
        seconds: dict[str, list[float]] = {name: [] for name in contenders}
        for answer in contenders.values():
            answer(questions[0])
        for _ in range(rounds):
            for name, answer in contenders.items():
                start = time.process_time()
                for question in questions:
                    answer(question)
                seconds[name].append((time.process_time() - start) / QUESTIONS)
    medians = {name: statistics.median(taken) for name, taken in seconds.items()}
    print(f"{CANDIDATES} candidates, one thread, median of {rounds} rounds")
    for name, taken in seconds.items():
        print(f"{name:20} {medians[name] * 1e3:8.1f} ms ({min(taken) * 1e3:.1f} to {max(taken) * 1e3:.1f})")
    for slow, fast in (
        ("float32", "int8"),
        ("float32, one batch", "float32"),
        ("float32, one batch", "int8"),
        ("float32", "hybrid + CTRN"),
        ("int8", "hybrid + CTRN"),
    ):
        print(f"{fast} against {slow}: {medians[slow] / medians[fast]:.1f}x as fast")


def ranking(ranker: AnswerRanker) -> Callable[[Question], object]:
    """A ranker as it is used."""
    return lambda question: ranker.run(*question)


def one_batch(ranker: AnswerRanker) -> Callable[[Question], object]:
    """The same model over all pairs at once."""
    ranker.warm_up()
    loaded = ranker._warm()

    @torch.inference_mode()
    def score(question: Question) -> object:
        query, documents = question
        return loaded.model.score(loaded.collator(ranker._records(query, {}, documents)))

    return score


def shipped(
    folder: Path, answers: list[Document], others: list[str], generator: np.random.Generator
) -> Callable[[Question], object]:
    """Embedder, hybrid retriever and the default ranker, as in `answer.yaml`."""
    embedder = AnswerSelectionTextEmbedder()
    embedder.warm_up()
    width = len(embedder.run(text="a")["embedding"])
    entries = [*answers, *(Document(content=other) for other in others)]
    vectors = generator.normal(size=(len(entries), width))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    store = TantivyDocumentStore(path=folder / "index")
    store.write_documents(
        [replace(entry, embedding=vector.tolist()) for entry, vector in zip(entries, vectors, strict=True)]
    )
    retriever = TantivyHybridRetriever(document_store=store, top_k=CANDIDATES)
    ranker = AnswerRanker(device=CPU, vector_meta_field="answer_vector")

    def answer(question: Question) -> object:
        embedding = embedder.run(text=question[0])["embedding"]
        found = retriever.run(query=question[0], query_embedding=embedding)["documents"]
        return ranker.run(query=question[0], documents=found[:CANDIDATES])

    return answer


if __name__ == "__main__":
    main()
