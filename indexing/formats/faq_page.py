# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
schema.org's questions: ``FAQPage`` and ``QAPage``, from JSON-LD or from microdata brought to the same form.

A ``Question`` has its text in ``name``, and in ``acceptedAnswer`` and ``suggestedAnswer`` one ``Answer`` or several. A
forum's ``DiscussionForumPosting`` is one too if its ``headline`` asks: what others say to it is its ``comment``.
"""

import re
from collections.abc import Iterator
from textwrap import shorten
from typing import Any, Final

from answer_selection.indexing.formats.lines import plain_newlines
from answer_selection.indexing.formats.markup import readable_markup
from answer_selection.indexing.formats.questions import asks
from answer_selection.indexing.formats.raw import Problem, RawEntry
from answer_selection.indexing.formats.readable import CutOffHtmlError
from answer_selection.indexing.formats.storable import UnstorableError, check_storable

POSTING: Final = "DiscussionForumPosting"
"""A question of a forum: it is asked in its own text, and answered in comments."""


def entries(
    value: Any, location: str, *, is_html: bool = True, base_url: str | None = None
) -> Iterator[RawEntry | Problem]:
    """
    Find all questions in a JSON-LD value: in a page's ``mainEntity``, in a ``@graph``, in arrays, at any depth.

    A question is one entry. Its answer is the accepted one, or else the suggested one with most votes; other answers
    go into ``other_answers`` of its metadata, best first.

    :param value: what JSON made of it.
    :param location: where in the file it stands.
    :param is_html: whether texts may have HTML in them, as in JSON-LD they may.
    :param base_url: the address of the page: links in this HTML that are relative to it become absolute.
    :returns: a raw entry, or a problem, for each question.
    """
    by_id: dict[str, dict[str, Any]] = {}
    for node in _nodes(value):
        if isinstance(node.get("@id"), str) and len(node) > 1:
            by_id.setdefault(node["@id"], node)
    named = {str(node.get("name")) for node in _nodes(value) if "Question" in _types_of(node)}
    for node in _nodes(value):
        # A posting may hold its question once more.
        if is_question(node) and ("Question" in _types_of(node) or str(node.get("headline")) not in named):
            try:
                yield _entry(node, by_id, location, is_html, base_url)
            except (CutOffHtmlError, UnstorableError) as error:
                yield Problem(location, None, f"{error}{_named(node)}")


def is_question(node: dict[str, Any]) -> bool:
    """
    Tell whether a node is a question.

    :param node: a JSON-LD object.
    :returns: whether it is a ``Question``, or what somebody asks in a forum and others answer.
    """
    types = _types_of(node)
    if "Question" in types or POSTING not in types:
        return "Question" in types
    comments = (part.get("text") for part in _list(node.get("comment")) if isinstance(part, dict))
    is_answered = any(isinstance(text, str) and text.strip() for text in comments)
    return is_answered and any(isinstance(title, str) and asks(title) for title in _list(node.get("headline")))


def _types_of(node: dict[str, Any]) -> set[str]:
    """A node's types without the vocabulary's address: "Question" for "https://schema.org/Question"."""
    return {kind.rsplit("/", 1)[-1].rsplit(":", 1)[-1] for kind in _list(node.get("@type")) if isinstance(kind, str)}


def _nodes(value: Any) -> Iterator[dict[str, Any]]:
    # With a list of what is left to do: a page's JSON may be nested more deeply than Python's calls can be.
    waiting = [value]
    while waiting:
        part = waiting.pop()
        if isinstance(part, dict):
            yield part
            waiting += reversed(part.values())
        elif isinstance(part, list):
            waiting += reversed(part)


def _entry(
    node: dict[str, Any], by_id: dict[str, dict[str, Any]], location: str, is_html: bool, base_url: str | None
) -> RawEntry | Problem:
    def text(of: dict[str, Any], *names: str) -> str:
        for name in names:
            value = next((part for part in _list(of.get(name)) if isinstance(part, str) and part.strip()), None)
            if value is not None:
                check_storable(value)
                value = plain_newlines(value.strip())
                return readable_markup(value, base_url) if is_html else value
        return ""

    answers: list[tuple[int, bool, str]] = []
    # To a question itself, comments are no answers.
    others = ("comment",) if POSTING in _types_of(node) else ()
    for name in ("acceptedAnswer", "suggestedAnswer", *others):
        for part in _list(node.get(name)):
            answer = part if isinstance(part, dict) else {"text": part}
            if isinstance(answer.get("@id"), str):
                answer = by_id.get(answer["@id"], answer)
            if answer_text := text(answer, "text", "name"):
                answers.append((_votes(answer), name == "acceptedAnswer", answer_text))
    # A stable sort: the accepted answer first, then by votes, then as they stand.
    answers.sort(key=lambda answer: (not answer[1], -answer[0]))

    fields: dict[str, Any] = {"question": text(node, "name", "headline", "text")}
    if answers:
        fields["answer"] = answers[0][2]
        if answers[0][0]:
            fields["upvote_count"] = answers[0][0]
        if len(answers) > 1:
            fields["other_answers"] = [answer[2] for answer in answers[1:]]
    # Only an address says which entry of all pages is meant; "#q1" or "_:b0" is the first one on any page.
    if isinstance(node.get("@id"), str) and re.match(r"(?i)(https?://|urn:)", node["@id"]):
        fields["entry_id"] = node["@id"]
    return RawEntry(location, fields)


def _named(node: dict[str, Any]) -> str:
    name = node.get("name") or node.get("text")
    return f" (question: {shorten(name, 60)!r})" if isinstance(name, str) else ""


def _votes(answer: dict[str, Any]) -> int:
    try:
        return int(answer.get("upvoteCount") or 0)
    except (TypeError, ValueError, OverflowError):  # OverflowError: 1e999 is infinite
        return 0


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [] if value is None else [value]
