# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Which parts of a page are its content, and which lead through the site: navigation, tables of contents, footers."""

import os
import re
from collections import defaultdict
from collections.abc import Iterator
from itertools import islice
from pathlib import PurePath
from typing import Any, Final
from urllib.parse import unquote

from answer_selection.indexing.formats.questions import (
    TITLE_SIGNS,
    asks,
    begins_with_a_prompt,
    begins_with_troubleshooting,
    is_faq,
    is_troubleshooting,
    leads_elsewhere,
    names_faq,
    names_part_of_an_answer,
    names_remedy,
    only_opens,
    without_marks,
)
from answer_selection.indexing.formats.readable import readable_line, readable_parts

HEADINGS: Final = frozenset(["h1", "h2", "h3", "h4", "h5", "h6"])
_ROLES: Final = frozenset(
    "alert alertdialog banner complementary contentinfo dialog directory doc-toc menu menubar navigation "
    "search toolbar".split()
)
_CONTENTS: Final = re.compile(
    r"(?i)(?:local|page|table|mini|side|book|doc)?-?toc(?:[-_].*|tree.*)?|.*[-_]toc|table[-_]of[-_]contents|contents"
)
_CLASS: Final = re.compile(
    rf"{_CONTENTS.pattern}|"
    r"nav|navbar(?:[-_].*)?|navigation(?:[-_].*)?|(?:main|site|top|bottom|page|post|side|sub)[-_]?nav(?:igation)?|"
    r"nav-?(?:header|footer|panel|links?|bar|icons?|menu)|breadcrumbs?(?:[-_].*)?|sidebar|sphinxsidebar|side-bar|"
    r"(?:site|page|post|entry|article|global|doc|print)?[-_]?footer|catlinks|(?:entry|post)-meta|pagination|pager|prev-?next|related(?:[-_].*)?|"
    r"skip-?(?:link|nav|to-content)|share(?:[-_].*)?|sharing|social(?:[-_].*)?|comments?(?:-(?:area|list|section))?|"
    r"footnotes?(?:-list)?|offcanvas|cookie.*|newsletter.*|article-votes.*|"
    r"article-(?:relatives|return-to-top)|menu|site-header|feedback|was-this-helpful"
)
# A block that a site may lay out a page's navigation in.
_BLOCKS: Final = frozenset("aside center div dl dir footer form header ol p section table ul".split())
_LINES: Final = _BLOCKS - {"dl", "dir", "ol", "ul"}
_TITLES: Final = HEADINGS | {"b", "dt", "strong"}
_ENDS_OF_A_LINE: Final = _BLOCKS | {"a", "br", "hr", "pre"}
_LISTS: Final = frozenset(["dir", "dl", "ol", "ul"])
_CONTENT: Final = ("article", "main", "section")
_LEADING: Final = frozenset(["next", "prev", "previous", "up"])
_LEADING_KEYS: Final = frozenset("hnpu")
# What Sphinx's links to other pages show when pointed at, perhaps with "(use the left arrow)" behind.
_LEADING_TITLE: Final = re.compile(r"(?i)(?:next|previous) (?:chapter|page|section|topic)(?: \(|\Z)")
_TO_THE_TOP: Final = re.compile(
    r"(?i)[\[(^↑⇧⬆▲△«<\s\ufe0f]*(?:(?:(?:back|return|go|up) )?(?:to )?(?:the )?"
    r"(?:top|contents|toc|index|table of contents|list)(?: of (?:the )?page)?|"
    r"(?:zurück )?(?:nach oben|(?:zum |zur )(?:seiten)?(?:anfang|inhalt(?:sverzeichnis)?|übersicht|index))|"
    r"(?:retour )?(?:en haut(?: de (?:la )?page)?|au sommaire|au début)|(?:volver )?(?:arriba|al (?:inicio|índice))|"
    r"torna (?:su|all'inizio|all'indice)|voltar ao (?:topo|índice|início)|(?:terug )?naar boven|"
    r"[\^↑⇧⬆▲△]+)[\])^↑⇧⬆▲△.\s\ufe0f]*"
)
# Where a page's validation is asked of a service, which no answer does.
_VALIDATED: Final = re.compile(r"(?i)https?://[\w.-]{1,60}/(?:css-validator/)?check(?:/referer|\?uri=referer)")
# Of "[Prev] [Contents] [Next]".
_STEPS: Final = frozenset(["next", "prev", "previous"])
_LEADS: Final = _STEPS | frozenset("back contents first home index last main manual toc top up".split())
_COLOPHONS: Final = frozenset(["address", "center", "div", "i", "p", "small"])
_COLOPHON: Final = re.compile(
    r"(?i)(?:this (?:document|page|file|faq) (?:(?:was|is) )?(?:last )?"
    r"(?:generated|updated|modified|created|maintained)|"
    r"created: |publish(?:ed|ing) (?:date|on)|modified on|revised by|"
    r"(?:\S{1,40} [\u00b7|] )?(?:page |document )?(?:last |was )?"
    r"(?:generated|updated|modified|changed)(?: (?:by|on|at|with|from))?[ :]|"
    r"(?:copyright )?(?:\u00a9|\(c\)) |copyright (?:\u00a9|\(c\)|[0-9]{4}))"
)
_LONGEST_COLOPHON: Final = 300
# Links to edit a section, names of icons, dates.
_BY_THE_WAY: Final = re.compile(
    r"(?i)(?:mw-)?edit-?section|material-(?:icons|symbols)(?:[-_].*)?|secedit|sharedaddy|(?:.*[-_])?(?:last-?(?:updated|modified)|"
    r"(?:revision|rev|mod|post|publish|published|updated)[-_]?date(?:[-_].*)?)"
)
# Boxes in an answer, whose titles DocBook writes as headings.
_NOTE: Final = re.compile(r"(?i)admonition|attention|caution|danger|hint|important|note|tip|warning")
_NOTE_TITLE: Final = re.compile(r"(?i)(?:admonition-)?title")
_BOLD_RULE: Final = re.compile(r"\.([\w-]{1,60})[ \t]{0,9}\{([^{}]{0,1000})\}")
_BOLD_STYLE: Final = re.compile(r"(?i)font-weight[ \t]{0,9}:[ \t]{0,9}(?:bold|[6-9]00)")
_BOLD_CLASS: Final = re.compile(r"(?i)(?:font|fw|text|text-weight)-(?:extra|semi)?-?bold(?:er)?|bold")
_WITH_STYLES: Final = frozenset(["div", "p", "span"])
_IN_LINES: Final = frozenset("a abbr br code em font i img span svg sub sup u".split())
# What may ask whether the page was of help.
_PROMPTS: Final = frozenset("aside div fieldset form ol p section small table ul".split())
_LONGEST_LINE: Final = 60
# Of a class or an id no more is compared: the time that an expression takes may grow with a power of the length.
_LONGEST_NAME: Final = 60
_LONGEST_FOOT: Final = 500
# What may stand between the links of a table of contents, beside line breaks.
_BETWEEN_LINKS: Final = "|,;\u00b7\u2022[]()<>-\u2013\u2014/ \u00a0\t\n"
# "1.2." or "FAQ-20" before one of them.
_LABEL: Final = re.compile(r"(?:[A-Za-z]{1,9}-?){0,2}[0-9]{1,4}(?:\.[0-9]{1,4}){0,4}[.:)]?")
_NO_SIGNS: Final = str.maketrans(dict.fromkeys(_BETWEEN_LINKS, " "))
_FEWEST_CONTENTS: Final = 3
# Of what stands above one that is opened, no more is looked at.
_MOST_BETWEEN: Final = 20
_IN_BOLD: Final = frozenset(["b", "strong"])
_NEXT_SENTENCE: Final = re.compile(r"[.!?][\"')]?\s[^\sa-z]")
_HOLDERS: Final = frozenset(["article", "div", "section"])
_WORDS: Final = re.compile(r"[^\W_]+")
# What tells an id from that of a section with the same title.
_COUNT: Final = re.compile(r"[-_.]?[0-9]{1,4}\Z")
_FIELDS: Final = ("button", "input", "select", "textarea")
# Boxes that have no topic but the page.
_OF_THE_PAGE: Final = re.compile(r"(?i)(?:comments?|feedback|newsletter|pag(?:er|ination)|shar(?:e|ing))(?:[-_].*)?")
_TICKED: Final = frozenset(["checkbox", "hidden", "radio"])  # which open answers without a script, too
_PATH_SIGN: Final = re.compile(r"[/\\]+")
_NUMBERED: Final = re.compile(r"(?:Q\s?)?[0-9]{1,4}(?:\.[0-9]{1,4}){0,4}[.:)]\s")
_HEADING_LINK: Final = re.compile(
    r"(?i)(?:.*[-_])?(?:headerlink|header-anchor|heading-?anchor|anchor-?link|hash-link|anchor)"
)
# A term that only says what its definition is.
_Q: Final = re.compile(r"(?i)(?:q|question|frage)[ ]?[0-9]{0,4}[ ]?[.:)]?")
_PROBLEM: Final = re.compile(r"(?i)(?:the )?problem[ ]?[0-9]{0,4}[ ]?[.:)]?")
_A: Final = re.compile(r"(?i)(?:a|ans|answer|antwort)[ ]?[0-9]{0,4}[ ]?[.:)]?")
OF_ACCORDIONS: Final = re.compile(r"(?i)(?:.*[-_])?(?:accordion|faqs?|collapse[dr]?|toggle)(?:[-_].*)?")
# What leads to the page in other languages.
_LANGUAGE_CLASS: Final = re.compile(
    r"(?i)(?:.*[-_])?(?:top|bottom|other|inter)?(?:lang|langs|languages?|locales?|translations?|i18n)(?:[-_].*)?"
)
_SIGNS: Final = "¶§#🔗\uf0c1\uf02b↩ \t\n"


