# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
Articles and topics in nested data: what help centres, forums and feeds export, and what sites keep with a title each.

An article is an object with a title and a text. A topic has a title and answers, each an object with a text.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from html import escape
from io import BytesIO
from typing import Any, Final

from answer_selection.indexing.formats import html
from answer_selection.indexing.formats.lines import plain_newlines
from answer_selection.indexing.formats.markup import readable_value
from answer_selection.indexing.formats.publication import folded, is_published
from answer_selection.indexing.formats.questions import asks, names_faq
from answer_selection.indexing.formats.raw import Problem, RawEntry
from answer_selection.indexing.formats.readable import CutOffHtmlError, parse, readable_text
from answer_selection.indexing.formats.rich_text import text_in
from answer_selection.indexing.source_link import SOURCE_FIELD, is_url

# Names of fields, the best first, as `folded` gives them.
_TITLES: Final = (
    *("question", "title", "name", "headline", "subject", "heading", "header", "label", "tabtitle", "concept"),
    *("preferredphrase", "shortdescription"),
)
_SUMMARIES: Final = ("description", "summary", "excerpt")
_TEXTS: Final = (
    *("body", "content", "text", "html", "answer", "contenthtml", "bodyhtml", "htmlcontent", "contenttext"),
    *("bodytext", "bodymarkdown", "markdown", "rowcontent", "tabcontent", "definition", "details", "fieldanswer"),
    *("cooked",),
    *_SUMMARIES,
)
_ADDRESSES: Final = ("htmlurl", "publicurl", "link", "url")
_OF_AN_API: Final = re.compile(r"/api/|\.json\Z")
_CATEGORIES: Final = ("category", "categoryname", "section", "foldername", "collection")
# What holds an object of a list: GraphQL, Strapi, Contentful, Webflow, Shopify.
_WRAPPERS: Final = ("node", "attributes", "fields", "fieldData", "settings")

# What is published under these names answers; a "post" or a "page" need not answer anything.
_KINDS: Final = re.compile(r"(?i)article|faq|help|kb|knowledge|support|solution|(?<![a-z])doc(?:s|umentation)?\b")
_PAGES: Final = ("page", "post")
# What articles of help centres have, and other things that are published have not.
_OF_HELP_CENTRES: Final = frozenset(
    [
        *("accountid", "categoryid", "collectionid", "folderid", "hierarchy", "kbknowledgebase", "labelnames"),
        *("rootcategoryid", "sectionid", "verificationstate"),
    ]
)
# A title and a text that answers nothing: of issues, of what others reply to, of feeds of forums, of forms and of
# programs' interfaces.
_OF_ISSUES: Final = frozenset(["open", "opened", "closed", "merged", "locked"])
_COUNTS_OF_REPLIES: Final = frozenset(
    [
        *("answercount", "comments", "commentcount", "countcomments", "numcomments", "replies", "replycount"),
        *("rank", "postscount"),
    ]
)
_OF_OTHERS: Final = frozenset(
    [
        *("topicclosed", "topicpinned", "choices", "inputtype", "isrequired", "questionitem", "required"),
        *("args", "datatests", "in", "originalrequest", "request", "run", "schema", "tagname", "uses"),
    ]
)
_OF_FORMS: Final = frozenset(
    ["boolean", "checkboxes", "comment", "dropdown", "input", "number", "radiogroup", "rating", "text", "textarea"]
)
# Kinds of WordPress' plugins for forums: each reply is a post, too.
_OF_FORUMS: Final = re.compile(r"(?i)topic|reply|question|answer|discussion")
# Who writes so asks.
_IN_NEED: Final = re.compile(r"(?i)\s{0,9}(?:<p>\s{0,9})?(?:hello|hey|hi|dear|i|i['\u2019]m|i['\u2019]ve|my)[\s,!.]")

_ACCEPTED: Final = frozenset(["acceptedanswer", "isaccepted", "isanswer", "accepted"])
_VOTES: Final = ("score", "votes", "upvotecount", "votecount", "likes", "likecount")
_LIKE: Final = 2  # the number of this action in Discourse
# WordPress': what a program puts in their place is not in the export.
_SHORTCODE: Final = re.compile(r"\[/?(?:caption|embed|gallery|(?:et_pb|fusion|su|vc)_\w{1,40})(?:\s[^\[\]]{0,1000})?\]")
# The same in other languages, beside the text.
_TRANSLATIONS: Final = frozenset(["translatedcontent", "translations"])
# A site's name is the title of its feed.
_FEED: Final = "channel"
# As deep as a store takes values.
_DEEPEST: Final = 100

