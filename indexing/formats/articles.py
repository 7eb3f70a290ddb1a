# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
Articles and topics in nested data: what help centres, forums and feeds export, and what sites keep with a title each.

An article is an object with a title and a text. A topic has a title and answers, each an object with a text.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from answer_selection.indexing.formats.lines import plain_newlines
from answer_selection.indexing.formats.markup import readable_value
from answer_selection.indexing.formats.questions import asks, names_faq
from answer_selection.indexing.formats.raw import Problem, RawEntry, find_field
from answer_selection.indexing.formats.readable import CutOffHtmlError
from answer_selection.indexing.source_link import SOURCE_FIELD, is_url

_TITLES: Final = ("title", "name", "headline", "subject")
# A description is a summary where there is a text beside it.
_TEXTS: Final = ("body", "content", "text", "html", "cooked", "description", "summary", "excerpt")
# The address that readers open, the best first.
_ADDRESSES: Final = ("html_url", "publicUrl", "public_url", "link", "url")
_OF_AN_API: Final = re.compile(r"/api/|\.json\Z")
_CATEGORIES: Final = ("category", "category_name", "section", "folder_name", "collection")
_PUBLISHED: Final = frozenset(["publish", "published"])
_UNPUBLISHED: Final = frozenset(
    ["archived", "auto-draft", "draft", "future", "notpublished", "pending", "private", "trash", "unpublished"]
)
# In Freshdesk a status is a number.
_DRAFT, _PUBLIC = 1, 2
# What is published as a "post" or a "page" need not answer anything.
_KINDS: Final = re.compile(r"(?i)article|answer|docs?\b|faq|help|\bkb|knowledge|qa|question|solution|support")
_OF_ISSUES: Final = ("open", "closed", "OPEN", "CLOSED")
_COUNTS_OF_REPLIES: Final = ("answer_count", "comments", "comment_count", "num_comments", "replies", "reply_count")
_ACCEPTED: Final = ("accepted_answer", "acceptedAnswer", "is_accepted", "isAccepted", "isAnswer", "accepted")
_VOTES: Final = ("score", "votes", "upvoteCount", "upvote_count", "vote_count", "likes", "like_count")
_LIKE: Final = 2  # the number of this action in Discourse
# As deep as a store takes values.
_DEEPEST: Final = 100

_Found = list[RawEntry | Problem]


def entries(value: Any, base_url: str | None = None) -> _Found:
    """
    Find the articles and topics of nested data.

    An article counts if its data say that it is published, or if it stands in a list of which half of the titles ask,
    or which is called an FAQ. A topic's answer is the accepted one, or else the one with most votes; the others go into
    ``other_answers``, best first. The names of categories and of what an article is in are its headings, and its
    address is its ``source``.

    :param value: lists, dictionaries and texts, as a parser gives them.
    :param base_url: the address of the file: links that are relative to it become absolute, if an article has no
        address of its own.
    :returns: the entries in the order of the data, and how many drafts and topics without an answer were passed over.
    """
    walk = _Walk(base_url)
    found = walk.inside(value, (), (), is_faq=False)
    for count, what in ((walk.drafts, "not published"), (walk.unanswered, "without an answer")):
        if count:
            found.append(Problem(f"{count} of its articles and topics", None, f"passed over: {what}", nothing=True))
    return found


