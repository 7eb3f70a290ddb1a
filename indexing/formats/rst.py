# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
reStructuredText: a title is a question, what stands under it up to the next one of its rank is its answer.

docutils makes HTML of it, which is read as a page is. Nothing is included from other files and no raw HTML is taken
over. Roles and directives of Sphinx that docutils does not know keep their text.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import BinaryIO, Final

from docutils import nodes
from docutils.core import publish_doctree, publish_from_doctree
from docutils.languages import en

from answer_selection.indexing.formats import page, page_entries, sections
from answer_selection.indexing.formats.lines import decode, plain_newlines
from answer_selection.indexing.formats.own_words import told_apart
from answer_selection.indexing.formats.questions import asks, seems_to_ask, without_marks
from answer_selection.indexing.formats.raw import Problem, RawEntry
from answer_selection.indexing.formats.readable import parse

_SETTINGS: Final = {
    "_disable_config": True,
    "doctitle_xform": False,
    "embed_stylesheet": False,
    "file_insertion_enabled": False,
    "halt_level": 5,
    "input_encoding": "unicode",
    # A longer line ends the whole file: marks in it that have no end take time that grows with its square.
    "line_length_limit": 20_000,
    "output_encoding": "unicode",
    "raw_enabled": False,
    "report_level": 5,
    "stylesheet_path": None,
    "syntax_highlight": "none",
    "warning_stream": False,
}
# What docutils calls an error. One about a title means that it, and what stands below, is not where it should be.
_ERROR: Final = 3
# Directives of Sphinx that say how a page is laid out, and those that would read other files.
_SILENT: Final = frozenset(
    "contents currentmodule default-role highlight index meta module sectionauthor tabularcolumns tags toctree".split()
)
# What is elsewhere, or not read.
_INCLUDED: Final = frozenset(["csv-table", "include", "literalinclude", "raw"])
_CODE: Final = frozenset("code code-block doctest ipython parsed-literal prompt sourcecode testcode testoutput".split())
_DIRECTIVE: Final = re.compile(r"\.\.[ ]+(?P<name>[\w:+.-]+)::(?:[ \t]+(?P<argument>.*))?")
_OPTION: Final = re.compile(r":[\w-]+:(?:[ \t].*)?")
_ROLE: Final = re.compile(r":\w[\w:+.-]{0,80}:`([^`]*)`")
# What Sphinx does not show of a name that has no role: "!print()", "~shelf.Book.renew()".
_MARKED: Final = re.compile(r"(?:![^\W\d][\w.]{0,200}|~[^\W\d]\w{0,200}\.[\w.]{1,200})(?:\(\))?")
# What shows that a file's project has a role for names without one. Elsewhere "!important" and "~user.name" are text.
_HAS_DEFAULT_ROLE: Final = re.compile(
    r"(?<![`:\w])`(?:[!~][^\W\d][\w.]{0,200}\(\)|~[^\W\d]\w{0,80}(?:\.\w{1,80}){2,9})`(?!`)"
    r"|^\.\. default-role:: (?:any|(?:py:)?obj)[ ]*$",
    re.MULTILINE,
)
_SUBSTITUTION: Final = re.compile(r"\|([^|\n]{1,200})\|_{0,2}")
# "`text <target>`__", "[Li.2009]_" and "name_", whose targets are in no file that is read.
_REFERENCE: Final = re.compile(
    r"`([^`<\n]{1,300}?)\s*(?:<[^<>`\n]{1,300}>)?`__?|(\[[^\[\]\n]{1,100}\])_|([\w.+:-]{1,100}?)__?"
)
_REPLACED: Final = re.compile(r"\.\.[ ]+\|([^|\n]{1,200})\|[ ]+replace::[ ]+(.+)", re.DOTALL)
# ":Author:", ":Date:" and the like.
_BIBLIOGRAPHIC: Final = frozenset(en.bibliographic_fields)
# Of sphinx-design.
_DROPDOWN: Final = "dropdown"
# Directives in the text of directives.
_DEEPEST: Final = 8


