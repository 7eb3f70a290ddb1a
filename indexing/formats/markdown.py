# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Markdown: a heading is a question, what stands under it up to the next one of its rank is its answer."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from textwrap import shorten
from typing import BinaryIO, Final

from lxml.html import defs
from markdown_it import MarkdownIt
from markdown_it.token import Token

from answer_selection.indexing.formats import containers, front_matter, outline, page, rewriting, sections, unread
from answer_selection.indexing.formats.html_headings import with_html_headings
from answer_selection.indexing.formats.labels import with_questions_below
from answer_selection.indexing.formats.lines import decode, plain_newlines
from answer_selection.indexing.formats.no_content import remove_prompt, remove_what_is_no_content
from answer_selection.indexing.formats.outline import Heading, Section
from answer_selection.indexing.formats.own_words import told_apart
from answer_selection.indexing.formats.page_headings import leads_away
from answer_selection.indexing.formats.pair_lines import PAIR
from answer_selection.indexing.formats.plain_questions import PlainQuestion, plain_questions
from answer_selection.indexing.formats.question_tables import open_tables
from answer_selection.indexing.formats.questions import (
    QUESTION_MARKS,
    asks,
    begins_with_a_number,
    is_faq,
    names_faq,
    seems_to_ask,
    without_marks,
)
from answer_selection.indexing.formats.raw import Problem, RawEntry
from answer_selection.indexing.formats.readable import CutOffHtmlError, parse, readable_line

# Of a heading, what GitHub leaves out of its anchor; an anchor that its author gave it: "How? {#how}", "How? ((#how))",
# "How? [#how]"; what Pandoc knows of it: "How? {.unnumbered}", "How? {-}".
_NOT_IN_SLUGS: Final = re.compile(r"[^\w\- ]")
_NAMED: Final = re.compile(
    r"\s?(?:\{#([\w.:-]+)[^{}]*\}|\(\(#([\w.:-]+)\)\)|\[#([\w.:-]+)\]|\{(?:-|\.[\w-]+[^{}]*)\})$"
)
# "Why <name>?", which no browser shows.
_PLACEHOLDER: Final = re.compile(r"<([A-Za-z][\w-]*)>")
_INTO_THE_FILE: Final = re.compile("(?i)href=[\"']?#")
_MAY_ASK: Final = re.compile(r"(?i)<d(?:etails|l)\b|\?")
# What holds text of its own: that can be opened, and notes.
_BOXES: Final = tuple((re.compile(rf"(?i)<{tag}\b"), re.compile(rf"(?i)</{tag}\b")) for tag in ("aside", "details"))
_DIV: Final = re.compile(r"(?i)<(?P<end>/)?div\b(?P<attributes>[^<>]{0,1000})>")
_ID: Final = re.compile(r"(?i)\sid=[\"']([^\"'\s]{1,200})[\"']")
_OPENER: Final = re.compile(r"(?i)<(?:a|button)\b(?P<attributes>[^<>]{0,1000})>(?P<text>[^<>]{1,300})")
_OPENS: Final = re.compile(r"(?i)\sdata-(?:bs-)?toggle=[\"']collapse[\"']")
_OPENED: Final = re.compile(r"(?i)\s(?:href|data-(?:bs-)?target)=[\"']#([^\"'\s]{1,200})[\"']")
# "**2. I was charged twice**"
_NUMBERED: Final = re.compile(r"[0-9]{1,3}[.)][ ]")
# Quotations and lists inside one another. The parser leaves out what is nested more deeply, and its own limit, 20, is
# reached by the tenth list in a list.
_DEEPEST: Final = 100
# The level of a line in an item of a list that is in no other: below the list, the item and the paragraph.
_IN_ITEM: Final = 3
_LOWEST: Final = 6  # rank of a heading; below are questions in bold print


