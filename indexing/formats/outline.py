# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
Entries out of a text with headings, by one rule for Markdown, HTML and reStructuredText.

A heading that asks is a question. What follows it up to the next heading of its rank, or a higher one, is its answer,
but for headings in it that ask themselves. In an FAQ, other headings with text are questions too, unless some below
them ask: then they are sections, but for a sentence beside questions with an answer of its own. A heading below one
that asks has that one's text before its own, with ``PATH_SIGN`` between them: "On Windows" below "How do I upgrade?".
So has one below a sentence of an FAQ: "It does not print.", or "It is too slow!". But "Symptom" and "Solution" are
parts of the answer to the heading above them, which is a question whether it asks or not.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Final

from answer_selection.indexing.formats.questions import (
    asks,
    asks_about_it,
    begins_with_troubleshooting,
    is_faq,
    is_troubleshooting,
    leads_elsewhere,
    names_faq,
    names_part_of_an_answer,
    names_remedy,
    names_troubles,
    seems_to_ask,
    stands_around,
    tells_a_trouble,
    without_answer_mark,
)
from answer_selection.indexing.formats.raw import Problem, RawEntry

PATH_SIGN: Final = " \u203a "
_FEWEST_OF_FIRST_RANK: Final = 3
_FEWEST_OF_A_SENTENCE: Final = 3  # words; "Misc." is a section
_FEWEST_OF_AN_ANSWER: Final = 15  # words
_LEADING_NUMBER: Final = re.compile(r"\s{0,9}([0-9]{1,3}(?:\.[0-9]{1,3}){0,3})[.:)]?\s")
_ANSWER: Final = "answer"
# Questions above one that has their answer: a single one lacks its own, but in bold print with "Q:", and many are a
# list.
_ABOVE: Final = (2, 3, 4)
_LOWEST: Final = 6  # of headings
_LONGEST_KIND: Final = 3  # words: "Possible causes", "Step 2 of 3"
# What readers say of themselves and of what they use begins so, perhaps with a number before it.
_TOLD: Final = re.compile(r"(?:\([^()]{1,20}\) )?(?:I|It|My|Nothing|There)\b")
# Of a message or a symptom, not of the name of a section.
_SENTENCE: Final = re.compile(
    r"(?i)\w{2}[.!][\"'\u201d\u2019\u00bb)]*(?:\s|$)|\s(?:is|are|was|were|has|had|does|did|can|cannot|not|\w{1,9}n['\u2019]t)\s"
)
_ABBREVIATION: Final = re.compile(
    r"(?i:etc|inc|ltd|co|corp|vs|al|no|misc|approx|resp|dept|est|gmbh|usw|bzw|ca|bros)|[A-Z]\w{0,3}"
)
_OF_ANYTHING: Final = re.compile(r"(?i)description|details|limitations|error(?: messages?)?")
_BEGINNINGS: Final = ("...", "\u2026")
_STEP: Final = re.compile(r"(?i)step\s(?:1|one)\b")
# "How does it differ from...?", which what it asks for comes below; not "Why does it say Loading...?".
_BEGINS_OTHERS: Final = re.compile(
    r"(?i:\b(?:a|about|an|and|are|between|by|can|do|does|for|from|i|in|is|of|on|or|than|the|to|with))"
    r"[ ]?(?:\.\.\.|\u2026)\?+$"
)


@dataclass(frozen=True, slots=True)
class Heading:
    """
    A heading, or what stands for one.

    :param level: its rank, 1 the highest. 7 is a question in bold print below all headings.
    :param title: its text, without number.
    :param location: where it is, as in :class:`RawEntry`.
    :param anchor: the fragment that leads to it, without ``#``, or None.
    :param had_q: whether it began with "Q:".
    :param is_link: whether all of it, or all below it, are links to another page, or to other places in this one.
    :param leads_away: of one that names an FAQ, whether all that stands below it is a paragraph with a link to another
        page.
    :param has_number: whether it began with a number.
    :param is_empty: of one that names an FAQ, whether no text stands below it or the lower ones after it.
    :param has_next_answer: whether the one after it has its answer, too.
    """

    level: int
    title: str
    location: str
    anchor: str | None = None
    had_q: bool = False
    is_link: bool = False
    leads_away: bool = False
    has_number: bool = False
    is_empty: bool = False
    has_next_answer: bool = False


