# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
Blocks with a title that Markdown itself has not, written as ``<details>`` or ``<dl>``.

``??? question "How?"`` of MkDocs, ``:::details How?`` of Docusaurus and VitePress, ``> [!faq]- How?`` of Obsidian,
``{{< expand "How?" >}}`` of Hugo, ``<Accordion title="How?">`` of MDX, and lists of definitions as PHP Markdown Extra
has them. Of others, such as ``<Note>`` or ``=== "Linux"``, the title and what they hold are written as text.
"""

import html
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from answer_selection.indexing.formats.line_marks import without_line_marks
from answer_selection.indexing.formats.magic_blocks import magic_block
from answer_selection.indexing.formats.myst import without_directives
from answer_selection.indexing.formats.pair_lines import PAIR
from answer_selection.indexing.formats.questions import asks, seems_to_ask, without_marks

_SPACE: Final = r"(?P<indent>[ \t]{0,40})"
# What such a block opens with; `kind` says what it is, `title` what it is about.
_OPENINGS: Final = tuple(
    re.compile(_SPACE + line)
    for line in (
        r"""(?P<sign>\?\?\?\+?|!!!)(?:[ \t]+(?P<kind>[\w-]{1,40})(?:[ \t][\w \t-]{0,60})?)?[ \t]{1,9}"""
        r""""(?P<title>[^"\n]{1,500})"[ \t]*""",
        r"(?P<sign>:{3,9})[ \t]*(?P<kind>[\w-]{1,40})[ \t]*\[(?P<title>[^\]\n]{1,500})\][^\n]{0,200}",
        r"(?P<sign>:{3,9})[ \t]*\{?(?P<kind>[\w-]{1,40})\}?[ \t]+(?P<title>[^\s{][^\n]{0,500})",
        r"(?P<sign>>)[ \t]?\[!(?P<kind>[\w-]{1,40})\][-+]?[ \t]+(?P<title>\S[^\n]{0,500})",
        r"(?P<sign>\{\{[<%])[ \t]*(?P<kind>[\w/-]{1,40})(?:[ \t]+(?P<attributes>[^\n]{1,600}?))?"
        r"[ \t]*[%>]\}\}[ \t]*",
        r"""(?P<sign><)(?P<kind>[A-Z][\w.]{0,40})[ \t]+(?P<attributes>[^<\n]{1,600})>[ \t]*""",
    )
)
_QUOTED: Final = r"""(?:"([^"\n]{1,500})"|'([^'\n]{1,500})'|`([^`\n]{1,500})`)"""
_TITLE: Final = re.compile(r"(?:^|[ \t])(?:title|summary|question|label|header|heading|q)=\{?" + _QUOTED)
_FIRST: Final = re.compile(_QUOTED)
# Kinds that open and close; of others only those are read whose title asks.
_OPENS: Final = re.compile(
    r"(?i)(?:.*[-_/.])?(?:faqs?|faq-?item|question|details|"
    r"accordion(?:-?item)?|dropdown|expand(?:able)?|collaps\w*|toggle|disclosure)"
)
_WITHOUT_KIND: Final = "details"
_ASKED_FOR: Final = frozenset(["faq", "help", "question"])
_DEEPEST: Final = 20
# A note, with a title or without, or a tab: what is further in below it is its text.
_NOTE: Final = re.compile(
    r"""(?P<indent>[ \t]{0,40})(?:\?\?\?\+?|!!!|===[!+]?(?=[ \t]{1,9}"))[ \t]{1,9}"""
    r"""(?:[\w-]{1,40}(?:[ \t][\w \t-]{0,60})?)?(?:"(?P<title>[^"\n]{0,500})")?[ \t]*"""
)
# A tag of MDX with its attributes on lines of their own.
_TAG_BEGINS: Final = re.compile(r"[ \t]{0,40}<[A-Z][\w.]{0,40}[ \t]*")
_LONGEST_TAG: Final = 20
# A tag of MDX with its end on the same line.
_TAG: Final = re.compile(r"[ \t]{0,40}<([A-Z][\w.]{0,40})[ \t][^<>\n]{1,600}>")
# "<Note>", "<TabItem label='Linux'>" and "<Card />" of MDX, alone on a line; HTML in capitals is none of them.
_COMPONENT: Final = re.compile(r"[ \t]{0,40}<(?P<name>[A-Z][\w.]{0,40})(?:[ \t][^<\n]{0,1000})?>[ \t]{0,40}")
_OF_HTML: Final = frozenset(
    "blockquote code dd details div dl dt figure li ol p picture pre script section style summary svg table ul".split()
)
# Behind it text may begin right away. Without an empty line between, Markdown goes on with HTML.
_ENDS_HTML: Final = re.compile(r"(?i)</summary>[ \t]{0,40}$|^[ \t]{0,3}</details>[ \t]{0,40}$")
# "---", alone or below a title, and "===".
_PARTS: Final = re.compile(r"[ ]{0,3}(?:(?:-[ \t]*){3,99}|(?:\*[ \t]*){3,99}|(?:_[ \t]*){3,99}|={3,99})")
_PAIR: Final = re.compile(r"[ ]{0,3}" + PAIR.pattern)
_DEFINITION: Final = re.compile(r"[ \t]{0,3}:[ \t]+(?=\S)")
# Comments of kramdown, of Jekyll and of MDX that begin and end on different lines.
_COMMENTS: Final = tuple(
    (re.compile(rf"[ \t]{{0,9}}{first}"), re.compile(end))
    for first, end in (
        (r"\{::comment\}[ \t]{0,9}", r"[ \t]{0,9}\{:/(?:comment)?\}[ \t]{0,9}"),
        (r"\{%-?[ ]comment[ ]-?%\}[ \t]{0,9}", r"[ \t]{0,9}\{%-?[ ]endcomment[ ]-?%\}[ \t]{0,9}"),
        (r"\{/\*(?:[^*\n]|\*(?!/)){0,500}", r"[^\n]{0,500}\*/\}[ \t]{0,9}"),
    )
)
# "{% highlight bash %}" and "{% endhighlight %}".
_JEKYLLS_CODE: Final = re.compile(
    r"([ \t>]{0,60})\{%-?[ \t]{0,9}(?P<end>end)?highlight(?:[ \t][^%\n]{0,100})?-?%\}[ \t]{0,40}"
)
_FENCE: Final = re.compile(r"[ \t>]{0,60}(`{3,}|~{3,})")
_HEADING: Final = re.compile(r"[ ]{0,3}(#{1,6})[ \t]+(\S.*)")
_ITEM: Final = re.compile(r"[ ]{0,3}(?:[-*+]|[0-9]{1,9}[.)])[ \t]")
# What is so much further in is code, but in an item of a list.
_CODE: Final = 4


