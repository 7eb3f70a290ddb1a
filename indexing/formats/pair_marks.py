# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The marks of questions and answers in other languages than English, brought to "Q:" and "A:"."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Final, TypeAlias

# By the lines that they begin: "Q" or "A", and what the language has in its place.
_Marks: TypeAlias = dict[int, tuple[str, re.Match[str]]]


# German, French, Spanish, Italian, Portuguese, Dutch, Swedish, Polish, Russian and Bulgarian, Chinese, Japanese,
# Korean: words, and letters. A Latin letter may stand for the Cyrillic one that looks like it.
_LANGUAGES: Final = (
    ("Frage", "Antwort", "F", "A"),
    ("Question", "Réponse", "Q", "R"),
    ("Pregunta", "Respuesta", "P", "R"),
    ("Domanda", "Risposta", "D", "R"),
    ("Pergunta", "Resposta", "P", "R"),
    ("Vraag", "Antwoord", "V", "A"),
    ("Fråga", "Svar", "F", "S"),
    ("Pytanie", "Odpowiedź", "P", "O"),
    ("Вопрос|Въпрос", "Ответ|Отговор", "В|B", "О|O"),  # noqa: RUF001 - Cyrillic
    ("问题|问", "答案|答", "问", "答"),
    ("質問|問|\uff31", "回答|答え|答|\uff21", "\uff31", "\uff21"),
    ("질문", "대답|답변|답", "문", "답"),
)
# "Q" and "A", and what these languages have in their place.
LETTERS: Final = (("Q", "A"), *((q.split("|")[0], a.split("|")[0]) for _, _, q, a in _LANGUAGES))
# Czech, Finnish and Hungarian, Serbian, Vietnamese, Turkish, Indonesian: words, and letters that are marks only with a
# number.
_LANGUAGES_WITH_NUMBERS: Final = (
    ("Otázka", "Odpověď", "Ot", "Od"),
    ("Kysymys|Kérdés", "Vastaus|Válasz", "K", "V"),
    ("Питање", "Одговор", "П", "О|O"),  # noqa: RUF001 - Cyrillic
    ("Hỏi", "Đáp", "H", "Đ"),
    ("Soru", "Cevap|Yanıt", "S", "C"),  # noqa: RUF001 - Turkish
    ("Tanya|Pertanyaan", "Jawab|Jawaban", "T", "J"),
)
_BEFORE: Final = r"(?P<before>[ \t]{{0,12}}(?:[-*+\u2022\u25cf][ \t]{{1,4}})?(?:\*\*)?)"
_MARK: Final = (
    _BEFORE + r"(?P<word>{0})(?P<after>[ ]?[0-9]{{0,4}}(?:\*\*)?)"
    # "R.:" and "R2)", too. A word for "Answer" may stand alone on its line.
    "(?:[.]?[ \u00a0]?[:\uff1a](?!//)|(?<=[0-9])[.)](?:-(?=\\w)|(?=[ \\t]))|{1})(?P<behind>(?:\\*\\*)?)"
)
_ALONE: Final = r"(?<=[^\W\d_]{2})[ \t]{0,9}$"
_NEVER: Final = "(?!)"
# Of one that counts on, the colon may have been forgotten.
_MARK_WITH_NUMBER: Final = (
    _BEFORE + r"(?P<word>{0})(?P<after>(?P<number>[0-9]{{1,4}})(?:\*\*)?)"
    "(?:[ \u00a0]?(?P<colon>[:\uff1a])(?!//)|[ \\t])(?P<behind>(?:\\*\\*)?)"
)
_WIDE_COLON: Final = "\uff1a"


def _marks(question: str, answer: str, *, form: str = _MARK) -> tuple[re.Pattern[str], re.Pattern[str]]:
    return re.compile(form.format(question, _NEVER)), re.compile(form.format(answer, _ALONE))


