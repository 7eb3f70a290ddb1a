# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""How long each component of a pipeline took in one run."""

import contextlib
import threading
import time
from collections import defaultdict
from collections.abc import Iterator
from contextvars import ContextVar
from typing import Any, Final

from haystack.tracing.tracer import Span, Tracer, tracer

# Runs in other threads, or other tasks of an event loop, have each their own.
_SECONDS: Final[ContextVar[defaultdict[str, float] | None]] = ContextVar("seconds", default=None)
_INSTALLING: Final = threading.Lock()


class _TimingTracer(Tracer):
    """Adds up the time of every component's spans, and hands everything on to the tracer that was there before."""

    def __init__(self, inner: Tracer) -> None:
        self.inner = inner
        self.blocks = 0

    @contextlib.contextmanager
    def trace(
        self, operation_name: str, tags: dict[str, Any] | None = None, parent_span: Span | None = None
    ) -> Iterator[Span]:
        """Traces a block of code."""
        start = time.perf_counter()
        try:
            with self.inner.trace(operation_name, tags=tags, parent_span=parent_span) as span:
                yield span
        finally:
            seconds = _SECONDS.get()
            if seconds is not None and operation_name == "haystack.component.run" and tags is not None:
                seconds[tags["haystack.component.name"]] += time.perf_counter() - start

    def current_span(self) -> Span | None:
        """The span that is active now."""
        return self.inner.current_span()


@contextlib.contextmanager
def component_times() -> Iterator[defaultdict[str, float]]:
    """
    Times every component that this thread or task runs inside the block, by Haystack's own tracing.

    :returns: Seconds by component name, filled while the block runs. Copying the component's inputs, which Haystack
        does before each component, is part of its time.
    """
    with _INSTALLING:
        timing = tracer.actual_tracer
        if not isinstance(timing, _TimingTracer):
            timing = tracer.actual_tracer = _TimingTracer(timing)
        timing.blocks += 1
    seconds: defaultdict[str, float] = defaultdict(float)
    token = _SECONDS.set(seconds)
    try:
        yield seconds
    finally:
        _SECONDS.reset(token)
        with _INSTALLING:
            timing.blocks -= 1
            # The last of several at once puts things back, unless someone has changed the tracer meanwhile.
            if not timing.blocks and tracer.actual_tracer is timing:
                tracer.actual_tracer = timing.inner
