# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Asking one site for its pages: politely, within limits, and for no other site's."""

import time
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version
from typing import Final
from urllib.parse import urljoin, urlsplit

import httpx
from protego import Protego
from tenacity import RetryCallState, Retrying, retry_if_exception_type, stop_after_attempt, wait_exponential

AGENT: Final = "answer-selection-haystack"
"""What robots.txt calls this program."""

MOST_BYTES: Final = 10_000_000
"""The most bytes of a page; of a sitemap five times as many, which is what the protocol allows."""

_SITEMAP_BYTES: Final = 50_000_000
_SECONDS: Final = 20.0
_TRIES: Final = 3
_REDIRECTS: Final = 5
_LONGEST_WAIT: Final = 60.0
_HTML: Final = ("text/html", "application/xhtml+xml")
_XML: Final = ("text/xml", "application/xml", "application/gzip", "application/x-gzip")
_PORTS: Final = {"http": 80, "https": 443}


class FetchError(Exception):
    """A page that could not be fetched now; the message says why."""


class LeftOutError(Exception):
    """An address that gives no page that may be read; the message says why."""


class _BusyError(FetchError):
    """The site asks to come back later."""

    def __init__(self, message: str, seconds: float) -> None:
        super().__init__(message)
        self.seconds = seconds


@dataclass(frozen=True, slots=True)
class Response:
    """
    What an address gave.

    :param url: The address after redirects.
    :param mime_type: Its type, with its encoding where the site says it.
    :param data: The bytes.
    """

    url: str
    mime_type: str
    data: bytes

    @property
    def is_html(self) -> bool:
        """Whether it is a page, and no sitemap."""
        return _essence(self.mime_type) in _HTML


