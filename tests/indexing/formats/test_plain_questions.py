# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
from io import BytesIO

import pytest

from answer_selection.indexing.formats import markdown, text
from answer_selection.indexing.formats.plain_questions import plain_questions
from answer_selection.indexing.formats.raw import Problem

QUESTIONS = """Our FAQ

Is it
hot?
Yes.

It is [warm](w.html).

Is it cold?

No.

I was charged twice

Wait.

Is it far?
No.
"""


def pairs(form: object, lines: str) -> list[tuple[str, str, tuple[str, ...]]]:
    items = list(form.read(BytesIO(lines.encode())))  # type: ignore[attr-defined]
    return [(item.fields["question"], item.fields["answer"], item.headings) for item in items]


def test_questions_that_only_ask_are_read_if_a_text_has_no_others() -> None:
    assert pairs(text, QUESTIONS) == [
        ("Is it hot?", "Yes.\n\nIt is [warm](w.html).", ()),
        ("Is it cold?", "No.", ()),
        ("I was charged twice", "Wait.", ()),
        ("Is it far?", "No.", ()),
    ]


@pytest.mark.parametrize("sign", ["", "> ", "\u2022 "])
def test_in_markdown_their_answers_are_readable_text(sign: str) -> None:
    lines = QUESTIONS.replace("\nIs it\nhot?", f"\n{sign}Is it\nhot?").replace("\nIs it ", f"\n{sign}Is it ")
    found = pairs(markdown, "# " + lines.replace("?\nYes", "?\n\nYes").replace("I was", f"{sign}I was"))
    assert found[0] == ("Is it hot?", "Yes.\n\nIt is warm (w.html).", ("Our FAQ",))
    assert [question for question, _, _ in found[1:]] == ["Is it cold?", "I was charged twice", "Is it far?"]


@pytest.mark.parametrize(
    "lines",
    [
        QUESTIONS.replace("Our FAQ", "Our house"),
        "Our FAQ\n\nIs it hot?\n\nYes.\n",
        "Our FAQ\n\nIs it hot?\n\nIs it cold?\n\nNo.\n",
        "Our FAQ\n\n* Is it hot?\n\nYes.\n\nIs it cold?\n\nNo.\n",
        "From: Jo <jo@x.example>\nSubject: the FAQ\n\nIs it hot?\n\nIs it cold?\n\nWho knows.\n",
        "I read the FAQ. It says nothing.\n\nIs it hot?\n\nYes.\n\nIs it cold?\n\nNo.\n",
        "Our FAQ\n\nFrage: Is it hot?\n\nAntwort: Yes.\n\nFrage: Is it cold?\n\nWer weiß.\n",
        "Our FAQ\n\n```\nIs it hot?\n```\n\n    Is it code?\n\nIs it cold?\n\nNo.\n",
    ],
)
def test_what_may_be_no_list_of_questions_is_none(lines: str) -> None:
    assert plain_questions(lines.split("\n")) == []
    assert isinstance(next(text.read(BytesIO(lines.encode()))), Problem)


def test_text_with_marks_of_restructuredtext_is_read_as_that() -> None:
    lines = """Troubleshooting FAQ
===================

.. note:: Wait.

.. _stops:

It stops
--------

Do you see
a light?

Then press it.

It is slow
----------

Is it old?

Buy ``x``.
"""
    assert [question for question, _, _ in pairs(text, lines)] == ["It stops", "It is slow"]


def test_a_heading_of_old_markdown_needs_no_space() -> None:
    assert pairs(markdown, "Our FAQ\n\n##Is it hot?\n\nYes.\n\n##Is it far?\n\nNo.\n") == [
        ("Is it hot?", "Yes.", ()),
        ("Is it far?", "No.", ()),
    ]


def test_a_sign_of_quotations_may_stand_right_before_a_question() -> None:
    assert pairs(text, "Our FAQ\n\n>Is it hot?\nYes.\n\n>>Is it far?\nNo.\n") == [
        ("Is it hot?", "Yes.", ()),
        ("Is it far?", "No.", ()),
    ]