@dataclass(frozen=True, slots=True)
class Source:
    """
    Lines of a Markdown file.

    :param text: the lines.
    :param numbers: of each its number in the file, counted from 1.
    """

    text: str
    numbers: Sequence[int]


def as_html(text: str) -> Source:
    """
    Write such blocks as elements of HTML.

    :param text: a Markdown file's lines.
    :returns: the same with ``<details>`` and ``<dl>`` around what the blocks hold.
    """
    rows = _Rows(_with_fences(_without_comments(without_directives(text.split("\n")))))
    rows.read(0, len(rows.lines))
    return Source("\n".join(line for line, _ in rows.written), [number for _, number in rows.written])


def _without_comments(lines: list[str]) -> list[str]:
    """Empty the lines of comments that go over some of them."""
    begin, end = 0, None
    for number, line in enumerate(lines):
        if end is None:
            begin, end = number, next((end for first, end in _COMMENTS if first.fullmatch(line)), None)
        elif end.fullmatch(line):
            lines[begin : number + 1] = [""] * (number + 1 - begin)
            end = None
    return lines


def _with_fences(lines: list[str]) -> list[str]:
    """Write fences around Jekyll's code, where its tags stand alone and are no code themselves."""
    begin: int | None = None
    fence = ""
    for number, line in enumerate(lines):
        if begin is None:
            fence = _fence_after(line, fence)
        if not fence and (tag := _JEKYLLS_CODE.fullmatch(line)) and len(tag[1]) < _CODE:
            if tag["end"] and begin is not None:
                lines[begin] = lines[number] = f"{tag[1]}~~~~~"
                begin = None
            elif not tag["end"]:
                begin = number
    return lines


def _fence_after(line: str, fence: str) -> str:
    """The fence that is open behind a line, before which `fence` was; "" if none is."""
    mark = _FENCE.match(line)
    if mark is None:
        return fence
    closes = mark[1].startswith(fence) and not line.strip(" \t>").strip(mark[1][0])
    return "" if fence and closes else fence or mark[1]


