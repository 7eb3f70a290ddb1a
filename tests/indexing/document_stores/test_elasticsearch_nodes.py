# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Nodes from the environment: what is read, what is refused, and what is never written down."""

import copy
import pickle
import re
from collections.abc import Callable
from pathlib import Path

import pytest
import trustme
from elasticsearch import Elasticsearch
from haystack import Pipeline
from haystack.core.errors import DeserializationError
from haystack_integrations.components.retrievers.elasticsearch import ElasticsearchBM25Retriever
from haystack_integrations.document_stores.elasticsearch import ElasticsearchDocumentStore

from haystack_integrations.document_stores.elasticsearch_nodes import ElasticsearchNodes

TYPE = "haystack_integrations.document_stores.elasticsearch_nodes.nodes.ElasticsearchNodes"
# The user's name with the password, as HTTP sends them.
BASIC = "Basic ZmFxOmh1bnRlcjI="


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    for name in ("ELASTICSEARCH_HOSTS", "ELASTIC_USERNAME", "ELASTIC_PASSWORD", "ELASTIC_CA_CERTS", "ELASTIC_API_KEY"):
        monkeypatch.delenv(name, raising=False)

    def change(**values: object) -> None:
        for name, value in values.items():
            monkeypatch.setenv(name, str(value))

    return change


@pytest.fixture
def certificates(tmp_path: Path) -> Path:
    path = tmp_path / "authority.pem"
    trustme.CA().cert_pem.write_to_path(str(path))
    return path


def test_without_anything_it_is_a_node_on_this_machine():
    assert ElasticsearchNodes().urls == ["http://localhost:9200"]


def test_urls_users_and_certificates_come_from_the_environment(environment: Callable[..., None], certificates: Path):
    environment(
        ELASTICSEARCH_HOSTS=" https://es1.example.org:9200, https://[::1]:9201/,https://es.example.org:443/search/ ,",
        ELASTIC_USERNAME="faq",
        ELASTIC_PASSWORD="hunter2",
        ELASTIC_CA_CERTS=certificates,
    )
    nodes = ElasticsearchNodes()
    assert nodes.urls == [
        "https://es1.example.org:9200",
        "https://[::1]:9201",
        "https://es.example.org:443/search",
    ]
    assert {(node.headers["authorization"], node.ca_certs) for node in nodes} == {(BASIC, str(certificates))}
    # The client takes them as they are.
    with Elasticsearch(nodes) as client:
        assert {node.base_url for node in client.transport.node_pool.all()} == set(nodes.urls)


def test_beside_a_key_user_and_password_are_not_used(environment: Callable[..., None]):
    environment(ELASTIC_USERNAME="faq", ELASTIC_PASSWORD="hunter2", ELASTIC_API_KEY="a2V5")
    assert "authorization" not in ElasticsearchNodes()[0].headers
    # Not even where one of them is missing.
    environment(ELASTIC_USERNAME="")
    assert "authorization" not in ElasticsearchNodes()[0].headers


@pytest.mark.parametrize(
    ("variables", "problem"),
    [
        (
            {"ELASTICSEARCH_HOSTS": "localhost:9200"},
            "ELASTICSEARCH_HOSTS holds 'localhost:9200'; expected a URL such as",
        ),
        ({"ELASTICSEARCH_HOSTS": "localhost"}, "ELASTICSEARCH_HOSTS holds 'localhost'; expected a URL"),
        ({"ELASTICSEARCH_HOSTS": "ftp://localhost:9200"}, "holds 'ftp://localhost:9200'; expected a URL"),
        ({"ELASTICSEARCH_HOSTS": "http://localhost:9200?pretty"}, "holds 'http://localhost:9200?pretty'"),
        ({"ELASTICSEARCH_HOSTS": "http://:9200"}, "holds 'http://:9200'"),
        ({"ELASTICSEARCH_HOSTS": "http://localhost"}, "'http://localhost' names no port; expected a URL such as"),
        ({"ELASTICSEARCH_HOSTS": "https://es.example.org"}, "names no port; expected a URL such as"),
        ({"ELASTICSEARCH_HOSTS": "http://localhost:http"}, "holds something that is no URL"),
        ({"ELASTICSEARCH_HOSTS": "http://localhost:99999"}, "holds something that is no URL"),
        ({"ELASTICSEARCH_HOSTS": "http://[::1:9200"}, "holds something that is no URL"),
        ({"ELASTICSEARCH_HOSTS": "https://faq:hunter2@localhost:9200"}, "put user and password into ELASTIC_USERNAME"),
        ({"ELASTIC_USERNAME": "faq"}, "ELASTIC_USERNAME is set, but ELASTIC_PASSWORD is not"),
        ({"ELASTIC_PASSWORD": "hunter2"}, "ELASTIC_PASSWORD is set, but ELASTIC_USERNAME is not"),
        ({"ELASTIC_CA_CERTS": "/nowhere/ca.pem"}, "ELASTIC_CA_CERTS: /nowhere/ca.pem: No such file or directory"),
        ({"ELASTIC_CA_CERTS": __file__}, f"ELASTIC_CA_CERTS: {__file__} holds no certificate; expected a PEM file"),
    ],
)
def test_what_does_not_fit_is_refused_by_the_variables_name(
    environment: Callable[..., None], variables: dict[str, str], problem: str
):
    environment(**variables)
    with pytest.raises(ValueError, match=re.escape(problem)) as error:
        ElasticsearchNodes()
    assert "hunter2" not in str(error.value)


