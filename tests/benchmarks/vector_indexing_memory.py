# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
The most memory that building an index on disk takes with vectors, for 100,000 and for 1,000,000 entries.

The encoder is none: it draws vectors of 384 numbers by their texts' hashes, so that what is measured is the indexing.
Each build is a process of its own, whose most memory (without the index's files, which the system maps) is what counts;
a second one then finds that all vectors are there, and removes nothing.

    python tests/benchmarks/vector_indexing_memory.py
"""

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.elasticsearch_indexing_memory import write_entries

AT_MOST = 1.3
# Prints how many entries were encoded, and the most memory that was not a mapped file, which a thread looks at all the
# time.
BUILD = """
import re, sys, threading, time
from pathlib import Path

most = 0
def watch():
    global most
    while True:
        most = max(most, int(re.search(r"RssAnon:\\s+(\\d+)", Path("/proc/self/status").read_text())[1]))
        time.sleep(0.02)
threading.Thread(target=watch, daemon=True).start()
sys.path.insert(0, sys.argv[1])
from answer_selection.indexing.building.embedded import build_index
from answer_selection.indexing.sources import Sources
from hash_encoder import HashEncoder
from haystack_integrations.document_stores.tantivy import TantivyDocumentStore
store, sources = TantivyDocumentStore(path=sys.argv[3]), Sources([Path(sys.argv[2])], strict=True)
encoder = HashEncoder(dimension=384)
# It keeps the texts, for tests.
report = build_index(store, sources, encoder=encoder, remove_missing=True, progress=lambda _: encoder.texts.clear())
print(report.encoded, most)
"""


def build(corpus: Path, index: Path) -> tuple[int, float, float]:
    """Build an index; say how many entries were encoded, how many MiB that took at most, and how many seconds."""
    start = time.perf_counter()
    command = [sys.executable, "-c", BUILD, Path(__file__).parents[1], corpus, index]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(done.stderr)
    encoded, most = map(int, done.stdout.split())
    return encoded, most / 1024, time.perf_counter() - start


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--entries", type=int, nargs="+", default=[100_000, 1_000_000])
    options = parser.parse_args()

    most = []
    with tempfile.TemporaryDirectory() as folder:
        for number in options.entries:
            corpus, index = write_entries(Path(folder) / "corpus.jsonl", number), Path(folder) / f"index-{number}"
            encoded, first, seconds = build(corpus, index)
            again, second, seconds_again = build(corpus, index)
            most.append(max(first, second))
            print(
                f"{number:9,} entries, {encoded:,} encoded: {first:.0f} MiB, {seconds:.0f} s; "
                f"the same again, {again:,} encoded: {second:.0f} MiB, {seconds_again:.0f} s",
                flush=True,
            )
    ratio = most[-1] / most[0]
    print(f"memory: {ratio:.2f}x for {options.entries[-1] / options.entries[0]:.0f}x the entries (at most {AT_MOST}x)")
    sys.exit(ratio > AT_MOST)


if __name__ == "__main__":
    main()
