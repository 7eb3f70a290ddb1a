# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The tests' server is a real one, and what stands in for its parts that are not published behaves as they do."""

import pytest
from elasticsearch import Elasticsearch


@pytest.fixture(scope="module")
def client(elasticsearch_node):
    with Elasticsearch(elasticsearch_node.url) as client:
        yield client


def test_a_client_takes_it_for_what_it_is(client):
    assert client.info()["version"]["number"] == "8.19.21"
    assert client.ping()


def test_three_nodes_are_one_green_cluster(elasticsearch_cluster):
    with Elasticsearch(elasticsearch_cluster.urls) as client:
        health = client.cluster.health()
    assert (health["number_of_nodes"], health["status"]) == (3, "green")
