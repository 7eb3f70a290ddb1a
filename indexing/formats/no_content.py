# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Which parts of a page lead through the site and are no content: navigation, tables of contents, footers."""

import re
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import Any, Final
from urllib.parse import unquote

from answer_selection.indexing.formats.elements import (
    BLOCKS,
    HEADINGS,
    LONGEST_NAME,
    OF_ACCORDIONS,
    has_class,
    is_called,
    opens_next,
    size_of,
    summary_of,
)
from answer_selection.indexing.formats.page_links import PageLinks
from answer_selection.indexing.formats.questions import (
    LONGEST_QUESTION,
    asks,
    begins_with_a_prompt,
    leads_elsewhere,
    without_marks,
)
from answer_selection.indexing.formats.readable import readable_line

_ROLES: Final = frozenset(
    "alertdialog banner complementary contentinfo dialog directory doc-toc menu menubar navigation "
    "search toolbar".split()
)
# jQuery Mobile's.
_MOBILE_ROLES: Final = frozenset(["footer", "navbar", "panel"])
_CONTENTS: Final = re.compile(
    r"(?i)(?:local|page|table|mini|side|book|doc)?-?toc(?:[-_].*|tree.*)?|.*[-_]toc|table[-_]of[-_]contents|contents"
)
_CLASS: Final = re.compile(
    rf"{_CONTENTS.pattern}|"
    r"nav|navbar(?:[-_].*)?|navigation(?:[-_].*)?|(?:main|site|top|bottom|page|post|side|sub)[-_]?nav(?:igation)?|"
    r"nav-?(?:header|footer|panel|links?|bar|icons?|menu|column)|breadcrumbs?(?:[-_].*)?|sidebar[0-9]?|sphinxsidebar|side-bar|"
    r"(?:site|page|post|entry|article|global|doc|print|main)?[-_]?footer"
    r"(?:[-_](?:area|bar|bottom|columns?|container|inner|links?|main|menu|section|top|widgets?|wrap(?:per)?))?|"
    r"copyrights?[-_](?:area|bar|section|text|wrap(?:per)?)|"
    r"catlinks|(?:entry|post)-meta|pagination|pager|prev-?next|related(?:[-_].*)?|"
    r"skip-?(?:link|nav|to-content)|share(?:[-_].*)?|sharing|social(?:[-_].*)?|comments?(?:-(?:area|list|section))?|"
    r"footnotes?(?:-list)?|offcanvas|cookie.*|newsletter.*|(?:article-votes?|vote-feedback)(?:-.*)?|dokuwiki__footer|"
    r"article-(?:relatives|return-to-top)|menu|site-header|feedback|was-this-helpful"
)
# What asks readers to buy or to call ("call to action"), and what opens above the page: content only if it asks.
_BOX: Final = re.compile(
    r"(?i)(?!(?:.*[-_])?(?:has|no|with|without)[-_])(?:.*[-_])?"
    r"(?:cta(?:[-_](?:area|banner|block|box|card|container|content|inner|section|wrap(?:per)?))?|call-to-action)|"
    r"modal|popup"
)
_LINES: Final = BLOCKS - {"dl", "dir", "ol", "ul"}
_GOES_ON_WITH: Final = frozenset("blockquote ol p pre table ul".split())
_CONTENT: Final = ("article", "main", "section")
_TO_THE_TOP: Final = re.compile(
    r"(?i)[\[(^↑⇧⬆▲△«<→\s\ufe0f]*(?:(?:(?:back|return|go|up|scroll) )?(?:to )?(?:the )?"
    r"(?:faqs? )?(?:top|contents|toc|index|table of contents|list)(?: of (?:the )?page)?|"
    r"(?:zurück )?(?:nach oben|(?:zum |zur )(?:seiten)?(?:anfang|inhalt(?:sverzeichnis)?|übersicht|index))|"
    r"(?:retour )?(?:en haut(?: de (?:la )?page)?|au sommaire|au début)|(?:volver )?(?:arriba|al (?:inicio|índice))|"
    r"torna (?:su|all'inizio|all'indice)|voltar ao (?:topo|índice|início)|(?:terug )?naar boven|"
    r"[\^↑⇧⬆▲△]+)[\])^↑⇧⬆▲△.\s\ufe0f]*"
)
# Where a page's validation is asked of a service, which no answer does.
_VALIDATED: Final = re.compile(r"(?i)https?://[\w.-]{1,60}/(?:css-validator/)?check(?:/referer|\?uri=referer)")
# Of "[Prev] [Contents] [Next]", also as LinuxDoc has them in other languages.
_STEPS: Final = frozenset(
    "next prev previous weiter zurück siguiente anterior suivant suivante précédent précédente avanti indietro próxima "
    "volgende vorige nästa föregående następny poprzedni вперед назад".split()
)
_LEADS: Final = _STEPS | frozenset(
    "back contents first home index last main manual toc top up inhalt página índice general page table des matières "
    "indice pagina inhoud innehåll spis treści содержание".split()
)
_COLOPHONS: Final = frozenset(["address", "center", "div", "i", "p", "small"])
_COLOPHON: Final = re.compile(
    r"(?i)(?:this (?:document|page|file|faq) (?:(?:was|is) )?(?:last )?"
    r"(?:generated|updated|modified|created|maintained)|"
    r"created: |publish(?:ed|ing) (?:date|on)|modified on|revised by|"
    r"(?:\S{1,40} [\u00b7|] )?(?:(?:(?:page |document )(?:last |was )?|last |was )"
    r"(?:generated|updated|modified|changed)(?: (?:by|on|at|with|from))?[ :]|"
    r"(?:generated|updated|modified|changed)(?: (?:by|on|at|with|from) |:| [0-9]))|"
    r"(?:last )?updated (?:(?:over|about) )?(?:an?|[0-9]{1,3}) [a-z]{1,9} ago|"
    r"last (?:revised[ :]|(?:update|change)(?::| on | [0-9]))|"
    r"\$(?:Date|Id|Revision): |"
    r"(?:copyright )?(?:\u00a9|\(c\)) |copyright (?:\u00a9|\(c\)|[0-9]{4}))"
)
_PERMALINK: Final = re.compile(r"(?i)(?:[\w-]{1,40}[-_])?permalink")
_PERMALINKS: Final = frozenset(["", "link", "permalink", "permanent link"])
_PRINTS: Final = ("javascript:print", "javascript:window.print")
_PRINT: Final = frozenset(["", "print", "drucken", "imprimer", "imprimir", "stampa"])
_GOES_ON: Final = re.compile(r"[ \n]{0,9}[,;]?[ \n]{1,9}[a-z]")
# Joomla's list of author, category, and hits; Zendesk calls what holds an article so.
_FACTS: Final = re.compile("article-info")
_FOOTER: Final = re.compile("(?:page-?)?footer")
_LONGEST_COLOPHON: Final = 300
# Links to edit a section, names of icons, dates, Doxygen's tooltips.
_BY_THE_WAY: Final = re.compile(
    r"(?i)(?:mw-)?edit-?section|avatar|article-(?:author|byline|meta)|(?:.*[-_])?author-date|"
    r"legalnotice|authorgroup|pubdate|releaseinfo|ttc|(?:docs?|page|site)-licen[cs]e|"
    r"material-(?:icons|symbols)(?:[-_].*)?|secedit|sharedaddy|(?:.*[-_])?(?:last-?(?:updated|modified)|"
    r"(?:revision|rev|mod|post|publish|published|updated)[-_]?date(?:[-_].*)?)"
)
# Of Angular's and Vue's, which hold the names of pictures.
_ICONS: Final = ("mat-icon", "md-icon", "v-icon")
# What may ask whether the page was of help.
_PROMPTS: Final = frozenset("aside div fieldset form ol p section small table ul".split())
_LONGEST_LINE: Final = 60
_OPENS_A_MENU: Final = re.compile(r"(?i)(?:.*[-_])?(?:menu|nav|navbar)[-_].*")
_EDIT: Final = re.compile(
    r"(?i)(?:edit|improve|suggest (?:edits|changes)(?: to)?) (?:this page|(?:this page )?on github)"
)
_BACK: Final = re.compile(
    r"(?i)\W{0,9}(?:go )?(?:back|return) to (?:\w[\w'-]{0,30} ){0,5}"
    r"(?:home ?page|home|index|main page|start page|website|site)\W{0,9}|"
    r"go to the next section or return to the index\W{0,9}|index of all (?:\w[\w'-]{0,30} ){0,3}\w{1,30}"
)
_ALL: Final = re.compile(r"(?i)all (?:(?:questions|q)(?: ?(?:&|and) ?(?:answers|a))?|faqs?|articles)")
_MOST_STEPS: Final = 8
_LONGEST_FOOT: Final = 500
# What may stand between the links of a table of contents, beside line breaks.
_BETWEEN_LINKS: Final = "|,;\u00b7\u2022[]()<>-\u2013\u2014/ \u00a0\t\n"
# "1.2." or "FAQ-20" before one of them.
_LABEL: Final = re.compile(r"(?:[A-Za-z]{1,9}-?){0,2}[0-9]{1,4}(?:\.[0-9]{1,4}){0,4}[.:)]?")
_LONGEST_LABEL: Final = 8
_NO_SIGNS: Final = str.maketrans(dict.fromkeys(_BETWEEN_LINKS, " "))
_FEWEST_CONTENTS: Final = 3
_FEWEST_LINKS: Final = 2
_BESIDE: Final = 3
_WORDS: Final = re.compile(r"[^\W_]+")
# What tells an id from that of a section with the same title.
_COUNT: Final = re.compile(r"[-_.]?[0-9]{1,4}\Z")
_FIELDS: Final = ("button", "input", "select", "textarea")
# Boxes that have no topic but the page.
_OF_THE_PAGE: Final = re.compile(r"(?i)(?:comments?|feedback|newsletter|pag(?:er|ination)|shar(?:e|ing))(?:[-_].*)?")
_TICKED: Final = frozenset(["checkbox", "hidden", "radio"])  # which open answers without a script, too
_HEADING_LINK: Final = re.compile(
    r"(?i)(?:.*[-_])?(?:headerlink|header-anchor|heading-?anchor|anchor-?link|hash-link|anchor)"
)
_SIGNS: Final = "¶§#🔗\uf0c1\uf02b↩ \t\n"


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
    links = PageLinks(root)
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
        if after_asking and (title := _title_of_contents(element, links)) is not None:
            contents += [title, element]
        elif not after_asking and links.are_contents(element):
            contents.append(element)
        elif _is_landmark(element, links) or _leads_on(element, links):
            found.append(element)
        else:
            lines = set() if after_asking else _lines_of_links(element) | _paragraphs_of_links(element, links)
            contents += lines
            waiting += (child for child in reversed(element) if child not in lines)
    led_to = {address for element in contents for link in element.iter("a") if (address := _fragment(link))}
    for element in found:
        if element.tag == "a":
            _keep_id(element)
        element.drop_tree()
    holders = [element.getparent() for element in contents]
    for element in contents:
        if element.tag == "a":
            element.tail = None  # the sign before the next one
            _remove_label_before(element)
        element.drop_tree()
    for holder in holders:
        _remove_title_above(holder)
    return led_to


