# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Headings inside the answers of an FAQ whose questions are lines with "Q:": they are no sections, nor questions."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from answer_selection.indexing.formats.outline import Section
from answer_selection.indexing.formats.questions import leads_elsewhere, names_faq, seems_to_ask
from answer_selection.indexing.formats.raw import RawEntry

_FEWEST: Final = 3


def with_whole_answers(sections: Sequence[Section]) -> list[Section]:
    """
    Bring together the answers that headings divide.

    A section's name stands above questions. Where each heading of a rank has a text between it and the next question,
    and a question before it, and one of them has no question up to the next heading, they divide answers.

    :param sections: a page, in its order.
    :returns: the same; a page of fewer than three lines with "Q:" as it is.
    """
    if sum(map(_number_of_pairs, sections)) < _FEWEST:
        return list(sections)
    ranks = {section.heading.level for section in sections if section.heading is not None}
    inside = {rank for rank in ranks if rank > 1 and _divides_answers(sections, rank)}
    found: list[Section] = []
    for section in sections:
        if section.heading is not None and section.heading.level in inside:
            found[-1] = _joined(found[-1], section)
        else:
            found.append(section)
    return found


def _divides_answers(sections: Sequence[Section], rank: int) -> bool:
    places = [place for place, section in enumerate(sections) if _level(section) == rank]
    if all(sections[place].inside for place in places):
        return False  # of sections, each with an introduction
    return all(_is_in_an_answer(sections, place) for place in places)


def _is_in_an_answer(sections: Sequence[Section], place: int) -> bool:
    """Whether a heading has a question before it, a text, and another question behind that, with no lower heading."""
    section = sections[place]
    if place == 0 or section.heading is None or not section.text or len(section.inside) > _number_of_pairs(section):
        return False
    title, rank = section.heading.title, section.heading.level
    if seems_to_ask(title) or section.heading.had_q or names_faq(title) or leads_elsewhere(title):
        return False
    before = sections[place - 1]
    follows_a_pair = _number_of_pairs(before) > 0 and _is_a_pair(before, before.inside[-1])
    if not (follows_a_pair or _level(before) == rank):
        return False
    if any(_level(after) > rank for after in sections[place + 1 : place + 2]):
        return False
    return any(map(_number_of_pairs, sections[place:]))


def _level(section: Section) -> int:
    return 0 if section.heading is None else section.heading.level


def _number_of_pairs(section: Section) -> int:
    return sum(_is_a_pair(section, one) for one in section.inside)


def _is_a_pair(section: Section, entry: RawEntry) -> bool:
    """Whether an entry is one of lines: these have no place but their section's."""
    return entry.location == ("" if section.heading is None else section.heading.location)


def _joined(above: Section, section: Section) -> Section:
    """The section above one, with this one's title and text in its last answer, and its questions behind that."""
    *others, last = above.inside
    title = "" if section.heading is None else section.heading.title
    answer = "\n\n".join(filter(None, (last.fields["answer"], title, section.text)))
    location = "" if above.heading is None else above.heading.location
    more = (replace(entry, location=location) for entry in section.inside)
    return replace(above, inside=(*others, replace(last, fields={**last.fields, "answer": answer}), *more))