def has_class(element: Any, kind: re.Pattern[str]) -> bool:
    """
    Tell whether one of an element's classes is of a kind.

    :param element: any element.
    :param kind: what a class of this kind fits as a whole. Of a longer one than any of them it gets the beginning.
    :returns: whether one fits.
    """
    return any(kind.fullmatch(name[:_LONGEST_NAME]) for name in (element.get("class") or "").split())


def content_of(root: Any) -> Any:
    """
    Find a page's main part.

    :param root: the page's root element.
    :returns: its one ``<main>`` or ``role="main"``, or else the whole page.
    """
    mains = [element for element in root.iterdescendants() if element.tag == "main" or element.get("role") == "main"]
    mains = [element for element in mains if not any(other is not element for other in _ancestors_in(element, mains))]
    return mains[0] if len(mains) == 1 and _has_questions(mains[0]) else root


def _has_questions(main: Any) -> bool:
    """Whether there is something in it: some pages have no more than a banner there."""
    return next(main.iter(*HEADINGS, "details", "dl"), None) is not None or "?" in "".join(main.itertext())


def _ancestors_in(element: Any, others: list[Any]) -> Iterator[Any]:
    # Pages have one or two of them.
    return (other for other in others[:5] if other in element.iterancestors())


def is_faq_page(root: Any, name: str) -> bool:
    """
    Tell whether a page says that it is an FAQ.

    :param root: the page's root element.
    :param name: its path or address.
    :returns: whether its title, its first ``<h1>``, its address, or the title of the book that it is a chapter of
        has "FAQ" or "frequently asked questions" in it, its file is called so, or its folder is and it is called
        "index", or its title asks or has a number; or whether its file says "troubleshooting", or its
        title and its ``<h1>`` do.
    """
    own = [title.text or "" for title in root.iterdescendants("title") if title.getparent().tag == "head"]
    heading = next(map(readable_line, root.iterdescendants("h1")), None)
    texts = [*filter(None, own), *([] if heading is None else [heading])]
    titles = [" ".join(text.split()) for text in texts]
    for element in root.iterdescendants("link", "meta"):
        relations = (element.get("rel") or "").lower().split()
        if element.tag == "link" and {"home", "start", "top", "up"} & set(relations):
            texts.append(element.get("title") or "")
        elif "canonical" in relations:
            texts.append(_words(element.get("href")))
        elif element.get("property") == "og:url":
            texts.append(_words(element.get("content")))
    if any(names_faq(" ".join(text.split())) for text in texts) or _is_of_troubles("".join(own[:1]), heading):
        return True
    # A file's folder is known wherever the command was given.
    folder, file = ["", *_PATH_SIGN.split((os.path.abspath(name) if os.path.exists(name) else name).rstrip("/\\"))][-2:]
    stem = PurePath(file).stem
    words = re.sub(r"[0-9]+", " ", _words(stem)).split()
    # "vim-faq", "FAQ-en"; not "building-a-faq-bot".
    if any(is_faq(" ".join(part)) for most in (1, 2, 3) for part in (words[:most], words[-most:])):
        return True
    if is_troubleshooting(" ".join(words)):
        return True
    # An FAQ in pieces has other pages beside them, such as an imprint.
    return is_faq(_words(folder)) and (stem.lower() == "index" or any(map(_is_numbered_or_asks, titles)))


