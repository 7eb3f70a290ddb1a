# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Where answers end, though no heading follows: with the box that their question stands in."""

from collections import Counter
from collections.abc import Container, Iterable
from itertools import islice, zip_longest
from typing import Any, Final

_BOXES: Final = frozenset(["article", "div", "li", "section"])
# Of what follows a box, no more is looked at.
_MOST_BEHIND: Final = 20


def ends_of(headings: Iterable[Any]) -> dict[Any, Any]:
    """
    Find what the answers of questions that have a box each end with.

    What stands in the next box before its question, as a category does, belongs to that one. And what follows the last
    box is about them all, or is the page's foot.

    :param headings: the elements that a page is cut at, in its order.
    :returns: by heading, the element that ends with its answer.
    """
    cuts = dict.fromkeys(headings)
    held = Counter(around for heading in cuts for around in heading.iterancestors())
    ends = {}
    for heading, after in zip_longest(cuts, islice(cuts, 1, None)):
        box = _box_of(heading, cuts, held)
        if box is not None and (after is None or box not in after.iterancestors()):
            ends[heading] = box
    return ends


def _box_of(heading: Any, cuts: Container[Any], held: Counter[Any]) -> Any:
    """The box with a question and its answer, one of several; or None."""
    box = heading
    while (around := box.getparent()) is not None and held[around] == 1:
        box = around
    if box is heading or box.tag not in _BOXES or around is None:
        return None
    after = box.getnext()
    is_followed = after is not None and not (box.tail or "").strip()
    if is_followed and held[after] == 1 and _make(after) == _make(box):
        return box if _has_answer(box, cuts) and _has_answer(after, cuts) else None
    before = next((part for part in box.itersiblings(preceding=True) if held[part]), None)
    if before is None or held[before] != 1 or _make(before) != _make(box):
        return None
    if any(_make(part) == _make(box) for part in islice(box.itersiblings(box.tag), _MOST_BEHIND)):
        return None
    return box if _has_answer(before, cuts) else None


def _has_answer(box: Any, cuts: Container[Any]) -> bool:
    """Whether an element with one question has more than this."""
    question = next(part for part in box.iter() if part in cuts)
    return "".join(box.itertext()).split() != "".join(question.itertext()).split()


def _make(element: Any) -> tuple[Any, str]:
    return element.tag, ((element.get("class") or "").split() or [""])[0]
