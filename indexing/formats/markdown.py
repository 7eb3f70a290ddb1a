# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Markdown: a heading is a question, what stands under it up to the next heading is its answer."""

import re
from collections.abc import Iterator, Sequence
from textwrap import shorten
from typing import BinaryIO, Final

from markdown_it import MarkdownIt
from markdown_it.token import Token

from answer_selection.indexing.formats.lines import decode, plain_newlines
from answer_selection.indexing.formats.raw import Problem, RawEntry
from answer_selection.indexing.formats.readable import CutOffHtmlError, readable_html

# A line of YAML. Each line of front matter has to look like it, or else a file that begins with a horizontal rule would
# lose its text up to the next one.
_YAML_LINE: Final = re.compile(r"[\w.-]+[ \t]*:.*|[ \t].*|-[ \t].*|#.*|")
# Quotations and lists inside one another. The parser leaves out what is nested more deeply, and its own limit, 20, is
# reached by the tenth list in a list.
_DEEPEST: Final = 100


def read(stream: BinaryIO, encoding: str | None = None, *, base_url: str | None = None) -> Iterator[RawEntry | Problem]:
    """
    Read a whole Markdown file (CommonMark with tables).

    A heading without text of its own above deeper headings is a section. The headings above a question are its heading
    path. Text before the first heading and front matter are passed over.

    :param stream: the file's bytes.
    :param encoding: the declared encoding, if any.
    :param base_url: the file's address: links that are relative to it become absolute.
    :returns: one raw entry a question, its answer as readable text; or a problem, if that is nested too deeply.
    :raises EncodingError: if a byte is no text.
    """
    text = _without_front_matter(plain_newlines(decode(stream.read(), encoding)))
    parser = MarkdownIt("commonmark", {"maxNesting": _DEEPEST}).enable(["table", "strikethrough"])
    env: dict[str, object] = {}
    tokens = parser.parse(text, env)

    def rendered(start: int, end: int) -> str:
        return readable_html(parser.renderer.render(tokens[start:end], parser.options, env), base_url)

    # Headings inside a list or a quotation belong to it.
    starts = [i for i, token in enumerate(tokens) if token.type == "heading_open" and token.level == 0]
    if not starts:
        if text.strip():
            yield Problem("", None, "expected headings, which are the questions; found none", nothing=True)
        return
    path: list[tuple[int, str]] = []
    for start, end in zip(starts, [*starts[1:], len(tokens)], strict=True):
        level = int(tokens[start].tag[1:])
        while path and path[-1][0] >= level:
            path.pop()
        line, question = (tokens[start].map or [0])[0] + 1, ""
        try:
            question = " ".join(rendered(start + 1, start + 2).split())
            answer = rendered(start + 3, end)
            _check_depth(tokens[start + 3 : end])
        except CutOffHtmlError as error:
            yield Problem(f"line {line}", None, f"{error} (question: {shorten(question, 60)!r})")
            path.append((level, question))
            continue
        is_section = not answer and end < len(tokens) and int(tokens[end].tag[1:]) > level
        if not is_section:
            headings = tuple(heading for _, heading in path)
            yield RawEntry(f"line {line}", {"question": question, "answer": answer}, headings)
        path.append((level, question))


def _without_front_matter(text: str) -> str:
    """Empty the lines of YAML between two lines of hyphens at the very beginning; all others keep their numbers."""
    if not text.startswith("---"):
        return text
    lines = text.split("\n")
    for number, line in enumerate(lines):
        marker = line.rstrip(" \t")
        if number and marker in ("---", "..."):
            return "\n".join([""] * (number + 1) + lines[number + 1 :])
        if not (_YAML_LINE.fullmatch(line) if number else marker == "---"):
            break
    return text


def _check_depth(tokens: Sequence[Token]) -> None:
    for token in tokens:
        if token.level == _DEEPEST - 1 and token.type in ("blockquote_open", "list_item_open"):
            line = (token.map or [0])[0] + 1
            msg = (
                f"lists or quotations are nested more than {_DEEPEST} deep in line {line}: what follows cannot be read"
            )
            raise CutOffHtmlError(msg)
