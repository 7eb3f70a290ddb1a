# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
Writing documents in bulk: while the server works on some, the next are read.

What is acknowledged is known batch by batch, in their order, so that a run that was killed can go on after the last.
"""

import json
from collections import deque
from collections.abc import Generator, Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from threading import Event
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from elastic_transport import ApiError

from answer_selection.indexing.elasticsearch.connection import ElasticsearchError
from answer_selection.indexing.elasticsearch.retry import PASSING, TemporaryError, patiently, server_patience

if TYPE_CHECKING:
    from elasticsearch import Elasticsearch

BATCH_DOCUMENTS: Final = 1000
BATCH_BYTES: Final = 4 * 2**20
# One that is being worked on, and one that is on its way.
_IN_FLIGHT = 2
# The server works on four megabytes, and may first have waited for a shard that has just lost its node. Where the node
# of a replica is gone and there is no master to be told so, it would wait for ever.
_REQUEST_TIMEOUT = 40.0
# What a server takes in one request unless it is told otherwise.
_USUAL_LIMIT = 100 * 2**20
# An update reads the document first, which another writer may change before it is written.
_TRY_AGAIN: Final = {"retry_on_conflict": 5}
_LINES = len('{"delete":{"_id":}}') + len("\n\n")
_BAD_REQUEST, _FORBIDDEN, _NOT_FOUND, _TOO_LARGE, _TOO_MANY = 400, 403, 404, 413, 429


class Operation(NamedTuple):
    """
    One document to write, to bring up to date, or to delete.

    :param id: The document's id.
    :param source: The document as JSON; None deletes it.
    :param update: Whether the source is `{"doc": …}` with fields that are new in a document; one that is not there is
        passed over.
    """

    id: str
    source: bytes | None
    update: bool = False

    def header(self) -> dict[str, Any]:
        """Give the line that goes before the document."""
        if self.update:
            return {"update": {"_id": self.id, **_TRY_AGAIN}}
        return {"delete" if self.source is None else "index": {"_id": self.id}}

    def size(self) -> int:
        """Count the bytes that it takes in a request: two lines, the first of them `{"index":{"_id":"…"}}`."""
        again = len(json.dumps(_TRY_AGAIN)) if self.update else 0
        return len(json.dumps(self.id)) + len(self.source or b"") + _LINES + again


@dataclass(frozen=True, slots=True)
class Batch:
    """
    What is sent in one request.

    :param operations: The operations, no id twice.
    :param position: How many documents of the corpus come before the end of this batch.
    :param digest: What the corpus's digest is there.
    """

    operations: Sequence[Operation]
    position: int = 0
    digest: str = ""


@dataclass(frozen=True, slots=True)
class Refused:
    """
    A document that the server will not take.

    :param operation: The document.
    :param error: The server's words.
    """

    operation: Operation
    error: str


class BulkWriter:
    """
    Writes into one index.

    :param client: The cluster.
    :param index: The index's own name, not an alias, so that it cannot become another one meanwhile.
    """

    def __init__(self, client: "Elasticsearch", index: str) -> None:
        self.index = index
        self.limit = _read_limit(client)
        self._client = client.options(request_timeout=_REQUEST_TIMEOUT, retry_on_status=(), retry_on_timeout=False)

    @property
    def batch_bytes(self) -> int:
        """The most bytes of a batch of more than one document."""
        return min(BATCH_BYTES, self.limit)

    def write(self, batches: Iterable[Batch]) -> Generator[tuple[Batch, list[Refused]], None, None]:
        """
        Write batches, two requests at a time.

        :param batches: The batches; read one or two ahead of what the server works on.
        :returns: Each batch in its order, when everything in it is acknowledged, with what the server refused of it.
        :raises ElasticsearchError: If the index takes nothing now, or the cluster had no time for a minute.
        :raises elastic_transport.TransportError: If no node was there for a minute.
        """
        stop = Event()
        executor = ThreadPoolExecutor(_IN_FLIGHT, thread_name_prefix="bulk")
        running: deque[tuple[Batch, Future[list[Refused]]]] = deque()
        try:
            for number, batch in enumerate(batches):
                running.append((batch, executor.submit(self._send, batch.operations, stop)))
                # The first goes alone: the fields that it has get their types from it, every time the same.
                while len(running) > (_IN_FLIGHT if number else 0):
                    yield _result(running)
            while running:
                yield _result(running)
        finally:
            stop.set()
            executor.shutdown(wait=True, cancel_futures=True)

    def _send(self, operations: Sequence[Operation], stop: Event) -> list[Refused]:
        refused = []
        fitting = []
        for operation in operations:
            if operation.size() > self.limit:
                error = f"it has {operation.size():,} bytes; the server takes at most {self.limit:,} in a request"
                refused.append(Refused(operation, f"{error} (http.max_content_length)"))
            else:
                fitting.append(operation)
        return refused + (self._send_fitting(fitting, stop) if fitting else [])

    def _send_fitting(self, operations: Sequence[Operation], stop: Event) -> list[Refused]:
        try:
            return self._send_whole(operations, stop)
        except ApiError as error:
            if error.meta.status not in (_BAD_REQUEST, _TOO_LARGE):
                raise
            # Because of one document the server refused all. The halves will show which one it was.
            if len(operations) == 1:
                return [Refused(operations[0], _reason(error.body) if error.body else str(error))]
            middle = len(operations) // 2
            return self._send_fitting(operations[:middle], stop) + self._send_fitting(operations[middle:], stop)

    def _send_whole(self, operations: Sequence[Operation], stop: Event) -> list[Refused]:
        """Send until each one is either acknowledged or refused."""
        from elasticsearch.helpers import streaming_bulk

        waiting = operations
        refused: list[Refused] = []

        def attempt() -> None:
            nonlocal waiting
            actions: Any = waiting
            results = list(
                streaming_bulk(
                    self._client,
                    actions,
                    index=self.index,
                    chunk_size=len(waiting),
                    max_chunk_bytes=2 * self.limit,
                    raise_on_error=False,
                    expand_action_callback=_expand,
                    filter_path=["errors", "items.*.status", "items.*.error"],
                    timeout=server_patience(),
                )
            )
            again = []
            busy = ""
            for operation, (done, result) in zip(waiting, results, strict=True):
                if done:
                    continue
                [item] = result.values()
                status, error = item["status"], _reason(item)
                if operation.source is None and status == _NOT_FOUND and "error" not in item:
                    continue
                if operation.update and "document_missing_exception" in error:
                    continue
                # With 503 a block is that of a cluster without a master, which may soon have one.
                blocked = status == _TOO_MANY and "cluster_block_exception" in error
                if blocked or status in (_FORBIDDEN, _NOT_FOUND):
                    raise ElasticsearchError(_stopped(self.index, error))
                if status in PASSING:
                    again.append(operation)
                    busy = f"{operation.id!r}: {error}"
                else:
                    refused.append(Refused(operation, error))
            waiting = again
            if again:
                msg = f"the cluster did not take {len(again)} documents for {self.index}, the last of them {busy}"
                raise TemporaryError(msg)

        patiently(attempt, stop)
        return refused


def _result(running: deque[tuple[Batch, Future[list[Refused]]]]) -> tuple[Batch, list[Refused]]:
    batch, future = running.popleft()
    return batch, future.result()


def _expand(operation: Any) -> tuple[dict[str, Any], bytes | None]:
    return operation.header(), operation.source


def _reason(item: Any) -> str:
    """Give the server's words on one document: type and reason, and those of the innermost cause."""
    error = item.get("error") if isinstance(item, dict) else item
    if not isinstance(error, dict):
        return str(error)
    inner = error
    while isinstance(inner.get("caused_by"), dict):
        inner = inner["caused_by"]
    reasons = dict.fromkeys(" ".join(str(each.get("reason")).split()) for each in (error, inner))
    return f"{error.get('type')}: {'; '.join(reasons)}"


def _stopped(index: str, error: str) -> str:
    if "cluster_block_exception" in error:
        return f"{index} is read-only. Free disk space or remove the block, then give the command again ({error})"
    if "index_not_found_exception" in error:
        return f"{index} is gone: somebody deleted it meanwhile ({error})"
    return f"{index} cannot be written into: {error}"


def _read_limit(client: "Elasticsearch") -> int:
    """Read how many bytes every node takes in one request."""
    try:
        nodes = patiently(lambda: client.nodes.info(metric="http", filter_path="nodes.*.http"))
    except ApiError:
        # Whoever may write need not be allowed to ask this.
        return _USUAL_LIMIT
    limits = [node["http"]["max_content_length_in_bytes"] for node in nodes.body.get("nodes", {}).values()]
    return min(limits, default=_USUAL_LIMIT)
