# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Asking again for what a cluster can't do just now: a node is gone, another takes its place, or all are busy."""

import time
from collections.abc import Callable
from threading import Event
from typing import Final, TypeVar

from elastic_transport import ApiError, ConnectionError, ConnectionTimeout, TlsError  # noqa: A004
from tenacity import RetryCallState, Retrying, retry_if_exception, wait_random_exponential

from answer_selection.indexing.elasticsearch.connection import ElasticsearchError

T = TypeVar("T")

PATIENCE: Final = 60.0
"""Seconds for which something is asked for again after it failed first."""

SERVER_PATIENCE: Final = 10.0
"""Seconds for which a server itself waits for a master, or for a shard, before it says that there is none."""

PASSING: Final = frozenset({429, 500, 502, 503, 504})
"""HTTP statuses of errors that may pass in a while."""

_TOO_MANY = 429
# Drawn at random: not all are to be in step, where several wait for the same.
_PAUSE: Final = wait_random_exponential(multiplier=0.2, min=0.05, max=10.0)


class TemporaryError(ElasticsearchError):
    """A part of what was asked for failed, and may be asked for again."""


def patiently(call: Callable[[], T], stop: Event | None = None) -> T:
    """
    Do something, and do it again after a failure that may pass, with pauses that get longer.

    :param call: What to do; a second time has to be as good as the first.
    :param stop: When this is set, the next failure is the last.
    :returns: What it returns.
    :raises Exception: What it raises, where that will not pass, or has not passed after :data:`PATIENCE`.
    """
    stopped = stop or Event()
    end: float | None = None

    def pause(state: RetryCallState) -> float:
        nonlocal end
        # Counted from the end of the first failure, which may itself have taken until a timeout.
        end = end or time.monotonic() + PATIENCE
        return min(_PAUSE(state), end - time.monotonic())

    def given_up(state: RetryCallState) -> bool:
        # The pause is made here, so that it ends at once when it is stopped.
        return state.upcoming_sleep <= 0 or stopped.wait(state.upcoming_sleep)

    retrying = Retrying(
        retry=retry_if_exception(_may_pass), wait=pause, stop=given_up, sleep=lambda _: None, reraise=True
    )
    return retrying(call)


def server_patience() -> str:
    """
    Give :data:`SERVER_PATIENCE` as requests have it: `master_timeout`, or the `timeout` of a bulk request.

    Servers would wait longer by themselves, and those who look on would not know for what.

    :returns: The time with its unit.
    """
    return f"{SERVER_PATIENCE:g}s"


def _may_pass(error: BaseException) -> bool:
    if isinstance(error, ApiError):
        # A full disk is said with 429 too, as a block of the index; 503 is that of a cluster which has just started.
        blocked = error.meta.status == _TOO_MANY and "cluster_block_exception" in str(error)
        return error.meta.status in PASSING and not blocked
    return isinstance(error, (ConnectionError, ConnectionTimeout, TemporaryError)) and not isinstance(error, TlsError)
