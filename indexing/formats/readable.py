# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Readable text out of HTML: paragraphs, lists, tables, links and code stay what they are, tags go."""

import re
from collections.abc import Collection, Iterator
from typing import Any, Final
from urllib.parse import urljoin

import lxml.etree
import lxml.html

from answer_selection.indexing.formats.lines import plain_newlines

# What begins and ends on a line of its own; the second group has an empty line around it.
_BLOCKS: Final = frozenset(
    "address article aside body dd details div dl dt fieldset figcaption figure footer form header hgroup html li main "
    "menu nav section summary tbody tfoot thead tr".split()
)
# Stand in a line, each for itself.
_APART: Final = frozenset(["button", "label"])
_PARAGRAPHS: Final = frozenset("blockquote h1 h2 h3 h4 h5 h6 hr ol p pre table ul".split())
# What no browser shows.
HIDDEN: Final = frozenset("head noscript script style svg template title".split())
UNCUT: Final = HIDDEN | {"pre"}
"""What no question is looked for in."""
_OF_THE_HEAD: Final = frozenset(
    ["base", "link", "meta", "noscript", "script", "style", "template", "title", lxml.etree.Comment, lxml.etree.PI]
)
_LAYOUT: Final = frozenset(["td", "th", "tr"])
# As many digits as numbers of list items have in browsers.
_NUMBER: Final = re.compile(r"[+-]?[0-9]{1,9}")
_LINE_NUMBERS: Final = re.compile(r"[0-9\s]*")
# "<a name=Q5><b>Q5</a>. How can I draw it?</b>": libxml2 ends the bold print with the link, browsers go on with it.
_BOLD_BEYOND_A_LINK: Final = re.compile(
    r"(?i)(<a\s[^<>]{1,300}>)\s{0,9}(<(?:b|strong)>)([^<]{0,60})</a>(?!\s{0,9}</(?:b|strong)>)"
)


class CutOffHtmlError(ValueError):
    """The parser stopped before the end of a text; the message says where and why."""


def parse(html: str, base_url: str | None = None) -> tuple[Any, CutOffHtmlError | None]:
    """
    Parse a page or a fragment of one.

    :param html: the text.
    :param base_url: the page's address: links that are relative to it become absolute.
    :returns: its root element, or None if there is nothing in it; and an error if there is more in the text than in
        the tree.
    """
    html = _BOLD_BEYOND_A_LINK.sub(r"\2\1\3</a>", html.replace("\0", "\ufffd"))
    # Half of a surrogate pair is no character.
    data = plain_newlines(html).encode(errors="replace")
    # `huge_tree` lets elements be nested 2,048 deep instead of 256, and lifts the bound on a text of 10 MB.
    parser = lxml.html.HTMLParser(encoding="utf-8", huge_tree=True)
    try:
        root = lxml.html.document_fromstring(data, parser=parser, ensure_head_body=True)
    except lxml.etree.ParserError:  # nothing, or nothing but comments
        root = None
    if root is not None and base_url:
        _make_links_absolute(root, base_url)
    # Wrong HTML is repaired. What is fatal ends the parsing, and whatever comes after it is not in the tree.
    if root is not None:
        _bring_into_body(root)
    fatal = next(iter(parser.error_log.filter_from_fatals()), None)
    if fatal is None:
        return root, None
    why = fatal.message.partition(", use ")[0]
    return root, CutOffHtmlError(f"the HTML cannot be read beyond its line {fatal.line}: {why}")


def _bring_into_body(root: Any) -> None:
    """As in browsers: libxml2 leaves a ``<main>`` or ``<article>`` in the head if the page has no ``<body>`` tag."""
    head, body = root.find("head"), root.find("body")
    if head is None or body is None:
        return
    children = list(head)
    first = next((i for i, child in enumerate(children) if child.tag not in _OF_THE_HEAD), len(children))
    for position, child in enumerate(children[first:]):
        body.insert(position, child)


def _make_links_absolute(root: Any, base_url: str) -> None:
    base = root.find(".//base[@href]")
    if base is not None:
        base_url = _joined(base_url, base.get("href"))
    for link in root.iterdescendants("a"):
        address = (link.get("href") or "").strip()
        # A place in the same page is no address for who reads the answer elsewhere, and is left out of the text.
        if address and not address.startswith("#"):
            link.set("href", _joined(base_url, address))


def _joined(base_url: str, address: str) -> str:
    try:
        return urljoin(base_url, address.strip())
    except ValueError:  # such as "http://[" in the page
        return address


