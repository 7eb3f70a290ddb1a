# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The marks of questions and answers in other languages than English, brought to "Q:" and "A:"."""

import re
from typing import Final

# German, French, Spanish, Italian, Portuguese, Dutch, Swedish, Polish, Russian, Chinese, Japanese: words, and letters.
_LANGUAGES: Final = (
    ("Frage", "Antwort", "F", "A"),
    ("Question", "Réponse", "Q", "R"),
    ("Pregunta", "Respuesta", "P", "R"),
    ("Domanda", "Risposta", "D", "R"),
    ("Pergunta", "Resposta", "P", "R"),
    ("Vraag", "Antwoord", "V", "A"),
    ("Fråga", "Svar", "F", "S"),
    ("Pytanie", "Odpowiedź", "P", "O"),
    ("Вопрос", "Ответ", "В", "О"),  # noqa: RUF001 - Cyrillic
    ("问题|问", "答案|答", "问", "答"),
    ("質問|問|\uff31", "回答|答|\uff21", "\uff31", "\uff21"),
)
_MARK: Final = (
    r"(?P<before>[ \t]{{0,12}}(?:[-*+\u2022][ \t]{{1,4}})?(?:\*\*)?)(?:{0})(?P<after>[ ]?[0-9]{{0,4}}(?:\*\*)?)"
    "[ \u00a0]?[:\uff1a](?!//)(?P<behind>(?:\\*\\*)?)"
)
_WIDE_COLON: Final = "\uff1a"


def _marks(question: str, answer: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    return re.compile(_MARK.format(question)), re.compile(_MARK.format(answer))


_BY_WORDS: Final = tuple(_marks(question, answer) for question, answer, _, _ in _LANGUAGES)
_BY_LETTERS: Final = tuple(_marks(f"{q}|{question}", f"{a}|{answer}") for question, answer, q, a in _LANGUAGES)
_ENGLISH: Final = _marks("Question|Q", "Answer|A")
_ASKING: Final = re.compile(r"[?\uff1f\u061f]")
_FEWEST: Final = 2


def in_english(text: str, *, by_letters: bool) -> str:
    """
    Write "Q:" and "A:" where another language has its own marks.

    :param text: lines.
    :param by_letters: whether single letters may be such marks, too, as in a text that says that it is an FAQ:
        elsewhere they are speakers, drives, or variables.
    :returns: the same lines, if in one language two of them begin with the mark of a question, each has an answer
        before the next, and half of them ask; or else the text.
    """
    if ":" not in text and _WIDE_COLON not in text:
        return text  # as most sections of a page
    lines = text.split("\n")
    known = _BY_LETTERS if by_letters else _BY_WORDS
    if _WIDE_COLON in text:
        known = (*known, _ENGLISH)
    elif any(_ENGLISH[0].match(line) for line in lines) and any(_ENGLISH[1].match(line) for line in lines):
        return text
    for asked, answered in known:
        marks = [("Q", mark) if (mark := asked.match(line)) else ("A", answered.match(line)) for line in lines]
        kinds = "".join(kind for kind, mark in marks if mark is not None)
        number = kinds.count("Q")
        if number < _FEWEST or "QA" * number != kinds:
            continue
        places = [place for place, (_, mark) in enumerate(marks) if mark is not None]
        questions = ("\n".join(lines[begin:end]) for begin, end in zip(places[::2], places[1::2], strict=True))
        if 2 * sum(_ASKING.search(question) is not None for question in questions) >= number:
            return "\n".join(
                line
                if mark is None
                else f"{mark['before']}{kind}{mark['after']}:{mark['behind']} {line[mark.end() :].lstrip()}"
                for line, (kind, mark) in zip(lines, marks, strict=True)
            )
    return text
