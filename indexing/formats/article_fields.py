# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The fields of an object that has a title and a text, by the names that programs give them."""

import re
from collections.abc import Mapping
from functools import cached_property
from typing import Any, Final

from answer_selection.indexing.formats.lines import plain_newlines
from answer_selection.indexing.formats.markup import readable_export
from answer_selection.indexing.formats.publication import folded
from answer_selection.indexing.formats.readable import CutOffHtmlError, parse, readable_text
from answer_selection.indexing.formats.rich_text import text_in
from answer_selection.indexing.source_link import is_url

# Names of fields, the best first, as `folded` gives them.
_TITLES: Final = (
    *("question", "title", "name", "headline", "subject", "heading", "header", "label", "tabtitle", "concept"),
    *("preferredphrase", "shortdescription"),
)
_REPLY: Final = "cooked"
_SUMMARIES: Final = ("description", "summary", "excerpt")
_TEXTS: Final = (
    *("body", "content", "text", "html", "answer", "contenthtml", "bodyhtml", "htmlcontent", "contenttext"),
    *("bodytext", "bodymarkdown", "markdown", "rowcontent", "tabcontent", "definition", "details", "fieldanswer"),
    *(_REPLY, *_SUMMARIES),
)
_KINDS: Final = ("posttype", "type")
_ADDRESSES: Final = ("htmlurl", "publicurl", "link", "url")
_OF_AN_API: Final = re.compile(r"/api/|\.json\Z")
_CATEGORIES: Final = ("category", "categoryname", "section", "foldername", "collection")
_LEFT_OUT: Final = frozenset([*_TITLES, *_TEXTS, *_CATEGORIES, *_ADDRESSES, "answers", "descriptiontext"])
# WordPress': what a program puts in their place is not in the export.
_SHORTCODE: Final = re.compile(r"\[/?(?:caption|embed|gallery|(?:et_pb|fusion|su|vc)_\w{1,40})(?:\s[^\[\]]{0,1000})?\]")


class ArticleFields:
    """
    What an object says of itself.

    :param value: the object.
    """

    def __init__(self, value: Mapping[str, Any]) -> None:
        self.value = value
        self.known: dict[str, Any] = {folded(name): one for name, one in value.items()}
        """The values by their folded names."""

    @cached_property
    def title(self) -> str:
        """The title in one line, or an empty text."""
        texts = (text_in(self.known[name]) for name in _TITLES if name in self.known)
        text = next((text for text in texts if text is not None), "")
        try:
            return " ".join(readable_export(text).split())
        except CutOffHtmlError:
            return ""

    @cached_property
    def _named_text(self) -> tuple[str, str]:
        texts = ((name, text_in(self.known[name])) for name in _TEXTS if name in self.known)
        return next(((name, text) for name, text in texts if text is not None), ("", ""))

    @cached_property
    def text(self) -> str:
        """The text as it is, perhaps HTML; a summary where there is nothing else."""
        return _SHORTCODE.sub("", self._named_text[1])

    @property
    def has_text_field(self) -> bool:
        """Whether it has a field for a text, which may be empty."""
        return any(name in self.known for name in _TEXTS)

    @property
    def is_summary(self) -> bool:
        """Whether the text is one."""
        return self._named_text[0] in _SUMMARIES

    @property
    def is_answer(self) -> bool:
        """Whether the text is called an answer."""
        return self._named_text[0] == "answer"

    def readable(self, base_url: str | None) -> str:
        """
        Make the text readable.

        :param base_url: the address that links are relative to.
        :returns: it; of a reply in Discourse without what it quotes, and without what is told of its images.
        :raises CutOffHtmlError: if not all of its HTML can be read.
        """
        if self._named_text[0] != _REPLY:
            return readable_export(plain_newlines(self.text), base_url).strip()
        root, error = parse(self.text, base_url)
        if error is not None:
            raise error
        for part in [] if root is None else [*root.iterdescendants("aside"), *root.iterdescendants("div")]:
            if {"quote", "meta"} & set((part.get("class") or "").split()):
                part.drop_tree()
        return "" if root is None else readable_text(root).strip()

    @property
    def kind(self) -> str | None:
        """What it is called: "article", "page"."""
        return next((self.known[name] for name in _KINDS if isinstance(self.known.get(name), str)), None)

    @cached_property
    def address(self) -> str | None:
        """The address that readers open."""
        addresses = (str(self.known.get(name)) for name in _ADDRESSES)
        return next((one for one in addresses if is_url(one) and not _OF_AN_API.search(one)), None)

    @property
    def categories(self) -> list[str]:
        """The names of the categories that it says it is in, the outermost first."""
        hierarchy = self.known.get("hierarchy")
        if isinstance(hierarchy, list):
            levels = [level.get("data") for level in hierarchy if isinstance(level, dict)]
        else:
            levels = [self.known.get(name) for name in _CATEGORIES]
        names = []
        for level in levels:
            one = level[0] if isinstance(level, list) and level else level
            name = ArticleFields(one).title if isinstance(one, dict) else one
            names += [readable_export(name.strip())] if isinstance(name, str) and name.strip() else []
        return names

    @property
    def metadata(self) -> dict[str, Any]:
        """What else it says: no other form of its text, and nothing that holds more."""
        return {
            name: one
            for name, one in self.value.items()
            if folded(name) not in _LEFT_OUT
            and (isinstance(one, str | int | float) or (isinstance(one, list) and all(isinstance(x, str) for x in one)))
            and one != ""
        }
