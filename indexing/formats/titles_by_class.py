# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Lines of an FAQ that nothing but their class tells from the answers below them, made headings."""

from collections.abc import Collection
from typing import Any, Final

from answer_selection.indexing.formats.elements import HEADINGS, has_class
from answer_selection.indexing.formats.questions import asks
from answer_selection.indexing.formats.readable import readable_line
from answer_selection.indexing.formats.shown import ANSWER, QUESTION

_LOWEST: Final = "h6"
_HOLDERS: Final = ("div", "p")
_IN_LINES: Final = frozenset("a abbr b big cite code em font i img kbd small span strong sub sup tt u var".split())
_BOXES: Final = HEADINGS | frozenset("a button dd details dl dt li nav summary".split())
_FEWEST: Final = 2
_LONGEST: Final = 300


def raise_titles(root: Any) -> None:
    """
    Make headings of the lowest rank of what is called a question, if nothing is called an answer, and half of it asks.

    :param root: the root element of a page that is an FAQ, or its main part.
    """
    titles = [element for element in root.iterdescendants(*_HOLDERS) if has_class(element, QUESTION)]
    if not titles or any(has_class(element, ANSWER) for element in root.iterdescendants()):
        return
    # In a list of links none is followed by its answer.
    others = frozenset(titles)
    found = [title for title in titles if _is_followed(title, others) and _is_line(title)]
    if len(found) < _FEWEST or 2 * len(found) < len(titles):
        return
    if 2 * sum(asks(readable_line(title)) for title in found) >= len(found):
        for title in found:
            title.tag = _LOWEST


def _is_followed(title: Any, others: Collection[Any]) -> bool:
    after = title.getnext()
    if (title.tail or "").strip():
        return True
    return after is not None and after not in others and after.tag not in HEADINGS


def _is_line(title: Any) -> bool:
    if any(part.tag not in _IN_LINES for part in title.iterdescendants()):
        return False
    if not 0 < len(readable_line(title)) <= _LONGEST:
        return False
    return next(title.iterancestors(*_BOXES), None) is None
