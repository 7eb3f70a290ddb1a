# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
from io import BytesIO

import pytest

from answer_selection.indexing.formats import text
from answer_selection.indexing.formats.numbered_marks import with_colons
from answer_selection.indexing.formats.raw import RawEntry


def read(content: str) -> list[tuple[str, str]]:
    items = list(text.read(BytesIO(content.encode())))
    assert all(isinstance(item, RawEntry) for item in items), items
    return [(item.fields["question"], item.fields["answer"]) for item in items if isinstance(item, RawEntry)]


@pytest.mark.parametrize(
    "marks",
    [
        ("[Q] - ", "[A] - "),
        ("[Q{0}] ", "[A{0}] "),
        ("[Q{0}] ", "[A{0}}} "),
        ("[Q{0}]: ", "[A]: "),
        ("Q.{0} ", "A.{0} "),
        ("Q0{0}\t", "A0{0}\t"),
        ("Q1-0{0}.\t", "A1-0{0}.\t"),
        ("Q{0} ", "A{0} "),
        ("Q#{0}: ", "A#{0}: "),
        ("{0}.Q: ", "{0}.A:\n    "),
        ("({0})Q. ", "({0})A. "),
        ("Q - ", "A - "),
    ],
)
def test_marks_without_a_colon_are_read(marks: tuple[str, str]) -> None:
    pairs = [
        "{0}Why does the oven that came with\n    the house smoke?\n{1}It is new.\n    Air the room.",
        "{0}It is too hot.\n{1}Turn it down.",
    ]
    lines = [pair.format(*(mark.format(number) for mark in marks)) for number, pair in enumerate(pairs, start=1)]
    assert read("Ovens\n\n" + "\n\n".join(lines) + "\n") == [
        ("Why does the oven that came with the house smoke?", "It is new.\nAir the room."),
        ("It is too hot.", "Turn it down."),
    ]


def test_questions_right_above_share_an_answer_with_marks_of_their_own() -> None:
    asked = ["Q1-02.\tIs it warm?", "Q1-03.\tIs it mild?"]
    lines = ["Q1-01.\tIs it hot?", "A1-01.\tYes.", "", *asked, "A1-02.", "A1-03.\tNo."]
    assert read("\n".join(lines)) == [("Is it hot?", "Yes."), ("Is it warm?", "No."), ("Is it mild?", "No.")]


@pytest.mark.parametrize(
    "lines",
    [
        "Q1 2019 was warm.\nQ2 2019 was hot.\nQ3 2019 was cold.",  # quarters of a year
        "Q1 2019 was warm.\nA4 paper was short.\nQ2 2019 was hot.\nA5 paper was not.",
        "[Q1] Is it hot?\n[A1] Yes.",  # too few
        "Q: Is it hot?\nA: Yes.\n[Q1] and\n[A1] are marks,\n[Q2] and\n[A2] too.",
        "[A1] Yes.\n[Q1] Is it hot?\n[A1] Yes.\n[Q2] Is it cold?\n[A2] No.",
        "Q - quit\nA - air the room\nQ - quit, and say so\nA - air the oven",  # keys
        "Q - Is it hot?\nA - Yes.\nA - Very.\nQ - Is it cold?\nA - No.",
    ],
)
def test_other_lines_stay(lines: str) -> None:
    assert with_colons(lines) == lines


def test_a_list_of_contents_in_other_words_gives_no_entries() -> None:
    contents = ["GAS:", "[Q] - Is it HOT?", "[Q] - How warm is it?", "[Q] - Is it mild?", "POWER:", "[Q] - Is it cold?"]
    pairs = ["[Q] - Is it hot?\n[A] - Yes.", "[Q] - How warm?\n[A] - Very.", "[Q] - Is it mild?\n[A] - No."]
    pairs.append("[Q] - Is it cold?\n[A] - At night.")
    assert read("\n".join(contents) + "\n\nAll of it\n\n" + "\n\n".join(pairs)) == [
        ("Is it hot?", "Yes."),
        ("How warm?", "Very."),
        ("Is it mild?", "No."),
        ("Is it cold?", "At night."),
    ]


def test_text_above_a_rule_that_goes_on_from_the_line_above_is_no_title() -> None:
    pairs = ["Q1\tIs it hot?\nA1\tYes. Turn\n\tit = down", "Q2\tIs it cold?\nA2\tNo."]
    assert read(f"\n{'=' * 30}\n\n".join(pairs)) == [("Is it hot?", "Yes. Turn\nit = down"), ("Is it cold?", "No.")]


def test_answers_without_a_question_are_left_as_they_are():
    content = "[A] the first flag\n[A] the second flag\n"
    assert with_colons(content) == content
