# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Tables with a column of questions and one of answers, as the names above the columns say."""

import re
from typing import Any, Final

from answer_selection.indexing.formats.readable import readable_line

_QUESTION: Final = re.compile(
    r"(?i)(?:questions?|q|faqs?|fragen?|preguntas?|domand[ae]|perguntas?|vra(?:ag|gen)|fråg(?:a|or)|pytani[ae]|вопросы?|"
    r"質問|问题)"
)
_ANSWER: Final = re.compile(
    r"(?i)(?:answers?|a|responses?|antwort(?:en)?|réponses?|respuestas?|rispost[ae]|respostas?|antwoord(?:en)?|svar|"
    r"odpowied(?:ź|zi)|ответы?|回答|答案)"
)
_COUNTS: Final = re.compile(r"[\W\d_]*")
_FEWEST: Final = 2


def open_tables(root: Any) -> None:
    """
    Make a list of terms of each table whose first row says "Question" and "Answer": a term and its answer a row.

    What stands in other columns follows the answer, with the column's name, but for numbers. A row of one cell is the
    heading of those below.

    :param root: the page's root element, or a part.
    """
    for table in list(root.iterdescendants("table")):
        rows = [row for row in table.iterdescendants("tr") if next(row.iterancestors("table")) is table]
        cells = [[cell for cell in row if cell.tag in ("td", "th")] for row in rows]
        if len(rows) < _FEWEST or next(table.iterancestors("dd", "td", "th"), None) is not None:
            continue
        names = list(map(readable_line, cells[0]))
        question, answer = _place(names, _QUESTION), _place(names, _ANSWER)
        if question is not None and answer is not None:
            _open(table, names, cells[1:], question, answer)


def _place(names: list[str], kind: re.Pattern[str]) -> int | None:
    """Where the one column stands that has such a name."""
    places = [place for place, name in enumerate(names) if kind.fullmatch(name.strip(" :."))]
    return places[0] if len(places) == 1 else None


def _open(table: Any, names: list[str], rows: list[list[Any]], question: int, answer: int) -> None:
    around = table.makeelement("div")
    around.tail, table.tail = table.tail, None
    questions = None
    for cells in rows:
        if len(cells) == 1 and len(names) > 1:
            cells[0].tag = "h6"
            around.append(cells[0])
            questions = None
        elif max(question, answer) < len(cells):
            if questions is None:
                questions = table.makeelement("dl")
                around.append(questions)
            others = [
                (names[place], cell)
                for place, cell in enumerate(cells[: len(names)])
                if place not in (question, answer)
            ]
            cells[question].tag, cells[answer].tag = "dt", "dd"
            if readable_line(cells[question]):
                questions.append(cells[question])
            questions.append(cells[answer])
            for name, cell in others:
                text = readable_line(cell)
                if text and not _COUNTS.fullmatch(text):
                    more = table.makeelement("p")
                    more.text = f"{name}: {text}" if name else text
                    cells[answer].append(more)
    table.getparent().replace(table, around)