def read(
    stream: BinaryIO, encoding: str | None = None, *, base_url: str | None = None, name: str = ""
) -> Iterator[RawEntry | Problem]:
    """
    Read a whole Markdown file (CommonMark with tables).

    A heading without text of its own above deeper headings is a section, and so is one that does not ask above others
    that do. The headings above a question are its heading path; one below a question carries that in its own text. A
    file with a heading "FAQ" below its title has its questions there, and where headings ask. Questions may also be
    paragraphs in bold print, items of a list, ``Q:`` and ``A:``, and ``<details>``. Text before the first heading is
    passed over. Front matter may name the title, and hold entries. A README and the like are no FAQ as a whole, unless
    their title says so or half of their headings ask.

    :param stream: the file's bytes.
    :param encoding: the declared encoding, if any.
    :param base_url: the file's address: links that are relative to it become absolute.
    :param name: the file's path or address, which may say that it is no FAQ.
    :returns: one raw entry a question, its answer as readable text; or a problem, if that is nested too deeply. The
        anchor is the one that GitHub makes.
    :raises EncodingError: if a byte is no text.
    """
    values, text = front_matter.split(plain_newlines(decode(stream.read(), encoding)))
    text = front_matter.with_title(values, text)
    above = front_matter.entries(values, base_url)
    may_be_page = not page.is_about_a_project(name)
    source = containers.as_html(text)
    found = _entries(source, base_url, may_be_page)
    lines = text.split("\n")
    if not found and (plain := plain_questions(lines)):
        found = _entries(containers.as_html(_in_bold_print(lines, plain)), base_url, may_be_page)
    asked = {raw.fields["question"] for raw in above}
    found = [*above, *(raw for raw in found if isinstance(raw, Problem) or raw.fields["question"] not in asked)]
    yield from found
    if found and any(mark in text for mark in QUESTION_MARKS):
        root, _ = parse(_parser().render(source.text))
        yield from unread.unread(unread.lines_of_page(root), found)
    if not found and text.strip():
        expected = "questions as headings, in bold print, in lists, tables or <details>, or behind 'Q:'"
        other = "" if may_be_page else ". If it is an FAQ, give it a title that says so"
        yield Problem("", None, f"expected {expected}; found none{other}", nothing=True)


def _entries(source: containers.Source, base_url: str | None, may_be_page: bool) -> list[RawEntry | Problem]:
    parts = list(_sections(source, base_url, may_be_page))
    headings = [part.heading for part in parts if part.heading is not None and part.heading.level <= _LOWEST]
    is_page = may_be_page or _asks_as_a_whole(headings)
    every_heading = [part.heading for part in parts if part.heading is not None]
    parts = with_questions_below(parts, outline.scopes(every_heading, is_page=is_page))
    return list(told_apart(outline.entries(parts, is_page=is_page, every=is_page, has_title=not is_page)))


def _asks_as_a_whole(headings: Sequence[Heading]) -> bool:
    """Whether the title of a file names an FAQ, or half of what stands below it asks."""
    if any(names_faq(heading.title) for heading in headings[:1]):
        return True
    below = headings[1:] if len(headings) > 1 and headings[0].level < headings[1].level else headings
    return 2 * sum(asks(heading.title) for heading in below) >= max(len(below), 1)


def _in_bold_print(lines: list[str], questions: Sequence[PlainQuestion]) -> str:
    """Write questions that nothing marks in bold print, in as many lines as they have."""
    for one in questions:
        lines[one.start : one.end] = [f"**{one.question}**", *[""] * (one.end - one.start - 1)]
    return "\n".join(lines)


def _parser() -> MarkdownIt:
    return MarkdownIt("commonmark", {"maxNesting": _DEEPEST}).enable(["table", "strikethrough"])


def _sections(source: containers.Source, base_url: str | None, may_be_page: bool) -> Iterator[Section]:
    parser = _parser()
    env: dict[str, object] = {}
    tokens = with_html_headings(parser.parse(source.text, env))
    _keep_lines_of_questions(tokens)
    _show_placeholders(tokens)

    def line_of(start: int) -> int:
        return source.numbers[(tokens[start].map or [0])[0]]

    def rendered(start: int, end: int) -> str:
        return str(parser.renderer.render(tokens[start:end], parser.options, env))

    # Headings inside a list, a quotation, a note or what is opened belong to it.
    boxed = {place for begin, end in _BOXES for place in _inside(tokens, begin, end)} | _inside_panels(tokens)
    starts = [
        i for i, token in enumerate(tokens) if token.type == "heading_open" and token.level == 0 and i not in boxed
    ]
    ends = dict(pairwise([*starts, len(tokens)]))
    headings: list[Heading] = []
    problems: dict[int, Problem] = {}
    slugs: Counter[str] = Counter()
    for start in starts:
        line = line_of(start)
        try:
            title, question = _title(rendered(start + 1, start + 2), base_url)
        except CutOffHtmlError as error:
            title = question = ""
            problems[start] = _problem(line, error, title)
        named = _NAMED.search(title)
        title = title if named is None else title[: named.start()]
        own = tokens[start].attrGet("id") if named is None else named[1] or named[2] or named[3]
        anchor = _slug(title, slugs) if own is None else str(own)
        question, had_q = without_marks(_NAMED.sub("", question))
        away = names_faq(question) and _leads_away(rendered(start + 3, ends[start]))
        level, has_number = int(tokens[start].tag[1:]), begins_with_a_number(title)
        # Of one that is a link, and has nothing below it, the answer is elsewhere.
        is_link = _is_link(tokens[start + 1]) and not (
            _is_above_another(tokens, start, ends[start]) or rendered(start + 3, ends[start]).strip()
        )
        headings.append(Heading(level, question, f"line {line}", anchor, had_q, is_link, away, has_number))
    is_page = may_be_page or _asks_as_a_whole(headings)
    scopes = outline.scopes(headings, is_page=is_page)
    only_title = outline.have_only_a_title(headings, scopes)
    in_faq = outline.scopes_of_faqs(headings, is_page=is_page)
    inside = [(start, ends[start], h.title) for start, h, is_in in zip(starts, headings, in_faq, strict=True) if is_in]
    # In a README, too, what can be opened has to ask.
    has_faq = not is_page or _has_faq(tokens, inside)
    # What stands before the first heading is a section too.
    parts = zip(
        [0, *starts], [*starts, len(tokens)], [None, *headings], [is_page and all(scopes), *scopes], strict=True
    )
    for start, end, heading, is_inside in parts:
        where = 0 if heading is None else start + 3
        try:
            if start in problems and heading is not None:
                yield Section(heading, "", problem=problems[start])
                continue
            _check_depth(tokens[where:end])
            yield from _body(
                heading, rendered(where, end), base_url, in_faq=is_inside, only_title=only_title, has_faq=has_faq
            )
        except CutOffHtmlError as error:
            line = line_of(start)
            yield Section(heading, "", problem=_problem(line, error, "" if heading is None else heading.title))