def test_certificates_for_what_is_not_encrypted_are_refused(environment: Callable[..., None], certificates: Path):
    environment(ELASTICSEARCH_HOSTS="http://localhost:9200", ELASTIC_CA_CERTS=certificates)
    with pytest.raises(ValueError, match="'http://localhost:9200', which is not encrypted; expected https://"):
        ElasticsearchNodes()


def test_no_secret_is_shown_copied_or_pickled(environment: Callable[..., None]):
    environment(ELASTIC_USERNAME="faq", ELASTIC_PASSWORD="hunter2")
    nodes = ElasticsearchNodes()
    assert repr(nodes) == "ElasticsearchNodes(http://localhost:9200)"
    for shown in (repr(nodes), str(nodes), f"{nodes}", repr(list(nodes)), repr(nodes.to_dict())):
        assert "hunter2" not in shown
        assert BASIC.partition(" ")[2] not in shown
    assert BASIC.encode() not in pickle.dumps(nodes)
    for copied in (copy.copy(nodes), copy.deepcopy(nodes), pickle.loads(pickle.dumps(nodes))):
        assert isinstance(copied, ElasticsearchNodes)
        assert [(node.host, node.headers["authorization"]) for node in copied] == [("localhost", BASIC)]


def test_a_pipeline_keeps_them_by_their_name_alone(environment: Callable[..., None], certificates: Path):
    environment(
        ELASTICSEARCH_HOSTS="https://es1.example.org:9200",
        ELASTIC_USERNAME="faq",
        ELASTIC_PASSWORD="hunter2",
        ELASTIC_CA_CERTS=certificates,
    )
    store = ElasticsearchDocumentStore(hosts=ElasticsearchNodes(), index="faq", request_timeout=10)
    pipeline = Pipeline()
    pipeline.add_component("bm25", ElasticsearchBM25Retriever(document_store=store))
    text = pipeline.dumps()
    for secret in ("hunter2", BASIC.partition(" ")[2], "es1.example.org", str(certificates)):
        assert secret not in text
    # Where it is loaded, it is the environment there that counts.
    environment(ELASTICSEARCH_HOSTS="https://es2.example.org:9200", ELASTIC_USERNAME="other")
    loaded = Pipeline.loads(text)
    assert loaded.dumps() == text
    hosts = loaded.get_component("bm25").to_dict()["init_parameters"]["document_store"]["init_parameters"]["hosts"]
    assert hosts == {"type": TYPE, "init_parameters": {}}
    [node] = loaded.get_component("bm25")._document_store._hosts
    assert (node.host, node.ca_certs) == ("es2.example.org", str(certificates))
    assert node.headers["authorization"] != BASIC


def test_in_yaml_it_takes_no_parameters():
    assert ElasticsearchNodes.from_dict({"type": TYPE}).urls == ["http://localhost:9200"]
    with pytest.raises(TypeError, match="hosts"):
        ElasticsearchNodes.from_dict({"type": TYPE, "init_parameters": {"hosts": "http://localhost:9200"}})
    with pytest.raises(DeserializationError):
        ElasticsearchNodes.from_dict({"type": "elsewhere.ElasticsearchNodes"})
