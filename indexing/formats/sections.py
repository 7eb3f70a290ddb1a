# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
A page, or a part of one, cut into sections at what asks.

Headings are given; questions in bold or italic print that begin a paragraph are found here. What has a form of its own,
such as ``<details>``, becomes entries, or stays in the answer of the question above it.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any, Final

from answer_selection.indexing.formats import bold_print, numbered, outline, page, question_lines, rewriting, shown
from answer_selection.indexing.formats.asking_lines import mark_asking_lines
from answer_selection.indexing.formats.elements import HEADINGS, has_class, summary_of
from answer_selection.indexing.formats.ends import ends_of
from answer_selection.indexing.formats.items import is_in_accordion
from answer_selection.indexing.formats.labels import with_questions_below
from answer_selection.indexing.formats.no_content import remove_what_is_no_content
from answer_selection.indexing.formats.outline import Heading, Section
from answer_selection.indexing.formats.page_headings import after, headings_of, leads_to, places_of
from answer_selection.indexing.formats.pair_marks import without_letters
from answer_selection.indexing.formats.question_tables import open_tables
from answer_selection.indexing.formats.questions import (
    LONGEST_QUESTION,
    asks,
    leads_elsewhere,
    names_a_failure,
    names_faq,
    seems_to_ask,
    speaks_who_asks,
    tells_a_trouble,
    without_answer_mark,
    without_marks,
)
from answer_selection.indexing.formats.quotations import quoted_questions
from answer_selection.indexing.formats.raw import Problem, RawEntry
from answer_selection.indexing.formats.readable import UNCUT, readable_line, readable_parts
from answer_selection.indexing.formats.shared_answers import questions_of_one_answer
from answer_selection.indexing.formats.title_pages import entitles_the_page, remove_title_page
from answer_selection.indexing.formats.titles_by_class import raise_titles

_IN_BOLD: Final = 7
_PICTURE: Final = re.compile(r"\s{0,9}[\u2600-\u27bf\U0001f300-\U0001faff]\ufe0f?\s{1,9}")
# "1.2 Warnings": a line of its own in bold print.
_LEVELS: Final = re.compile(r"[0-9]{1,3}\.[0-9]{1,3}(?:\.[0-9]{1,3}){0,3}[.:)]?\s+[^\W\d_]{2}")
_OWN_NUMBER: Final = re.compile(r"\s{0,9}([0-9]{1,3})[.)]\s")
_TEXT: Final = frozenset(["blockquote", "dl", "ol", "p", "pre", "table", "ul"])
# As high or wide as what only lays a page out.
_THIN: Final = frozenset(map(str, range(8)))
_PICTURES: Final = frozenset(["audio", "canvas", "embed", "iframe", "img", "object", "video"])
# What a file includes from others.
_INCLUDED: Final = re.compile("included")
_FORMS: Final = HEADINGS | {"details", "dl"}
_MOST_BETWEEN: Final = 20
_FEWEST: Final = 2
_FEWEST_BULLETS: Final = 3
_DEEPEST_LIST: Final = 20
_LISTS_ARE_RARE: Final = 3  # headings for each


def entries(root: Any, *, is_page: bool) -> Iterator[RawEntry | Problem]:
    """
    Read what a page shows.

    :param root: its root element. What is no content is taken out of it.
    :param is_page: whether the page is an FAQ.
    :returns: raw entries and problems in the page's order.
    """
    rewriting.close_anchors(root)
    rewriting.close_headings(root)
    rewriting.close_definitions(root)
    rewriting.fill_definitions(root)
    rewriting.fill_items(root)
    rewriting.open_panels(root)
    rewriting.spell_out_marks(root)
    rewriting.spell_out_numbers(root)
    rewriting.drop_opening_signs(root)
    rewriting.mark_bold_print(root)
    rewriting.join_bold_print(root)
    remove_title_page(root)
    content = page.content_of(root)
    rewriting.open_answers(content)
    open_tables(content)
    rewriting.join_definitions(content)
    led_to = remove_what_is_no_content(content)
    rewriting.mark_led_to(content, led_to)
    rewriting.mark_asked_titles(content)
    if is_page:
        raise_titles(content)
    found = list(_entries_of(content, led_to, is_page=is_page))
    questions = [one.fields["question"] for one in found if isinstance(one, RawEntry)]
    if is_page and not any(seems_to_ask(one) or tells_a_trouble(one) or names_a_failure(one) for one in questions):
        if mark_asking_lines(content, below_headings=bool(questions)):
            found = list(_entries_of(content, led_to, is_page=is_page))
    if is_page:
        found = _without_letters(found[1:] if entitles_the_page(root, found) else found)
    yield from found


