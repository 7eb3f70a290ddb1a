# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Questions with the entries that people chose for them: a file of labels, in the form of queries.jsonl."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, Final

from filelock import FileLock, Timeout
from pydantic import BaseModel, StringConstraints

from answer_selection.indexing.corpus import WRONG, iter_queries
from answer_selection.indexing.entries import EntrySourceError
from answer_selection.indexing.formats import jsonl
from answer_selection.indexing.formats.raw import Problem
from answer_selection.indexing.ids import MAX_ID_BYTES
from answer_selection.indexing.text.sameness import sameness
from answer_selection.pipelines.serving.errors import UnavailableError
from answer_selection.pipelines.training.question_files import question_id

_SECONDS_TO_LOCK: Final = 10


EntryId = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=MAX_ID_BYTES)]
"""The id of an entry, as a request may name it."""


class Label(BaseModel):
    """What is known of a question: entries that answer it, and entries that do not. With no entry at all, none does."""

    relevant: list[EntryId] = []
    irrelevant: list[EntryId] = []


class LabelFile:
    """
    A file with a label a question, that several people may write at once.

    Every change reads the file and replaces it as a whole, so it is whole at any time; lines and fields of others stay.
    A question is the same whatever its case and punctuation.

    :param path: The file; it need not be there.
    :raises EntrySourceError: If it is there and is no queries.jsonl; names line and field.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = FileLock(path.with_name(f"{path.name}.lock"), timeout=_SECONDS_TO_LOCK)
        if not path.parent.is_dir():
            msg = f"there is no folder {path.parent} for the labels"
            raise FileNotFoundError(msg)
        if path.exists():
            for _ in iter_queries(path):
                pass

    def find(self, question: str) -> Label | None:
        """
        Give a question's label.

        :param question: The question.
        :returns: Its label; None if it has none.
        :raises UnavailableError: If somebody made the file something else; names line and field.
        """
        return self.all().get(sameness(question))

    def all(self) -> dict[bytes, Label]:
        """
        Give all labels.

        :returns: By what :func:`sameness` makes of their questions.
        :raises UnavailableError: As :meth:`find`.
        """
        return {sameness(line["query"]): _label(line) for line in self._read()}

    def judge(self, question: str, entry_id: str, right: bool | None) -> Label | None:
        """
        Say of one entry whether it answers a question.

        :param question: The question.
        :param entry_id: The entry's id.
        :param right: Whether it does; None takes back what was said.
        :returns: The question's label; None if nothing is said of it any more.
        :raises UnavailableError: As :meth:`find`, or if others have been changing the file for too long.
        """
        with self._changing():
            label = self.find(question) or Label()
            relevant = [one for one in label.relevant if one != entry_id] + [entry_id] * (right is True)
            irrelevant = [one for one in label.irrelevant if one != entry_id] + [entry_id] * (right is False)
            known = Label(relevant=relevant, irrelevant=irrelevant) if relevant or irrelevant else None
            self._write(question, None, known)
        return known

    def write(self, question: str, label: Label | None, query_id: str | None = None) -> None:
        """
        Replace a question's label.

        :param question: The question.
        :param label: Its label; None removes it.
        :param query_id: The question's id where it is new; one is made by default.
        :raises UnavailableError: As :meth:`judge`.
        """
        with self._changing():
            self._write(question, query_id, label)

    @contextmanager
    def _changing(self) -> Iterator[None]:
        try:
            taken = self._lock.acquire()
        except Timeout as error:
            msg = f"{self.path} is being changed by others; try again"
            raise UnavailableError(msg) from error
        with taken:
            yield

    def _write(self, question: str, query_id: str | None, label: Label | None) -> None:
        same, lines, written = sameness(question), [], label is None
        for line in self._read():
            if sameness(line["query"]) != same:
                lines.append(line)
            elif not written and label is not None:
                lines.append(_line(line, label))
                written = True
        if not written and label is not None:
            taken = {str(line["query_id"]) for line in lines}
            new_id = query_id if query_id and query_id not in taken else question_id(question)
            lines.append(_line({"query_id": new_id, "query": question}, label))
        jsonl.write_lines(self.path, lines)

    def _read(self) -> Iterator[dict[str, Any]]:
        if not self.path.exists():
            return
        # Whoever edits it meanwhile gets told what is wrong, and nothing is written over it.
        try:
            for _ in iter_queries(self.path):
                pass
        except EntrySourceError as error:
            raise UnavailableError(str(error)) from error
        with self.path.open("rb") as stream:
            for raw in jsonl.read(stream):
                if not isinstance(raw, Problem):
                    yield raw.fields


def _label(line: dict[str, Any]) -> Label:
    wrong = line.get(WRONG)
    return Label(
        relevant=[str(one) for one in line["relevant"]],
        irrelevant=[str(one) for one in wrong] if isinstance(wrong, list) else [],
    )


def _line(line: dict[str, Any], label: Label) -> dict[str, Any]:
    line = {**line, "relevant": label.relevant, WRONG: label.irrelevant}
    if not label.irrelevant:
        del line[WRONG]
    return line
