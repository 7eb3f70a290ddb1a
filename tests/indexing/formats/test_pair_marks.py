# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
from io import BytesIO

import pytest

from answer_selection.indexing.formats import html, markdown, text
from answer_selection.indexing.formats.pair_marks import in_english, without_letters
from answer_selection.indexing.formats.raw import RawEntry

WORDS = (
    ("Frage 1: ", "Antwort: "),
    ("Pregunta: ", "Respuesta: "),
    ("\u95ee\uff1a", "\u7b54\uff1a"),
    ("\uff31\uff1a", "\uff21\uff1a"),
    ("質問1:", "答え1:"),
    ("질문 1: ", "답 1: "),
    ("Otázka: ", "Odpověď: "),
    ("Kysymys: ", "Vastaus: "),
    ("Kérdés: ", "Válasz: "),
    ("Питање: ", "Одговор: "),
    ("Въпрос: ", "Отговор: "),
    ("Hỏi: ", "Đáp: "),
)
# Marks only in a text that says that it is an FAQ.
LETTERS = (
    ("F: ", "A: "),
    ("Q : ", "R : "),
    ("Q\u00a0: ", "R\u00a0: "),
    ("D: ", "R: "),
    ("P.: ", "R.: "),
    ("P1) ", "R1) "),
    ("Q1) ", "R1)-"),
    ("\u0412: ", "\u041e: "),
    ("Q\uff1a", "A\uff1a"),
    ("В1: ", "O1: "),  # noqa: RUF001 - Cyrillic, and a Latin letter that looks like it
)
# Marks only there, and with a number.
WITH_NUMBERS = (("Ot", "Od"), ("K", "V"), ("П", "О"), ("H", "Đ"))  # noqa: RUF001 - Cyrillic


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


@pytest.mark.parametrize("letters", WITH_NUMBERS)
def test_letters_of_some_languages_are_marks_where_they_count_on(letters: tuple[str, str]) -> None:
    question, answer = letters
    pairs = [
        f"{question}{number}: Is it {word}?\n{answer}{number}: Yes, {word}."
        for number, word in enumerate(["hot", "cold", "wet"], start=1)
    ]
    whole = "\n\n".join(pairs)
    assert in_english(whole, by_letters=True).count("Q") == len(pairs)
    assert in_english(whole, by_letters=False) == whole
    assert in_english(whole.replace(f"{question}2:", f"{question}2 "), by_letters=True).count("Q2: ") == 1
    # A table of shelves; two of them; what begins later, and what leaves one out.
    for other in (whole.replace("?", ""), "\n\n".join(pairs[:2]), whole.replace("1:", "4:"), whole.replace("2:", "5:")):
        assert in_english(other, by_letters=True) == other


def test_letters_with_numbers_are_none_beside_english_marks() -> None:
    shelves = "\n".join(f"K{n}: which?\nV{n}: this" for n in (1, 2, 3))
    lines = f"Q: What are the shelves?\nA: They are:\n{shelves}\n\nQ: Is it free?\nA: Yes."
    assert in_english(lines, by_letters=True) == lines


def test_what_a_line_of_an_answer_begins_with_is_no_mark_without_a_colon() -> None:
    lines = "K1: Is it hot?\nV1: See shelf\nV2 or K3 for it.\nK2: Cold?\nV2: No.\nK3: Wet?\nV3: No."
    read = in_english(lines, by_letters=True)
    assert read == lines.replace("\nV2 or", "\n#").replace("K", "Q").replace("V", "A").replace(
        "\n#", "\nV2 or"
    ).replace("Q3 for", "K3 for")


def test_a_few_marks_may_be_left_in_english() -> None:
    lines = "질문 1: 언제?\n답 1: 지금.\n질문 2: 어디?\nA2: 여기.\n질문 3: 왜?\n답 3: 네.\nQ4: Why?\nA4: So."
    assert in_english(lines, by_letters=False).count("Q") == 4
    # Of two languages in turn, neither is a translation.
    mixed = "Q: Why?\nA: So.\nQ: When?\nA: Now.\n질문: 언제?\n답: 지금."
    assert in_english(mixed, by_letters=False) == mixed


def test_letters_are_marks_in_a_file_that_is_named_faq() -> None:
    lines = "Title\n\nB\n\n" + "\n\n".join(f"K{n}: Is it {n}?\nV{n}: Yes." for n in (1, 2, 3)) + "\n"
    items = list(text.read(BytesIO(lines.encode()), name="faq-fi.txt"))
    assert [item.fields["question"] for item in items if isinstance(item, RawEntry)] == [
        "Is it 1?",
        "Is it 2?",
        "Is it 3?",
    ]
    assert not [item for item in text.read(BytesIO(lines.encode()), name="shelf.txt") if isinstance(item, RawEntry)]


def test_a_word_for_answer_may_stand_alone_on_its_line() -> None:
    pairs = [
        "● 質問\uff1a温度\n教えてください。\n● 答え\n暖かいです。",
        "● 質問\uff1a時間\n教えてください。\n● 答え\uff1a\n九時です。",
    ]
    items = list(text.read(BytesIO(f"\n{'-' * 30}\n".join(pairs).encode())))
    assert [item.fields for item in items if isinstance(item, RawEntry)] == [
        {"question": "温度教えてください。", "answer": "暖かいです。"},
        {"question": "時間教えてください。", "answer": "九時です。"},
    ]


@pytest.mark.parametrize(
    ("asked", "answered"),
    [
        ("\u0412: ", "\u041e: "),
        ("В3. : ", "O: "),  # noqa: RUF001 - Cyrillic, and a Latin letter that looks like it
        ("P: ", "R: "),
        ("Domanda 2: ", "R: "),
        # English marks are gone already.
        ("F: ", ""),
        ("", "R : "),
    ],
)
def test_letters_before_questions_and_their_answers_go(asked: str, answered: str) -> None:
    words = ("hot", "cold", "wet")
    pairs = [(f"{asked}Is it {word}?", f"{answered}Yes, {word}.") for word in words]
    read = [(f"Is it {word}?", f"Yes, {word}.") for word in words]
    assert without_letters(pairs) == read
    if asked and answered:
        assert without_letters([*pairs[:2], ("B: or not", "B: no")]) == [*read[:2], ("B: or not", "B: no")]


@pytest.mark.parametrize(
    "pairs",
    [
        [("F: is full?", "Buy another."), ("G: is full?", "Buy another."), ("F: is slow?", "Buy another.")],
        [("P: what?", "R: rest"), ("Where?", "Here."), ("When?", "Now.")],
        [("P: water", "R: steam"), ("P: oil", "R: smoke"), ("P: salt", "R: brine")],
        [("Why?", "R: Road Act"), ("When?", "R: 1988"), ("Where?", "In England.")],
    ],
)
def test_letters_that_other_questions_lack_or_that_do_not_ask_stay(pairs: list[tuple[str, str]]) -> None:
    assert without_letters(pairs) == pairs


def test_letters_stand_before_bold_questions_and_paragraphs_of_a_page() -> None:
    body = "".join(f"<p><b>В: Это {word}?</b></p><p><b>О:</b> Да.</p>" for word in ("дом", "сад"))  # noqa: RUF001
    items = list(html.read(BytesIO(f'<meta charset="utf-8"><title>FAQ</title><h1>FAQ</h1>{body}'.encode())))
    assert [(item.fields["question"], item.fields["answer"]) for item in items if isinstance(item, RawEntry)] == [
        ("Это дом?", "Да."),
        ("Это сад?", "Да."),
    ]