def _remove_title_above(holder: Any) -> None:
    """Take out the term of a definition that was nothing but contents: the name of a section of these."""
    if holder is None or holder.tag != "dd" or len(holder) or (holder.text or "").strip():
        return
    term, after = holder.getprevious(), holder.getnext()
    if term is None or term.tag != "dt" or asks(readable_line(term)):
        return  # a question lacks its answer
    if after is None or after.tag == "dt":
        term.drop_tree()
        holder.drop_tree()


def remove_prompt(root: Any) -> None:
    """
    Take a last paragraph such as "Still stuck? Contact us." below a rule out of a part of a page.

    :param root: the part's root element.
    """
    around = root if root.tag != "html" else root.find("body")
    if around is None or [part.tag for part in around[-2:]] != ["hr", "p"]:
        return
    if begins_with_a_prompt("".join(around[-1].itertext()).strip()):
        around[-1].drop_tree()


def _fragment(link: Any) -> str:
    address = (link.get("href") or "").strip()
    return unquote(address[1:]) if address.startswith("#") else ""


def _title_of_contents(element: Any, links: "PageLinks") -> Any:
    """The heading right above a list of links, if all of them, and it but for its number, lead into one other page."""
    heading = element.getprevious()
    if (
        heading is None
        or heading.tag not in HEADINGS
        or (heading.tail or "").strip()
        or not links.are_contents(element)
    ):
        return None
    link = next((link for link in heading.iterdescendants("a") if link.get("href")), None)
    if link is None or links.size(heading) - links.size(link) > _LONGEST_LABEL:
        return None
    pages = {_page(one) for one in (link, *element.iterdescendants("a")) if one.get("href")}
    return heading if len(pages) == 1 and "" not in pages else None


