# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
How fast a CoreNLP server on this machine parses WikiQA's answers: several requests at once against one at a time.

The server is the tests' own. Both ways parse the same answers in turn, without a cache; the server is warm. With
`--keep FILE` every different answer is parsed after that into that cache of trees, as `answer-selection parse` does,
and the total time printed, then every question; a training run's `--tree-cache` takes the file.

    python tests/benchmarks/corenlp_speed.py --data ../shared/data
"""

import argparse
import statistics
import sys
import time
from pathlib import Path
from random import Random

from answer_selection.indexing.candidates import read_candidates
from haystack_integrations.components.preprocessors.answer_selection.corenlp import CoreNLPBackend
from haystack_integrations.components.preprocessors.answer_selection.parsing import parse_texts
from haystack_integrations.components.preprocessors.answer_selection.tree_cache import TreeCache

sys.path.insert(0, str(Path(__file__).parents[1]))
from corenlp_server import CoreNLPServer

ASKED = 1.7
PARTS = ("train", "dev", "test")


def main() -> int:
    """Prints the table; the exit code is 1 if parallel requests gain less than asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="the folder that has the folder wikiqa")
    parser.add_argument("--answers", type=int, default=300, help="how many different ones a round parses")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--parallel", type=int, default=4, help="requests at once")
    parser.add_argument("--keep", type=Path, help="parse every answer, after the rounds, into this cache of trees")
    arguments = parser.parse_args()
    lists = [one for part in PARTS for one in read_candidates(arguments.data / "wikiqa" / part)]
    answers = list(dict.fromkeys(candidate.answer for one in lists for candidate in one.candidates))
    some = Random(0).sample(answers, min(arguments.answers, len(answers)))

    with CoreNLPServer(heap="3g") as server:
        ways = {count: CoreNLPBackend(server.url, parallel_requests=count) for count in (1, arguments.parallel)}
        for backend in ways.values():
            backend.parse(some[:50])
        times: dict[int, list[float]] = {count: [] for count in ways}
        for _ in range(arguments.rounds):
            for count, backend in ways.items():
                times[count].append(timed(backend, some))
        print(f"{len(some)} of WikiQA's {len(answers):,} answers, median of {arguments.rounds} rounds (least, most)")
        for count, taken in times.items():
            told = f"{statistics.median(taken):6.1f} s ({min(taken):.1f}, {max(taken):.1f})"
            print(f"{count} at once: {told}, {1000 * statistics.median(taken) / len(some):.0f} ms an answer")
        one, several = (statistics.median(taken) for taken in times.values())
        print(f"{one / several:.2f}x, at least {ASKED}x was asked")
        if arguments.keep:
            start = time.perf_counter()
            parse_texts(ways[arguments.parallel], answers, TreeCache(arguments.keep))
            print(f"all {len(answers):,} answers: {(time.perf_counter() - start) / 60:.1f} minutes")
            parse_texts(ways[arguments.parallel], [one.query for one in lists], TreeCache(arguments.keep))
    return int(one / several < ASKED)


def timed(backend: CoreNLPBackend, texts: list[str]) -> float:
    """The seconds that texts take."""
    start = time.perf_counter()
    backend.parse(texts)
    return time.perf_counter() - start


if __name__ == "__main__":
    raise SystemExit(main())
