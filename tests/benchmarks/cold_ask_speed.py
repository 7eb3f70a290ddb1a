# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
What a cold `answer-selection ask` takes of the processor's time, against importing Haystack, torch included.

Each is a process of its own, in turn; what is printed are medians over rounds of its user and system time, and its
memory at the highest. The index is the bundled FAQ's, and its ranker the package's.

    OMP_NUM_THREADS=1 python tests/benchmarks/cold_ask_speed.py
"""

import argparse
import os
import statistics
import subprocess
import sys
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory

MOST = 2.5


def run(arguments: list[str]) -> tuple[float, float]:
    """Seconds of processor time of a process, and MiB of memory."""
    with subprocess.Popen(arguments, stdout=subprocess.DEVNULL) as process:
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, arguments)
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def main() -> int:
    """Prints the table; the exit code is 1 if a cold `ask` takes longer than asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=7)
    options = parser.parse_args()
    if os.environ.get("OMP_NUM_THREADS") != "1":
        parser.error("set OMP_NUM_THREADS=1: everything is measured on one thread")

    command = [str(Path(sys.executable).with_name("answer-selection"))]
    faq = str(files("answer_selection.indexing.library_faq") / "faq.jsonl")
    used: dict[str, list[tuple[float, float]]] = {"import haystack": [], "ask": []}
    with TemporaryDirectory() as folder:
        index = str(Path(folder) / "faq-index")
        run([*command, "index", faq, "--index", index])
        for turn in range(options.rounds + 1):
            haystack = run([sys.executable, "-c", "import haystack"])
            ask = run([*command, "ask", "How long can I keep a book?", "--index", index])
            if turn:  # the first round fills the disk's cache
                used["import haystack"].append(haystack)
                used["ask"].append(ask)
    medians = {name: statistics.median(seconds for seconds, _ in values) for name, values in used.items()}
    for name, values in used.items():
        spread = f"{min(values)[0]:.1f} to {max(values)[0]:.1f}"
        print(f"{name:16} {medians[name]:5.1f} s ({spread}), {max(memory for _, memory in values):,.0f} MiB")
    factor = medians["ask"] / medians["import haystack"]
    print(f"a cold ask takes {factor:.1f}x as long as importing Haystack (asked for: at most {MOST}x)")
    return int(factor > MOST)


if __name__ == "__main__":
    raise SystemExit(main())
