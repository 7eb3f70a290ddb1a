# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""A search that only a part of the index answered is a failed one, for the integration's own document store."""

from typing import Any, Final

from elastic_transport import ConnectionError as ClientConnectionError
from elasticsearch.serializer import JsonSerializer
from haystack import default_from_dict, default_to_dict

# HTTP statuses of errors that may pass in a while, or at another node.
_PASSING: Final = (429, 502, 503, 504)


class PartialResultError(ClientConnectionError):
    """A search failed on some shards, or ran out of time. The client tries again, at another node if there is one."""

    def __str__(self) -> str:
        """Give the message."""
        return str(self.message)


class WholeResults(JsonSerializer):
    """
    Reads the server's answers, and refuses those that tell only a part of what is there.

    When shards fail, Elasticsearch answers a search with what the others found, and says so in a corner of the
    response, where the integration does not look. A client can ask it not to (`allow_partial_search_results`), but the
    integration passes that on no more than it looks; and the cluster's own default is not ours to change. What it takes
    is the client's `serializer`, in a pipeline's YAML:

    ```yaml
    serializer:
      type: haystack_integrations.document_stores.elasticsearch_nodes.whole_results.WholeResults
    ```
    """

    def loads(self, data: bytes) -> Any:
        """
        Read an answer.

        :param data: JSON.
        :returns: What it says.
        :raises PartialResultError: If it is that of a search, or of a count, of which only a part was done; or of many
            searches, one of which failed by what may pass.
        """
        answer = super().loads(data)
        if isinstance(answer, dict):
            _check(answer)
            # What fails of several searches in one request does not fail the request.
            for each in answer.get("responses", ()):
                if each.get("status") in _PASSING:
                    msg = f"the search failed: {_why(each['error'])}"
                    raise PartialResultError(msg)
                _check(each)
        return answer

    def to_dict(self) -> dict[str, Any]:
        """
        Serialize the type alone.

        :returns: A dictionary for :meth:`from_dict`.
        """
        return default_to_dict(self)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> "WholeResults":
        """
        Make one.

        :param data: What :meth:`to_dict` gave.
        :returns: The serializer.
        """
        serializer: WholeResults = default_from_dict(cls, data)
        return serializer


def _check(answer: dict[str, Any]) -> None:
    if "hits" in answer or "count" in answer:
        shards = answer.get("_shards", {})
        if shards.get("failed"):
            msg = f"{shards['failed']} of {shards['total']} shards of the index failed: {_reason(shards)}"
            raise PartialResultError(msg)
        if answer.get("timed_out"):
            msg = "the search ran out of time before all of the index was searched"
            raise PartialResultError(msg)


def _why(error: dict[str, Any]) -> str:
    # Of shards that are nowhere only the cause tells.
    return str(error.get("reason") or error.get("caused_by", {}).get("reason") or error.get("type"))


def _reason(shards: dict[str, Any]) -> str:
    failures = shards.get("failures") or [{}]
    return str(failures[0].get("reason", {}).get("reason", "no reason was given"))
