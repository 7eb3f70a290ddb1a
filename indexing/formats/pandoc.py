# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
What Pandoc reads: AsciiDoc, DocBook, EPUB, LaTeX, MediaWiki, OpenDocument, Org, RTF and Textile.

A heading is a question, what stands under it up to the next one of its rank is its answer. Pandoc makes HTML of the
file, which is read as a page is. It runs in its sandbox: no other file and no address is opened. Needs the extra
`pandoc`.
"""

import re
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from functools import cache, partial
from typing import Any, BinaryIO, Final

from answer_selection.indexing.formats import asciidoc, page, page_entries, sections
from answer_selection.indexing.formats.declared_encoding import is_of_texts
from answer_selection.indexing.formats.lines import decode, plain_newlines
from answer_selection.indexing.formats.own_words import told_apart
from answer_selection.indexing.formats.raw import Problem, RawEntry
from answer_selection.indexing.formats.readable import parse, readable_line
from answer_selection.indexing.formats.xml_source import without_entities, xml_text

# By Pandoc's names of the formats, what they are called.
_NAMES: Final = {
    "asciidoc": "AsciiDoc",
    "docbook": "DocBook",
    "epub": "EPUB",
    "latex": "LaTeX",
    "mediawiki": "MediaWiki",
    "odt": "OpenDocument",
    "org": "Org",
    "rtf": "RTF",
    "textile": "Textile",
}
_NO_TEXTS: Final = frozenset(["epub", "odt"])
# Books and papers: an FAQ says that it is one.
_MAY_BE_ANYTHING: Final = frozenset(["epub", "latex"])
# Pages that are made of these files have the ids that Pandoc gives, but for signs in those that AsciiDoc makes.
_HAVE_ANCHORS: Final = frozenset(["asciidoc", "docbook"])
_ANCHOR: Final = "anchor"
_SIGN: Final = re.compile(r"[^\w.-]")
_CODE_PAGE: Final = re.compile(rb"\\ansicpg([0-9]{1,5})")
# "Category:FAQ", "de:FAQ"
_ABOUT_A_PAGE: Final = re.compile(r"(?i)(?:category|kategorie|catégorie|categoría|file|image|[a-z]{2,3}):")
# What stands for a place that is in another file.
_UNKNOWN: Final = "???"
_WRAPPED: Final = re.compile(
    r"\\begin\{wrapfigure\}(?:\[[^\]\n]{0,40}\])?(?:\{[^{}\n]{0,80}\}){0,2}|\\(?P<end>end)\{wrapfigure\}"
)
_BACK: Final = "footnote-back"
_OPTIONS: Final = (
    *("--to", "html5", "--standalone", "--sandbox", "--wrap", "none", "--syntax-highlighting", "none", "--mathjax"),
    # Of its own memory: a file can be made to take any.
    *("+RTS", "-M1g", "-RTS"),
)
_EXHAUSTED: Final = "Heap exhausted"
_MOST_SECONDS: Final = 30


def read(
    stream: BinaryIO, encoding: str | None = None, *, kind: str, base_url: str | None = None, name: str = ""
) -> Iterator[RawEntry | Problem]:
    """
    Read a whole file.

    :param stream: the file's bytes.
    :param encoding: the declared encoding, if any and if it is a text.
    :param kind: Pandoc's name of the file's format.
    :param base_url: the file's address: links that are relative to it become absolute.
    :param name: the file's path or address, which may say that it is no FAQ: "README".
    :returns: one raw entry a question, as in a page; or a problem, if Pandoc cannot read the file.
    :raises EncodingError: if a byte of a text is none.
    """
    data = stream.read()
    if kind not in _NO_TEXTS:
        is_xml = kind == "docbook"
        text = plain_newlines(
            xml_text(data, encoding) if is_xml else decode(data, encoding or _declared_encoding(kind, data))
        )
        data = _PREPARED.get(kind, str)(text).encode()
    if not data.strip():
        return
    made = _html(data, kind, name)
    if isinstance(made, Problem):
        yield made
        return
    root, cut_off = parse(made, base_url)
    _clean(root, kind)
    is_page = page.is_faq_page(root, name) if kind in _MAY_BE_ANYTHING else not page.is_about_a_project(name)
    items = map(partial(_placed, kind), told_apart(sections.entries(root, is_page=is_page)))
    if not (yield from page_entries.entries(root, cut_off, items, is_page=is_page)):
        yield Problem("", None, "expected headings, which are the questions; found none", nothing=True)


def _declared_encoding(kind: str, data: bytes) -> str | None:
    found = _CODE_PAGE.search(data[:1000]) if kind == "rtf" else None
    encoding = None if found is None else f"cp{found[1].decode()}"
    return encoding if encoding is not None and is_of_texts(encoding) else None


def _html(data: bytes, kind: str, name: str) -> str | Problem:
    called = _NAMES[kind]
    try:
        program = _program()
    except (ImportError, OSError):
        return Problem("", None, f"{called} needs Pandoc: pip install '.[pandoc]'", nothing=True)
    # Without a title of its own the file's name stands for it, and Pandoc has nothing to warn of.
    arguments = [program, "--from", kind, *_OPTIONS, "--metadata", f"pagetitle={name or called}"]
    try:
        done = subprocess.run(arguments, input=data, capture_output=True, timeout=_MOST_SECONDS, check=True)  # noqa: S603
    except subprocess.TimeoutExpired:
        why = f"it took Pandoc more than {_MOST_SECONDS} seconds"
    except subprocess.CalledProcessError as error:
        why = " ".join(error.stderr.decode(errors="replace").split()) or f"Pandoc ended with {error.returncode}"
        if _EXHAUSTED in why:
            why = "it took Pandoc more than 1 GB of memory"
    else:
        return done.stdout.decode()
    return Problem("", None, f"cannot be read as {called}: {why}")


def _clean(root: Any, kind: str) -> None:
    """Bring notes to where they belong, and leave out what is about the file and no part of its text."""
    # The first of an id is its.
    by_id = {element.get("id"): element for element in reversed(root.xpath("//*[@id]"))}
    for reference in root.xpath("//a[@class='footnote-ref']"):
        note = by_id.get(reference.get("href", "").rpartition("#")[2])
        if note is not None:
            for back in note.xpath(f".//a[@class='{_BACK}']"):
                back.drop_tree()
            reference.tail = f" ({readable_line(note)}){reference.tail or ''}"
        reference.drop_tree()
    for part in root.xpath("//*[@id='footnotes' or contains(@class, 'footnotes')]"):
        part.drop_tree()
    for formula in root.xpath("//span[contains(@class, 'math')]"):
        # Between signs for a program of JavaScript.
        formula.text = (formula.text or "").removeprefix("\\(").removesuffix("\\)")
    about = [span for span in root.xpath("//span[@class]") if {"todo", "done", "tag"} & set(span.get("class").split())]
    about += [link for link in root.iter("a") if link.text == _UNKNOWN]
    about += [term for term in root.iter("dt") if not readable_line(term)]
    if kind == "mediawiki":
        links = root.xpath("//a[contains(@class, 'wikilink')]")
        about += [link for link in links if _ABOUT_A_PAGE.match(link.get("href", ""))]
    for element in about:
        if element.getparent() is not None:
            element.drop_tree()


def _placed(kind: str, item: RawEntry | Problem) -> RawEntry | Problem:
    if isinstance(item, Problem):
        return replace(item, location="")
    fields = {**item.fields}
    anchor = fields.pop(_ANCHOR, None)
    if anchor and kind in _HAVE_ANCHORS:
        fields[_ANCHOR] = re.sub("__+", "_", _SIGN.sub("", anchor)) if anchor.startswith("_") else anchor
    return replace(item, location=f"heading {fields.get('question')!r}", fields=fields)


def _without_wrapping(text: str) -> str:
    """Let pictures that text flows around be as others are: Pandoc would show their size."""
    return _WRAPPED.sub(lambda one: f"\\{one['end'] or 'begin'}{{figure}}", text)


_PREPARED: Final = {"asciidoc": asciidoc.prepared, "docbook": without_entities, "latex": _without_wrapping}


@cache
def _program() -> str:
    """Where Pandoc is. Looking for it runs it once."""
    import pypandoc

    return str(pypandoc.get_pandoc_path())