def _page(link: Any) -> str:
    address: str = link.get("href", "").strip()
    return address.partition("#")[0]


def _lines_of_links(element: Any) -> set[Any]:
    """The children that are links into the page, where some stand one after the other with no words around them."""
    found: set[Any] = set()
    run: list[Any] = []
    labelled = False
    between = element.text or ""
    for child in [*element, None]:
        is_link = child is not None and child.tag == "a" and _fragment(child) and size_of(child.text_content())
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


def _paragraphs_of_links(element: Any, links: "PageLinks") -> set[Any]:
    """The paragraphs in it that are each a link into the page, where some stand one after the other and half ask."""
    found: set[Any] = set()
    run: list[Any] = []
    for child in [*(part for part in element if isinstance(part.tag, str)), None]:
        if child is not None and _is_empty(child):
            continue  # a space between two of them
        is_link = child is not None and child.tag == "p" and _is_line_of_contents(child, links)
        if is_link:
            run.append(child)
        if not is_link or (child.tail or "").strip():
            if len(run) >= _FEWEST_CONTENTS and 2 * sum(asks(readable_line(line)) for line in run) >= len(run):
                found.update(run)
            run = []
    return found


def _is_empty(element: Any) -> bool:
    """Whether a paragraph shows nothing, and nothing follows it."""
    if element.tag != "p" or (element.tail or "").strip():
        return False
    return not len(element) and not (element.text or "").strip()