def _without_letters(found: Sequence[RawEntry | Problem]) -> list[RawEntry | Problem]:
    """The questions and answers of an FAQ without what other languages have in place of "Q:" and "A:"."""
    entries = [one for one in found if isinstance(one, RawEntry)]
    pairs = iter(without_letters([(one.fields["question"], one.fields["answer"]) for one in entries]))
    return [
        replace(one, fields={**one.fields, **dict(zip(("question", "answer"), next(pairs), strict=True))})
        if isinstance(one, RawEntry)
        else one
        for one in found
    ]


def _entries_of(content: Any, led_to: Collection[str], *, is_page: bool) -> Iterator[RawEntry | Problem]:
    headings = headings_of(content)
    in_faq = dict(zip(headings, outline.scopes(list(headings.values()), is_page=is_page), strict=True))
    in_named = dict(zip(headings, outline.scopes_of_faqs(list(headings.values()), is_page=is_page), strict=True))
    parts = cut(
        content,
        headings=headings,
        in_faq=in_faq,
        above=Above(is_page),
        has_faq=_has_faq(content, headings, in_named),
        only_title=outline.have_only_a_title(list(headings.values()), list(in_faq.values())),
        led_to=led_to,
    )
    yield from outline.entries(_with_titles(parts, is_page=is_page), is_page=is_page)


def _with_titles(parts: list[Section], *, is_page: bool) -> list[Section]:
    """The sections of a page; those of headings such as "Q1" with the question that stands below these."""
    headings = [part.heading for part in parts if part.heading is not None]
    return with_questions_below(parts, outline.scopes(headings, is_page=is_page))


def _has_faq(root: Any, headings: Mapping[Any, Heading], in_faq: Mapping[Any, bool]) -> bool:
    """Whether a heading stands in the page's FAQ, or something that may be a question: not if it is only named."""
    for heading in (heading for heading, is_inside in in_faq.items() if is_inside):
        if not names_faq(headings[heading].title):
            return True
        for element in after(heading, root):
            if element.tag in HEADINGS:
                break
            if element.tag in _FORMS or "?" in f"{element.text or ''}{element.tail or ''}":
                return True
    return False


def cut(
    root: Any,
    *,
    headings: Mapping[Any, Heading],
    in_faq: Mapping[Any, bool],
    above: "Above",
    has_faq: bool = False,
    only_title: bool = False,
    led_to: Collection[str] = (),
) -> list[Section]:
    """
    Cut a page where its questions are.

    :param root: the page's root element, or a part.
    :param headings: its headings, by element.
    :param in_faq: whether each of them stands in an FAQ.
    :param above: what stands above the whole part.
    :param has_faq: whether the page has one: elsewhere in it, ``<details>`` that do not ask are no questions.
    :param only_title: whether the FAQ has no headings but its title.
    :param led_to: the fragments that a table of contents leads to: bold print there is a question.
    :returns: the sections in the page's order, the first one without heading.
    """
    return _Cutter(root, headings, in_faq, above, has_faq, only_title, led_to).sections()


@dataclass(frozen=True, slots=True)
class Above:
    """
    What stands above a part of a page.

    :param in_faq: whether the part begins in an FAQ.
    :param asks: whether the heading above it asks.
    :param topic: whether it is one of the FAQ, and not its title.
    """

    in_faq: bool
    asks: bool = False
    topic: bool = False


