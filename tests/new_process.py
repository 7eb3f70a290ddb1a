# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
Python processes that start at once.

To import torch and transformers takes a processor seven seconds. One process does that, once, and computes nothing;
those that tests ask for are forked from it. What reads the environment while it is imported, or is about imports, needs
`subprocess`, and the seven seconds.
"""

import multiprocessing
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TextIO

_SERVER = multiprocessing.get_context("forkserver")
_SERVER.set_forkserver_preload(
    [
        "elasticsearch",
        "haystack",
        "haystack_integrations.components.rankers.answer_selection.models.registry",
        "haystack_integrations.components.rankers.answer_selection.training.trainer",
        "haystack_integrations.document_stores.tantivy",
    ]
)
# As that of a process that nobody forked: transformers takes others for a data loader's.
_NAME = "MainProcess"


class NewProcess:
    """
    A program in a process of its own, which is spoken to.

    :param program: What comes after `python -c`.
    :param arguments: What comes after that.
    """

    def __init__(self, program: str, *arguments: object) -> None:
        read, answer = _SERVER.Pipe(duplex=False)
        hear, write = _SERVER.Pipe(duplex=False)
        with read, answer, hear, write:
            self._process = _SERVER.Process(name=_NAME, target=_spoken_to, args=(program, arguments, hear, answer))
            self._process.start()
            self.stdin: TextIO = os.fdopen(os.dup(write.fileno()), "w")
            self.stdout: TextIO = os.fdopen(os.dup(read.fileno()))

    @property
    def pid(self) -> int | None:
        """Its number."""
        return self._process.pid

    def kill(self) -> None:
        """End it at once (SIGKILL)."""
        self._process.kill()

    def wait(self) -> int | None:
        """Wait until it has ended; its exit code."""
        self._process.join()
        self.stdin.close()
        self.stdout.close()
        return self._process.exitcode


def python(
    program: str, *arguments: object, environment: Mapping[str, str] | None = None, folder: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """
    Run a program in a process of its own, and wait for it.

    :param program: What comes after `python -c`.
    :param arguments: What comes after that.
    :param environment: What it sees of the environment, over what this process sees.
    :param folder: Where it is started; by default here.
    :returns: What became of it.
    """
    seen = os.environ | (environment or {})
    with tempfile.TemporaryDirectory() as written:
        files = [Path(written, name) for name in ("out", "err")]
        given = (program, arguments, seen, folder or Path.cwd(), files)
        process = _SERVER.Process(name=_NAME, target=_run, args=given)
        process.start()
        process.join()
        texts = (path.read_text(encoding="utf-8") for path in files)
        return subprocess.CompletedProcess(["python", "-c", program, *arguments], process.exitcode or 0, *texts)


def _run(program: str, arguments: tuple, environment: Mapping[str, str], folder: Path, files: list[Path]) -> None:
    for number, path in enumerate(files, start=1):
        os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT), number)
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    _execute(program, arguments)


def _spoken_to(program: str, arguments: tuple, hear: Connection, answer: Connection) -> None:
    with hear, answer:
        os.dup2(hear.fileno(), 0)
        os.dup2(answer.fileno(), 1)
    # multiprocessing gives a process no input.
    sys.stdin = open(0, encoding="utf-8", closefd=False)
    _execute(program, arguments)


def _execute(program: str, arguments: tuple) -> None:
    sys.argv = ["-c", *map(str, arguments)]
    exec(program, {"__name__": "__main__"})
