# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""A process that answers questions. The other end of its pipes is in :mod:`workers`."""

import multiprocessing
import os
import signal
import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from threading import Thread
from typing import Any

from answer_selection.pipelines.messages import is_expected, one_line, silence_packages
from answer_selection.pipelines.serving.answers import Answers
from answer_selection.pipelines.serving.errors import FailedError, QuestionError, UnavailableError
from answer_selection.pipelines.serving.question import Question


@dataclass(frozen=True)
class Served:
    """Which pipeline answers, with which index and model; None is what the pipeline itself says."""

    pipeline: str
    index: str | None = None
    model: str | None = None


@dataclass(frozen=True)
class Loaded:
    """How the loading went: what is wrong, or what is still waited for, or neither; the language of the index."""

    error: str | None = None
    waits_for: str | None = None
    language: str | None = None


def work(served: Served, threads: int | None, questions: Connection, checks: Connection) -> None:
    """
    Answer questions until the service ends.

    :param served: The pipeline.
    :param threads: How many threads the pipeline's computations have; None is what the environment says.
    :param questions: Gets how the loading went first, then answers for questions.
    :param checks: Gets why no question can be answered, or None, for anything that is sent.
    """
    Thread(target=_end_with_parent, daemon=True).start()
    # The service ends its processes itself, once they are done. Signals to the whole group are not for them.
    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, signal.SIG_IGN)
    if threads is not None:
        # Read when torch is imported.
        os.environ.setdefault("OMP_NUM_THREADS", str(threads))
    silence_packages()
    try:
        from answer_selection.pipelines.serving.following import Following

        answering = Following(served.pipeline, served.index, served.model)
        loaded = Loaded(language=answering.language)
        try:
            answering.warm_up()
        except UnavailableError as error:
            loaded = Loaded(waits_for=str(error), language=answering.language)
    except Exception as error:
        questions.send(Loaded(error=one_line(error) if is_expected(error) else traceback.format_exc()))
        return

    def check(_: object) -> str | None:
        try:
            answering.check()
        except UnavailableError as error:
            return str(error)
        return None

    def answer(asked: Sequence[Question]) -> list[Answers | Exception]:
        return [_sendable(outcome) for outcome in answering.answer_many(asked)]

    questions.send(loaded)
    Thread(target=_reply, args=(checks, check), daemon=True).start()
    _reply(questions, answer)


def _end_with_parent() -> None:
    """End at once where the service was killed, also while the pipeline is loaded or something hangs."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


def _reply(pipe: Connection, function: Callable[[Any], object]) -> None:
    with suppress(EOFError, OSError):
        while True:
            pipe.send(function(pipe.recv()))


def _sendable(outcome: Answers | Exception) -> Answers | Exception:
    """Errors of others may not survive the way to another process."""
    if isinstance(outcome, (Answers, QuestionError, UnavailableError)):
        return outcome
    return FailedError("".join(traceback.format_exception(outcome)))
