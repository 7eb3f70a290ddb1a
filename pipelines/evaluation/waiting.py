# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""A run of many questions does not end because the cluster that they search is away for a minute."""

import sys
from collections.abc import Callable
from typing import TypeVar

from haystack.core.errors import PipelineRuntimeError

T = TypeVar("T")


def waiting_for_cluster(run: Callable[[], T]) -> T:
    """
    Run a pipeline, and run it again for a while if Elasticsearch can't be reached or has too much to do.

    :param run: Runs the pipeline.
    :returns: What it returned.
    :raises Exception: What it raised, or the Elasticsearch client's own error where the cluster stays away.
    """
    # Where nothing has imported the client, nothing is searched by it; it may not even be installed.
    if "elastic_transport" not in sys.modules:
        return run()
    from elastic_transport import ApiError, TransportError

    from answer_selection.indexing.elasticsearch.retry import patiently

    def attempt() -> T:
        try:
            return run()
        except PipelineRuntimeError as error:
            cause = error.__cause__
            if not isinstance(cause, ApiError | TransportError):
                raise
        raise cause

    return patiently(attempt)
