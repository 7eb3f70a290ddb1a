# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The file of mined lists: written as they come, gone on with after a kill, and never mistaken for another."""

import hashlib
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any, BinaryIO

from answer_selection.indexing.artifact import Artifact, digest, refuse_changed
from answer_selection.indexing.corpus import Query
from answer_selection.indexing.negatives.report import Counts, MiningReport


class AskedQueries:
    """
    Queries, read once, and what tells them from others.

    :param queries: the queries.
    """

    def __init__(self, queries: Iterable[Query]) -> None:
        self._queries = iter(queries)
        self._hash = hashlib.sha256()

    def __iter__(self) -> Iterator[Query]:
        """Give those that were not read yet."""
        for query in self._queries:
            self._hash.update(json.dumps([query.query_id, query.query, list(query.relevant)]).encode())
            yield query

    def digest(self) -> str:
        """
        Read what is left, and tell all of them from others.

        :returns: their SHA-256.
        """
        for _ in self:
            pass
        return self._hash.hexdigest()


class ListsFile:
    """
    Candidate lists that stream to ``<output>.part``, which becomes ``output`` at the end.

    What they were mined with, and what tells whether they are whole, is in ``<output>.settings.json``.

    :param output: where they are in the end.
    :param settings: what they are mined with.
    """

    def __init__(self, output: Path, settings: Mapping[str, Any]) -> None:
        self.output, self.settings = output, settings
        self.partial = output.with_name(f"{output.name}.part")
        self._artifact = Artifact(output, record=output.with_name(f"{output.name}.settings.json"))

    def finished(self, queries: AskedQueries, *, overwrite: bool) -> MiningReport | None:
        """
        Find out whether the lists are there already. What is in their way goes, or is refused.

        :param queries: the queries that they are wanted for; all of them are read if there are lists.
        :param overwrite: whether whatever is there goes.
        :returns: what came out then; None if they are still to be mined, or gone on with.
        :raises FileExistsError: if `output` is there from other settings or queries, or was cut off or changed since.
        """
        recorded = None if overwrite else self._artifact.recorded()
        if recorded is None:
            if self.output.exists() and not overwrite:
                msg = f"{self.output} exists and was not mined with known settings (overwrite=True replaces it)"
                raise FileExistsError(msg)
            for path in (self._artifact.record, self.output, self.partial):
                path.unlink(missing_ok=True)
            return None
        what = f"{self.output} was mined, or begun,"
        refuse_changed(what, recorded["settings"], self.settings, overwriting="replaces it")
        if not self.output.exists() or "report" not in recorded:
            return None
        if _contents(self.output) != recorded.get("output"):
            msg = f"{self.output} is not what its settings say was written: cut off, or changed; "
            msg += "overwrite=True replaces it"
            raise FileExistsError(msg)
        if queries.digest() != recorded["queries"]:
            msg = f"{self.output} was mined from other queries; overwrite=True replaces it"
            raise FileExistsError(msg)
        return MiningReport(**recorded["report"])

    @contextmanager
    def begun(self, queries: Iterator[Query], counts: Counts) -> Iterator[BinaryIO]:
        """
        Begin to write, or go on where a killed run was.

        :param queries: the queries; those whose lists are written already are read.
        :param counts: counts these lists.
        :returns: a context whose value is the file to write further lists to.
        :raises ValueError: if the lists that are written are not those of these queries.
        """
        self._artifact.write_record({"settings": self.settings})
        with self.partial.open("r+b" if self.partial.exists() else "w+b") as file:
            _drop_torn_line(file)
            _skip_written(file, queries, counts, self.partial)
            yield file
            file.flush()
            os.fsync(file.fileno())

    def finish(self, queries: AskedQueries, report: MiningReport) -> None:
        """
        Note that all lists are written.

        :param queries: the queries.
        :param report: what came out.
        """
        finished = {"queries": queries.digest(), "report": asdict(report), "output": _contents(self.partial)}
        self._artifact.write_record({"settings": self.settings, **finished})
        self.partial.replace(self.output)


def _contents(path: Path) -> dict[str, Any]:
    """Give what tells a finished file from one that was cut or changed."""
    return {"bytes": path.stat().st_size, "sha256": digest(path)}


def _drop_torn_line(file: BinaryIO) -> None:
    """Cut off what a killed run left after the last whole line."""
    end = file.seek(0, os.SEEK_END)
    while end:
        start = max(0, end - 65536)
        file.seek(start)
        if (newline := file.read(end - start).rfind(b"\n")) >= 0:
            end = start + newline + 1
            break
        end = start
    file.truncate(end)
    file.seek(0)


def _skip_written(file: BinaryIO, queries: Iterator[Query], counts: Counts, path: Path) -> None:
    """
    Match an interrupted run's lines with the queries, and leave the queries that are still to be mined.

    A query without a line between others with one had been left out. Where that is so for the last ones it is found
    out again, with the same result.
    """
    for number, line in enumerate(file, start=1):
        written = json.loads(line)
        waiting: list[Query] = []
        for query in queries:
            waiting.append(query)
            if (query.query_id, query.query) == (written["query_id"], written["query"]):
                break
        else:
            msg = (
                f"{path}, line {number}: query '{written['query_id']}' is not among the queries, or not in this order; "
                "the file was begun with other queries (overwrite=True starts anew)"
            )
            raise ValueError(msg)
        for _ in waiting[:-1]:
            counts.add(None)
        counts.add([candidate["label"] for candidate in written["candidates"]])
    file.seek(0, os.SEEK_END)