def _is_above_another(tokens: Sequence[Token], start: int, end: int) -> bool:
    """Whether the next heading is of a lower rank."""
    return end < len(tokens) and tokens[end].tag > tokens[start].tag


def _is_link(title: Token) -> bool:
    """Whether a heading's text is one link and no more."""
    kinds = [part.type for part in title.children or () if part.type != "text" or part.content.strip()]
    return kinds[:1] == ["link_open"] and kinds.index("link_close") == len(kinds) - 1


def _title(html: str, base_url: str | None) -> tuple[str, str]:
    """A heading's text as GitHub makes an anchor of it, and without links to the top."""
    root, cut_off = parse(html, base_url)
    if cut_off is not None:
        raise cut_off
    if root is None:
        return "", ""
    title = readable_line(root)
    if _INTO_THE_FILE.search(html) is None:
        return title, title
    remove_what_is_no_content(root)
    return title, readable_line(root) or title


def _body(
    heading: Heading | None, html: str, base_url: str | None, *, in_faq: bool, only_title: bool, has_faq: bool
) -> Iterator[Section]:
    root, error = parse(html, base_url)
    if error is not None:
        raise error
    if root is None:
        yield Section(heading, "")
        return
    if heading is None:
        asks_above = False
    else:
        asks_above = seems_to_ask(heading.title) if in_faq else asks(heading.title)
    rewriting.open_answers(root, "" if heading is None else heading.title)
    open_tables(root, asks_above=asks_above)
    rewriting.join_definitions(root)
    remove_prompt(root)
    if _INTO_THE_FILE.search(html):
        for note in root.iter("aside"):
            note.tag = "div"  # the site's own are in no file
        remove_what_is_no_content(root, asks_above=asks_above)  # a table of contents
        if heading is not None and not asks_above and not "".join(root.itertext()).strip():
            heading = replace(heading, is_link=True)
    # What is not in the FAQ of a file has it elsewhere.
    first, *others = sections.cut(
        root,
        headings={},
        in_faq={},
        above=sections.Above(
            in_faq, asks_above, heading is not None and heading.level > 1 and not names_faq(heading.title)
        ),
        has_faq=has_faq,
        only_title=heading is not None and (only_title or is_faq(heading.title)),
    )
    # Lines of the HTML are not those of the file.
    location = "before the first heading" if heading is None else heading.location
    bold = [replace(part, heading=replace(part.heading, location=location)) for part in others if part.heading]
    for section in (replace(first, heading=heading), *bold):
        yield replace(section, inside=tuple(replace(entry, location=location) for entry in section.inside))


def _has_faq(tokens: Sequence[Token], inside: Sequence[tuple[int, int, str]]) -> bool:
    """Whether headings of an FAQ do more than name it, or something that may be a question stands below one."""
    return any(
        not names_faq(title) or any(_MAY_ASK.search(token.content) for token in tokens[start + 3 : end])
        for start, end, title in inside
    )


def _leads_away(html: str) -> bool:
    root, _ = parse(html)
    return root is not None and leads_away(root.body.iterdescendants())


