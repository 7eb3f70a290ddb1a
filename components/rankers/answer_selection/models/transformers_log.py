# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Keeping transformers off the terminal: what it says of loading, saving and its own clock is not for our users."""

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager

# What it says is one thing for the whole process: the first who wants quiet keeps how it was, the last restores it.
_LOCK = threading.Lock()
_inside: list[tuple[int, bool]] = []


@contextmanager
def quiet_transformers() -> Iterator[None]:
    """Keep bars and warnings off the terminal: progress is the caller's, and what is wrong is an error."""
    from transformers.utils import logging as transformers_logging

    with _LOCK:
        now = (transformers_logging.get_verbosity(), transformers_logging.is_progress_bar_enabled())
        _inside.append(_inside[0] if _inside else now)
        transformers_logging.set_verbosity(logging.ERROR)
        transformers_logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    try:
        yield
    finally:
        with _LOCK:
            verbosity, bars = _inside.pop()
            if not _inside:
                transformers_logging.set_verbosity(verbosity)
                if bars:
                    transformers_logging.enable_progress_bar()  # type: ignore[no-untyped-call]
