# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
How much memory `answer-selection encode` takes, at 10,000 and at 100,000 answers of an index on disk.

Answers are 15 words drawn at random; the model is a QRNN with vectors of 300 numbers and random weights. The command
runs as a process of its own, whose most memory (without the index's files, which the system maps) is what counts.

    python tests/benchmarks/encode_memory.py
"""

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

from haystack import Document

from haystack_integrations.components.rankers.answer_selection.models import registry
from haystack_integrations.document_stores.tantivy import TantivyDocumentStore

ALLOWED_MIB = 150
WORDS = [f"{first}{second}{third}" for first in "bdfgklmnprst" for second in "aeiou" for third in "bdfgklmnprst"]

# Prints the most memory that was not a mapped file, which a thread looks at all the time.
COMMAND = """
import re, sys, threading, time
from pathlib import Path

most = 0
def watch():
    global most
    while True:
        most = max(most, int(re.search(r"RssAnon:\\s+(\\d+)", Path("/proc/self/status").read_text())[1]))
        time.sleep(0.02)
threading.Thread(target=watch, daemon=True).start()
from answer_selection.pipelines.commands import cli
try:
    cli.main()
finally:
    print(f"most {most}")
"""


def main() -> int:
    """Prints the table; the exit code is 1 if the larger index takes more than is allowed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--answers", type=int, nargs=2, default=[10_000, 100_000])
    arguments = parser.parse_args()
    taken = []
    with tempfile.TemporaryDirectory() as folder:
        model = Path(folder) / "model"
        sizes = {"embedding_size": 50, "projection_size": 50, "hidden_size": 300}
        registry.save(model, *registry.build("qrnn", WORDS, **sizes))
        for answers in arguments.answers:
            index = Path(folder) / f"index-{answers}"
            TantivyDocumentStore(path=index).write_documents(documents(answers))
            start = time.perf_counter()
            command = [sys.executable, "-c", COMMAND, "encode", "--index", index, "--model", model]
            done = subprocess.run(command, capture_output=True, text=True, check=True)
            taken.append(int(done.stdout.split()[-1]) / 1024)
            told = done.stdout.partition("most")[0].strip()
            print(f"{taken[-1]:6.0f} MiB at most, {time.perf_counter() - start:.0f} s: {told}", flush=True)
    return int(taken[1] > taken[0] + ALLOWED_MIB)


def documents(number: int) -> Iterator[Document]:
    """Answers that are all different."""
    random = Random(0)
    return (Document(id=f"a{n}", content=" ".join(random.choices(WORDS, k=15))) for n in range(number))


if __name__ == "__main__":
    raise SystemExit(main())
