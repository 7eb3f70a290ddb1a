# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The marks of questions and answers in other languages than English, brought to "Q:" and "A:"."""

import re
from typing import Final

# German, French, Spanish, Italian, Portuguese, Dutch, Swedish, Polish, Russian, Chinese, Japanese.
_LANGUAGES: Final = (
    ("Frage|F", "Antwort|A"),
    ("Question|Q", "Réponse|R"),
    ("Pregunta|P", "Respuesta|R"),
    ("Domanda|D", "Risposta|R"),
    ("Pergunta|P", "Resposta|R"),
    ("Vraag|V", "Antwoord|A"),
    ("Fråga|F", "Svar|S"),
    ("Pytanie|P", "Odpowiedź|O"),
    ("Вопрос|В", "Ответ|О"),  # noqa: RUF001 - Cyrillic
    ("问题|问", "答案|答"),
    ("質問|問|\uff31", "回答|答|\uff21"),
)
_MARK: Final = (
    r"(?P<before>[ \t]{{0,12}}(?:[-*+\u2022][ \t]{{1,4}})?(?:\*\*)?)(?:{0})(?P<after>[ ]?[0-9]{{0,4}}(?:\*\*)?)"
    "[ \u00a0]?[:\uff1a](?!//)"
)
_WIDE_COLON: Final = "\uff1a"
_MARKS: Final = tuple(
    (re.compile(_MARK.format(question)), re.compile(_MARK.format(answer)))
    for question, answer in (*_LANGUAGES, ("Question|Q", "Answer|A"))
)
_ASKING: Final = re.compile(r"[?\uff1f\u061f]")
_FEWEST: Final = 2


def in_english(text: str) -> str:
    """
    Write "Q:" and "A:" where another language has its own marks.

    :param text: lines.
    :returns: the same lines, if in one language two of them begin with the mark of a question, each has an answer
        before the next, and half of them ask; or else the text.
    """
    lines = text.split("\n")
    # Marks of English need no others, but with the colon of East Asia.
    for asked, answered in _MARKS if _WIDE_COLON in text else _MARKS[:-1]:
        marks = [("Q", mark) if (mark := asked.match(line)) else ("A", answered.match(line)) for line in lines]
        kinds = "".join(kind for kind, mark in marks if mark is not None)
        number = kinds.count("Q")
        if number < _FEWEST or "QA" * number != kinds:
            continue
        asking = sum(
            kind == "Q" and _ASKING.search(line) is not None for line, (kind, _) in zip(lines, marks, strict=True)
        )
        if 2 * asking >= number:
            return "\n".join(
                line if mark is None else f"{mark['before']}{kind}{mark['after']}: {line[mark.end() :].lstrip()}"
                for line, (kind, mark) in zip(lines, marks, strict=True)
            )
    return text