def _is_of_troubles(title: str, heading: str | None) -> bool:
    """Whether a page's title and its first ``<h1>``, or the one that there is, say "troubleshooting"."""
    # Behind the page's own name its title has those of its section and its site.
    own = TITLE_SIGNS.split(without_marks(title)[0])[0]
    if heading is None:
        return is_troubleshooting(own)
    # "Introduction to network troubleshooting" is a course.
    return is_troubleshooting(heading) and (is_troubleshooting(own) or begins_with_troubleshooting(heading))


def _is_numbered_or_asks(title: str) -> bool:
    return asks(title) or _NUMBERED.match(title) is not None


def _words(address: str | None) -> str:
    return re.sub(r"[-_/.]+", " ", address or "")


def is_title_of_a_note(heading: Any) -> bool:
    """
    Tell whether a heading is that of a note, a warning or the like, which is a part of the text around it.

    :param heading: the heading.
    :returns: whether it is called a title, what it begins is called so, and it does not ask.
    """
    if heading.getprevious() is not None or not has_class(heading, _NOTE_TITLE):
        return False
    return has_class(heading.getparent(), _NOTE) and not asks(readable_line(heading))


def remove_what_is_no_content(root: Any, *, asks_above: bool = False) -> set[str]:
    """
    Take out of a page what is no content.

    Landmarks, classes and roles of navigation, lists and lines of links into the page, links to its top, what stands
    below its last rule with an address, and a heading's link to itself, whose address the heading gets as its id.

    :param root: the page's root element, or its main part.
    :param asks_above: whether it stands below a question; lists of links are parts of an answer.
    :returns: the fragments that its tables of contents lead to, without ``#``.
    """
    _remove_foot(root)
    links = _Links(root)
    found: list[Any] = []
    contents: list[Any] = []
    after_asking = asks_above
    waiting = list(reversed(root))
    while waiting:
        element = waiting.pop()
        if not isinstance(element.tag, str):
            continue
        if element.tag in HEADINGS:
            after_asking = asks(readable_line(element))
        if not after_asking and links.are_contents(element):
            contents.append(element)
        elif _is_landmark(element, links) or _leads_on(element, links):
            found.append(element)
        else:
            lines = set() if after_asking else _lines_of_links(element)
            contents += lines
            waiting += (child for child in reversed(element) if child not in lines)
    led_to = {address for element in contents for link in element.iter("a") if (address := _fragment(link))}
    for element in found:
        if element.tag == "a":
            _keep_id(element)
        element.drop_tree()
    for element in contents:
        if element.tag == "a":
            element.tail = None  # the sign before the next one
            _remove_label_before(element)
        element.drop_tree()
    return led_to


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
        _make_bold(element)


