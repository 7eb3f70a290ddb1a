# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Pages that write one thing in several ways are made to write it in one, before they are read."""

import re
from collections import defaultdict
from collections.abc import Collection, Sequence
from itertools import islice, pairwise
from typing import Any, Final

from answer_selection.indexing.formats.elements import BLOCKS, HEADINGS, HEAVY, OF_ACCORDIONS, has_class, summary_of
from answer_selection.indexing.formats.pair_marks import LETTERS
from answer_selection.indexing.formats.questions import (
    ONLY_A,
    ONLY_Q,
    OPENING_SIGNS,
    asks,
    is_one_sentence,
    names_faq,
    names_part_of_an_answer,
    names_remedy,
    only_opens,
)
from answer_selection.indexing.formats.readable import readable_line, readable_parts

_ENDS_OF_A_LINE: Final = BLOCKS | {"a", "br", "hr", "pre"}
_BOLD_RULE: Final = re.compile(r"\.([\w-]{1,60})[ \t]{0,9}\{([^{}]{0,1000})\}")
_BOLD_STYLE: Final = re.compile(r"(?i)font-weight[ \t]{0,9}:[ \t]{0,9}(?:bold|[6-9]00)")
# "rubric" is that of the titles that Sphinx keeps out of its tables of contents.
_BOLD_CLASS: Final = re.compile(r"(?i)(?:font|fw|text|text-weight)-(?:extra|semi)?-?bold(?:er)?|bold|rubric")
_WITH_STYLES: Final = frozenset(["div", "p", "span"])
_IN_LINES: Final = frozenset("a abbr br cite code em font i img span svg sub sup u".split())
_IN_A_LINE: Final = _IN_LINES - {"br"}
# Of what stands above one that is opened, and of the terms of a list in another, no more is looked at.
_MOST_BETWEEN: Final = 20
_TITLES: Final = ("header", "heading", "label", "question", "summary", "title")
_FEWEST_PANELS: Final = 2
_FEWEST_PIECES: Final = 2
_ENDS_OF_SENTENCES: Final = (".", "!", "?", ":")
_BETWEEN_ITEMS: Final = frozenset(["blockquote", "p", "pre"])
_TEXTS: Final = BLOCKS | {"blockquote", "pre"}
_SIGNS: Final = frozenset("b em i small span strong".split())
# As Japanese pages write them.
_WIDE: Final = str.maketrans("\uff31\uff21", "QA")
_FEWEST_SIGNS: Final = 2
_COUNT: Final = re.compile("[0-9]{1,3}")
_OPENERS: Final = HEADINGS | {"button", "dt", "label", "summary"}
_AROUND_A_SIGN: Final = 3
_FEWEST_LED_TO: Final = 2
_LONGEST_LED_TO: Final = 300
_HOLDERS: Final = frozenset(["article", "div", "section"])
_PROBLEM: Final = re.compile(r"(?i)(?:the )?problem[ ]?[0-9]{0,4}[ ]?[.:)]?")


def mark_bold_print(root: Any) -> None:
    """
    Make ``<b>`` of what only a style prints bold, as editors of documents and of sites write it.

    :param root: the page's root element.
    """
    styles = "".join(style.text or "" for style in root.iterdescendants("style"))
    names = {found[1] for found in _BOLD_RULE.finditer(styles) if _BOLD_STYLE.search(found[2])}
    for element in list(root.iterdescendants(*_WITH_STYLES)):
        classes = (element.get("class") or "").split()
        is_bold = not names.isdisjoint(classes) or has_class(element, _BOLD_CLASS)
        if not (is_bold or _BOLD_STYLE.search(element.get("style") or "")):
            continue
        if any(part.tag not in _IN_LINES for part in element.iterdescendants()):
            continue
        make_bold(element)


