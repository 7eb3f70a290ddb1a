# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Headings that only number the questions of an FAQ: "Q1", "Question 2". The question is the text below."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from answer_selection.indexing.formats.outline import Section
from answer_selection.indexing.formats.questions import ONLY_A, ONLY_Q, asks, without_answer_mark, without_marks

_FEWEST: Final = 2
_LONGEST: Final = 1000
_ENDS: Final = (".", "?", "!", ":", ")", '"', "\u201d", "\uff1f")


def with_questions_below(sections: Sequence[Section], in_faq: Sequence[bool]) -> list[Section]:
    """
    Give headings such as "Q1" the question that stands below them as their title.

    The question is the first paragraph. What follows "Answer:", or the heading "Answer", is its answer, behind what
    else there is of the question.

    :param sections: a text with headings, in its order.
    :param in_faq: for each heading whether it stands in an FAQ.
    :returns: the same sections; those with the heading "Answer" are a part of the ones above them. Nothing is changed
        unless at least two questions, and half of those with such a heading, have an answer that is called so.
    """
    scopes = iter(in_faq)
    may_be = [one.heading is not None and next(scopes) and _is_label(one) for one in sections]
    labels = [place for place, is_label in enumerate(may_be) if is_label]
    found = {place: one for place in labels if (one := _with_its_answer(sections[place : place + 2])) is not None}
    if len(found) < _FEWEST or 2 * len(found) < len(labels):
        return list(sections)
    return list(_named(sections, set(labels), found))


def _is_label(section: Section) -> bool:
    heading = section.heading
    if heading is None or section.inside or not section.text:
        return False
    return ONLY_Q.fullmatch(heading.title) is not None


def _named(sections: Sequence[Section], labels: set[int], found: dict[int, tuple[Section, int]]) -> Iterator[Section]:
    place = 0
    while place < len(sections):
        one, number = found.get(place) or (sections[place], 1)
        if place in labels and place not in found:
            one = _asked_in_its_first_paragraph(one)
        yield one
        place += number


def _with_its_answer(sections: Sequence[Section]) -> tuple[Section, int] | None:
    """The section of a question whose answer is called so, and of how many it is made."""
    lines = sections[0].text.split("\n")
    for number, line in enumerate(lines[1:], 1):
        # With the next line's beginning: "Answer" may stand in a line of its own.
        if without_answer_mark(f"{line}\n", had_q=False) != f"{line}\n":
            answer = without_answer_mark("\n".join(lines[number:]), had_q=False)
            return _entitled(sections[0], "\n".join(lines[:number]).strip(), answer), 1
    heading = sections[1].heading if len(sections) > 1 else None
    if heading is None or ONLY_A.fullmatch(heading.title.strip(" :.")) is None:
        return None
    one = _entitled(sections[0], sections[0].text, sections[1].text)
    return replace(one, inside=sections[1].inside, problem=sections[0].problem or sections[1].problem), 2


def _asked_in_its_first_paragraph(section: Section) -> Section:
    question = section.text.partition("\n\n")[0]
    return _entitled(section, section.text, "") if asks(question) else section


def _entitled(section: Section, asked: str, answer: str) -> Section:
    first, _, more = asked.partition("\n\n")
    if not first.endswith(_ENDS):
        # "The oven says" stands above what it says.
        first = f"{first} {more.strip().partition(chr(10))[0]}"
    title = without_marks(first)[0]
    if section.heading is None or not title or len(title) > _LONGEST:
        return section
    heading = replace(section.heading, title=title, had_q=True)
    return replace(section, heading=heading, text="\n\n".join(filter(None, (more.strip("\n"), answer))))
