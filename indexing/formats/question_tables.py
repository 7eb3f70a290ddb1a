# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Tables with a column of questions and one of answers, as the names above the columns say."""

import re
from collections.abc import Sequence
from typing import Any, Final

from answer_selection.indexing.formats.elements import HEADINGS
from answer_selection.indexing.formats.questions import ONLY_A, ONLY_Q, asks, seems_to_ask
from answer_selection.indexing.formats.readable import readable_line

# Beside "Problem", which does not ask.
_REMEDY: Final = re.compile("(?i:solutions?|remed(?:y|ies))")
_QUESTION: Final = re.compile(
    r"(?i)(?:questions?|problems?|issues?|symptoms?|fragen?|preguntas?|domand[ae]|perguntas?|vra(?:ag|gen)|fråg(?:a|or)|pytani[ae]|вопросы?|質問|问题)"
)
_ANSWER: Final = re.compile(
    rf"(?i)(?:answers?|responses?|{_REMEDY.pattern}|antwort(?:en)?|réponses?|respuestas?|rispost[ae]|respostas?|antwoord(?:en)?|svar|"
    r"odpowied(?:ź|zi)|ответы?|回答|答案)"
)
_NUMBER: Final = re.compile(r"(?i)(?:#|s\. ?no|no|nr|num(?:ber)?|n°|id|q)?\W*")
_COUNT: Final = re.compile(r"[0-9]{0,4}[.)]?")
_SPANS: Final = ("rowspan", "colspan")
_SENTENCE_ENDS: Final = tuple(".!:;")
_FEWEST: Final = 2
_LONGEST_TITLE: Final = 100


def open_tables(root: Any, *, asks_above: bool = False) -> None:
    """
    Make a list of terms of each table whose first row says "Question" and "Answer": a term and its answer a row.

    What stands in other columns follows the answer, with the column's name. A row of one cell is the heading of the
    rows below. A table that asks nothing, or in which cells reach over several rows, stays as it is, and so does one
    below a heading that asks: it is a part of the answer.

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
    """Make a list of terms of rows that begin with a cell "Q:" and one "A:" by turns; whether they are such rows."""
    cells = [row[1:] if len(row) == 3 and _COUNT.fullmatch(readable_line(row[0])) else row for row in cells]
    # Others say what the rows below are about.
    marked = [row for row in cells if len([cell for cell in row if readable_line(cell)]) > 1]
    if not marked or len(marked) % 2 or any(len(row) != 2 for row in marked):
        return False
    titles = [readable_line(cell) for row in cells if row not in marked for cell in row]
    if any(len(title) > _LONGEST_TITLE or "?" in title for title in titles):
        return False
    marks = zip(marked, [ONLY_Q, ONLY_A] * (len(marked) // 2), strict=True)
    if not all(mark.fullmatch(readable_line(row[0])) for row, mark in marks):
        return False
    around = table.makeelement("div")
    around.tail, table.tail = table.tail, None
    pairs = None
    tags = iter(["dt", "dd"] * (len(marked) // 2))
    for row in cells:
        if row not in marked:
            title = next(cell for cell in row if readable_line(cell))
            title.tag = "h6"
            around.append(title)
            pairs = None
            continue
        if pairs is None:
            pairs = table.makeelement("dl")
            around.append(pairs)
        if not row[1].get("id") and (name := next((part.get("id") for part in row[0].iter() if part.get("id")), None)):
            row[1].set("id", name)
        row[1].tag = next(tags)
        pairs.append(row[1])
    table.getparent().replace(table, around)
    return True


def _open_if_it_asks(table: Any, rows: Sequence[Any], cells: Sequence[list[Any]]) -> None:
    names = list(map(readable_line, cells[0])) if len(rows) >= _FEWEST else []
    question, answer = _place(names, _QUESTION), _place(names, _ANSWER)
    if question is None or answer is None:
        return
    are_rows = [len(row) == len(names) and not _spans(row) for row in cells]
    # Others are headings of the rows below.
    if not are_rows[0] or any(len(row) != 1 for row, is_row in zip(cells, are_rows, strict=True) if not is_row):
        return
    asked = (readable_line(row[question]) for row, is_row in zip(cells, are_rows, strict=True) if is_row)
    if _REMEDY.fullmatch(names[answer].strip(" :.")) or any(map(asks, asked)):
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
    around = table.makeelement("div")
    around.tail, table.tail = table.tail, None
    around.extend(list(table.iterdescendants("caption")))
    questions = None
    for place, (row, cells, is_row) in enumerate(rows):
        if not is_row:
            is_above_others = place + 1 < len(rows) and rows[place + 1][2]
            is_title = is_above_others and not readable_line(cells[0]).endswith(_SENTENCE_ENDS)
            cells[0].tag = "h6" if is_title else "p"
            around.append(cells[0])
            questions = None
            continue
        if questions is None:
            questions = table.makeelement("dl")
            around.append(questions)
        if (name := row.get("id")) and not cells[question].get("id"):
            cells[question].set("id", name)
        for column, cell in enumerate(cells):
            text = readable_line(cell)
            if column not in (question, answer) and text and not _NUMBER.fullmatch(names[column]):
                more = table.makeelement("p")
                more.text = f"{names[column]}: {text}"
                cells[answer].append(more)
        cells[question].tag, cells[answer].tag = "dt", "dd"
        if readable_line(cells[question]):
            questions.append(cells[question])
        questions.append(cells[answer])
    table.getparent().replace(table, around)