def join_bold_print(root: Any) -> None:
    """
    Make one of the pieces of bold print that a paragraph is made of: ``<b>I have trouble with</b> <b>the task?</b>``.

    Two sentences stay two: they may be a question and its answer.

    :param root: the page's root element.
    """
    for paragraph in root.iterdescendants("p"):
        pieces = list(paragraph)
        if len(pieces) < _FEWEST_PIECES or any(piece.tag not in HEAVY for piece in pieces):
            continue
        between = "".join([paragraph.text or "", *(piece.tail or "" for piece in pieces)])
        if between.strip() or any(readable_line(piece).endswith(_ENDS_OF_SENTENCES) for piece in pieces[:-1]):
            continue
        for piece in pieces:
            piece.drop_tag()
        make_bold(paragraph)


def spell_out_marks(root: Any) -> None:
    """
    Write "Q:" and "A:" where the letters alone, as signs in elements of their own, stand before a text.

    Other languages have others in their place.

    :param root: the page's root element.
    """
    found: dict[str, list[Any]] = defaultdict(list)
    for sign in root.iterdescendants(*_SIGNS, "div", "p"):
        letter = (sign.text or "").strip().translate(_WIDE).removesuffix(".")
        if len(letter) == 1 and not len(sign) and _begins_a_line(sign) and not _is_before_a_colon(sign):
            found[letter].append(sign)
    for question, answer in LETTERS:
        if len(found[question]) == len(found[answer]) >= _FEWEST_SIGNS:
            for letter, signs in ("Q", found[question]), ("A", found[answer]):
                for sign in signs:
                    sign.text = f"{letter}: "
            return


def spell_out_numbers(root: Any) -> None:
    """
    Write a dot behind numbers that count up and stand, as signs in elements of their own, before a text.

    Only a style parts them from it: ``<span>01</span>How do I pay?``

    :param root: the page's root element.
    """
    signs = [
        (int(number), sign)
        for sign in root.iterdescendants(*_SIGNS)
        if _COUNT.fullmatch(number := (sign.text or "").strip()) and not len(sign) and _begins_a_line(sign)
    ]
    for (number, sign), (after, other) in pairwise(signs):
        if after == number + 1 and sign.getparent().tag == other.getparent().tag not in ("td", "th"):
            sign.text, other.text = f"{number}. ", f"{after}. "


def open_panels(root: Any) -> None:
    """
    Make ``<details>`` of elements of a page's own with a title and a text, of which several are alike and some ask.

    The title is an attribute (``<sl-details summary="...">``), or a part that is named after the element
    (``<mat-expansion-panel-header>``) or after its place (``slot="header"``).

    :param root: the page's root element.
    """
    panels: dict[str, list[tuple[Any, Any]]] = defaultdict(list)
    for panel in root.iterdescendants():
        if isinstance(panel.tag, str) and "-" in panel.tag and (title := _title_of_panel(panel)) is not None:
            panels[panel.tag].append((panel, title))
    for alike in panels.values():
        if len(alike) < _FEWEST_PANELS or not any(asks(readable_line(title)) for _, title in alike):
            continue
        for panel, title in alike:
            if title.getparent() is not panel:
                if title.getparent() is not None:
                    rest = title.makeelement("span")
                    title.addnext(rest)
                    rest.tail, title.tail = title.tail, None
                title.tail, panel.text = panel.text, None
                panel.insert(0, title)
            panel.tag, title.tag = "details", "summary"
            for item in panel.iterdescendants():
                if isinstance(item.tag, str) and item.tag.endswith("-list-item"):
                    item.tag = "li"


def fill_items(root: Any) -> None:
    """
    Move the answers that stand between the items of a list, where only items may stand, into the items before them.

    :param root: the page's root element. In a list of questions, half of the items or more have text behind them.
    """
    for element in root.iterdescendants("ol", "ul"):
        items = list(element.iterchildren("li"))
        behind = [item for item in items if (after := item.getnext()) is not None and after.tag in _BETWEEN_ITEMS]
        if len(behind) < _FEWEST_PANELS or 2 * len(behind) < len(items) or not any(map(_asks_alone, behind)):
            continue
        item = None
        for part in list(element):
            if part.tag == "li":
                item = part
            elif part.tag not in _BETWEEN_ITEMS or (len(part) and part[0].tag in HEAVY):
                item = None  # the title of what follows
            elif item is not None:
                item.append(part)