@dataclass(slots=True)
class _Part:
    """What begins at a heading, or at a question in bold print; the first has none."""

    heading: Heading | None
    in_faq: bool
    does_ask: bool
    inside: list[RawEntry] = field(default_factory=list)
    shows_more: bool = False


class _Cutter:
    def __init__(
        self,
        root: Any,
        headings: Mapping[Any, Heading],
        in_faq: Mapping[Any, bool],
        above: Above,
        has_faq: bool,
        only_title: bool,
        led_to: Collection[str],
    ) -> None:
        self._root = root
        self._headings = headings
        self._in_faq = in_faq
        self._panels = shown.Panels(root)
        self._has_faq = has_faq
        self._is_all = only_title
        self._only_title = only_title and next(root.iterdescendants("details", "dl"), None) is None
        self._page_asks = above.asks or any(asks(heading.title) for heading in headings.values())
        self._lists_are_rare = self._has_few_lists()
        self._led_to = led_to
        self._places = places_of(root)
        # Bold print that asks nothing and begins the items of a list, as others in the list do that ask.
        self._titles: set[Any] = set()
        # Lists that code and words interrupt: what stands between them is in no answer for sure.
        self._apart: set[Any] = set()
        # Whether questions in bold print have numbers in it, and the last one's.
        asking = [text for bold in root.iter(*bold_print.BOLD) if asks(text := "".join(islice(bold.itertext(), 8)))]
        self._are_numbered = any(map(_OWN_NUMBER.match, asking))
        self._ask_in_bold = len(asking) >= _FEWEST
        # Where nothing else may be a question.
        self._ask_in_bullets = not above.topic and len(headings) <= 1 and _asks_in_bullets(root)
        self._failures = set(bold_print.failures(root)) if self._ask_in_bold else set()
        self._last_number = 0
        self._beside_others = _beside_others(root)
        self._quoted = quoted_questions(root, headings)
        self._of_one_answer = questions_of_one_answer(root)
        # Of the heading that we are below.
        self._asks = above.asks
        self._faq = above.in_faq
        self._leads_elsewhere = False
        self._below_topic = above.topic
        self._below_bold = False
        self._below_q = False
        self._after_q: Any = None  # the element right behind a paragraph that begins with "Q:"

    def sections(self) -> list[Section]:
        here = _Part(None, in_faq=self._faq, does_ask=self._asks)
        parts: dict[Any, _Part] = {None: here}
        taken: set[Any] = set()
        waiting = list(reversed(self._root))
        while waiting:
            element = waiting.pop()
            if not isinstance(element.tag, str) or element in taken or element.tag in UNCUT:
                continue
            here.shows_more = here.shows_more or _shows_more(element)
            found, holders = self._panel(element)
            if not holders and (heading := self._heading(element)) is not None:
                here = self._begin(element, heading, is_first=len(parts) == 1)
                parts[element] = here
                continue
            if not holders:
                found, holders = self._form(element)
            here.inside += found
            taken.update(holders)
            if not holders and self._may_have_more_inside(element):
                waiting += reversed(element)
        cuts = [element for element in parts if element is not None]
        ends = {heading: _mark_after(end) for heading, end in ends_of(cuts).items()}
        texts = readable_parts(self._root, [*cuts, *ends.values()], taken)
        for heading, end in ends.items():
            behind = texts.pop(end, "")
            # A question alone in its box has its answer behind it.
            if heading in texts and not (texts[heading] or parts[heading].inside):
                texts[heading] = behind
        return [_section(parts[element], text) for element, text in texts.items()]

    def _panel(self, element: Any) -> tuple[list[RawEntry], list[Any]]:
        """The question that opens a panel, and the elements that hold both."""
        pair = self._panels.of(element)
        if pair is None or not self._opens_an_answer(pair[0], pair[1]) or (entry := shown.pair(*pair)) is None:
            return [], []
        return [entry], [element, *pair]

    def _heading(self, element: Any) -> Heading | None:
        """What an element says if it is a heading, or stands for one."""
        if (heading := self._headings.get(element)) is not None:
            return heading
        if element.tag in bold_print.BOLD:
            return self._in_bold(element)
        if element in self._quoted and self._may_have_questions():
            where = f"<{element.tag}> in line {element.sourceline}"
            return Heading(_IN_BOLD, without_marks(self._quoted[element])[0], where, shown.anchor_of(element))
        is_list = element.tag == "ol" or (element.tag == "ul" and self._ask_in_bullets)
        if is_list and self._may_have_questions() and (title := shown.lone_question(element)):
            where = f"<{element.tag}> in line {element.sourceline}"
            return Heading(_IN_BOLD, title, where, shown.anchor_of(element))
        return None

    def _begin(self, element: Any, heading: Heading, *, is_first: bool) -> "_Part":
        if element.tag in HEADINGS:
            self._last_number = 0
            self._faq = self._in_faq[element]
            self._asks = (seems_to_ask(heading.title) or heading.had_q) if self._faq else asks(heading.title)
            self._leads_elsewhere = leads_elsewhere(heading.title, has_number=heading.has_number)
            self._below_topic = not is_first and not names_faq(heading.title)
            self._below_q = False
        self._below_bold = element.tag not in HEADINGS
        return _Part(heading, in_faq=self._faq, does_ask=self._asks or self._below_bold)

    def _form(self, element: Any) -> tuple[list[RawEntry], list[Any]]:
        """The questions of an element that has a form for them, and the elements that hold them."""
        if element.tag == "details":
            it_asks = asks(shown.question_of(summary_of(element))[0])
            if self._is_question(it_asks) and (it_asks or not self._is_aside(element)):
                return list(shown.details(element)), [element]
        if element.tag == "dl" and self._is_list_of_questions(element):
            return list(shown.definitions(element)), [element]
        if element.tag in ("ol", "ul"):
            self._titles |= bold_print.titles_of(element)
            # A single line in bold print that asks is none of many, as those of the list are.
            is_in_answer = self._below_bold and (self._ask_in_bold or not _asks_often(element))
            if self._may_have_questions() and not is_in_answer and not _is_deep(element):
                items, holders = self._items(element)
                return items, holders if items else []
        elif element.tag == "p" and question_lines.begins_a_question("".join(islice(element.itertext(), 4))):
            self._below_q = True
            self._after_q = element.getnext()
        return [], []

    def _is_aside(self, details: Any) -> bool:
        """Whether it is the only one of a section, below text, and does not ask: "Example output", "Full log"."""
        if not self._below_topic or details in self._beside_others:
            return False
        before = details.getprevious()
        return before is not None and before.tag in _TEXT

    def _may_have_more_inside(self, element: Any) -> bool:
        if element.tag == "details":
            return not self._faq and not self._asks  # those inside may ask
        return element.tag != "dl" or not self._asks

    def _is_question(self, it_asks: bool) -> bool:
        # Below a question, what does not ask is a part of its answer.
        may_be_one = self._faq or not (self._page_asks or self._has_faq)
        return it_asks or (may_be_one and not self._asks and not self._below_bold)

    def _may_have_questions(self) -> bool:
        return self._faq and not self._asks and not self._leads_elsewhere

    def _items(self, first: Any) -> tuple[list[RawEntry], list[Any]]:
        """The questions of a list, which code may interrupt, and the elements that hold them."""
        found: list[RawEntry] = []
        holders: list[Any] = []
        asking, element = 0, first
        while element is not None and element.tag in ("ol", "ul") and not _has_other_forms(element):
            code = [] if first in self._apart else shown.code_below(element)
            items, some = shown.list_items(element, code, is_all=self._is_all)
            if not items:
                break
            found += items
            holders += [element, *code]
            asking += some
            element = code[-1].getnext() if code and not (code[-1].tail or "").strip() else None
        if len(holders) > 1 and _goes_on_behind(holders[-1]):
            self._apart.update(holders)
            return self._items(first)
        if asking >= 2:
            return found, holders
        is_all = self._only_title and not self._page_asks and not self._below_q
        if is_all and not _has_other_forms(first) and (items := shown.titled_items(first)):
            return items, [first]
        return [], []

    def _is_list_of_questions(self, element: Any) -> bool:
        share = shown.share_of_questions(element)
        if self._leads_elsewhere:
            return False
        if share >= 0.5:
            return True
        before = element.getprevious()
        is_of_answer = self._lists_are_rare and share == 0 and self._below_topic and before is not None
        is_in_answer = self._below_bold or self._is_right_below_q(element) or (is_of_answer and before.tag == "p")
        return self._faq and not is_in_answer and (share > 0 or not self._page_asks)

    def _has_few_lists(self) -> bool:
        """Whether at most a third of the headings have a list of terms: one below text is a part of an answer."""
        here = None
        with_lists: set[Any] = set()
        for element in self._root.iterdescendants(*HEADINGS, "dl"):
            if element in self._headings:
                here = element
            elif element.tag == "dl":
                with_lists.add(here)
        number = sum(self._in_faq[heading] for heading in self._headings) - 1  # without the title
        return 0 < _LISTS_ARE_RARE * len(with_lists) <= number

    def _is_right_below_q(self, element: Any) -> bool:
        """Whether what answers "Q:" is further in and holds a list ("Short answer"), or is one that says "A:"."""
        if element is self._after_q:
            first = next(element.iterdescendants("dt"), None)
            text = "" if first is None else readable_line(first)
            return without_answer_mark(text, had_q=True) != text
        return self._after_q is not None and self._after_q in element.iterancestors("blockquote")

    def _opens_an_answer(self, question: Any, panel: Any) -> bool:
        if self._panels.is_only_repeated(question) and not self._faq:
            return False
        if asks(shown.question_of(question, [panel])[0]) or (self._panels.is_named(question) and not self._asks):
            return True
        return not self._asks and not self._below_bold and (self._faq or is_in_accordion(question))

    def _tells(self, element: Any, title: str) -> bool:
        if not bold_print.is_a_heavy_line(element):
            return False
        return tells_a_trouble(title) or element in self._failures or speaks_who_asks(title)

    def _in_bold(self, element: Any) -> Heading | None:
        if self._asks or not self._faq or self._leads_elsewhere:
            return None
        # Of several questions that share an answer all count, with what tells that the first is one.
        first, has_next_answer = self._of_one_answer.get(element, (None, False))
        marked = bold_print.line_before(element)
        if not (first is not None or marked is not None or bold_print.begins_a_line(element)):
            return None
        if leads_to(element, self._places) or bold_print.is_among_questions_alone(element):
            return None
        title, had_q = shown.question_of(element)
        tells = (
            self._ask_in_bold
            and (self._tells(element, title) or bold_print.tells_what_happens(element, title))
            and not bold_print.is_announced(element)
        )
        title = title.rstrip(" :")
        mark = bold_print.mark_behind(element) if not asks(title) else ""
        title += mark
        number = bold_print.number_before(element)
        has_number = marked is not None or (number is not None and _PICTURE.fullmatch(number.text) is None)
        bold_number = bold_print.bold_number_before(element)
        begins = number if number is not None and number.tag == "a" else element
        anchor = shown.anchor_of(begins if bold_number is None else bold_number)
        own_number = _OWN_NUMBER.match("".join(islice(element.itertext(), 8))) if self._are_numbered else None
        is_next = (
            own_number is not None and int(own_number[1]) == self._last_number + 1 and bold_print.ends_a_line(element)
        )
        is_led_to = element in self._titles or (
            (anchor in self._led_to or _LEVELS.match(readable_line(element)) is not None)
            and bold_print.ends_a_line(element)
        )
        does_ask = asks(title)
        if (
            len(title) > LONGEST_QUESTION
            or not title
            or not (does_ask or had_q or is_led_to or is_next or has_number or tells or first is not None)
        ):
            return None
        if own_number is not None:
            self._last_number = int(own_number[1])
        if does_ask:  # "**How?**:" and "**How**?"
            element.tail = (element.tail or "").lstrip().removeprefix(mark).lstrip().removeprefix(":")
        for before in (number, bold_number):
            if before is not None:
                before.text = None  # which is no end of the answer before
        if marked is not None:
            marked.tail = None
        if first is not None:
            bold_print.clear_around(element)
            anchor = shown.anchor_of(first)
        location = f"<{element.tag}> in line {element.sourceline}"
        return Heading(_IN_BOLD, title, location, anchor, had_q, has_next_answer=has_next_answer)


