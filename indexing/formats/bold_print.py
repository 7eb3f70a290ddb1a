# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Bold or italic print: whether it is a line, or begins one, and so may be the question of what stands below it."""

import re
from collections.abc import Iterator
from itertools import islice
from typing import Any, Final

from answer_selection.indexing.formats import shown
from answer_selection.indexing.formats.elements import HEADINGS, HEAVY
from answer_selection.indexing.formats.questions import asks, names_a_failure, tells_a_trouble, tells_at_length
from answer_selection.indexing.formats.readable import readable_line

BOLD: Final = HEAVY | {"em", "i", "u"}
"""Its elements."""

# "3.", "Q:", "-" or a picture before a question in bold print.
_NUMBER: Final = re.compile(
    r"\s*(?:[(\[]?(?:Q\s?)?[0-9]{1,3}(?:\.[0-9]{1,3}){0,4}[a-z]?[.):\]]?|Q\s?[:.]|[-*\u2013\u2014\u2022](?=\s)"
    r"|[\u2600-\u27bf\U0001f300-\U0001faff]\ufe0f?(?=\s))\s*"
)
_Q: Final = re.compile(r"\s{0,9}Q\s?[0-9]{0,4}(?:\.[0-9]{1,3}){0,3}\s?[:.)]\s{0,9}")
# Lines beside one that are looked at.
_MOST_BETWEEN: Final = 20
_DIGIT: Final = re.compile("[0-9]")
_INLINE: Final = frozenset(["a", "big", "em", "font", "i", "span", "u"])
_LINES: Final = frozenset(["blockquote", "br", "center", "dd", "div", "hr", "ol", "p", "pre", "section", "table", "ul"])
_ENDS: Final = _LINES | HEADINGS | {"dl"}
_HOLDERS: Final = frozenset(["blockquote", "body", "center", "dd", "div", "li", "p", "section", "td"])


def failures(root: Any) -> Iterator[Any]:
    """
    Find failures that are named between questions.

    :param root: the page's root element, or a part.
    :returns: the lines in bold print that name a failure, and stand between others that ask or tell what is wrong.
    """
    lines = list(filter(is_a_heavy_line, root.iter(*HEAVY)))
    titles = [shown.question_of(line)[0] + mark_behind(line) for line in lines]
    named = [names_a_failure(title) for title in titles]
    may_ask = [
        True,
        *(name or asks(title) or tells_a_trouble(title) for name, title in zip(named, titles, strict=True)),
        True,
    ]
    for place, line in enumerate(lines):
        if named[place] and may_ask[place] and may_ask[place + 2]:
            yield line


def titles_of(element: Any) -> set[Any]:
    """
    Find the titles of a list's items.

    :param element: the list.
    :returns: the bold print that most of its items begin with, if some of it asks.
    """
    items = [item for item in element if item.tag == "li"]
    titles = [title for item in items if (title := title_of(item)) is not None]
    if len(titles) >= 2 and len(titles) >= 0.75 * len(items):
        return set(titles) if any(asks(readable_line(title) + mark_behind(title)) for title in titles) else set()
    # With answers in the same line, between others that ask: "**My card is lost** Call us."
    begin = [bold for item in items if (bold := _bold_beginning(item)) is not None]
    lines = list(map(readable_line, begin))
    if sum(map(asks, lines)) < 2 or len(begin) < 0.75 * len(items):
        return set()
    return {bold for bold, line in zip(begin, lines, strict=True) if tells_a_trouble(line)}


def title_of(item: Any) -> Any:
    """
    Find the title of an item.

    :param item: the item of a list.
    :returns: the bold print that it begins with, if that is a line, or all of one but a question mark; or None.
    """
    element = _bold_beginning(item)
    return element if element is not None and (mark_behind(element) or ends_a_line(element)) else None


def _bold_beginning(item: Any) -> Any:
    element = item
    while element.tag not in BOLD:
        first = next((child for child in element if not _is_empty_anchor(child)), None)
        if first is None or (element.text or "").strip() or first.tag not in BOLD | _INLINE | _HOLDERS:
            return None
        element = first
    return element


def tells_what_happens(element: Any, title: str) -> bool:
    """
    Tell whether a whole paragraph in bold print says what happens.

    :param element: the bold print.
    :param title: its text.
    :returns: whether it does; in a quotation, another beside it has to ask.
    """
    if element.tag not in HEAVY or element.getprevious() is not None or not tells_at_length(title):
        return False
    if not _is_whole_paragraph(element.getparent()):
        return False
    above = element.getparent().getprevious()
    if above is not None and _is_whole_paragraph(above) and len(above):
        return False  # which would have no answer
    if is_a_heavy_line(element):
        return True
    beside = (part[0] for part in element.getparent().itersiblings("p") if len(part))
    before = (part[0] for part in element.getparent().itersiblings("p", preceding=True) if len(part))
    others = (*islice(before, _MOST_BETWEEN), *islice(beside, _MOST_BETWEEN))
    return any(other.tag in HEAVY and asks(readable_line(other)) for other in others)


def _is_whole_paragraph(holder: Any) -> bool:
    """Whether an element is a paragraph of nothing but bold print."""
    text = "".join([holder.text or "", *(part.tail or "" for part in holder)])
    return holder.tag == "p" and not text.strip() and all(part.tag in HEAVY | {"br"} for part in holder)


