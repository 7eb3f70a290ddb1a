# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
Entries in nested data: the lists and objects in which sites keep their FAQs as JSON or YAML.

An object with a question and an answer is an entry, at any depth. So are a key that asks with its text, ``{"What is
it?": "A card."}``, and a list of pairs of texts whose first ask: ``[["What is it?", "A card."]]``.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, Final

from answer_selection.indexing.formats import jsonl
from answer_selection.indexing.formats.lines import plain_newlines
from answer_selection.indexing.formats.markup import readable_value
from answer_selection.indexing.formats.questions import asks
from answer_selection.indexing.formats.raw import (
    ANSWER_FIELDS,
    QUESTION_FIELDS,
    Problem,
    RawEntry,
    find_field,
    find_own,
)
from answer_selection.indexing.formats.readable import CutOffHtmlError
from answer_selection.indexing.formats.rich_text import text_in
from answer_selection.indexing.formats.storable import DEEPEST

# What a group of entries calls its own name.
_TITLES: Final = ("title", "name", "section", "category", "topic", "heading", "group", "label")
# Keys that say nothing of the entries below them.
_OF_ALL: Final = frozenset(["entries", "faq", "faqs", "items", "qa", "questions"])
# As data of bots call the ways to ask for one answer.
_SEVERAL: Final = "questions"
# "q1", "answer_2", "faq.question-3", "a1_text"
_NUMBERED: Final = re.compile(
    r"(?i)(?P<before>(?:[^\s?]{0,80}[._-])?)(?P<name>question|answer|q|a)[._-]?(?P<number>[0-9]{1,3})(?:[._-]text)?"
)
# "what.md", "https://example.com/what"
_IS_FILE: Final = re.compile(r"\S{1,200}\.(?:md|mdx|html?|rst)(?:#\S{0,200})?|/\S{0,200}|https?://\S{1,2000}")
_MOST_NAMES: Final = 6  # of fields in a message
_PAIR: Final = 2

_Found = list[RawEntry | Problem]


def entries(value: Any, *, columns: Mapping[str, str] | None = None, base_url: str | None = None) -> _Found:
    """
    Find the entries of nested data.

    The titles of the objects that an entry is in are its headings, and so are the keys that tell one group of entries
    from another. An answer that is a list of texts has a paragraph for each. HTML in questions and answers becomes
    readable text.

    :param value: lists, dictionaries and texts, as a parser gives them.
    :param columns: our names of fields and the data's own, where these are others.
    :param base_url: the address of the file: links in HTML that are relative to it become absolute.
    :returns: the entries in the order of the data, each with the path to it, such as ``item 2, questions, item 1``;
        beside entries, an item without question and answer, and one that is no object, is a problem. If there is no
        entry, one problem.
    """
    walk = _Walk(dict(columns or {}), base_url)
    if not isinstance(value, dict | list):
        return [_none(f"found {jsonl.json_type(value)}")]
    found = walk.inside(value, (), in_list=False)
    return found if found or not value else [nothing_in(value)]


def nothing_in(value: Any) -> Problem:
    """
    Say that nested data hold no entry.

    :param value: as for :func:`entries`.
    :returns: what was expected, and the names that were found.
    """
    names = _names_of_objects(value)
    return _none(f"found objects with {', '.join(map(repr, names))}" if names else f"found {jsonl.json_type(value)}")


class _Walk:
    def __init__(self, columns: dict[str, str], base_url: str | None) -> None:
        self._columns = columns
        self._base_url = base_url

    def inside(self, value: Any, place: tuple[str, ...], *, in_list: bool) -> _Found:
        if len(place) > DEEPEST:
            return []
        if isinstance(value, list):
            return self._list(value, place)
        if isinstance(value, dict):
            return self._object(value, place, in_list)
        return []

    def _list(self, items: list[Any], place: tuple[str, ...]) -> _Found:
        places = [(*place, f"item {number}") for number in range(1, len(items) + 1)]
        if all(_is_paragraphs(item) and len(item) == _PAIR for item in items):
            pairs = [{"question": question, "answer": answer} for question, answer in items]
            if 2 * sum(asks(pair["question"]) for pair in pairs) > len(pairs):
                return [self._entry(pair, where) for pair, where in zip(pairs, places, strict=True)]
        found = [self.inside(item, where, in_list=True) for item, where in zip(items, places, strict=True)]
        if not any(found) and (place or any(isinstance(item, dict) for item in items)):
            return []
        # What stands beside entries may have been meant to be one.
        for item, where, own in zip(items, places, found, strict=True):
            if not own and not isinstance(item, dict | list):
                own.append(Problem(", ".join(where), None, f"expected an object, found {jsonl.json_type(item)}"))
            elif not own and isinstance(item, dict) and not any(isinstance(one, dict | list) for one in item.values()):
                names = ", ".join(map(repr, list(item)[:_MOST_NAMES]))
                message = f"expected a question and an answer, found an object with {names or 'nothing'}"
                own.append(Problem(", ".join(where), None, message))
        return [one for own in found for one in own]

    def _object(self, value: dict[str, Any], place: tuple[str, ...], in_list: bool) -> _Found:
        question, answer = self._is_text(value, QUESTION_FIELDS), self._is_text(value, ANSWER_FIELDS)
        if question and answer:
            return [self._entry(value, place)]
        if answer and not question and _is_paragraphs(value.get(_SEVERAL)):
            one = {"question": value[_SEVERAL], **{key: part for key, part in value.items() if key != _SEVERAL}}
            return [self._entry(one, place)]
        inside = {key: self.inside(part, (*place, str(key)), in_list=False) for key, part in value.items()}
        groups = {key: found for key, found in inside.items() if found}
        if groups:
            title = _title(value) if place else None
            are_named = len(groups) > 1 or (in_list and len(value) == 1)
            names = {key: _name_of_group(key, value[key]) if are_named else None for key in groups}
            return [_below((title, names[key]), one) for key, found in groups.items() for one in found]
        if question or answer:
            return [self._entry(value, place)]
        return self._pairs(value, place) or self._numbered(value, place)

    def _numbered(self, value: dict[str, Any], place: tuple[str, ...]) -> _Found:
        """Read an object of which one key ends in "q1" and another in "a1", as texts of programs are kept."""
        pairs: dict[str, dict[str, Any]] = {}
        for key, part in value.items():
            found = _NUMBERED.fullmatch(str(key)) if isinstance(part, str) else None
            if found is not None:
                name = "question" if found["name"].lower().startswith("q") else "answer"
                pairs.setdefault(f"{found['before']}{found['number']}", {})[name] = part
        return [self._entry(pair, (*place, number)) for number, pair in pairs.items() if len(pair) == _PAIR]

    def _pairs(self, value: dict[str, Any], place: tuple[str, ...]) -> _Found:
        """Read an object whose keys are questions and whose values their answers."""
        texts = {key: part for key, part in value.items() if isinstance(part, str) or _is_paragraphs(part)}
        asked = [part for key, part in texts.items() if asks(str(key))]
        # Questions of a program with their translations answer nothing, nor do pages with their files.
        if 2 * len(asked) <= len(value) or not any(map(_may_answer, asked)):
            return []
        return [self._entry({"question": str(key), "answer": part}, (*place, str(key))) for key, part in texts.items()]

    def _is_text(self, value: dict[str, Any], aliases: tuple[str, ...]) -> bool:
        name = self._name(value, aliases)
        # A group of entries may be called "a", too.
        if name is None or value[name] == []:
            return False
        return not _holds_objects(value[name]) or text_in(value[name]) is not None

    def _name(self, value: dict[str, Any], aliases: tuple[str, ...]) -> str | None:
        try:
            return find_own(value, self._columns, aliases)
        except ValueError:  # two names for one field; told where the entry is made
            return find_field(value, aliases)

    def _entry(self, value: dict[str, Any], place: tuple[str, ...]) -> RawEntry | Problem:
        location = ", ".join(place)
        fields = dict(value)
        try:
            for aliases in (QUESTION_FIELDS, ANSWER_FIELDS):
                name = self._name(value, aliases)
                if name is None:
                    continue
                if _is_paragraphs(fields[name]):
                    fields[name] = "\n\n".join(fields[name])
                elif not isinstance(fields[name], str) and (text := text_in(fields[name])) is not None:
                    fields[name] = text
                if isinstance(fields[name], str):
                    fields[name] = readable_value(plain_newlines(fields[name]), self._base_url)
        except CutOffHtmlError as error:
            return Problem(location, None, str(error))
        return RawEntry(location, fields)


def _title(value: dict[str, Any]) -> str | None:
    name = find_field((str(key) for key in value), _TITLES)
    return value[name].strip() if name is not None and isinstance(value.get(name), str) else None


def _name_of_group(key: str, group: Any) -> str | None:
    """Read a key as a heading, if it says something that the group's own title does not."""
    is_told = key.lower() in _OF_ALL or (isinstance(group, dict) and _title(group))
    return None if is_told else key.replace("_", " ")


def _below(headings: Iterable[str | None], one: RawEntry | Problem) -> RawEntry | Problem:
    if isinstance(one, Problem):
        return one
    return replace(one, headings=(*filter(None, headings), *one.headings))


def _is_paragraphs(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(part, str) for part in value)


def _may_answer(text: str | list[str]) -> bool:
    return not isinstance(text, str) or not (asks(text) or _IS_FILE.fullmatch(text))


def _holds_objects(value: Any) -> bool:
    return isinstance(value, dict) or (isinstance(value, list) and any(isinstance(part, dict | list) for part in value))


def _none(what: str) -> Problem:
    message = (
        f"expected objects with 'question' and 'answer' (or 'q' and 'a'); {what}. If they have other names there, say "
        "which: --columns question=FIELD,answer=FIELD"
    )
    return Problem("", None, message, nothing=True)


def _names_of_objects(value: Any) -> list[str]:
    """Name the fields of the first object that has texts."""
    waiting = [value]
    for part in waiting:
        if isinstance(part, dict):
            names = [str(name) for name, one in part.items() if isinstance(one, str)]
            if names:
                return names[:_MOST_NAMES]
            waiting += part.values()
        elif isinstance(part, list):
            waiting += part
    return []
