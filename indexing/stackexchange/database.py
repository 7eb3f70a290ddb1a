# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Questions and answers joined on disk: an answer may come before its question, and a dump need not fit in memory."""

import json
import sqlite3
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from types import TracebackType
from typing import Self

from answer_selection.indexing.corpus import Query
from answer_selection.indexing.entries import Entry
from answer_selection.indexing.stackexchange.posts import Answer, Question

# Pages of the file that are kept in memory, in KiB.
_CACHE = 4096


class PostDatabase:
    """
    A site's posts in a scratch file. One that an earlier run left is made anew, so nothing has to survive a crash.

    :param path: the file.
    :param site: the site's name: posts of different sites have the same numbers.
    """

    def __init__(self, path: Path, site: str) -> None:
        self._path, self._site = path, site
        path.unlink(missing_ok=True)
        self._connection = sqlite3.connect(path, isolation_level=None)
        for pragma in ("journal_mode = OFF", "synchronous = OFF", f"cache_size = -{_CACHE}"):
            self._connection.execute(f"PRAGMA {pragma}")
        self._connection.execute(
            "CREATE TABLE questions (id INTEGER PRIMARY KEY, title TEXT, tags TEXT, accepted INTEGER)"
        )
        self._connection.execute(
            "CREATE TABLE answers (id INTEGER PRIMARY KEY, question INTEGER, score INTEGER, answer TEXT)"
        )
        self._connection.execute("BEGIN")

    def add_question(self, question: Question) -> bool:
        """
        Keep a question.

        :param question: the question.
        :returns: whether it is new: the first of an id is kept.
        """
        row = (question.post_id, question.title, json.dumps(question.tags, ensure_ascii=False), question.accepted)
        return self._connection.execute("INSERT OR IGNORE INTO questions VALUES (?, ?, ?, ?)", row).rowcount > 0

    def add_answer(self, answer: Answer, text: str) -> bool:
        """
        Keep an answer.

        :param answer: the answer.
        :param text: its body as readable text.
        :returns: whether it is new: the first of an id is kept.
        """
        row = (answer.post_id, answer.parent, answer.score, text)
        return self._connection.execute("INSERT OR IGNORE INTO answers VALUES (?, ?, ?, ?)", row).rowcount > 0

    def join(self) -> None:
        """Make the index of answers by question, after the last post."""
        self._connection.execute("CREATE INDEX by_question ON answers (question, id, score)")
        self._connection.execute("COMMIT")

    def entries(self) -> Iterator[Entry]:
        """
        Give the answers with their questions.

        :returns: entries by the numbers of question and answer, whatever the order in which they were added.
        """
        rows = self._connection.execute(
            "SELECT q.id, q.title, q.tags, q.accepted, a.id, a.score, a.answer "
            "FROM questions q CROSS JOIN answers a ON a.question = q.id ORDER BY q.id, a.id"
        )
        for question, title, tags, accepted, answer, score, text in rows:
            meta = {
                "accepted": answer == accepted,
                "score": score,
                "tags": json.loads(tags),
                "site": self._site,
                "question_id": self._id(question),
            }
            # An answer without votes has no score, rather than one that no filter can compare.
            yield Entry(self._id(answer), text, title, {key: value for key, value in meta.items() if value is not None})

    def queries(self, min_score: int) -> Iterator[Query]:
        """
        Give the questions that have a relevant answer.

        :param min_score: least votes of one.
        :returns: queries by number.
        """
        rows = self._connection.execute(
            "SELECT q.id, q.title, a.id FROM questions q CROSS JOIN answers a ON a.question = q.id "
            "WHERE a.score >= ? ORDER BY q.id, a.id",
            (min_score,),
        )
        for (question, title), answers in groupby(rows, key=lambda row: row[:2]):
            yield Query(self._id(question), title, tuple(self._id(answer) for _, _, answer in answers))

    def orphans(self) -> Iterator[int]:
        """
        Give the answers whose question is not there.

        :returns: their numbers, by those of the questions.
        """
        rows = self._connection.execute(
            "SELECT a.id FROM answers a INDEXED BY by_question WHERE NOT EXISTS "
            "(SELECT 1 FROM questions q WHERE q.id = a.question) ORDER BY a.question, a.id"
        )
        return (answer for (answer,) in rows)

    def _id(self, number: int) -> str:
        return f"{self._site}-{number}"

    def __enter__(self) -> Self:
        """Begin a context that removes the file at its end."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Remove the file."""
        self._connection.close()
        self._path.unlink(missing_ok=True)
