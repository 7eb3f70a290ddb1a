# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Processes that answer questions, each with the pipeline loaded; the index is one for all."""

import asyncio
import logging
import multiprocessing
import queue
import threading
from concurrent.futures import Future, ThreadPoolExecutor, wait
from types import TracebackType

from answer_selection.indexing.cores import usable_cores
from answer_selection.pipelines.serving.answers import Answers
from answer_selection.pipelines.serving.errors import UnavailableError
from answer_selection.pipelines.serving.question import Question
from answer_selection.pipelines.serving.worker import Loaded, Served, work

_SECONDS_TO_CHECK = 5

logger = logging.getLogger(__name__)


class LoadError(RuntimeError):
    """The pipeline can't be loaded; the message says why."""


class Workers:
    """
    Processes with the same pipeline, which end with the context.

    :param served: The pipeline.
    :param number: How many.
    :raises LoadError: If the pipeline can't be loaded.
    """

    def __init__(self, served: Served, number: int) -> None:
        # One alone has as many as torch chooses; several have together as many as there are cores.
        threads = None if number == 1 else max(1, usable_cores() // number)
        self._threads = ThreadPoolExecutor(number, thread_name_prefix="worker")
        # One a process, and one that waits for them.
        self._checking = ThreadPoolExecutor(number + 1, thread_name_prefix="check")
        self._look: asyncio.Future[None] | None = None
        # Of each process the last look at it.
        self._looks: dict[_Worker, Future[None]] = {}
        self._idle: queue.SimpleQueue[_Worker] = queue.SimpleQueue()
        self._every = [_Worker(served, threads) for _ in range(number)]
        try:
            for worker in self._every:
                worker.wait_until_loaded()
                self._idle.put(worker)
        except BaseException:
            self.close()
            raise

    @property
    def language(self) -> str | None:
        """Of the stemmer of the pipeline's index; None does not stem."""
        return self._every[0].language

    def __enter__(self) -> "Workers":
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """End the processes, with what they are at."""
        for worker in self._every:
            worker.close()
        for threads in (self._threads, self._checking):
            threads.shutdown(cancel_futures=True)

    async def answer(self, questions: list[Question]) -> list[Answers | Exception]:
        """
        Answer questions together, in a process that is idle.

        :param questions: The questions.
        :returns: One outcome a question, in their order.
        :raises UnavailableError: If the process ended meanwhile. Another one takes its place.
        """
        return await asyncio.get_running_loop().run_in_executor(self._threads, self._answer, questions)

    def _answer(self, questions: list[Question]) -> list[Answers | Exception]:
        worker = self._idle.get()
        try:
            return worker.answer(questions)
        finally:
            self._idle.put(worker)

    async def check(self) -> None:
        """
        Make sure that questions can be answered.

        A process that is busy says it all the same. One that ended is replaced.

        :raises UnavailableError: If they can't; the message says why.
        """
        # All who want to know at the same time share one look.
        if self._look is None or self._look.done():
            self._look = asyncio.get_running_loop().run_in_executor(self._checking, self._check)
        try:
            async with asyncio.timeout(_SECONDS_TO_CHECK):
                await asyncio.shield(self._look)
        except TimeoutError as error:
            msg = f"the index did not answer within {_SECONDS_TO_CHECK} s"
            raise UnavailableError(msg) from error

    def _check(self) -> None:
        for _ in self._every:
            try:
                worker = self._idle.get_nowait()
            except queue.Empty:
                break
            try:
                worker.revive()
            except UnavailableError as error:
                # Others may answer.
                logger.warning("%s", error)
            finally:
                self._idle.put(worker)
        # While one loads, the others answer.
        ready = [worker for worker in self._every if worker.is_loaded] or self._every
        for worker in ready:
            # A pipe is read by one at a time.
            if worker not in self._looks or self._looks[worker].done():
                self._looks[worker] = self._checking.submit(worker.check)
        done, hanging = wait([self._looks[worker] for worker in ready], timeout=_SECONDS_TO_CHECK / 2)
        for look in done:
            look.result()
        if hanging and not done:
            msg = f"no process answered within {_SECONDS_TO_CHECK / 2} s"
            raise UnavailableError(msg)


class _Worker:
    """One process, and this side of the pipes to it."""

    def __init__(self, served: Served, threads: int | None) -> None:
        self._served, self._threads = served, threads
        self.language: str | None = None
        self._closed = False
        self._lock = threading.Lock()
        self._start()

    def _start(self) -> None:
        # A copy of this process (fork) would lack the threads of what it holds already.
        context = multiprocessing.get_context("spawn")
        self._questions, questions = context.Pipe()
        self._checks, checks = context.Pipe()
        arguments = (self._served, self._threads, questions, checks)
        self._process = context.Process(target=work, args=arguments, daemon=True)
        self._process.start()
        # With the other ends in that process alone, its end is the end of what can be read here.
        questions.close()
        checks.close()
        self.is_loaded = False

    def wait_until_loaded(self) -> None:
        """
        Wait for the pipeline.

        :raises LoadError: If it can't be loaded.
        """
        try:
            loaded: Loaded = self._questions.recv()
        except EOFError:
            loaded = Loaded(error="the process that loads the pipeline ended; there may be too little memory")
        if loaded.error:
            raise LoadError(loaded.error)
        if loaded.waits_for:
            logger.warning("answering 503 until this is mended: %s", loaded.waits_for)
        self.language = loaded.language
        self.is_loaded = True

    def answer(self, questions: list[Question]) -> list[Answers | Exception]:
        """
        Send questions, wait for the answers.

        :param questions: The questions.
        :returns: One outcome a question.
        :raises UnavailableError: If there is no process that could answer.
        """
        try:
            if not self.is_loaded:
                self.wait_until_loaded()
            self._questions.send(questions)
            outcomes: list[Answers | Exception] = self._questions.recv()
        except (EOFError, OSError) as error:
            self._restart()
            msg = "the process that had the question ended; ask again"
            raise UnavailableError(msg) from error
        except LoadError as error:
            self._restart()
            raise UnavailableError(str(error)) from error
        return outcomes

    def revive(self) -> None:
        """
        Replace the process if it ended. Only for one that is not asked anything meanwhile.

        :raises UnavailableError: If it could not load the pipeline; the message says why.
        """
        try:
            if not self.is_loaded and self._questions.poll():
                self.wait_until_loaded()
        except LoadError as error:
            self._restart()
            raise UnavailableError(str(error)) from error
        if not self._process.is_alive():
            self._restart()

    def check(self) -> None:
        """
        Ask the process whether it could answer.

        :raises UnavailableError: If not; the message says why.
        """
        checks = self._checks  # a new process would bring another, which was asked nothing
        try:
            checks.send(None)
            problem: str | None = checks.recv()
        except (EOFError, OSError) as error:
            problem = "the process that answers ended"
            raise UnavailableError(problem) from error
        if problem:
            raise UnavailableError(problem)

    def _restart(self) -> None:
        with self._lock:
            if self._closed:
                return
            logger.error("a process that answers questions ended; a new one takes its place")
            self._end()
            self._questions.close()
            self._start()

    def _end(self) -> None:
        self._process.kill()
        self._process.join()

    def close(self) -> None:
        """End the process, and whatever waits for its answer."""
        with self._lock:
            self._closed = True
            self._end()
