# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
Questions and answers that a page shows, in the forms that have elements for both.

``<details>``, ``<dl>``, lists whose items begin with a question, accordions (a button that opens the element that its
``aria-controls`` or ``data-bs-target`` names), and pairs of elements with "question" and "answer" in their classes.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from copy import deepcopy
from itertools import islice
from textwrap import dedent
from typing import Any, Final

from answer_selection.indexing.formats.elements import HEADINGS, has_class, opens_next, summary_of
from answer_selection.indexing.formats.items import is_of_accordion, items_of, opens_something, signs_in
from answer_selection.indexing.formats.questions import (
    asks,
    leads_elsewhere,
    tells_a_trouble,
    without_answer_mark,
    without_marks,
)
from answer_selection.indexing.formats.raw import RawEntry
from answer_selection.indexing.formats.readable import readable_line, readable_text

# What a script opens comes first: "aria-controls" is often another's, copied along with the button.
_OPENS: Final = ("data-bs-target", "data-target", "href", "aria-controls")
# What Bootstrap opens beside the panels of accordions.
_NO_ACCORDION: Final = frozenset("dropdown modal offcanvas popover tooltip".split())
_TABS: Final = frozenset(["list", "pill", "tab"])
QUESTION: Final = re.compile(r"(?i)(?:.*[-_])?question(?:[-_](?:title|text|name|header|heading|inner|wrap(?:per)?))?")
"""A class that says that an element is a question."""
_LISTS: Final = frozenset(["ol", "ul"])
_LONGEST_TITLE: Final = 100
_MOST_AROUND: Final = 20
_SENTENCE_ENDS: Final = re.compile(r"(?i)(?<!error)(?<!warning)[.!:;] |:$")
ANSWER: Final = re.compile(r"(?i)(?:.*[-_])?answer(?:[-_](?:text|content|body|inner|wrap(?:per)?|container))?")
"""A class that says that an element is an answer."""


class Panels:
    """The elements of a page that are opened by others, or that repeat a question and its answer."""

    def __init__(self, root: Any) -> None:
        by_id = {element.get("id"): element for element in root.iterdescendants() if element.get("id")}
        self._of: dict[Any, tuple[Any, ...]] = {}
        self._named: set[Any] = set()
        question = last = None
        waiting = list(reversed(root))
        while waiting:
            element = waiting.pop()
            if not isinstance(element.tag, str):
                continue
            waiting += reversed(element)
            panel = _opened_by(element, by_id)
            if panel is not None and panel not in element.iterancestors():
                heading = next((above for above in element.iterancestors() if above.tag in HEADINGS), element)
                self._of.setdefault(heading, (heading, panel))
            elif has_class(element, QUESTION):
                question, last = element, None
            elif question is not None and has_class(element, ANSWER):
                # All answers side by side, up to the next question, are its own.
                if last is None:
                    self._of.setdefault(question, (question, element))
                    self._named.add(question)
                    last = element
                elif element.getparent() is last.getparent() and self._of[question][-1] is last:
                    self._of[question] += (element,)
                    last = element
        if 2 * sum(asks(question_of(named)[0]) for named in self._named) < len(self._named):
            self._named.clear()
        self._repeated: set[Any] = set()
        parts = {part for pair in self._of.values() for part in pair}
        for element, (question, body) in items_of(root).items():
            if not parts & {question, body, *body.iterdescendants()}:
                self._of[element] = question, body
                self._repeated.add(question)

    def is_named(self, question: Any) -> bool:
        """
        Tell whether an element is called a question, as others are of which half or more ask.

        :param question: an element that :meth:`of` gave.
        :returns: whether its class says so, and that of its answer.
        """
        return question in self._named

    def is_only_repeated(self, question: Any) -> bool:
        """
        Tell whether no more than the page's repeated structure makes an element a question.

        :param question: an element that :meth:`of` gave.
        :returns: whether it opens nothing, as far as its name, class and attributes say.
        """
        return question in self._repeated and not opens_something(question)

    def of(self, element: Any) -> tuple[Any, ...] | None:
        """
        Find what an element opens.

        :param element: any element.
        :returns: the element with the question and the one with its answer, perhaps around the question, or more than
            one; or None.
        """
        return self._of.get(element)