@dataclass(frozen=True, slots=True)
class Section:
    """
    A heading and what stands between it and the next.

    :param heading: the heading, or None for what stands before the first.
    :param text: readable text.
    :param inside: entries that are found in that text by other forms, such as ``<details>``; their text is not in
        ``text``, and their headings are those inside the section.
    :param problem: why the text could not be read, or None.
    :param shows_more: whether something else is shown there, such as a picture, that has no text.
    """

    heading: Heading | None
    text: str
    inside: tuple[RawEntry, ...] = ()
    problem: Problem | None = None
    shows_more: bool = False


def scopes(headings: Sequence[Heading], *, is_page: bool) -> list[bool]:
    """
    Say which headings are in an FAQ, or in a section that is read as one.

    :param headings: a page's, in its order.
    :param is_page: whether the page is one by its title. It is not one as a whole where one of its headings says "FAQ"
        and no more: of a lower rank, or as one of the first rank whose others are no FAQs.
    :returns: for each heading whether it stands below one that names an FAQ, or in a page that is one; where the page
        is none as a whole, also below "Troubleshooting".
    """
    inside = scopes_of_faqs(headings, is_page=is_page)
    if is_page and all(inside):
        return inside
    # The title of such a page says what the page is, and where its FAQ is a section the others are none.
    first = 1 if is_page else 0
    of_troubles = [False] * first + _in_sections_of_troubles(headings[first:])
    return [one or other for one, other in zip(inside, of_troubles, strict=True)]


def _in_sections_of_troubles(headings: Sequence[Heading]) -> list[bool]:
    """For each heading whether it begins a section "Troubleshooting", or stands in one."""
    inside: list[bool] = []
    top = 0  # the rank of the heading of the section in which we are
    for place, heading in enumerate(headings):
        if top and heading.level <= top:
            top = 0
        if not top and _begins_troubles(heading) and not _is_above_steps(headings[place : place + 2]):
            top = heading.level
        inside.append(top > 0)
    return inside


def _is_above_steps(headings: Sequence[Heading]) -> bool:
    """Whether the second of two headings is "Step 1", of what to do, below the first."""
    return len(headings) > 1 and headings[1].level > headings[0].level and _STEP.match(headings[1].title) is not None


def _begins_troubles(heading: Heading) -> bool:
    # "Network troubleshooting" may be a lesson.
    title = heading.title.rstrip(" :")
    is_section = begins_with_troubleshooting(title) and is_troubleshooting(title)
    return is_section and not heading.is_link and heading.level <= _LOWEST


def scopes_of_faqs(headings: Sequence[Heading], *, is_page: bool) -> list[bool]:
    """
    Say which headings are in an FAQ.

    :param headings: a page's, in its order.
    :param is_page: as in :func:`scopes`.
    :returns: for each heading whether it stands below one that names an FAQ, or in a page that is one.
    """
    if is_page and (ranks := _ranks_of_the_site(headings)):
        are_own = [not heading.is_link or heading.level not in ranks for heading in headings]
        others = [heading for heading, is_own in zip(headings, are_own, strict=True) if is_own]
        own = iter(scopes_of_faqs(others, is_page=True))
        return [is_own and next(own) for is_own in are_own]
    inside: list[bool] = []
    top = 0  # the rank of the heading of the FAQ in which we are
    if is_page and _begins_with_faq(headings):
        return [True] * len(headings)
    # Only such a page has questions beside a section "FAQ" that leads elsewhere: a README has none.
    is_of_troubles = len(headings) > 0 and names_troubles(headings[0].title)
    for place, heading in enumerate(headings):
        if top and heading.level <= top:
            top = 0
        has_below = any(below.level > heading.level for below in headings[place + 1 : place + 2])
        is_elsewhere = is_of_troubles and (heading.is_link or heading.leads_away) and not has_below
        # "What is this FAQ?" is a question in it.
        names = is_faq(heading.title) if is_page else names_faq(heading.title)
        # "1. The FAQ", beside "2. Installing", is a chapter of one.
        if is_page and heading.has_number and 1 == headings[0].level < heading.level and names_faq(headings[0].title):
            names = False
        if not top and names and not asks(heading.title) and not is_elsewhere:
            top = heading.level
            if is_page and heading.is_empty and any(below.level <= top for below in headings[place + 1 :]):
                # It had a table of contents, whose questions come again below the next ones.
                return [*inside, *[True] * (len(headings) - place)]
            if is_page and top == 1 and not _is_part(headings, place):
                return [True] * len(headings)
        inside.append(top > 0)
    return [True] * len(headings) if is_page and not any(inside) else inside


