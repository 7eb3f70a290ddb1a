# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
How much slower a question to the shipped pipeline is beside processes that keep the processor busy.

    python tests/benchmarks/busy_query_speed.py

The index is the bundled FAQ's, questions are people's own, and torch takes as many threads as it does by default.
Rounds with nothing beside them and rounds beside four busy loops take turns. Asked: at most 4 times the time, of the
medians; with two cores for five processes, more than 2.5 times is to be expected. Processor time tells what the
machine's other work does to the first.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path

import torch
from haystack import Pipeline
from library_pipeline import library_pipeline, library_questions

ASKED = 4.0
# A loop ends by itself, should this process be killed before it can end it. It says when it begins.
LOOP = "import time; end = time.monotonic() + 60; print(flush=True)\nwhile time.monotonic() < end: pass"


def main() -> int:
    """Prints the medians and their ratio; the exit code is 1 if the ratio is above the one that is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5, help="of each kind")
    parser.add_argument("--questions", type=int, default=40, help="a round")
    parser.add_argument("--loops", type=int, default=4)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        return measure(library_pipeline(Path(folder) / "index"), arguments)


def measure(pipeline: Pipeline, arguments: argparse.Namespace) -> int:
    """Ask in turns, alone and beside the loops."""
    questions = iter(library_questions())

    def asked() -> Iterator[tuple[float, float]]:
        """What a round of new questions took, in seconds of the clock and of the processor."""
        for question in islice(questions, arguments.questions):
            start, used = time.perf_counter(), time.process_time()
            pipeline.run({"query": question})
            yield time.perf_counter() - start, time.process_time() - used

    load = os.getloadavg()[0]
    list(asked())  # compiled kernels, allocations
    alone: list[tuple[float, float]] = []
    beside: list[tuple[float, float]] = []
    for _ in range(arguments.rounds):
        alone += asked()
        with busy(arguments.loops):
            beside += asked()

    print(
        f"{torch.get_num_threads()} threads, {os.cpu_count()} processors, load {load:.1f} at the start, "
        f"{arguments.rounds} rounds of {arguments.questions} questions each"
    )
    for name, taken in (("alone", alone), (f"beside {arguments.loops} loops", beside)):
        clock, processor = (1000 * statistics.median(each) for each in zip(*taken, strict=True))
        print(f"{name:16}{clock:8.1f} ms, {processor:6.1f} ms of processor time")
    ratio = statistics.median(clock for clock, _ in beside) / statistics.median(clock for clock, _ in alone)
    print(f"{ratio:.2f}x the time; at most {ASKED:g}x asked")
    return int(ratio > ASKED)


@contextmanager
def busy(loops: int) -> Iterator[None]:
    """Keep as many processes running that do nothing but run."""
    processes = [subprocess.Popen([sys.executable, "-c", LOOP], stdout=subprocess.PIPE) for _ in range(loops)]
    try:
        for process in processes:
            assert process.stdout is not None
            process.stdout.readline()
        yield
    finally:
        for process in processes:
            process.kill()
            process.communicate()


if __name__ == "__main__":
    raise SystemExit(main())