class _Rows:
    def __init__(self, lines: list[str], depth: int = 0) -> None:
        self.lines = lines
        self._depth = depth
        self._kinds = _asking_kinds(lines)
        # The rank of the question that we are below, 0 for none.
        self._question = 0
        self.written: list[tuple[str, int]] = []
        self._ends = _ends_of(lines)

    def read(self, here: int, end: int) -> None:
        fence, in_item = "", False
        while here < end:
            line = self.lines[here]
            fence = _fence_after(line, fence)
            is_code = bool(fence)
            if not is_code:
                if heading := _HEADING.match(line):
                    self._read_heading(len(heading[1]), heading[2])
                elif line.strip() and _width(line) < _CODE:
                    in_item = _ITEM.match(line) is not None or (in_item and _width(line) > 1)
                is_code = _width(line) >= _CODE and not in_item
            if not is_code:
                if (
                    (after := self._block(here, end))
                    or (after := self._definitions(here, end))
                    or (after := self._note(here, end))
                    or (after := self._component(here, end))
                    or (after := self._magic(here, end))
                ):
                    here = after
                    continue
                line = without_line_marks(line, begins=here == 0 or not self.lines[here - 1].strip())
            self._write(line.split("\n"), here)
            here += 1
            if not is_code and _ENDS_HTML.search(line) and here < end and _begins_text(self.lines[here]):
                self._write([""], here)

    def _read_heading(self, level: int, title: str) -> None:
        if not self._question or level <= self._question:
            self._question = level if seems_to_ask(without_marks(title)[0]) else 0

    def _block(self, here: int, end: int) -> int:
        line, begins = self._tag(here, end)
        line, on_one_line = _without_end(line)
        opening = _opening(line)
        if opening is None or self._depth == _DEEPEST or (title := _title_of(opening)) is None:
            return 0
        # Of MkDocs' blocks, one without a kind is no note.
        sign, kind = opening["sign"], opening["kind"] or _WITHOUT_KIND
        # Below a question, what can be opened and does not ask is a note in its answer.
        is_asked_for = sign.startswith("???") and (kind.lower() in _ASKED_FOR or not self._question)
        if not (is_asked_for or _OPENS.fullmatch(kind) or kind in self._kinds or asks(title)):
            return 0
        if on_one_line:
            after, inside, begins = here + 1, [on_one_line], here
        elif sign[0] in "?!":
            after = self._end_of_indented(here, end, len(opening["indent"]))
            inside = [self.lines[number] for number in range(here + 1, after)]
        elif sign == ">":
            after = here + 1
            while after < end and self.lines[after].lstrip().startswith(">"):
                after += 1
            inside = [self.lines[number].lstrip()[1:].removeprefix(" ") for number in range(here + 1, after)]
        else:
            close = self._ends.get(here)
            if close is None or close >= end:
                return 0
            after = close + 1
            inside = self.lines[begins:close]
        self._write(["<details>", f"<summary>{html.escape(title)}</summary>", ""], here)
        self._inside(inside, begins)
        self._write(["", "</details>", ""], after - 1)
        return after

    def _note(self, here: int, end: int) -> int:
        note = _NOTE.fullmatch(self.lines[here])
        if note is None or self._depth == _DEEPEST:
            return 0
        after = self._end_of_indented(here, end, len(note["indent"]))
        inside = self.lines[here + 1 : after]
        if not any(map(str.strip, inside)):
            return 0
        self._unwrapped(note["indent"], note["title"], inside, here + 1)
        return after

    def _component(self, here: int, end: int) -> int:
        """What stands in a tag of MDX, further in or not, is Markdown: the tag shows no more than its title."""
        line, begins = self._tag(here, end)
        line, on_one_line = _without_end(line)
        component = _COMPONENT.fullmatch(line)
        if component is None or self._depth == _DEEPEST:
            return 0
        if component["name"].isupper() or component["name"].lower() in _OF_HTML:
            return 0
        if line.rstrip().endswith("/>"):
            self._write([""], here)
            return begins
        close = here if on_one_line else self._ends.get(here, end)
        if close >= end:
            return 0
        inside, begins = ([on_one_line], here) if on_one_line else (self.lines[begins:close], begins)
        # Above headings a title would stand at the end of the answer before it.
        named = None if _has_heading(inside) else _TITLE.search(line)
        title = None if named is None else next(filter(None, named.groups()))
        self._unwrapped(line[: _width(line)], title, inside, begins)
        self._write([""], close)
        return close + 1

    def _unwrapped(self, indent: str, title: str | None, inside: list[str], number: int) -> None:
        """Write what is inside a block as text of its own, below the title."""
        begin = len(self.written)
        self._write(["", *([title, ""] if title else [])], number)
        self._inside(inside, number)
        self.written[begin:] = [(indent + line if line else "", number) for line, number in self.written[begin:]]

    def _magic(self, here: int, end: int) -> int:
        if (block := magic_block(self.lines, here, end)) is None:
            return 0
        after, shown = block
        self._write(shown, here)
        return after

    def _end_of_indented(self, here: int, end: int, width: int) -> int:
        after = here + 1
        while after < end and (not self.lines[after].strip() or _width(self.lines[after]) > width):
            after += 1
        return after

    def _tag(self, here: int, end: int) -> tuple[str, int]:
        """A line, or a tag that goes over some lines, and where what follows it begins."""
        if _TAG_BEGINS.fullmatch(self.lines[here]):
            for last in range(here + 1, min(here + _LONGEST_TAG, end)):
                if self.lines[last].rstrip().endswith(">"):
                    lines = [self.lines[here].rstrip(), *map(str.strip, self.lines[here + 1 : last + 1])]
                    return " ".join(lines).replace(" >", ">"), last + 1
        return self.lines[here], here + 1

    def _definitions(self, here: int, end: int) -> int:
        first = self._definition_of(here, end)
        if not first:
            return 0
        self._write(["<dl><dt>", "", self.lines[here], "", "</dt><dd>", ""], here)
        after = self._paragraphs(first, end)
        # Code below a question is of its answer, further in or not, and so is what follows.
        is_question, goes_on = asks(self.lines[here]), False
        while after < end:
            if _DEFINITION.match(self.lines[after]):
                after = self._paragraphs(after, end)
                continue
            goes_on = goes_on or (is_question and _FENCE.match(self.lines[after]) is not None)
            rest = self._end_of_answer(after, end) if goes_on else after
            if rest == after:
                break
            self._inside(self.lines[after:rest], after)
            after = rest
        self._write(["", "</dd></dl>", ""], after - 1)
        return after

    def _definition_of(self, here: int, end: int) -> int:
        """Where the definition of a term begins, right below it or below an empty line; 0 if the line is no term."""
        term = self.lines[here]
        if not term.strip() or term[0] in " \t:#>|-*+" or here + 1 >= end:
            return 0
        first = here + 1 if self.lines[here + 1].strip() else here + 2
        return first if first < end and _DEFINITION.match(self.lines[first]) else 0

    def _paragraphs(self, first: int, end: int) -> int:
        """Write what stands behind the mark of a definition, with what is further in below; where that ends."""
        inside = [_DEFINITION.sub("", self.lines[first], count=1)]
        after = first + 1
        while after < end and (not self.lines[after].strip() or _width(self.lines[after]) > 1):
            if _DEFINITION.match(self.lines[after]):
                break
            inside.append(self.lines[after])
            after += 1
        self._inside(["    " + inside[0], *inside[1:]] if len(inside) > 1 else inside, first)
        self._write([""], after - 1)
        return after

    def _end_of_answer(self, here: int, end: int) -> int:
        """Where text ends that no mark of a definition stands before."""
        while here < end and not (self._ends_answer(here, end) or _DEFINITION.match(self.lines[here])):
            here = self._after_fence(here, end)
        return here

    def _ends_answer(self, here: int, end: int) -> bool:
        """Whether a line begins another term, or what may be another question, or parts the text."""
        line = self.lines[here]
        text = line.strip().strip("*_").strip()
        if here + 1 < end and text and _PARTS.fullmatch(self.lines[here + 1]):
            return True
        if _HEADING.match(line) or _PARTS.fullmatch(line) or line.startswith(("<", "**", "__")) or asks(text):
            return True
        return _opening(line) is not None or _PAIR.match(line) is not None or self._definition_of(here, end) > 0

    def _after_fence(self, here: int, end: int) -> int:
        """The next line, or the one behind a block of code that begins here."""
        fence = _fence_after(self.lines[here], "")
        here += 1
        while fence and here < end:
            fence = _fence_after(self.lines[here], fence)
            here += 1
        return here

    def _inside(self, lines: list[str], number: int) -> None:
        width = _width_of(lines)
        inner = _Rows([line[width:] if line[:width].isspace() else line for line in lines], self._depth + 1)
        inner.read(0, len(lines))
        self.written += [(line, inside + number) for line, inside in inner.written]

    def _write(self, lines: list[str], number: int) -> None:
        self.written += [(line, number + 1) for line in lines]