def ranks_by_numbers(titles: Sequence[str], ranks: Sequence[int]) -> list[int]:
    """
    Tell sections from what stands below them where the numbers alone do so: "1." and "1.1", both ``<h2>``.

    :param titles: a text's headings in their order, with their numbers.
    :param ranks: the rank of each.
    :returns: the same ranks; "1.1" is below "1." where each heading of its rank with two numbers follows the one that
        it counts on from, and all deeper ones are one rank further down.
    """
    numbers = [tuple(mark[1].split(".")) if (mark := _LEADING_NUMBER.match(title)) else () for title in titles]
    for rank in sorted(set(ranks)):
        above: tuple[str, ...] = ()
        deeper: set[int] = set()
        for place in (place for place, other in enumerate(ranks) if other == rank):
            if len(numbers[place]) == 1:
                above = numbers[place]
            elif len(numbers[place]) > 1 and numbers[place][:-1] != above:
                break
            elif numbers[place]:
                deeper.add(place)
        else:
            if deeper:
                return [
                    min(other + 1, _LOWEST) if other > rank or place in deeper else other
                    for place, other in enumerate(ranks)
                ]
    return list(ranks)


def have_only_a_title(headings: Sequence[Heading], in_faq: Sequence[bool]) -> bool:
    """
    Tell whether an FAQ has no headings of its own.

    :param headings: a page's.
    :param in_faq: whether each is in an FAQ, as :func:`scopes` says.
    :returns: whether those that are do no more than name it.
    """
    inside = [heading for heading, is_inside in zip(headings, in_faq, strict=True) if is_inside]
    named = [heading for heading in inside if not _begins_troubles(heading)]
    return len(named) > 0 and all(names_faq(heading.title) and not asks(heading.title) for heading in named)


def _is_part(headings: Sequence[Heading], place: int) -> bool:
    """
    Whether a heading "FAQ" of the first rank is that of a section.

    Others stand before it, the next one, if there is any, is deeper, and no other of its rank names an FAQ: "Billing
    FAQ" and "General FAQ" are chapters of one.
    """
    if any(h.level == 1 and names_faq(h.title) and not asks(h.title) for h in headings if h is not headings[place]):
        return False
    below = headings[place + 1 : place + 2]
    return place > 0 and (not below or below[0].level > 1)


def _ranks_of_the_site(headings: Sequence[Heading]) -> set[int]:
    """The ranks of headings that lead to pages of a site, side by side, one of which is an FAQ."""
    return {
        heading.level
        for heading, after in pairwise(headings)
        if heading.is_link and after.is_link and heading.level == after.level
        if is_faq(heading.title) or is_faq(after.title)
    }


def _begins_with_faq(headings: Sequence[Heading]) -> bool:
    """Whether a page's first heading, or the one below its title, says "FAQ" and has no other below it."""
    first = 1 if len(headings) > 1 and headings[0].level < headings[1].level else 0
    faq, after = (*headings[first : first + 2], None, None)[:2]
    return faq is not None and after is not None and faq.level == after.level and is_faq(faq.title)