def summary_of(details: Any) -> Any:
    """
    Find the summary of a ``<details>``.

    :param details: the element.
    :returns: the ``<summary>``, or None.
    """
    return next((child for child in details if child.tag == "summary"), None)


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
                _make_bold(before)
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
    elif before.tag in HEADINGS or all(part.tag in _IN_LINES | _IN_BOLD for part in before.iterdescendants()):
        line = readable_line(before)
    else:
        line = ""
    return line.endswith("?") and _NEXT_SENTENCE.search(without_marks(line)[0]) is None


def _make_bold(element: Any) -> None:
    bold = element.makeelement("b")
    bold.text, element.text = element.text, None
    bold.extend(element)
    element.append(bold)


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
                children[-1].tail = (children[-1].tail or "") + (element.tail or "")
                element.tail = None
                for child in reversed(children[end:]):
                    element.addnext(child)


def join_definitions(root: Any) -> None:
    """
    Bring a term and its answer together.

    They may stand in two lists, as wikis write them with an empty line between, or be definitions both, of terms that
    say no more than "Q" and "A".

    :param root: the page's root element, or its main part.
    """
    _join_q_and_a(root)
    for element in list(root.iterdescendants("dl")):
        before = element.getprevious()
        if _is_list_right_before(before) and len(before) and len(element):
            if before[-1].tag == "dt" and element[0].tag == "dd":
                for part in reversed(before):
                    element.insert(0, part)
                before.drop_tree()


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
    for parts in lists.values():
        terms = [place for place, part in enumerate(parts) if part.tag == "dt"]
        if not _are_q_and_a(parts, terms):
            continue
        for question, answer in zip(terms[::2], terms[1::2], strict=True):
            asked = parts[question + 1]
            asked.tag = "dt"
            if (name := parts[question].get("id")) and not asked.get("id"):
                asked.set("id", name)
            parts[question].drop_tree()
            parts[answer].drop_tree()


