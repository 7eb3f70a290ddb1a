# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The answers of a corpus at hand, while lists are sampled from them."""

import sqlite3
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from answer_selection.indexing.batched import LOOKUP, batched
from answer_selection.indexing.text.sameness import sameness


class Answer(NamedTuple):
    """
    An entry's answer.

    :param sameness: tells the same answers.
    :param question: tells the same questions; None if the entry has none.
    :param text: its text.
    :param tree: its parse tree, or that of question and answer together; None if it has none.
    """

    sameness: bytes
    question: bytes | None
    text: str
    tree: str | None


class AnswerTable:
    """
    The corpus's answers by id, on disk, so that memory does not grow with the corpus.

    :param path: a scratch file: made anew by every run, so nothing has to survive a crash.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        path.unlink(missing_ok=True)
        self.connection = sqlite3.connect(path, isolation_level=None)
        self.connection.execute("PRAGMA journal_mode = OFF")
        self.connection.execute("PRAGMA synchronous = OFF")
        columns = "id TEXT PRIMARY KEY, sameness BLOB, question BLOB, answer TEXT, tree TEXT"
        self.connection.execute(f"CREATE TABLE answers ({columns})")

    def add(self, rows: Iterable[tuple[str, str | None, Any, Any]]) -> None:
        """
        Add entries' ids, answers, questions and parse trees where they are not there yet.

        Empty answers are none and can be neither positive nor negative.

        :param rows: for each entry these four; None for what it has not.
        """
        self.connection.execute("BEGIN")
        self.connection.executemany(
            "INSERT OR IGNORE INTO answers VALUES (?, ?, ?, ?, ?)",
            (
                (id_, sameness(answer), sameness(str(question)) if question else None, answer, tree)
                for id_, answer, question, tree in rows
                if answer and answer.strip()
            ),
        )
        self.connection.execute("COMMIT")

    def get(self, ids: Sequence[str]) -> dict[str, Answer]:
        """
        Give answers.

        :param ids: their entries' ids.
        :returns: those that are there, by id.
        """
        found: dict[str, Answer] = {}
        for some in batched(ids, LOOKUP):
            marks = ",".join("?" * len(some))
            rows = self.connection.execute(
                f"SELECT id, sameness, question, answer, tree FROM answers WHERE id IN ({marks})",  # noqa: S608  marks only
                some,
            )
            found.update((id_, Answer(*row)) for id_, *row in rows)
        return found

    def number(self) -> int:
        """
        Number the ids, in an order that does not depend on the index's own.

        :returns: how many there are.
        """
        self.connection.execute("CREATE TABLE numbers (number INTEGER PRIMARY KEY, id TEXT)")
        return self.connection.execute("INSERT INTO numbers (id) SELECT id FROM answers ORDER BY id").rowcount

    def numbered(self, numbers: Sequence[int]) -> list[str]:
        """
        Give ids by number.

        :param numbers: the numbers, counted from 1.
        :returns: their ids, in the same order.
        """
        found: dict[int, str] = {}
        for some in batched(numbers, LOOKUP):
            marks = ",".join("?" * len(some))
            rows = self.connection.execute(
                f"SELECT number, id FROM numbers WHERE number IN ({marks})",  # noqa: S608  only question marks
                some,
            )
            found.update(rows)
        return [found[number] for number in numbers]

    def close(self) -> None:
        """Close and remove the file."""
        self.connection.close()
        self.path.unlink(missing_ok=True)
