# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
FML: the FAQs of sites that Maven makes (https://maven.apache.org/doxia/references/fml-format.html).

A ``<faq>`` has a ``<question>`` and an ``<answer>`` in HTML; a ``<part>`` around some has a ``<title>``.
"""

from collections.abc import Iterator
from typing import Any, BinaryIO, Final

import lxml.html

from answer_selection.indexing.formats.raw import Problem, RawEntry
from answer_selection.indexing.formats.readable import readable_html
from answer_selection.indexing.formats.xml_source import local_name, parse_xml, xml_text

# FML's own element for code. In HTML one of this name holds nothing.
_CODE: Final = "source"


def read(stream: BinaryIO, encoding: str | None = None, *, base_url: str | None = None) -> Iterator[RawEntry | Problem]:
    """
    Read a whole file.

    :param stream: the file's bytes, in the encoding that they declare, or else in UTF-8.
    :param encoding: the declared encoding, if any.
    :param base_url: the address of the file: links that are relative to it become absolute.
    :returns: one raw entry a question, with the titles of the file and of its part as headings.
    :raises EncodingError: if a byte is no text.
    """
    data = stream.read()
    if data.strip():
        root, _, _ = parse_xml(xml_text(data, encoding))
        yield from entries(root, base_url)


def entries(root: Any, base_url: str | None) -> Iterator[RawEntry | Problem]:
    """
    Find the entries of a file that was parsed.

    :param root: its root element, or None.
    :param base_url: as for :func:`read`.
    :returns: as :func:`read` does.
    """
    found = [] if root is None else [one for one in root.iter() if local_name(one) == "faq"]
    if not found:
        yield Problem("", None, "expected <faq> elements, each with <question> and <answer>; found none", nothing=True)
    for one in found:
        parts = {local_name(part): part for part in reversed(one)}
        fields = {name: _readable(parts.get(name), base_url) for name in ("question", "answer")}
        fields["question"] = " ".join(fields["question"].split())
        if one.get("id"):
            fields["anchor"] = one.get("id")
        yield RawEntry(f"<faq> in line {one.sourceline}", fields, tuple(filter(None, _titles(one))))


def _titles(faq: Any) -> Iterator[str]:
    """The titles of all that is around, the outermost first."""
    for around in reversed(list(faq.iterancestors())):
        title = around.find("{*}title")
        yield " ".join((around.get("title") or ("" if title is None else "".join(title.itertext()))).split())


def _readable(element: Any, base_url: str | None) -> str:
    if element is None:
        return ""
    for part in element.iter():
        if isinstance(part.tag, str):
            part.tag = "pre" if local_name(part) == _CODE else local_name(part)
    element.tag, element.tail = "div", None
    return readable_html(lxml.html.tostring(element, encoding="unicode"), base_url).strip()