def _asks_often(items: Any) -> bool:
    return sum("?" in "".join(item.itertext()) for item in items.iterchildren("li")) >= _FEWEST_BULLETS


def _mark_after(element: Any) -> Any:
    """Put an element that shows nothing right behind another."""
    mark = element.makeelement("span")
    element.addnext(mark)
    mark.tail, element.tail = element.tail, None
    return mark


def _shows_more(element: Any) -> bool:
    """Whether an element shows what is no text: a picture, a film, what is included from another file."""
    is_line = any((element.get(side) or "").removesuffix("px") in _THIN for side in ("height", "width"))
    return (element.tag in _PICTURES and not is_line) or has_class(element, _INCLUDED)


def _asks_in_bullets(root: Any) -> bool:
    """Whether a page has some lists of one item that asks and has its answer behind it."""
    return sum(bool(shown.lone_question(bullet)) for bullet in root.iterdescendants("ul")) >= _FEWEST_BULLETS


def _beside_others(root: Any) -> set[Any]:
    """The ``<details>`` of sections that have several, or one that asks."""
    found: set[Any] = set()
    for parent in {details.getparent() for details in root.iterdescendants("details")}:
        section: list[Any] = []
        for child in [*parent, None]:
            if child is not None and child.tag == "details":
                section.append(child)
            elif child is None or child.tag in HEADINGS:
                if len(section) > 1 or any(asks(shown.question_of(summary_of(details))[0]) for details in section):
                    found.update(section)
                section = []
    return found


