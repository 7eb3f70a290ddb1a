# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
The versions of an index.

What people call the index is an alias. Behind it are indexes `NAME-000001`, `NAME-000002` and so on, of which one is
live: the alias leads to it. A new one is built beside it and takes its place in one step.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Any

from answer_selection.indexing.elasticsearch.build_state import BuildState, keep, read_state
from answer_selection.indexing.elasticsearch.connection import ElasticsearchError
from answer_selection.indexing.elasticsearch.retry import TemporaryError, patiently, server_patience
from answer_selection.indexing.elasticsearch.settings import read_encoder
from answer_selection.indexing.elasticsearch.template import OWN_META, check_name
from answer_selection.indexing.encoder import EncoderRecord

if TYPE_CHECKING:
    from elasticsearch import Elasticsearch

_EXISTS = "resource_already_exists_exception"
_TIMEOUT = 408
# Below the client's own patience with a request.
_SECONDS_FOR_COPIES = 20


@dataclass(frozen=True, slots=True)
class Version:
    """
    One version of an index.

    :param name: Its own name, such as `faq-000001`.
    :param number: The number in it.
    :param live: Whether the alias leads to it.
    :param created: When it was made.
    :param refresh_interval: How often it is refreshed, if that is not the server's default; "-1" is never.
    :param settings_digest: What its settings were made from.
    :param settings: Its settings, as they were given.
    :param state: What the last run did to it.
    """

    name: str
    number: int
    live: bool
    created: datetime
    refresh_interval: str | None
    settings_digest: str
    settings: Mapping[str, Any]
    state: BuildState

    @property
    def encoder(self) -> EncoderRecord | None:
        """What made its documents' vectors; None if they have none."""
        return read_encoder(self.settings)

    @property
    def passages(self) -> bool:
        """Whether its documents have vectors of their passages; if not, they get them in a new version alone."""
        return bool(self.settings.get("passages"))

    @property
    def words(self) -> str | None:
        """What read its documents' words, its fingerprint; if nothing did, they get them in a new version alone."""
        return self.settings.get("words")


def find_versions(client: "Elasticsearch", name: str) -> list[Version]:
    """
    Look up the versions of an index.

    :param client: The cluster.
    :param name: The index's name.
    :returns: The versions by their numbers; none if there is no such index.
    :raises ElasticsearchError: If the name stands for something that `answer-selection index` did not make.
    """
    check_name(name)
    return patiently(partial(look_up, client, name))


def look_up(client: "Elasticsearch", name: str) -> list[Version]:
    """
    Look up the versions of an index once, without trying again.

    :param client: The cluster.
    :param name: The index's name.
    :returns: The versions by their numbers.
    :raises ElasticsearchError: If the name stands for something that `answer-selection index` did not make.
    """
    found = client.indices.get(
        index=[name, f"{name}-0*"],
        ignore_unavailable=True,
        allow_no_indices=True,
        filter_path=(
            f"*.aliases,*.mappings._meta.{OWN_META},*.settings.index.creation_date,*.settings.index.refresh_interval"
        ),
        master_timeout=server_patience(),
    ).body
    numbered = re.compile(rf"{re.escape(name)}-(0\d{{5}})")
    behind = [index for index, described in found.items() if name in described.get("aliases", {})]
    if name in found:
        msg = (
            f"{name} is a plain index; expected an alias that `answer-selection index` made for its versions. Choose "
            "another --index, or delete this one"
        )
        raise ElasticsearchError(msg)
    if len(behind) > 1:
        msg = f"the alias {name} leads to {len(behind)} indexes, {', '.join(sorted(behind))}; expected one of them"
        raise ElasticsearchError(msg)
    for index in behind:
        if not numbered.fullmatch(index) or not _is_own(found[index]):
            msg = (
                f"the alias {name} leads to {index}, which `answer-selection index` did not make: its mapping may "
                "differ. Choose another --index"
            )
            raise ElasticsearchError(msg)
    versions = [
        _version(index, int(match[1]), index in behind, described)
        for index, described in found.items()
        if (match := numbered.fullmatch(index)) and _is_own(described)
    ]
    return sorted(versions, key=lambda version: version.number)


def live_one(versions: Iterable[Version]) -> Version | None:
    """
    Pick the version that the alias leads to.

    :param versions: The versions of one index.
    :returns: The live one; None if none is.
    """
    return next((version for version in versions if version.live), None)


def version_name(name: str, number: int) -> str:
    """
    Name a version.

    :param name: The index's name.
    :param number: The version's number.
    :returns: The version's own name.
    """
    return f"{name}-{number:06d}"


