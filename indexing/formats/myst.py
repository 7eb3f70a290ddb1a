# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""MyST's directives in Markdown: what is text in a fence is written as text, what lays a page out is left out."""

import re
from collections.abc import Iterable, Sequence
from textwrap import dedent
from typing import Final

_FENCE: Final = re.compile(r"(?P<indent>[ \t]{0,60})(?P<fence>`{3,60}|~{3,60}|:{3,60})(?P<rest>[^\n]*)")
_DIRECTIVE: Final = re.compile(r"[ \t]{0,9}\{(?P<name>[A-Za-z][\w:.+-]{0,40})\}(?P<argument>[^\n]*)")
_OPTION: Final = re.compile(r":[A-Za-z][\w-]{0,40}:(?:[ \t][^\n]*)?")
_COMMENT: Final = re.compile(r"%(?:[ \t][^\n]*)?|\+\+\+(?:[ \t][^\n]*)?")
_CODE: Final = frozenset("code code-block code-cell doctest ipython parsed-literal prompt sourcecode testcode".split())
_RST: Final = "eval-rst"
# What lays a page out, or reads other files.
_SILENT: Final = frozenset(
    "bibliography contents currentmodule highlight include index iframe image literalinclude meta module "
    "tableofcontents tabularcolumns tags toctree video youtube".split()
)
# Written as reStructuredText has them.
_TABLES: Final = frozenset(["csv-table", "list-table"])
_RAW: Final = "raw"
# A title that is no heading.
_RUBRIC: Final = "rubric"
# What is inside is Markdown. A fence of another name stays what it is: "```{r}" is code.
_TEXT: Final = frozenset(
    "admonition attention aside button-link button-ref card card-carousel caution centered container danger "
    "deprecated details div dropdown epigraph error exercise figure figure-md grid grid-item grid-item-card hint "
    "highlights important info margin note only pull-quote question seealso sidebar solution success tab-item tab-set "
    "tip topic versionadded versionchanged warning".split()
)
# Of these the argument is a file, a width or an address.
_UNTOLD: Final = frozenset("button-link button-ref container div figure figure-md grid only".split())
# Other kinds of Markdown have fences with such names, too.
_OF_MYST_ALONE: Final = _TEXT | _TABLES | {"code-cell", _RST, _RUBRIC}
_DEEPEST: Final = 20


def without_directives(lines: list[str]) -> list[str]:
    """
    Write directives as Markdown has them.

    :param lines: a Markdown file's.
    :returns: as many lines. Fences around text are colons, as other generators of sites have them; around code they
        are those of code. Options, and directives that show nothing, are empty lines.
    """
    fences = (_FENCE.fullmatch(line) for line in lines if "{" in line)
    found = (_DIRECTIVE.fullmatch(fence["rest"]) for fence in fences if fence is not None)
    names = {directive["name"].lower() for directive in found if directive is not None}
    if not names:
        return lines
    directives = _Directives(lines, has_comments=not names.isdisjoint(_OF_MYST_ALONE))
    directives.write(0, len(lines), 0)
    return directives.lines


class _Directives:
    def __init__(self, lines: Sequence[str], *, has_comments: bool) -> None:
        self.lines = list(lines)
        self._has_comments = has_comments
        self._ends = _ends_of_colons(lines)

    def write(self, here: int, end: int, depth: int) -> None:
        while here < end:
            fence = _FENCE.fullmatch(self.lines[here])
            if fence is None:
                if self._has_comments and _COMMENT.fullmatch(self.lines[here]):
                    self.lines[here] = ""
                here += 1
                continue
            has_colons = fence["fence"].startswith(":")
            close = self._ends.get(here, end) if has_colons else self._end_of(here, end, fence["fence"])
            directive = _DIRECTIVE.fullmatch(fence["rest"])
            if directive is not None and close < end and depth < _DEEPEST:
                self._write_one(fence, directive["name"].lower(), directive["argument"].strip(), here, close, depth)
                here = close + 1
            else:
                here = here + 1 if has_colons else close + 1

    def _write_one(self, fence: re.Match[str], name: str, argument: str, here: int, close: int, depth: int) -> None:
        indent, marks = fence["indent"], fence["fence"]
        if name in _SILENT:
            self._empty(range(here, close + 1))
        elif name == _RST or name in _TABLES:
            inside = self.lines[here + 1 : close]
            if name in _TABLES:
                inside = [f".. {name}:: {argument}", *(f"   {line}" for line in inside)]
            self._empty(range(here, close + 1))
            self.lines[here] = indent + _html_of(inside)
        elif name == _RAW:
            is_html = argument.lower() == "html"
            self._empty((here, close) if is_html else range(here, close + 1))
        elif name == _RUBRIC and argument:
            self._empty(range(here, close + 1))
            self.lines[here] = f"{indent}**{argument}**"
        elif name in _CODE:
            marks = marks.replace(":", "`")
            self.lines[here], self.lines[close] = f"{indent}{marks}{argument}", indent + marks
            self._empty(self._options(range(here + 1, close)))
        elif name in _TEXT:
            marks = ":" * len(marks)
            opening = f"{{{name}}} {argument}" if argument and name not in _UNTOLD else name
            self.lines[here], self.lines[close] = f"{indent}{marks}{opening}", indent + marks
            self._empty(self._options(range(here + 1, close)))
            self.write(here + 1, close, depth + 1)

    def _end_of(self, here: int, end: int, marks: str) -> int:
        """The number of the line that closes a fence, `end` if none does."""
        for number in range(here + 1, end):
            line = self.lines[number].strip()
            if line.startswith(marks) and not line.strip(marks[0]):
                return number
        return end

    def _options(self, inside: range) -> range:
        """The lines of ":key: value", or of YAML between "---", that a directive begins with."""
        first = inside.start
        if inside and self.lines[first].strip() == "---":
            return range(first, next((i for i in inside[1:] if self.lines[i].strip() == "---"), first - 1) + 1)
        return range(first, next((i for i in inside if not _OPTION.fullmatch(self.lines[i].strip())), inside.stop))

    def _empty(self, which: Iterable[int]) -> None:
        for number in which:
            self.lines[number] = ""


def _ends_of_colons(lines: Sequence[str]) -> dict[int, int]:
    """Where each block ends whose fence is of colons. Inside one there may be others of as many."""
    ends: dict[int, int] = {}
    begun: dict[str, list[int]] = {}
    for number, line in enumerate(lines):
        fence = _FENCE.fullmatch(line) if ":::" in line else None
        if fence is None or not fence["fence"].startswith(":"):
            continue
        if fence["rest"].strip():
            begun.setdefault(fence["fence"], []).append(number)
        elif begun.get(fence["fence"]):
            ends[begun[fence["fence"]].pop()] = number
    return ends


def _html_of(lines: Sequence[str]) -> str:
    """reStructuredText as a line of HTML."""
    from answer_selection.indexing.formats import rst

    return rst.body_of(dedent("\n".join(lines))).strip().replace("\n", "&#10;")
