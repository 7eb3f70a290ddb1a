# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
HTML: questions and answers that a page declares or shows.

Declared in JSON-LD or in microdata as schema.org's ``FAQPage`` or ``QAPage``, shown as ``<details>`` or ``<dl>``. Many
pages do both, so a question that one form has given is passed over in the forms that come after it.
"""

import re
from collections.abc import Collection, Iterator
from functools import partial
from typing import Any, BinaryIO, Final

from extruct.jsonld import JsonLdExtractor
from extruct.w3cmicrodata import MicrodataExtractor
from w3lib.encoding import html_body_declared_encoding

from answer_selection.indexing.formats import faq_page
from answer_selection.indexing.formats.lines import decode
from answer_selection.indexing.formats.raw import Problem, RawEntry
from answer_selection.indexing.formats.readable import parse, readable_text

_HEADING: Final = re.compile(r"h[1-6]")
_JSON_LD: Final = "application/ld+json"


def read(stream: BinaryIO, encoding: str | None = None, *, base_url: str | None = None) -> Iterator[RawEntry | Problem]:
    """
    Read a whole page.

    The headings above a ``<details>`` or ``<dl>`` are its entries' heading path, and so is the summary of an outer
    ``<details>``. One without text of its own around others is a section.

    :param stream: the page's bytes, in the encoding that they declare, or else in UTF-8.
    :param encoding: the encoding that was declared outside the page, if any; it wins, as in browsers.
    :param base_url: the page's address: links that are relative to it become absolute.
    :returns: a raw entry a question, its answer as readable text.
    :raises EncodingError: if a byte is no text.
    """
    data = stream.read()
    root, cut_off = parse(decode(data, encoding or _declared_encoding(data)), base_url)
    found = False
    given: set[str] = set()
    for form in (partial(_json_ld, base_url=base_url), _microdata, _shown):
        of_this_form: set[str] = set()
        for item in form(root) if root is not None else ():
            found = True
            question = " ".join(item.fields.get("question", "").split()).lower() if isinstance(item, RawEntry) else ""
            if not question or question not in given:
                yield item
            of_this_form.add(question)
        given |= of_this_form
    if cut_off is not None:
        yield Problem("", None, str(cut_off))
    elif not found and data.strip():
        expected = "schema.org questions in JSON-LD or microdata, <details> or <dl>"
        yield Problem("", None, f"expected questions and answers as {expected}; found none", nothing=True)


def _declared_encoding(data: bytes) -> str | None:
    """The encoding that a page says it is in; None, which is UTF-8, where it says nothing that can be true."""
    declared = html_body_declared_encoding(data)
    # A declaration that can be read as ASCII cannot be in UTF-16: such pages are UTF-8, as the HTML standard says.
    if declared is None or declared.startswith("utf-16"):
        return None
    try:
        # Python has encodings that no text is in, such as "undefined".
        b"<html>".decode(declared)
    except (LookupError, UnicodeError):
        return None
    return declared


def _json_ld(root: Any, base_url: str | None) -> Iterator[RawEntry | Problem]:
    extractor = JsonLdExtractor()
    for script in root.iterdescendants("script"):
        if script.get("type", "").partition(";")[0].strip().lower() != _JSON_LD:
            continue
        script.set("type", _JSON_LD)  # as the extractor wants it, without case and parameters
        location = f"JSON-LD in line {script.sourceline}"
        try:
            # One script at a time, so that a broken one does not stop the others.
            values = extractor.extract_items(script)
        except (ValueError, RecursionError) as error:
            yield Problem(location, None, f"expected JSON: {error}")
        else:
            yield from faq_page.entries(values, location, base_url=base_url)


class _ReadableMicrodata(MicrodataExtractor):  # type: ignore[misc]
    # extruct would flatten lists, tables and links.
    def _extract_textContent(self, node: Any) -> str:  # noqa: N802
        return readable_text(node)

    # extruct's own looks for an item's properties through all items inside it, which of nested ones takes the fourth
    # power of their number: hours for a page whose elements have no end tags.
    def _extract_properties(self, node: Any, **known: Any) -> Iterator[tuple[str, Any]]:
        waiting = list(reversed(node))
        while waiting:
            element = waiting.pop()
            if element.get("itemprop") is not None:
                yield from self._extract_property(element, **known)
            if element.get("itemscope") is None:
                waiting += reversed(element)


def _microdata(root: Any) -> Iterator[RawEntry | Problem]:
    if root.find(".//*[@itemscope]") is None:
        return
    try:
        items = _ReadableMicrodata(add_html_node=True).extract_items(root, base_url="")
        questions = [question for item in items for question in _microdata_questions(item)]
    except RecursionError:
        yield Problem("microdata", None, "items are nested too deeply in one another")
    else:
        yield from questions


def _microdata_questions(item: Any) -> Iterator[RawEntry | Problem]:
    if not isinstance(item, dict):
        return
    node = _as_json_ld(item)
    if "Question" in faq_page.types_of(node):
        element = item["htmlNode"]
        yield from faq_page.entries(node, f"<{element.tag} itemscope> in line {element.sourceline}", is_html=False)
        return
    for value in item.get("properties", {}).values():
        for part in value if isinstance(value, list) else [value]:
            yield from _microdata_questions(part)


def _as_json_ld(item: dict[str, Any]) -> dict[str, Any]:
    def convert(value: Any) -> Any:
        if isinstance(value, list):
            return [convert(part) for part in value]
        return _as_json_ld(value) if isinstance(value, dict) and "htmlNode" in value else value

    node = {name: convert(value) for name, value in item.get("properties", {}).items()}
    node["@type"] = item.get("type", "")
    if "id" in item:
        node["@id"] = item["id"]
    if "value" in item:
        node.setdefault("text", item["value"])
    return node


def _shown(root: Any) -> Iterator[RawEntry | Problem]:
    headings: list[tuple[int, str]] = []
    for element in root.iterdescendants("details", "dl", "h1", "h2", "h3", "h4", "h5", "h6"):
        if _HEADING.fullmatch(element.tag):
            # One inside a question or an answer is no heading of what comes after.
            if not _is_inside(element, "details", "dl"):
                level = int(element.tag[1])
                while headings and headings[-1][0] >= level:
                    headings.pop()
                if text := " ".join(readable_text(element).split()):
                    headings.append((level, text))
        elif _is_inside(element, "dd"):
            continue  # part of an answer
        elif element.tag == "details":
            yield from _details(element, tuple(text for _, text in headings))
        elif not _is_inside(element, "details"):
            yield from _definitions(element, tuple(text for _, text in headings))


def _is_inside(element: Any, *tags: str) -> bool:
    return next(element.iterancestors(*tags), None) is not None


def _summary(element: Any) -> Any:
    return next((child for child in element if child.tag == "summary"), None)


def _question(element: Any, without: Collection[Any] = ()) -> str:
    return "" if element is None else " ".join(readable_text(element, without).split())


def _details(element: Any, headings: tuple[str, ...]) -> Iterator[RawEntry]:
    inner = list(element.iterdescendants("details"))
    summary = _summary(element)
    answer = readable_text(element, [*inner, *([] if summary is None else [summary])])
    if inner and not answer:
        return
    outer = [text for ancestor in element.iterancestors("details") if (text := _question(_summary(ancestor)))]
    path = (*headings, *reversed(outer))
    yield RawEntry(f"<details> in line {element.sourceline}", {"question": _question(summary), "answer": answer}, path)


def _definitions(element: Any, headings: tuple[str, ...]) -> Iterator[RawEntry]:
    # Other elements may stand around each group, or each term; what is in a list inside belongs to that.
    parts = [part for part in element.iterdescendants("dt", "dd") if next(part.iterancestors("dl")) is element]
    # libxml2 puts a term or an answer into the one before if that has no end tag.
    others = frozenset(parts)
    terms: list[Any] = []
    answers: list[str] = []
    for part in [*parts, None]:
        if part is None or (part.tag == "dt" and answers):
            for term in terms:
                fields = {"question": _question(term, others), "answer": "\n\n".join(answers)}
                yield RawEntry(f"<dt> in line {term.sourceline}", fields, headings)
            terms, answers = [], []
        if part is None:
            continue
        if part.tag == "dt":
            terms.append(part)
        elif terms:
            answers.append(readable_text(part, others))
        elif text := readable_text(part, others):
            yield RawEntry(f"<dd> in line {part.sourceline}", {"question": "", "answer": text}, headings)