_Found = list[RawEntry | Problem]
_Fields = Mapping[str, Any]


def entries(value: Any, base_url: str | None = None) -> _Found:
    """
    Find the articles and topics of nested data.

    An article counts if its data say that it is published and that it is one, or if it stands in a list of which half
    of the titles ask, or which is called an FAQ. A topic's answer is the accepted one, or else the one with most votes;
    the others go into ``other_answers``, best first. The names of categories and of what an article is in are its
    headings, and its address is its ``source``.

    :param value: lists, dictionaries and texts, as a parser gives them.
    :param base_url: the address of the file: links that are relative to it become absolute, if an article has no
        address of its own.
    :returns: the entries in the order of the data, and how many were passed over, and why.
    """
    walk = _Walk(base_url)
    found = walk.inside(value, (), (), is_faq=False)
    # One article has one id in all languages, and an address in each.
    addresses = Counter(one.fields.get(SOURCE_FIELD) for one in found if isinstance(one, RawEntry))
    for one in found:
        if isinstance(one, RawEntry) and addresses[one.fields.get(SOURCE_FIELD)] == 1 and SOURCE_FIELD in one.fields:
            one.fields["id"] = one.fields[SOURCE_FIELD]
    for why, count in walk.passed_over.items():
        found.append(Problem(f"{count} of its articles and topics", None, f"passed over: {why}", nothing=True))
    return found


class _Walk:
    def __init__(self, base_url: str | None) -> None:
        self._base_url = base_url
        self.passed_over: dict[str, int] = {}

    def inside(self, value: Any, place: tuple[str, ...], headings: tuple[str, ...], *, is_faq: bool) -> _Found:
        if len(place) > _DEEPEST:
            return []
        if isinstance(value, list):
            return self._list({f"item {number}": one for number, one in enumerate(value, 1)}, place, headings, is_faq)
        if not isinstance(value, dict):
            return []
        fields = _folded(value)
        answers = _answers(fields) if _title(fields) else None
        if answers is not None:
            return self._topic(value, answers, place, headings)
        found = self._in_parts(value, place, headings, is_faq)
        # What holds others is a group of them.
        if found or not _may_answer(fields) or (state := is_published(value)) is None:
            return found
        return self._published(value, place, headings, is_published=state)

    def _in_parts(
        self, value: dict[str, Any], place: tuple[str, ...], headings: tuple[str, ...], is_faq: bool
    ) -> _Found:
        title = _title(_folded(value))
        below = (*headings, title) if title and place and _FEED not in place[-2:] else headings
        # A feed has its name beside its items.
        is_faq = is_faq or names_faq(title)
        parts = {str(key): part for key, part in value.items() if folded(key) not in _TRANSLATIONS}
        objects = {key: part for key, part in parts.items() if isinstance(part, dict)} if is_faq else {}
        found = self._list(objects, place, below, is_faq)
        for key, part in parts.items():
            if key not in objects:
                found += self.inside(part, (*place, key), below, is_faq=is_faq or names_faq(key))
        return found

    def _list(
        self, items: Mapping[str, Any], place: tuple[str, ...], headings: tuple[str, ...], is_faq: bool
    ) -> _Found:
        unwrapped = {key: _unwrapped(one) for key, one in items.items()}
        folds = {key: _folded(one) for key, one in unwrapped.items() if isinstance(one, dict)}
        candidates = [fields for fields in folds.values() if _may_answer(fields)]
        half_ask = bool(candidates) and 2 * sum(asks(_title(one)) for one in candidates) >= len(candidates)
        half_ask = half_ask and 2 * sum(_asks_itself(one) for one in candidates) < len(candidates)
        found: _Found = []
        for key, one in unwrapped.items():
            where = (*place, key)
            fields = folds.get(key, {})
            counts = _may_answer(fields) and (half_ask or (is_faq and _text(fields)[0] not in _SUMMARIES))
            counts = counts and (_kind(fields) not in _PAGES or asks(_title(fields)))
            counts = counts and not _OF_FORUMS.search(str(fields.get("posttype", "")))
            if counts and not (inside := self._in_parts(one, where, headings, is_faq)):
                found += self._article(one, where, headings)
            else:
                found += inside if counts else self.inside(one, where, headings, is_faq=is_faq)
        return found

    def _published(
        self, value: dict[str, Any], place: tuple[str, ...], headings: tuple[str, ...], *, is_published: bool
    ) -> _Found:
        """An article whose data tell whether it is published, if they tell that it is one."""
        fields = _folded(value)
        kind = _kind(fields)
        if kind is None:
            is_article = bool(_OF_HELP_CENTRES & fields.keys()) or any(map(_KINDS.search, place))
        else:
            is_article = _KINDS.search(kind) is not None or (kind in _PAGES and asks(_title(fields)))
        if is_article:
            return self._article(value, place, headings)
        if kind in _PAGES and is_published and names_faq(_title(fields)):
            return self._page(value, place, headings)
        if kind is not None and is_published:
            self._pass_over(f"of the type {kind}")
        return []

    def _article(self, value: dict[str, Any], place: tuple[str, ...], headings: tuple[str, ...]) -> _Found:
        if is_published(value) is False:
            return self._pass_over("not published")
        return self._entry(value, _folded(value), {}, place, headings)

    def _page(self, value: dict[str, Any], place: tuple[str, ...], headings: tuple[str, ...]) -> _Found:
        """The entries of a page that is an FAQ."""
        fields = _folded(value)
        title, address = _title(fields), _address(fields)
        text = f"<title>{escape(title)}</title><h1>{escape(title)}</h1>{_SHORTCODE.sub('', _text(fields)[1] or '')}"
        found: _Found = []
        for one in html.read(BytesIO(text.encode()), base_url=address or self._base_url):
            location = ", ".join((*place, one.location))
            if isinstance(one, Problem):
                found.append(replace(one, location=location))
                continue
            made = {**one.fields, **({SOURCE_FIELD: address} if address else {})}
            found.append(replace(one, location=location, fields=made, headings=(*headings, *one.headings)))
        return found

    def _topic(
        self, value: dict[str, Any], answers: list[_Fields], place: tuple[str, ...], headings: tuple[str, ...]
    ) -> _Found:
        if not answers:
            return self._pass_over("without an answer")
        topic = _folded(value)
        best, *others = sorted(answers, key=lambda answer: (not _is_accepted(answer, topic), -_votes(answer)))
        meta: dict[str, Any] = {}
        if _votes(best) > 0:
            meta["upvote_count"] = _votes(best)
        if others:
            meta["other_answers"] = others
        return self._entry(value, best, meta, place, headings)

    def _entry(
        self,
        value: dict[str, Any],
        answer: _Fields,
        meta: dict[str, Any],
        place: tuple[str, ...],
        headings: tuple[str, ...],
    ) -> _Found:
        fields = _folded(value)
        address = _address(fields)
        base_url = address or self._base_url
        try:
            text = _readable(answer, base_url)
            if not text:
                return self._pass_over("without a text")
            if "other_answers" in meta:
                meta["other_answers"] = [_readable(other, base_url) for other in meta["other_answers"]]
        except CutOffHtmlError as error:
            return [Problem(", ".join(place), None, str(error))]
        made = {**_metadata(value), **meta, "question": _title(fields), "answer": text}
        if address is not None:
            made[SOURCE_FIELD] = address
        return [RawEntry(", ".join(place), made, tuple(dict.fromkeys((*headings, *_categories(fields)))))]

    def _pass_over(self, why: str) -> _Found:
        self.passed_over[why] = self.passed_over.get(why, 0) + 1
        return []