def _opened_by(element: Any, by_id: dict[str, Any]) -> Any:
    kind = element.get("data-bs-toggle") or element.get("data-toggle")
    # What asks is a question, whatever it is opened as.
    is_other = kind in _NO_ACCORDION | _TABS and not asks("".join(islice(element.itertext(), 8)))
    if is_other and kind in _NO_ACCORDION:
        return None
    for name in _OPENS:
        target = (element.get(name) or "").strip()
        if name == "href" and not (element.tag == "a" and _toggles(element)):
            continue
        if (panel := by_id.get(target.removeprefix("#"))) is not None and panel is not element:
            # Of tabs, one of which is always open, none is a question. They stand side by side.
            is_tab = (element.get("role") == "tab" and element.tag not in HEADINGS) or is_other
            return None if is_tab and element.getnext() is not panel else panel
    return element.getnext() if opens_next(element) else None


def _toggles(link: Any) -> bool:
    if link.get("data-toggle") or link.get("data-bs-toggle") or link.get("role") == "button":
        return True
    return is_of_accordion(link)


def question_of(element: Any, without: Collection[Any] = ()) -> tuple[str, bool]:
    """
    Give an element's text as a question.

    :param element: a heading, a summary, a term or a button, or None.
    :param without: elements inside it that are left out.
    :returns: its text on one line without number or "Q:", and whether it had a "Q:".
    """
    return ("", False) if element is None else without_marks(readable_line(element, without))


def anchor_of(element: Any) -> str | None:
    """
    Find the fragment that leads to an element.

    :param element: a heading, a term or ``<details>``.
    :returns: its own id, or that of an ``<a>`` inside or right before it, or of the section that
        begins with it, without ``#``; or None.
    """
    return _own_anchor(element) or _anchor_around(element)


def _own_anchor(element: Any) -> str | None:
    for part in element.iter():
        if name := part.get("id") or (part.get("name") if part.tag == "a" else None):
            return str(name)
    return None


def _anchor_around(element: Any) -> str | None:
    around = element
    for _ in range(6):
        before = around.getprevious()
        if before is not None:
            before = _without_line_breaks(before)
            if before.tag == "p" and len(before) == 1:
                before = before[0]
            if before.tag not in ("a", "span") or "".join(before.itertext()).strip() or (before.tail or "").strip():
                return None
            name = before.get("id") or before.get("name")
            return str(name) if name else None
        around = around.getparent()
        if around is None or around.tag in ("body", "main", "html") or (around.text or "").strip():
            return None
        if name := around.get("id") or (around.get("name") if around.tag == "a" else None):
            # What holds the next heading too is more than the section of this one.
            return str(name) if len(list(islice(around.iter(element.tag), 2))) == 1 else None
    return None


def _without_line_breaks(element: Any) -> Any:
    """The element itself, or what stands before it and others that only end lines."""
    first = element
    while first is not None and first.tag == "br" and not (first.tail or "").strip():
        first = first.getprevious()
    return element if first is None else first


def pair(question: Any, panel: Any, *more: Any) -> RawEntry | None:
    """
    Read a question and the panel that it opens.

    :param question: the element with the question, perhaps around the panel.
    :param panel: the element with the answer, perhaps around the question.
    :param more: other elements with answers to it.
    :returns: the entry, or None if one of them is empty, or if the page asks its reader.
    """
    text, had_q = question_of(question, [panel, *signs_in(question)])
    answers = [without_answer_mark(readable_text(part, [question]), had_q=had_q) for part in (panel, *more)]
    answer = "\n\n".join(filter(None, answers))
    if not text or not answer or leads_elsewhere(text):
        return None
    anchor = _own_anchor(question) or panel.get("id") or _anchor_around(question)
    return _entry(f"<{question.tag}> in line {question.sourceline}", text, answer, anchor)


