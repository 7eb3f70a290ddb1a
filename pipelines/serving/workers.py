# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Processes that answer questions, each with the pipeline loaded; the index is one for all."""

import asyncio
import logging
import multiprocessing
import os
import queue
import signal
import traceback
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.connection import Connection
from typing import Any

from answer_selection.pipelines.console import QUIET, is_expected, one_line
from answer_selection.pipelines.serving.answering import Answering, Answers, UnavailableError
from answer_selection.pipelines.serving.question import Question, QuestionError

logger = logging.getLogger(__name__)


class LoadError(RuntimeError):
    """The pipeline can't be loaded; the message says why."""


class FailedError(RuntimeError):
    """A fault of ours. The message is its traceback in the other process."""


class Workers:
    """
    Processes with the same pipeline.

    :param definition: The pipeline, as :mod:`pipeline_files` reads it.
    :param number: How many.
    :raises LoadError: If the pipeline can't be loaded.
    """

    def __init__(self, definition: dict[str, Any], number: int) -> None:
        if number > 1:
            # Together they have as many threads as there are cores. A new process reads it before it imports torch.
            cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
            os.environ.setdefault("OMP_NUM_THREADS", str(max(1, cores // number)))
        self.number = number
        self._threads = ThreadPoolExecutor(number, thread_name_prefix="worker")
        self._idle: queue.SimpleQueue[_Worker] = queue.SimpleQueue()
        self._every = [_Worker(definition) for _ in range(number)]
        try:
            for worker in self._every:
                worker.wait_until_loaded()
                self._idle.put(worker)
        except BaseException:
            self.close()
            raise

    async def answer(self, questions: list[Question]) -> list[Answers | Exception]:
        """
        Answer questions together, in a process that is idle.

        :param questions: The questions.
        :returns: One outcome a question, in their order, as :meth:`Answering.answer_many` has them.
        :raises UnavailableError: If the process ended meanwhile. Another one takes its place.
        """
        return await asyncio.get_running_loop().run_in_executor(self._threads, self._answer, questions)

    def _answer(self, questions: list[Question]) -> list[Answers | Exception]:
        worker = self._idle.get()
        try:
            return worker.answer(questions)
        finally:
            self._idle.put(worker)

    def close(self) -> None:
        """End the processes, with what they are at."""
        for worker in self._every:
            worker.close()
        self._threads.shutdown(cancel_futures=True)


class _Worker:
    """One process, and this side of the pipe to it."""

    def __init__(self, definition: dict[str, Any]) -> None:
        self._definition = definition
        self._closed = False
        self._start()

    def _start(self) -> None:
        # A copy of this process (fork) would lack the threads of what it holds already.
        context = multiprocessing.get_context("spawn")
        self._pipe, other = context.Pipe()
        self._process = context.Process(target=_work, args=(self._definition, other), daemon=True)
        self._process.start()
        other.close()
        self._loaded = False

    def wait_until_loaded(self) -> None:
        """
        Wait for the pipeline.

        :raises LoadError: If it can't be loaded.
        """
        try:
            failed, message = self._pipe.recv()
        except EOFError:
            failed, message = True, "the process that loads the pipeline ended; is there enough memory?"
        if failed:
            raise LoadError(message)
        if message:
            logger.warning(message)
        self._loaded = True

    def answer(self, questions: list[Question]) -> list[Answers | Exception]:
        """
        Send questions, wait for the answers.

        :param questions: The questions.
        :returns: One outcome a question.
        :raises UnavailableError: If there is no process that could answer.
        """
        try:
            if not self._loaded:
                self.wait_until_loaded()
            self._pipe.send(questions)
            outcomes: list[Answers | Exception] = self._pipe.recv()
        except (EOFError, OSError) as error:
            if not self._closed:
                logger.error("a process that answered %d questions ended; a new one takes its place", len(questions))
                self._restart()
            msg = "the process that was to answer ended; ask again"
            raise UnavailableError(msg) from error
        except LoadError as error:
            self._restart()
            raise UnavailableError(str(error)) from error
        return outcomes

    def _restart(self) -> None:
        self._end()
        self._pipe.close()
        self._start()

    def _end(self) -> None:
        self._process.kill()
        self._process.join()

    def close(self) -> None:
        """End the process, and whatever waits for its answer."""
        self._closed = True
        self._end()


def _work(definition: dict[str, Any], pipe: Connection) -> None:
    # The service ends its processes itself, once they are done. Signals to the whole group are not for them.
    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, signal.SIG_IGN)
    for name in QUIET:
        logging.getLogger(name).setLevel(logging.ERROR)
    waits_for = ""
    try:
        answering = Answering(definition)
        try:
            answering.warm_up()
        except UnavailableError as error:
            waits_for = str(error)
    except Exception as error:
        pipe.send((True, one_line(error) if is_expected(error) else traceback.format_exc()))
        return
    pipe.send((False, waits_for))
    while True:
        try:
            questions: Sequence[Question] = pipe.recv()
            pipe.send([_sendable(outcome) for outcome in answering.answer_many(questions)])
        except (EOFError, OSError):
            # The service ended.
            return


def _sendable(outcome: Answers | Exception) -> Answers | Exception:
    """Errors of others may not survive the way to another process."""
    if isinstance(outcome, (Answers, QuestionError, UnavailableError)):
        return outcome
    return FailedError("".join(traceback.format_exception(outcome)))