def _are_q_and_a(parts: list[Any], terms: list[int]) -> bool:
    """Whether a list's terms are "Q" and "A" by turns and no others, and one of the first asks: not keys or units."""
    if not terms or terms[0] != 0 or len(terms) % 2:
        return False
    # One definition belongs to each "Q", and one or more to each "A".
    if any(answer - question != 2 for question, answer in zip(terms[::2], terms[1::2], strict=True)):
        return False
    if any(after - term < 2 for term, after in zip(terms, [*terms[1:], len(parts)], strict=True)):
        return False
    if not all(_says(parts[term], _A if place % 2 else _Q) for place, term in enumerate(terms)):
        return False
    return any(asks(readable_line(parts[question + 1])) for question in terms[::2])


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
        if (_says(three[0], _Q) or _says(three[0], _PROBLEM)) and _says_remedy(three[2])
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


def _fragment(link: Any) -> str:
    address = (link.get("href") or "").strip()
    return unquote(address[1:]) if address.startswith("#") else ""


def _lines_of_links(element: Any) -> set[Any]:
    """The children that are links into the page, where some stand one after the other with no words around them."""
    found: set[Any] = set()
    run: list[Any] = []
    labelled = False
    between = element.text or ""
    for child in [*element, None]:
        is_link = child is not None and child.tag == "a" and _fragment(child) and _size(child.text_content())
        goes_on = _is_between_links(between)
        if is_link and goes_on:
            labelled = labelled or bool(between.strip(_BETWEEN_LINKS))
            run.append(child)
        elif child is None or (isinstance(child.tag, str) and child.tag != "br") or not goes_on:
            # Numbered, with words right behind: a list in a text.
            found.update(run if len(run) >= _FEWEST_CONTENTS and (goes_on or not labelled) else ())
            run, labelled = [], False
        if child is not None:
            between = child.tail or ""
    return found