def _entry(location: str, question: str, answer: str, anchor: str | None, headings: tuple[str, ...] = ()) -> RawEntry:
    fields = {"question": question, "answer": answer}
    if anchor:
        fields["anchor"] = anchor
    return RawEntry(location, fields, headings)


def details(outermost: Any) -> Iterator[RawEntry]:
    """
    Read a ``<details>`` and those inside it.

    One without text of its own around others is a section: its summary is in their heading path.

    :param outermost: an element that is in no other ``<details>``.
    :returns: an entry each.
    """
    for element in outermost.iter("details"):
        inner = list(element.iterdescendants("details"))
        summary = summary_of(element)
        answer = readable_text(element, [*inner, *([] if summary is None else [summary])])
        if inner and not answer:
            continue
        above = [] if element is outermost else [*element.iterancestors("details")]
        outer = [text for ancestor in above if (text := question_of(summary_of(ancestor))[0])]
        question, had_q = question_of(summary)
        # It may come again as a heading, so that links lead to it.
        answer = answer.removeprefix(f"{question}\n\n")
        anchor = element.get("id") or (None if summary is None else anchor_of(summary))
        location = f"<details> in line {element.sourceline}"
        yield _entry(location, question, without_answer_mark(answer, had_q=had_q), anchor, tuple(reversed(outer)))


def share_of_questions(element: Any) -> float:
    """
    Tell how much a ``<dl>`` asks.

    :param element: the list.
    :returns: which part of its terms do, or have a "Q:", without those of lists inside it.
    """
    parts = _parts_of(element)
    others = frozenset(parts)
    terms = [question_of(part, others) for part in parts if part.tag == "dt"]
    return sum(had_q or asks(question) for question, had_q in terms) / max(len(terms), 1)


def _parts_of(element: Any) -> list[Any]:
    return [part for part in element.iterdescendants("dt", "dd") if next(part.iterancestors("dl")) is element]


def definitions(element: Any) -> Iterator[RawEntry]:
    """
    Read a ``<dl>``: an answer belongs to all terms that stand before it without one.

    :param element: a list that is in no other.
    :returns: an entry for each term, and one without question for text that no term stands before.
    """
    # Other elements may stand around each group, or each term; what is in a list inside belongs to that.
    parts = _parts_of(element)
    # libxml2 puts a term or an answer into the one before if that has no end tag.
    others = frozenset(parts)
    terms: list[Any] = []
    answers: list[str] = []
    for part in [*parts, None]:
        if part is None or (part.tag == "dt" and answers):
            for term in terms:
                question, had_q = question_of(term, others)
                answer = without_answer_mark("\n\n".join(answers), had_q=had_q)
                yield _entry(f"<dt> in line {term.sourceline}", question, answer, anchor_of(term))
            terms, answers = [], []
        if part is None:
            continue
        if part.tag == "dt":
            terms.append(part)
        elif terms:
            answers.append(readable_text(part, others))
        elif text := readable_text(part, others):
            yield RawEntry(f"<dd> in line {part.sourceline}", {"question": "", "answer": text})


