# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
Where Elasticsearch is, and how to be let in: from the environment, for the integration's own document store.

What `ElasticsearchDocumentStore` and `ElasticsearchBM25Retriever` (elasticsearch-haystack 7.1) do not do well, and what
this package does about it:

- A user and a password can be given only as `basic_auth`, which a pipeline's YAML shows in clear text; a `Secret` there
  is never resolved. Here they come from the environment, as a header of the nodes in `hosts`.
- An API key that is a string, not a `Secret`, is left out of the YAML without a word. Leave `api_key` out:
  `ELASTIC_API_KEY` is its default.
- It makes an index that is not there, even when it is only asked a question, and with no analyzer, BM25 parameters,
  shards or replicas, for which it has no setting. The shipped pipelines have a `custom_mapping` that no server accepts
  for a new index and that no existing one is touched by; indexes are made by `answer-selection index`, by
  :mod:`answer_selection.indexing.elasticsearch.template`.
- The retriever names no fields to search. Elasticsearch then takes the index's own `index.query.default_field`: the
  template sets it, with boosts, and they can be changed on a live index.
- Its fuzziness is AUTO, which takes several times as long: the shipped pipeline's
  :class:`haystack_integrations.components.retrievers.elasticsearch_hybrid.ElasticsearchHybridScoreRetriever` has none.
- A search that some shards failed to answer counts as answered:
  :mod:`haystack_integrations.document_stores.elasticsearch_nodes.whole_results`.
- `filter_documents` reads ten documents a request, and gives the first 10,000 as if they were all:
  `ElasticsearchIndex.iter_pages` of :mod:`answer_selection.indexing.elasticsearch.index` goes through an index.
- An empty question is a `ValueError`, and one of thousands of words is refused by the server, as many as its memory
  allows: `ElasticsearchIndex.search_ids` finds nothing for the first, and takes the other's first words.
- `write_documents` waits for a refresh every 500 documents, and says `KeyError: 'create'` in the place of what the
  server refused: :mod:`answer_selection.indexing.elasticsearch.writer` does not use it.
- The filter `==` with a list takes a script, which a cluster may forbid: use `in`. One with the text of `content` or
  `question` finds nothing, since they are kept as terms.
- Its exceptions are the client's own: :mod:`answer_selection.indexing.elasticsearch.errors` says what they mean.
"""

import os
import ssl
from typing import Any
from urllib.parse import urlsplit

from elastic_transport import NodeConfig
from elastic_transport.client_utils import basic_auth_to_header
from haystack import default_from_dict, default_to_dict

HOSTS, DEFAULT_HOSTS = "ELASTICSEARCH_HOSTS", "http://localhost:9200"
USERNAME, PASSWORD, CA_CERTS = "ELASTIC_USERNAME", "ELASTIC_PASSWORD", "ELASTIC_CA_CERTS"
API_KEY = "ELASTIC_API_KEY"


class ElasticsearchNodes(list[NodeConfig]):
    """
    The nodes that the environment names, to be the `hosts` of an `ElasticsearchDocumentStore`.

    | variable | is |
    |---|---|
    | `ELASTICSEARCH_HOSTS` | URLs, with commas between them; `http://localhost:9200` if it is not set |
    | `ELASTIC_USERNAME`, `ELASTIC_PASSWORD` | user and password; not used where `ELASTIC_API_KEY` is set |
    | `ELASTIC_CA_CERTS` | a file with the certificates of those who may have signed the servers' own |

    Nothing of it is written into a pipeline's YAML, where it is

    ```yaml
    hosts:
      type: haystack_integrations.document_stores.elasticsearch_nodes.nodes.ElasticsearchNodes
    ```
    """

    def __init__(self) -> None:
        """
        Read the environment.

        :raises ValueError: If it does not fit together; the message names the variable.
        """
        urls = [url.strip() for url in os.environ.get(HOSTS, "").split(",") if url.strip()] or [DEFAULT_HOSTS]
        headers, ca_certs = _headers(), os.environ.get(CA_CERTS) or None
        if ca_certs:
            _check_certificates(ca_certs)
        super().__init__(_node(url, headers, ca_certs) for url in urls)

    @property
    def urls(self) -> list[str]:
        """The nodes' URLs."""
        return [_url(node) for node in self]

    def __repr__(self) -> str:
        """Show the URLs and nothing else."""
        return f"{type(self).__name__}({', '.join(self.urls)})"

    def __reduce__(self) -> tuple[type["ElasticsearchNodes"], tuple[()]]:
        """Leave the secrets out of a pickle: a copy reads the environment anew."""
        return type(self), ()

    def to_dict(self) -> dict[str, Any]:
        """
        Serialize the type alone.

        :returns: A dictionary for :meth:`from_dict`.
        """
        return default_to_dict(self)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> "ElasticsearchNodes":
        """
        Read the environment.

        :param data: What :meth:`to_dict` gave.
        :returns: The nodes.
        """
        nodes: ElasticsearchNodes = default_from_dict(cls, data)
        return nodes


def _headers() -> dict[str, str]:
    if os.environ.get(API_KEY):
        return {}
    username, password = os.environ.get(USERNAME), os.environ.get(PASSWORD)
    if not username and not password:
        return {}
    if not username or not password:
        there, missing = (USERNAME, PASSWORD) if username else (PASSWORD, USERNAME)
        msg = f"{there} is set, but {missing} is not; expected both, or {API_KEY}"
        raise ValueError(msg)
    return {"authorization": basic_auth_to_header((username, password))}


def _check_certificates(path: str) -> None:
    try:
        ssl.create_default_context(cafile=path)
    except ssl.SSLError as error:
        msg = f"{CA_CERTS}: {path} holds no certificate; expected a PEM file"
        raise ValueError(msg) from error
    except OSError as error:
        msg = f"{CA_CERTS}: {path}: {error.strerror}; expected a PEM file with certificates"
        raise ValueError(msg) from error


def _node(url: str, headers: dict[str, str], ca_certs: str | None) -> NodeConfig:
    example = "expected a URL such as https://search.example.com:9200"
    try:
        parts = urlsplit(url)
        port, host = parts.port, parts.hostname
    except ValueError as error:
        # Not shown: it may hold a password.
        msg = f"{HOSTS} holds something that is no URL ({error}); {example}"
        raise ValueError(msg) from error
    if "@" in parts.netloc:
        msg = f"{HOSTS} holds a user; put user and password into {USERNAME} and {PASSWORD}"
        raise ValueError(msg)
    if parts.scheme not in ("http", "https") or not host or parts.query or parts.fragment:
        msg = f"{HOSTS} holds {url!r}; {example}"
        raise ValueError(msg)
    if port is None:
        msg = f"{HOSTS}: {url!r} names no port; {example} (9200 is Elasticsearch's own, 443 that of most proxies)"
        raise ValueError(msg)
    if ca_certs and parts.scheme == "http":
        msg = f"{CA_CERTS} is set, but {HOSTS} holds {url!r}, which is not encrypted; expected https://"
        raise ValueError(msg)
    return NodeConfig(parts.scheme, host, port, parts.path.rstrip("/"), headers=headers, ca_certs=ca_certs)


def _url(node: NodeConfig) -> str:
    host = f"[{node.host}]" if ":" in node.host else node.host
    return f"{node.scheme}://{host}:{node.port}{node.path_prefix}"
