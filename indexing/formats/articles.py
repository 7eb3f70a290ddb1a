# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
Articles and topics in nested data: what help centres, forums and feeds export, and what sites keep with a title each.

An article is an object with a title and a text.
"""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from html import escape
from io import BytesIO
from typing import Any, Final

from answer_selection.indexing.formats import html
from answer_selection.indexing.formats.article_fields import ArticleFields
from answer_selection.indexing.formats.publication import folded, is_published
from answer_selection.indexing.formats.questions import asks, names_faq
from answer_selection.indexing.formats.raw import ID_FIELDS, Problem, RawEntry
from answer_selection.indexing.formats.readable import CutOffHtmlError
from answer_selection.indexing.formats.storable import DEEPEST
from answer_selection.indexing.formats.topics import answers_of, votes
from answer_selection.indexing.source_link import SOURCE_FIELD

# What holds an object of a list: GraphQL, Strapi, Contentful, Webflow, Shopify.
_WRAPPERS: Final = ("node", "attributes", "fields", "fieldData", "settings")
# The same in other languages, beside the text.
_TRANSLATIONS: Final = frozenset(["translatedcontent", "translations"])
# A site's name is the title of its feed.
_FEED: Final = "channel"
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
_COUNTS_OF_REPLIES: Final = (
    *("answercount", "comments", "commentcount", "countcomments", "numcomments", "replies", "replycount"),
    *("rank", "postscount"),
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
_POST_TYPE: Final = "posttype"
_OF_FORUMS: Final = re.compile(r"(?i)topic|reply|question|answer|discussion")
# Who writes so asks.
_IN_NEED: Final = re.compile(r"(?i)\s{0,9}(?:<p>\s{0,9})?(?:hello|hey|hi|dear|i|i['\u2019]m|i['\u2019]ve|my)[\s,!.]")

_ID: Final = ID_FIELDS[-1]
_Found = list[RawEntry | Problem]
_Path = tuple[str, ...]


def entries(value: Any, base_url: str | None = None) -> _Found:
    """
    Find the articles and topics of nested data.

    An article counts if its data say that it is published and that it is one, or if it stands in a list of which half
    of the titles ask, or which is called an FAQ. A topic's answer is the accepted one, or else the one with most votes;
    the others go into ``other_answers``, best first. The names of categories and of what an article is in are its
    headings, and its address is its ``source``, and its id if it has no other.

    :param value: lists, dictionaries and texts, as a parser gives them.
    :param base_url: the address of the file: links that are relative to it become absolute, if an article has no
        address of its own.
    :returns: the entries in the order of the data, and how many were passed over, and why.
    """
    walk = _Walk(base_url)
    found = walk.inside(value, (), (), is_faq=False)
    _tell_apart([one for one in found if isinstance(one, RawEntry)])
    for why, count in walk.passed_over.items():
        found.append(Problem(f"{count} of its articles and topics", None, f"passed over: {why}", nothing=True))
    return found


def _tell_apart(found: list[RawEntry]) -> None:
    """Give articles that have one id, as in several languages, their addresses as ids."""
    ids = Counter(str(one.fields.get(_ID)) for one in found)
    addresses = Counter(one.fields.get(SOURCE_FIELD) for one in found)
    for one in found:
        address = one.fields.get(SOURCE_FIELD)
        if address and addresses[address] == 1 and (_ID not in one.fields or ids[str(one.fields[_ID])] > 1):
            one.fields[_ID] = address


class _Walk:
    def __init__(self, base_url: str | None) -> None:
        self._base_url = base_url
        self.passed_over: Counter[str] = Counter()

    def inside(self, value: Any, place: _Path, headings: _Path, *, is_faq: bool) -> _Found:
        if len(place) > DEEPEST:
            return []
        if isinstance(value, list):
            return self._list({f"item {number}": one for number, one in enumerate(value, 1)}, place, headings, is_faq)
        if not isinstance(value, dict):
            return []
        fields = ArticleFields(value)
        answers = answers_of(fields)
        if answers is not None:
            return self._topic(fields, answers, place, headings)
        found = self._in_parts(fields, place, headings, is_faq)
        # What holds others is a group of them.
        return found or self._published(fields, place, headings)

    def _in_parts(self, fields: ArticleFields, place: _Path, headings: _Path, is_faq: bool) -> _Found:
        has_heading = fields.title and place and _FEED not in place[-2:]
        below = (*headings, fields.title) if has_heading else headings
        # A feed has its name beside its items.
        is_faq = is_faq or names_faq(fields.title)
        parts = {str(key): part for key, part in fields.value.items() if folded(key) not in _TRANSLATIONS}
        objects = {key: part for key, part in parts.items() if isinstance(part, dict)} if is_faq else {}
        found = self._list(objects, place, below, is_faq)
        for key, part in parts.items():
            if key not in objects:
                found += self.inside(part, (*place, key), below, is_faq=is_faq or names_faq(key))
        return found

    def _list(self, items: Mapping[str, Any], place: _Path, headings: _Path, is_faq: bool) -> _Found:
        unwrapped = {key: _unwrapped(one) for key, one in items.items()}
        objects = {key: ArticleFields(one) for key, one in unwrapped.items() if isinstance(one, dict)}
        candidates = {key: fields for key, fields in objects.items() if _may_answer(fields)}
        half_ask = 2 * sum(asks(one.title) for one in candidates.values()) >= len(candidates)
        half_ask = half_ask and 2 * sum(map(_asks_itself, candidates.values())) < len(candidates)
        found: _Found = []
        for key, one in unwrapped.items():
            where, fields = (*place, key), candidates.get(key)
            if fields is None or not _counts_in_list(fields, half_ask=half_ask, is_faq=is_faq):
                found += self.inside(one, where, headings, is_faq=is_faq)
            else:
                # What holds others is a group of them.
                found += self._in_parts(fields, where, headings, is_faq) or self._article(fields, where, headings)
        return found

    def _published(self, fields: ArticleFields, place: _Path, headings: _Path) -> _Found:
        """An article whose data tell whether it is published, if they tell that it is one."""
        state = is_published(fields.value)
        if state is None or not fields.title:
            return []
        if fields.kind is None:
            is_article = bool(_OF_HELP_CENTRES & fields.known.keys()) or any(map(_KINDS.search, place))
        else:
            is_article = _KINDS.search(fields.kind) is not None or (fields.kind in _PAGES and asks(fields.title))
        if not _may_answer(fields):
            is_empty = is_article and state and fields.has_text_field and not fields.text
            return self._pass_over("without a text") if is_empty else []
        if is_article:
            return self._article(fields, place, headings)
        if fields.kind in _PAGES and state and names_faq(fields.title):
            return self._page(fields, place, headings)
        return [] if fields.kind is None or not state else self._pass_over(f"of the type {fields.kind}")

    def _article(self, fields: ArticleFields, place: _Path, headings: _Path) -> _Found:
        if is_published(fields.value) is False:
            return self._pass_over("not published")
        return self._entry(fields, [fields], place, headings)

    def _page(self, fields: ArticleFields, place: _Path, headings: _Path) -> _Found:
        """The entries of a page that is an FAQ."""
        title = escape(fields.title)
        page = f"<title>{title}</title><h1>{title}</h1>{fields.text}"
        found: _Found = []
        for one in html.read(BytesIO(page.encode()), base_url=fields.address or self._base_url):
            location = ", ".join((*place, one.location))
            if isinstance(one, Problem):
                found.append(replace(one, location=location))
                continue
            made = {**one.fields, **({SOURCE_FIELD: fields.address} if fields.address else {})}
            found.append(replace(one, location=location, fields=made, headings=(*headings, *one.headings)))
        return found

    def _topic(self, fields: ArticleFields, answers: list[ArticleFields], place: _Path, headings: _Path) -> _Found:
        if not answers:
            return self._pass_over("without an answer")
        counted = {"upvote_count": votes(answers[0])} if votes(answers[0]) > 0 else {}
        return self._entry(fields, answers, place, headings, **counted)

    def _entry(
        self, fields: ArticleFields, answers: list[ArticleFields], place: _Path, headings: _Path, **meta: Any
    ) -> _Found:
        base_url = fields.address or self._base_url
        try:
            text, *others = (one.readable(base_url) for one in answers)
        except CutOffHtmlError as error:
            return [Problem(", ".join(place), None, str(error))]
        if not text:
            return self._pass_over("without a text")
        made = {**fields.metadata, **meta, "question": fields.title, "answer": text}
        if others:
            made["other_answers"] = others
        if fields.address is not None:
            made[SOURCE_FIELD] = fields.address
        return [RawEntry(", ".join(place), made, tuple(dict.fromkeys((*headings, *fields.categories))))]

    def _pass_over(self, why: str) -> _Found:
        self.passed_over[why] += 1
        return []


def _unwrapped(value: Any) -> Any:
    """An object of a list without the one that holds it."""
    if isinstance(value, dict):
        for name in _WRAPPERS:
            if isinstance(value.get(name), dict):
                return {**{key: one for key, one in value.items() if key != name}, **value[name]}
    return value


def _may_answer(fields: ArticleFields) -> bool:
    """Whether it has a title and a text that may answer it."""
    if not fields.title or not fields.text or answers_of(fields) is not None or fields.kind in _OF_FORMS:
        return False
    if _OF_OTHERS & fields.known.keys() or str(fields.known.get("state")).lower() in _OF_ISSUES:
        return False
    # Who says that it is published, or calls it an answer, is asked nothing.
    if is_published(fields.value) or fields.is_answer:
        return True
    return not any(_is_count(fields.known.get(name)) for name in _COUNTS_OF_REPLIES)


def _counts_in_list(fields: ArticleFields, *, half_ask: bool, is_faq: bool) -> bool:
    if _OF_FORUMS.search(str(fields.known.get(_POST_TYPE, ""))):
        return False
    return (half_ask or (is_faq and not fields.is_summary)) and (fields.kind not in _PAGES or asks(fields.title))


def _asks_itself(fields: ArticleFields) -> bool:
    return asks(fields.title) and _IN_NEED.match(fields.text) is not None


def _is_count(value: Any) -> bool:
    # In a feed "comments" is an address.
    return value is not None and not (isinstance(value, str) and not value.isdecimal()) and not isinstance(value, list)