def _asks_alone(item: Any) -> bool:
    """Whether an item of a list is one line, which asks."""
    return asks(readable_line(item)) and next(item.iterdescendants(*BLOCKS, "br"), None) is None


def _title_of_panel(panel: Any) -> Any:
    parts = (part for part in panel if isinstance(part.tag, str))
    title = next((part for part in parts if part.tag == f"{panel.tag}-header" or part.get("slot") in _TITLES), None)
    # The head of a card may have a text below its title, too.
    in_head = None if title is None else next(title.iterdescendants(f"{panel.tag}-title"), None)
    if in_head is not None and readable_line(in_head) != readable_line(title):
        title = in_head
    if title is None and (text := next(filter(None, map(panel.get, _TITLES)), None)) is not None:
        title = panel.makeelement("summary")
        title.text = text
    return title


def drop_opening_signs(root: Any) -> None:
    """
    Leave out the signs, in elements of their own behind questions, that these can be opened: ``How?<span>+</span>``.

    :param root: the page's root element.
    """
    signs = [
        sign
        for sign in root.iterdescendants(*_SIGNS)
        if not len(sign)
        and (sign.text or "").strip()
        and not sign.text.strip(OPENING_SIGNS + "\n")
        and _is_behind(sign)
    ]
    if len(signs) >= _FEWEST_SIGNS:
        for sign in signs:
            sign.text = None


def _is_behind(sign: Any) -> bool:
    """Whether an element ends one that opens something, or is called so, and shows more."""
    if (sign.tail or "").strip() or sign.getnext() is not None:
        return False
    around = sign.getparent()
    is_opener = any(
        part.tag in _OPENERS or has_class(part, OF_ACCORDIONS)
        for part in (around, *islice(around.iterancestors(), _AROUND_A_SIGN))
    )
    return is_opener and "".join(around.itertext()).strip() != sign.text.strip()


def _is_before_a_colon(sign: Any) -> bool:
    """Whether the mark is written already: "<b>Q</b>: How?", and docutils' colon in an element of its own."""
    after = sign.getnext()
    behind = (sign.tail or "") + ("" if after is None or not isinstance(after.tag, str) else after.text or "")
    return behind.lstrip().startswith(":")


def _begins_a_line(sign: Any) -> bool:
    """Whether nothing stands before an element, and something right behind it."""
    if sign.getprevious() is not None or (sign.getparent().text or "").strip():
        return False
    after = sign.getnext()
    return bool((sign.tail or "").strip()) or (after is not None and isinstance(after.tag, str) and after.tag != "br")


def open_answers(root: Any, above: str = "") -> None:
    """
    Open each ``<details>`` whose summary says no more than "Show answer", if the question stands above it.

    Where that is no heading but a paragraph, it becomes bold print, as other questions in paragraphs are.

    :param root: the page's root element, or a part.
    :param above: the heading above a part.
    """
    opened: set[Any] = set()
    for element in list(root.iterdescendants("details")):
        summary = summary_of(element)
        if (
            summary is None
            or not only_opens(readable_line(summary))
            or not _is_below_a_question(element, opened, above)
        ):
            continue
        before = element.getprevious()
        if before is not None and before.tag == "p" and _asks_right_before(element):
            if all(part.tag in _IN_LINES for part in before.iterdescendants()):
                make_bold(before)
        summary.drop_tree()
        element.tag = "div"
        opened.add(element)


def _is_below_a_question(details: Any, opened: set[Any], above: str) -> bool:
    """Whether one stands right above it, or a heading that asks with no more than text between."""
    if _asks_right_before(details):
        return True
    around = details
    while around.getprevious() is None and around.getparent() is not None and around.getparent().tag in _HOLDERS:
        around = around.getparent()
    heading = None
    for before in islice(around.itersiblings(preceding=True), _MOST_BETWEEN):
        if before in opened:
            return True
        if before.tag == "details":
            return False
        if before.tag in HEADINGS:
            heading = before
            break
    title = above if heading is None else readable_line(heading)
    is_next = heading is around.getprevious()
    if asks(title):
        return True
    # Of several below one another, none says what all are about.
    return is_next and title != "" and not names_faq(title) and _next_tag(around) != "details"


