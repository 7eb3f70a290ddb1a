# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""What an element of a page is: by its tag, its classes, its id."""

import re
from typing import Any, Final

from answer_selection.indexing.formats.questions import asks
from answer_selection.indexing.formats.readable import readable_line

HEADINGS: Final = frozenset(["h1", "h2", "h3", "h4", "h5", "h6"])
HEAVY: Final = frozenset(["b", "strong"])
# A block that a site may lay out a page's navigation in.
BLOCKS: Final = frozenset("aside center div dl dir footer form header ol p section table ul".split())
# Boxes in an answer, whose titles DocBook writes as headings.
_NOTE: Final = re.compile(r"(?i)admonition|attention|caution|danger|hint|important|note|tip|warning")
_NOTE_TITLE: Final = re.compile(r"(?i)(?:admonition-)?title")
# Of a class or an id no more is compared: the time that an expression takes may grow with a power of the length.
LONGEST_NAME: Final = 60
# What a click runs names the element that it opens: W3.CSS's `onclick="toggle('one')"`.
_NAMED: Final = re.compile(r"\([ ]?['\"]#?([\w-]{1,60})['\"]")
_LONGEST_SCRIPT: Final = 200
OF_ACCORDIONS: Final = re.compile(r"(?i)(?:.*[-_])?(?:accordion|faqs?|collapse[dr]?|toggle)(?:[-_].*)?")


def has_class(element: Any, kind: re.Pattern[str]) -> bool:
    """
    Tell whether one of an element's classes is of a kind.

    :param element: any element.
    :param kind: what a class of this kind fits as a whole. Of a longer one than any of them it gets the beginning.
    :returns: whether one fits.
    """
    return any(kind.fullmatch(name[:LONGEST_NAME]) for name in (element.get("class") or "").split())


def opens_next(element: Any) -> bool:
    """
    Tell whether a click on an element opens the one right behind it.

    :param element: any element.
    :returns: whether what the click runs names the other by its id.
    """
    after, script = element.getnext(), element.get("onclick")
    if after is None or not script or not after.get("id") or (element.tail or "").strip():
        return False
    return after.get("id") in _NAMED.findall(script[:_LONGEST_SCRIPT])


def is_title_of_a_note(heading: Any) -> bool:
    """
    Tell whether a heading is that of a note, a warning or the like, which is a part of the text around it.

    :param heading: the heading.
    :returns: whether it is called a title, what it begins is called so, and it does not ask.
    """
    if heading.getprevious() is not None or not has_class(heading, _NOTE_TITLE):
        return False
    return has_class(heading.getparent(), _NOTE) and not asks(readable_line(heading))


def summary_of(details: Any) -> Any:
    """
    Find the summary of a ``<details>``.

    :param details: the element.
    :returns: the ``<summary>``, or None.
    """
    return next((child for child in details if child.tag == "summary"), None)


def is_called(element: Any, kind: re.Pattern[str]) -> bool:
    """
    Tell whether one of an element's classes, or its id, is of a kind.

    :param element: any element.
    :param kind: as for `has_class`.
    :returns: whether one fits.
    """
    return has_class(element, kind) or kind.fullmatch((element.get("id") or "")[:LONGEST_NAME]) is not None


def size_of(text: str | None) -> int:
    """
    Say how much a text shows.

    :param text: the text, if there is any.
    :returns: its characters, without blanks around them.
    """
    return len((text or "").strip())