def test_a_file_that_is_called_faq_need_not_say_so() -> None:
    lines = b"* Is it hot?\n\nYes.\n\n* Is it\n  far?\n\nNo.\n"
    read = [list(text.read(BytesIO(lines), name=name)) for name in ("docs/FAQ.txt", "docs/notes.txt")]
    assert [item.fields["question"] for item in read[0]] == ["Is it hot?", "Is it far?"]
    assert isinstance(read[1][0], Problem)


LYNX = """                         Oven FAQ

     * How hot is it?
       Very hot. These are:
          + the door
          + the plate
     * Is it new? Is it safe
       and clean?
       Yes.
     * I can't see. What gives?
       Open the door.
     _________________

                           Cakes

     * My cake falls!
       Wait.
     * Which cakes are there?
       Two.
"""


def test_items_at_the_edge_whose_answers_are_further_in_are_questions() -> None:
    assert [found[:2] for found in pairs(text, LYNX)] == [
        ("How hot is it?", "Very hot. These are:\n   + the door\n   + the plate"),
        ("Is it new? Is it safe and clean?", "Yes."),
        ("I can't see. What gives?", "Open the door."),
        ("My cake falls!", "Wait."),
        ("Which cakes are there?", "Two."),
    ]


def test_quoted_questions_are_read_without_the_signs() -> None:
    lines = """The oven FAQ

> How hot
> is it?

Very hot.

BAKING
------

> When I bake, I get the message:
>
>   E12

Turn it off.

> The door is open.

Close it.
"""
    assert [found[:2] for found in pairs(text, lines)] == [
        ("How hot is it?", "Very hot."),
        ("When I bake, I get the message: E12", "Turn it off."),
        ("The door is open.", "Close it."),
    ]


def test_quotations_in_answers_are_no_questions() -> None:
    lines = "Mail FAQ\n\nQ: How do I quote?\nA: Like this:\n\n> How are you?\n\nFine.\n\n"
    lines += "> And you?\n\nToo.\n\n> Why?\n\nSo.\n"
    assert [found[0] for found in pairs(text, lines + "\nQ: Is it hot?\nA: No.\n")] == ["How do I quote?", "Is it hot?"]


def test_contents_without_the_signs_of_the_questions_are_passed_over() -> None:
    contents = "Is the oven hot?\nIs it far?"
    lines = "Our FAQ\n\n{}\n----\n\n* Is the oven hot?\n\nYes.\n\n* Is it\nfar?\n\nNo:\n\n* by bus\n"
    assert pairs(text, lines.format(contents)) == [
        ("Is the oven hot?", "Yes.", ()),
        ("Is it far?", "No:\n\n* by bus", ()),
    ]
    # A question of its own: which of the two forms is that of the questions, nothing says.
    assert isinstance(next(iter(text.read(BytesIO(lines.format("Is it cold?\nNo.").encode())))), Problem)


def test_contents_of_a_single_question_are_passed_over() -> None:
    lines = "Our FAQ\n\n1) Is the oven hot?\n\n\n=====\n\n1) Is the oven hot?\n\n    {}\n"
    assert pairs(text, lines.format("Yes.")) == [("Is the oven hot?", "Yes.", ())]
    # Asked twice, and answered twice.
    twice = lines.replace("=====", "In summer.").format("In winter.")
    assert [answer for _, answer, _ in pairs(text, twice)] == ["In summer.", "In winter."]


