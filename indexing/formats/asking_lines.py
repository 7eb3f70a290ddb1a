# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
Questions of an HTML page that nothing marks but the question mark at their end: each is the first line of a paragraph.

It is the last thing to try, where a page that is an FAQ has no other form of questions, or headings alone that do not
ask, which are then its sections.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Final, NamedTuple

from lxml.etree import iterwalk

from answer_selection.indexing.formats.elements import BLOCKS, HEADINGS
from answer_selection.indexing.formats.questions import QUESTION_MARKS, asks, is_one_sentence, names_troubles
from answer_selection.indexing.formats.readable import HIDDEN, readable_line
from answer_selection.indexing.formats.rewriting import make_bold

_HOLDERS: Final = frozenset(["center", "div", "p"])
_DIVIDED: Final = frozenset(["article", "body", "center", "div", "main", "section", "td"])
_ENDS: Final = BLOCKS | HEADINGS | {"blockquote", "br", "details", "hr", "pre"}
# What stands in these has forms of its own.
_ELSEWHERE: Final = ("blockquote", "dl", "form", "li", "table")
_LONGEST: Final = 300
_FEWEST: Final = 2


class _Line(NamedTuple):
    """
    The first line of a paragraph.

    :param text: what it says.
    :param holder: the paragraph.
    :param children: how many of its elements belong to the line.
    :param is_whole: whether nothing else stands in the paragraph.
    """

    text: str
    holder: Any
    children: int
    is_whole: bool


def mark_asking_lines(root: Any, *, below_headings: bool) -> bool:
    """
    Make bold print of the questions.

    :param root: the main part of a page that is an FAQ.
    :param below_headings: whether one has to begin what stands below each heading, the page's title aside.
    :returns: whether there are any: two at least, each with something that does not ask below it.
    """
    for part in [root, *root.iterdescendants(*_DIVIDED)]:
        _divide_at_breaks(part)
    found = [line for holder in root.iterdescendants(*_HOLDERS) if (line := _first_line(holder)) is not None]
    # One that comes again stood in the page's contents.
    lines = list({line.text: line for line in found}.values())
    if len(lines) < _FEWEST:
        return False
    asking = {line.holder for line in lines}
    if not all(_has_answer(line, asking, root) for line in lines):
        return False
    if below_headings:
        headings = list(root.iter(*HEADINGS))
        # There the answers ask their readers.
        if any(names_troubles(readable_line(heading)) for heading in headings):
            return False
        for heading in headings[1:]:
            around = _around(_next_holder(heading, root))
            if asking.isdisjoint(around) and not any(part.tag in HEADINGS for part in around):
                return False
    for line in lines:
        make_bold(line.holder, line.children)
        if line.is_whole:
            line.holder.tag = "p"
    return True


def _divide_at_breaks(part: Any) -> None:
    """Make paragraphs of a part's lines, where two ``<br>`` stand between them."""
    children = list(part)
    breaks = {one for two in pairwise(children) if _are_two_breaks(*two) for one in two}
    if not breaks:
        return
    runs: list[list[Any]] = [[]]
    texts = [part.text]
    part.text = None
    for child in children:
        part.remove(child)
        if child in breaks or child.tag in BLOCKS | HEADINGS | {"hr", "pre"}:
            runs += [[child], []]
            texts += [None, child.tail]
            child.tail = None
        else:
            runs[-1].append(child)
    for run, text in zip(runs, texts, strict=True):
        if len(run) == 1 and text is None and run[0].tag in _ENDS:
            part.append(run[0])
        elif run or (text or "").strip():
            paragraph = part.makeelement("p")
            paragraph.text = text
            paragraph.extend(run)
            part.append(paragraph)


def _are_two_breaks(first: Any, second: Any) -> bool:
    return first.tag == second.tag == "br" and not (first.tail or "").strip()


def _first_line(holder: Any) -> _Line | None:
    """The line, if it is a question."""
    children, text = 0, [holder.text or ""]
    for child in holder:
        if child.tag in _ENDS:
            break
        is_shown = isinstance(child.tag, str)  # no comment
        if is_shown and (child.get("href") is not None or next(child.iter(*_ENDS), None) is not None):
            return None
        children += 1
        text += [readable_line(child) if is_shown else "", child.tail or ""]
    line = " ".join("".join(text).split())
    if not line.endswith(QUESTION_MARKS) or len(line) > _LONGEST or not asks(line) or not is_one_sentence(line):
        return None
    if next(holder.iterancestors(*_ELSEWHERE), None) is not None:
        return None
    return _Line(line, holder, children, is_whole=not _has_text(holder[children:]))


def _has_text(elements: Sequence[Any]) -> bool:
    return any((one.tail or "").strip() or (isinstance(one.tag, str) and readable_line(one)) for one in elements)


def _has_answer(line: _Line, asking: set[Any], root: Any) -> bool:
    """Whether text that is no other question and no heading comes next."""
    if not line.is_whole:
        return True
    around = _around(_next_holder(line.holder, root))
    return bool(around) and asking.isdisjoint(around) and not any(part.tag in HEADINGS for part in around)


def _next_holder(element: Any, root: Any) -> Any:
    """What the next text after an element stands in."""
    while element is not root:
        if (element.tail or "").strip():
            return element.getparent()
        for after in element.itersiblings():
            if isinstance(after.tag, str) and (holder := _first_holder(after)) is not None:
                return holder
            if (after.tail or "").strip():
                return after.getparent()
        element = element.getparent()
    return None


def _first_holder(element: Any) -> Any:
    """What the first text in an element stands in."""
    walk = iterwalk(element, events=("start", "end"))
    for event, part in walk:
        if event == "end":
            if part is not element and (part.tail or "").strip():
                return part.getparent()
        elif part.tag in HIDDEN:
            walk.skip_subtree()
        elif (part.text or "").strip():
            return part
    return None


def _around(element: Any) -> list[Any]:
    return [] if element is None else [element, *element.iterancestors()]