def entries(
    sections: Sequence[Section], *, is_page: bool, every: bool = False, has_title: bool = False
) -> Iterator[RawEntry | Problem]:
    """
    Give the entries of a text with headings.

    :param sections: the text, in its order.
    :param is_page: whether it is an FAQ as a whole.
    :param every: whether headings of the first rank, too, can be questions that do not ask, and whether a heading of an
        FAQ that has nothing below it is named as a question without an answer.
    :param has_title: whether the first heading is the title of the whole, which is no question: "Got tests? Run them!"
    :returns: raw entries and problems in the order of their headings.
    """
    headings = [section.heading for section in sections if section.heading is not None]
    inside = scopes(headings, is_page=is_page)
    in_faq = iter(inside)
    nodes = [_Node(section, section.heading is None or next(in_faq)) for section in sections]
    if has_title and [heading.level for heading in headings].count(1) == 1 == headings[0].level:
        next(node for node in nodes if node.level).asks = False
    if len(headings) > 1:
        next(node for node in nodes if node.level).is_first_of_some = True
    _arrange(nodes)
    if not (is_page and all(inside)):
        for node in nodes:
            node.names_section = node.in_faq and _names_section_of_troubles(node)
    for node in nodes:
        node.asks = node.asks and not _is_said_again(node)
    for node in reversed(nodes):
        if _says_what_is_wrong(node) or _is_asked_about(node):
            # The headings above it keep their own text, as above others that do not ask.
            node.asks = True
    for node in nodes:
        # A page's title may ask while the questions stand below it: "Why this FAQ? Our answers".
        if node.level == 1 and node.asking_below > 1 and (not every or names_faq(node.title)):
            node.asks = False
    parts = [_parts(node) for node in nodes]
    alone = sum(_is_remedied(node, some) for node, some in zip(nodes, parts, strict=True))
    in_parts = alone > 1 or any(len(_kinds(some)) > 1 for some in parts)
    for node, some in zip(reversed(nodes), reversed(parts), strict=True):
        # A question's, one that is called its answer, or in a file where somewhere a remedy stands beside
        # another, or twice alone below what it remedies.
        if node.asks or (_is_split(node, some) and (in_parts or _ANSWER in map(_kind, some))):
            for part in some:
                node.asks = part.is_part = True
    _mark_those_beside_questions(nodes)
    _share_answers(nodes)
    # Where many headings of the first rank ask, it is not that of the page's title.
    every_rank = every or sum(node.level == 1 and node.asks for node in nodes) >= _FEWEST_OF_FIRST_RANK
    # Without the lines of a table of contents.
    places: defaultdict[str, set[_Node | None]] = defaultdict(set)
    for node in nodes:
        if node.section.text or not node.is_link:
            places[node.title.lower()].add(node.parents[-1] if node.parents else None)
    for node in nodes:
        yield from _of(node, every, every_rank=every_rank, twice=len(places[node.title.lower()]) > 1)
        # What stands beside a question is no title of the page.
        every_rank = every_rank or (node.level == 1 and node.asks)


class _Node:
    """A section in the tree of headings."""

    def __init__(self, section: Section, in_faq: bool) -> None:
        self.section = section
        self.in_faq = in_faq
        heading = section.heading
        self.level = 0 if heading is None else heading.level
        self.title = "" if heading is None else heading.title
        self.is_link = heading is not None and heading.is_link
        self.leads_elsewhere = heading is not None and leads_elsewhere(self.title, has_number=heading.has_number)
        self.asks = heading is not None and (
            (seems_to_ask(self.title) if in_faq else asks(self.title)) or (in_faq and heading.had_q)
        )
        # What leads to another page has its answer there.
        if self.is_link and not in_faq and self.level > 1:
            self.asks = False
        self.parents: list[_Node] = []
        self.below: list[_Node] = []
        self.asking_below = 0
        # Whether it is "Troubleshooting" above what goes wrong, in a page of other things.
        self.names_section = False
        # Whether it is "Solution" below a question, whose answer has its text.
        self.is_part = False
        # Whether it is the file's first heading, and has others after it.
        self.is_first_of_some = False
        # Whether half of the headings of its rank, below the same one, ask.
        self.is_beside_questions = False
        # The question right below it, whose answer is its own, too.
        self.answered_with: _Node | None = None

    def whole_text(self) -> str:
        """Its own text, and that of the headings below it that do not ask, with these."""
        parts = [self.section.text]
        for node in self.below:
            if node.asks or stands_around(node.title):
                continue
            # "Step 2: Turn it on" may be all that the step says.
            if (text := node.whole_text()) or (node.is_part and len(node.title.split()) > _LONGEST_KIND):
                parts.append(f"{node.title}\n\n{text}".rstrip())
        return "\n\n".join(filter(None, parts))


def _arrange(nodes: Sequence[_Node]) -> None:
    path: list[_Node] = []
    for node in nodes:
        if node.level == 0:
            continue
        while path and path[-1].level >= node.level:
            path.pop()
        node.parents = list(path)
        if path:
            path[-1].below.append(node)
        if node.asks or node.section.inside:
            for parent in path:
                parent.asking_below += 1
        path.append(node)


