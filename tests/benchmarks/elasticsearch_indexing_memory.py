# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
The most memory that `answer-selection index` takes for 100,000 and for 1,000,000 entries of a JSONL file.

Each is a process of its own, as a user starts it, that writes into a real Elasticsearch; a second one then finds that
all is there and nothing is to be removed, for which it looks at every id.

    python tests/benchmarks/elasticsearch_indexing_memory.py
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from elasticsearch_server import ElasticsearchNode

AT_MOST = 1.2
WORDS = [f"{a}{b}{c}" for a in ("ka", "lo", "mi", "tu") for b in "abcdefghij" for c in ("n", "rt", "ssen", "lik", "d")]
# Prints the most memory that it had in use, in KiB on Linux.
COMMAND = """
import resource, sys
from answer_selection.pipelines.commands.cli import main
try:
    main()
finally:
    print("peak", resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, flush=True)
"""


def write_entries(path: Path, number: int) -> Path:
    """Write a corpus of invented words."""
    generator = random.Random(0)
    with path.open("w", encoding="utf-8") as file:
        for i in range(number):
            words = generator.choices(WORDS, k=30)
            entry = {
                "id": f"entry-{i}",
                "question": " ".join(words[:8]),
                "answer": " ".join(words[8:]),
                "topic": i % 50,
            }
            file.write(json.dumps(entry) + "\n")
    return path


def index(corpus: Path, name: str, *options: str) -> tuple[float, float]:
    """Index a corpus; say how many MiB that took at most, and how many seconds."""
    start = time.perf_counter()
    typed = ["index", str(corpus), "--store", "elasticsearch", "--index", name, *options]
    done = subprocess.run([sys.executable, "-c", COMMAND, *typed], capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(done.stderr)
    unit = 2**20 if sys.platform == "darwin" else 2**10
    return int(done.stdout.split()[-1]) / unit, time.perf_counter() - start


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--entries", type=int, nargs="+", default=[100_000, 1_000_000])
    options = parser.parse_args()

    peaks = []
    with tempfile.TemporaryDirectory() as folder, ElasticsearchNode(heap="1g") as node:
        os.environ["ELASTICSEARCH_HOSTS"] = node.url
        for number in options.entries:
            corpus = write_entries(Path(folder) / "corpus.jsonl", number)
            name = f"memory-{number}"
            peak, seconds = index(corpus, name)
            again, seconds_again = index(corpus, name, "--update", "--remove-missing")
            peaks.append(max(peak, again))
            print(
                f"{number:9,} entries: {peak:.0f} MiB, {seconds:.0f} s ({number / seconds:,.0f} a second); "
                f"the same again, removing what is gone: {again:.0f} MiB, {seconds_again:.0f} s",
                flush=True,
            )
    ratio = peaks[-1] / peaks[0]
    print(f"memory: {ratio:.2f}x for {options.entries[-1] / options.entries[0]:.0f}x the entries (at most {AT_MOST}x)")
    sys.exit(ratio > AT_MOST)


if __name__ == "__main__":
    main()
