# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
PDF: headings by their letters, as the format itself has none. Needs the extra `documents`.

A line is a heading if its letters are larger than the text's, or bold where the text is not. The text's letters are
those that most of it is set in.
"""

import io
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import Any, BinaryIO, Final, NamedTuple

from pdfminer.high_level import extract_pages
from pdfminer.layout import LTChar, LTTextContainer, LTTextLine

from answer_selection.indexing.formats.questions import leads_elsewhere, without_marks
from answer_selection.indexing.formats.raw import Problem, RawEntry

# Beyond this a line of large letters is a text.
_LONGEST_HEADING: Final = 200
_LARGER: Final = 1.1
_BOLD: Final = re.compile(r"(?i)bold|black|heavy|semibold|demi")
# On so few pages no line is known to be on every page.
_FEWEST: Final = 2
# What TeX's fonts have at these places, where the file does not say it: ligatures, quotes, dashes.
_GLYPHS: Final = dict(zip(range(11, 16), ("ff", "fi", "fl", "ffi", "ffl"), strict=True)) | dict(
    zip(
        (16, 17, 21, 22, *range(27, 32)),
        ("\u201c", "\u201d", "\u2013", "\u2014", "ff", "fi", "fl", "ffi", "ffl"),
        strict=True,
    )
)
_GLYPH: Final = re.compile(r"\(cid:([0-9]{1,2})\)")
_NUMBER: Final = re.compile(r"[0-9]{1,3}(?:\.[0-9]{1,3}){0,4}\.?")
# Of a title in several lines, how far their upper edges are apart, in sizes of letters.
_LINE_GAP: Final = 1.6
# A word that a line's end breaks: "unresolved sym- bols".
_BROKEN: Final = re.compile(r"(?<=[a-z]{2})- (?=[a-z]{2})(?!and |or |und |oder )")
_PAGE_NUMBER: Final = re.compile(r"(?i)\W*(?:(?:page|seite)\s+)?\d+(?:\s*(?:/|of|von)\s*\d+)?\W*")


class _Line(NamedTuple):
    """
    A line on a page.

    :param size: Its letters' size in points, rounded to halves.
    :param begins_block: Whether another block of text begins with it.
    :param height: How far its upper edge is above the page's lower one, in points.
    """

    text: str
    page: int
    size: float
    is_bold: bool
    begins_block: bool
    height: float


def read(stream: BinaryIO, encoding: str | None = None) -> Iterator[RawEntry | Problem]:  # noqa: ARG001
    """
    Read a whole PDF file.

    A heading without text of its own above smaller ones is a section. Text before the first heading, page numbers, and
    first and last lines that most pages share are passed over.

    :param stream: the file's bytes.
    :param encoding: of no meaning here.
    :returns: a raw entry a question, whose ``anchor`` leads to its page; or a problem, if it cannot be read or has no
        headings.
    """
    try:
        lines = _without_running_lines(list(_lines(io.BytesIO(stream.read()))))
    except Exception as error:
        yield Problem("", None, f"cannot be read as PDF: {error or type(error).__name__}")
        return
    if not lines:
        yield Problem("", None, "expected text; found none: are its pages pictures?", nothing=True)
        return
    body = _body(lines)
    path: list[tuple[_Line, str]] = []
    question: list[_Line] = []
    answer: list[str] = []
    found = False

    def section() -> Iterator[RawEntry]:
        titles = [*(text for _, text in path), _joined(question)]
        if question and answer and not any(map(leads_elsewhere, titles)):
            fields = {
                "question": _joined(question),
                "answer": _paragraphs(answer),
                "anchor": f"page={question[0].page}",
            }
            yield RawEntry(f"page {question[0].page}", fields, tuple(text for _, text in path))

    for line in lines:
        if not _is_heading(line, body):
            if question and not _PAGE_NUMBER.fullmatch(line.text) and not _is_number_of_heading(line, body):
                answer += ["", line.text] if line.begins_block and answer else [line.text]
            continue
        if question and not answer and _goes_on(question[-1], line):
            question.append(line)  # a heading of several lines
            continue
        for entry in section():
            found = True
            yield entry
        if question:
            path.append((question[0], _joined(question)))
        while path and _rank(path[-1][0]) <= _rank(line):
            path.pop()
        question, answer = [line], []
    for entry in section():
        found = True
        yield entry
    if not found:
        expected = "expected headings in larger or bold letters, which are the questions, with text below them"
        yield Problem("", None, f"{expected}; found none", nothing=True)


def _lines(stream: io.BytesIO) -> Iterator[_Line]:
    for number, page in enumerate(extract_pages(stream), start=1):
        for block in _in_rows([block for block in page if isinstance(block, LTTextContainer)]):
            begins = True
            for line in block:
                if isinstance(line, LTTextLine) and (text := _as_printed(line.get_text())):
                    letters = [one for one in line if isinstance(one, LTChar) and not one.get_text().isspace()]
                    yield _Line(text, number, _size(letters), _is_bold(letters), begins, line.y1)
                    begins = False


def _in_rows(blocks: Sequence[Any]) -> Iterator[Any]:
    """The same blocks; those of one line that stand in a row from left to right, which pdfminer leaves to chance."""
    row: list[Any] = []
    for block in blocks:
        if row and not _are_beside(row[-1], block):
            yield from sorted(row, key=lambda one: one.x0)
            row = []
        row.append(block)
    yield from sorted(row, key=lambda one: one.x0)


def _are_beside(one: Any, other: Any) -> bool:
    """Whether two blocks are lines of one height."""
    if len(one) != 1 or len(other) != 1:
        return False
    shared = min(one.y1, other.y1) - max(one.y0, other.y0)
    return bool(shared > min(one.height, other.height) / 2)


def _as_printed(text: str) -> str:
    return " ".join(_GLYPH.sub(lambda glyph: _GLYPHS.get(int(glyph[1]), glyph[0]), text).split())


def _goes_on(above: _Line, line: _Line) -> bool:
    """Whether a heading goes on in a line: in the same block of text, or right below if it is no whole question."""
    if _rank(line) != _rank(above):
        return False
    if not line.begins_block:
        return True
    is_right_below = line.page == above.page and 0 < above.height - line.height < _LINE_GAP * line.size
    return is_right_below and not above.text.endswith((".", "?", "!", ":")) and not _NUMBER.match(line.text)


def _is_number_of_heading(line: _Line, body: _Line) -> bool:
    """Whether a line is a number, in the letters of a heading, that stands apart from its title."""
    return _NUMBER.fullmatch(line.text) is not None and _stands_out(line, body)


def _without_running_lines(lines: Sequence[_Line]) -> list[_Line]:
    """Leave out the highest and lowest lines that most pages share, but for the page's number in the last one."""
    pages: defaultdict[int, list[_Line]] = defaultdict(list)
    for line in lines:
        pages[line.page].append(line)
    # By their height: a file may have its lines in any order.
    highest = [max(page, key=lambda line: line.height) for page in pages.values()]
    lowest = [min(page, key=lambda line: line.height) for page in pages.values()]
    headers = [(line, line.text) for line in highest]
    # Not so in the first line: "Step 1", "Step 2" are headings.
    footers = [(line, re.sub(rf"\b{line.page}\b", "", line.text, count=1)) for line in lowest]
    left_out: set[int] = set()
    for edge in (headers, footers):
        counts = Counter(text for _, text in edge)
        left_out |= {id(line) for line, text in edge if counts[text] >= _FEWEST and counts[text] > len(pages) / 2}
    return [line for line in lines if id(line) not in left_out]