class _Walk:
    def __init__(self, base_url: str | None) -> None:
        self._base_url = base_url
        self.drafts = 0
        self.unanswered = 0

    def inside(self, value: Any, place: tuple[str, ...], headings: tuple[str, ...], *, is_faq: bool) -> _Found:
        if len(place) > _DEEPEST:
            return []
        if isinstance(value, list):
            return self._list(value, place, headings, is_faq)
        if not isinstance(value, dict):
            return []
        if (own := self._own(value, place, headings)) is not None:
            return own
        title = _line(value, _TITLES) if place else ""
        below = (*headings, title) if title else headings
        found: _Found = []
        for key, part in value.items():
            # A feed has its name beside its items.
            says_so = is_faq or any(names_faq(text) for text in (str(key), _line(value, _TITLES)))
            found += self.inside(part, (*place, str(key)), below, is_faq=says_so)
        return found

    def _list(self, items: list[Any], place: tuple[str, ...], headings: tuple[str, ...], is_faq: bool) -> _Found:
        titles = [_line(item, _TITLES) for item in items if isinstance(item, dict) and _may_answer(item)]
        all_count = bool(titles) and (is_faq or 2 * sum(map(asks, titles)) >= len(titles))
        found: _Found = []
        for number, item in enumerate(items, 1):
            where = (*place, f"item {number}")
            if all_count and isinstance(item, dict) and _may_answer(item) and _state(item) is None:
                found.append(self._article(item, where, headings))
            else:
                found += self.inside(item, where, headings, is_faq=is_faq)
        return found

    def _own(self, value: dict[str, Any], place: tuple[str, ...], headings: tuple[str, ...]) -> _Found | None:
        """What the object itself is, or None if it is no more than what holds others."""
        title = _line(value, _TITLES)
        answers = _answers(value) if title else None
        if answers is not None:
            if not answers:
                self.unanswered += 1
                return []
            return [self._topic(value, answers, place, headings)]
        if not _may_answer(value) or (state := _state(value)) is None:
            return None
        if not state:
            self.drafts += 1
            return []
        kind = next((value[name] for name in ("post_type", "type") if isinstance(value.get(name), str)), None)
        # A page that is published along with articles is one if it asks.
        return [self._article(value, place, headings)] if kind is None or _KINDS.search(kind) or asks(title) else []

    def _article(self, value: dict[str, Any], place: tuple[str, ...], headings: tuple[str, ...]) -> RawEntry | Problem:
        return self._entry(value, {"answer": _text(value)}, place, headings)

    def _topic(
        self, value: dict[str, Any], answers: list[dict[str, Any]], place: tuple[str, ...], headings: tuple[str, ...]
    ) -> RawEntry | Problem:
        best, *others = sorted(answers, key=lambda answer: (not _is_accepted(answer, value), -_votes(answer)))
        fields: dict[str, Any] = {"answer": _text(best)}
        if _votes(best) > 0:
            fields["upvote_count"] = _votes(best)
        if others:
            fields["other_answers"] = [_text(other) for other in others]
        return self._entry(value, fields, place, headings)

    def _entry(
        self, value: dict[str, Any], fields: dict[str, Any], place: tuple[str, ...], headings: tuple[str, ...]
    ) -> RawEntry | Problem:
        location = ", ".join(place)
        address = _address(value)
        base_url = address or self._base_url

        def readable(text: str) -> str:
            return readable_value(plain_newlines(text), base_url).strip()

        try:
            made = {
                name: [readable(text) for text in one] if isinstance(one, list) else one for name, one in fields.items()
            }
            made["answer"] = readable(fields["answer"])
        except CutOffHtmlError as error:
            return Problem(location, None, str(error))
        made["question"] = _line(value, _TITLES)
        if address is not None:
            made[SOURCE_FIELD] = address
        return RawEntry(location, {**_metadata(value), **made}, tuple(dict.fromkeys((*headings, *_categories(value)))))


def _value(value: Mapping[str, Any], names: tuple[str, ...]) -> Any:
    name = find_field((name for name in map(str, value) if value.get(name)), names)
    return None if name is None else value[name]


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _rendered(value: Any) -> str | None:
    """A text; in WordPress, the one that is rendered."""
    value = value.get("rendered") if isinstance(value, dict) else value
    return value if _is_text(value) else None


def _line(value: Any, names: tuple[str, ...]) -> str:
    text = _rendered(_value(value, names)) if isinstance(value, dict) else None
    try:
        return "" if text is None else " ".join(readable_value(text).split())
    except CutOffHtmlError:
        return ""


def _text(value: Mapping[str, Any]) -> str | None:
    texts = (_rendered(value[name]) for name in _TEXTS if name in value)
    return next((text for text in texts if text is not None), None)


