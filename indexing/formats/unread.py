# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
Lines of a page or a text that ask and are in none of the entries that were read from it.

They may be questions in a form that is not known. Whoever indexes the file is told, and can look.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Final

from lxml.etree import iterwalk

from answer_selection.indexing.formats.elements import BLOCKS, HEADINGS
from answer_selection.indexing.formats.questions import QUESTION_MARKS, asks, is_one_sentence, without_marks
from answer_selection.indexing.formats.raw import Problem, RawEntry
from answer_selection.indexing.formats.readable import HIDDEN

_ON_THEIR_OWN_LINES: Final = (
    BLOCKS
    | HEADINGS
    | frozenset("article body br button dd details dt hr label li main p summary tbody td th thead tr".split())
)
NOT_SHOWN: Final = HIDDEN | frozenset("aside blockquote footer form nav pre".split())
"""Elements whose text is of the page, or an example."""
_CODE: Final = ("    ", "\t")
_TITLES: Final = HEADINGS | frozenset(["button", "summary"])
_NEAR: Final = 3
_LONGEST: Final = 200
_FEWEST_LETTERS: Final = 8
# Letters before a question that are no part of it: "Question 1.1.", "FAQ-COM130".
_MOST_BEFORE: Final = 20
# A single line may be one that answers ask by themselves.
_FEWEST: Final = 2
# Lines that are searched for in all answers, which takes the time of both.
_MOST: Final = 300
_NAMED: Final = 2


def lines_of_page(root: Any) -> list[str]:
    """
    Give what a page shows, by lines, before anything is taken out of it.

    :param root: the page's root element; None gives none.
    :returns: the lines that have a question mark.
    """
    if root is None:
        return []
    lines = [_Line()]
    link = None
    walk = iterwalk(root, events=("start", "end", "comment", "pi"))
    for event, element in walk:
        if element.tag in _ON_THEIR_OWN_LINES:
            lines.append(_Line())
        if event != "start":
            link = None if element is link else link
            lines[-1].add(element.tail, is_link=link is not None)
        elif element.tag in NOT_SHOWN:
            walk.skip_subtree()
        else:
            link = element if link is None and _leads_elsewhere(element) else link
            lines[-1].add(element.text, is_link=link is not None)
    return _with_a_mark("".join(line.pieces) for line in lines if line.is_no_link)


@dataclass(slots=True)
class _Line:
    """
    A line of a page.

    :param pieces: its text.
    :param is_no_link: whether a letter of it is in no link. Contents may have a question in other words than it has.
    """

    pieces: list[str] = field(default_factory=list)
    is_no_link: bool = False

    def add(self, text: str | None, *, is_link: bool) -> None:
        self.pieces.append(text or "")
        self.is_no_link |= not is_link and text is not None and any(map(str.isalpha, text))


def _leads_elsewhere(element: Any) -> bool:
    """Whether an element is a link, and not that of a title in its own page, which may be to itself."""
    address = element.get("href") if element.tag == "a" else None
    if not address or not address.startswith("#"):
        return bool(address)
    return _TITLES.isdisjoint(around.tag for around in islice(element.iterancestors(), _NEAR))


def lines_of_text(text: str) -> list[str]:
    """
    Give a text's lines, without code.

    :param text: the whole text.
    :returns: the lines that have a question mark.
    """
    return _with_a_mark(line for line in text.split("\n") if not line.startswith(_CODE))


def _with_a_mark(lines: Iterable[str]) -> list[str]:
    return [" ".join(line.split()) for line in lines if any(mark in line for mark in QUESTION_MARKS)]


def unread(lines: Iterable[str], items: Sequence[RawEntry | Problem]) -> Iterator[Problem]:
    """
    Say which lines that ask are in no entry.

    :param lines: those that a file shows.
    :param items: what was read from it.
    :returns: one problem that is no error, or none: there are too few such lines, or no entries at all.
    """
    entries = [item for item in items if isinstance(item, RawEntry)]
    asking = {letters: line for line in lines if (letters := _letters_of_question(line))} if entries else {}
    questions = {letters_of(entry.fields.get("question")) for entry in entries}
    left = [letters for letters in asking if not ends_with_one(letters, questions)]
    parts = ((*entry.headings, *map(entry.fields.get, ("question", "answer"))) for entry in entries)
    all_read = "\n".join(letters_of(part) for entry in parts for part in entry) if left else ""
    lost = [asking[letters] for letters in islice(left, _MOST) if letters not in all_read]
    if len(lost) >= _FEWEST:
        named = ", ".join(f"{line!r}" for line in lost[:_NAMED])
        count = f"{len(lost)}{' or more' if len(left) > _MOST else ''}"
        yield Problem("lines that ask", None, f"{count} are in no entry, such as {named}", nothing=True)


def _letters_of_question(line: str) -> str:
    """A line's letters and digits, if the whole of it asks."""
    if len(line) > _LONGEST or not line.endswith(QUESTION_MARKS):
        return ""
    question = without_marks(line)[0]
    letters = letters_of(question)
    is_question = len(letters) >= _FEWEST_LETTERS and asks(question) and is_one_sentence(question)
    return letters if is_question else ""


def ends_with_one(letters: str, questions: set[str]) -> bool:
    """
    Tell whether a line is one of some texts, perhaps with a number or the like before it.

    :param letters: the line's `letters_of`.
    :param questions: those of the texts.
    :returns: whether it is.
    """
    return any(letters[start:] in questions for start in range(min(len(letters), _MOST_BEFORE)))


def letters_of(text: Any) -> str:
    """
    Give what two texts have in common that say the same, whatever their signs.

    :param text: the text; None is the empty one.
    :returns: its letters and digits, without case.
    """
    return "".join(filter(str.isalnum, str(text or "").casefold()))
