# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Numbers drawn into a text: each under its word, by the thickness of a line."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from haystack_integrations.components.rankers.answer_selection.explanation import SpanWeight

THICKEST: Final = 10
"""The steps of thickness, beside none: a line of so many is that of 1, or of 100 percent."""

_STRONGEST: Final = 3


class Mark(NamedTuple):
    """
    A part of a text.

    :param text: The part.
    :param number: What is written over it; empty where it has no number.
    :param thickness: Of the line under it, 0 to :data:`THICKEST`.
    """

    text: str
    number: str = ""
    thickness: int = 0


def shown(value: float, *, shares: bool) -> str:
    """
    Write a number: a share in percent, a gate as it is.

    :param value: The number.
    :param shares: Whether it is a share.
    :returns: Its text.
    """
    return f"{100 * value:.1f}" if shares else f"{value:.2f}"


def marked(text: str, spans: Sequence[SpanWeight], *, shares: bool) -> list[Mark]:
    """
    Cut a text into its words and what stands between them.

    :param text: The text.
    :param spans: The words' numbers, in their order.
    :param shares: Whether they are shares.
    :returns: The parts, which together are the text. Their lines are as thick as their numbers are between 0 and 1,
        whatever the text's other numbers are.
    """
    whole = _apart(spans, shares=shares)
    marks, done = [], 0
    for span in whole:
        marks.append(Mark(text[done : span.start]))
        thickness = round(THICKEST * min(max(span.value, 0.0), 1.0))
        marks.append(Mark(text[span.start : span.end], shown(span.value, shares=shares), thickness))
        done = span.end
    marks.append(Mark(text[done:]))
    return [mark for mark in marks if mark.text]


def strongest(text: str, spans: Sequence[SpanWeight], *, shares: bool) -> list[Mark]:
    """
    Give the few words with the greatest numbers.

    :param text: The text.
    :param spans: The words' numbers, in their order.
    :param shares: Whether they are shares.
    :returns: The words, the greatest first; none where all are equal.
    """
    whole = [span for span in _apart(spans, shares=shares) if text[span.start : span.end].strip()]
    if all(one.value == other.value for one, other in pairwise(whole)):
        return []
    first = sorted(whole, key=lambda span: -span.value)[:_STRONGEST]
    return [Mark(text[span.start : span.end].strip(), shown(span.value, shares=shares)) for span in first]


def _apart(spans: Sequence[SpanWeight], *, shares: bool) -> list[SpanWeight]:
    """Tokens that share a character, as one: the sum of their shares, the mean of their gates."""
    groups: list[list[SpanWeight]] = []
    for span in spans:
        if groups and span.start < max(each.end for each in groups[-1]):
            groups[-1].append(span)
        else:
            groups.append([span])
    whole = []
    for group in groups:
        total = sum(span.value for span in group)
        end = max(span.end for span in group)
        whole.append(SpanWeight(group[0].start, end, total if shares else total / len(group)))
    return whole