def _next_tag(element: Any) -> Any:
    after = element.getnext()
    return None if after is None else after.tag


def _asks_right_before(element: Any) -> bool:
    """Whether the line before an element is one sentence, which asks."""
    before, parent = element.getprevious(), element.getparent()
    if before is None:
        line = " ".join((parent.text or "").split())
    elif (before.tail or "").strip() or before.tag in ("br", "summary"):
        line = " ".join((before.tail or "").split())
    elif before.tag in HEADINGS or all(part.tag in _IN_LINES | HEAVY for part in before.iterdescendants()):
        line = readable_line(before)
    else:
        line = ""
    return line.endswith("?") and is_one_sentence(line)


def make_bold(element: Any, children: int | None = None) -> None:
    """
    Put bold print around what stands in an element.

    :param element: the element.
    :param children: how many of its own elements are in it, with the text before and between them; None is all.
    """
    bold = element.makeelement("b")
    bold.text, element.text = element.text, None
    bold.extend(element[:children])
    element.insert(0, bold)


def mark_led_to(root: Any, led_to: Collection[str]) -> None:
    """
    Make bold print of lines that nothing but their anchors tells from others.

    A table of contents leads to them, or they ask.

    :param root: the page's root element, or its main part.
    :param led_to: the fragments that a table of contents leads to.
    """
    lines: list[Any] = []
    for anchor in root.iterdescendants("a"):
        name = anchor.get("name") or anchor.get("id")
        if name is None or anchor.get("href") is not None:
            continue
        text = readable_line(anchor)
        if not (name in led_to or asks(text)):
            continue
        if text:
            if _is_bold(anchor):
                continue  # told apart already
            is_line = _ends_line(anchor) and next(anchor.iterancestors(*HEADINGS), None) is None
            lines.append(anchor if is_line else None)
            continue
        holder = anchor.getparent()
        after = anchor.getnext()
        if after is not None and after.tag == "p" and not (anchor.tail or "").strip():
            holder, begins = after, True
        else:
            begins = anchor.getprevious() is None and not (holder.text or "").strip() and holder.tag in ("p", "div")
        # In a line with its answer nothing tells it apart.
        other = (
            next((part for part in holder.iterdescendants() if part.tag not in _IN_A_LINE), None) if begins else None
        )
        if other is None or other.tag not in HEAVY:
            lines.append(holder if begins and other is None and not _is_bold(holder) else None)
    # A few may stand in text.
    if len(lines) < _FEWEST_LED_TO or 2 * sum(line is not None for line in lines) < len(lines):
        return
    for line in lines:
        if line is not None and len(readable_line(line)) <= _LONGEST_LED_TO:
            make_bold(line)


def _is_bold(element: Any) -> bool:
    return next(element.iter(*HEAVY), None) is not None or next(element.iterancestors(*HEAVY), None) is not None


def _ends_line(element: Any) -> bool:
    after = element.getnext()
    return not (element.tail or "").strip() and (after is None or after.tag in BLOCKS | {"br", "hr", "pre"})


def close_anchors(root: Any) -> None:
    """
    End each ``<a name>`` with its first line: the parser puts all that follows into one that has no end tag.

    :param root: the page's root element.
    """
    for element in list(root.iterdescendants("a")):
        if element.get("name") and element.get("href") is None:
            children = list(element)
            end = next((place for place, child in enumerate(children) if child.tag in _ENDS_OF_A_LINE), None)
            if end is not None and (end > 0 or (element.text or "").strip()):
                _move_behind(element, children[end:])


def _move_behind(element: Any, parts: Sequence[Any]) -> None:
    """Move the last children of an element behind it, before what follows it."""
    parts[-1].tail = (parts[-1].tail or "") + (element.tail or "")
    element.tail = None
    for part in reversed(parts):
        element.addnext(part)


