# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""What Pandoc does not know of AsciiDoc, written so that it does."""

import re
from collections.abc import Sequence
from typing import Final

from answer_selection.indexing.formats.questions import asks

# What begins and ends a block whose text is shown as it is: its sign, four times or more, or a fence of Markdown.
_VERBATIM: Final = re.compile(r"(?:-{4,}|\.{4,}|\+{4,}|/{4,}|`{3,})")
_DIRECTIVE: Final = re.compile(r"(?:include|ifn?def|ifeval|endif)::[^\[\n]*\[[^\n]*\]")
_TERM: Final = re.compile(r"(\S[^\n]{0,500}?)::(?=\s|$)")
# "{docs}/install.html[the guide]", where another file says what "docs" is.
_UNKNOWN_LINK: Final = re.compile(r"(?:link:)?\{[\w-]{1,80}\}[^\s\[\]]{0,300}\[([^\[\]\n]{1,300})\]")
_TITLE: Final = re.compile(r"={1,6}\s+\S")
_ITEM: Final = re.compile(r"\s*(?:\*{1,5}|\.{1,5}|-|[0-9]{1,3}\.|<\.?[0-9]*>)\s")
_CONTINUATION: Final = "+"
_COMMENT: Final = "//"
# By the rank of the title above.
_UNDERLINES: Final = "=-~^+"
_SHORTEST: Final = 3
# As Asciidoctor has it of a title and the line below it.
_ABOUT_AS_LONG: Final = 2
# A comment between two lists keeps them apart, as Asciidoctor has it.
_ENDS_LISTS: Final = ("", "//-", "")


def prepared(text: str) -> str:
    """
    Write a text anew for Pandoc.

    Underlined titles get the signs of the others. Comments, conditions and what other files would be included for go:
    Pandoc refuses the whole text otherwise, or shows them. Links below an address that another file names keep their
    text. A term that asks ends the lists above it, which Pandoc takes for a part of their last item; all that stands
    below it, up to the next one or a title, is its text, attached or not.

    :param text: the text.
    :returns: the same, with as many headings.
    """
    lines: list[str] = []
    ends = ""
    answers = has_list = False
    for line in text.split("\n"):
        mark = line.rstrip()
        if _DIRECTIVE.fullmatch(mark):
            continue
        if not ends and mark and _is_underlined(lines, mark):
            lines[-1] = f"{'=' * (1 + _UNDERLINES.index(mark[0]))} {lines[-1].strip()}"
            answers = False
            continue
        begins = "" if ends else _begins_verbatim(mark)
        if not ends and (begins or mark):
            if line.startswith(_COMMENT) and not begins:
                continue
            term = None if begins else _TERM.match(line)
            # Terms of a list inside an answer have other signs: "a:::" or "a;;".
            asked = term is not None and (answers or asks(term[1]))
            answers = (answers or asked) and _TITLE.match(line) is None
            if asked:
                while lines and lines[-1].strip() in {_CONTINUATION, ""}:
                    lines.pop()
                lines += _ENDS_LISTS
                has_list = False
            elif answers:
                is_item = _ITEM.match(line) is not None
                if not lines[-1].strip():
                    # Items that nothing separates are of one list.
                    lines[-1:] = [] if is_item and has_list else [_CONTINUATION]
                has_list = has_list or is_item
        if not (ends or begins).startswith(_COMMENT):
            lines.append(line if ends or begins else _UNKNOWN_LINK.sub(r"\1", line))
        ends = "" if mark == ends else ends or begins
    return "\n".join(lines)


def _begins_verbatim(mark: str) -> str:
    """The line that ends what this one begins; nothing if it begins no verbatim text."""
    found = _VERBATIM.match(mark)
    if found is None or (found[0] != mark and not found[0].startswith("`")):
        return ""
    return found[0]


def _is_underlined(lines: Sequence[str], mark: str) -> bool:
    """Whether a line makes a title of the one above it, which stands alone."""
    *_, before, title = ["", "", *lines[-2:]]
    return (
        len(mark) >= _SHORTEST
        and mark == mark[0] * len(mark)
        and mark[0] in _UNDERLINES
        and not before.strip()
        and any(map(str.isalnum, title))
        and not title.startswith(("[", "."))
        and abs(len(title.rstrip()) - len(mark)) <= _ABOUT_AS_LONG
    )
