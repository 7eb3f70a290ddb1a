# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The output of a format's reader: fields as they stand in the file, or a problem, each with its place."""

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

# An entry's fields and their other names; the first is the one that messages use. Every other field is metadata.
ID_FIELDS: Final = ("entry_id", "id")
QUESTION_FIELDS: Final = (
    *("question", "q"),
    *("frage", "pregunta", "domanda", "pergunta", "vraag", "fråga", "spørsmål", "spørgsmål", "pytanie", "otázka"),
    *("вопрос", "въпрос", "питання", "soru", "kysymys", "kérdés", "питање", "hỏi", "質問", "问题", "問題", "질문"),
    *("question_en", "q_en"),
    # As Amazon Kendra and Salesforce write their own fields.
    *("_question", "question__c"),
    *("ques", "questiontext", "question_text", "faq question", "faq_question", "field_question"),
)
ANSWER_FIELDS: Final = (
    *("answer", "a", "response"),
    *("antwort", "réponse", "reponse", "respuesta", "risposta", "resposta", "antwoord", "svar"),
    *("odpowiedź", "odpověď", "odpoveď"),
    *("ответ", "отговор", "відповідь", "cevap", "vastaus", "válasz", "одговор", "đáp", "回答", "答案", "답변", "대답"),
    *("answer_en", "a_en"),
    *("_answer", "answer__c"),
    *("ans", "answertext", "answer_text", "faq answer", "faq_answer", "answerhtml", "answer_html"),
    "field_answer",
)


@dataclass(frozen=True, slots=True)
class RawEntry:
    """
    One entry as the file has it, before its fields are checked.

    :param location: where it begins: ``"line 3"``, ``"item 2"``, ``"<details> in line 40"``.
    :param fields: the file's own field names and values.
    :param headings: the headings above the question, outermost first, where the format has headings.
    :param columns: the names of a table's columns; an entry has no field where its own is empty.
    """

    location: str
    fields: dict[str, Any]
    headings: tuple[str, ...] = ()
    columns: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Problem:
    """
    Something that could not be read.

    :param location: where it is, as in :class:`RawEntry`.
    :param field: the field it is about, or None where it is about more than one field.
    :param message: what was found and what was expected.
    :param nothing: whether it says that a file, or the part that ``location`` names, is in order but holds no entry.
        Among many files that is no error, and of a part it never is.
    """

    location: str
    field: str | None
    message: str
    nothing: bool = False


def find_field(names: Iterable[str], aliases: tuple[str, ...]) -> str | None:
    """
    Find a field among a file's own field names.

    A name in another case is the same field: spreadsheets have "Question" and "Answer" in their first row.

    :param names: the file's names.
    :param aliases: the names that the field may have, the best first.
    :returns: the name as the file has it, or None.
    """
    return _find(tuple(names), aliases)


def renamed(names: Iterable[str], columns: Mapping[str, str]) -> dict[str, str]:
    """
    Give fields the names that somebody said they have.

    :param names: a file's own field names.
    :param columns: our name of a field (``question``) and the file's (``title``), in any case. What a file does not
        have is passed over.
    :returns: each of the file's names that gets another one, with that one.
    :raises ValueError: if two fields would have one name.
    """
    if not columns:
        return {}
    own = tuple(names)
    new = {name: ours for ours, theirs in columns.items() if (name := _find(own, (theirs,)))}
    for name in own:
        other = next((theirs for theirs, ours in new.items() if ours == name and theirs != name), None)
        if other is not None and name not in new:
            msg = f"{other!r} is to be {name!r}, and there is another {name!r}"
            raise ValueError(msg)
    return new


def find_own(names: Iterable[str], columns: Mapping[str, str], aliases: tuple[str, ...]) -> str | None:
    """
    Find a field among a file's own field names, or those that somebody gave them.

    :param names: the file's names.
    :param columns: as for :func:`renamed`.
    :param aliases: as for :func:`find_field`.
    :returns: the file's name, or None.
    :raises ValueError: as :func:`renamed` does.
    """
    own = tuple(names)
    new = renamed(own, columns)
    ours = find_field([new.get(name, name) for name in own], aliases)
    return next((name for name in own if new.get(name, name) == ours), None)


# One entry after the other has the same names.
@lru_cache(maxsize=128)
def _find(names: tuple[str, ...], aliases: tuple[str, ...]) -> str | None:
    folded: dict[str, str] = {}
    for name in names:
        folded.setdefault(_folded(name), name)
    return next((folded[alias] for alias in map(_folded, aliases) if alias in folded), None)


def _folded(name: str) -> str:
    # Composed: a letter with an accent is one, however it was typed.
    return unicodedata.normalize("NFC", name.strip().lower())
