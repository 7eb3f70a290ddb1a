# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""A site on 127.0.0.1 whose pages a test writes, and which tells what it was asked for."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread


@dataclass
class Reply:
    """What an address gives: the status, the headers and the body; or, with a list, one after the other."""

    body: str | bytes = ""
    type: str | None = "text/html; charset=utf-8"
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)


@dataclass
class Site:
    """The pages by their paths, what was asked for, and the headers of the last request."""

    url: str
    pages: dict[str, Reply | list[Reply]]
    asked: list[str] = field(default_factory=list)
    headers: dict[str, str] = field(default_factory=dict)


@contextmanager
def serve() -> Iterator[Site]:
    """
    Serve a site.

    :returns: The site; its pages may be changed while it is served.
    """

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            site.asked.append(self.path)
            site.headers = dict(self.headers)
            reply = site.pages.get(self.path, Reply("none", "text/plain", 404))
            if isinstance(reply, list):
                reply = reply.pop(0) if len(reply) > 1 else reply[0]
            body = reply.body.encode() if isinstance(reply.body, str) else reply.body
            self.send_response(reply.status)
            headers = {**({"Content-Type": reply.type} if reply.type else {}), "Content-Length": str(len(body))}
            for name, value in {**headers, **reply.headers}.items():
                self.send_header(name, value)
            self.end_headers()
            # Who has read enough goes away.
            try:
                self.wfile.write(body)
            except ConnectionError:
                self.close_connection = True

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    site = Site(f"http://127.0.0.1:{server.server_port}", {})
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield site
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