def _goes_on_behind(last: Any) -> bool:
    """Whether questions go on in another list below words that stand behind an element."""
    for element in islice(last.itersiblings(), _MOST_BETWEEN):
        if element.tag in HEADINGS:
            return False
        if element.tag in ("ol", "ul"):
            return shown.list_items(element, shown.code_below(element))[1] == 1
    return False


def _is_deep(element: Any) -> bool:
    """Whether a list is in so many others that it is no longer read for questions: each of them was, with all in it."""
    return next(islice(element.iterancestors("ol", "ul"), _DEEPEST_LIST, None), None) is not None


def _has_other_forms(element: Any) -> bool:
    """Whether forms that say more surely what is a question stand in a list."""
    is_inside = next(element.iterancestors("li"), None) is not None
    for place, form in enumerate(element.iterdescendants(*_FORMS)):
        # Terms that do not ask are none, in a list that is in no other.
        if form.tag != "dl" or place == _MOST_BETWEEN or is_inside:
            return True
        if shown.share_of_questions(form):
            return True
    return any(bold_print.title_of(item) is not None for item in element if item.tag == "li")


def _section(part: _Part, text: str) -> Section:
    heading, inside = part.heading, part.inside
    if part.in_faq and (heading is None or not asks(heading.title)):
        location = "" if heading is None else heading.location
        before, pairs = question_lines.split(text, location)
        if pairs:
            return Section(heading, before, (*pairs, *inside))
        if not (inside or part.does_ask) and (found := numbered.in_section(text)):
            return Section(heading, "", tuple(replace(entry, location=location) for entry in found))
    return Section(heading, text, tuple(inside), shows_more=part.shows_more)
