# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
SemEval Task 3's XML of the Qatar Living forum, subtask A: a forum question and the comments of its own thread.

The source is Nakov et al. 2016, "SemEval-2016 task 3: community question answering".

The comments stand in the order of time, and early ones are more often good: a comment's place says something about its
label that it would not say in another application. So neither place nor date is in a candidate's text or metadata.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from lxml import etree

from answer_selection.indexing.candidates.lists import (
    Candidate,
    CandidateList,
    CandidateSourceError,
    check_ids,
    place,
    text_of,
)

_LABELS = {"Good": 1, "PotentiallyUseful": 0, "Bad": 0}


def read_semeval_xml(path: str | Path) -> Iterator[CandidateList]:
    """
    Stream a file of threads.

    :param path: an XML file with ``Thread > RelQuestion (RelQSubject, RelQBody) + RelComment (RelCText)``.
    :returns: one list a thread, in the file's order; the query is subject and body, ``Good`` comments have label 1;
        ``category`` and ``user_id`` are in the metadata. A thread whose comments are all empty is passed over, as is an
        empty comment.
    :raises CandidateSourceError: if the file is no such XML, a label is none of the three, or an id is not one; names
        file and line.
    """
    path = Path(path)
    found = False
    try:
        # No entity is expanded and nothing is fetched: the file may come from anywhere.
        for _, thread in etree.iterparse(
            str(path), tag=("Thread", "vespaadd"), resolve_entities=False, no_network=True, load_dtd=False
        ):
            if thread.tag == "vespaadd":
                msg = f"{path}: expected <Thread> elements, found Yahoo! Answers: a corpus, for read_yahoo_l6"
                raise CandidateSourceError(msg)
            found = True
            candidates = _list(thread, path)
            # What was read is let go, so that memory does not grow with the file.
            thread.clear()
            while thread.getprevious() is not None:
                del thread.getparent()[0]
            if candidates.candidates:
                yield candidates
    except etree.XMLSyntaxError as error:
        msg = f"{place(path, error.lineno or 1)}: expected XML: {error.msg}"
        raise CandidateSourceError(msg) from error
    except OSError as error:
        msg = f"{path}: cannot be read: {error.strerror or error}"
        raise CandidateSourceError(msg) from error
    if not found:
        msg = f"{path}: expected <Thread> elements, found none"
        raise CandidateSourceError(msg)


def _list(thread: Any, path: Path) -> CandidateList:
    question = thread.find("RelQuestion")
    if question is None:
        msg = f"{place(path, thread.sourceline)}: <Thread> has no <RelQuestion>"
        raise CandidateSourceError(msg)
    query = " ".join(filter(None, (_text(question, "RelQSubject"), _text(question, "RelQBody"))))
    if not query:
        msg = f"{place(path, question.sourceline)}: <RelQuestion> has neither subject nor body"
        raise CandidateSourceError(msg)
    candidates = []
    for comment in thread.iterfind("RelComment"):
        label = _attribute(comment, "RELC_RELEVANCE2RELQ", path)
        if label not in _LABELS:
            where = place(path, comment.sourceline, "RELC_RELEVANCE2RELQ")
            msg = f"{where}: expected {', '.join(_LABELS)}, found {label!r}"
            raise CandidateSourceError(msg)
        if text := _text(comment, "RelCText"):
            meta = {"user_id": comment.get("RELC_USERID")}
            candidates.append(Candidate(_attribute(comment, "RELC_ID", path), text, _LABELS[label], meta))
    query_meta = {"category": question.get("RELQ_CATEGORY"), "user_id": question.get("RELQ_USERID")}
    query_id = _attribute(question, "RELQ_ID", path)
    check_ids(query_id, (candidate.candidate_id for candidate in candidates), place(path, thread.sourceline))
    return CandidateList(query_id, query, tuple(candidates), query_meta)


def _attribute(element: Any, name: str, path: Path) -> str:
    value = element.get(name)
    if not value:
        msg = f"{place(path, element.sourceline, name)}: <{element.tag}> lacks it"
        raise CandidateSourceError(msg)
    return str(value)


def _text(element: Any, name: str) -> str:
    return text_of(element.find(name))
