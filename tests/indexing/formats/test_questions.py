# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
import time

import pytest

from answer_selection.indexing.formats.questions import (
    asks,
    asks_about_it,
    is_faq,
    is_troubleshooting,
    leads_elsewhere,
    names_faq,
    names_troubles,
    seems_to_ask,
    without_answer_mark,
    without_marks,
    without_numbers,
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("How do I renew?", True),
        ("OK, what is it?!", True),
        ("What is “it?”", True),
        ("What are `stable' and `frozen'? I thought they were one!", True),
        ("どうやって？", True),  # noqa: RUF001
        ("Is the book useful?", True),
        ("How can I help you?", True),
        ("How do I renew", False),
        ("/page?id=3", False),
        ("{m,n}?", False),
        (".parse(string, options?)", False),
        ("What does parse(string, options?) give?", True),
        ("How (really?)", True),
        ("Delivery(when?)", True),
        ("費用(いくらですか？)", True),  # noqa: RUF001
        ("Was this article helpful?", False),
        ("Still have questions?", False),
        ("Have more questions? Submit a request", False),
        ("Can’t find what you’re looking for?", False),  # noqa: RUF001
        ("How can we help?", False),
        ("What's next?", False),
        ("Still can't find an answer?", False),
        ("Noch Fragen?", False),
        ("Haben Sie weitere Fragen?", False),
        ("Haben Sie Fragen an den Verlag?", True),
        ("Vous avez d'autres questions ?", False),
        ("¿Tienes más preguntas?", False),
        ("Ainda tem dúvidas?", False),
        ("Hai altre domande?", False),
        ("Nog vragen?", False),
        ("Остались вопросы?", False),
        ("Masih ada pertanyaan?", False),
    ],
)
def test_what_asks(text: str, expected: bool) -> None:
    assert asks(text) is expected
    assert seems_to_ask(text) is (expected or text == "How do I renew")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("When to renew", True),
        ("Where do books go", True),
        ("When using the old desk", False),
        ("When nothing is printed", True),
        ("When using it, why does it stop?", True),
    ],
)
def test_when_something_is_done_is_no_question(text: str, expected: bool) -> None:
    assert seems_to_ask(text) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("How do I fix this?", True),
        ("How to resolve the problem", True),
        ("Why does it happen?", True),
        ("What\u2019s going on here?", True),
        ("What should I do?", True),
        ("How do I make it faster?", False),
        ("What is it?", False),
        ("How do I fix this printer?", False),
    ],
)
def test_what_asks_about_the_heading_above(text: str, expected: bool) -> None:
    assert asks_about_it(text) is expected


def test_what_names_an_faq() -> None:
    for title in ("FAQ", "FAQs:", "Frequently asked questions (FAQ)", "Häufig gestellte Fragen", "よくある質問"):
        assert names_faq(title)
        assert is_faq(title)
    assert names_faq("The Tool FAQ, part 2")
    assert not is_faq("The Tool FAQ, part 2")
    assert not names_faq("faqir's guide")


def test_what_leads_elsewhere() -> None:
    assert all(leads_elsewhere(text) for text in ("Contents", "See also:", "Related articles", "Need help?"))
    assert not any(leads_elsewhere(text) for text in ("Contents of the box", "Search does not work", "Relatedness"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("3.1.2. How?", ("How?", False)),
        ("7.1 What?", ("What?", False)),
        ("Q: How?", ("How?", True)),
        ("Q12. How?", ("How?", True)),
        ("Question 3:  How?", ("How?", True)),
        ("(4) How?", ("How?", False)),
        ("Chapter 7. Basics", ("Basics", False)),
        ("FAQ-PAY100 : How?", ("How?", False)),
        ("FAQ-7. How?", ("How?", False)),
        ("FAQ-related questions", ("FAQ-related questions", False)),
        ("» How? ¶", ("How?", False)),
        ("2 factor?", ("2 factor?", False)),
        ("3.11 release?", ("3.11 release?", False)),
        ("24/7?", ("24/7?", False)),
        ("Q & A", ("Q & A", False)),
        ("1.", ("1.", False)),
        ("", ("", False)),
    ],
)
def test_marks_of_questions(text: str, expected: tuple[str, bool]) -> None:
    assert without_marks(text) == expected


def test_numbers_without_a_sign_go_where_most_headings_have_them() -> None:
    assert without_numbers(["1 Use", "1.1 error: none", "2 Why?"]) == ["Use", "error: none", "Why?"]
    assert without_numbers(["1 Use", "2 Why?", "What are 3 books?"]) == ["Use", "Why?", "What are 3 books?"]
    assert without_numbers(["Use", "3 books?", "Why?"]) == ["Use", "3 books?", "Why?"]


