# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
How many questions a second `answer-selection serve` answers one client and 64, at 127.0.0.1.

The service has the bundled FAQ, the default model if none is named, and one process a core. Rounds of one client and
of all take turns. Every client asks its next question when it has the answer to the last. All clients have to get 1.7
times one client's answers, none of them an error, 99 of 100 within two seconds, and the memory of the service may not
grow by more than a twentieth after the first round.

    python tests/benchmarks/serving_load.py --seconds 30 --rounds 5
    python tests/benchmarks/serving_load.py --seconds 360 --rounds 3 --clients 16 --page
"""

import argparse
import asyncio
import contextlib
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import psutil

from answer_selection.pipelines.serving.app import ASK
from answer_selection.pipelines.serving.trial import TRY

LIBRARY = Path(__file__).parents[2] / "indexing" / "library_faq"
PROGRAM = Path(sys.executable).with_name("answer-selection")
FACTOR, SLOWEST, GROWTH = 1.7, 2.0, 1.05


class Round:
    """What some clients saw: how long each answer took, and what was no answer."""

    def __init__(self, questions: list[str], path: str, clients: int) -> None:
        self.questions, self.path, self.clients = questions, path, clients
        self.seconds: list[float] = []
        self.errors: list[str] = []
        self.lasted = 0.0

    def run(self, host: str, port: int, seconds: float) -> "Round":
        asyncio.run(self._run(host, port, seconds))
        return self

    async def _run(self, host: str, port: int, seconds: float) -> None:
        start = time.perf_counter()
        numbers = count()
        await asyncio.gather(*(self._ask(host, port, start + seconds, numbers) for _ in range(self.clients)))
        self.lasted = time.perf_counter() - start

    async def _ask(self, host: str, port: int, end: float, numbers: Iterator[int]) -> None:
        reader, writer = await asyncio.open_connection(host, port)
        while (start := time.perf_counter()) < end:
            body = json.dumps({"question": self.questions[next(numbers) % len(self.questions)]}).encode()
            head = f"POST {self.path} HTTP/1.1\r\nHost: {host}\r\nContent-Length: {len(body)}\r\n\r\n".encode()
            writer.write(head + body)
            try:
                headers = await reader.readuntil(b"\r\n\r\n")
                answer = await reader.readexactly(int(re.search(rb"content-length: (\d+)", headers)[1]))
            except (OSError, EOFError) as error:
                self.errors.append(repr(error))
                return
            if headers.split(maxsplit=2)[1] == b"200":
                self.seconds.append(time.perf_counter() - start)
            else:
                self.errors.append(answer.decode())
        writer.close()

    @property
    def a_second(self) -> float:
        return len(self.seconds) / self.lasted


@contextlib.contextmanager
def service(workers: int, model: str | None) -> Iterator[tuple[psutil.Process, str, int]]:
    """The service, when it answers; its log is left out."""
    with tempfile.TemporaryDirectory() as folder:
        index = Path(folder) / "faq-index"
        subprocess.run([PROGRAM, "index", LIBRARY / "faq.jsonl", "--index", index], check=True, capture_output=True)
        log = Path(folder) / "service.log"
        with log.open("wb") as output:
            named = () if model is None else ("--model", model)
            arguments = ("--port", "0", "--index", index, "--workers", str(workers), *named)
            process = psutil.Popen([PROGRAM, "serve", *arguments], stderr=output)
        try:
            while (told := re.search(r"answering at http://([\d.]+):(\d+)", log.read_text())) is None:
                if process.poll() is not None:
                    sys.exit(f"the service ended:\n{log.read_text()}")
                time.sleep(0.2)
            yield process, told[1], int(told[2])
        finally:
            process.terminate()
            process.wait()


def mebibytes(process: psutil.Process) -> float:
    """The memory of a process and those that it started; what they share counts once a process."""
    return sum(each.memory_info().rss for each in (process, *process.children(recursive=True))) / 2**20


def main() -> int:
    """Prints the rates; the exit code is 1 if something is not as it has to be."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=10, help="of each round of one client, and of all")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--clients", type=int, default=64)
    parser.add_argument("--page", action="store_true", help="ask as the page does, which gets more of each answer")
    parser.add_argument("--workers", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--model", help="a model's folder or name, in place of the default")
    arguments = parser.parse_args()
    questions = [json.loads(line)["query"] for line in (LIBRARY / "test.jsonl").read_text().splitlines()]
    path = TRY if arguments.page else ASK

    with service(arguments.workers, arguments.model) as (process, host, port):
        Round(questions, path, arguments.clients).run(host, port, arguments.seconds)
        before = mebibytes(process)
        ones, alls = [], []
        for _ in range(arguments.rounds):
            ones.append(Round(questions, path, 1).run(host, port, arguments.seconds))
            alls.append(Round(questions, path, arguments.clients).run(host, port, arguments.seconds))
        after = mebibytes(process)

    for name, rounds in (("1 client", ones), (f"{arguments.clients} clients", alls)):
        seconds = [second for each in rounds for second in each.seconds]
        cuts = statistics.quantiles(seconds, n=100)
        rates = ", ".join(f"{each.a_second:.1f}" for each in rounds)
        median, slow = 1000 * cuts[49], 1000 * cuts[98]
        print(f"{name}: {len(seconds)} answers, {rates} a second; p50 {median:.0f} ms, p99 {slow:.0f} ms")
    errors = [error for each in (*ones, *alls) for error in each.errors]
    factor = statistics.median(many.a_second / one.a_second for one, many in zip(ones, alls, strict=True))
    print(f"{arguments.clients} clients get {factor:.2f}x one client's answers; asked for: {FACTOR}x")
    print(f"errors: {len(errors)} {errors[:3]}")
    print(f"memory: {before:.0f} MiB after the first round, {after:.0f} MiB at the end")
    missed = factor < FACTOR or cuts[98] >= SLOWEST or errors or after > GROWTH * before
    return int(bool(missed))


if __name__ == "__main__":
    sys.exit(main())
