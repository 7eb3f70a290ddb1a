# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Texts that may hold HTML, made readable: those of JSON-LD, and those of FAQs that sites keep in JSON or YAML."""

import re
from html import unescape
from typing import Final

from markdown_it import MarkdownIt

from answer_selection.indexing.formats.readable import readable_html

# A whole tag, so that "if a < b" and "a<b" are text; a comment; a character reference.
_HTML: Final = re.compile(r"</?[a-zA-Z][\w-]*(?:\s[^<>]*)?/?>|<!--|&(?:#\d+|#x[0-9a-fA-F]+|\w+);")
_ESCAPED_HTML: Final = re.compile(r"&lt;(?:a|b|br|div|em|h[1-6]|i|ol|p|span|strong|table|ul)(?:\s|/|&gt;)")
_REFERENCE: Final = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_TAG: Final = re.compile(r"<(?P<ends>/?)(?P<name>[a-zA-Z][\w-]{0,40})(?:\s[^<>]{0,2000})?/?>")
_VOID: Final = frozenset(["br", "hr", "img"])
_LONGEST_MARKDOWN: Final = 100_000
# Tags that pages have. "--name <value>" and "Vec<String>" are text.
_BLOCK: Final = "blockquote|div|h[1-6]|hr|li|ol|p|pre|section|table|ul"
_INLINE: Final = "a|b|code|em|i|small|span|strong|sub|sup|tt|u"
_KNOWN: Final = re.compile(rf"(?i)</(?:{_INLINE}|{_BLOCK})>|<(?:br|img|hr|p)(?:[\s/][^<>]*)?>")
_ENDS_WITH_BLOCK: Final = re.compile(rf"(?i)</(?:{_BLOCK})>\Z")
_KNOWN_NAME: Final = re.compile(rf"(?:{_INLINE}|{_BLOCK})")
_BEGINS_WITH_BLOCK: Final = re.compile(rf"(?i)<(?:{_BLOCK})[\s/>]")


def readable_markup(text: str, base_url: str | None = None) -> str:
    """
    Make a text readable that is plain, or HTML, or HTML that a template has escaped once more as a whole.

    :param text: the text.
    :param base_url: the address of its page: links in HTML that are relative to it become absolute.
    :returns: the text; of HTML its content.
    :raises CutOffHtmlError: if not all of the HTML can be read.
    """
    was_escaped = _ESCAPED_HTML.match(text)
    if _HTML.search(text):
        text = readable_html(text, base_url)
    return readable_html(text, base_url) if was_escaped else text


def readable_value(text: str, base_url: str | None = None) -> str:
    """
    Make a value of a site's data readable, which is plain text, Markdown, HTML, or Markdown with HTML in it.

    :param text: the value.
    :param base_url: the address of its file: links in HTML that are relative to it become absolute.
    :returns: the text as it is, if it has none of the tags that pages have; or else its content.
    :raises CutOffHtmlError: if not all of the HTML can be read.
    """
    if not _KNOWN.search(text):
        return text
    # Lines and paragraphs of Markdown would be one line of HTML. Of a very long text Markdown's parser takes minutes.
    is_html = _BEGINS_WITH_BLOCK.match(text.lstrip()) or len(text) > _LONGEST_MARKDOWN
    return readable_html(text if is_html else str(MarkdownIt("commonmark").render(text)), base_url)


def readable_export(text: str, base_url: str | None = None) -> str:
    """
    Make a text readable that comes out of a program that keeps HTML.

    :param text: the text.
    :param base_url: as for :func:`readable_value`.
    :returns: as :func:`readable_value` does; also without tags its character references are read, but beside Markdown's
        code, in which they are what they are.
    :raises CutOffHtmlError: if not all of the HTML can be read.
    """
    if _KNOWN.search(text) or "`" in text:
        return readable_value(text, base_url)
    return _REFERENCE.sub(lambda found: unescape(found[0]), text)


def readable_cell(text: str, base_url: str | None = None) -> str:
    """
    Make a cell of a table readable that a program has exported as HTML.

    :param text: the cell.
    :param base_url: the address of its file: links in HTML that are relative to it become absolute.
    :returns: the content of what begins and ends with a block of HTML, and has known tags alone that all end; any
        other text as it is: it may be Markdown, or speak of a tag.
    :raises CutOffHtmlError: if not all of the HTML can be read.
    """
    whole = text.strip()
    if not (_BEGINS_WITH_BLOCK.match(whole) and _ENDS_WITH_BLOCK.search(whole[-20:]) and _is_closed(whole)):
        return text
    # What shows nothing, such as a picture, was meant to be there.
    return readable_html(text, base_url).strip() or text


def _is_closed(text: str) -> bool:
    """Whether there are tags in a text, and only known ones, each of which ends."""
    opened: list[str] = []
    found = False
    for tag in _TAG.finditer(text):
        name = tag["name"].lower()
        if name in _VOID:
            continue
        if _KNOWN_NAME.fullmatch(name) is None or (tag["ends"] and (not opened or opened.pop() != name)):
            return False
        if not tag["ends"]:
            opened.append(name)
        found = True
    return found and not opened