_ALL_WORDS: Final = tuple((question, answer) for question, answer, *_ in (*_LANGUAGES, *_LANGUAGES_WITH_NUMBERS))
_BY_WORDS: Final = tuple(_marks(question, answer) for question, answer in _ALL_WORDS)
_BY_LETTERS: Final = (
    *(_marks(f"{q}|{question}", f"{a}|{answer}") for question, answer, q, a in _LANGUAGES),
    *_BY_WORDS[len(_LANGUAGES) :],
)
_BY_NUMBERS: Final = tuple(_marks(q, a, form=_MARK_WITH_NUMBER) for _, _, q, a in _LANGUAGES_WITH_NUMBERS)
# As in a translation of which a part is left to do.
_PARTLY_ENGLISH: Final = tuple(_marks(f"{question}|Q", f"{answer}|A") for question, answer in _ALL_WORDS)
_ENGLISH: Final = _marks("Question|Q", "Answer|A")
_PROBLEM: Final = re.compile(_MARK.format("(?i:Problem|Symptoms?)", _ALONE))
_REMEDY: Final = re.compile(_MARK.format("(?i:Solution|Resolution|Fix|Cure|Remedy|Work-?around)", _ALONE))
_CAUSE: Final = re.compile(_MARK.format("(?i:Cause|Reason|Explanation)", _NEVER))
# Any of these, so that each is tried on few lines.
_ANY: Final = re.compile(
    _BEFORE.format()
    + f"(?:[QA]|Answer|{'|'.join(chain(*_LANGUAGES, *_LANGUAGES_WITH_NUMBERS))})"
    + "[ ]?[0-9]{0,4}[*]{0,2}(?:[ \u00a0\t:\uff1a.)]|$)"
)
_ENGLISH_LETTERS: Final = frozenset("QA")
# Japanese asks politely without a question mark: "please tell me".
_ASKING: Final = re.compile(r"[?\uff1f\u061f]|(?:ください|下さい|でしょうか|ですか|ますか)[。.]?\s{0,9}$", re.MULTILINE)
_FEWEST: Final = 2
_FEWEST_NUMBERS: Final = 3


def take_turns(kinds: str, *, fewest: int) -> bool:
    """
    Tell whether each question has its answer before the next.

    :param kinds: "Q" or "A" for each mark, in their order.
    :param fewest: so many pairs or more.
    :returns: whether the marks take turns.
    """
    number = len(kinds) // 2
    return number >= fewest and kinds == "QA" * number


def in_english(text: str, *, by_letters: bool) -> str:
    """
    Write "Q:" and "A:" where another language has its own marks.

    :param text: lines.
    :param by_letters: whether single letters may be such marks, too, as in a text that says that it is an FAQ:
        elsewhere they are speakers, drives, or variables.
    :returns: the same lines, if in one language two of them begin with the mark of a question, each has an answer
        before the next, and half of them ask; or else the text. Most marks may be a language's, and others English.
        Letters that need a number have the same before a question and its answer, count from 1, and are of three
        questions or more.
    """
    if ":" not in text and _WIDE_COLON not in text and not (by_letters and ")" in text):
        return text  # as most sections of a page
    lines = text.split("\n")
    marked = {place: line for place, line in enumerate(lines) if _ANY.match(line)}
    found = _found(marked, by_letters=by_letters) if marked else ()
    marks = next((marks for marks in found if marks and _do_ask(lines, [*marks])), {})
    for place, (kind, mark) in marks.items():
        rest = lines[place][mark.end() :].lstrip()
        before = mark["before"].replace("\u25cf", "\u2022")
        lines[place] = f"{before}{kind}{mark['after']}:{mark['behind']} {rest}"
    return "\n".join(lines) if marks else text


