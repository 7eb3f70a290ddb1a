# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
import time
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

from answer_selection.pipelines.evaluation.component_times import component_times
from haystack import Pipeline, component
from haystack.tracing.tracer import NullTracer, tracer


@component
class Wait:
    """Takes as long as it is told."""

    @component.output_types(seconds=float)
    def run(self, seconds: float) -> dict[str, float]:
        time.sleep(seconds)
        return {"seconds": seconds}


def waiting(name: str) -> Pipeline:
    pipeline = Pipeline()
    pipeline.add_component(name, Wait())
    return pipeline


def test_every_component_has_its_time():
    pipeline = waiting("first")
    pipeline.add_component("second", Wait())
    with component_times() as seconds:
        pipeline.run({"first": {"seconds": 0.02}, "second": {"seconds": 0.05}})
    assert 0.02 <= seconds["first"] < 0.05 <= seconds["second"]


def test_runs_at_the_same_time_have_each_their_own_times():
    pipeline, together = waiting("wait"), Barrier(8)

    def run(number: int) -> float:
        together.wait()
        with component_times() as seconds:
            for _ in range(3):
                pipeline.run({"wait": {"seconds": number / 100}})
        assert set(seconds) == {"wait"}
        return seconds["wait"]

    with ThreadPoolExecutor(8) as threads:
        measured = list(threads.map(run, range(1, 9)))
    for number, seconds in enumerate(measured, start=1):
        # The sum of all would be more than a second.
        assert 3 * number / 100 <= seconds < 3 * number / 100 + 0.5
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
