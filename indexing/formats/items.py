# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
Questions that only the page's repeated structure tells from their answers.

Accordions and lists of FAQs that name nothing: elements of one make stand side by side, each begins with a line, and
most of these lines ask.
"""

import re
from collections import defaultdict
from typing import Any, Final

from answer_selection.indexing.formats.elements import HEADINGS, OF_ACCORDIONS, has_class
from answer_selection.indexing.formats.questions import only_opens, seems_to_ask, without_marks
from answer_selection.indexing.formats.readable import HIDDEN, readable_text

_BODIES: Final = frozenset("article blockquote div nav ol p pre section table td ul".split())
_HEADS: Final = frozenset("a button div header label p section span summary td".split())
# Forms of their own, and what opens another element by its name.
_FORMS: Final = frozenset(["details", "dl"])
_OPENERS: Final = ("aria-controls", "data-bs-target", "data-target")
_WORD: Final = re.compile(r"[^\W\d_]{2}")
# Said to who hears the page.
_UNSEEN: Final = re.compile(r"(?i)(?!not-)(?:.*[-_])?(?:sr-only|visually-?hidden|screen-?reader(?:-text)?)")
_FIELDS: Final = ("input", "select", "textarea")
_NOWHERE: Final = ("#", "#!", "#0", "#void")
_LONGEST: Final = 300
_DEEPEST: Final = 6
_AROUND: Final = 5


def is_in_accordion(element: Any) -> bool:
    """
    Tell whether an element is called a part of an accordion or of an FAQ.

    :param element: an element that opens another.
    :returns: whether its class, or that of one of the four elements around it, says so.
    """
    around = [element]
    for parent in element.iterancestors():
        around.append(parent)
        if len(around) == _AROUND:
            break
    return any(is_of_accordion(part) for part in around)


def is_of_accordion(element: Any) -> bool:
    """
    Tell whether an element's own class calls it a part of an accordion or of an FAQ.

    :param element: any element.
    :returns: whether it does.
    """
    return has_class(element, OF_ACCORDIONS)


def opens_something(element: Any) -> bool:
    """
    Tell whether an element is one that readers press, or is called so.

    :param element: an element with a question.
    :returns: whether it is a button or a label, in its class or around it an accordion is named, or it says that
        something is closed.
    """
    if element.tag in ("button", "label", "summary") or element.get("role") == "button":
        return True
    return element.get("aria-expanded") is not None or is_in_accordion(element)


def signs_in(element: Any) -> list[Any]:
    """
    Find what stands beside a question: its number, an icon, "Show".

    :param element: the element with the question.
    :returns: its parts without a word, where no text stands beside them.
    """
    parts = (part for part in element.iterdescendants() if isinstance(part.tag, str) and part.tag != "img")
    return [
        part
        for part in parts
        if has_class(part, _UNSEEN)
        or (part.get("data-nosnippet") is not None and only_opens("".join(part.itertext()).strip()))
        or (_WORD.search("".join(part.itertext())) is None and _stands_alone(part))
    ]


def _stands_alone(part: Any) -> bool:
    parent = part.getparent()
    around = [parent.text, *(child.tail for child in parent)]
    return not any(map(str.strip, filter(None, around))) and next(part.iter("img"), None) is None


def items_of(root: Any) -> dict[Any, tuple[Any, Any]]:
    """
    Find a page's repeated questions.

    :param root: its root element, or its main part.
    :returns: by element, the question and what has its answer: the element itself, without the question, or the one
        that follows it.
    """
    found: dict[Any, tuple[Any, Any]] = {}
    shapes = _Shapes(root)
    holding: set[Any] = set()  # what has questions inside
    # Deepest first: what has questions inside is a section.
    for parent in reversed([root, *root.iterdescendants()]):
        if parent in shapes.unread:
            continue
        groups: dict[Any, list[tuple[Any, Any, Any]]] = defaultdict(list)
        children = shapes.content(parent)
        is_called_so = is_of_accordion(parent) and not _has_text_between(parent)
        for place, child in enumerate(children):
            if child in holding:
                continue
            if (head := shapes.head(child)) is not None:
                groups[_make(child), _make(head)].append((child, head, child))
            elif place + 1 < len(children) and shapes.opens_next(child, children[place + 1], is_called_so=is_called_so):
                groups[_make(child), _make(children[place + 1])].append((child, child, children[place + 1]))
        taken = [item for group in groups.values() if _ask(group) for item in group]
        for element, head, body in taken:
            found[element] = head, body
        for above in [parent, *parent.iterancestors()] if taken else ():
            if above in holding:
                break
            holding.add(above)
    return found


def _has_text_between(parent: Any) -> bool:
    """Whether text stands between an element's children, which then do not open one another."""
    between = [(child.tail or "").strip() for child in parent]
    # Text behind the last one may belong to all of them.
    return any(between[:-1])


