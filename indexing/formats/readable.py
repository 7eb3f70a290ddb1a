# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Readable text out of HTML: paragraphs, lists, tables, links and code stay what they are, tags go."""

from collections.abc import Collection
from typing import Any, Final

import lxml.etree
import lxml.html

# What begins and ends on a line of its own; the second group has an empty line around it.
_BLOCKS: Final = frozenset(
    "address article aside body dd details div dl dt fieldset figcaption figure footer form header hgroup html li main "
    "menu nav section summary tbody tfoot thead tr".split()
)
_PARAGRAPHS: Final = frozenset("blockquote h1 h2 h3 h4 h5 h6 hr ol p pre table ul".split())
_HIDDEN: Final = frozenset("head noscript script style svg template title".split())


def parse(html: str) -> Any:
    """
    Parse a page or a fragment of one.

    :param html: the text.
    :returns: its root element, or None if there is nothing in it.
    """
    data = html.replace("\0", "\ufffd").encode()
    try:
        return lxml.html.document_fromstring(data, parser=lxml.html.HTMLParser(encoding="utf-8"), ensure_head_body=True)
    except lxml.etree.ParserError:  # nothing, or nothing but comments
        return None


def readable_html(html: str) -> str:
    """
    Make HTML readable.

    :param html: a page or a fragment of one.
    :returns: its content as :func:`readable_text` gives it.
    """
    root = parse(html)
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
    writer = _Writer(set(without))
    writer.children(element)
    return writer.text()


class _Writer:
    def __init__(self, without: set[Any]) -> None:
        self._without = without
        self._lines: list[str] = []
        self._inline: list[str] = []
        self._indent = ""
        self._marker = ""
        self._wants_gap = False

    def text(self) -> str:
        self._end_line()
        return "\n".join(self._lines).strip("\n")

    def children(self, element: Any) -> None:
        self._inline.append(element.text or "")
        for child in element:
            if isinstance(child.tag, str) and child.tag not in _HIDDEN and child not in self._without:
                self._element(child)
            self._inline.append(child.tail or "")

    def _element(self, element: Any) -> None:
        tag = element.tag
        if tag == "br":
            self._end_line()
        elif tag == "img":
            self._inline.append(element.get("alt") or "")
        elif tag == "a":
            self._link(element)
        elif tag in ("ol", "ul"):
            self._list(element)
        elif tag == "tr":
            self._row(element)
        elif tag == "pre":
            self._preformatted(element)
        elif tag in _PARAGRAPHS:
            self._gap()
            self.children(element)
            self._gap()
        elif tag in _BLOCKS:
            self._end_line()
            self.children(element)
            self._end_line()
        else:
            self.children(element)

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
        if self._wants_gap and self._lines:
            self._lines.append("")
        self._wants_gap = False
        self._lines.append(f"{self._indent}{self._marker}{line}".rstrip())
        self._indent += " " * len(self._marker)
        self._marker = ""

    def _link(self, element: Any) -> None:
        before = len(self._inline)
        self.children(element)
        text = " ".join("".join(self._inline[before:]).split())
        address = (element.get("href") or "").strip()
        if address and not address.lower().startswith(("#", "javascript:")) and address.removeprefix("mailto:") != text:
            self._inline.append(f" ({address})" if text else address)

    def _list(self, element: Any) -> None:
        nested = element.getparent() is not None and element.getparent().tag == "li"
        if nested:
            self._end_line()
        else:
            self._gap()
        number = int(start) if (start := element.get("start", "1")).isdecimal() else 1
        outer = self._indent
        for child in element:
            if child.tag == "li" and child not in self._without:
                self._end_line()
                self._indent, self._marker = outer, f"{number}. " if element.tag == "ol" else "- "
                number += 1
                self.children(child)
                self._end_line()
                self._indent, self._marker = outer, ""
            elif isinstance(child.tag, str) and child not in self._without:
                self._element(child)
        if not nested:
            self._gap()

    def _row(self, element: Any) -> None:
        self._end_line()
        cells = [readable_text(cell, self._without) for cell in element if cell.tag in ("td", "th")]
        if any(cells):
            self._add(" | ".join(" ".join(cell.split()) for cell in cells))

    def _preformatted(self, element: Any) -> None:
        self._gap()
        for line in element.text_content().strip("\n").split("\n"):
            self._add(line)
        self._gap()