def _is_between_links(text: str) -> bool:
    text = text.strip(_BETWEEN_LINKS)
    return not text or _LABEL.fullmatch(text) is not None


def _remove_label_before(link: Any) -> None:
    before, parent = link.getprevious(), link.getparent()
    if before is not None and _is_between_links(before.tail or ""):
        before.tail = None
    elif before is None and _is_between_links(parent.text or ""):
        parent.text = None


def _remove_foot(root: Any) -> None:
    """Leave out who made the page, as ``<address>`` says below the last rule."""
    rule = next(iter(list(root.iterdescendants("hr"))[-1:]), None)
    if rule is None:
        return
    foot = list(rule.itersiblings())
    foot = [part for part in foot if isinstance(part.tag, str)]
    if any(part.tag == "address" for part in foot) and not any(_heads(part) for part in foot):
        if sum(_size(part.text_content()) + _size(part.tail) for part in foot) < _LONGEST_FOOT:
            rule.tail = None
            for part in foot:
                part.tail = None
                part.drop_tree()


def _heads(element: Any) -> bool:
    return next(element.iter(*HEADINGS, "details", "dl"), None) is not None


def _heads_a_question(element: Any) -> bool:
    if next(element.iter("details", "dl"), None) is not None:
        return True
    return any(not leads_elsewhere(readable_line(heading)) for heading in element.iter(*HEADINGS))


def _keep_id(link: Any) -> None:
    heading = next(link.iterancestors(*HEADINGS, "dt", "summary"), None)
    if heading is not None and not heading.get("id"):
        address = link.get("href") or ""
        leads_to_it = address.startswith("#") and not _TO_THE_TOP.fullmatch("".join(link.itertext()).strip())
        if name := (address[1:] if leads_to_it else "") or link.get("id") or link.get("name"):
            heading.set("id", name)


def _is_landmark(element: Any, links: "_Links") -> bool:
    tag = element.tag
    if tag in ("body", "main", "article", *HEADINGS):
        return False
    if tag in ("nav", "footer") or element.get("role") in _ROLES:
        return not _is_panel(element, links)
    if tag in ("aside", "header") and next(element.iterancestors(*_CONTENT), None) is None:
        return next(element.iterdescendants("main"), None) is None
    if tag == "tr":
        return _is_called(element, _CONTENTS) and not links.has_words(element)
    if tag in _BLOCKS:
        if _is_called(element, _CLASS):
            # A part that holds the page's own title holds all of it, whatever it is called.
            if next(element.iterdescendants("main", "h1"), None) is not None:
                return False
            return not _is_content(element, links) and not _is_named_after_its_topic(element, links)
    return tag == "button" and not _is_question(element)


def _is_content(element: Any, links: "_Links") -> bool:
    """Whether it is called "contents" and has questions in it that are no links, and more text than links."""
    return links.has_words(element) and _is_called(element, _CONTENTS) and links.has_questions(element)


def _is_named_after_its_topic(element: Any, links: "_Links") -> bool:
    """
    Whether its id says what a section of the text is about, as "cookies" does of one with the title "Cookies".

    Generators of pages make the ids of sections of their titles. A site's own boxes, too, may have a title in the
    words of their id, but no questions, and no other sections beside them. What its author called so has questions.
    "Comments" and the like are the page's own whatever is written there.
    """
    if has_class(element, _CLASS) or _is_called(element, _OF_THE_PAGE) or not links.has_words(element):
        return False
    if any(field.get("type") not in _TICKED for field in element.iterdescendants(*_FIELDS)):
        return False
    beside = (next(element.itersiblings(element.tag, preceding=before), None) for before in (False, True))
    # Boxes of the site vouch for no other.
    others = [other for other in beside if other is not None and other.get("id") and not _is_called(other, _CLASS)]
    if _has_its_title_as_id(element):
        return links.has_questions(element) or any(map(_has_its_title_as_id, others))
    return (
        element.tag == "section"
        and links.has_questions(element)
        and any(other.tag == "section" and links.has_questions(other) for other in others)
    )


