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
# Tags that pages have. "--name <value>" and "Vec<String>" are text.
_BLOCK: Final = "blockquote|div|h[1-6]|hr|li|ol|p|pre|section|table|ul"
_INLINE: Final = "a|b|code|em|i|small|span|strong|sub|sup|tt|u"
_KNOWN: Final = re.compile(rf"(?i)</(?:{_INLINE}|{_BLOCK})>|<(?:br|img|hr|p)(?:[\s/][^<>]*)?>")
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
    :returns: the text with its character references read, if it has none of the tags that pages have; or else its
        content.
    :raises CutOffHtmlError: if not all of the HTML can be read.
    """
    if not _KNOWN.search(text):
        return _REFERENCE.sub(lambda found: unescape(found[0]), text)
    # Lines and paragraphs of Markdown would be one line of HTML.
    html = text if _BEGINS_WITH_BLOCK.match(text.lstrip()) else str(MarkdownIt("commonmark").render(text))
    return readable_html(html, base_url)