def is_a_heavy_line(element: Any) -> bool:
    """
    Tell whether bold print is a line of its own.

    :param element: the bold print.
    :returns: whether it is, and in no part of an answer.
    """
    if element.tag not in HEAVY or not ends_a_line(element):
        return False
    return next(element.iterancestors("blockquote", "li", "td", "th"), None) is None


def is_announced(bold: Any) -> bool:
    """
    Tell whether words announce a line of its own: "The page says why:", "Access denied".

    :param bold: the bold print that is the line.
    :returns: whether the paragraph above it ends with a colon.
    """
    holder = bold if bold.getprevious() is not None else bold.getparent()
    before = holder.getprevious()
    return before is not None and before.tag == "p" and readable_line(before).endswith(":")


def is_among_questions_alone(heavy: Any) -> bool:
    """
    Tell whether bold print is in a list of questions that are answered elsewhere.

    :param heavy: the bold print.
    :returns: whether it is all of a list's item, and so is one beside it that asks.
    """
    item = heavy.getparent()
    beside = [other for other in (item.getprevious(), item.getnext()) if other is not None and _is_bold_item(other)]
    lines = map(readable_line, beside if _is_bold_item(item) else ())
    return any(asks(line) or line.endswith("...") for line in lines)


def _is_bold_item(element: Any) -> bool:
    """Whether it is an item of a list, all of which is in one piece of bold print."""
    if element.tag != "li" or len(element) != 1 or element[0].tag not in BOLD:
        return False
    return not ((element.text or "").strip() or (element[0].tail or "").strip())


def line_before(element: Any) -> Any:
    """
    Find what ends the line before one that is "Q:" and bold print and no more.

    :param element: the bold print.
    :returns: the element that ends it, or None.
    """
    before = element.getprevious()
    if before is None or before.tag not in _ENDS or _Q.fullmatch(before.tail or "") is None:
        return None
    return before if ends_a_line(element) else None


def number_before(element: Any) -> Any:
    """
    Find the element that begins with a question's number: "3." before ``<b>``.

    :param element: the bold print.
    :returns: that element, or None.
    """
    parent = element.getparent()
    is_first = element.getprevious() is None and parent is not None and (parent.text or "").strip()
    return parent if is_first else None


def bold_number_before(element: Any) -> Any:
    """
    Find the bold print before a question that has its number and no more.

    :param element: the question in bold print.
    :returns: that element, or None.
    """
    before = element.getprevious()
    return before if before is not None and _is_bold_number(before) and not (before.tail or "").strip() else None


def _is_before_a_question(element: Any) -> bool:
    return element.tag == "img" or _is_empty_anchor(element) or _is_bold_number(element)


def _is_bold_number(element: Any) -> bool:
    if element.tag not in BOLD or len(element):
        return False
    return _DIGIT.search(element.text or "") is not None and _NUMBER.fullmatch(element.text) is not None


def begins_a_line(element: Any) -> bool:
    """
    Tell whether a line begins with bold print.

    :param element: the bold print.
    :returns: whether at most a number or a picture stands before it.
    """
    while True:
        before = element.getprevious()
        while before is not None and not (before.tail or "").strip() and _is_before_a_question(before):
            before = before.getprevious()
        parent = element.getparent()
        if before is not None:
            return _ends_its_line(before) and not (before.tail or "").strip()
        if parent is None or ((parent.text or "").strip() and not _NUMBER.fullmatch(parent.text)):
            return False
        if parent.tag in _HOLDERS:
            return True
        if parent.tag not in _INLINE:
            return False
        element = parent


def _ends_its_line(element: Any) -> bool:
    """Whether what follows an element begins a line: also behind print that ends with a line break."""
    while element.tag in BOLD | _INLINE and len(element) and not (element[-1].tail or "").strip():
        element = element[-1]
    return element.tag in _ENDS


def ends_a_line(element: Any) -> bool:
    """
    Tell whether a line ends with bold print.

    :param element: the bold print.
    :returns: whether nothing stands behind it.
    """
    while not (element.tail or "").strip():
        after = element.getnext()
        if after is not None:
            return after.tag in _ENDS
        parent = element.getparent()
        if parent is None or parent.tag not in _INLINE:
            return parent is None or parent.tag in _HOLDERS
        element = parent
    return False


def mark_behind(element: Any) -> str:
    """
    Find the question mark that follows bold print.

    :param element: the bold print.
    :returns: the mark, if nothing stands behind it in its line, or an empty string.
    """
    mark, _, below = (element.tail or "").lstrip().partition("\n")
    if mark.rstrip().removesuffix(":") != "?":
        return ""
    after = element.getnext()
    return "?" if below.strip() or after is None or after.tag in _ENDS else ""


def clear_around(bold: Any) -> None:
    """
    Leave out of a line the number before its bold print, and the "or" behind it.

    :param bold: the bold print.
    """
    before = bold.getprevious()
    bold.tail = None
    if before is not None:
        before.tail = None


def _is_empty_anchor(element: Any) -> bool:
    if not isinstance(element.tag, str):
        return True
    return element.tag in ("a", "span") and not len(element) and not (element.text or "").strip()
