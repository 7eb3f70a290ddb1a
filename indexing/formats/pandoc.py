# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
What Pandoc reads: AsciiDoc, DocBook, EPUB, LaTeX, MediaWiki, OpenDocument, Org, RTF and Textile.

A heading is a question, what stands under it up to the next one of its rank is its answer. Pandoc makes HTML of the
file, which is read as a page is. It runs in its sandbox: no other file and no address is opened. Needs the extra
`documents`.
"""

import re
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from html.entities import html5
from typing import BinaryIO, Final

import pypandoc

from answer_selection.indexing.formats import asciidoc, page, sections, unread
from answer_selection.indexing.formats.lines import decode, plain_newlines
from answer_selection.indexing.formats.own_words import told_apart
from answer_selection.indexing.formats.raw import Problem, RawEntry
from answer_selection.indexing.formats.readable import parse

# By Pandoc's names, and whether it is a text.
_KINDS: Final = {
    "asciidoc": ("AsciiDoc", True),
    "docbook": ("DocBook", True),
    "epub": ("EPUB", False),
    "latex": ("LaTeX", True),
    "mediawiki": ("MediaWiki", True),
    "odt": ("OpenDocument", False),
    "org": ("Org", True),
    "rtf": ("RTF", True),
    "textile": ("Textile", True),
}
# Pages that are made of these files have the ids that Pandoc gives, but for signs in those of AsciiDoc.
_HAVE_ANCHORS: Final = frozenset(["asciidoc", "docbook"])
_ANCHOR: Final = "anchor"
_SIGN: Final = re.compile(r"[^\w.-]")
_DECLARED: Final = re.compile(r"<!ENTITY\s{1,20}([\w.:-]{1,100})\s{1,20}[\"']")
_ENTITY: Final = re.compile(r"&([A-Za-z_][\w.:-]{0,100});")
_OPTIONS: Final = (
    *("--to", "html5", "--standalone", "--sandbox", "--wrap", "none", "--syntax-highlighting", "none"),
    # Of its own memory: a file can be made to take any.
    *("+RTS", "-M1g", "-RTS"),
)
_MOST_SECONDS: Final = 120


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
    called, is_text = _KINDS[kind]
    data = stream.read()
    if is_text:
        text = plain_newlines(decode(data, encoding))
        data = _PREPARED.get(kind, str)(text).encode()
    if not data.strip():
        return
    # Without a title of its own the file's name stands for it, and Pandoc has nothing to warn of.
    try:
        arguments = [_program(), "--from", kind, *_OPTIONS, "--metadata", f"pagetitle={name or called}"]
    except OSError:
        yield Problem("", None, f"{called} needs Pandoc: pip install pypandoc-binary")
        return
    try:
        done = subprocess.run(arguments, input=data, capture_output=True, timeout=_MOST_SECONDS, check=True)  # noqa: S603
    except subprocess.TimeoutExpired:
        yield Problem("", None, f"cannot be read as {called}: it took Pandoc more than {_MOST_SECONDS} seconds")
        return
    except subprocess.CalledProcessError as error:
        said = " ".join(error.stderr.decode(errors="replace").split())
        yield Problem("", None, f"cannot be read as {called}: {said or f'Pandoc ended with {error.returncode}'}")
        return
    root, cut_off = parse(done.stdout.decode(), base_url)
    shown = unread.lines_of_page(root)
    found = list(told_apart(sections.entries(root, is_page=not page.is_about_a_project(name))))
    for item in found:
        yield _placed(item, kind) if isinstance(item, RawEntry) else replace(item, location="")
    yield from unread.unread(shown, found)
    if cut_off is not None:
        yield Problem("", None, str(cut_off))
    elif not found:
        yield Problem("", None, "expected headings, which are the questions; found none", nothing=True)


def _placed(entry: RawEntry, kind: str) -> RawEntry:
    """Say where it is in the file: lines are of the page, which nobody has seen."""
    fields = {**entry.fields}
    anchor = fields.pop(_ANCHOR, None)
    if anchor and kind in _HAVE_ANCHORS:
        fields[_ANCHOR] = _SIGN.sub("", anchor)
    return replace(entry, location=f"heading {fields.get('question')!r}", fields=fields)


def _without_entities(text: str) -> str:
    """Leave of an entity that other files declare its name, as Pandoc refuses the whole text otherwise."""
    known = {*("amp", "lt", "gt", "quot", "apos"), *_DECLARED.findall(text)}
    return _ENTITY.sub(lambda one: one[0] if one[1] in known else html5.get(f"{one[1]};", one[1]), text)


_PREPARED: Final = {"asciidoc": asciidoc.prepared, "docbook": _without_entities}


@cache
def _program() -> str:
    # Looking for it runs it once.
    return str(pypandoc.get_pandoc_path())
