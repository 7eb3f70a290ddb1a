# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Where answers end, though no heading follows: with the box that their question stands in."""

from collections import Counter
from collections.abc import Container, Iterable
from itertools import islice, zip_longest
from typing import Any, Final

_BOXES: Final = frozenset(["article", "div", "li", "section"])


def ends_of(headings: Iterable[Any]) -> dict[Any, Any]:
    """
    Find what the answers to the last of several questions end with.

    Where the others beside it have a box each, with their answer in it, the last one has no more than its own: what
    follows the boxes is about them all, or the page's foot.

    :param headings: the elements that a page is cut at, in its order.
    :returns: by heading, the element that ends with its answer.
    """
    cuts = dict.fromkeys(headings)
    held = Counter(around for heading in cuts for around in heading.iterancestors())
    ends = {}
    for heading, after in zip_longest(cuts, islice(cuts, 1, None)):
        box = _last_box(heading, cuts, held)
        if box is not None and (after is None or box not in after.iterancestors()):
            ends[heading] = box
    return ends


def _last_box(heading: Any, cuts: Container[Any], held: Counter[Any]) -> Any:
    """The box with a question and its answer, the last one of several; or None."""
    box = heading
    while (around := box.getparent()) is not None and held[around] == 1:
        box = around
    if box is heading or box.tag not in _BOXES or around is None:
        return None
    before = next((part for part in box.itersiblings(preceding=True) if held[part]), None)
    if before is None or held[before] != 1 or _make(before) != _make(box):
        return None
    if any(_make(after) == _make(box) for after in box.itersiblings(box.tag)):
        return None
    other = next(part for part in before.iter() if part in cuts)
    has_answer = "".join(before.itertext()).split() != "".join(other.itertext()).split()
    return box if has_answer else None


def _make(element: Any) -> tuple[Any, str]:
    return element.tag, ((element.get("class") or "").split() or [""])[0]