def _may_answer(value: dict[str, Any]) -> bool:
    """Whether it has a title and a text that may answer it: that of an issue, or of what others reply to, asks."""
    if not _line(value, _TITLES) or _text(value) is None or _answers(value) is not None:
        return False
    return value.get("state") not in _OF_ISSUES and not any(name in value for name in _COUNTS_OF_REPLIES)


def _state(value: Mapping[str, Any]) -> bool | None:
    """Whether an article is published, as far as that is told."""
    if isinstance(value.get("draft"), bool):
        return not value["draft"]
    for name in ("published", "is_published", "isPublished"):
        if isinstance(value.get(name), bool):
            return bool(value[name])
    if value.get("status") in (_DRAFT, _PUBLIC) and "folder_id" in value:
        return bool(value["status"] == _PUBLIC)
    states = {str(value.get(name)).lower() for name in ("state", "status")}
    return True if states & _PUBLISHED else False if states & _UNPUBLISHED else None


def _answers(value: dict[str, Any]) -> list[dict[str, Any]] | None:
    """The answers of a topic; None if it is none."""
    stream = value.get("post_stream")
    if isinstance(stream, dict) and isinstance(stream.get("posts"), list):
        replies = [post for post in stream["posts"][1:] if isinstance(post, dict) and _text(post) is not None]
        # Nobody knows whether a reply answers that was neither accepted nor liked.
        return [post for post in replies if _is_accepted(post, value) or _votes(post) > 0]
    for name in ("answers", "answer", "acceptedAnswer"):
        if name not in value:
            continue
        one = value[name]
        parts = one.get("nodes", [one]) if isinstance(one, dict) else one
        if one is None or (isinstance(parts, list) and all(isinstance(part, dict) for part in parts)):
            return [part for part in parts or [] if _text(part) is not None]
    return None


def _is_accepted(answer: Mapping[str, Any], topic: Mapping[str, Any]) -> bool:
    if any(answer.get(name) is True for name in _ACCEPTED):
        return True
    chosen = topic.get("accepted_answer_id")
    return chosen is not None and chosen in (answer.get("answer_id"), answer.get("id"))


def _votes(answer: Mapping[str, Any]) -> int:
    for action in answer.get("actions_summary") or ():
        if isinstance(action, dict) and action.get("id") == _LIKE:
            return _number(action.get("count"))
    return 0 if "actions_summary" in answer else _number(_value(answer, _VOTES))


def _number(value: Any) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) else 0


def _address(value: Mapping[str, Any]) -> str | None:
    addresses = (str(value.get(name)) for name in _ADDRESSES)
    return next((one for one in addresses if is_url(one) and not _OF_AN_API.search(one)), None)


def _categories(value: Mapping[str, Any]) -> Iterator[str]:
    """The names of the categories that an article says it is in, the outermost first."""
    hierarchy = value.get("hierarchy")
    if isinstance(hierarchy, list):
        levels = (level.get("data") for level in hierarchy if isinstance(level, dict))
        yield from filter(None, (_line(level, _TITLES) for level in levels))
        return
    for name in _CATEGORIES:
        one = value.get(name)
        one = one[0] if isinstance(one, list) and one else one
        if text := _line(one, _TITLES) if isinstance(one, dict) else one.strip() if isinstance(one, str) else "":
            yield text


def _metadata(value: Mapping[str, Any]) -> dict[str, Any]:
    """What else is told of an article: no other form of its text, and nothing that holds more."""
    own = next((name for name in _TEXTS if name in value and _rendered(value[name]) is not None), None)
    left_out = {*_TITLES, *_TEXTS, *_CATEGORIES, *_ADDRESSES, "answer", "answers", "question"}
    return {
        name: one
        for name, one in value.items()
        if name not in left_out
        and not (own and name.startswith(f"{own}_"))
        and (isinstance(one, str | int | float) or (isinstance(one, list) and all(isinstance(x, str) for x in one)))
        and one != ""
    }
