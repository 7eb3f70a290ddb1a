# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
import threading
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from haystack import Pipeline, component
from haystack.tracing.tracer import NullTracer, tracer

from answer_selection.pipelines.evaluation.component_times import component_times


class Clock(threading.local):
    """Stands still but for what components take, which each thread counts for itself."""

    now = 0.0

    def perf_counter(self) -> float:
        return self.now


CLOCK = Clock()


@pytest.fixture(autouse=True)
def _clock(monkeypatch):
    monkeypatch.setattr("answer_selection.pipelines.evaluation.component_times.time", CLOCK)


@component
class Wait:
    """Takes as long as it is told."""

    @component.output_types(seconds=float)
    def run(self, seconds: float) -> dict[str, float]:
        CLOCK.now += seconds
        return {"seconds": seconds}


def waiting(name: str) -> Pipeline:
    pipeline = Pipeline()
    pipeline.add_component(name, Wait())
    return pipeline


def test_every_component_has_its_time():
    pipeline = waiting("first")
    pipeline.add_component("second", Wait())
    with component_times() as seconds:
        pipeline.run({"first": {"seconds": 2.0}, "second": {"seconds": 5.0}})
    assert seconds == {"first": pytest.approx(2), "second": pytest.approx(5)}


def test_runs_at_the_same_time_have_each_their_own_times():
    pipeline, together = waiting("wait"), Barrier(8)

    def run(number: int) -> float:
        together.wait()
        with component_times() as seconds:
            for _ in range(3):
                pipeline.run({"wait": {"seconds": float(number)}})
        assert set(seconds) == {"wait"}
        return seconds["wait"]

    with ThreadPoolExecutor(8) as threads:
        assert list(threads.map(run, range(1, 9))) == [pytest.approx(3 * number) for number in range(1, 9)]
    assert isinstance(tracer.actual_tracer, NullTracer)


def test_the_tracer_that_was_there_is_asked_and_put_back():
    class Counting(NullTracer):
        spans = 0

        def trace(self, *arguments, **named):
            self.spans += 1
            return super().trace(*arguments, **named)

    counting, before = Counting(), tracer.actual_tracer
    tracer.actual_tracer = counting
    try:
        with component_times():
            waiting("wait").run({"wait": {"seconds": 0.0}})
        assert tracer.actual_tracer is counting
        assert counting.spans == 2  # the pipeline's and the component's
    finally:
        tracer.actual_tracer = before
