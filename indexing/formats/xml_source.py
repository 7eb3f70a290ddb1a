# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""XML of strangers: its text, and a tree for which nothing is looked up."""

import html
import re
from html.entities import html5
from typing import Any, Final

import lxml.etree

from answer_selection.indexing.formats.declared_encoding import declared_encoding
from answer_selection.indexing.formats.lines import decode

_DECLARATION: Final = re.compile(r"\A\s*<\?xml\s[^>]{0,300}>")
_ENTITY: Final = re.compile(
    r"<!ENTITY\s{1,20}([\w.:-]{1,100})\s{1,20}(?:\"([^\"&%<]{0,200})\"|'([^'&%<]{0,200})'|[\"'])"
)
_REFERENCE: Final = re.compile(
    r"(?s)<!\[CDATA\[.*?(?:\]\]>|\Z)|&(?:#(?P<number>[0-9]{1,7}|x[0-9a-fA-F]{1,6});|(?P<name>[A-Za-z_][\w.:-]{0,100});)?"
)
_OWN: Final = ("amp", "lt", "gt", "quot", "apos")


def xml_text(data: bytes, encoding: str | None = None) -> str:
    """
    Decode an XML file.

    :param data: its bytes.
    :param encoding: the encoding that was declared outside it; or else its own declaration counts, or UTF-8.
    :returns: the text.
    :raises EncodingError: if a byte is no text.
    """
    # What stands behind the first tag is text, of HTML perhaps.
    return decode(data, encoding or declared_encoding(data.partition(b">")[0] + b">"))


def without_entities(text: str) -> str:
    """
    Write out references to entities: a parser that knows nothing of one gives up what comes after it.

    :param text: an XML file.
    :returns: the text with the characters of HTML's entities and the texts of its own; of one that another file
        declares its name is left. A sign `&` that begins none is escaped.
    """
    declared = {name: one or other for name, one, other in _ENTITY.findall(text)}

    def said(found: re.Match[str]) -> str:
        name = found["name"]
        if found[0] == "&":
            return "&amp;"
        # Halves of a surrogate pair are no characters.
        if found["number"] and 0xD800 <= _number(found["number"]) <= 0xDFFF:
            return "\ufffd"
        # One that is made of others stays: they can be made to take any memory.
        if name is None or name in _OWN or declared.get(name) == "":
            return found[0]
        return html.escape(declared.get(name) or html5.get(f"{name};", name))

    return _REFERENCE.sub(said, text)


def _number(text: str) -> int:
    return int(text[1:], 16) if text.startswith("x") else int(text)


def parse_xml(text: str) -> tuple[Any, str | None, int]:
    """
    Parse an XML file. No entity is looked up, and no address opened.

    :param text: its text.
    :returns: the root element, or None; what is wrong, or None; and in which line. What is not well-formed is repaired
        as far as it goes.
    """
    # Without its declaration, but on the same lines: it is UTF-8 from here on.
    text = _DECLARATION.sub(lambda found: "\n" * found[0].count("\n"), text, count=1)
    parser = lxml.etree.XMLParser(recover=True, resolve_entities=False, no_network=True, load_dtd=False)
    source = without_entities(text).encode()
    root = lxml.etree.fromstring(source, parser) if source.strip() else None
    broken = next(iter(parser.error_log.filter_from_errors()), None)
    if broken is None:
        return root, None if root is not None else "there is none", 0
    return root, broken.message, broken.line


def local_name(element: Any) -> str:
    """
    Give an element's name without its namespace.

    :param element: the element.
    :returns: the name; of a comment, an empty text.
    """
    # By hand: a prefix that nobody declared is a part of the tag.
    return element.tag.rpartition("}")[2].rpartition(":")[2] if isinstance(element.tag, str) else ""


def namespace(element: Any) -> str:
    """
    Give an element's namespace.

    :param element: the element.
    :returns: the namespace, or its prefix if nobody declared it, or an empty text.
    """
    tag = element.tag if isinstance(element.tag, str) else ""
    return tag[1:].partition("}")[0] if tag.startswith("{") else tag.rpartition(":")[0]
