# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Texts to learn from: those of files, of a corpus in an index, of candidate lists."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from answer_selection.indexing.candidates import read_candidates
from answer_selection.indexing.corpus import Query
from answer_selection.indexing.corpus_index import CorpusIndex
from answer_selection.indexing.encoder import entry_text
from answer_selection.indexing.formats.lines import EncodingError, iter_lines
from answer_selection.indexing.ids import EntryIds
from answer_selection.indexing.sources import Sources, SourcesReport

Texts = Callable[[], Iterable[str]]
"""Streams texts, at each call anew."""


def file_texts(paths: Sequence[Path]) -> Texts:
    """
    Give the texts of files, a text a line; empty lines are left out.

    :param paths: The files, in UTF-8, or in UTF-16 or UTF-32 with a byte order mark.
    :returns: A function that streams them at each call anew. It raises a ValueError that names file and line where
        something is no text.
    """

    def texts() -> Iterator[str]:
        for path in paths:
            try:
                with path.open("rb") as stream:
                    for line in iter_lines(stream):
                        if line.problem is not None:
                            msg = f"{path}, line {line.number}: {line.problem}"
                            raise ValueError(msg)
                        if text := line.text.strip():
                            yield text
            except EncodingError as error:
                msg = f"{path}: {error}"
                raise ValueError(msg) from error
            except OSError as error:
                msg = f"{path} cannot be read: {error.strerror or error}; expected a file with a text a line"
                raise ValueError(msg) from error

    return texts


def encoder_texts(paths: Sequence[Path]) -> Texts:
    """
    Give the texts of files as a sentence encoder will see them: what users ask, and what an index has.

    :param paths: Text files (.txt), a text a line, and FAQ files or corpus files: of these the questions, the answers,
        and both in one.
    :returns: A function that streams them at each call anew. It raises a ValueError that names file and line where
        something cannot be read.
    """

    def texts() -> Iterator[str]:
        for path in paths:
            if path.suffix.lower() == ".txt":
                yield from file_texts([path])()
                continue
            with EntryIds() as ids:
                for entry in Sources([path], require_question=False, strict=True).read(ids, SourcesReport()):
                    if entry.question:
                        yield from (entry.question, entry.answer)
                    yield entry_text(entry.question, entry.answer)

    return texts


def corpus_texts(index: CorpusIndex, queries: Iterable[Query] = ()) -> Texts:
    """
    Give a corpus's texts: answers, the entries' own questions, and queries.

    :param index: The corpus's index.
    :param queries: Queries that are learned from.
    :returns: A function that streams them at each call anew.
    """
    asked = [query.query for query in queries]

    def texts() -> Iterator[str]:
        for page in index.iter_pages(["content", "meta.question"]):
            for row in page:
                yield from (text for text in (row["content"], row["meta.question"]) if text and isinstance(text, str))
        yield from asked

    return texts


def list_texts(lists: Path) -> Texts:
    """
    Give the texts of candidate lists: the different answers, and the queries.

    :param lists: The lists' file.
    :returns: A function that streams them at each call anew.
    """

    def texts() -> Iterator[str]:
        seen: set[str] = set()
        for candidates in read_candidates(lists):
            yield candidates.query
            for candidate in candidates.candidates:
                if candidate.answer not in seen:
                    seen.add(candidate.answer)
                    yield candidate.answer

    return texts