def read(
    stream: BinaryIO, encoding: str | None = None, *, base_url: str | None = None, name: str = ""
) -> Iterator[RawEntry | Problem]:
    """
    Read a whole reStructuredText file.

    :param stream: the file's bytes.
    :param encoding: the declared encoding, if any.
    :param base_url: the file's address: links that are relative to it become absolute.
    :param name: the file's path or address, which may say that it is no FAQ: "README".
    :returns: one raw entry a question, as in a page, and a problem for each title that cannot be read.
        The anchor is the id that docutils and Sphinx make.
    :raises EncodingError: if a byte is no text.
    """
    text = plain_newlines(decode(stream.read(), encoding))
    yield from entries(text, base_url=base_url, is_page=not page.is_about_a_project(name))


def entries(text: str, *, base_url: str | None = None, is_page: bool = True) -> Iterator[RawEntry | Problem]:
    """
    Find the questions of a text, as :func:`read` does.

    :param text: the whole of a file.
    :param base_url: the file's address.
    :param is_page: whether the file is an FAQ.
    :returns: what it reads.
    """
    if not text.strip():
        return
    try:
        tree = _tree(text, 0, has_default_role=_HAS_DEFAULT_ROLE.search(text) is not None)
        # Before they are filtered out of what is published.
        problems = [
            Problem(f"line {message.get('line', 1)}", None, " ".join(message.astext().split()))
            for message in tree.findall(nodes.system_message)
            if _is_about_a_title(message)
        ]
        html = _html(tree)
    except RecursionError:
        yield Problem("", None, "lists, quotations or directives are nested too deeply in one another")
        return
    yield from problems
    lines = {
        name: title.line for title in tree.findall(nodes.title) if title.line for name in title.parent.get("ids", ())
    }
    root, cut_off = parse(html, base_url)

    def placed(item: RawEntry | Problem) -> RawEntry | Problem:
        line = lines.get(item.fields.get("anchor")) if isinstance(item, RawEntry) else None
        # The line of a title is the one below its text, where it is underlined.
        return item if line is None else replace(item, location=f"line {line - 1}")

    items = map(placed, told_apart(sections.entries(root, is_page=is_page)))
    any_found = yield from page_entries.entries(root, cut_off, items, is_page=is_page)
    if not any_found and not problems:
        yield Problem("", None, "expected titles, which are the questions; found none", nothing=True)


def body_of(text: str) -> str:
    """
    Make HTML of some reStructuredText inside another text.

    :param text: its lines.
    :returns: what stands in the body of the page; nothing if it is nested too deeply.
    """
    try:
        html = _html(_tree(text, 0, has_default_role=_HAS_DEFAULT_ROLE.search(text) is not None))
    except RecursionError:
        return ""
    return html.partition("<body")[2].partition(">")[2].rpartition("</body>")[0]


def _html(tree: nodes.document) -> str:
    # A title alone of its rank is that of the whole.
    highest = 1 if sum(isinstance(part, nodes.section) for part in tree.children) == 1 else 2
    settings = {**_SETTINGS, "initial_header_level": highest}
    return str(publish_from_doctree(tree, writer="html5", settings_overrides=settings))


def _tree(text: str, depth: int, *, has_default_role: bool) -> nodes.document:
    tree = publish_doctree(text, settings_overrides=_SETTINGS)
    if not depth:
        _remove_what_is_about_the_file(tree)
    texts = _replacements(tree)
    for problematic in list(tree.findall(nodes.problematic)):
        text = problematic.astext()
        name = _SUBSTITUTION.fullmatch(text)
        text = _without_target(text) if name is None else texts.get(name[1].lower(), name[1])
        problematic.parent.replace(problematic, nodes.Text(text))
    for title in list(tree.findall(nodes.title_reference)) if has_default_role else ():
        if _MARKED.fullmatch(title.astext()):
            title.parent.replace(title, nodes.Text(_shown(title.astext())))
    for rubric in list(tree.findall(nodes.rubric)):
        # A heading that no table of contents has: bold print, which may ask.
        rubric.replace_self(nodes.paragraph("", "", nodes.strong("", "", *rubric.children), ids=rubric["ids"]))
    for message in list(tree.findall(nodes.system_message)):
        source = next(message.findall(nodes.literal_block), None)
        if source is not None and not _is_about_a_title(message):
            message.parent.replace(
                message, _unknown_directive(source.astext(), depth, has_default_role=has_default_role)
            )
    return tree