def _is_line_of_contents(paragraph: Any, links: "PageLinks") -> bool:
    """Whether all that a paragraph shows, but for a number before it, is one link into the page."""
    link = next(paragraph.iterdescendants("a"), None)
    if link is None or not _fragment(link) or not 0 < links.size(link) == links.size_into(paragraph):
        return False
    return links.size(paragraph) - links.size(link) <= _LONGEST_LABEL


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
    """Leave out who made the page, and when, below the last rule, and what leads on from there."""
    rule = next(iter(list(root.iterdescendants("hr"))[-1:]), None)
    if rule is None:
        return
    below = list(rule.itersiblings())
    foot = [part for part in below if isinstance(part.tag, str)]  # no comments
    if _leads_only_on(rule, foot) or _leads_only_away(rule, foot) or _names_its_maker(foot) or _is_dated(rule, below):
        rule.tail = None
        for part in below:
            part.tail = None
        for part in foot:
            part.drop_tree()


def _leads_only_on(rule: Any, foot: list[Any]) -> bool:
    """Whether a foot is LinuxDoc's "Next Previous Contents"."""
    if len(foot) >= _MOST_STEPS or all(next(part.iter("a"), None) is None for part in foot):
        return False
    return _are_steps(_texts_below(rule, foot))


def _leads_only_away(rule: Any, foot: list[Any]) -> bool:
    """Whether a foot is nothing but links to other pages: "Home | Privacy | Terms"."""
    links = [link for part in foot for link in part.iter("a") if link.get("href")]
    if len(links) < _FEWEST_LINKS or any(map(_fragment, links)) or any(map(_heads, foot)):
        return False
    text = "".join(_texts_below(rule, foot))
    if len(text) >= _LONGEST_FOOT:
        return False
    for link in links:
        text = text.replace(link.text_content(), "", 1)
    return not text.strip(_BETWEEN_LINKS)


def _names_its_maker(foot: list[Any]) -> bool:
    """Whether a foot has an ``<address>``, no questions, and little else."""
    if not any(part.tag == "address" for part in foot) or any(_heads(part) for part in foot):
        return False
    return sum(size_of(part.text_content()) + size_of(part.tail) for part in foot) < _LONGEST_FOOT


def _is_dated(rule: Any, below: list[Any]) -> bool:
    """Whether a foot, between comments, says when the page was made, and little else."""
    text = "".join(_texts_below(rule, below)).strip()
    return len(text) < _LONGEST_COLOPHON and _COLOPHON.match(text) is not None and not any(map(_heads, below))


def _texts_below(rule: Any, parts: Iterable[Any]) -> Iterator[str]:
    yield rule.tail or ""
    for part in parts:
        if isinstance(part.tag, str):  # no comment
            yield part.text_content()
        yield part.tail or ""


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


def _has_a_button(element: Any) -> bool:
    return next(element.iterdescendants("button"), None) is not None


