# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Tables with a column of questions and one of answers, as the names above the columns say."""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Final

from answer_selection.indexing.formats.elements import HEADINGS
from answer_selection.indexing.formats.pair_marks import take_turns
from answer_selection.indexing.formats.questions import ONLY_A, ONLY_Q, asks, seems_to_ask, tells_a_trouble
from answer_selection.indexing.formats.readable import readable_line

# Beside one another: what is wrong need not ask.
_PROBLEM: Final = re.compile(r"(?i)(?:problems?|issues?|symptoms?)")
_REMEDY: Final = re.compile(r"(?i)(?:solutions?|remed(?:y|ies))")
_FAILS: Final = re.compile(r"(?i)\b(?:cannot|errors?|fail(?:s|ed)?|no|not|\w{2,9}n['\u2019]t)\b")
_QUESTION: Final = re.compile(
    r"(?i)(?:questions?|fragen?|preguntas?|domand[ae]|perguntas?|vra(?:ag|gen)|fråg(?:a|or)|pytani[ae]|вопросы?|質問|问题)"
)
_ANSWER: Final = re.compile(
    r"(?i)(?:answers?|responses?|antwort(?:en)?|réponses?|respuestas?|rispost[ae]|respostas?|antwoord(?:en)?|svar|"
    r"odpowied(?:ź|zi)|ответы?|回答|答案)"
)
_NUMBER: Final = re.compile(r"(?i)(?:#|s\. ?no|no|nr|num(?:ber)?|n°|id|q)?\W*")
_COUNT: Final = re.compile(r"[0-9]{0,4}[.)]?")
_SPANS: Final = ("rowspan", "colspan")
_SENTENCE_ENDS: Final = tuple(".!:;")
_FEWEST: Final = 2
_TITLE: Final = "-"
_LONGEST_TITLE: Final = 100


def open_tables(root: Any, *, asks_above: bool = False) -> None:
    """
    Make a list of terms of each table whose first row says "Question" and "Answer": a term and its answer a row.

    What stands in other columns follows the answer, with the column's name. A row of one cell is the heading of the
    rows below. A table that asks nothing, or in which cells reach over several rows, stays as it is, and so does one
    below a heading that asks: it is a part of the answer. One that says "Problem" and "Solution" may tell what fails.

    :param root: the page's root element, or a part.
    :param asks_above: whether it stands below a question.
    """
    for element in list(root.iterdescendants("table", *HEADINGS)):
        if element.tag in HEADINGS:
            asks_above = seems_to_ask(readable_line(element))
        elif not asks_above and _is_outermost_and_innermost(element):
            rows = list(element.iterdescendants("tr"))
            cells = [[cell for cell in row if cell.tag in ("td", "th")] for row in rows]
            if not _open_pairs(element, [some for row, some in zip(rows, cells, strict=True) if readable_line(row)]):
                _open_if_it_asks(element, rows, cells)


def _is_outermost_and_innermost(table: Any) -> bool:
    """Whether a table is in no other, nor in a definition, and has none in it."""
    is_inside = next(table.iterancestors("dd", "td", "th"), None) is not None
    return not is_inside and next(table.iterdescendants("table"), None) is None


def _open_pairs(table: Any, cells: Sequence[Sequence[Any]]) -> bool:
    """Make lists of terms of rows that begin with a cell "Q:" and one "A:" by turns; whether they are such rows."""
    cells = [row[1:] if len(row) == 3 and _COUNT.fullmatch(readable_line(row[0])) else row for row in cells]
    kinds = list(map(_kind_of, cells))
    marked = "".join(kinds).replace(_TITLE, "")
    if "" in kinds or not take_turns(marked, fewest=1):
        return False
    # What says what the rows below are about stands above a question.
    if any(kind == _TITLE and after != "Q" for kind, after in pairwise([*kinds, ""])):
        return False
    lists = _Lists(table)
    for row, kind in zip(cells, kinds, strict=True):
        if kind == _TITLE:
            lists.add_between(row[0], "h6")
            continue
        if not row[1].get("id") and (name := next((part.get("id") for part in row[0].iter() if part.get("id")), None)):
            row[1].set("id", name)
        lists.add(row[1], "dt" if kind == "Q" else "dd")
    lists.replace_table()
    return True