def without_letters(pairs: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """
    Leave out the letters that other languages have in place of "Q:" and "A:".

    :param pairs: the questions of an FAQ, each with its answer.
    :returns: the same; without them if half of the questions, and two or more, have those of one language, as have
        their answers. Where one of both is English, all three or more pairs have the other.
    """
    asking = sum(_ASKING.search(question) is not None for question, _ in pairs)
    if 2 * asking < len(pairs):
        return list(pairs)
    languages = _BY_LETTERS[: len(_LANGUAGES)]
    # English marks are gone already.
    are_english = [(asked.match("Q: ") is not None, answered.match("A: ") is not None) for asked, answered in languages]
    for gone, marks in sorted(zip(are_english, languages, strict=True), key=lambda one: any(one[0])):
        found = [_without_marks(pair, marks, gone) for pair in pairs]
        marked = sum(one is not None for one in found)
        is_sure = len(pairs) <= 2 * marked if not any(gone) else _FEWEST_NUMBERS <= len(pairs) == marked
        if marked >= _FEWEST and is_sure:
            return [pair if one is None else one for pair, one in zip(pairs, found, strict=True)]
    return list(pairs)


def _without_marks(
    pair: tuple[str, str], marks: tuple[re.Pattern[str], re.Pattern[str]], gone: tuple[bool, bool]
) -> tuple[str, str] | None:
    """A pair without its marks, or None if it lacks one of those that are not gone already."""
    question, answer = (
        text if is_gone else None if (found := mark.match(text)) is None else text[found.end() :].lstrip()
        for text, mark, is_gone in zip(pair, marks, gone, strict=True)
    )
    return (question, answer) if question and answer else None


def problems_in_english(text: str) -> str:
    """
    Write "Q:" and "A:" where a text has "Problem:" and "Solution:", perhaps with "Cause:" between.

    :param text: lines.
    :returns: the same lines, if two problems or more, and each before the next, have a solution or a cause; or else the
        text.
    """
    lines = text.split("\n")
    kinds = ""
    for place, line in enumerate(lines):
        if mark := _PROBLEM.match(line):
            kinds += "Q"
        elif kinds[-1:] == "Q" and (mark := _REMEDY.match(line) or _CAUSE.match(line)):
            kinds += "A"
        else:
            continue
        # Not "Cause:", which says what the text is.
        rest = line if _CAUSE.match(line) else line[mark.end() :]
        lines[place] = f"{kinds[-1]}: {rest.strip()}"
    return "\n".join(lines) if take_turns(kinds, fewest=_FEWEST) else text


def _found(lines: Mapping[int, str], *, by_letters: bool) -> Iterator[_Marks]:
    """The marks that each language has in a text, if they take turns: those of one alone before others."""
    known = _BY_LETTERS if by_letters else _BY_WORDS
    has_english = all(any(map(mark.match, lines.values())) for mark in _ENGLISH)
    if any(_WIDE_COLON in line for line in lines.values()):
        known = (*known, _ENGLISH)
    elif has_english:
        known = ()
    yield from (_by_turns(lines, *marks) for marks in known)
    for marks in _PARTLY_ENGLISH:
        found = _by_turns(lines, *marks)
        yield {} if _are_english(found) else found
    if by_letters and not has_english:
        yield from (_counting(lines, *marks) for marks in _BY_NUMBERS)


def _by_turns(lines: Mapping[int, str], asked: re.Pattern[str], answered: re.Pattern[str]) -> _Marks:
    """The marks of questions and answers, by the lines that they begin, if they take turns; none if they do not."""
    marks: _Marks = {}
    for place, line in lines.items():
        if mark := asked.match(line):
            marks[place] = ("Q", mark)
        elif mark := answered.match(line):
            marks[place] = ("A", mark)
    kinds = "".join(kind for kind, _ in marks.values())
    return marks if take_turns(kinds, fewest=_FEWEST) else {}


def _counting(lines: Mapping[int, str], asked: re.Pattern[str], answered: re.Pattern[str]) -> _Marks:
    """The marks that take turns and count on from 1; none if one with a colon does not."""
    marks: _Marks = {}
    for place, line in lines.items():
        kind = "QA"[len(marks) % 2]
        for other, pattern in (("Q", asked), ("A", answered)):
            if (mark := pattern.match(line)) is None:
                continue
            if kind == other and int(mark["number"]) == len(marks) // 2 + 1:
                marks[place] = (kind, mark)
            elif mark["colon"]:
                return {}
            break
    return marks if len(marks) >= 2 * _FEWEST_NUMBERS and len(marks) % 2 == 0 else {}


def _are_english(marks: _Marks) -> bool:
    """Whether half of the marks are, or more."""
    return 2 * sum(mark["word"] in _ENGLISH_LETTERS for _, mark in marks.values()) >= len(marks)


def _do_ask(lines: Sequence[str], places: Sequence[int]) -> bool:
    """Whether half of the questions do, in any of their lines."""
    questions = ["\n".join(lines[begin:end]) for begin, end in zip(places[::2], places[1::2], strict=True)]
    return 2 * sum(_ASKING.search(question) is not None for question in questions) >= len(questions)
