# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The connection to a cluster."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from elasticsearch import Elasticsearch

REQUEST_TIMEOUT: Final = 30.0
"""Seconds for one attempt."""
MAX_RETRIES: Final = 3
RETRY_ON_STATUS: Final = (429, 502, 503, 504)


class ElasticsearchError(RuntimeError):
    """A cluster is not there, lets nobody in, or refuses; the message says what it is and what would help."""


def connect(*, request_timeout: float = REQUEST_TIMEOUT, max_retries: int = MAX_RETRIES) -> "Elasticsearch":
    """
    Connect to the cluster that the environment names, see `ElasticsearchNodes`; a key is in `ELASTIC_API_KEY`.

    :param request_timeout: Seconds for one attempt.
    :param max_retries: Attempts after the first one, each at the next node.
    :returns: The client.
    :raises ElasticsearchError: If Elasticsearch is not there, or does not let us in.
    :raises ValueError: If the environment's variables do not fit together.
    """
    from elasticsearch import Elasticsearch

    from haystack_integrations.document_stores.elasticsearch_nodes import ElasticsearchNodes

    client = Elasticsearch(
        ElasticsearchNodes(),
        api_key=_api_key(),
        request_timeout=request_timeout,
        max_retries=max_retries,
        retry_on_timeout=True,
        retry_on_status=RETRY_ON_STATUS,
    )
    with clear_errors():
        client.info()
    return client


@contextmanager
def clear_errors() -> Iterator[None]:
    """
    Turn what the client raises inside into an :class:`ElasticsearchError` of one line.

    :returns: A context.
    """
    from elastic_transport import ApiError, TransportError

    from answer_selection.indexing.elasticsearch.errors import explain

    try:
        yield
    except (ApiError, TransportError) as error:
        raise ElasticsearchError(explain(error)) from error


def _api_key() -> Any:
    key, key_id = os.environ.get("ELASTIC_API_KEY"), os.environ.get("ELASTIC_API_KEY_ID")
    if key_id and not key:
        msg = "ELASTIC_API_KEY_ID is set, but ELASTIC_API_KEY is not"
        raise ValueError(msg)
    return (key_id, key) if key_id and key else key or None