@pytest.mark.parametrize("sign", ["-> ", "* ", "    * ", "- "])
def test_with_one_sign_only_lines_with_it_are_questions_whatever_answers_ask(sign: str) -> None:
    lines = [
        f"{sign}Is it hot?",
        "It is warm. Who knows?",
        f"{sign}I have an oven that is\nold. Is it hot?\n",
        "* It is.\n\n* It was?",
        f"{sign}It smokes at night",
        "Yes.\n\n-----",
        f"{sign}Is it cold?",
        "No.",
    ]
    if sign == "* ":
        lines[3] = "It is."
    answer = lines[3]
    assert pairs(text, "Our FAQ\n\n" + "\n\n".join(lines)) == [
        ("Is it hot?", "It is warm. Who knows?", ()),
        ("I have an oven that is old. Is it hot?", answer, ()),
        ("It smokes at night", "Yes.", ()),
        ("Is it cold?", "No.", ()),
    ]


def test_titles_with_another_sign_right_above_are_headings() -> None:
    parts = [
        f"* {title}\n\n-> {question}\n\n{answer}"
        for title, question, answer in (
            ("Heat?", "Is it hot?", "Yes."),
            ("Smoke", "It is grey.", "Air the room. Or not?"),
            ("Frost", "Is it cold?", "No.\n\n* Below zero it is."),
        )
    ]
    assert pairs(text, "Our FAQ\n\n" + "\n\n\n".join(parts)) == [
        ("Is it hot?", "Yes.", ("Heat?",)),
        ("It is grey.", "Air the room. Or not?", ("Smoke",)),
        ("Is it cold?", "No.\n\n* Below zero it is.", ("Frost",)),
    ]


@pytest.mark.parametrize(
    "lines",
    [
        "-> Is it hot?\n\nYes?\n\n-> Is it cold?\n\nNo.",  # too few
        "-> Is it hot?\n\n-> Is it cold?\n\n-> Is it far?\n\nWho knows?",  # without answers
        "-> It is hot.\n\nYes.\n\n-> It is cold.\n\nNo?\n\n-> It is far.\n\nNo?\n\n-> Is it near?\n\nNo.",
    ],
)
def test_few_lines_with_a_sign_are_no_questions(lines: str) -> None:
    assert plain_questions(["Our FAQ", "", *lines.split("\n")]) == []


def test_lines_of_signs_right_above_questions_are_a_part_of_nothing() -> None:
    rule = "-" * 20
    parts = ["Our FAQ\n\nOf the oven.", "Is it hot?\n\nYes.", "It is grey\n\nAir it.", "Is it cold?\n\nNo."]
    parts.append("Is it far?\n\nIt is near.\n")
    assert pairs(text, f"{rule}\n" + f"\n\n{rule}\n".join(parts) + f"\n{rule}\n") == [
        ("Is it hot?", "Yes.", ()),
        ("Is it cold?", "No.", ()),
        ("Is it far?", "It is near.", ()),
    ]
    # One that underlines a title is none.
    title = f"Our FAQ\n\nIs it hot?\n\nIt is.\n\nTitle\n{rule}\nWho knows?\n\nIs it cold?\n\nNo.\n"
    assert [question for question, _, _ in pairs(text, title)] == ["Is it hot?", "Is it cold?"]


def test_a_list_of_contents_in_one_paragraph_is_no_answer() -> None:
    asked = ["Is it hot in\nthe oven?", "Is it cold?", "How far\nis it?"]
    answers = ["Yes.", "No.", "Ten steps."]
    below = [f"{question.replace('?', ' ?')}\n\n{answer}" for question, answer in zip(asked, answers, strict=True)]
    contents = "\n".join(asked)
    assert pairs(text, f"Our FAQ\n\n{contents}\n-----\n\n" + "\n\n".join(below)) == [
        ("Is it hot in the oven ?", "Yes.", ()),
        ("Is it cold ?", "No.", ()),
        ("How far is it ?", "Ten steps.", ()),
    ]


def test_a_title_in_a_box_ends_the_answer_above_it() -> None:
    box = "##########\n## Cold ##\n##########"
    content = f"Our FAQ\n\n* Is it hot?\n\nSay:\n\n## No ##\n\n{box}\n\n* Is it cold?\n\nNo.\n"
    assert pairs(text, content) == [("Is it hot?", "Say:\n\n## No ##", ()), ("Is it cold?", "No.", ())]
