# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The alias of an index leads from one of its versions to another in one step."""

from typing import TYPE_CHECKING, Any

from answer_selection.indexing.elasticsearch.retry import patiently, server_patience
from answer_selection.indexing.elasticsearch.versions import live_one, look_up

if TYPE_CHECKING:
    from elasticsearch import Elasticsearch


def make_live(client: "Elasticsearch", name: str, version: str) -> None:
    """
    Lead the alias to a version. Whoever asks meanwhile gets an answer from the old one or from the new one.

    :param client: The cluster.
    :param name: The index's name.
    :param version: The version's own name.
    """

    def swap() -> None:
        live = live_one(look_up(client, name))
        if live is not None and live.name == version:
            return
        actions: list[dict[str, Any]] = [{"add": {"index": version, "alias": name, "is_write_index": True}}]
        if live is not None:
            actions.append({"remove": {"index": live.name, "alias": name, "must_exist": True}})
        client.indices.update_aliases(actions=actions, master_timeout=server_patience())

    patiently(swap)
