# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Plain text, which may be reStructuredText by what stands in it: some projects call its files ``.txt``."""

import io
import re
from collections.abc import Iterator
from itertools import pairwise
from typing import BinaryIO, Final

from answer_selection.indexing.formats import question_lines, unread
from answer_selection.indexing.formats.heading_lines import RULE
from answer_selection.indexing.formats.lines import decode, plain_newlines
from answer_selection.indexing.formats.page import is_named_faq
from answer_selection.indexing.formats.questions import asks, says_what_it_is
from answer_selection.indexing.formats.raw import Problem, RawEntry

# ".. _label:", ".. _page: https://example.org/", ".. note::".
_MARK: Final = re.compile(
    r"(?m)^\.\. (?:_(?:`[^`\n]{1,200}`|[^\s:`][^:\n]{0,200}):(?:[ \t]|$)|[a-z][\w-]{0,60}::(?:[ \t]|$))"
)
# ":ref:`text`".
_ROLE: Final = re.compile(r"(?<![\w`:]):([a-z][\w:.-]{0,60}):`[^`\n]{1,300}`")
# A page without an ending, or with that of a text.
_PAGE: Final = re.compile(
    rb"(?i)(?:\xef\xbb\xbf)?\s{0,99}(?:<\?xml[^>]{0,99}>\s{0,99})?<(?:!doctype\s{1,9}html|html)[\s>]"
)
_FEWEST: Final = 2
_FEWEST_ROLES: Final = 3


def read(
    stream: BinaryIO, encoding: str | None = None, *, base_url: str | None = None, name: str = ""
) -> Iterator[RawEntry | Problem]:
    """
    Read a whole text, or the page that it is.

    It is reStructuredText if it has marks that no other text has, and underlined titles, and its questions have
    neither ``Q:`` nor numbers. Other than a file that is named so, it is an FAQ only if it says so, or half of its
    titles ask.

    :param stream: the file's bytes.
    :param encoding: the declared encoding, if any.
    :param base_url: the file's address: links of reStructuredText that are relative to it become absolute.
    :param name: the file's path or address, which may say that it is an FAQ.
    :returns: one raw entry a question; a problem if there is none.
    :raises EncodingError: if a byte is no text.
    """
    data = stream.read()
    if _PAGE.match(data):
        from answer_selection.indexing.formats import html

        yield from html.read(io.BytesIO(data), encoding, base_url=base_url, name=name)
        return
    text = plain_newlines(decode(data, encoding))
    found, are_marked = question_lines.entries(text, is_faq=is_named_faq(name))
    titles = _titles(text) if not are_marked and _has_marks(text) else []
    if len(titles) >= _FEWEST:
        from answer_selection.indexing.formats import rst

        asking = sum(map(asks, titles))
        says_so = says_what_it_is(titles[0])
        is_page = says_so or (asking >= _FEWEST and 2 * asking >= len(titles))
        items = list(rst.entries(text, base_url=base_url, is_page=is_page))
        if not any(isinstance(item, Problem) and item.nothing and not item.location for item in items):
            yield from items
            return
    yield from found
    yield from unread.unread(unread.lines_of_text(text), found)


def _has_marks(text: str) -> bool:
    """Whether a text has two marks or more. A single one, or roles of one or two kinds, may be what it is about."""
    marks = len(_MARK.findall(text))
    roles = set(_ROLE.findall(text))
    return marks >= _FEWEST or (marks > 0 and len(roles) > 0) or len(roles) >= _FEWEST_ROLES


def _titles(text: str) -> list[str]:
    """The lines that have an underline of their length or more."""
    return [
        line.strip()
        for line, below in pairwise(text.split("\n"))
        if not below[:1].isspace() and RULE.fullmatch(below) and line.strip() and not RULE.fullmatch(line)
        if len(below.rstrip()) >= len(line.rstrip())
    ]
