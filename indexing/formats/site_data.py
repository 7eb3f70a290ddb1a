# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""What a site keeps or exports as data: questions with answers, or else articles with titles."""

from collections.abc import Mapping
from typing import Any

from answer_selection.indexing.formats import articles, nested
from answer_selection.indexing.formats.publication import folded
from answer_selection.indexing.formats.raw import (
    ANSWER_FIELDS,
    ID_FIELDS,
    QUESTION_FIELDS,
    Problem,
    RawEntry,
    find_field,
)


def entries(
    value: Any, *, columns: Mapping[str, str] | None = None, base_url: str | None = None
) -> list[RawEntry | Problem]:
    """
    Find the entries of a whole file of data.

    :param value: lists, dictionaries and texts, as a parser gives them.
    :param columns: our names of fields and the data's own, where these are others.
    :param base_url: the address of the file: links in HTML that are relative to it become absolute.
    :returns: what :func:`nested.entries` finds; if nothing of it is a question with an answer and no names were given,
        what :func:`articles.entries` finds.
    """
    found = nested.entries(value, columns=columns, base_url=base_url)
    if columns or any(isinstance(one, RawEntry) and _is_whole(one) for one in found):
        return found
    others = articles.entries(value, base_url)
    if any(isinstance(one, RawEntry) for one in others) or (others and not any(map(_is_answer, found))):
        return others
    halves = [one for one in found if isinstance(one, RawEntry)]
    return [nested.nothing_in(value)] if halves and not any(map(_is_half, halves)) else found


def _is_half(entry: RawEntry) -> bool:
    """Whether it was meant to be an entry: "q" and "a" may be anything where nothing is one."""
    if {"question", "answer"} & set(map(folded, entry.fields)):
        return True
    # An answer with an id is one of a corpus.
    if find_field(entry.fields, ID_FIELDS) and find_field(entry.fields, ANSWER_FIELDS):
        return True
    names = (find_field(entry.fields, aliases) for aliases in (QUESTION_FIELDS, ANSWER_FIELDS))
    is_text = any(name is not None and isinstance(entry.fields[name], str) for name in names)
    return is_text and entry.location.rpartition(", ")[2].startswith("item")


def _is_answer(one: RawEntry | Problem) -> bool:
    return isinstance(one, RawEntry) and find_field(one.fields, ANSWER_FIELDS) is not None


def _is_whole(entry: RawEntry) -> bool:
    names = (find_field(entry.fields, aliases) for aliases in (QUESTION_FIELDS, ANSWER_FIELDS))
    return all(name is not None and entry.fields[name] for name in names)
