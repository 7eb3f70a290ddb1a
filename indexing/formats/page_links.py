# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""What links say of a page: how much of each element they are, and which elements lead to other pages."""

import re
from typing import Any, Final

from answer_selection.indexing.formats.elements import BLOCKS, HEADINGS, is_called, size_of
from answer_selection.indexing.formats.questions import asks
from answer_selection.indexing.formats.readable import readable_line

_TITLES: Final = HEADINGS | {"b", "dt", "strong"}
_OPENS: Final = ("aria-controls", "data-bs-target", "data-target")
_LISTS: Final = frozenset(["dir", "dl", "ol", "ul"])
_LEADING: Final = frozenset("contents index next prev previous up".split())
_LEADING_KEYS: Final = frozenset("hnpu")
# What Sphinx's links to other pages show when pointed at, perhaps with "(use the left arrow)" behind.
_LEADING_TITLE: Final = re.compile(r"(?i)(?:next|previous) (?:chapter|page|section|topic)(?: \(|\Z)")
# What leads to the page in other languages.
_LANGUAGE_CLASS: Final = re.compile(
    r"(?i)(?:.*[-_])?(?:top|bottom|other|inter)?(?:lang|langs|languages?|locales?|translations?|i18n)(?:[-_].*)?"
)


class PageLinks:
    """
    How much of each element is links, and which elements lead to other pages.

    What its methods are asked about are elements of the tree that it was made of, as that was then.
    """

    def __init__(self, root: Any) -> None:
        """
        Counts what is in each element.

        :param root: the page's root element, or its main part.
        """
        # Characters, those in links, those in links into pages, and how many of these there are.
        self._counts: dict[Any, tuple[int, int, int, int]] = {}
        self.leading: set[Any] = set()
        """Elements that lead to other pages of the page's kind, or to it in other languages, and hold little else."""
        self._root = root
        self._asking: set[Any] | None = None  # what holds questions, once it is asked for
        self._opened: set[str] | None = None  # the ids of what questions open, likewise
        leading: list[Any] = []
        translations: list[Any] = []
        # Deepest first.
        for element in reversed(list(root.iter())):
            if not isinstance(element.tag, str) or element.tag in ("script", "style"):
                self._counts[element] = (0, 0, 0, 0)
                continue
            size, linked, into, number = size_of(element.text), 0, 0, 0
            for child in element:
                more = self._counts[child]
                size, linked, into, number = (
                    size + more[0] + size_of(child.tail),
                    linked + more[1],
                    into + more[2],
                    number + more[3],
                )
            if element.tag == "a" and element.get("href"):
                linked = size
                if "#" in element.get("href"):
                    into, number = size, 1
                if _is_leading(element):
                    leading.append(element)
                elif _is_translation(element):
                    translations.append(element)
            self._counts[element] = (size, linked, into, number)
        # The block around such a link, if it holds little but links.
        self.leading |= {block for block in _blocks_around(leading) if self._holds_little_but_links(block)}
        blocks = _blocks_around(translations)
        around = {parent for block in blocks if (parent := block.getparent()) is not None and parent.tag == "div"}
        self.leading |= {
            block
            for block in blocks | around
            if is_called(block, _LANGUAGE_CLASS) and self._holds_little_but_links(block)
        }

    def _holds_little_but_links(self, block: Any) -> bool:
        size, linked, _, _ = self._counts.get(block, (1000, 0, 0, 0))
        return size - linked < 60 and next(block.iterdescendants(*HEADINGS), None) is None

    def size(self, element: Any) -> int:
        """Characters that it shows, without blanks around its parts."""
        return self._counts[element][0]

    def size_into(self, element: Any) -> int:
        """Characters of its links into pages."""
        return self._counts[element][2]

    def has_words(self, element: Any) -> bool:
        """Whether less than half of it is links, and it shows anything."""
        size, linked, _, _ = self._counts[element]
        return size > 0 and 2 * linked < size

    def is_most(self, element: Any) -> bool:
        """Whether it shows more than all the rest of the page."""
        return 2 * self._counts[element][0] > self._counts[self._root][0]

    def has_links(self, element: Any) -> bool:
        """Whether a link in it shows anything."""
        return self._counts[element][1] > 0

    def has_questions(self, element: Any) -> bool:
        """Whether a heading, a term or bold print in it asks and is no link."""
        if self._asking is None:
            self._asking = set()
            for part in self._root.iter(*_TITLES):
                if not self.has_links(part) and asks(readable_line(part)):
                    _add_with_ancestors(part, self._asking)
        return element in self._asking

    def is_opened_by_a_question(self, element: Any) -> bool:
        """Whether what asks names it as what it opens."""
        if self._opened is None:
            openers = (part for part in self._root.iterdescendants() if isinstance(part.tag, str))
            named = ((part, name) for part in openers for name in map(part.get, _OPENS) if name)
            self._opened = {name.strip().removeprefix("#") for part, name in named if asks(readable_line(part))}
        return element.get("id") in self._opened

    def are_contents(self, element: Any) -> bool:
        """Whether it is a list of little else than links into pages, or a table of such whose links ask."""
        size, _, into, number = self._counts[element]
        if element.tag not in _LISTS and element.tag != "table":
            return False
        # What is not linked are numbers, and the word "Contents".
        is_little_else = number > 0 and size - into <= 8 * number and into > size / 2
        if not is_little_else or element.tag in _LISTS:
            return is_little_else
        return 2 * sum(asks(readable_line(link)) for link in element.iterdescendants("a")) >= number > 2


def _add_with_ancestors(element: Any, found: set[Any]) -> None:
    for around in (element, *element.iterancestors()):
        if around in found:
            break
        found.add(around)


def _is_leading(link: Any) -> bool:
    relations = (link.get("rel") or "").lower().split()
    if _LEADING & set(relations) or _LEADING_TITLE.match(link.get("title") or ""):
        return True
    return (link.get("accesskey") or "").lower() in _LEADING_KEYS


def _is_translation(link: Any) -> bool:
    """Whether a link says that it leads to the page, or to another text, in another language."""
    return "alternate" in (link.get("rel") or "").lower().split() and bool(link.get("hreflang"))


def _blocks_around(links: list[Any]) -> set[Any]:
    blocks = (next(link.iterancestors(*BLOCKS), None) for link in links)
    return {block for block in blocks if block is not None}
