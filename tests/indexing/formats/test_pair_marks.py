# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
from io import BytesIO

import pytest

from answer_selection.indexing.formats import html, markdown, text
from answer_selection.indexing.formats.pair_marks import in_english
from answer_selection.indexing.formats.raw import RawEntry

WORDS = (
    ("Frage 1: ", "Antwort: "),
    ("Pregunta: ", "Respuesta: "),
    ("\u95ee\uff1a", "\u7b54\uff1a"),
    ("\uff31\uff1a", "\uff21\uff1a"),
)
# Marks only in a text that says that it is an FAQ.
LETTERS = (
    ("F: ", "A: "),
    ("Q : ", "R : "),
    ("Q\u00a0: ", "R\u00a0: "),
    ("D: ", "R: "),
    ("\u0412: ", "\u041e: "),
    ("Q\uff1a", "A\uff1a"),
)


@pytest.mark.parametrize(
    ("form", "marks"),
    [*((form, marks) for form in (text, markdown, html) for marks in WORDS), *((text, marks) for marks in LETTERS)],
)
def test_marks_of_other_languages_are_read(form: object, marks: tuple[str, str]) -> None:
    question, answer = marks
    lines = [f"{question}Is it {word}?\n{answer}Yes, {word}." for word in ("hot", "cold")]
    whole = "FAQ\n\n" + "\n\n".join(lines) + "\n"
    if form is html:
        whole = "<title>FAQ</title><h1>FAQ</h1><p>" + "</p><p>".join(lines).replace("\n", "<br>") + "</p>"
    elif form is markdown:
        whole = "# " + whole.replace(f"\n{answer}", f"\n\n{answer}")
    items = list(form.read(BytesIO(whole.encode())))  # type: ignore[attr-defined]
    assert all(isinstance(item, RawEntry) for item in items), items
    assert [(item.fields["question"], item.fields["answer"]) for item in items] == [
        ("Is it hot?", "Yes, hot."),
        ("Is it cold?", "Yes, cold."),
    ]


@pytest.mark.parametrize(
    "lines",
    [
        "F: the drive\nA: the floppy\nF: another\nA: none",
        "F: Is it?\nA: Yes.",
        "F: Is it?\nF: Or not?\nA: Yes.\nA: No.",
        "Q: Is it?\nA:   Yes.\nQ: Or not?\nA: No.",
        "Q: Which?\nA: This.\nR: Road Act\nQ: Why?\nA: So.\nR: None",
    ],
)
def test_what_no_language_has_as_its_marks_stays(lines: str) -> None:
    assert in_english(lines, by_letters=True) == lines
    assert in_english(lines.replace("F:", "V:"), by_letters=False) == lines.replace("F:", "V:")


def test_bold_marks_stay_bold() -> None:
    lines = "**Q:** Wie?\n**R:** So.\n\n**Q:** Wo?\n**R:** Hier."
    assert in_english(lines, by_letters=True) == lines.replace("R:", "A:")


def test_a_question_may_ask_in_its_second_line() -> None:
    lines = (
        "FAQ del forno\n\nDomanda: Il forno è freddo, cosa\nposso fare?\n\nRisposta: Aspetti.\n\nD: È\nnuovo?\nR: No.\n"
    )
    assert in_english(lines, by_letters=True).count("Q: ") == 2
