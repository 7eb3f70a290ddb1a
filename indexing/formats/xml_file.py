# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""XML: what programs export, such as WordPress' export, feeds (RSS, Atom) and phpMyFAQ's, read as other data are."""

from collections.abc import Iterator, Mapping
from html import escape
from io import BytesIO
from typing import Any, BinaryIO, Final

import lxml.etree

from answer_selection.indexing.formats import fml, pandoc, site_data
from answer_selection.indexing.formats.raw import Problem, RawEntry
from answer_selection.indexing.formats.storable import DEEPEST
from answer_selection.indexing.formats.xml_source import local_name, namespace, parse_xml, xml_text

_DOCBOOK: Final = "http://docbook.org/ns/docbook"
_DOCBOOKS_NAME: Final = "docbook"
# Elements of HTML in a text that is not escaped.
_HTML: Final = frozenset(
    "a abbr b blockquote br center code dd del div dl dt em figcaption figure font h1 h2 h3 h4 h5 h6 hr i iframe img "
    "ins kbd li ol p pre samp small span strike strong sub sup table tbody td tfoot th thead tr tt u ul "
    "var video".split()
)
# WordPress has "content:encoded" and "excerpt:encoded": the end of the namespace says which.
_ENCODED: Final = "encoded"
_ADDRESS: Final = "href"
# Of the links of an entry of a feed, the one that readers open.
_ALTERNATE: Final = "alternate"
_ID: Final = "id"
# WordPress' tags of an article are no categories.
_TAG: Final = "post_tag"
# Of an element without a text: one alone says how the others are meant.
_FEWEST: Final = 2


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
    root, broken, line = parse_xml(xml_text(data, encoding))
    if root is None:
        yield Problem("", None, f"expected XML, but {broken}")
    elif _is_docbook(root):
        yield from pandoc.read(BytesIO(data), encoding, base_url=base_url, name=name, kind="docbook")
    elif not columns and _is_fml(root):
        yield from fml.entries(root, base_url)
    elif local_name(root) == "posts" and root.find("row[@PostTypeId]") is not None:
        message = "it is a dump of Stack Exchange; `answer-selection stackexchange` makes a corpus of it"
        yield Problem("", None, message, nothing=True)
    else:
        cut: list[int] = []
        found = site_data.entries(_data(root, 0, cut), columns=columns, base_url=base_url)
        any_found = any(isinstance(one, RawEntry) for one in found)
        # What has no entry may be anything.
        if any_found or broken is None:
            yield from found
        if broken is not None and any_found:
            message = f"the XML is broken there, and what follows may have been read wrongly: {broken}"
            yield Problem(f"line {line}", None, message)
        elif broken is not None:
            yield Problem("", None, f"expected XML, but in line {line} it is broken: {broken}", nothing=True)
        if any_found and cut:
            yield Problem(f"line {cut[0]}", None, f"elements are nested more than {DEEPEST} deep; these are not read")


def _is_docbook(root: Any) -> bool:
    doctype = (root.getroottree().docinfo.doctype or "").lower()
    return namespace(root) == _DOCBOOK or _DOCBOOKS_NAME in doctype


def _is_fml(root: Any) -> bool:
    if local_name(root) != "faqs":
        return False
    return any(root.find(path) is not None for path in ("{*}faq/{*}question", "{*}part/{*}faq/{*}question"))


def _data(element: Any, depth: int, cut: list[int]) -> Any:
    """
    An element as data: its text, or an object with what is in it; several of one name are a list.

    The lines of elements that are nested too deeply are added to `cut`.
    """
    children = [child for child in element if isinstance(child.tag, str)]
    if depth >= DEEPEST:
        cut.append(element.sourceline)
        return ""
    if not children:
        # An Atom feed has its addresses in attributes.
        text = str(element.xpath("string()")).strip() or element.get(_ADDRESS, "")
        return text if text or len(element.attrib) < _FEWEST else dict(element.attrib)
    if _holds_html(element, children):
        return _as_html(element)
    found: dict[str, list[Any]] = {}
    own = namespace(element)
    # "media:title" is no second title.
    for child in sorted(children, key=lambda child: namespace(child) != own):
        name = _field(child)
        is_other = name in found and namespace(child) != own
        is_other = is_other or child.get("domain") == _TAG or child.get("rel", _ALTERNATE) != _ALTERNATE
        if not is_other:
            found.setdefault(name, []).append(_data(child, depth + 1, cut))
    if _ID in element.attrib:
        found.setdefault(_ID, [element.get(_ID)])
    return {
        name: values[0] if len(values) == 1 and not isinstance(values[0], dict) else values
        for name, values in found.items()
    }


def _holds_html(element: Any, children: list[Any]) -> bool:
    """Whether it is a text with tags: a field, too, may be called "a"."""
    texts = (element.text, *(child.tail for child in element))
    if any(text and text.strip() for text in texts):
        return any(local_name(child) in _HTML for child in children)
    return all(local_name(part) in _HTML for part in element.iterdescendants() if isinstance(part.tag, str))


def _as_html(element: Any) -> str:
    for part in element.iter():
        if isinstance(part.tag, str):
            part.tag = local_name(part)
    parts = (lxml.etree.tostring(child, encoding="unicode", method="html") for child in element)
    return "".join([escape(element.text or ""), *parts])


def _field(element: Any) -> str:
    name = local_name(element)
    return namespace(element).rstrip("/").rpartition("/")[2] or name if name == _ENCODED else name
