# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""A file that keeps parse trees, by parser and text."""

import re
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Final

from tenacity import retry, retry_if_exception, stop_after_delay, wait_random

from answer_selection.indexing.batched import batched

_TABLE: Final = """
CREATE TABLE IF NOT EXISTS trees (
    backend TEXT NOT NULL, text_sha256 BLOB NOT NULL, tree TEXT NOT NULL, PRIMARY KEY (backend, text_sha256)
) WITHOUT ROWID
"""
# Another process may be writing.
_PATIENCE: Final = 60.0
_AT_ONCE: Final = 500
_SURROGATE: Final = re.compile(r"[\ud800-\udfff]")


class TreeCache:
    """
    Trees in an SQLite file, which several processes can use at once.

    :param path: The file; it is made if it is not there.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)

    def find(self, backend: str, texts: Iterable[str]) -> dict[str, str]:
        """
        Find the trees of texts.

        :param backend: The name of the parser that made them.
        :param texts: The texts.
        :returns: The trees that are there, by text.
        :raises ValueError: If the file is no cache of trees.
        """
        found: dict[str, str] = {}
        with self._database() as database:
            for some in batched(texts, _AT_ONCE):
                digests = {_digest(text): text for text in some}
                marks = ",".join("?" * len(digests))
                query = f"SELECT text_sha256, tree FROM trees WHERE backend = ? AND text_sha256 IN ({marks})"  # noqa: S608
                found.update({digests[digest]: tree for digest, tree in database.execute(query, (backend, *digests))})
        return found

    def keep(self, backend: str, trees: Mapping[str, str]) -> None:
        """
        Keep trees; when this returns they are in the file, but for those of texts with half a character (a surrogate).

        :param backend: The name of the parser that made them.
        :param trees: The trees by text.
        :raises ValueError: If the file is no cache of trees.
        """
        rows = [(backend, _digest(text), tree) for text, tree in trees.items() if not _SURROGATE.search(tree)]
        with self._database() as database, database:
            database.executemany("INSERT OR REPLACE INTO trees VALUES (?, ?, ?)", rows)

    @contextmanager
    def _database(self) -> Iterator[sqlite3.Connection]:
        database = None
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            database = sqlite3.connect(self.path, timeout=_PATIENCE)
            _let_many_in(database)
            database.execute(_TABLE)
            yield database
        except (OSError, sqlite3.Error) as error:
            msg = f"{self.path}: {error}; expected a file of parse trees (SQLite), or a place for a new one"
            raise ValueError(msg) from error
        finally:
            if database is not None:
                database.close()


def _is_busy(error: BaseException) -> bool:
    # The lowest byte is the error, what is above it the occasion.
    return isinstance(error, sqlite3.OperationalError) and error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY


# SQLite's own patience is not for this: while others open a new file too, it gives up at once.
@retry(
    retry=retry_if_exception(_is_busy), wait=wait_random(0.001, 0.05), stop=stop_after_delay(_PATIENCE), reraise=True
)
def _let_many_in(database: sqlite3.Connection) -> None:
    """Make the file one where who reads waits for nobody who writes."""
    database.execute("PRAGMA journal_mode = WAL")


def _digest(text: str) -> bytes:
    return sha256(text.encode("utf-8", "surrogatepass")).digest()
