# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Explain the exceptions of the Elasticsearch client, in one line each."""

import os
import re
from contextlib import suppress
from http import HTTPStatus
from http.client import responses
from textwrap import shorten
from typing import Any

from elastic_transport import ApiError, ConnectionTimeout, SerializationError, TlsError, TransportError

from haystack_integrations.document_stores.elasticsearch_nodes import ElasticsearchNodes
from haystack_integrations.document_stores.elasticsearch_nodes.whole_results import PartialResultError

# What the shipped pipelines have in the place of a mapping, so that no server makes an empty index of its own accord.
_GUARD = re.compile(r"mapper type \[(there is no such index.*?)\] declared")
_TIMEOUT = re.compile(r"timeout=([\d.]+)")
_BLOCKED = re.compile(r"index \[(.+?)\] blocked by: \[[A-Z_]+/\d+/([^;\]]+)")
_MANY, _GATEWAY = 429, (502, 503, 504)
# The client speaks to this version and the next one.
_OLDEST = 8


def explain(error: Exception) -> str:
    """
    Say what an exception of the client means.

    :param error: The exception.
    :returns: One line: what is wrong, where, and what would help.
    """
    if isinstance(error, ApiError):
        text = _refused(error)
    elif isinstance(error, TransportError):
        # The last attempt may have been at a node that is gone; what another one said tells more.
        partial = [attempt for attempt in (error, *error.errors) if isinstance(attempt, PartialResultError)]
        text = str(partial[0]) if partial else _unreached(error)
    else:
        text = str(error)
    return " ".join(text.split())


def _unreached(error: TransportError) -> str:
    """Explain why no answer came, or none that can be read."""
    where, cause = _where(error), _text(error.__cause__ or error)
    attempts = f"{len(error.errors) + 1} attempts" if error.errors else "1 attempt"
    if isinstance(error, ConnectionTimeout):
        seconds = _TIMEOUT.search(cause)
        within = f" within {float(seconds[1]):.3g} s" if seconds else " in time"
        return f"Elasticsearch at {where} did not answer{within} ({attempts})"
    if isinstance(error, TlsError):
        return _no_tls(where, cause)
    if isinstance(error, SerializationError):
        return f"the server at {where} is not Elasticsearch: {cause}"
    if "BadStatusLine" in cause or "Expected HTTP/" in cause:
        return f"the server at {where} does not speak HTTP: a wrong port, or https:// instead of http://?"
    if "Connection aborted" in cause or "disconnected" in cause:
        return f"the connection to {where} broke off ({attempts}): {cause}"
    return f"nothing answers at {where}; is Elasticsearch running, and does ELASTICSEARCH_HOSTS name it? ({cause})"


def _no_tls(where: str, cause: str) -> str:
    if "WRONG_VERSION_NUMBER" in cause or "record layer failure" in cause:
        return f"the server at {where} does not speak TLS: http:// instead of https://?"
    if "doesn't match" in cause or "not valid for" in cause or "mismatch" in cause:
        return f"the certificate of {where} is for another name: ELASTICSEARCH_HOSTS must use that name ({cause})"
    if "certificate verify failed" in cause:
        file = os.environ.get("ELASTIC_CA_CERTS")
        signed = (
            f"ELASTIC_CA_CERTS is {file}"
            if file
            else "set ELASTIC_CA_CERTS to the file of the authority that signed it"
        )
        return f"the certificate of {where} is not trusted; {signed} ({cause})"
    return f"no TLS connection to {where}: {cause}"


def _refused(error: ApiError) -> str:
    """An answer that is an error."""
    node, status = error.meta.node, error.meta.status
    where = f"{node.scheme}://{f'[{node.host}]' if ':' in node.host else node.host}:{node.port}{node.path_prefix}"
    kind, reason, details = _body(error)
    ours = kind is not None or error.meta.headers.get("x-elastic-product") == "Elasticsearch"
    if guard := _GUARD.search(reason):
        return guard[1]
    if kind == "index_not_found_exception":
        name = details.get("resource.id") or details.get("index")
        return (
            f"there is no index {name!r} at {where}; "
            f"`answer-selection index FILE --store elasticsearch --index {name}` makes it"
        )
    if kind == "cluster_block_exception" and (blocked := _BLOCKED.search(reason)):
        # By an administrator, or by the server itself when its disk was nearly full.
        return f"the index {blocked[1]} at {where} is blocked: {blocked[2]}; free disk space, or remove the block"
    if kind == "master_not_discovered_exception" or (kind == "cluster_block_exception" and "no master" in reason):
        return f"the cluster at {where} has no master: most of its nodes are gone. Start them again"
    if status in (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN):
        return (
            f"Elasticsearch at {where} refuses access (HTTP {status}). Check ELASTIC_API_KEY, or ELASTIC_USERNAME and "
            f"ELASTIC_PASSWORD, and their privileges: {reason}"
        )
    if status == HTTPStatus.REQUEST_ENTITY_TOO_LARGE:
        return f"the request is larger than Elasticsearch at {where} accepts (http.max_content_length)"
    if not ours and status not in (_MANY, *_GATEWAY):
        return f"the server at {where} is not Elasticsearch {_OLDEST} or later (HTTP {status}: {reason})"
    if status == _MANY:
        return f"Elasticsearch at {where} is overloaded (HTTP 429, after several attempts): {reason}"
    return f"Elasticsearch at {where} answers HTTP {status}: {f'{kind}: ' if kind else ''}{reason}"


def _body(error: ApiError) -> tuple[str | None, str, dict[str, Any]]:
    """The kind of an error as Elasticsearch names it, or None if it is not Elasticsearch's; its reason; its details."""
    found = error.body.get("error") if isinstance(error.body, dict) else None
    if isinstance(found, str):
        return "error", found, {}
    if not isinstance(found, dict):
        return None, _shown(error.body) or responses.get(error.meta.status, "no reason given"), {}
    # The search's own reason is "all shards failed"; what a shard said is in its root.
    roots = found.get("root_cause") or [found]
    reasons = [str(found.get("reason")), *(str(root.get("reason")) for root in roots[:1])]
    cause = found.get("caused_by")
    if isinstance(cause, dict):
        reasons.append(str(cause.get("reason")))
    told: list[str] = []
    for reason in reasons:
        if not any(reason in already for already in told):
            told.append(reason)
    return str(found.get("type")), "; ".join(told), found


def _shown(body: Any) -> str:
    """Show which server answered: the text of its page, or the name and version of another search engine."""
    version = body.get("version") if isinstance(body, dict) else None
    if isinstance(version, dict):
        return f"{version.get('distribution', 'elasticsearch')} {version.get('number', '')}".strip()
    return shorten(re.sub(r"<[^>]*>", " ", body), 200) if isinstance(body, str) else ""


def _where(error: TransportError) -> str:
    """The nodes that were tried and failed like this."""
    places: list[str] = []
    for each in (each for each in (*error.errors, error) if type(each) is type(error)):
        cause = each.__cause__
        # urllib3 keeps the connection or its pool, aiohttp the address itself.
        at = getattr(cause, "conn", None) or getattr(cause, "pool", None) or cause
        host, port = getattr(at, "host", None), getattr(at, "port", None)
        if host and port:
            places.append(f"{host}:{port}")
    if not places:
        with suppress(ValueError):
            places = ElasticsearchNodes().urls
    return ", ".join(dict.fromkeys(places)) or "the cluster"


def _text(error: BaseException) -> str:
    # urllib3 puts what was connected with before the first colon that matters.
    return re.sub(r"^HTTPS?Connection(Pool)?\(.*?\): ", "", str(error)) or type(error).__name__
