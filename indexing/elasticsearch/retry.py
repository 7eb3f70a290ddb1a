# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Asking again for what a cluster can't do just now: a node is gone, another takes its place, or all are busy."""

import random
import time
from collections.abc import Callable
from threading import Event
from typing import Final, TypeVar

from answer_selection.indexing.elasticsearch.connection import ElasticsearchError
from elastic_transport import ApiError, ConnectionError, ConnectionTimeout, TlsError  # noqa: A004

T = TypeVar("T")

PATIENCE: Final = 60.0
"""Seconds for which something is asked for again after it failed first."""

SERVER_PATIENCE: Final = 10.0
"""Seconds for which a server itself waits for a master, or for a shard, before it says that there is none."""

PASSING: Final = frozenset({429, 500, 502, 503, 504})
"""What an HTTP status says that may be over in a while."""

_TOO_MANY = 429
_FIRST_PAUSE, _LONGEST_PAUSE = 0.1, 5.0


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
    end: float | None = None
    pause = _FIRST_PAUSE
    while True:
        try:
            return call()
        except (ApiError, ConnectionError, ConnectionTimeout, TemporaryError) as error:
            if not _may_pass(error):
                raise
            now = time.monotonic()
            # Counted from the end of the first failure, which may itself have taken until a timeout.
            end = now + PATIENCE if end is None else end
            # Not all in step, where several wait for the same.
            wait = min(pause * random.uniform(0.5, 1.5), end - now)  # noqa: S311  not a secret
            if wait <= 0 or (stop is not None and stop.wait(wait)):
                raise
            if stop is None:
                time.sleep(wait)
            pause = min(2 * pause, _LONGEST_PAUSE)


def server_patience() -> str:
    """
    Give :data:`SERVER_PATIENCE` as requests have it: `master_timeout`, or the `timeout` of a bulk request.

    Servers would wait longer by themselves, and those who look on would not know for what.

    :returns: The time with its unit.
    """
    return f"{SERVER_PATIENCE:g}s"


def _may_pass(error: Exception) -> bool:
    if isinstance(error, ApiError):
        # A full disk is said with 429 too, as a block of the index; 503 is that of a cluster which has just started.
        blocked = error.meta.status == _TOO_MANY and "cluster_block_exception" in str(error)
        return error.meta.status in PASSING and not blocked
    return not isinstance(error, TlsError)
