# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Headings of Markdown files that are written as HTML: ``<h3 id="how">How?</h3>``."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from markdown_it.token import Token

_HEADING: Final = re.compile(
    r"(?i)\s{0,9}<(?P<tag>h[1-6])(?P<attributes>\s[^<>]*)?>(?P<text>(?:[^<]|<(?!/?h[1-6]))*)</h[1-6]\s*>"
)
_ANCHOR: Final = tuple(re.compile(rf"(?i)\s{name}=[\"']?([^\s\"'<>]{{1,200}})") for name in ("id", "name"))
_TAG: Final = re.compile(r"<[^<>]*>")
# What ends the elements above.
_ENDS: Final = re.compile(r"(?:\s{0,9}</[A-Za-z][A-Za-z0-9]{0,20}>){1,20}")


def with_html_headings(tokens: Sequence[Token]) -> list[Token]:
    """
    Make headings of the blocks of HTML that begin with one.

    One that opens something may stand behind the ends of the elements above.

    :param tokens: what the parser made of a file.
    :returns: the same, with three tokens for each such heading, as for one of Markdown, and one for what follows it in
        its block. The heading's id or name is its attribute ``id``.
    """
    return [
        part
        for token in tokens
        for part in (_parts(token) if token.type == "html_block" and not token.level else [token])
    ]


def _parts(block: Token) -> Iterator[Token]:
    rest, line = block.content, (block.map or [0])[0]
    ends = _ENDS.match(rest)
    if ends is not None and "toggle=" in rest and _HEADING.match(rest, ends.end()):
        yield Token("html_block", "", 0, content=ends[0], map=[line, line + 1], block=True)
        rest, line = rest[ends.end() :], line + ends[0].count("\n")
    while (heading := _HEADING.match(rest)) and _TAG.sub("", heading["text"]).strip():
        lines = rest[: heading.start("tag")].count("\n") + line
        tag, end = heading["tag"].lower(), heading.end()
        begin = Token("heading_open", tag, 1, map=[lines, lines + 1], block=True)
        if anchor := _anchor_of(heading["attributes"] or ""):
            begin.attrSet("id", anchor)
        yield begin
        yield Token("html_block", "", 0, content=heading["text"], map=[lines, lines + 1], block=True)
        yield Token("heading_close", tag, -1, block=True)
        line += rest[:end].count("\n")
        rest = rest[end:]
    if rest.strip():
        yield Token("html_block", "", 0, content=rest, map=[line, line + 1], block=True)


def _anchor_of(attributes: str) -> str | None:
    return next((found[1] for name in _ANCHOR if (found := name.search(attributes))), None)