def close_headings(root: Any) -> None:
    """
    End each heading where another begins in it, as browsers do: the first one has no end tag.

    :param root: the page's root element.
    """
    for element in list(root.iterdescendants(*HEADINGS)):
        inner = next((part for part in element if part.tag in HEADINGS), None)
        if inner is None:
            continue
        _move_behind(element, [inner, *inner.itersiblings()])
        if not readable_line(element):
            element.drop_tree()


def close_definitions(root: Any) -> None:
    """
    End each ``<dl>`` at a heading that stands between its terms: the parser puts all that follows into one without end.

    :param root: the page's root element.
    """
    for element in list(root.iterdescendants("dl")):
        heading = next((part for part in element if part.tag in HEADINGS), None)
        if heading is None:
            continue
        parts = [heading, *heading.itersiblings()]
        _move_behind(element, parts)
        for part in parts:
            if part.tag in ("dt", "dd"):
                terms = part.getprevious()  # there is one: the heading comes first
                if terms.tag != "dl":
                    terms = element.makeelement("dl")
                    part.addprevious(terms)
                terms.append(part)
        if not len(element):
            element.drop_tag()


def fill_definitions(root: Any) -> None:
    """
    Move what stands between the terms and the definitions of a ``<dl>``, where only they may stand, into definitions.

    It belongs to the one before it. A text right below a term is a definition of its own.

    :param root: the page's root element.
    """
    for element in list(root.iterdescendants("dl")):
        last = None
        waiting = list(reversed(element))
        while waiting:
            part = waiting.pop()
            if part.tag in ("dt", "dd"):
                last = part
                _take_in_tail(part)
            elif part.tag != "dl" and next(part.iterdescendants("dt", "dd", *HEADINGS), None) is not None:
                waiting += reversed(part)  # what stands around terms
            elif part.tag in HEADINGS or _is_in_bold(part):
                last = None  # what comes is of the next section
            elif last is None or part.tag not in _TEXTS or not _is_of_a_definition(part):
                continue
            elif last.tag == "dd":
                last.append(part)
            else:
                after = part.makeelement("dd")
                part.addprevious(after)
                after.append(part)
                last = after


def _take_in_tail(definition: Any) -> None:
    """Move the words right behind a definition into it, as a paragraph of their own."""
    if definition.tag == "dd" and (definition.tail or "").strip():
        paragraph = definition.makeelement("p")
        paragraph.text, definition.tail = definition.tail, None
        definition.append(paragraph)


def _is_of_a_definition(part: Any) -> bool:
    """Whether an element between terms shows something, and is no list of questions."""
    if not any(map(str.strip, part.itertext())) and not (part.tail or "").strip():
        return False  # an anchor leads to what follows it
    terms = islice(part.iterdescendants("dt"), _MOST_BETWEEN)
    return not any(asks(readable_line(term)) for term in terms)


def _is_in_bold(part: Any) -> bool:
    """Whether all of an element is in bold print, as a section's name is."""
    if not isinstance(part.tag, str) or (part.tail or "").strip():
        return False
    bold = next(part.iter(*HEAVY), None)
    return bold is not None and "".join(part.itertext()).split() == "".join(bold.itertext()).split() != []


def join_definitions(root: Any) -> None:
    """
    Bring a term and its answer together.

    They may stand in two lists, as wikis write them with an empty line between, or be definitions both, of terms that
    say no more than "Q" and "A", or of none.

    :param root: the page's root element, or its main part.
    """
    with_terms = {next(part.iterancestors("dl"), None) for part in root.iterdescendants("dt", "dd")}
    for element in root.iterdescendants("dl"):
        # Without terms it only moves headings to the right.
        if element not in with_terms and next(element.iterdescendants(*HEADINGS), None) is not None:
            element.tag = "div"
    _join_q_and_a(root)
    for element in list(root.iterdescendants("dl")):
        before = element.getprevious()
        if _is_list_right_before(before) and len(before) and len(element):
            if before[-1].tag == "dt" and element[0].tag == "dd":
                for part in reversed(before):
                    element.insert(0, part)
                before.drop_tree()
    for element in list(root.iterdescendants("dl")):
        if next(element.iterancestors("dl"), None) is None and _has_questions_but_no_terms(element):
            for part in list(element.iter("dl", "dd")):
                part.tag = "div"