def test_a_letter_before_a_number_goes_where_they_count_on() -> None:
    titles = ["Help", "A1 Use", "A1.1 Is it hot?", "A1.2 Why?", "B1.1 When?"]
    assert without_numbers(titles) == ["Help", "Use", "Is it hot?", "Why?", "When?"]
    lists = ["Q1 Use", "Q2 Care", "A1 Use", "A1.9 Is it hot?", "A1.10 Why?", "A1.11 Where?", "A2 Care", "A2.1 When?"]
    assert without_numbers(lists)[2:5] == ["Use", "Is it hot?", "Why?"]


@pytest.mark.parametrize(
    "titles",
    [
        ["E11 No paper", "E12 No ink", "E13 No power"],
        ["R2.1 is out", "R1.9 is out", "R1.8 is out"],
        ["A1.1 Use", "Is it hot?", "Why?"],
        ["V1.0 What is new?", "V1.1 What is new?", "V2.0 What is new?"],
    ],
)
def test_a_letter_before_a_number_may_be_what_a_title_is_about(titles: list[str]) -> None:
    assert without_numbers(titles) == titles


def test_marks_of_answers() -> None:
    assert without_answer_mark("A: So.", had_q=False) == "So."
    assert without_answer_mark("A. So.", had_q=True) == "So."
    assert without_answer_mark("ANSWER: So.", had_q=False) == "So."
    assert without_answer_mark("R.: Sí.", had_q=False) == "Sí."
    assert without_answer_mark("R.:/home", had_q=True) == "R.:/home"
    assert without_answer_mark("ANSWERS: two.", had_q=True) == "ANSWERS: two."
    assert without_answer_mark("A. So.", had_q=False) == "A. So."


@pytest.mark.parametrize("part", ["1.", "more ", " ", "Q", "?", "1 ", "a ", "contents ", "(1)", "faq "])
def test_long_texts_take_no_time_that_grows_with_a_power(part: str) -> None:
    text = part * 100_000
    start = time.process_time()
    for function in (asks, seems_to_ask, names_faq, is_faq, leads_elsewhere, without_marks):
        function(text)
        function(text + "x?")
    without_numbers([text] * 3)
    assert time.process_time() - start < 30


@pytest.mark.parametrize(
    ("title", "is_so"),
    [
        ("Troubleshooting", True),
        ("Chapter 9. Trouble-shooting the printer", True),
        ("Printer Troubleshooting Guide", True),
        ("Fehlerbehebung", True),
        ("Troubleshooting engineer", False),
        ("Troubleshooting tools in version 3", False),
        ("Troubleshooting and maintenance", False),
        ("Installation & Troubleshooting", False),
        ("Set up, Troubleshooting", False),
        ("Where to ask for troubleshooting of printers", False),
        ("", False),
    ],
)
def test_titles_of_pages_of_troubles(title: str, is_so: bool) -> None:
    assert is_troubleshooting(title) is is_so


@pytest.mark.parametrize(("title", "names"), [("Known issues of Ink", True), ("Unknown issues", False)])
def test_troubles_are_named_by_whole_words(title: str, names: bool) -> None:
    assert names_troubles(title) is names


def test_german_quotation_marks_are_no_bullets() -> None:
    assert without_marks("1. »Kein Papier« wird angezeigt")[0] == "»Kein Papier« wird angezeigt"
    assert without_marks("» How?")[0] == "How?"
    assert without_marks("» Que veut dire « panier » ?")[0] == "Que veut dire « panier » ?"


@pytest.mark.parametrize("sign", ["+", " +", " \u25bc", " \u203a", "\u2212"])
def test_what_shows_that_an_answer_can_be_opened_is_no_part_of_its_question(sign: str) -> None:
    assert without_marks(f"Why?{sign}")[0] == "Why?"
    assert without_marks("How do I write C++")[0] == "How do I write C++"


def test_a_letter_belongs_to_the_number() -> None:
    assert without_marks("4d. Copies do not work")[0] == "Copies do not work"
    assert without_marks("3d printers do not work")[0] == "3d printers do not work"


def test_an_anchor_that_is_shown_is_no_part_of_the_question() -> None:
    assert without_marks('<a name="own_levels"></a>How do I add levels?')[0] == "How do I add levels?"
    assert without_marks('What does <a name="x"> do?')[0] == 'What does <a name="x"> do?'


@pytest.mark.parametrize(
    "text", ["- Question: Is it hot?", "Q 1.1   Is it hot?", "Q 2.1a Is it hot?", "1.1 - Is it hot?", "- Is it hot?"]
)
def test_a_number_goes_as_a_whole_and_so_does_a_dash(text: str) -> None:
    assert without_marks(text)[0] == "Is it hot?"


@pytest.mark.parametrize("text", ["-v is hot?", "- -v", "Q 1 is hot?"])
def test_what_looks_like_a_number_or_a_dash_stays(text: str) -> None:
    assert without_marks(text) == (text, False)