def _has_its_title_as_id(element: Any) -> bool:
    title = next(element.iterdescendants(*HEADINGS), None)
    if title is None or len(element.get("id") or "") > _LONGEST_NAME:
        return False
    words = _WORDS.findall(without_marks(readable_line(title))[0].lower())
    return bool(words) and words == _WORDS.findall(_COUNT.sub("", element.get("id") or "").lower())


def _is_called(element: Any, kind: re.Pattern[str]) -> bool:
    """Whether one of its classes, or its id, is of a kind."""
    return has_class(element, kind) or kind.fullmatch((element.get("id") or "")[:_LONGEST_NAME]) is not None


def _is_panel(element: Any, links: "_Links") -> bool:
    """Whether it is named by what opens it, and holds words: builders of sites make accordions of their menus."""
    return bool(element.get("aria-labelledby")) and links.has_words(element)


def _is_question(element: Any) -> bool:
    if any(element.get(name) for name in ("aria-controls", "data-bs-target", "data-target", "aria-expanded")):
        return True
    if asks(readable_line(element)) or has_class(element, OF_ACCORDIONS):
        return True
    return any(parent.tag in HEADINGS or parent.tag in ("summary", "dt") for parent in element.iterancestors())


def _leads_on(element: Any, links: "_Links") -> bool:
    if has_class(element, _BY_THE_WAY) or (element.get("itemprop") == "interactionStatistic"):
        return element.tag not in ("body", "main", "article")
    if (element.get("itemtype") or "").endswith("schema.org/Comment"):
        return True
    if element.tag == "aside" and links.size(element) > 0 and not links.has_words(element):
        return True
    if element.tag == "details" and _is_opened_for_contents(element, links):
        return True
    if element.tag in _PROMPTS and links.size(element) < _LONGEST_FOOT and not _heads_a_question(element):
        if begins_with_a_prompt("".join(element.itertext()).strip()):
            return True
    if element.tag == "a":
        text = "".join(element.itertext()).strip()
        address = (element.get("href") or "").strip()
        if has_class(element, _HEADING_LINK):
            if not text.strip(_SIGNS) or element.get("aria-label") is not None:
                return True
        if address.startswith("#"):
            text = text or readable_line(element)  # of an image, what it shows
            return bool(text) and (not text.strip(_SIGNS) or (len(text) < 40 and bool(_TO_THE_TOP.fullmatch(text))))
        return False
    if element.tag in _COLOPHONS and links.size(element) < _LONGEST_COLOPHON:
        if _COLOPHON.match("".join(element.itertext()).strip()) is not None:
            return True
        if links.has_links(element) and links.size(element) < _LONGEST_LINE and _is_of_the_page(element):
            return True
    if element.tag in _LINES and links.has_links(element) and links.size(element) < _LONGEST_LINE:
        if _leads_through_pages(element):
            return True
    return element in links.leading


def _is_opened_for_contents(details: Any, links: "_Links") -> bool:
    """Whether links into the page are all that is opened, and its summary says "On this page" or the like."""
    summary = summary_of(details)
    if summary is None or not leads_elsewhere(readable_line(summary)):
        return False
    return 0 < links.size(details) - links.size(summary) <= links.size_into(details)


def _leads_through_pages(element: Any) -> bool:
    """Whether a line says no more than "Prev", "Contents", "Next"."""
    words = {word for part in element.itertext() for word in part.lower().translate(_NO_SIGNS).split()}
    return words <= _LEADS and not words.isdisjoint(_STEPS)


def _is_of_the_page(element: Any) -> bool:
    """Whether a line says "Back to the <a>top</a>", or what a page says of its own HTML."""
    addresses = [link.get("href") or "" for link in element.iter("a")]
    if any(map(_VALIDATED.match, addresses)):
        return True
    text = " ".join("".join(element.itertext()).split())
    return any(address.startswith("#") for address in addresses) and _TO_THE_TOP.fullmatch(text) is not None


