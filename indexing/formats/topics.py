# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Topics of forums as data: an object with a title and answers, each an object with a text."""

import re
from collections.abc import Iterable
from typing import Any, Final, TypeGuard

from answer_selection.indexing.formats.article_fields import ArticleFields
from answer_selection.indexing.formats.publication import truth
from answer_selection.indexing.formats.questions import asks
from answer_selection.indexing.formats.rich_text import text_in

_ANSWERS: Final = ("answers", "answer", "acceptedanswer", "acceptedanswers")
_ACCEPTED: Final = ("acceptedanswer", "isaccepted", "isanswer", "accepted")
_VOTES: Final = ("score", "votes", "upvotecount", "votecount", "likes", "likecount")
_NUMBER: Final = re.compile(r"([+-]?[0-9]{1,12})(?:\.0{1,12})?")
_ACTIONS: Final = "actionssummary"
_LIKE: Final = 2  # the number of this action in Discourse


def answers_of(topic: ArticleFields) -> list[ArticleFields] | None:
    """
    Give the answers of a topic that count.

    :param topic: what may be one.
    :returns: its answers with a text, the accepted one first, then by votes; None if it is no topic. Of Discourse's
        replies the accepted one, and, if the topic asks, those that somebody liked: of others nobody knows whether
        they answer.
    """
    found = _candidates(topic) if topic.title else None
    return None if found is None else sorted(found, key=lambda one: (not _is_accepted(one, topic), -votes(one)))


def _candidates(topic: ArticleFields) -> list[ArticleFields] | None:
    stream = topic.known.get("poststream")
    if isinstance(stream, dict) and isinstance(stream.get("posts"), list):
        is_asked = asks(topic.title)
        replies = _with_text(stream["posts"][1:])
        return [one for one in replies if _is_accepted(one, topic) or (is_asked and votes(one) > 0)]
    for name in _ANSWERS:
        value = topic.known.get(name)
        if name not in topic.known or text_in(value) is not None:
            continue
        parts = value.get("nodes", [value]) if isinstance(value, dict) else value
        if _are_objects(parts) and len(parts) == 1 and not ArticleFields(parts[0]).text:
            # XML has a list in an element of its own: <answers><answer>.
            parts = next((one for one in parts[0].values() if _are_objects(one)), parts)
        if parts is None or parts == [] or _are_objects(parts):
            return [one for one in _with_text(parts or ()) if votes(one) >= 0 or _is_accepted(one, topic)]
    comments = topic.known.get("comments")
    nodes = comments.get("nodes") if isinstance(comments, dict) else None
    if isinstance(nodes, list):
        return [one for one in _with_text(nodes) if _is_accepted(one, topic)]
    return None


def _are_objects(value: Any) -> TypeGuard[list[dict[str, Any]]]:
    return isinstance(value, list) and bool(value) and all(isinstance(part, dict) for part in value)


def _with_text(parts: Iterable[Any]) -> list[ArticleFields]:
    return [one for part in parts if isinstance(part, dict) and (one := ArticleFields(part)).text]


def _is_accepted(answer: ArticleFields, topic: ArticleFields) -> bool:
    if any(truth(answer.known.get(name)) for name in _ACCEPTED):
        return True
    chosen = topic.known.get("acceptedanswerid")
    return chosen is not None and chosen in (answer.known.get("answerid"), answer.known.get("id"))


def votes(answer: ArticleFields) -> int:
    """
    Count the votes for an answer.

    :param answer: the answer.
    :returns: how many there are, against it subtracted; 0 if it does not tell.
    """
    actions = answer.known.get(_ACTIONS)
    if isinstance(actions, list):
        likes = (one.get("count") for one in actions if isinstance(one, dict) and one.get("id") == _LIKE)
        return _number(next(likes, 0))
    return next((_number(answer.known[name]) for name in _VOTES if name in answer.known), 0)


def _number(value: Any) -> int:
    # In XML and YAML all values are texts.
    found = _NUMBER.fullmatch(str(value).strip())
    return int(found[1]) if found else 0
