# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""A file that keeps pages while they are fetched: what was fetched before a kill or an error is not fetched again."""

import sqlite3
import time
from collections.abc import Collection, Iterable, Iterator
from contextlib import closing
from enum import StrEnum
from pathlib import Path
from typing import Any, Final, NamedTuple

from haystack.dataclasses import ByteStream

# What is older is fetched anew: the pages may have changed.
_SECONDS_KEPT: Final = 24 * 3600
_TABLES: Final = """
CREATE TABLE IF NOT EXISTS starts (url TEXT PRIMARY KEY, begun REAL);
CREATE TABLE IF NOT EXISTS pages (
  number INTEGER PRIMARY KEY, asked TEXT UNIQUE, kind TEXT, state TEXT, reason TEXT, url TEXT, type TEXT, data BLOB
);
CREATE INDEX IF NOT EXISTS states ON pages (state, number);
"""


class Kind(StrEnum):
    """Where an address was found, which says what it may lead to."""

    START = "start"
    """Given by a person: a page whose links are followed, or a sitemap."""
    LINKED = "linked"
    """A link of a page: a page whose links are followed."""
    LISTED = "listed"
    """In a sitemap: a page whose links are not followed, or another sitemap."""


class State(StrEnum):
    """What became of an address."""

    WAITING = "waiting"
    FETCHED = "fetched"
    SITEMAP = "sitemap"
    LEFT_OUT = "left out"
    """Not a page, not allowed, or somewhere else."""
    FAILED = "failed"
    """May be there another time."""


class Address(NamedTuple):
    """
    An address that is to be fetched.

    :param url: The address.
    :param kind: Where it was found.
    """

    url: str
    kind: Kind


class PagesFile:
    """
    Pages in an SQLite file, and the addresses that are still to be fetched.

    It can be read any number of times, in the order of fetching, as byte streams with the page's address as ``url``.

    :param path: The file; made when it is not there.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    def begin(self, starts: Collection[str]) -> bool:
        """
        Begin, or go on where an earlier run stopped. Addresses that failed are tried again.

        What the file has of other starts, or of a run that began more than a day ago, is dropped.

        :param starts: The addresses to start from.
        :returns: Whether there are pages of an earlier run.
        :raises OSError: If the file cannot be written, or is another one.
        """
        try:
            with closing(self._open()) as connection, connection:
                connection.executescript(_TABLES)
                kept = dict(connection.execute("SELECT url, begun FROM starts"))
                if set(kept) != set(starts) or min(kept.values()) < time.time() - _SECONDS_KEPT:
                    connection.execute("DELETE FROM starts")
                    connection.execute("DELETE FROM pages")
                    connection.executemany("INSERT INTO starts VALUES (?, ?)", [(url, time.time()) for url in starts])
                connection.execute("UPDATE pages SET state = ? WHERE state = ?", (State.WAITING, State.FAILED))
        except sqlite3.DatabaseError as error:
            msg = f"{self.path} cannot hold the fetched pages: {error}. Delete it, or name another --index"
            raise OSError(msg) from error
        self.add(Address(url, Kind.START) for url in starts)
        return self.count(State.FETCHED) > 0

    def add(self, addresses: Iterable[Address]) -> None:
        """
        Add addresses to be fetched; those that are known already stay as they are.

        :param addresses: The addresses.
        """
        rows = [(address.url, address.kind, State.WAITING) for address in addresses]
        self._write("INSERT OR IGNORE INTO pages (asked, kind, state) VALUES (?, ?, ?)", rows)

    def next(self) -> Address | None:
        """
        Give the first address that waits.

        :returns: The address, or None if there is none.
        """
        query = "SELECT asked, kind FROM pages WHERE state = ? ORDER BY number LIMIT 1"
        row = next(iter(self._read(query, State.WAITING)), None)
        return None if row is None else Address(row[0], Kind(row[1]))

    def has_page(self, url: str) -> bool:
        """
        Say whether a page was fetched, under whatever address it was asked for.

        :param url: The page's own address.
        :returns: Whether it is here.
        """
        return next(iter(self._read("SELECT 1 FROM pages WHERE url = ? AND data IS NOT NULL", url)), None) is not None

    def keep(self, asked: str, url: str, mime_type: str, data: bytes) -> None:
        """
        Keep a page.

        :param asked: The address that was asked for.
        :param url: The address of the page, after redirects.
        :param mime_type: Its type, with its encoding.
        :param data: The page.
        """
        statement = "UPDATE pages SET state = ?, reason = NULL, url = ?, type = ?, data = ? WHERE asked = ?"
        self._write(statement, [(State.FETCHED, url, mime_type, data, asked)])

    def end(self, asked: str, state: State, reason: str | None = None) -> None:
        """
        Keep what became of an address that gave no page.

        :param asked: The address.
        :param state: What became of it.
        :param reason: Why.
        """
        self._write("UPDATE pages SET state = ?, reason = ? WHERE asked = ?", [(state, reason, asked)])

    def count(self, state: State) -> int:
        """
        Count addresses.

        :param state: What became of them.
        :returns: How many there are.
        """
        [(count,)] = self._read("SELECT count(*) FROM pages WHERE state = ?", state)
        return int(count)

    def reasons(self, state: State) -> list[tuple[str, str]]:
        """
        Give the addresses of a state.

        :param state: The state.
        :returns: Each with the reason.
        """
        return [(asked, reason or "") for asked, reason in self._read(_REASONS, state)]

    def __iter__(self) -> Iterator[ByteStream]:
        """Give the pages, one at a time."""
        for url, mime_type, data in self._read(_PAGES, State.FETCHED):
            yield ByteStream(data, mime_type=mime_type, meta={"url": url})

    def delete(self) -> None:
        """Delete the file."""
        self.path.unlink(missing_ok=True)

    def _open(self) -> sqlite3.Connection:
        return sqlite3.connect(self.path)

    def _read(self, query: str, *values: str) -> Iterator[Any]:
        with closing(self._open()) as connection:
            yield from connection.execute(query, values)

    def _write(self, statement: str, rows: Iterable[tuple[Any, ...]]) -> None:
        with closing(self._open()) as connection, connection:
            connection.executemany(statement, rows)


_REASONS: Final = "SELECT asked, reason FROM pages WHERE state = ? ORDER BY number"
_PAGES: Final = "SELECT url, type, data FROM pages WHERE state = ? ORDER BY number"
