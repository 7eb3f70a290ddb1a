# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
TLS and passwords in front of the tests' Elasticsearch, whose own security is not published.

It answers as Elasticsearch does who is not let in, and passes the rest on. So it is the client's side that is tested
with it, not the security of a server.
"""

import base64
import http.client
import json
import ssl
import threading
from contextlib import suppress
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlsplit

import trustme

USER, PASSWORD = "faq", "pass:wörd, with a comma"
KEY_ID, KEY = "VuaCfGcBCdbkQm-e5aOx", "ui2lp2axTNmsyakw9tvNnw"
ENCODED_KEY = base64.b64encode(f"{KEY_ID}:{KEY}".encode()).decode()
# A key that may only read.
READER_KEY = base64.b64encode(b"reader:of-everything").decode()


class TlsProxy:
    """
    A server that speaks TLS with a certificate of an authority of its own.

    :param target: URL of the node behind it.
    :param hostname: The name that its certificate is for.
    """

    def __init__(self, target: str, hostname: str = "127.0.0.1") -> None:
        self.authority = trustme.CA()
        self.authorizations: list[str] = []
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.authority.issue_cert(hostname).configure_cert(context)
        self._server = _Server(("127.0.0.1", 0), _Handler)
        self._server.context, self._server.proxy, self._server.target = context, self, urlsplit(target).netloc
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)

    @property
    def url(self) -> str:
        """Where it is asked."""
        return f"https://127.0.0.1:{self._server.server_port}"

    def certificates(self, folder: Path) -> Path:
        """Write the file that whoever trusts it needs."""
        path = folder / f"authority-{self._server.server_port}.pem"
        self.authority.cert_pem.write_to_path(str(path))
        return path

    def __enter__(self) -> "TlsProxy":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


class _Server(ThreadingHTTPServer):
    context: ssl.SSLContext
    proxy: TlsProxy
    target: str
    daemon_threads = True

    def finish_request(self, request, client_address) -> None:
        # Here and not around the listening socket: one bad handshake shall not hold up the others.
        with suppress(ssl.SSLError, OSError), self.context.wrap_socket(request, server_side=True) as secure:
            super().finish_request(secure, client_address)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def _pass_on(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        authorization = self.headers.get("authorization", "")
        self.server.proxy.authorizations.append(authorization)
        if problem := _problem(authorization, self.command):
            status, reason = problem
            error = {"type": "security_exception", "reason": reason}
            content = json.dumps({"error": {"root_cause": [error], **error}, "status": status}).encode()
            headers = {"content-type": "application/json", "x-elastic-product": "Elasticsearch"}
        else:
            connection = http.client.HTTPConnection(self.server.target, timeout=30)
            passed = {name: value for name, value in self.headers.items() if name.lower() != "authorization"}
            connection.request(self.command, self.path, body, passed)
            response = connection.getresponse()
            status, content, headers = response.status, response.read(), dict(response.getheaders())
            connection.close()
        self.send_response(status)
        for name, value in headers.items():
            if name.lower() not in ("content-length", "transfer-encoding", "connection"):
                self.send_header(name, value)
        length = headers.get("content-length", "0") if self.command == "HEAD" else str(len(content))
        self.send_header("content-length", length)
        self.end_headers()
        self.wfile.write(b"" if self.command == "HEAD" else content)

    do_GET = do_HEAD = do_POST = do_PUT = do_DELETE = _pass_on  # noqa: N815 - the names that it looks for

    def log_message(self, *_: object) -> None:
        pass


def _problem(authorization: str, method: str) -> tuple[int, str] | None:
    kind, _, value = authorization.partition(" ")
    if not authorization:
        return HTTPStatus.UNAUTHORIZED, "missing authentication credentials for REST request [/]"
    if kind == "Basic":
        user = base64.b64decode(value).decode().partition(":")[0]
        if value != base64.b64encode(f"{USER}:{PASSWORD}".encode()).decode():
            return HTTPStatus.UNAUTHORIZED, f"unable to authenticate user [{user}] for REST request [/]"
    elif value == READER_KEY:
        if method == "PUT":
            return HTTPStatus.FORBIDDEN, "action [indices:admin/create] is unauthorized for API key id [reader]"
    elif value != ENCODED_KEY:
        return HTTPStatus.UNAUTHORIZED, "unable to authenticate with provided credentials"
    return None