def _remove_what_is_about_the_file(tree: nodes.document) -> None:
    """Leave out the fields that a file, or its title, begins with (":orphan:", ":Author:"), if none is a question."""
    found = list(tree.findall(nodes.docinfo))
    first = next((part for part in tree.children if isinstance(part, nodes.section)), None)
    # Below a title that asks they are the answer.
    if first is not None and not seems_to_ask(first[0].astext()):
        below = next((part for part in first[1:2] if isinstance(part, nodes.field_list)), None)
        if below is not None and not _BIBLIOGRAPHIC.isdisjoint(map(str.lower, _names(below))):
            found.append(below)
    for fields in found:
        if not any(asks(name) or without_marks(f"{name}: x")[1] for name in _names(fields)):
            fields.parent.remove(fields)


def _names(fields: nodes.Element) -> list[str]:
    return [name.astext() for name in fields.findall(nodes.field_name)]


def _replacements(tree: nodes.document) -> dict[str, str]:
    """The substitutions that docutils cannot make, as they have a role of Sphinx in them, by their names."""
    sources = (source.astext() for message in tree.findall(nodes.system_message) for source in message.children)
    found = (_REPLACED.match(source) for source in sources)
    return {one[1].lower(): _ROLE.sub(_said, " ".join(one[2].split())) for one in found if one is not None}


def _is_about_a_title(message: nodes.system_message) -> bool:
    return message["level"] >= _ERROR and "title" in message.children[0].astext().lower()


def _without_target(text: str) -> str:
    """What a role, or a reference that leads nowhere, shows."""
    found = _REFERENCE.fullmatch(text)
    return _ROLE.sub(_said, text) if found is None else next(filter(None, found.groups()))


def _said(role: re.Match[str]) -> str:
    """What a role shows: ``:ref:`the text <target>``` its text, ``:func:`~a.b``` the last name."""
    text, opening, _ = role[1].partition("<")
    if opening and text.strip():
        return text.strip()
    return _shown(role[1].strip("<>"))


def _shown(name: str) -> str:
    """The last part of "~a.b", and all of "!b", without the sign."""
    name = name.removeprefix("!")
    return name.rpartition(".")[2] if name.startswith("~") else name


def _unknown_directive(source: str, depth: int, *, has_default_role: bool) -> list[nodes.Node]:
    first, *rest = source.split("\n")
    directive = _DIRECTIVE.match(first)
    if directive is None or directive["name"] in _SILENT:
        return []
    if directive["name"] in _INCLUDED:
        return [nodes.container("", classes=["included"])]
    while rest and _OPTION.fullmatch(rest[0].strip()):
        del rest[0]
    width = min((len(line) - len(line.lstrip()) for line in rest if line.strip()), default=0)
    text = "\n".join(line[width:] for line in rest).strip("\n")
    if directive["name"] == _DROPDOWN and directive["argument"] and depth < _DEEPEST:
        # A title in bold print above what it opens: as Markdown's blocks with a title, it may be a question.
        title = nodes.paragraph("", "", nodes.strong("", " ".join(directive["argument"].split())))
        return [title, *_tree(text, depth + 1, has_default_role=has_default_role).children]
    if directive["name"] in _CODE or depth == _DEEPEST:
        return [nodes.literal_block(text, text)]
    whole = f"{directive['argument'] or ''}\n\n{text}"
    return list(_tree(whole, depth + 1, has_default_role=has_default_role).children)
