# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
Yahoo! Answers as Yahoo gives it to researchers: XML of questions and their best answers, which becomes a corpus.

L6 is ``FullOct2007.xml``, published in two gzipped parts that are XML only when put together; L5 (``manner.xml``, "how"
questions) has the same form. ``ystfeed > vespaadd > document`` holds ``uri``, ``subject``, perhaps ``content``,
``bestanswer``, ``nbestanswers`` (all answers) and perhaps ``maincat`` and ``qlang``. The best answers are the entries,
and bring no question along; the subjects are the queries.
"""

import gzip
import re
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from lxml import etree

from answer_selection.indexing.candidates.lists import CandidateSourceError, check_count, open_bytes, place, text_of
from answer_selection.indexing.corpus import Query
from answer_selection.indexing.entries import Entry
from answer_selection.indexing.text.normalize import normalize, words

# The readme of each says how many questions it has.
_STATED = {"FullOct2007": 4_483_032, "manner": 142_627}
_BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)
_CHUNK = 1 << 16


def read_yahoo_l6(
    path: str | Path, *more: str | Path, min_words: int = 5, max_words: int = 50
) -> tuple[Iterator[Entry], Iterator[Query]]:
    """
    Stream entries and queries. Each iterator reads the files for itself, and holds one question at a time.

    :param path: the file, or its first part; gzipped if it ends in ``.gz``.
    :param more: the other parts, in their order.
    :param min_words: least words of a question, and of an answer.
    :param max_words: most words of both. A pair with either outside of the limits is passed over, as is a question
        without a best answer.
    :returns: the best answers, each with its question's ``uri`` as id, and ``category`` and ``language`` in the
        metadata; and the questions' subjects, with the same ids.
    :raises CandidateSourceError: while iterating, if a file cannot be read or is cut off, or a question lacks ``uri``
        or ``subject``; names file, line and element.
    """
    files = tuple(map(Path, (path, *more)))
    return _entries(files, min_words, max_words), _queries(files, min_words, max_words)


def _entries(paths: tuple[Path, ...], min_words: int, max_words: int) -> Iterator[Entry]:
    count = 0
    for document in _documents(paths):
        count += 1
        if pair := _pair(document, min_words, max_words):
            meta = {"category": _text(document, "maincat"), "language": _text(document, "qlang")}
            yield Entry(pair[0], pair[2], meta={name: value for name, value in meta.items() if value})
    stated = next((number for name, number in _STATED.items() if paths[0].name.startswith(name)), None)
    check_count(paths[0], "questions, before those of other lengths are passed over", count, stated, "its readme")


def _queries(paths: tuple[Path, ...], min_words: int, max_words: int) -> Iterator[Query]:
    for document in _documents(paths):
        if pair := _pair(document, min_words, max_words):
            yield Query(pair[0], pair[1], (pair[0],))


def _pair(document: Any, min_words: int, max_words: int) -> tuple[str, str, str] | None:
    subject, answer = _text(document, "subject"), _text(document, "bestanswer")
    # The same words as `answer-selection negatives --yahooqa` counts.
    if all(min_words <= len(words(normalize(text))) <= max_words for text in (subject, answer)):
        return _text(document, "uri"), subject, answer
    return None


def _text(document: Any, name: str) -> str:
    # Line breaks of the page are tags within the text.
    return " ".join(_BREAK.sub(" ", text_of(document.find(name))).split())


def _documents(paths: tuple[Path, ...]) -> Iterator[Any]:
    # No entity is expanded and nothing is fetched: the file may come from anywhere.
    parser = etree.XMLPullParser(
        events=("end",), tag="vespaadd", resolve_entities=False, no_network=True, load_dtd=False
    )
    path, found = paths[0], False
    try:
        for path, chunk in _chunks(paths):
            parser.feed(chunk)
            for _, question in parser.read_events():
                found = True
                yield _document(question, path)
                # What was read is let go, so that memory does not grow with the file.
                question.clear()
                while question.getprevious() is not None:
                    del question.getparent()[0]
        parser.close()
    except etree.XMLSyntaxError as error:
        parts = "" if len(paths) == 1 else f", counted from the beginning of {paths[0].name}"
        msg = (
            f"{place(path, error.lineno or 1)}{parts}: expected XML: {error.msg}; a corpus in parts is read when all "
            "parts are given, in their order"
        )
        raise CandidateSourceError(msg) from error
    if not found:
        msg = f"{path}: expected <vespaadd> elements, found none"
        raise CandidateSourceError(msg)


def _document(question: Any, path: Path) -> Any:
    document = question.find("document")
    if document is None:
        msg = f"{place(path, question.sourceline)}: <vespaadd> has no <document>"
        raise CandidateSourceError(msg)
    for name in ("uri", "subject"):
        if not _text(document, name):
            msg = f"{place(path, document.sourceline)}: <document> has no <{name}>, or an empty one"
            raise CandidateSourceError(msg)
    return document


def _chunks(paths: tuple[Path, ...]) -> Iterator[tuple[Path, bytes]]:
    for path in paths:
        try:
            with open_bytes(path) as stream:
                while chunk := stream.read(_CHUNK):
                    yield path, chunk
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            msg = f"{path}: expected a whole gzip file, but it is cut off or damaged: {error}"
            raise CandidateSourceError(msg) from error
        except OSError as error:
            msg = f"{path}: cannot be read: {error.strerror or error}"
            raise CandidateSourceError(msg) from error
