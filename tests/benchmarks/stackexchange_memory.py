# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
How much memory `answer-selection stackexchange` takes, at a dump of 20 MB and at one of 2 GB.

Dumps are generated: questions with none to four answers of HTML, of words drawn at random; an answer may come before
its question. The command runs as a process of its own, whose most memory is what Linux says of it (`VmHWM`).

    python tests/benchmarks/stackexchange_memory.py
"""

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from xml.sax.saxutils import quoteattr

ALLOWED = 1.2
WORDS = [f"{first}{second}{third}" for first in "bdfgklmnprst" for second in "aeiou" for third in "bdfgklmnprst"]

COMMAND = """
import re
from pathlib import Path
from answer_selection.pipelines.commands import cli
try:
    cli.main()
finally:
    print("most", re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text())[1])
"""


def main() -> int:
    """Prints the table; the exit code is 1 if the larger dump takes more than is allowed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--megabytes", type=int, nargs=2, default=[20, 2000])
    arguments = parser.parse_args()
    taken = []
    with tempfile.TemporaryDirectory() as folder:
        posts = Path(folder) / "Posts.xml"
        for megabytes in arguments.megabytes:
            write_dump(posts, megabytes * 1_000_000)
            start = time.perf_counter()
            command = [sys.executable, "-c", COMMAND, "stackexchange", posts, Path(folder) / str(megabytes)]
            done = subprocess.run(command, capture_output=True, text=True, check=True)
            taken.append(int(done.stdout.split()[-1]) / 1024)
            told = " ".join(done.stdout.partition("most")[0].split())
            seconds = time.perf_counter() - start
            print(f"{megabytes} MB: {taken[-1]:.0f} MiB at most, {seconds:.0f} s: {told}", flush=True)
    print(f"{taken[1] / taken[0]:.2f}x, allowed {ALLOWED}x")
    return int(taken[1] > taken[0] * ALLOWED)


def write_dump(path: Path, size: int) -> None:
    """Write posts until the file is as large as wanted."""
    with path.open("w", encoding="utf-8") as stream:
        stream.write('<?xml version="1.0" encoding="utf-8"?>\n<posts>\n')
        for row in rows():
            stream.write(row)
            if stream.tell() >= size:
                break
        stream.write("</posts>\n")


def rows() -> Iterator[str]:
    """Questions with their answers, half of which come in another order."""
    random = Random(0)
    number = 0
    while True:
        question, number = number + 1, number + 1
        posts = [
            f'  <row Id="{question}" PostTypeId="1" AcceptedAnswerId="{question + 1}" Score="1" '
            f'Title="{text(random, 9)}?" Body={quoteattr(body(random))} Tags="|{text(random, 1)}|" />\n'
        ]
        for _ in range(random.randrange(5)):
            number += 1
            posts.append(
                f'  <row Id="{number}" PostTypeId="2" ParentId="{question}" Score="{random.randrange(-1, 6)}" '
                f"Body={quoteattr(body(random))} />\n"
            )
        if question % 2:
            random.shuffle(posts)
        yield from posts


def body(random: Random) -> str:
    """Paragraphs, a list and code."""
    items = "".join(f"<li>{text(random, 8)}</li>" for _ in range(random.randrange(4)))
    code = "\n".join(text(random, 4) for _ in range(random.randrange(9)))
    paragraphs = "".join(f"<p>{text(random, 40)}</p>\n" for _ in range(random.randrange(1, 5)))
    return f"{paragraphs}<ul>{items}</ul>\n<pre><code>{code}\n</code></pre>"


def text(random: Random, words: int) -> str:
    """Words drawn at random."""
    return " ".join(random.choices(WORDS, k=words))


if __name__ == "__main__":
    raise SystemExit(main())
