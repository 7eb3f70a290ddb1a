# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The ids of a corpus, on disk: memory stays the same however many entries there are."""

import sqlite3
from collections.abc import Collection, Iterator
from types import TracebackType
from typing import Final, Self

from answer_selection.indexing.batched import LOOKUP, batched

MAX_ID_BYTES: Final = 1024
"""The most bytes of an id, in UTF-8."""

# Pages of the file that are kept in memory, in KiB.
_CACHE = 16_384


class EntryIds:
    """
    Keeps the ids of entries that have been read, each with the name of the source that it came from first.

    A digest of the entry's words is kept with it. The ids are in a temporary file that has no name, so that it is gone
    when this is closed or the process ends, whatever ends it.
    """

    def __init__(self) -> None:
        # An entry may be read by another thread than the one before, only never by two at once.
        self._connection = sqlite3.connect("", isolation_level=None, check_same_thread=False)
        for pragma in ("journal_mode = OFF", "synchronous = OFF", f"cache_size = -{_CACHE}"):
            self._connection.execute(f"PRAGMA {pragma}")
        self._connection.execute("CREATE TABLE ids (id TEXT PRIMARY KEY, source INTEGER, digest BLOB) WITHOUT ROWID")
        self._connection.execute("BEGIN")
        self._sources: list[str] = []
        self._numbers: dict[str, int] = {}
        self.repeated = 0
        """How often an entry came again in the same words; whoever reads counts."""

    def add(self, entry_id: str, source: str, digest: bytes = b"") -> str | None:
        """
        Keep an id.

        :param entry_id: The id.
        :param source: The name of the source that it is read from.
        :param digest: What tells its entry's text from another.
        :returns: None; or, if the id was there already, the name of the source that it came from then.
        """
        number = self._numbers.setdefault(source, len(self._sources))
        if number == len(self._sources):
            self._sources.append(source)
        if self._connection.execute("INSERT OR IGNORE INTO ids VALUES (?, ?, ?)", (entry_id, number, digest)).rowcount:
            return None
        first: int = self._connection.execute("SELECT source FROM ids WHERE id = ?", (entry_id,)).fetchone()[0]
        return self._sources[first]

    def digest(self, entry_id: str) -> bytes:
        """
        Say what an entry is told by.

        :param entry_id: An id that is kept here.
        :returns: The digest that came with it.
        """
        found: bytes = self._connection.execute("SELECT digest FROM ids WHERE id = ?", (entry_id,)).fetchone()[0]
        return found

    def others(self, ids: Collection[str]) -> list[str]:
        """
        Say which of some ids are not kept here.

        :param ids: The ids.
        :returns: Those that are not here, in their order.
        """
        asked = list(ids)
        known: set[str] = set()
        for some in batched(asked, LOOKUP):
            marks = ",".join("?" * len(some))
            rows = self._connection.execute(f"SELECT id FROM ids WHERE id IN ({marks})", some)  # noqa: S608  marks only
            known.update(entry_id for (entry_id,) in rows)
        return [entry_id for entry_id in asked if entry_id not in known]

    def __iter__(self) -> Iterator[str]:
        """Give the ids, sorted."""
        return (entry_id for (entry_id,) in self._connection.execute("SELECT id FROM ids ORDER BY id"))

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()

    def __enter__(self) -> Self:
        """Begin a context that closes this."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Close this."""
        self.close()