def _width_of(lines: Sequence[str]) -> int:
    """How far in all lines are, but for fences, which may begin further out."""
    fence = ""
    widths: list[int] = []
    of_code: list[int] = []
    for line in lines:
        before, fence = fence, _fence_after(line, fence)
        if line.strip():
            (of_code if before or fence else widths).append(_width(line))
    return min(widths or of_code, default=0)


def _has_heading(lines: Sequence[str]) -> bool:
    fence = ""
    for line in lines:
        fence = _fence_after(line, fence)
        if not fence and _HEADING.match(line.lstrip()):
            return True
    return False


def _ends_of(lines: Sequence[str]) -> dict[int, int]:
    """Where each block ends that is closed by a line of its own."""
    ends: dict[int, int] = {}
    begun: dict[str, list[int]] = {}
    closed: dict[str, int] = {}  # where the last one of so many colons was
    open_ones = _more_opened_than_closed(lines)
    for number, line in enumerate(lines):
        text = line.strip()
        if text.startswith(":::"):
            colons = _colons_of(text)
            if text != colons:
                some = begun.setdefault(colons, [])
                # Where one is not closed, what closed one inside it closed it, too, as VitePress has it.
                last = some[-_DEEPEST:] if colons in open_ones else []
                same = next((place for place in last if _kind_of(lines[place]) == _kind_of(text)), None)
                if same is not None and closed.get(colons, -1) > same:
                    ends[same] = closed[colons]
                    del some[some.index(same) :]
                some.append(number)
            elif begun.get(colons):
                ends[begun[colons].pop()] = closed[colons] = number
        elif text.startswith(("{{<", "{{%", "<")) and not text.endswith("/>"):
            name, closes = _name_of(text)
            if name and not closes:
                begun.setdefault(name, []).append(number)
            elif name and begun.get(name):
                ends[begun[name].pop()] = number
    return ends


