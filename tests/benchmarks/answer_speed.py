# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
How long the shipped pipeline takes for a question, against a cross-encoder that reads the same candidates.

The index is the bundled FAQ's, as `answer-selection index` makes it; the questions are people's own, and none comes
twice. The cross-encoder has MiniLM-L6's shape, random weights and a tokenizer of these texts, in which almost all words
are one piece: its best case. It is run by sentence-transformers (the faster one of two batch sizes counts) and, in
float32 and in 8 bits, by this package. It reads the 30 candidates that the pipeline's retriever found; the pipeline is
measured with the package's GSAMN, which reads few of them, and with its CTRN. "A CTRN without an index" is the latter,
given texts that it has not seen. All take turns on one thread of one process; what is printed are medians of the
process's own time for a question, so that others on the machine count less.

    OMP_NUM_THREADS=1 python tests/benchmarks/answer_speed.py
"""

import argparse
import os
import statistics
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from haystack import Document, Pipeline
from haystack.utils import ComponentDevice
from library_pipeline import LIBRARY, library_pipeline, library_questions
from pair_ranker_speed import write
from sentence_transformers import CrossEncoder

from answer_selection.indexing.corpus import iter_corpus
from answer_selection.pipelines.definitions import pipeline_yaml
from haystack_integrations.components.rankers.answer_selection import AnswerRanker, CTRNRanker

BATCH_SIZES = (16, 32)
WARM_UP = 40
ASKED = 20.0
PEER = "cross-encoder, sentence-transformers"
PIPELINE, RANKER, NEW = "the whole pipeline", "its ranker", "a CTRN without an index"
CTRN = "the whole pipeline, with CTRN"

Way = Callable[[str, list[Document]], object]


def main() -> int:
    """Prints the table; the exit code is 1 if the pipeline with CTRN is below the factor that is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--questions", type=int, default=5, help="a round")
    options = parser.parse_args()
    if os.environ.get("OMP_NUM_THREADS") != "1":
        parser.error("set OMP_NUM_THREADS=1: everything is measured on one thread")

    questions = library_questions()
    with tempfile.TemporaryDirectory() as folder:
        model = Path(folder) / "model"
        write(model, [*questions, *(f"{one.question} {one.answer}" for one in iter_corpus(LIBRARY / "faq.jsonl"))], 6)
        pipeline = library_pipeline(index := Path(folder) / "index")
        with_ctrn = pipeline_yaml.load(
            pipeline_yaml.point_at(pipeline_yaml.read("answer"), index=index, model="answer-selection-ctrn")
        )
        with_ctrn.warm_up()

        def candidates(question: str) -> list[Document]:
            ran = pipeline.run({"query": question}, include_outputs_from={"retriever"})
            return list(ran["retriever"]["documents"])

        for question in questions[:WARM_UP]:
            candidates(question)
        seconds = measure(
            ways(pipeline, with_ctrn, model), candidates, questions[WARM_UP:], options.rounds, options.questions
        )
    medians = {name: statistics.median(taken) for name, taken in seconds.items()}
    peer = min(median for name, median in medians.items() if name.startswith(PEER))
    print(
        f"one question, 30 candidates, one thread, median of {options.rounds} rounds of {options.questions} questions"
    )
    for name, taken in seconds.items():
        spread = f"{min(taken) * 1e3:.1f} to {max(taken) * 1e3:.1f}"
        print(f"{name:44} {medians[name] * 1e3:8.1f} ms ({spread}) {peer / medians[name]:6.1f}x")
    factor = peer / medians[CTRN]
    print(f"the pipeline with CTRN is {factor:.1f}x as fast as the cross-encoder alone (asked for: {ASKED:.0f}x)")
    return int(factor < ASKED)


def ways(pipeline: Pipeline, with_ctrn: Pipeline, model: Path) -> dict[str, Way]:
    """Everything that takes turns, given a question and its candidates."""
    cpu = ComponentDevice.from_str("cpu")
    peer = CrossEncoder(str(model), device="cpu")
    ranker = pipeline.get_component("ranker")
    new = CTRNRanker(device=cpu, meta_fields_to_embed=["question"], answer_cache_mib=0)
    fields = {"meta_fields_to_embed": ["question"], "device": cpu, "model": model}
    whole, eighth = AnswerRanker(dtype="float32", **fields), AnswerRanker(dtype="int8", **fields)
    found: dict[str, Way] = {
        # The question has been asked for its candidates: another word makes it a new one.
        PIPELINE: lambda question, _: pipeline.run({"query": f"{question} please"}),
        RANKER: lambda question, documents: ranker.run(query=f"and {question}", documents=documents),
        CTRN: lambda question, _: with_ctrn.run({"query": f"{question} thanks"}),
        NEW: lambda question, documents: new.run(query=question, documents=[bare(one) for one in documents]),
    }
    for size in BATCH_SIZES:
        found[f"{PEER}, batches of {size}"] = lambda question, documents, size=size: peer.rank(
            question, [text(one) for one in documents], batch_size=size, show_progress_bar=False
        )
    found["cross-encoder, this package"] = lambda question, documents: whole.run(query=question, documents=documents)
    found["the same in 8 bits"] = lambda question, documents: eighth.run(query=question, documents=documents)
    return found


def text(document: Document) -> str:
    """What a ranker reads of an entry."""
    return f"{document.meta['question']}\n{document.content}"


def bare(document: Document) -> Document:
    """An entry as another index would give it: its texts and one score."""
    return replace(document, meta={"question": document.meta["question"]}, embedding=None)


def measure(
    contenders: dict[str, Way],
    candidates: Callable[[str], list[Document]],
    questions: list[str],
    rounds: int,
    a_round: int,
) -> dict[str, list[float]]:
    """The process's seconds for a question, round by round; the first round warms up."""
    seconds: dict[str, list[float]] = {name: [] for name in contenders}
    for turn in range(rounds + 1):
        asked = [(one, candidates(one)) for one in questions[turn * a_round : (turn + 1) * a_round]]
        for name, answer in contenders.items():
            start = time.process_time()
            for question, documents in asked:
                answer(question, documents)
            if turn:
                seconds[name].append((time.process_time() - start) / a_round)
    return seconds


if __name__ == "__main__":
    raise SystemExit(main())