def create_version(client: "Elasticsearch", name: str, number: int, state: BuildState) -> Version:
    """
    Make a new version, empty and without refreshing, from the index's template.

    :param client: The cluster.
    :param name: The index's name.
    :param number: The version's number.
    :param state: The state that it begins with.
    :returns: The version.
    :raises ElasticsearchError: If another run has made it meanwhile.
    """
    version = version_name(name, number)

    def create() -> None:
        from elasticsearch import BadRequestError

        try:
            client.indices.create(
                index=version,
                settings={"refresh_interval": "-1"},
                mappings={"_meta": state.within({})},
                master_timeout=server_patience(),
            )
        except BadRequestError as error:
            if error.error != _EXISTS:
                raise
            # It may have been this very request, if its answer was lost on the way.
            if _named(look_up(client, name), version).state.run != state.run:
                msg = f"another run has made {version} meanwhile. This run stops, the other one continues"
                raise ElasticsearchError(msg) from error

    patiently(create)
    return _named(find_versions(client, name), version)


def await_copies(client: "Elasticsearch", version: str) -> None:
    """
    Wait until every shard has the copies that it was told to have, or for a while if the cluster has no place for them.

    What is written before is acknowledged by one node alone, and gone if that node is lost.

    :param client: The cluster.
    :param version: The version's own name.
    """

    def wait() -> None:
        health = client.cluster.health(index=version, master_timeout=server_patience()).body
        copies = sum(health[f"{state}_shards"] for state in ("active", "initializing", "unassigned"))
        # No node takes two copies of a shard.
        places = health["active_primary_shards"] * health["number_of_data_nodes"]
        client.options(ignore_status=_TIMEOUT).cluster.health(
            index=version, wait_for_active_shards=min(copies, places), timeout=f"{_SECONDS_FOR_COPIES}s"
        )

    patiently(wait)


def delete_versions(client: "Elasticsearch", versions: Sequence[Version]) -> None:
    """
    Delete versions.

    :param client: The cluster.
    :param versions: Which ones.
    """
    for index in [version.name for version in versions]:
        delete = partial(client.indices.delete, index=index, ignore_unavailable=True, master_timeout=server_patience())
        patiently(delete)


def count_documents(client: "Elasticsearch", version: str) -> int:
    """
    Count the documents that a search finds.

    :param client: The cluster.
    :param version: The version's own name.
    :returns: Their number.
    """

    def count() -> int:
        answer = client.count(index=version).body
        if answer["_shards"]["failed"]:
            msg = f"only a part of {version} could be counted"
            raise TemporaryError(msg)
        return int(answer["count"])

    return patiently(count)


def count_operations(client: "Elasticsearch", version: str) -> int:
    """
    Count what was ever done to the documents of a version, by whomever: it tells whether it is as it was left.

    :param client: The cluster.
    :param version: The version's own name.
    :returns: The number of all writes and deletions.
    """

    def count() -> int:
        answer = client.indices.stats(
            index=version, metric="docs", level="shards", filter_path="_shards.failed,indices.*.shards"
        ).body
        shards = answer.get("indices", {}).get(version, {}).get("shards", {})
        primaries = [copy for copies in shards.values() for copy in copies if copy["routing"]["primary"]]
        if answer["_shards"]["failed"] or not primaries:
            msg = f"only a part of {version} could be checked"
            raise TemporaryError(msg)
        return sum(int(copy["seq_no"]["max_seq_no"]) + 1 for copy in primaries)

    return patiently(count)


@contextmanager
def own_operations(client: "Elasticsearch", version: str) -> Iterator[None]:
    """
    Do something to a version that leaves its entries what they are, so that it is still known to be as it was left.

    :param client: The cluster.
    :param version: The version's own name.
    :returns: A context. If it is left by an error, the version counts as changed by something else.
    """
    before = read_state(client, version)
    known = before.complete and count_operations(client, version) == before.operations
    yield
    if known:
        keep(client, version, replace(before, operations=count_operations(client, version)))


def _named(versions: Iterable[Version], name: str) -> Version:
    return next(version for version in versions if version.name == name)


def _is_own(described: Mapping[str, Any]) -> bool:
    return OWN_META in described.get("mappings", {}).get("_meta", {})


def _version(name: str, number: int, live: bool, described: Mapping[str, Any]) -> Version:
    index, meta = described["settings"]["index"], described["mappings"]["_meta"]
    return Version(
        name,
        number,
        live,
        datetime.fromtimestamp(int(index["creation_date"]) / 1000, UTC),
        index.get("refresh_interval"),
        meta[OWN_META].get("settings_digest", ""),
        meta[OWN_META].get("settings", {}),
        BuildState.of(meta),
    )