class Site:
    """
    One host, asked for one page at a time.

    :param url: An address of the host. With and without TLS it is the same host; another port or name is another one.
    :param pause: Seconds between two requests; robots.txt may ask for more, up to a minute.
    :param sleep: What waits.
    """

    def __init__(self, url: str, *, pause: float, sleep: Callable[[float], None] = time.sleep) -> None:
        self._host = host_of(url)
        self._pause, self._sleep = pause, sleep
        self._robots: dict[str, Protego] = {}
        self._asked_before = False
        agent = f"{AGENT}/{version('answer-selection-haystack')}"
        self._client = httpx.Client(headers={"User-Agent": agent, "Accept": "text/html,*/*;q=0.5"}, timeout=_SECONDS)

    def close(self) -> None:
        """Close its connections."""
        self._client.close()

    def has(self, url: str) -> bool:
        """
        Say whether an address is one of this host.

        :param url: An address.
        :returns: Whether it is.
        """
        return host_of(url) == self._host

    def get(self, url: str) -> Response:
        """
        Fetch a page, or a sitemap.

        :param url: Its address.
        :returns: What it gave.
        :raises LeftOutError: If robots.txt does not allow it, it leads to another host, is not there, or is neither
            HTML nor XML.
        :raises FetchError: If the host cannot be reached, is busy or fails three times, or the page is too large.
        """
        for _ in range(_REDIRECTS + 1):
            if not self.has(url):
                msg = f"leads to another host: {url}"
                raise LeftOutError(msg)
            robots = self._robots_of(url)
            if not robots.can_fetch(url, AGENT):
                msg = "robots.txt does not allow it"
                raise LeftOutError(msg)
            asked = self._ask(url)
            if isinstance(asked, Response):
                return asked
            url = asked
        msg = f"is redirected more than {_REDIRECTS} times"
        raise FetchError(msg)

    def _robots_of(self, url: str) -> Protego:
        root = "{0.scheme}://{0.netloc}".format(urlsplit(url))
        if root not in self._robots:
            address = f"{root}/robots.txt"
            for _ in range(_REDIRECTS + 1):
                try:
                    asked = self._ask(address, any_type=True)
                except LeftOutError:  # there is none: all is allowed
                    asked = Response(address, "text/plain", b"")
                except FetchError as error:
                    msg = f"robots.txt {error}"
                    raise FetchError(msg) from error
                if isinstance(asked, Response):
                    break
                address = asked
            text = asked.data.decode("utf-8", errors="replace") if isinstance(asked, Response) else ""
            self._robots[root] = Protego.parse(text)
            delay = self._robots[root].crawl_delay(AGENT)
            self._pause = max(self._pause, min(delay or 0.0, _LONGEST_WAIT))
        return self._robots[root]

    def _ask(self, url: str, *, any_type: bool = False) -> Response | str:
        """Give what an address has, or the address that it leads to."""

        def wait(state: RetryCallState) -> float:
            error = state.outcome.exception() if state.outcome else None
            backoff = wait_exponential(multiplier=1, max=_LONGEST_WAIT)(state)
            return max(backoff, error.seconds) if isinstance(error, _BusyError) else backoff

        retrying = Retrying(
            retry=retry_if_exception_type((httpx.TransportError, _BusyError)),
            stop=stop_after_attempt(_TRIES),
            wait=wait,
            sleep=self._sleep,
            reraise=True,
        )
        try:
            return retrying(self._ask_once, url, any_type)
        except httpx.TimeoutException as error:
            msg = f"gave no answer within {_SECONDS:.0f} s"
            raise FetchError(msg) from error
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            msg = f"cannot be fetched: {error or type(error).__name__}"
            raise FetchError(msg) from error

    def _ask_once(self, url: str, any_type: bool) -> Response | str:
        if self._asked_before:
            self._sleep(self._pause)
        self._asked_before = True
        with self._client.stream("GET", url) as response:
            status = response.status_code
            if response.has_redirect_location:
                try:
                    return urljoin(url, response.headers["Location"])
                except ValueError as error:
                    msg = f"is redirected to what is no address: {response.headers['Location']}"
                    raise LeftOutError(msg) from error
            if status == httpx.codes.TOO_MANY_REQUESTS or status >= httpx.codes.INTERNAL_SERVER_ERROR:
                msg = f"gave the status {status}"
                raise _BusyError(msg, _seconds(response.headers.get("Retry-After", "")))
            if status != httpx.codes.OK:
                msg = f"gave the status {status}"
                raise LeftOutError(msg)
            mime_type = response.headers.get("Content-Type", "")
            essence = _essence(mime_type)
            if not any_type and essence not in (*_HTML, *_XML):
                msg = f"is no page but {essence or 'of no type'}"
                raise LeftOutError(msg)
            most = MOST_BYTES if essence in _HTML or any_type else _SITEMAP_BYTES
            return Response(url, mime_type, _unpacked(_limited(response, most), most))


def host_of(url: str) -> tuple[str, int | None]:
    """
    Give what tells a host from another one.

    :param url: An address.
    :returns: Its name, and its port unless that is the usual one.
    """
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return "", None
    return (parts.hostname or "").lower(), None if port == _PORTS.get(parts.scheme) else port


def _essence(mime_type: str) -> str:
    return mime_type.partition(";")[0].strip().lower()


def _seconds(text: str) -> float:
    return min(float(text), _LONGEST_WAIT) if text.isdecimal() else 0.0


def _limited(response: httpx.Response, most: int) -> bytes:
    data = bytearray()
    for part in response.iter_bytes():
        data += part
        if len(data) > most:
            raise _too_large(most)
    return bytes(data)


def _unpacked(data: bytes, most: int) -> bytes:
    """Unpack a sitemap that is a gzip file."""
    if not data.startswith(b"\x1f\x8b"):
        return data
    unpacker = zlib.decompressobj(wbits=31)
    try:
        unpacked = unpacker.decompress(data, most)
    except zlib.error as error:
        msg = f"is a damaged gzip file: {error}"
        raise FetchError(msg) from error
    if unpacker.unconsumed_tail:
        raise _too_large(most)
    return unpacked


def _too_large(most: int) -> FetchError:
    return FetchError(f"has more than {most:,} bytes")