def _is_landmark(element: Any, links: "PageLinks") -> bool:
    tag = element.tag
    if tag in ("body", "main", "article", *HEADINGS):
        return False
    if element.get("role") == "alert":
        # In an answer it is a note, with more behind it.
        after = element.getnext()
        return after is None or after.tag not in _GOES_ON_WITH or _has_a_button(element)
    if tag in ("nav", "footer") or element.get("role") in _ROLES:
        return not _is_panel(element, links)
    if element.get("data-role") in _MOBILE_ROLES:
        return not links.has_questions(element)
    if tag in ("aside", "header") and next(element.iterancestors(*_CONTENT), None) is None:
        return next(element.iterdescendants("main"), None) is None
    if tag == "li" and has_class(element, _FOOTER):
        return not links.has_questions(element)
    if tag == "dialog" or (tag in BLOCKS and is_called(element, _BOX)):
        return not (links.has_questions(element) or links.is_opened_by_a_question(element) or _holds_the_page(element))
    if tag == "tr":
        return is_called(element, _CONTENTS) and not links.has_words(element)
    if tag in BLOCKS:
        if is_called(element, _CLASS):
            is_content = _is_content(element, links) or _is_named_after_its_topic(element, links)
            return not (_holds_the_page(element) or is_content)
    # As a button, a link that leads nowhere does something: "Follow".
    is_button = tag == "button" or (tag == "a" and element.get("role") == "button" and element.get("href") is None)
    return is_button and not _is_question(element)


def _holds_the_page(element: Any) -> bool:
    """Whether it holds the page's own title, and so all of the page, whatever it is called."""
    return next(element.iterdescendants("main", "h1"), None) is not None


def _is_content(element: Any, links: "PageLinks") -> bool:
    """Whether it is called "contents", is more text than links, and has questions or most of what the page shows."""
    if not (links.has_words(element) and is_called(element, _CONTENTS)):
        return False
    return links.has_questions(element) or links.is_most(element)


def _is_named_after_its_topic(element: Any, links: "PageLinks") -> bool:
    """
    Whether its id says what a section of the text is about, as "cookies" does of one with the title "Cookies".

    Generators of pages make the ids of sections of their titles. A site's own boxes, too, may have a title in the
    words of their id, but no questions, and no other sections beside them. What its author called so has questions.
    "Comments" and the like are the page's own whatever is written there.
    """
    if has_class(element, _CLASS) or is_called(element, _OF_THE_PAGE) or not links.has_words(element):
        return False
    if any(field.get("type") not in _TICKED for field in element.iterdescendants(*_FIELDS)):
        return False
    beside = (next(element.itersiblings(element.tag, preceding=before), None) for before in (False, True))
    # Boxes of the site vouch for no other.
    others = [other for other in beside if other is not None and other.get("id") and not is_called(other, _CLASS)]
    if _has_its_title_as_id(element):
        return links.has_questions(element) or any(map(_has_its_title_as_id, others))
    return (
        element.tag == "section"
        and links.has_questions(element)
        and any(other.tag == "section" and links.has_questions(other) for other in others)
    )


def _has_its_title_as_id(element: Any) -> bool:
    title = next(element.iterdescendants(*HEADINGS), None)
    if title is None or len(element.get("id") or "") > LONGEST_NAME:
        return False
    words = _WORDS.findall(without_marks(readable_line(title))[0].lower())
    return bool(words) and words == _WORDS.findall(_COUNT.sub("", element.get("id") or "").lower())


def _is_panel(element: Any, links: "PageLinks") -> bool:
    """Whether what opens it names it or asks, and it holds words: builders of sites make accordions of their menus."""
    if not links.has_words(element):
        return False
    if element.get("aria-labelledby"):
        return True
    before = element.getprevious()
    if element.tag != "nav" or before is None or before.tag not in ("button", "div") or is_called(element, _CLASS):
        return False
    # Webflow's `w-dropdown-toggle`; what opens a menu is called so, too.
    is_toggle = has_class(before, OF_ACCORDIONS) and not has_class(before, _OPENS_A_MENU)
    if is_toggle and next(element.iterdescendants("p"), None) is not None:
        return True
    line = readable_line(before)
    return line.endswith("?") and len(line) < LONGEST_QUESTION and asks(line)


