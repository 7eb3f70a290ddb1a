# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The service's metrics for Prometheus."""

from collections.abc import Callable

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector
from prometheus_client.exposition import choose_encoder

_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)
_SIZES = (1, 2, 4, 8, 16)


class Metrics:
    """
    Counts of one service.

    :param waiting: Tells how many questions wait.
    """

    def __init__(self, waiting: Callable[[], int]) -> None:
        self._registry = CollectorRegistry()
        ProcessCollector(registry=self._registry)
        self._requests = Counter(
            "answer_selection_requests", "Requests answered.", ("endpoint", "status"), registry=self._registry
        )
        self._seconds = Histogram(
            "answer_selection_request_seconds",
            "Seconds that a request took.",
            ("endpoint",),
            buckets=_SECONDS,
            registry=self._registry,
        )
        self._batches = Histogram(
            "answer_selection_batch_size",
            "Questions that were answered together.",
            buckets=_SIZES,
            registry=self._registry,
        )
        Gauge("answer_selection_waiting", "Questions that wait.", registry=self._registry).set_function(waiting)

    def request(self, endpoint: str, status: int, seconds: float) -> None:
        """
        Count a request.

        :param endpoint: Its path, one of a few.
        :param status: What it was answered.
        :param seconds: How long that took.
        """
        self._requests.labels(endpoint, str(status)).inc()
        self._seconds.labels(endpoint).observe(seconds)

    def batch(self, size: int) -> None:
        """
        Count a batch.

        :param size: How many questions are in it.
        """
        self._batches.observe(size)

    def text(self, accept: str) -> tuple[bytes, str]:
        """
        Give all in one of Prometheus' text formats.

        :param accept: The formats that are asked for, as the header `Accept` has them.
        :returns: The text and its type.
        """
        encode, content_type = choose_encoder(accept)
        return encode(self._registry), content_type