def _is_said_again(node: _Node) -> bool:
    """Whether all questions below a title such as "How do I ...?" begin with its words: it is a section."""
    title = node.title.rstrip("? ")
    if not title.endswith(_BEGINNINGS):
        return False
    beginning = title.rstrip(".\u2026 ").lower() + " "
    asking = [one.title.lower() for one in node.below if one.asks]
    return len(asking) > 0 and all(one.startswith(beginning) for one in asking)


def _names_section_of_troubles(node: _Node) -> bool:
    heading = node.section.heading
    is_first = not any(parent.in_faq for parent in node.parents)
    return is_first and heading is not None and _begins_troubles(heading)


def _says_what_is_wrong(node: _Node) -> bool:
    """Whether a heading of an FAQ is a sentence, "It does not print.", that the headings below it go into."""
    if not (node.in_faq and node.level > 1 and node.below and node.section.text) or node.asks:
        return False
    if node.asking_below or node.section.inside or node.leads_elsewhere:
        return False
    words = node.title.split()
    if not node.title.endswith((".", "!")) or node.title.endswith("...") or len(words) < _FEWEST_OF_A_SENTENCE:
        return False
    if node.title.endswith("!") and _TOLD.match(node.title) is None:
        return False  # "Read this before you write!"
    last = words[-1][:-1].lstrip("([\"'")
    return "." not in last and _ABBREVIATION.fullmatch(last) is None  # "All about Acme Inc.", "Ink etc."


def _is_asked_about(node: _Node) -> bool:
    """Whether all that is asked below a heading of an FAQ is "How do I fix this?" and the like."""
    if node.asks or not node.in_faq or node.level <= 1 or node.leads_elsewhere or names_faq(node.title):
        return False
    asking = [one.title for one in node.below if one.asks]
    return 0 < len(asking) == node.asking_below and all(map(asks_about_it, asking))


def _parts(node: _Node) -> list[_Node]:
    """The headings "Symptom", "Solution" and the like below one."""
    if not node.in_faq or node.leads_elsewhere or is_faq(node.title) or node.title.endswith(_BEGINNINGS):
        return []
    found = [one for one in node.below if names_part_of_an_answer(one.title) and not one.asking_below]
    # "Description" is a part of many things, but beside "Solution".
    if any(names_remedy(_kind(one)) for one in found):
        return found
    return [one for one in found if not _OF_ANYTHING.fullmatch(_kind(one))]


def _kinds(parts: Sequence[_Node]) -> set[str]:
    """What parts of an answer are called, if one of them is a remedy."""
    kinds = set(map(_kind, parts))
    return kinds if any(map(names_remedy, kinds)) else set()


def _kind(part: _Node) -> str:
    return part.title.strip(" :.").lower()


def _is_split(node: _Node, parts: Sequence[_Node]) -> bool:
    """Whether half of the headings below one are parts of an answer, and none asks."""
    if node.level <= 1 or node.asking_below or 2 * len(parts) < len(node.below):
        return False
    return not any(one.asks for one in node.below)


def _is_remedied(node: _Node, parts: Sequence[_Node]) -> bool:
    """Whether "Solution" is all that stands below a heading with a text of its own."""
    if not (_is_split(node, parts) and node.section.text):
        return False
    return len(node.below) == 1 and names_remedy(_kind(parts[0]))


def _of(node: _Node, every: bool, *, every_rank: bool, twice: bool) -> Iterator[RawEntry | Problem]:
    asking = next((i for i, parent in enumerate(node.parents) if parent.asks), len(node.parents))
    if twice and asking and asking == len(node.parents):
        # "It does not work" of two sections: only with the section's name a reader knows which one is meant.
        asking -= 1
    path = tuple(parent.title for parent in node.parents[:asking] if parent.title)
    if node.section.problem is not None:
        yield node.section.problem
    elif (heading := node.section.heading) is not None:
        answer = without_answer_mark(_answer(node, every_rank) or "", had_q=heading.had_q)
        if not node.is_part and (answer or _lacks_answer(node, every)):
            question = PATH_SIGN.join([*(parent.title for parent in node.parents[asking:]), node.title])
            fields: dict[str, Any] = {"question": question, "answer": answer}
            if heading.anchor:
                fields["anchor"] = heading.anchor
            yield RawEntry(heading.location, fields, path)
        if node.title:
            path = (*path, PATH_SIGN.join([*(parent.title for parent in node.parents[asking:]), node.title]))
    for entry in node.section.inside:
        yield replace(entry, headings=(*path, *entry.headings))