def _is_question(element: Any) -> bool:
    if any(element.get(name) for name in ("aria-controls", "data-bs-target", "data-target", "aria-expanded")):
        return True
    if opens_next(element) or asks(readable_line(element)) or has_class(element, OF_ACCORDIONS):
        return True
    if _begins_an_item(element):
        return True
    return any(parent.tag in HEADINGS or parent.tag in ("summary", "dt") for parent in element.iterancestors())


def _begins_an_item(button: Any) -> bool:
    """
    Whether an item begins with a button and a block right behind it.

    It is called a part of an accordion, or of an FAQ, or begins as one beside it does, with a button that asks.
    """
    before, after, parent = button.getprevious(), button.getnext(), button.getparent()
    is_first = before is None and not (parent.text or "").strip() and not (button.tail or "").strip()
    if not is_first or after is None or after.tag not in BLOCKS:
        return False
    if has_class(parent, OF_ACCORDIONS):
        return True
    following = islice(parent.itersiblings(parent.tag), _BESIDE)
    preceding = islice(parent.itersiblings(parent.tag, preceding=True), _BESIDE)
    firsts = (next(iter(item), None) for item in chain(following, preceding))
    return any(first is not None and first.tag == "button" and asks(readable_line(first)) for first in firsts)


def _leads_on(element: Any, links: "PageLinks") -> bool:
    if element.tag in _ICONS:
        return True
    if has_class(element, _BY_THE_WAY) or (element.get("itemprop") == "interactionStatistic"):
        return element.tag not in ("body", "main", "article")
    if (element.get("itemtype") or "").endswith("schema.org/Comment"):
        return True
    if element.tag == "dl" and has_class(element, _FACTS) and not links.has_questions(element):
        return True
    if has_class(element, _PERMALINK) and "".join(element.itertext()).strip(_SIGNS).lower() in _PERMALINKS:
        return True
    if element.tag == "aside" and links.size(element) > 0 and not links.has_words(element):
        return True
    if element.tag == "details" and _is_opened_for_contents(element, links):
        return True
    if element.tag in _PROMPTS and links.size(element) < _LONGEST_FOOT and not _heads_a_question(element):
        if begins_with_a_prompt("".join(element.itertext()).strip()):
            return True
    if element.tag == "form" and links.size(element) < _LONGEST_FOOT and not _heads(element):
        # A page may be a form as a whole.
        return any(field.get("type") not in _TICKED for field in element.iterdescendants(*_FIELDS[1:]))
    if element.tag == "a":
        text = "".join(element.itertext()).strip()
        address = (element.get("href") or "").strip()
        if address.lower().startswith(_PRINTS) and text.lower() in _PRINT:
            return True
        if _ALL.fullmatch(text) and element.getnext() is None and not (element.tail or "").strip():
            return True
        if has_class(element, _HEADING_LINK):
            if not text.strip(_SIGNS) or element.get("aria-label") is not None:
                return True
        if address.startswith("#"):
            if _GOES_ON.match(element.tail or ""):
                return False  # "See the list or ask us."
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


def _is_opened_for_contents(details: Any, links: "PageLinks") -> bool:
    """Whether links into the page are all that is opened, and its summary says "On this page" or the like."""
    summary = summary_of(details)
    if summary is None or not leads_elsewhere(readable_line(summary)):
        return False
    return 0 < links.size(details) - links.size(summary) <= links.size_into(details)


def _leads_through_pages(element: Any) -> bool:
    """Whether a line says no more than "Prev", "Contents", "Next", "Edit this page", or "Back to the home page"."""
    text = " ".join("".join(element.itertext()).split())
    if _are_steps(element.itertext()) or _EDIT.fullmatch(text) is not None:
        return True
    # An answer may say so, too, and no more.
    before = element.getprevious()
    return before is not None and before.tag not in HEADINGS and _BACK.fullmatch(text) is not None


def _are_steps(texts: Iterable[str]) -> bool:
    words = {word for text in texts for word in text.lower().translate(_NO_SIGNS).split()}
    return words <= _LEADS and not words.isdisjoint(_STEPS)


def _is_of_the_page(element: Any) -> bool:
    """Whether a line says "Back to the <a>top</a>", or what a page says of its own HTML."""
    addresses = [link.get("href") or "" for link in element.iter("a")]
    if any(map(_VALIDATED.match, addresses)):
        return True
    text = " ".join("".join(element.itertext()).split())
    return any(address.startswith("#") for address in addresses) and _TO_THE_TOP.fullmatch(text) is not None