def _size(letters: Sequence[Any]) -> float:
    return Counter(round(2 * letter.size) / 2 for letter in letters).most_common(1)[0][0] if letters else 0.0


def _is_bold(letters: Sequence[Any]) -> bool:
    return 2 * sum(1 for letter in letters if _BOLD.search(letter.fontname)) > len(letters)


def _body(lines: Sequence[_Line]) -> _Line:
    """What most of the text is set in."""
    counts: Counter[tuple[float, bool]] = Counter()
    for line in lines:
        counts[line.size, line.is_bold] += len(line.text)
    (size, is_bold), _ = counts.most_common(1)[0]
    return _Line("", 0, size, is_bold, begins_block=False, height=0.0)


def _is_heading(line: _Line, body: _Line) -> bool:
    if len(line.text) > _LONGEST_HEADING or not any(letter.isalpha() for letter in line.text):
        return False
    return _stands_out(line, body)


def _stands_out(line: _Line, body: _Line) -> bool:
    return line.size > _LARGER * body.size or (line.is_bold and not body.is_bold and line.size >= body.size)


def _rank(line: _Line) -> tuple[float, bool]:
    return line.size, line.is_bold


def _joined(lines: Sequence[_Line]) -> str:
    """A heading's text without its number."""
    return without_marks(_BROKEN.sub("", " ".join(line.text for line in lines)))[0]


def _paragraphs(lines: Sequence[str]) -> str:
    """Lines end where the page does: a block of them is one paragraph again; an empty line is between two."""
    paragraphs: list[list[str]] = [[]]
    for line in lines:
        if line:
            paragraphs[-1].append(line)
        else:
            paragraphs.append([])
    return "\n\n".join(_BROKEN.sub("", " ".join(paragraph)) for paragraph in paragraphs if paragraph)