def _folded(value: Mapping[str, Any]) -> dict[str, Any]:
    return {folded(name): one for name, one in value.items()}


def _unwrapped(value: Any) -> Any:
    """An object of a list without the one that holds it."""
    if isinstance(value, dict):
        for name in _WRAPPERS:
            if isinstance(value.get(name), dict):
                return {**{key: one for key, one in value.items() if key != name}, **value[name]}
    return value


def _kind(fields: _Fields) -> str | None:
    return next((fields[name] for name in ("posttype", "type") if isinstance(fields.get(name), str)), None)


def _title(fields: _Fields) -> str:
    texts = (text_in(fields[name]) for name in _TITLES if name in fields)
    text = next((text for text in texts if text is not None), "")
    try:
        return " ".join(readable_value(text).split())
    except CutOffHtmlError:
        return ""


def _text(fields: _Fields) -> tuple[str, str | None]:
    """The name of the field that has the text, and the text."""
    texts = ((name, text_in(fields[name])) for name in _TEXTS if name in fields)
    return next((found for found in texts if found[1] is not None), ("", None))


def _readable(fields: _Fields, base_url: str | None) -> str:
    name, text = _text(fields)
    if name == "cooked":
        return _reply(text or "", base_url)
    return readable_value(plain_newlines(_SHORTCODE.sub("", text or "")), base_url).strip()


