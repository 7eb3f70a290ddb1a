# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
When what is written into a version is seen by those who search it.

While a run writes it turns refreshing off, and in the end on again.
"""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Final

from elastic_transport import ApiError, TransportError

from answer_selection.indexing.elasticsearch.build_state import BuildState
from answer_selection.indexing.elasticsearch.retry import TemporaryError, patiently, server_patience
from answer_selection.indexing.elasticsearch.versions import Version

if TYPE_CHECKING:
    from elasticsearch import Elasticsearch

NEVER: Final = "-1"
# After a failure nothing is waited for long.
_QUICKLY = 5.0


def own_interval(version: Version) -> str | None:
    """
    Give a version's own refresh interval, also while a run that was killed has turned refreshing off.

    :param version: The version.
    :returns: How often it is refreshed; None is the server's default.
    """
    off = version.refresh_interval == NEVER and not version.state.complete
    return version.state.refresh_interval if off else version.refresh_interval


def restore_refreshing(client: "Elasticsearch", live: Version) -> None:
    """
    Let a version be refreshed again where a killed run had turned that off.

    :param client: The cluster.
    :param live: The version.
    """
    if live.refresh_interval != own_interval(live):
        set_refreshing(client, live.name, own_interval(live))


@contextmanager
def without_refreshing(client: "Elasticsearch", version: str, state: BuildState, *, live: bool) -> Iterator[None]:
    """
    Turn refreshing on again in the end; after a failure only where people search meanwhile.

    :param client: The cluster.
    :param version: The version's own name. It is not refreshed any more.
    :param state: Says how often it was refreshed before.
    :param live: Whether people search it meanwhile.
    :returns: A context.
    """
    try:
        yield
    except BaseException:
        if live:
            with suppress(ApiError, TransportError):
                quick = client.options(request_timeout=_QUICKLY, max_retries=0)
                _put(quick, version, state.refresh_interval)
        raise
    set_refreshing(client, version, state.refresh_interval)


def set_refreshing(client: "Elasticsearch", version: str, interval: str | None) -> None:
    """
    Say how often a version is refreshed.

    :param client: The cluster.
    :param version: The version's own name.
    :param interval: How often; None is the server's default, :data:`NEVER` never.
    """
    patiently(lambda: _put(client, version, interval))


def refresh(client: "Elasticsearch", version: str) -> None:
    """
    Refresh a version now.

    :param client: The cluster.
    :param version: The version's own name.
    """

    def once() -> None:
        if client.indices.refresh(index=version)["_shards"]["failed"]:
            msg = f"only a part of {version} could be refreshed"
            raise TemporaryError(msg)

    patiently(once)


def _put(client: "Elasticsearch", version: str, interval: str | None) -> None:
    settings = {"refresh_interval": interval}
    client.indices.put_settings(index=version, settings=settings, master_timeout=server_patience())