def _has_questions_but_no_terms(definitions: Any) -> bool:
    """Whether nothing is defined in a list, and bold print in it asks: it only moves text to the right."""
    if next(definitions.iterdescendants("dt"), None) is not None:
        return False
    return any(asks(readable_line(bold)) for bold in definitions.iterdescendants(*HEAVY))


def _is_list_right_before(element: Any) -> bool:
    return element is not None and element.tag == "dl" and not (element.tail or "").strip()


def _join_q_and_a(root: Any) -> None:
    """Make a term of the definition of "Q", whose own definition is that of "A"."""
    first: dict[Any, Any] = {None: None}  # of lists right after one another
    for element in root.iterdescendants("dl"):
        before = element.getprevious()
        first[element] = first.get(before, element) if _is_list_right_before(before) else element
    lists: dict[Any, list[Any]] = defaultdict(list)
    for part in root.iterdescendants("dt", "dd"):
        lists[first.get(next(part.iterancestors("dl"), None))].append(part)
    found: list[tuple[list[Any], list[int]]] = []
    for parts in lists.values():
        terms = [place for place, part in enumerate(parts) if part.tag == "dt"]
        if _are_q_and_a(parts, terms):
            found.append((parts, terms))
    asking = [any(asks(readable_line(parts[question + 1])) for question in terms[::2]) for parts, terms in found]
    # Others than these are keys or units. Where most do, one of a single pair may say what is wrong.
    most_ask = 2 * sum(asking) >= len(asking)
    for (parts, terms), does_ask in zip(found, asking, strict=True):
        if not (does_ask or most_ask):
            continue
        for question, answer in zip(terms[::2], terms[1::2], strict=True):
            asked = parts[question + 1]
            asked.tag = "dt"
            asked.text = f"Q: {asked.text or ''}"
            if (name := parts[question].get("id")) and not asked.get("id"):
                asked.set("id", name)
            parts[question].drop_tree()
            parts[answer].drop_tree()


def _are_q_and_a(parts: list[Any], terms: list[int]) -> bool:
    """Whether a list's terms are "Q" and "A" by turns and no others."""
    if not terms or terms[0] != 0 or len(terms) % 2:
        return False
    # One definition belongs to each "Q", and one or more to each "A".
    if any(answer - question != 2 for question, answer in zip(terms[::2], terms[1::2], strict=True)):
        return False
    if any(after - term < 2 for term, after in zip(terms, [*terms[1:], len(parts)], strict=True)):
        return False
    return all(_says(parts[term], ONLY_A if place % 2 else ONLY_Q) for place, term in enumerate(terms))


def _says(term: Any, mark: re.Pattern[str]) -> bool:
    return mark.fullmatch("".join(islice(term.itertext(), 4)).strip()) is not None


def mark_asked_titles(root: Any) -> None:
    """
    Write "Q:" before each title that stands between headings that say no more than "Question" and "Answer".

    Such pages have one question each, and need not ask it: "Problem", "It does not print", "Solution".

    :param root: the page's root element, or its main part.
    """
    headings = list(root.iter(*HEADINGS))
    asked = [
        three
        for three in zip(headings, headings[1:], headings[2:], strict=False)
        if (_says(three[0], ONLY_Q) or _says(three[0], _PROBLEM)) and _says_remedy(three[2])
    ]
    texts = readable_parts(root, headings) if asked else {}
    for label, title, remedy in asked:
        if texts.get(label) == "" and texts.get(title) == "":
            title.text = f"Q: {title.text or ''}"
            # What follows the remedy's heading, at its rank, is no part of the answer.
            title.tag = min(title.tag, label.tag)
            if (name := label.get("id")) and not title.get("id"):
                title.set("id", name)
            label.drop_tree()
            remedy.drop_tree()


def _says_remedy(heading: Any) -> bool:
    text = readable_line(heading).strip(" :.")
    return names_part_of_an_answer(text) and names_remedy(text)
