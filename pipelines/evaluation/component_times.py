# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""How long each component of a pipeline took in one run."""

import contextlib
import time
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from haystack.tracing.tracer import Span, Tracer, tracer


class _TimingTracer(Tracer):
    """Adds up the time of every component's spans, and hands everything on to the tracer that was there before."""

    def __init__(self, inner: Tracer) -> None:
        self._inner = inner
        self.seconds: defaultdict[str, float] = defaultdict(float)

    @contextlib.contextmanager
    def trace(
        self, operation_name: str, tags: dict[str, Any] | None = None, parent_span: Span | None = None
    ) -> Iterator[Span]:
        """Traces a block of code."""
        start = time.perf_counter()
        try:
            with self._inner.trace(operation_name, tags=tags, parent_span=parent_span) as span:
                yield span
        finally:
            if operation_name == "haystack.component.run" and tags is not None:
                self.seconds[tags["haystack.component.name"]] += time.perf_counter() - start

    def current_span(self) -> Span | None:
        """The span that is active now."""
        return self._inner.current_span()


@contextlib.contextmanager
def component_times() -> Iterator[defaultdict[str, float]]:
    """
    Times every component that runs inside the block, by Haystack's own tracing.

    :returns: Seconds by component name, filled while the block runs. Copying the component's inputs, which Haystack
        does before each component, is part of its time.
    """
    before = tracer.actual_tracer
    timing = _TimingTracer(before)
    tracer.actual_tracer = timing
    try:
        yield timing.seconds
    finally:
        tracer.actual_tracer = before
