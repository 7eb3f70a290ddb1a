# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""XML: what programs export, such as WordPress' export, feeds (RSS, Atom) and phpMyFAQ's, read as other data are."""

import re
from collections.abc import Iterator, Mapping
from io import BytesIO
from typing import Any, BinaryIO, Final

import lxml.etree

from answer_selection.indexing.formats import fml, pandoc, site_data
from answer_selection.indexing.formats.declared_encoding import declared_encoding
from answer_selection.indexing.formats.lines import decode
from answer_selection.indexing.formats.raw import Problem, RawEntry

_DOCBOOK: Final = "http://docbook.org/ns/docbook"
_DOCBOOKS_NAME: Final = "docbook"
# Elements of HTML in a text that is not escaped.
_HTML: Final = frozenset("a b blockquote br code div em h1 h2 h3 h4 h5 h6 i li ol p pre span strong table ul".split())
# WordPress has "content:encoded" and "excerpt:encoded": the end of the namespace says which.
_ENCODED: Final = "encoded"
_DECLARATION: Final = re.compile(r"\A\s*<\?xml\s[^>]{0,300}>")
_ADDRESS: Final = "href"
# Of the links of an entry of a feed, the one that readers open.
_ALTERNATE: Final = "alternate"
# As deep as a store takes values.
_DEEPEST: Final = 100


def read(
    stream: BinaryIO,
    encoding: str | None = None,
    *,
    columns: Mapping[str, str] | None = None,
    base_url: str | None = None,
    name: str = "",
) -> Iterator[RawEntry | Problem]:
    """
    Read a whole file. No entity is looked up and no address opened.

    :param stream: the file's bytes, in the encoding that they declare, or else in UTF-8.
    :param encoding: the declared encoding, if any.
    :param columns: our names of fields and the file's elements, where these are others.
    :param base_url: the address of the file: links in HTML that are relative to it become absolute.
    :param name: its path or address, for what is DocBook.
    :returns: the entries of FML as :mod:`fml` finds them and those of DocBook as :mod:`pandoc` does; or else what
        :func:`site_data.entries` finds in the elements, whose names are those of fields.
    :raises EncodingError: if a byte is no text.
    """
    data = stream.read()
    if not data.strip():
        return
    text = decode(data, encoding or declared_encoding(data))
    # Without its declaration, but on the same lines: it is UTF-8 from here on.
    source = _DECLARATION.sub(lambda found: "\n" * found[0].count("\n"), text, count=1).encode()
    parser = lxml.etree.XMLParser(recover=True, resolve_entities=False, no_network=True, load_dtd=False)
    root = lxml.etree.fromstring(source, parser)
    broken = next(iter(parser.error_log.filter_from_errors()), None)
    if root is None:
        yield Problem("", None, f"expected XML, but {'there is none' if broken is None else broken.message}")
    elif _is_docbook(root):
        # Pandoc reads entities of which others know nothing.
        yield from pandoc.read(BytesIO(data), encoding, base_url=base_url, name=name, kind="docbook")
    elif _name(root) == "faqs":
        yield from fml.read(BytesIO(data), encoding, base_url=base_url)
    elif _name(root) == "posts" and root.find("row[@PostTypeId]") is not None:
        message = "it is a dump of Stack Exchange; `answer-selection stackexchange` makes a corpus of it"
        yield Problem("", None, message, nothing=True)
    else:
        found = site_data.entries(_data(root, 0), columns=columns, base_url=base_url)
        yield from found
        # What has no entry may be anything.
        if broken is not None and any(isinstance(one, RawEntry) for one in found):
            message = f"the XML is broken there, and what follows may have been read wrongly: {broken.message}"
            yield Problem(f"line {broken.line}", None, message)


def _is_docbook(root: Any) -> bool:
    doctype = (root.getroottree().docinfo.doctype or "").lower()
    return lxml.etree.QName(root).namespace == _DOCBOOK or _DOCBOOKS_NAME in doctype


def _data(element: Any, depth: int) -> Any:
    """An element as data: its text, or an object with what is in it; several of one name are a list."""
    children = [child for child in element if isinstance(child.tag, str)]
    if depth >= _DEEPEST:
        return ""
    if not children:
        # An Atom feed has its addresses in attributes.
        return str(element.xpath("string()")).strip() or element.get(_ADDRESS, "")
    if _holds_html(element, children):
        return _as_html(element)
    found: dict[str, list[Any]] = {}
    own = lxml.etree.QName(element).namespace
    # "media:title" is no second title.
    for child in sorted(children, key=lambda child: lxml.etree.QName(child).namespace != own):
        name = _field(child)
        is_other = name in found and lxml.etree.QName(child).namespace != own
        if not is_other and child.get("rel", _ALTERNATE) == _ALTERNATE:
            found.setdefault(name, []).append(_data(child, depth + 1))
    return {
        name: values[0] if len(values) == 1 and not isinstance(values[0], dict) else values
        for name, values in found.items()
    }


def _holds_html(element: Any, children: list[Any]) -> bool:
    """Whether it is a text with tags: a field, too, may be called "a"."""
    are_tags = [_name(child) in _HTML for child in children]
    texts = (element.text, *(child.tail for child in element))
    return all(are_tags) or (any(are_tags) and any(text and text.strip() for text in texts))


def _as_html(element: Any) -> str:
    for part in element.iter():
        if isinstance(part.tag, str):
            part.tag = _name(part)
    parts = [element.text or "", *(lxml.etree.tostring(child, encoding="unicode", method="html") for child in element)]
    return "".join(parts)


def _field(element: Any) -> str:
    name = _name(element)
    namespace = lxml.etree.QName(element).namespace or ""
    return namespace.rstrip("/").rpartition("/")[2] if name == _ENCODED and namespace else name


def _name(element: Any) -> str:
    return str(lxml.etree.QName(element).localname)
