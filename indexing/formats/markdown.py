# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Markdown: a heading is a question, what stands under it up to the next heading is its answer."""

import re
from collections.abc import Iterator
from typing import BinaryIO

from answer_selection.indexing.formats.lines import decode
from answer_selection.indexing.formats.raw import Problem, RawEntry
from answer_selection.indexing.formats.readable import readable_html
from markdown_it import MarkdownIt

# YAML between two lines of hyphens at the very beginning. Each line has to look like YAML, or else a file that begins
# with a horizontal rule would lose its text up to the next one.
_FRONT_MATTER = re.compile(
    r"\A---[ \t]*\n(?:(?:[\w.-]+[ \t]*:.*|[ \t]+.*|-[ \t].*|#.*|[ \t]*)\n)*?(?:---|\.\.\.)[ \t]*(?:\n|\Z)"
)


def read(stream: BinaryIO, encoding: str | None = None) -> Iterator[RawEntry | Problem]:
    """
    Read a whole Markdown file (CommonMark with tables).

    A heading without text of its own above deeper headings is a section. The headings above a question are its heading
    path. Text before the first heading and front matter are passed over.

    :param stream: the file's bytes.
    :param encoding: the declared encoding, if any.
    :returns: one raw entry a question, its answer as readable text.
    :raises EncodingError: if a byte is no text.
    """
    text = decode(stream.read(), encoding).replace("\r\n", "\n").replace("\r", "\n")
    if match := _FRONT_MATTER.match(text):
        text = "\n" * match[0].count("\n") + text[match.end() :]  # the lines keep their numbers
    parser = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    env: dict[str, object] = {}
    tokens = parser.parse(text, env)

    def rendered(start: int, end: int) -> str:
        return readable_html(parser.renderer.render(tokens[start:end], parser.options, env))

    # Headings inside a list or a quotation belong to it.
    starts = [i for i, token in enumerate(tokens) if token.type == "heading_open" and token.level == 0]
    if not starts:
        if text.strip():
            yield Problem("", None, "expected headings, which are the questions; found none")
        return
    path: list[tuple[int, str]] = []
    for start, end in zip(starts, [*starts[1:], len(tokens)], strict=True):
        level = int(tokens[start].tag[1:])
        while path and path[-1][0] >= level:
            path.pop()
        question = " ".join(rendered(start + 1, start + 2).split())
        answer = rendered(start + 3, end)
        is_section = not answer and end < len(tokens) and int(tokens[end].tag[1:]) > level
        if not is_section:
            line = (tokens[start].map or [0])[0] + 1
            headings = tuple(heading for _, heading in path)
            yield RawEntry(f"line {line}", {"question": question, "answer": answer}, headings)
        path.append((level, question))