def _reply(text: str, base_url: str | None) -> str:
    """The text of a reply in Discourse without what it quotes, and without what is told of its images."""
    root, error = parse(text, base_url)
    if error is not None:
        raise error
    if root is None:
        return ""
    for part in [*root.iterdescendants("aside"), *root.iterdescendants("div")]:
        if {"quote", "meta"} & set((part.get("class") or "").split()):
            part.drop_tree()
    return readable_text(root).strip()


def _may_answer(fields: _Fields) -> bool:
    """Whether it has a title and a text that may answer it."""
    if not _title(fields) or _text(fields)[1] is None or _answers(fields) is not None:
        return False
    if _OF_OTHERS & fields.keys() or str(fields.get("state")).lower() in _OF_ISSUES or _kind(fields) in _OF_FORMS:
        return False
    # Who says that it is published, or calls it an answer, is asked nothing.
    if is_published(fields) or _text(fields)[0] == "answer":
        return True
    return not any(_is_count(fields.get(name)) for name in _COUNTS_OF_REPLIES)


def _asks_itself(fields: _Fields) -> bool:
    return asks(_title(fields)) and _IN_NEED.match(_text(fields)[1] or "") is not None


def _is_count(value: Any) -> bool:
    # In a feed "comments" is an address.
    return value is not None and not (isinstance(value, str) and not value.isdecimal()) and not isinstance(value, list)


def _answers(fields: _Fields) -> list[_Fields] | None:
    """The answers of a topic that may count; None if it is none."""
    stream = fields.get("poststream")
    if isinstance(stream, dict) and isinstance(stream.get("posts"), list):
        replies = [_folded(post) for post in stream["posts"][1:] if isinstance(post, dict)]
        # Nobody knows whether a reply answers that was neither accepted nor liked, or to what.
        is_asked = asks(_title(fields))
        return [one for one in replies if _is_accepted(one, fields) or (is_asked and _votes(one) > 0)]
    for name in ("answers", "answer", "acceptedanswer", "acceptedanswers"):
        one = fields.get(name)
        if name not in fields or text_in(one) is not None:
            continue
        parts = one.get("nodes", [one]) if isinstance(one, dict) else one
        if one is None or (isinstance(parts, list) and all(isinstance(part, dict) for part in parts)):
            answers = [_folded(part) for part in parts or []]
            return [
                part
                for part in answers
                if _text(part)[1] is not None and (_votes(part) >= 0 or _is_accepted(part, fields))
            ]
    comments = fields.get("comments")
    nodes = comments.get("nodes") if isinstance(comments, dict) else None
    if isinstance(nodes, list):
        replies = [_folded(one) for one in nodes if isinstance(one, dict)]
        return [one for one in replies if _is_accepted(one, fields) and _text(one)[1] is not None]
    return None


def _is_accepted(answer: _Fields, topic: _Fields) -> bool:
    if any(answer.get(name) is True for name in _ACCEPTED):
        return True
    chosen = topic.get("acceptedanswerid")
    return chosen is not None and chosen in (answer.get("answerid"), answer.get("id"))


def _votes(answer: _Fields) -> int:
    for action in answer.get("actionssummary") or ():
        if isinstance(action, dict) and action.get("id") == _LIKE:
            return _number(action.get("count"))
    return 0 if "actionssummary" in answer else next((_number(answer[name]) for name in _VOTES if name in answer), 0)


def _number(value: Any) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) else 0


def _address(fields: _Fields) -> str | None:
    addresses = (str(fields.get(name)) for name in _ADDRESSES)
    return next((one for one in addresses if is_url(one) and not _OF_AN_API.search(one)), None)


def _categories(fields: _Fields) -> Iterator[str]:
    """The names of the categories that an article says it is in, the outermost first."""
    hierarchy = fields.get("hierarchy")
    if isinstance(hierarchy, list):
        levels = (level.get("data") for level in hierarchy if isinstance(level, dict))
        yield from filter(None, (_title(_folded(level)) for level in levels if isinstance(level, dict)))
        return
    for name in _CATEGORIES:
        one = fields.get(name)
        one = one[0] if isinstance(one, list) and one else one
        if isinstance(one, dict):
            one = _title(_folded(one))
        if isinstance(one, str) and one.strip():
            yield readable_value(one.strip())


def _metadata(value: Mapping[str, Any]) -> dict[str, Any]:
    """What else is told of an article: no other form of its text, and nothing that holds more."""
    left_out = {*_TITLES, *_TEXTS, *_CATEGORIES, *_ADDRESSES, "answers", "descriptiontext"}
    return {
        name: one
        for name, one in value.items()
        if folded(name) not in left_out
        and (isinstance(one, str | int | float) or (isinstance(one, list) and all(isinstance(x, str) for x in one)))
        and one != ""
    }
