# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
HTML: questions and answers that a page declares or shows.

Declared in JSON-LD or in microdata as schema.org's ``FAQPage`` or ``QAPage``, shown as ``<details>`` or ``<dl>``. Many
pages do both, so a question that one form has given is passed over in the forms that come after it.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, BinaryIO, Final

from extruct.jsonld import JsonLdExtractor
from extruct.w3cmicrodata import MicrodataExtractor

from answer_selection.indexing.formats import (
    faq_page,
    front_matter,
    outline,
    page,
    page_entries,
    question_lines,
    sections,
)
from answer_selection.indexing.formats.declared_encoding import declared_encoding
from answer_selection.indexing.formats.elements import HEADINGS
from answer_selection.indexing.formats.lines import decode, plain_newlines
from answer_selection.indexing.formats.own_words import told_apart
from answer_selection.indexing.formats.questions import without_marks
from answer_selection.indexing.formats.raw import Problem, RawEntry
from answer_selection.indexing.formats.readable import parse, readable_line, readable_text
from answer_selection.indexing.formats.templates import is_filled_in, without_template_tags

_JSON_LD: Final = "application/ld+json"
_NEARLY_ALL: Final = 0.8
_OF_ONE: Final = ("QAPage", faq_page.POSTING)


def read(
    stream: BinaryIO, encoding: str | None = None, *, base_url: str | None = None, name: str = ""
) -> Iterator[RawEntry | Problem]:
    """
    Read a whole page.

    The headings above a ``<details>`` or ``<dl>`` are its entries' heading path, and so is the summary of an outer
    ``<details>``. One without text of its own around others is a section.

    :param stream: the page's bytes, in the encoding that they declare, or else in UTF-8.
    :param encoding: the encoding that was declared outside the page, if any; it wins, as in browsers.
    :param base_url: the page's address: links that are relative to it become absolute.
    :param name: the page's path or address, which may say that it is an FAQ.
    :returns: a raw entry a question, its answer as readable text.
    :raises EncodingError: if a byte is no text.
    """
    data = stream.read()
    # Jekyll's pages begin with it.
    values, text = front_matter.split(plain_newlines(decode(data, encoding or declared_encoding(data))))
    text = without_template_tags(text)
    root, cut_off = parse(text, base_url)
    is_page = root is not None and page.is_faq_page(root, name)
    items = (
        ()
        if root is None
        else told_apart(_entries(root, front_matter.entries(values, base_url), base_url, is_faq=is_page))
    )
    any_found = yield from page_entries.entries(root, cut_off, items, is_page=is_page)
    if not any_found and data.strip():
        expected = "schema.org questions in JSON-LD or microdata, headings that ask, <details>, <dl> or accordions"
        other = "" if is_page else ". If it is an FAQ, give it a title or a file name that says so"
        yield Problem("", None, f"expected questions and answers as {expected}; found none{other}", nothing=True)


def _entries(root: Any, above: list[RawEntry], base_url: str | None, *, is_faq: bool) -> Iterator[RawEntry | Problem]:
    """The page's questions. One that several forms have is the first form's, with the anchor of the one shown."""
    forms: list[list[RawEntry | Problem]] = [[*above], list(_json_ld(root, base_url)), list(_microdata(root))]
    declared = sum(isinstance(item, RawEntry) for form in forms for item in form)
    # On a page of one question, what else asks is asked by who answers, or leads to other pages.
    has_no_other = declared > 0 and not is_faq and _is_of_one_question(root)
    # Who declares the questions of a page has no others but those that ask.
    forms.append(list(sections.entries(root, is_page=is_faq and declared < 2)))
    has_none = not any(isinstance(item, RawEntry) for form in forms for item in form)
    if is_faq and has_none and (found := list(_in_preformatted_text(root))):
        forms.append(found)
    anchors = {
        _key(item): item.fields["anchor"]
        for item in forms[-1]
        if isinstance(item, RawEntry) and "anchor" in item.fields
    }
    given: set[str] = set()
    for form in forms:
        for item in form:
            key = _key(item)
            if isinstance(item, RawEntry) and is_filled_in(item.fields.get("question", "")):
                continue
            is_shown = form is forms[-1]  # and has no anchor but its own
            if (key and key in given) or (has_no_other and is_shown):
                continue
            if isinstance(item, RawEntry) and key in anchors and "anchor" not in item.fields and not is_shown:
                yield replace(item, fields={**item.fields, "anchor": anchors[key]})
            else:
                yield item
        given |= {_key(item) for item in form}


def _in_preformatted_text(root: Any) -> Iterator[RawEntry | Problem]:
    """What stands in ``<pre>``, if nearly all of a page does: a text that was given the name of a page."""
    texts = ["".join(element.itertext()) for element in root.iterdescendants("pre")]
    if texts and _NEARLY_ALL * len("".join(root.itertext())) < sum(map(len, texts)):
        title = next((readable_line(heading) for heading in root.iter("title", "h1")), "")
        # Its title says what it is, as that of a text would.
        for item in question_lines.entries("\n\n".join([title, *map(plain_newlines, texts)]))[0]:
            if isinstance(item, RawEntry):
                yield replace(item, location="<pre>")


def _is_of_one_question(root: Any) -> bool:
    """Whether a page says that it is one question with its answers, or a topic of a forum."""
    if any(
        (element.get("itemtype") or "").endswith(_OF_ONE) for element in root.iter() if isinstance(element.tag, str)
    ):
        return True
    scripts = (script.text or "" for script in root.iterdescendants("script") if _JSON_LD in (script.get("type") or ""))
    return any(f'"{kind}"' in script for script in scripts for kind in _OF_ONE)


def _key(item: RawEntry | Problem) -> str:
    question = item.fields.get("question", "") if isinstance(item, RawEntry) else ""
    return without_marks(question.rpartition(outline.PATH_SIGN)[2])[0].lower()


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
        # A question may be a link to its own page.
        is_title = "name" in node.get("itemprop", "").split() and node.tag in HEADINGS
        return readable_line(node) if is_title else readable_text(node)

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
    if faq_page.is_question(node):
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