def _inside(tokens: Sequence[Token], begin: re.Pattern[str], end: re.Pattern[str]) -> set[int]:
    """The headings between the tags of an element of HTML, if each has both."""
    found: set[int] = set()
    depth = 0
    for place, token in enumerate(tokens):
        if token.type == "html_block":
            depth += len(begin.findall(token.content)) - len(end.findall(token.content))
        elif token.type == "heading_open" and depth > 0:
            found.add(place)
    return found if depth == 0 else set()


def _inside_panels(tokens: Sequence[Token]) -> set[int]:
    """The headings that ask nothing between the tags of elements that questions open, if each has both."""
    opened = {
        name
        for token in tokens
        for opener in _OPENER.finditer(token.content)
        if _OPENS.search(opener["attributes"]) and asks(opener["text"].strip())
        for name in _OPENED.findall(opener["attributes"])
    }
    found: set[int] = set()
    # Of each element that we are in, whether it is such a one.
    within: list[bool] = []
    for place, token in enumerate(tokens):
        if token.type == "heading_open" and any(within) and not asks(tokens[place + 1].content):
            found.add(place)
        for tag in _DIV.finditer(token.content) if opened and token.type == "html_block" else ():
            if not tag["end"]:
                name = _ID.search(tag["attributes"])
                within.append(name is not None and name[1] in opened)
            elif within:
                within.pop()
    return set() if within else found


def _problem(line: int, error: CutOffHtmlError, question: str) -> Problem:
    return Problem(f"line {line}", None, f"{error} (question: {shorten(question, 60)!r})")


def _slug(title: str, given: Counter[str]) -> str | None:
    """The anchor that GitHub gives a heading; a second one of the same text gets a number."""
    slug = _NOT_IN_SLUGS.sub("", title.lower()).replace(" ", "-")
    given[slug] += 1
    return (slug if given[slug] == 1 else f"{slug}-{given[slug] - 1}") or None


def _keep_lines_of_questions(tokens: Sequence[Token]) -> None:
    """Let "Q:", "A:" and questions in bold print, or in a list, have a line of their own as they have in the file."""
    for token in tokens:
        line: list[Token] = []
        before: Token | None = None
        begins_with_one = False
        for child in [*(token.children or ()), None]:
            if child is not None and child.type not in ("softbreak", "hardbreak"):
                line.append(child)
                continue
            bold, rest = _bold_at_the_start_of(line)
            # Bold print may come to a line's start by chance, but not as the line, or below another question.
            is_question = asks(bold.rstrip(" :")) and (begins_with_one or before is None or not rest.strip(" :"))
            begins_with_one = begins_with_one or (before is None and is_question)
            is_pair = PAIR.match(bold + rest) is not None
            if before is not None and (is_question or is_pair):
                before.type = "hardbreak"
            is_numbered = before is None and _NUMBERED.match(bold) is not None and not rest.strip(" :")
            if child is not None and is_numbered:
                child.type = "hardbreak"
            is_item = token.level == _IN_ITEM and before is None and (bold + rest).endswith("?")
            if child is not None and (is_pair or is_item) and asks(bold + rest):
                child.type = "hardbreak"
            line, before = [], child


def _show_placeholders(tokens: Sequence[Token]) -> None:
    """Make text of what looks like the beginning of an element that HTML has not and that has no end."""
    for token in tokens:
        tags = [child for child in token.children or () if child.type == "html_inline"]
        ends = {child.content for child in tags}
        for child in tags:
            name = _PLACEHOLDER.fullmatch(child.content)
            if name is not None and name[1].lower() not in defs.tags and f"</{name[1]}>" not in ends:
                child.type = "text"


def _bold_at_the_start_of(line: Sequence[Token]) -> tuple[str, str]:
    """Part a line's text into what is in bold print at its start, and what comes after."""
    begins = next((part.type for part in line if part.content.strip() or part.type == "strong_open"), "")
    end = next((here for here, part in enumerate(line) if part.type == "strong_close"), 0)
    bold, rest = ("".join(part.content for part in some) for some in (line[:end], line[end:]))
    return (bold, rest) if begins == "strong_open" else ("", bold + rest)


def _check_depth(tokens: Sequence[Token]) -> None:
    for token in tokens:
        if token.level == _DEEPEST - 1 and token.type in ("blockquote_open", "list_item_open"):
            line = (token.map or [0])[0] + 1
            msg = (
                f"lists or quotations are nested more than {_DEEPEST} deep in line {line}: what follows cannot be read"
            )
            raise CutOffHtmlError(msg)