def list_items(element: Any, below: Sequence[Any] = (), *, is_all: bool = False) -> tuple[list[RawEntry], int]:
    """
    Read an ``<ol>`` or ``<ul>`` whose items have a question in their first line and its answer below.

    :param element: the list.
    :param below: elements behind it that belong to its last item.
    :param is_all: whether an FAQ has no headings but its title. Then a third need to ask if all have numbers and a
        paragraph as their first line.
    :returns: an entry each, and how many of them ask; none if one has no answer, or if fewer than half of them ask.
    """
    items = [item for item in element if item.tag == "li"]
    have_titles = is_all and element.tag == "ol" and all(len(item) > 1 and item[0].tag == "p" for item in items)
    share = 3 if have_titles else 2
    # Before all of them are written out.
    if share * sum("?" in "".join(islice(item.itertext(), 8)) for item in items) < len(items):
        return [], 0
    found: list[RawEntry] = []
    asking = 0
    for item in items:
        first, _, rest = readable_text(item).partition("\n")
        question, had_q = without_marks(_without_addresses(first, item))
        answers = [dedent(rest).strip("\n"), *(map(_as_block, below) if item is items[-1] else ())]
        answer = "\n\n".join(filter(None, answers))
        if not question or not answer.strip():
            return [], 0
        asking += asks(question)
        answer = without_answer_mark(answer, had_q=had_q)
        found.append(_entry(f"<li> in line {item.sourceline}", question, answer, anchor_of(item)))
    return (found, asking) if share * asking >= len(items) else ([], 0)


def _without_addresses(line: str, item: Any) -> str:
    """A line of an item without the addresses of its links."""
    for link in item.iter("a"):
        if address := (link.get("href") or "").strip():
            line = line.replace(f" ({address})", "", 1)
    return line


def _as_block(element: Any) -> str:
    around = element.makeelement("div")
    around.append(deepcopy(element))
    return readable_text(around)


def code_below(element: Any) -> list[Any]:
    """
    Find the code that interrupts a list: it belongs to the item above, though it stands behind the whole list.

    :param element: a list.
    :returns: the preformatted texts right behind it, with no words between.
    """
    found: list[Any] = []
    last = element
    while not (last.tail or "").strip() and (last := last.getnext()) is not None and _is_code(last):
        found.append(last)
    return found


def _is_code(element: Any) -> bool:
    while element.tag == "div" and len(element) == 1 and not (element.text or "").strip():
        element = element[0]
        if (element.tail or "").strip():
            return False
    return bool(element.tag == "pre")


def titled_items(element: Any) -> list[RawEntry]:
    """
    Read an ``<ol>`` or ``<ul>`` that is all that an FAQ has: items of a short line and paragraphs below it.

    :param element: the list.
    :returns: an entry each; none if fewer than two are so, or others not, or if more than lists and a paragraph stand
        beside it.
    """
    items = [item for item in element if item.tag == "li"]
    if len(items) < 2 or next(element.iterancestors("li", "dd", "td", "blockquote"), None) is not None:
        return []
    around = [
        *islice(element.itersiblings(preceding=True), _MOST_AROUND),
        *islice(element.itersiblings(), _MOST_AROUND),
    ]
    around = [part for part in around if isinstance(part.tag, str) and part.tag not in _LISTS | HEADINGS]
    if len(around) > 1 or any(part.tag != "p" or asks(readable_line(part)) for part in around):
        return []
    found: list[RawEntry] = []
    for item in items:
        first = next(iter(item), None)
        title = "" if first is None or first.tag != "p" or (item.text or "").strip() else readable_line(first)
        answer = readable_text(item, [first]) if title else ""
        if not answer or not 0 < len(title) <= _LONGEST_TITLE or _SENTENCE_ENDS.search(title):
            return []
        found.append(_entry(f"<li> in line {item.sourceline}", without_marks(title)[0], answer, anchor_of(item)))
    return found


def lone_question(element: Any) -> str:
    """
    Read a list of one item that asks, and has its answer behind it: ``1. How?`` of Markdown, not indented.

    :param element: an ``<ol>`` or a ``<ul>``.
    :returns: the question, or nothing.
    """
    if len(element) != 1 or (element.tail or "").strip() or next(element.iterdescendants("ol", "ul"), None) is not None:
        return ""
    after = element.getnext()
    question = readable_text(element[0])
    is_one = after is not None and after.tag != element.tag and "\n" not in question
    tells = element.tag == "ol" and tells_a_trouble(question)
    may_be_one = (question.endswith("?") and asks(question)) or tells
    return without_marks(question)[0] if is_one and may_be_one else ""
