# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""What Pandoc does not know of AsciiDoc, written so that it does."""

import re
from typing import Final

from answer_selection.indexing.formats.questions import asks

# What begins and ends a block whose text is shown as it is: its sign, four times or more, or a fence of Markdown.
_VERBATIM: Final = re.compile(r"-{4,}|\.{4,}|\+{4,}|/{4,}|(?P<fence>`{3,})\S*")
# What begins and ends a block with blocks in it, and a table.
_COMPOUND: Final = re.compile(r"--|={4,}|\*{4,}|_{4,}|[|!,:]={3,}")
_DIRECTIVE: Final = re.compile(r"(?:include|ifn?def|ifeval|endif)::[^\[\n]*\[[^\n]*\]")
_TERM: Final = re.compile(r"(\S[^\n]{0,500}?)::(?=\s|$)")
_MACRO: Final = re.compile(r"\w{1,40}::\S*\[")
# "std::map": two colons that make no term.
_INNER_COLONS: Final = re.compile(r"::(?=\S)")
_ATTRIBUTE: Final = re.compile(r"(?m)^:([\w-]{1,80}):[ \t]+(\S[^\n]*?)[ \t]*$")
# "{docs}/install.html[the guide]"
_LINK: Final = re.compile(r"(?<![$`\w])(?:link:)?\{([\w-]{1,80})\}([^\s\[\]]{0,300})\[([^\[\]\n]{1,300})\]")
# A link's text, in which Pandoc takes ".js" for a role, "#12" for an id and what follows a comma for an attribute.
_LINK_TEXT: Final = re.compile(r"((?:https?://|link:|mailto:)[^\s\[\]]{1,500})\[([^\[\]\n\"=]{1,300}?)\^?\]")
_CODE: Final = re.compile(r"(?<![\"'`\w])`([^`+\n]{1,300})`(?![`\w])")
_TITLE: Final = re.compile(r"={1,6}\s+\S")
_ITEM: Final = re.compile(r"\s*(?:\*{1,5}|\.{1,5}|-|[0-9]{1,3}\.|<\.?[0-9]*>)\s")
_CONTINUATION: Final = "+"
_BETWEEN_BLOCKS: Final = frozenset(["", _CONTINUATION])
_COMMENT: Final = "//"
# By the rank of the title above.
_UNDERLINES: Final = "=-~^+"
_SHORTEST: Final = 3
# A comment between two lists keeps them apart, as Asciidoctor has it.
_ENDS_LISTS: Final = ("", "//-", "")


def prepared(text: str) -> str:
    """
    Write a text anew for Pandoc.

    Underlined titles get the signs of the others, and none of them has signs behind it. Comments, conditions and what
    other files would be included for go: Pandoc refuses the whole text otherwise, or shows them. So it does where a
    block has no end, which gets one. Links below an address that another file names keep their text, links and code
    every sign. Two colons within a word make no term. A term that asks ends the lists above it, which Pandoc takes for
    a part of their last item; all that stands below it, up to the next one or a title, is its text, attached or not.

    :param text: the text.
    :returns: the same, with as many headings.
    """
    return _Writer(dict(_ATTRIBUTE.findall(text))).written(text.split("\n"))


