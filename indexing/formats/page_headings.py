# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The headings of a page: what each says, and whether it leads elsewhere."""

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from itertools import islice
from typing import Any, Final
from urllib.parse import unquote

from answer_selection.indexing.formats import outline, shown
from answer_selection.indexing.formats.elements import HEADINGS, is_title_of_a_note
from answer_selection.indexing.formats.outline import Heading
from answer_selection.indexing.formats.questions import (
    asks,
    begins_with_a_number,
    names_faq,
    without_marks,
    without_numbers,
)
from answer_selection.indexing.formats.readable import UNCUT, readable_line

# DocBook's headings of title pages.
_OF_THE_BOOK: Final = frozenset("author authorgroup copyright corpauthor date edition editor subtitle".split())
_BY: Final = re.compile(r"(?i)by\s")
_AROUND: Final = frozenset(["article", "br", "div", "main", "section"])


def headings_of(root: Any) -> dict[Any, Heading]:
    """
    Find the headings of a page.

    :param root: its root element, or its main part.
    :returns: each heading's element with what it says, in the page's order, without those inside ``<details>``.
    """
    found: dict[Any, Heading] = {}
    places = places_of(root)
    waiting = list(reversed(root))
    while waiting:
        element = waiting.pop()
        if not isinstance(element.tag, str) or element.tag == "details" or element.tag in UNCUT:
            continue
        if element.tag in HEADINGS and not is_title_of_a_note(element):
            title = readable_line(element)
            if without_marks(title)[0] and not _is_of_the_title(element, title):
                had_q = without_marks(title)[1]
                location = f"<{element.tag}> in line {element.sourceline}"
                away = names_faq(title) and leads_away(after(element, root))
                anchor = shown.anchor_of(element)
                is_link = _is_link(element, places)
                has_number = begins_with_a_number(title)
                level = int(element.tag[1])
                is_empty = names_faq(title) and _is_empty(element, root)
                found[element] = Heading(level, title, location, anchor, had_q, is_link, away, has_number, is_empty)
        else:
            waiting += reversed(element)
    numbered = [heading.title for heading in found.values()]
    titles = without_numbers(numbered)
    levels = outline.ranks_by_numbers(numbered, [heading.level for heading in found.values()])
    return {
        element: replace(heading, level=level, title=without_marks(title)[0])
        for (element, heading), title, level in zip(found.items(), titles, levels, strict=True)
    }


def _is_of_the_title(heading: Any, title: str) -> bool:
    """Whether it is DocBook's heading of a title page, or LinuxDoc's: who wrote it, a date, a rule."""
    if _OF_THE_BOOK & set((heading.get("class") or "").split()):
        return True
    before, after = heading.getprevious(), heading.getnext()
    if before is None or before.tag != "h1" or (before.tail or "").strip() or after is None or after.tag != "hr":
        return False
    return _BY.match(title) is not None and not asks(title)


def _is_link(heading: Any, places: Collection[str]) -> bool:
    if any((link.get("href") or "#")[0] != "#" for link in heading.iterancestors("a")):
        return True
    links = [link for link in heading.iter("a") if (link.get("href") or "#")[0] != "#" or leads_to(link, places)]
    return any(_says_the_same(link, heading) and not _leads_back(link, heading) for link in links)


def leads_away(below: Iterable[Any]) -> bool:
    """
    Tell whether one paragraph, with a link to another page and no question, is all that stands below a heading.

    :param below: the elements after the heading, in the page's order; those from the next heading on are passed over.
    :returns: whether it is.
    """
    paragraph = None
    for element in below:
        if not isinstance(element.tag, str) or (paragraph is not None and paragraph in element.iterancestors()):
            continue
        if element.tag in HEADINGS:
            break
        if element.tag == "p" and paragraph is None:
            paragraph = element
        elif element.tag not in _AROUND or (element.text or "").strip():
            return False
    if paragraph is None or asks(readable_line(paragraph)):
        return False
    return any((link.get("href") or "#")[0] != "#" for link in paragraph.iter("a"))


def after(element: Any, root: Any) -> Iterator[Any]:
    """
    Go on behind an element.

    :param element: the element.
    :param root: the page's root element, or its main part.
    :returns: what follows, in the page's order.
    """
    while element is not None and element is not root:
        for after in element.itersiblings():
            yield from after.iter()
        element = element.getparent()


def _is_empty(heading: Any, root: Any) -> bool:
    """Whether nothing but headings stands below one, up to the next of its rank."""
    if (heading.tail or "").strip():
        return False
    for element in after(heading, root):
        if element.tag in HEADINGS and element.tag <= heading.tag:
            break
        is_inside = next(element.iterancestors(*HEADINGS), None) is not None
        is_shown = isinstance(element.tag, str) and element.tag not in HEADINGS and not is_inside
        texts = (element.text if is_shown else None, None if is_inside else element.tail)
        if any(text and text.strip() for text in texts):
            return False
    return True


def _leads_back(link: Any, heading: Any) -> bool:
    """Whether a link has its own heading's place in its address."""
    place = unquote((link.get("href") or "").partition("#")[2])
    return bool(place) and place == shown.anchor_of(heading)


def _says_the_same(link: Any, heading: Any) -> bool:
    return "".join(link.itertext()).split() == "".join(heading.itertext()).split()


def places_of(root: Any) -> set[str]:
    """
    Find what links into a page can lead to.

    :param root: its root element, or a part.
    :returns: the fragments.
    """
    return {
        name for part in root.iter() if isinstance(part.tag, str) for name in (part.get("id"), part.get("name")) if name
    }


def leads_to(element: Any, places: Collection[str]) -> bool:
    """
    Tell whether an element is in a link into its page.

    :param element: the element.
    :param places: what :func:`places_of` found.
    :returns: whether the link leads to one of them, and not to the element itself.
    """
    link = next((part for part in [element, *element.iterancestors("a")] if part.tag == "a"), None)
    address = "" if link is None else (link.get("href") or "").strip()
    place = unquote(address[1:])
    if link is None or not address.startswith("#") or place not in places:
        return False
    around = [link, *link.iterdescendants(), *islice(link.iterancestors(), 4)]
    return not any(place in (part.get("id"), part.get("name")) for part in around) and shown.anchor_of(link) != place
