# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Plain text, which may be reStructuredText by what stands in it: some projects call its files ``.txt``."""

import re
from collections.abc import Iterator
from io import BytesIO
from itertools import pairwise
from typing import BinaryIO, Final

from answer_selection.indexing.formats import question_lines
from answer_selection.indexing.formats.lines import decode, plain_newlines
from answer_selection.indexing.formats.questions import asks, names_faq, names_troubles
from answer_selection.indexing.formats.raw import Problem, RawEntry

# ".. _label:", ".. note::" and ":ref:`text`".
_MARK: Final = re.compile(
    r"(?m)^\.\. (?:_[^\s:][^:\n]{0,200}:[ \t]*$|[a-z][\w-]{0,60}::(?:[ \t]|$))"
    r"|(?<![\w`:]):[a-z][\w:.-]{0,60}:`[^`\n]{1,300}`"
)
_UNDERLINE: Final = re.compile(r"([-=~^\"'`*+#.:_])\1{2,}[ \t]*")
_FEWEST: Final = 2


def read(stream: BinaryIO, encoding: str | None = None, *, base_url: str | None = None) -> Iterator[RawEntry | Problem]:
    """
    Read a whole text.

    It is reStructuredText if it has marks that no other text has, and underlined titles. Other than a file that is
    named so, it is an FAQ only if it says so, or half of its titles ask.

    :param stream: the file's bytes.
    :param encoding: the declared encoding, if any.
    :param base_url: the file's address: links of reStructuredText that are relative to it become absolute.
    :returns: one raw entry a question; a problem if there is none.
    :raises EncodingError: if a byte is no text.
    """
    data = stream.read()
    text = plain_newlines(decode(data, encoding))
    titles = _titles(text) if _MARK.search(text) else []
    if len(titles) < _FEWEST:
        yield from question_lines.read(BytesIO(data), encoding)
        return
    from answer_selection.indexing.formats import rst

    asking = sum(map(asks, titles))
    is_page = names_faq(titles[0]) or names_troubles(titles[0]) or (asking >= _FEWEST and 2 * asking >= len(titles))
    yield from rst.read(BytesIO(data), encoding, base_url=base_url, is_page=is_page)


def _titles(text: str) -> list[str]:
    """The lines that have an underline of their length or more."""
    return [
        line.strip()
        for line, below in pairwise(text.split("\n"))
        if _UNDERLINE.fullmatch(below) and line.strip() and not _UNDERLINE.fullmatch(line)
        if len(below.rstrip()) >= len(line.rstrip())
    ]