class _Links:
    """How much of each element is links into the page, and which elements lead to other pages of its kind."""

    def __init__(self, root: Any) -> None:
        # Characters, those in links, those in links into pages, and how many of these there are.
        self._counts: dict[Any, tuple[int, int, int, int]] = {}
        self.leading: set[Any] = set()
        self._root = root
        self._asking: set[Any] | None = None  # what holds questions, once it is asked for
        leading: list[Any] = []
        translations: list[Any] = []
        # Deepest first.
        for element in reversed(list(root.iter())):
            if not isinstance(element.tag, str) or element.tag in ("script", "style"):
                self._counts[element] = (0, 0, 0, 0)
                continue
            size, linked, into, number = _size(element.text), 0, 0, 0
            for child in element:
                more = self._counts[child]
                size, linked, into, number = (
                    size + more[0] + _size(child.tail),
                    linked + more[1],
                    into + more[2],
                    number + more[3],
                )
            if element.tag == "a" and element.get("href"):
                linked = size
                if "#" in element.get("href"):
                    into, number = size, 1
                if _is_leading(element):
                    leading.append(element)
                elif _is_translation(element):
                    translations.append(element)
            self._counts[element] = (size, linked, into, number)
        # The block around such a link, if it holds little but links.
        self.leading |= {block for block in _blocks_around(leading) if self._holds_little_but_links(block)}
        blocks = _blocks_around(translations)
        around = {parent for block in blocks if (parent := block.getparent()) is not None and parent.tag == "div"}
        self.leading |= {
            block
            for block in blocks | around
            if _is_called(block, _LANGUAGE_CLASS) and self._holds_little_but_links(block)
        }

    def _holds_little_but_links(self, block: Any) -> bool:
        size, linked, _, _ = self._counts.get(block, (1000, 0, 0, 0))
        return size - linked < 60 and next(block.iterdescendants(*HEADINGS), None) is None

    def size(self, element: Any) -> int:
        return self._counts[element][0]

    def size_into(self, element: Any) -> int:
        return self._counts[element][2]

    def has_words(self, element: Any) -> bool:
        size, linked, _, _ = self._counts[element]
        return size > 0 and 2 * linked < size

    def has_links(self, element: Any) -> bool:
        return self._counts[element][1] > 0

    def has_questions(self, element: Any) -> bool:
        """Whether a heading, a term or bold print in it asks and is no link."""
        if self._asking is None:
            self._asking = set()
            for part in self._root.iter(*_TITLES):
                if not self.has_links(part) and asks(readable_line(part)):
                    _add_with_ancestors(part, self._asking)
        return element in self._asking

    def are_contents(self, element: Any) -> bool:
        size, _, into, number = self._counts[element]
        # What is not linked are numbers, and the word "Contents".
        return element.tag in _LISTS and number > 0 and size - into <= 8 * number and into > size / 2


def _add_with_ancestors(element: Any, found: set[Any]) -> None:
    for around in (element, *element.iterancestors()):
        if around in found:
            break
        found.add(around)


def _is_leading(link: Any) -> bool:
    relations = (link.get("rel") or "").lower().split()
    if _LEADING & set(relations) or _LEADING_TITLE.match(link.get("title") or ""):
        return True
    return (link.get("accesskey") or "").lower() in _LEADING_KEYS


def _is_translation(link: Any) -> bool:
    """Whether a link says that it leads to the page, or to another text, in another language."""
    return "alternate" in (link.get("rel") or "").lower().split() and bool(link.get("hreflang"))


def _blocks_around(links: list[Any]) -> set[Any]:
    blocks = (next(link.iterancestors(*_BLOCKS), None) for link in links)
    return {block for block in blocks if block is not None}


def _size(text: str | None) -> int:
    return len((text or "").strip())