def readable_html(html: str, base_url: str | None = None) -> str:
    """
    Make HTML readable.

    :param html: a page or a fragment of one.
    :param base_url: the page's address: links that are relative to it become absolute.
    :returns: its content as :func:`readable_text` gives it.
    :raises CutOffHtmlError: if not all of it can be read.
    """
    root, error = parse(html, base_url)
    if error is not None:
        raise error
    return "" if root is None else readable_text(root)


def readable_text(element: Any, without: Collection[Any] = ()) -> str:
    """
    Give an element's content as text.

    Paragraphs are parted by an empty line, list items begin with ``-`` or their number, cells of a table's row are
    parted by ``|``, a link is followed by its address in brackets, preformatted text keeps its lines.

    :param element: an lxml element.
    :param without: elements inside it that are left out.
    :returns: readable text, perhaps empty.
    """
    return readable_parts(element, (), without)[None]


def readable_line(element: Any, without: Collection[Any] = ()) -> str:
    """
    Give an element's content as one line, as for a question.

    :param element: an lxml element.
    :param without: elements inside it that are left out.
    :returns: its text, without the addresses of links, and without what images show, unless there is nothing else.
    """
    images = frozenset(element.iter("img"))
    for hidden in (images, frozenset[Any]()) if images else (images,):
        writer = _Writer(_as_set(without), hidden=hidden, has_addresses=False)
        writer.write(element)
        if line := " ".join(writer.text().split()):
            return line
    return ""


def readable_parts(element: Any, cuts: Collection[Any], without: Collection[Any] = ()) -> dict[Any, str]:
    """
    Give an element's content as text, cut where some of its elements are.

    :param element: an lxml element.
    :param cuts: elements inside it, none inside another, in any order.
    :param without: elements inside it that are left out.
    :returns: in the page's order, by cut, the text after it, up to the next one; by None, the text before the first.
        The cuts' own text is in none of them. A cut that is not shown is left out.
    """
    holders: set[Any] = set()
    for cut in cuts:
        for ancestor in cut.iterancestors():
            if ancestor in holders or ancestor is element:
                break
            holders.add(ancestor)
    writer = _Writer(_as_set(without), frozenset(cuts), holders)
    writer.write(element)
    return writer.parts()


def _as_set(elements: Collection[Any]) -> Collection[Any]:
    # A page's set is not copied: each of its headings is asked for.
    return elements if isinstance(elements, set | frozenset) else frozenset(elements)


# What a part of a page is written in: each step is the writing of a part inside it, to be done before the next.
_Steps = Iterator["_Steps"]