def _make(element: Any) -> tuple[str, str]:
    return element.tag, ((element.get("class") or "").split() or [""])[0]


def _ask(group: list[tuple[Any, Any, Any]]) -> bool:
    if len(group) < 2:
        return False
    asking = sum(seems_to_ask(without_marks(readable_text(head, signs_in(head)))[0]) for _, head, _ in group)
    return 2 * asking >= len(group) or (asking > 0 and is_in_accordion(group[0][1]))


class _Shapes:
    """How much text each element has, and whether it has forms of its own inside."""

    def __init__(self, root: Any) -> None:
        self._sizes: dict[Any, int] = {}
        self._forms: set[Any] = set()
        self._headings: set[Any] = set()
        self.unread: set[Any] = set()
        for element in reversed([root, *root.iterdescendants()]):
            if not isinstance(element.tag, str) or element.tag in HIDDEN or element.tag == "pre":
                self._sizes[element] = len((element.text or "").strip()) if element.tag == "pre" else 0
                self.unread.add(element)
                continue
            size = len((element.text or "").strip())
            for child in element:
                size += self._sizes[child] + len((child.tail or "").strip())
                if child in self._forms:
                    self._forms.add(element)
                if child in self._headings:
                    self._headings.add(element)
            self._sizes[element] = size
            if element.tag in _FORMS or any(element.get(name) for name in _OPENERS):
                self._forms.add(element)
            if element.tag in HEADINGS:
                self._headings.add(element)

    def content(self, element: Any) -> list[Any]:
        return [child for child in element if self._sizes[child] > 0]

    def head(self, item: Any) -> Any:
        """The line that an element begins with, if blocks follow it, or None."""
        if item in self._forms:
            return None
        element = item
        for _ in range(_DEEPEST):
            if (element.text or "").strip() or any((child.tail or "").strip() for child in element):
                return None
            children = self.content(element)
            if not children:
                return None
            if len(children) > 1:
                return children[0] if self._begins(*children, is_called_so=is_of_accordion(item)) else None
            element = children[0]
        return None

    def opens_next(self, element: Any, after: Any, *, is_called_so: bool) -> bool:
        is_one = is_called_so or element.tag == "button" or is_of_accordion(element)
        return (
            is_one and element not in self._forms and not (element.tail or "").strip() and self._begins(element, after)
        )

    def _begins(self, head: Any, *bodies: Any, is_called_so: bool = False) -> bool:
        if head.tag not in _HEADS | HEADINGS or any(body.tag not in _BODIES for body in bodies):
            return False
        # Headings say more surely what is a question, but not where an accordion's answer ends.
        if (head in self._headings and not is_called_so) or any(body in self._headings for body in bodies):
            return False
        if any(body in self._forms or next(body.iter(*_FIELDS), None) is not None for body in bodies):
            return False
        # A paragraph without a class is one of a text.
        if self._sizes[head] > _LONGEST or (head.tag == "p" and not head.get("class")):
            return False
        return not any(_leads_away(link) for link in head.iter("a")) and _is_line(head)


def _is_line(head: Any) -> bool:
    text = readable_text(head, signs_in(head))
    return "\n" not in text and _WORD.search(text) is not None


def _leads_away(link: Any) -> bool:
    address = (link.get("href") or "#").strip().lower()
    # A saved page has its own address before the fragment of a link that only opens something.
    return not address.startswith(("#", "javascript:")) and not address.endswith(_NOWHERE)