class _Writer:
    def __init__(self, attributes: dict[str, str]) -> None:
        self._attributes = attributes
        self._lines: list[str] = []
        self._verbatim = ""
        # The marks of the blocks that are open, the innermost last.
        self._blocks: list[str] = []
        self._answers = self._has_list = False

    @property
    def _above(self) -> str:
        return self._lines[-1] if self._lines else ""

    def written(self, lines: list[str]) -> str:
        for line in lines:
            if _DIRECTIVE.fullmatch(line.rstrip()) is None:
                self._add(line)
        if self._verbatim:
            self._lines.append(self._verbatim)
        return "\n".join(self._lines)

    def _add(self, line: str) -> None:
        mark = line.rstrip()
        if self._verbatim:
            self._add_verbatim(line, ends=mark == self._verbatim)
        elif not mark:
            self._lines.append(line)
        elif not self._blocks and self._is_underline(mark):
            self._lines[-1] = f"{'=' * (1 + _UNDERLINES.index(mark[0]))} {self._lines[-1].strip()}"
            self._answers = False
        elif (found := _VERBATIM.fullmatch(mark)) is not None:
            self._begin_block(mark)
            self._verbatim = found["fence"] or mark
            self._add_verbatim(line, ends=False)
        elif _COMPOUND.fullmatch(mark):
            if self._blocks[-1:] == [mark]:
                self._blocks.pop()
            else:
                self._begin_block(mark)
                self._blocks.append(mark)
            self._lines.append(line)
        elif not line.startswith(_COMMENT):
            self._add_text(line)

    def _add_verbatim(self, line: str, *, ends: bool) -> None:
        if not self._verbatim.startswith(_COMMENT):
            self._lines.append(line)
        if ends:
            self._verbatim = ""

    def _add_text(self, line: str) -> None:
        term = None if self._blocks else _TERM.match(line)
        # Terms of a list inside an answer have other signs, "a:::" or "a;;".
        if term is not None and (self._answers or asks(term[1])):
            while self._lines and self._above.strip() in _BETWEEN_BLOCKS:
                self._lines.pop()
            self._lines += _ENDS_LISTS
            self._answers, self._has_list = True, False
        elif _TITLE.match(line):
            self._answers = False
            line = _without_closing_signs(line)
        else:
            if self._above.rstrip(" *_").endswith(":") and _ITEM.match(line):
                # As people write a list; Pandoc wants an empty line above it.
                self._lines.append("")
            self._attach(line)
        # What is indented below an empty line is shown as it is.
        if not line[0].isspace() or self._above.strip() not in _BETWEEN_BLOCKS:
            line = _LINK.sub(self._link, line)
            line = _LINK_TEXT.sub(r'\1["\2"]', line)
            if _MACRO.match(line) is None:
                line = _INNER_COLONS.sub(":{empty}:", line)
            # Code is shown as it is, too.
            line = _CODE.sub(lambda one: one[0] if "{empty}" in one[1] else f"`+{one[1]}+`", line)
        self._lines.append(line)

    def _begin_block(self, mark: str) -> None:
        # It ends the paragraph above it, but for what is said of it: "[source]", ".Title".
        above = self._above.strip()
        if above not in _BETWEEN_BLOCKS and not above.startswith(("[", ".")):
            self._lines.append("")
        self._attach(mark)

    def _attach(self, line: str) -> None:
        """Make a block of the answer that it stands in what begins below an empty line."""
        if not self._answers or self._blocks:
            return
        is_item = _ITEM.match(line) is not None
        if not self._above.strip():
            # Items that nothing separates are of one list.
            self._lines[-1:] = [] if is_item and self._has_list else [_CONTINUATION]
        self._has_list = self._has_list or is_item

    def _link(self, found: re.Match[str]) -> str:
        begins = self._attributes.get(found[1])
        return found[3] if begins is None else f"{begins}{found[2]}[{found[3]}]"

    def _is_underline(self, mark: str) -> bool:
        """Whether a line makes a title of the one above it, which stands alone."""
        *_, before, title = ["", "", *self._lines[-2:]]
        return (
            len(mark) >= _SHORTEST
            and mark == mark[0] * len(mark)
            and mark[0] in _UNDERLINES
            and not before.strip()
            and any(map(str.isalnum, title))
            and not title.startswith(("[", ".", "="))
            and _ITEM.match(title) is None
            # As Asciidoctor has it.
            and abs(len(title.rstrip()) - len(mark)) <= 1
        )


def _without_closing_signs(title: str) -> str:
    """A title without the signs that may stand behind it, as many as before it: "== Title =="."""
    signs, *words = title.split()
    return title.rstrip().removesuffix(signs) if len(words) > 1 and words[-1] == signs else title