def _share_answers(nodes: Sequence[_Node]) -> None:
    """Answer a few questions right above another one of their rank with that one's answer."""
    above: list[_Node] = []
    for node in nodes:
        is_question = node.asks and asks(node.title) and not node.is_link
        if not is_question or (above and above[-1].level != node.level):
            above = []
        if is_question:
            if node.section.text or node.below or node.section.inside:
                if len(above) in _ABOVE or (node.level > _LOWEST and all(map(_has_a_mark, [*above, node]))):
                    for one in above:
                        one.answered_with = node
                above = []
            elif node.section.shows_more:
                above = []  # its answer is a picture, and not that of the next one
            else:
                above.append(node)
    for node, after in pairwise(reversed(nodes)):
        if after.section.heading is not None and after.section.heading.has_next_answer:
            after.answered_with = node.answered_with or node


def _has_a_mark(question: _Node) -> bool:
    """Whether it has "Q:" before it, and its answer, if it has one, "A:"."""
    text = question.section.text
    had_q = question.section.heading is not None and question.section.heading.had_q
    return had_q and (not text or without_answer_mark(text, had_q=True) != text)


def _answer(node: _Node, every: bool) -> str | None:
    if node.answered_with is not None:
        return node.answered_with.whole_text()
    if node.asks:
        return node.section.text if _begins_others(node) else node.whole_text()
    below_asking = any(parent.asks for parent in node.parents)
    if not (node.in_faq or below_asking) or node.leads_elsewhere or node.names_section or is_faq(node.title):
        return None
    is_section = node.asking_below > 0 or len(node.section.inside) > 0
    names_page = names_faq(node.title) or names_troubles(node.title)
    is_title = node.level == 1 and (not every or ((len(node.below) > 0 or node.is_first_of_some) and names_page))
    if is_title or (is_section and not below_asking and not _has_an_answer_of_its_own(node)):
        return None
    return node.section.text


def _begins_others(node: _Node) -> bool:
    """Whether a title such as "How do I..." is the beginning of the questions below it."""
    if not node.below or node.title.endswith(_BEGINNINGS):
        return len(node.below) > 0
    if not node.title.rstrip("?").endswith(_BEGINNINGS):
        return False
    # What it asks for, or how it goes on.
    return _BEGINS_OTHERS.search(node.title) is not None or any(one.title[:1].islower() for one in node.below)


def _mark_those_beside_questions(nodes: Sequence[_Node]) -> None:
    beside: defaultdict[tuple[_Node, int], list[_Node]] = defaultdict(list)
    for node in nodes:
        if node.parents:
            beside[node.parents[-1], node.level].append(node)
    for some in beside.values():
        if 2 * sum(node.asks for node in some) >= len(some):
            for node in some:
                node.is_beside_questions = True


def _has_an_answer_of_its_own(node: _Node) -> bool:
    """Whether a heading above questions stands beside others, and says what is wrong or has the question below it."""
    text = node.section.text
    if node.in_faq and text and not text.endswith(":") and _tells_what_is_wrong(node.title):
        return True
    if not node.is_beside_questions or node.section.inside or text.endswith(":"):
        return False
    if not (_SENTENCE.search(node.title) or text.partition("\n\n")[0].endswith("?")):
        return False  # an introduction
    return "\n\n" in text and len(text.split()) >= _FEWEST_OF_AN_ANSWER


def _tells_what_is_wrong(title: str) -> bool:
    """Whether a title says, as who asks would, what is wrong: in a sentence or two, or without a full stop."""
    is_sentence = title.endswith(".") and _TOLD.match(title) is not None and len(title.split()) >= _FEWEST_OF_AN_ANSWER
    return is_sentence or tells_a_trouble(title)


def _lacks_answer(node: _Node, every: bool) -> bool:
    """Whether it is a question that nothing stands below: a fault in the file."""
    if node.below or node.section.inside or node.section.heading is None or node.section.heading.is_link:
        return False
    if node.names_section or (node.is_beside_questions and not node.asks):
        return False  # the name of what comes after it
    if any(parent.leads_elsewhere for parent in node.parents) or (names_faq(node.title) and not node.asks):
        return False  # a line of a table of contents, or a title
    return node.in_faq and not node.leads_elsewhere and (every or (node.asks and node.level > 1))