class _Writer:
    def __init__(
        self,
        without: Collection[Any],
        cuts: Collection[Any] = (),
        holders: Collection[Any] = (),
        *,
        hidden: Collection[Any] = (),
        has_addresses: bool = True,
    ) -> None:
        self._without = without
        self._hidden = hidden
        self._has_addresses = has_addresses
        self._cuts = cuts
        self._holders = holders  # of cuts
        self._parts: dict[Any, str] = {}
        self._after: Any = None  # the cut that we are behind
        self._lines: list[str] = []
        self._inline: list[str] = []
        self._indent = ""
        self._marker = ""
        self._wants_gap = False

    def write(self, element: Any) -> None:
        # With a list of what is begun: a page may be nested more deeply than Python's calls can be.
        begun: list[_Steps] = [self.children(element)]
        while begun:
            step = next(begun[-1], None)
            if step is None:
                begun.pop()
            else:
                begun.append(step)

    def text(self) -> str:
        self._end_line()
        return "\n".join(self._lines).strip("\n")

    def parts(self) -> dict[Any, str]:
        return {**self._parts, self._after: self.text()}

    def _cut(self, at: Any) -> None:
        self._parts[self._after] = self.text()
        self._after = at
        self._lines.clear()
        self._indent = self._marker = ""
        self._wants_gap = False

    def children(self, element: Any) -> _Steps:
        self._inline.append(element.text or "")
        for child in element:
            if child in self._cuts:
                self._cut(child)
            elif self._is_shown(child):
                yield self._element(child)
            self._inline.append(child.tail or "")

    def _is_shown(self, element: Any) -> bool:
        # A comment has no name.
        return (
            isinstance(element.tag, str)
            and element.tag not in HIDDEN
            and element not in self._without
            and element not in self._hidden
        )

    def _element(self, element: Any) -> _Steps:
        tag = element.tag
        if tag == "br":
            self._end_line()
        elif tag == "img":
            self._inline.append(element.get("alt") or "")
        elif tag in _LAYOUT and element in self._holders:
            # A table that has questions in its cells is there for their places.
            self._end_line()
            yield self.children(element)
            self._end_line()
        elif tag == "a" and self._has_addresses and element not in self._holders:
            yield self._link(element)
        elif tag in ("ol", "ul"):
            yield self._list(element)
        elif tag == "tr":
            yield self._row(element)
        elif tag == "pre":
            self._preformatted(element)
        elif tag in _PARAGRAPHS:
            self._gap()
            yield self.children(element)
            self._gap()
        elif tag in _BLOCKS:
            self._end_line()
            yield self.children(element)
            self._end_line()
        elif tag in _APART:
            self._inline.append(" ")
            yield self.children(element)
            self._inline.append(" ")
        else:
            yield self.children(element)

    def _end_line(self) -> None:
        line = " ".join("".join(self._inline).split())
        self._inline.clear()
        if line:
            self._add(line)

    def _gap(self) -> None:
        self._end_line()
        # A list item's own first paragraph stands on the line of its marker.
        self._wants_gap = not self._marker

    def _add(self, line: str) -> None:
        if self._wants_gap and self._lines and self._lines[-1]:
            self._lines.append("")
        self._wants_gap = False
        self._lines.append(f"{self._indent}{self._marker}{line}".rstrip())
        self._indent += " " * len(self._marker)
        self._marker = ""

    def _link(self, element: Any) -> _Steps:
        before = len(self._inline)
        yield self.children(element)
        text = " ".join("".join(self._inline[before:]).split())
        address = (element.get("href") or "").strip()
        if address and not address.lower().startswith(("#", "javascript:")) and address.removeprefix("mailto:") != text:
            self._inline.append(f" ({address})" if text else "")

    def _list(self, element: Any) -> _Steps:
        nested = element.getparent() is not None and element.getparent().tag == "li"
        if nested:
            self._end_line()
        else:
            self._gap()
            if self._wants_gap and self._lines and self._lines[-1]:
                # Now, as the first item's own paragraph has none before it.
                self._lines.append("")
        start = element.get("start", "1").strip()
        number = int(start) if _NUMBER.fullmatch(start) else 1
        outer = self._indent
        self._inline.append(element.text or "")
        for child in element:
            if child.tag == "li" and self._is_shown(child):
                self._end_line()
                self._indent, self._marker = outer, f"{number}. " if element.tag == "ol" else "- "
                number += 1
                yield self.children(child)
                self._end_line()
                self._indent, self._marker = outer, ""
            elif child in self._cuts:
                self._cut(child)
            elif self._is_shown(child):
                yield self._element(child)
            self._inline.append(child.tail or "")
        if not nested:
            self._gap()

    def _row(self, element: Any) -> _Steps:
        self._end_line()
        shown = [child for child in element if self._is_shown(child)]
        frames = [child for child in shown if child.tag in ("td", "th")]
        is_whole = len(frames) == len(shown) and not any((one or "").strip() for one in _between(element))
        if is_whole and (len(frames) == 1 or any(map(_is_code, frames)) or _is_one_among_spacers(frames)):
            # A frame around a block, or code beside the numbers of its lines, is no table.
            for frame in frames:
                if len(frames) == 1 or not _LINE_NUMBERS.fullmatch("".join(frame.itertext())):
                    yield self.children(frame)
                    self._end_line()
            return
        cells = [element.text or ""] if (element.text or "").strip() else []
        for child in element:
            if self._is_shown(child):
                cell = _Writer(self._without)
                yield cell.children(child)
                if child.tag in ("td", "th") or cell.text():
                    cells.append(cell.text())
            if (child.tail or "").strip():
                cells.append(child.tail)
        if any(cells):
            self._add(" | ".join(" ".join(cell.split()) for cell in cells))

    def _preformatted(self, element: Any) -> None:
        self._gap()
        parts = []
        for event, node in lxml.etree.iterwalk(element, events=("start", "end", "comment", "pi")):
            if event == "start":
                parts += ["\n" if node.tag == "br" else "", node.text or ""]
            elif node is not element:
                parts.append(node.tail or "")
        for line in "".join(parts).strip("\n").split("\n"):
            self._add(line)
        self._gap()


def _is_one_among_spacers(frames: list[Any]) -> bool:
    """Whether one of a row's cells holds paragraphs, and the others nothing: they are there for its place."""
    filled = [frame for frame in frames if "".join(frame.itertext()).strip()]
    return len(filled) == 1 and next(filled[0].iterdescendants("p", "ul", "ol", "pre"), None) is not None


def _between(element: Any) -> list[str | None]:
    """The texts that stand in an element, and in none of its children."""
    return [element.text, *(child.tail for child in element)]


def _is_code(cell: Any) -> bool:
    """Whether a table's cell holds preformatted text, also in a block of its own."""
    first = cell[:1]
    return any(one.tag == "pre" for one in (*first, *(inner for one in first for inner in one[:1])))
