# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""How far the writing of a version has come, kept in the version itself, so that a killed run can go on anywhere."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING, Any, Final

from answer_selection.indexing.elasticsearch.connection import ElasticsearchError
from answer_selection.indexing.elasticsearch.documents import NOTHING
from answer_selection.indexing.elasticsearch.retry import patiently, server_patience
from answer_selection.indexing.elasticsearch.template import OWN_META

if TYPE_CHECKING:
    from elasticsearch import Elasticsearch

_KEY: Final = "progress"


@dataclass(frozen=True, slots=True)
class BuildState:
    """
    What the last run did to a version.

    :param run: Which run it is.
    :param position: How many documents of the corpus are acknowledged: those that come first in it.
    :param digest: The digest of these.
    :param refused: How many of them the server refused; they are the first lines of the rejects file.
    :param operations: When all is done, how many operations the version had seen by then; until then None.
    :param refresh_interval: What the version's own one was, before the run turned refreshing off.
    """

    run: str = ""
    position: int = 0
    digest: str = NOTHING
    refused: int = 0
    operations: int | None = None
    refresh_interval: str | None = None

    @property
    def complete(self) -> bool:
        """Whether the run came to its end."""
        return self.operations is not None

    @classmethod
    def of(cls, meta: Mapping[str, Any]) -> "BuildState":
        """
        Read it.

        :param meta: The `_meta` of a version's mapping.
        :returns: What it says; nothing done at all if it says nothing.
        """
        kept = meta.get(OWN_META, {}).get(_KEY, {})
        return cls(**{field.name: kept[field.name] for field in fields(cls) if field.name in kept})

    def within(self, meta: Mapping[str, Any]) -> dict[str, Any]:
        """
        Put it into what a mapping has beside it.

        :param meta: The `_meta` of the version's mapping.
        :returns: The new one.
        """
        return {**meta, OWN_META: {**meta.get(OWN_META, {}), _KEY: asdict(self)}}


def read_state(client: "Elasticsearch", version: str) -> BuildState:
    """
    Read the state that is kept in a version.

    :param client: The cluster.
    :param version: The version's name.
    :returns: The state.
    """
    return BuildState.of(_read(client, version))


def keep(client: "Elasticsearch", version: str, state: BuildState) -> None:
    """
    Keep the state of a run in the version that it writes.

    :param client: The cluster.
    :param version: The version's name.
    :param state: The state.
    :raises ElasticsearchError: If another run has begun to write into this version since; the newest one goes on.
    """
    meta = _read(client, version)
    if BuildState.of(meta).run != state.run:
        msg = f"another run has begun to write into {version} meanwhile. This run stops, the other one continues"
        raise ElasticsearchError(msg)
    _write(client, version, state.within(meta))


def begin(client: "Elasticsearch", version: str, state: BuildState, own: Mapping[str, Any] | None = None) -> None:
    """
    Take a version over from whichever run wrote into it before.

    :param client: The cluster.
    :param version: The version's name.
    :param state: From where the run goes on.
    :param own: What else this package keeps there, if that changes.
    """
    meta = _read(client, version)
    meta[OWN_META] = {**meta.get(OWN_META, {}), **(own or {})}
    _write(client, version, state.within(meta))


def _read(client: "Elasticsearch", version: str) -> dict[str, Any]:
    answer = patiently(lambda: client.indices.get_mapping(index=version, master_timeout=server_patience())).body
    meta: dict[str, Any] = answer[version]["mappings"].get("_meta", {})
    return meta


def _write(client: "Elasticsearch", version: str, meta: Mapping[str, Any]) -> None:
    patiently(lambda: client.indices.put_mapping(index=version, meta=meta, master_timeout=server_patience()))