def _more_opened_than_closed(lines: Sequence[str]) -> set[str]:
    """The signs of colons, such as ":::", that open more blocks than they close."""
    balance = Counter[str]()
    fence = ""
    for line in lines:
        fence, text = _fence_after(line, fence), line.strip()
        if not fence and text.startswith(":::"):
            colons = _colons_of(text)
            if text == colons or not text.endswith(colons):
                balance[colons] += -1 if text == colons else 1
    return {colons for colons, number in balance.items() if number > 0}


def _colons_of(text: str) -> str:
    return text[: len(text) - len(text.lstrip(":"))]


def _kind_of(line: str) -> str:
    """The kind of a block that begins with colons."""
    return next(iter(line.strip(" \t:{").split()), "")


def _name_of(text: str) -> tuple[str, bool]:
    text = text.lstrip("{<% \t")
    closes = text.startswith("/")
    name = re.match(r"[\w.-]{1,40}", text.lstrip("/ \t"))
    return ("" if name is None else name[0]), closes


def _without_end(line: str) -> tuple[str, str]:
    """Part a line that begins and ends a tag of MDX into its beginning and what is inside."""
    tag = _TAG.match(line)
    end = "" if tag is None else f"</{tag[1]}>"
    if tag is None or not line.rstrip().endswith(end):
        return line, ""
    return tag[0], line.rstrip().removesuffix(end)[tag.end() :]


def _opening(line: str) -> re.Match[str] | None:
    return next((found for kind in _OPENINGS if (found := kind.fullmatch(line))), None)


def _asking_kinds(lines: Sequence[str]) -> set[str]:
    """Those of which half or more ask."""
    asking: Counter[str] = Counter()
    all_of: Counter[str] = Counter()
    for line in lines:
        if (opening := _opening(line)) and (title := _title_of(opening)):
            all_of[opening["kind"]] += 1
            asking[opening["kind"]] += asks(title)
    return {kind for kind, number in all_of.items() if 2 * asking[kind] >= number > 1}


def _title_of(opening: re.Match[str]) -> str | None:
    groups = opening.groupdict()
    title = groups.get("title")
    if title is None:
        attributes = groups.get("attributes") or ""
        named = _TITLE.search(attributes)
        if named is not None:
            title = next(filter(None, named.groups()))
        elif opening["sign"] != "<" and (first := _FIRST.match(attributes)):
            title = next(filter(None, first.groups()))
        else:
            return None
    return title.replace("**", "").replace("`", "").strip(" \t_")


def _begins_text(line: str) -> bool:
    return _width(line) < _CODE and not line.lstrip().startswith("<") and line.strip() != ""


def _width(line: str) -> int:
    return len(line) - len(line.lstrip(" \t"))