def _kind_of(row: Sequence[Any]) -> str:
    """What a row is: "Q" or "A" by the mark in its first cell, a title, or, as the empty text, none of these."""
    texts = list(map(readable_line, row))
    if len(row) == 2:
        for kind, mark in ("Q", ONLY_Q), ("A", ONLY_A):
            if mark.fullmatch(texts[0]):
                return kind
    is_title = bool(row) and texts[0] != "" and not any(texts[1:])
    return _TITLE if is_title and len(texts[0]) <= _LONGEST_TITLE and "?" not in texts[0] else ""


def _open_if_it_asks(table: Any, rows: Sequence[Any], cells: Sequence[list[Any]]) -> None:
    names = list(map(readable_line, cells[0])) if len(rows) >= _FEWEST else []
    question, answer = _place(names, _QUESTION), _place(names, _ANSWER)
    may_tell = question is None and answer is None
    if may_tell:
        question, answer = _place(names, _PROBLEM), _place(names, _REMEDY)
    if question is None or answer is None:
        return
    are_rows = [len(row) == len(names) and not _spans(row) for row in cells]
    # Others are headings of the rows below.
    if not are_rows[0] or any(len(row) != 1 for row, is_row in zip(cells, are_rows, strict=True) if not is_row):
        return
    asked = [readable_line(row[question]) for row, is_row in zip(cells[1:], are_rows[1:], strict=True) if is_row]
    if any(map(asks, asked)) or (may_tell and any(_FAILS.search(line) or tells_a_trouble(line) for line in asked)):
        _open(table, names, list(zip(rows, cells, are_rows, strict=True))[1:], question, answer)


def _place(names: Sequence[str], kind: re.Pattern[str]) -> int | None:
    """Where the one column stands that has such a name."""
    places = [place for place, name in enumerate(names) if kind.fullmatch(name.strip(" :."))]
    return places[0] if len(places) == 1 else None


def _spans(row: Sequence[Any]) -> bool:
    return any(cell.get(name, "1").strip() not in ("", "1") for cell in row for name in _SPANS)


def _open(
    table: Any, names: Sequence[str], rows: Sequence[tuple[Any, list[Any], bool]], question: int, answer: int
) -> None:
    lists = _Lists(table)
    for caption in list(table.iterdescendants("caption")):
        lists.add_between(caption, "caption")
    for place, (row, cells, is_row) in enumerate(rows):
        if not is_row:
            is_above_others = place + 1 < len(rows) and rows[place + 1][2]
            is_title = is_above_others and not readable_line(cells[0]).endswith(_SENTENCE_ENDS)
            lists.add_between(cells[0], "h6" if is_title else "p")
            continue
        if (name := row.get("id")) and not cells[question].get("id"):
            cells[question].set("id", name)
        for column, cell in enumerate(cells):
            text = readable_line(cell)
            if column not in (question, answer) and text and not _NUMBER.fullmatch(names[column]):
                more = table.makeelement("p")
                more.text = f"{names[column]}: {text}"
                cells[answer].append(more)
        if readable_line(cells[question]):
            lists.add(cells[question], "dt")
        lists.add(cells[answer], "dd")
    lists.replace_table()


class _Lists:
    """Lists of terms, and what stands between them, that are made of a table's cells and take its place."""

    def __init__(self, table: Any) -> None:
        self._table = table
        self._around = table.makeelement("div")
        self._around.tail, table.tail = table.tail, None
        self._terms: Any = None

    def add_between(self, element: Any, tag: str) -> None:
        """Add what ends a list, such as the title of the next."""
        element.tag = tag
        self._around.append(element)
        self._terms = None

    def add(self, cell: Any, tag: str) -> None:
        """Add a term or its definition."""
        cell.tag = tag
        if self._terms is None:
            self._terms = self._table.makeelement("dl")
            self._around.append(self._terms)
        self._terms.append(cell)

    def replace_table(self) -> None:
        """Put the lists where the table stands."""
        self._table.getparent().replace(self._table, self._around)
