# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""All documents of an index in the order of their ids, from a view of it that stays the same while it is written."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from answer_selection.indexing.elasticsearch.connection import clear_errors
from answer_selection.indexing.elasticsearch.retry import TemporaryError, patiently

if TYPE_CHECKING:
    from elasticsearch import Elasticsearch

Hit = dict[str, Any]

# The server forgets a view that is not asked for so long.
_KEEP_ALIVE: Final = "5m"
_WANTED: Final = "pit_id,timed_out,_shards.failed,hits.hits._source,hits.hits.sort"
# Behind every document with the same id, whatever its place in its shard, by which the server breaks ties. The places
# are others in another view, the ids are not.
_LAST_PLACE: Final = 2**63 - 1


def iter_hits(
    client: "Elasticsearch", index: str, source: Sequence[str], size: int, *, without: Sequence[str] = ()
) -> Iterator[list[Hit]]:
    """
    Go through an index.

    :param client: The cluster.
    :param index: The index.
    :param source: The fields that are read; `*` is all.
    :param size: Number of documents in a page; the last may have fewer.
    :param without: Fields that are left out of these.
    :returns: Pages of hits with their `_source`.
    :raises ElasticsearchError: If the cluster fails and goes on doing so.
    """
    view = _View(client, index)
    try:
        last = None
        while hits := view.page({"includes": list(source), "excludes": list(without)}, size, last):
            yield hits
            if len(hits) < size:
                return
            last = hits[-1]["sort"][0]
    finally:
        view.close()


class _View:
    """
    A point in time of an index. Where it is lost, with the node that held it, another one takes its place.

    :param client: The cluster.
    :param index: The index.
    """

    def __init__(self, client: "Elasticsearch", index: str) -> None:
        self._client, self._index = client, index
        self._id: str | None = None

    def page(self, source: dict[str, Any], size: int, last: str | None) -> list[Hit]:
        """Read the documents that follow an id; None is before the first."""
        with clear_errors():
            return patiently(lambda: self._ask(source, size, last))

    def close(self) -> None:
        """Let the server forget it."""
        from elastic_transport import ApiError, TransportError

        if self._id is not None:
            # If that does not go through, the server does so by itself after a while.
            with suppress(ApiError, TransportError):
                self._client.close_point_in_time(id=self._id)
            self._id = None

    def _ask(self, source: dict[str, Any], size: int, last: str | None) -> list[Hit]:
        from elastic_transport import ApiError

        if self._id is None:
            self._id = self._client.open_point_in_time(index=self._index, keep_alive=_KEEP_ALIVE)["id"]
        try:
            answer = self._client.search(
                pit={"id": self._id, "keep_alive": _KEEP_ALIVE},
                size=size,
                sort=[{"id": "asc"}],
                search_after=None if last is None else [last, _LAST_PLACE],
                source=source,
                track_total_hits=False,
                allow_partial_search_results=False,
                filter_path=_WANTED,
            )
        except ApiError as error:
            self.close()
            # Its own exception, or that of the nodes that held it.
            if "search_context_missing" in str(error.body):
                msg = f"the view of the index {self._index} was lost"
                raise TemporaryError(msg) from error
            raise
        if answer["timed_out"] or answer["_shards"]["failed"]:
            self.close()
            msg = f"only a part of the index {self._index} could be read"
            raise TemporaryError(msg)
        self._id = answer["pit_id"]
        hits: list[Hit] = answer.get("hits", {}).get("hits", [])
        return hits
