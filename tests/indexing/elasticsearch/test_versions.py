# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Versions behind a name, on the real server."""

import uuid
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from elasticsearch import Elasticsearch, NotFoundError

from answer_selection.indexing.elasticsearch import build_state
from answer_selection.indexing.elasticsearch.alias_swap import make_live
from answer_selection.indexing.elasticsearch.build_state import BuildState
from answer_selection.indexing.elasticsearch.connection import ElasticsearchError
from answer_selection.indexing.elasticsearch.settings import IndexSettings
from answer_selection.indexing.elasticsearch.template import put_template
from answer_selection.indexing.elasticsearch.versions import (
    count_documents,
    count_operations,
    create_version,
    delete_versions,
    find_versions,
    live_one,
    version_name,
)

RUN = BuildState(run="this one")


@pytest.fixture(scope="module")
def client(elasticsearch_node) -> Iterator[Elasticsearch]:
    with Elasticsearch(elasticsearch_node.url) as client:
        yield client


@pytest.fixture
def name(client) -> Iterator[str]:
    name = f"versions-{uuid.uuid4().hex}"
    put_template(client, name, IndexSettings(k1=1.5))
    yield name
    for index in client.indices.get(index=f"{name}*", expand_wildcards="all"):
        client.indices.delete(index=index)
    client.indices.delete_index_template(name=name)


def test_a_version_is_made_from_the_template_without_refreshing(client, name):
    assert find_versions(client, name) == []
    version = create_version(client, name, 1, RUN)
    assert version.name == version_name(name, 1) == f"{name}-000001"
    assert (version.number, version.live, version.refresh_interval) == (1, False, "-1")
    assert version.settings["k1"] == 1.5
    assert version.settings_digest == IndexSettings(k1=1.5).digest
    assert version.state == RUN
    assert abs(version.created - datetime.now(UTC)) < timedelta(minutes=1)
    assert find_versions(client, name) == [version]
    assert live_one([version]) is None
    similarity = client.indices.get_settings(index=version.name)[version.name]["settings"]["index"]["similarity"]
    assert similarity["default"] == {"type": "BM25", "k1": "1.5", "b": "0.75"}


def test_one_version_is_live_at_a_time(client, name):
    for number in (1, 2):
        create_version(client, name, number, RUN)
        make_live(client, name, version_name(name, number))
        assert [version.live for version in find_versions(client, name)] == [*[False] * (number - 1), True]
    # Twice is as good as once, and the way back is the same.
    for number in (2, 1):
        make_live(client, name, version_name(name, number))
        live = live_one(find_versions(client, name))
        assert live is not None
        assert live.number == number
    assert client.index(index=name, id="7", document={"id": "7"}, refresh=True)["_index"] == version_name(name, 1)
    assert count_documents(client, name) == 1


def test_versions_are_sorted_by_number_and_of_this_name_alone(client, name):
    for number in (10, 9, 12345):
        create_version(client, name, number, RUN)
    for other in (f"{name}-archive", f"{name}-0", f"{name}-000001x", f"x{name}-000001"):
        client.indices.create(index=other)
    # Of the right form, but somebody else's.
    client.indices.create(index=f"{name}-100000")
    assert [version.number for version in find_versions(client, name)] == [9, 10, 12345]
    client.indices.delete(index=f"x{name}-000001")


def test_a_version_that_another_run_made_is_not_taken_for_ones_own(client, name):
    create_version(client, name, 1, RUN)
    assert create_version(client, name, 1, RUN).state == RUN
    with pytest.raises(ElasticsearchError, match=f"another run has made {name}-000001 meanwhile"):
        create_version(client, name, 1, BuildState(run="another"))


def test_deleting_versions_leaves_the_others(client, name):
    versions = [create_version(client, name, number, RUN) for number in (1, 2, 3)]
    delete_versions(client, [versions[0], versions[2]])
    assert find_versions(client, name) == [versions[1]]
    delete_versions(client, versions)
    assert find_versions(client, name) == []


def test_nothing_makes_a_version_by_writing_into_it(client, name):
    with pytest.raises(NotFoundError, match="forbids index auto creation"):
        client.index(index=version_name(name, 1), id="7", document={"id": "7"})


def test_every_write_and_deletion_counts_as_an_operation(client, name):
    version = create_version(client, name, 1, RUN).name
    assert count_operations(client, version) == 0
    for id_ in ("a", "b", "a"):
        client.index(index=version, id=id_, document={"id": id_})
    client.delete(index=version, id="b")
    assert count_operations(client, version) == 4
    client.indices.refresh(index=version)
    client.indices.forcemerge(index=version)
    client.indices.put_settings(index=version, settings={"refresh_interval": "5s"})
    assert count_operations(client, version) == 4
    assert count_documents(client, version) == 1


@pytest.mark.parametrize("shards", [1, 3])
def test_operations_are_those_of_all_shards(client, name, shards):
    put_template(client, name, IndexSettings(shards=shards))
    version = create_version(client, name, 1, RUN).name
    for i in range(20):
        client.index(index=version, id=str(i), document={"id": str(i)})
    assert count_operations(client, version) == 20


def test_progress_is_kept_in_the_version_beside_what_else_is_there(client, name):
    version = create_version(client, name, 1, RUN)
    further = BuildState("this one", 7, "abc", 2, None, "5s")
    build_state.keep(client, version.name, further)
    [found] = find_versions(client, name)
    assert found.state == further
    assert (found.settings, found.settings_digest) == (version.settings, version.settings_digest)
    assert not found.state.complete
    build_state.keep(client, version.name, BuildState("this one", 9, "abc", 0, 9))
    assert find_versions(client, name)[0].state.complete


def test_a_run_stops_when_another_has_begun(client, name):
    version = create_version(client, name, 1, RUN).name
    build_state.begin(client, version, BuildState(run="another", position=3))
    with pytest.raises(ElasticsearchError, match=f"another run has begun to write into {version} meanwhile"):
        build_state.keep(client, version, RUN)
    assert find_versions(client, name)[0].state.position == 3


def test_a_name_that_is_an_index_by_itself_is_refused(client, name):
    client.indices.create(index=name)
    with pytest.raises(ElasticsearchError, match=rf"^{name} is a plain index; expected an alias that"):
        find_versions(client, name)


def test_a_name_that_leads_to_two_indexes_is_refused(client, name):
    for number in (1, 2):
        create_version(client, name, number, RUN)
        client.indices.put_alias(index=version_name(name, number), name=name)
    with pytest.raises(ElasticsearchError, match=rf"leads to 2 indexes, {name}-000001, {name}-000002; expected one"):
        find_versions(client, name)


@pytest.mark.parametrize("other", ["{}-other", "{}-100000"])
def test_a_name_that_leads_to_an_index_of_somebody_else_is_refused(client, name, other):
    client.indices.create(index=other.format(name), aliases={name: {}})
    with pytest.raises(
        ElasticsearchError, match=rf"leads to {other.format(name)}, which `answer-selection index` did not make"
    ):
        find_versions(client, name)


def test_a_name_that_no_index_can_have_is_refused(client):
    with pytest.raises(ValueError, match="'My FAQ' can't be the name of an index"):
        find_versions(client, "My FAQ")
