# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
Headings beside questions that do not ask, and are in none of the entries that were read from a page.

In an FAQ they are questions: "Cancelling" beside "How do I pay?". A page that does not say that it is one keeps them to
itself. Whoever indexes it is told, and can say it.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from lxml.etree import iterwalk

from answer_selection.indexing.formats.elements import HEADINGS
from answer_selection.indexing.formats.questions import leads_elsewhere, stands_around, without_marks
from answer_selection.indexing.formats.raw import Problem, RawEntry
from answer_selection.indexing.formats.readable import readable_line
from answer_selection.indexing.formats.unread import NOT_SHOWN, ends_with_one, letters_of

# Of those with the same heading above them. One may ask in any article.
_FEWEST_ASKED: Final = 2
_NAMED: Final = 2


@dataclass(slots=True)
class ShownHeading:
    """
    A heading of a page.

    :param title: its text, without number and the like.
    :param level: its rank.
    :param above: where in the page's order of headings the one above it is; -1 is none.
    :param has_text: whether text stands between it and the next.
    """

    title: str
    level: int
    above: int
    has_text: bool = False


def headings_of_page(root: Any) -> list[ShownHeading]:
    """
    Give a page's headings, before anything is taken out of it.

    :param root: the page's root element; None gives none.
    :returns: them, in the page's order.
    """
    found: list[ShownHeading] = []
    path: list[int] = []
    walk = iterwalk(root, events=("start", "end", "comment", "pi")) if root is not None else iter(())
    for event, element in walk:
        text = element.tail
        if event == "start":
            text = element.text
            if element.tag in NOT_SHOWN or element.tag in HEADINGS:
                walk.skip_subtree()
                text = None
            if element.tag in HEADINGS:
                level = int(element.tag[1])
                while path and found[path[-1]].level >= level:
                    path.pop()
                title = without_marks(readable_line(element))[0]
                found.append(ShownHeading(title, level, path[-1] if path else -1))
                path.append(len(found) - 1)
        if found and text and text.strip():
            found[-1].has_text = True
    return found


def unread_headings(headings: Sequence[ShownHeading], items: Sequence[RawEntry | Problem]) -> list[Problem]:
    """
    Say which headings beside questions are in no entry.

    :param headings: those that a page shows.
    :param items: what was read from it.
    :returns: one problem that is no error, or none: most of what stands beside such headings asks no more than they.
    """
    if not headings:
        return []
    entries = [item for item in items if isinstance(item, RawEntry)]
    questions = {letters_of(entry.fields.get("question")) for entry in entries}
    beside: defaultdict[tuple[int, int], list[ShownHeading]] = defaultdict(list)
    for heading in headings:
        if heading.has_text:
            beside[heading.above, heading.level].append(heading)
    others: list[str] = []
    for some in beside.values():
        is_asked = {heading.title: ends_with_one(letters_of(heading.title), questions) for heading in some}
        asked = sum(is_asked[heading.title] for heading in some)
        if asked >= _FEWEST_ASKED and 2 * asked >= len(some):
            titles = (heading.title for heading in some if not is_asked[heading.title])
            others += [title for title in titles if not (leads_elsewhere(title) or stands_around(title))]
    # All lines of all answers are compared only where there is something to look for.
    parts = ((*entry.headings, *entry.fields.values()) for entry in entries) if others else ()
    read = {letters_of(line) for part in parts for text in part for line in str(text).split("\n")}
    left = [title for title in others if not ends_with_one(letters_of(title), read)]
    if not left:
        return []
    named = ", ".join(map(repr, left[:_NAMED]))
    be = "is" if len(left) == 1 else "are"
    message = f"{len(left)} beside those that ask {be} in no entry, such as {named}; if the page is an FAQ, say so in "
    return [Problem("headings", None, f"{message}its title or file name", nothing=True)]
