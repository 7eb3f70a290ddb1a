# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
import time
from io import BytesIO

import pytest

from answer_selection.indexing.formats.raw import Problem, RawEntry
from answer_selection.indexing.formats.text import read


def entries(text: str) -> list[RawEntry | Problem]:
    return list(read(BytesIO(text.encode())))


def pairs(text: str) -> list[tuple[str, str]]:
    return [(entry.fields["question"], entry.fields["answer"]) for entry in entries(text)]


BOOK = """
                 The oven FAQ

 1. Heat
  1.1 How hot does it get?
  1.2 Which part of the oven is the hottest one when the
      door is shut?
  1.3 It stays cold

 2. Cake
  2.1 Why does it fall?
  2.3 Can I open the door

==========================================

1. Heat

All about heat.

  1.1 How hot does it get?

  250 degrees. To try it:

  1. turn the knob
  2. wait

  See 2.1 for cakes.

  1.2 Which part of the oven is the hottest one when the door
  is shut?

  The back.
  3.5 kg of bread fit there.

  1.3 It stays cold

  Name    State
  =============
  a       off

  Buy another.

2. Cake

  2.1 Why does it fall?

  2. is the wrong shelf.

  2.3 Can I open the door

  No.
"""


def test_sections_and_questions_with_numbers_below_a_table_of_contents() -> None:
    assert pairs(BOOK) == [
        (
            "How hot does it get?",
            "250 degrees. To try it:\n\n1. turn the knob\n2. wait\n\nSee 2.1 for cakes.",
        ),
        (
            "Which part of the oven is the hottest one when the door is shut?",
            "The back.\n3.5 kg of bread fit there.",
        ),
        ("It stays cold", "Name    State\n=============\na       off\n\nBuy another."),
        ("Why does it fall?", "2. is the wrong shelf."),
        ("Can I open the door", "No."),
    ]
    assert [entry.headings for entry in entries(BOOK)] == [("Heat",)] * 3 + [("Cake",)] * 2
    assert entries(BOOK)[0].location == "line 20"


@pytest.mark.parametrize(
    "mark", ["{}.", "{})", "({})", "({}):", "[{}]", "#{}.", "Q{}:", "Q{}.", "<{}>", "Question {}."]
)
@pytest.mark.parametrize("rule", ["", "----------------\n"])
@pytest.mark.parametrize("indent", ["", "   ", "\t"])
def test_numbers_underlines_and_indents_as_people_write_them(mark: str, rule: str, indent: str) -> None:
    questions = ["How do I bake?", "What if I have no oven, and none of my friends has\n   one?", "What is rye?"]
    answers = ["With heat.\n\n1. Open it.\n2. Shut it.", "Then ask a baker.\nOr don't.", "A grain."]
    lines = "Frequently asked questions\n\n"
    lines += "".join(f"{mark.format(n)} {q}\n" for n, q in enumerate(questions, start=1)) + "\n"
    for number, (question, answer) in enumerate(zip(questions, answers, strict=True), start=1):
        below = "".join(f"{indent}{line}\n" if line else "\n" for line in answer.split("\n"))
        lines += f"{mark.format(number)} {question}\n{rule}\n{below}\n"
    assert pairs(lines) == [(" ".join(q.split()), a) for q, a in zip(questions, answers, strict=True)]


def test_an_answer_may_stand_below_its_question_without_an_empty_line() -> None:
    text = "6. Is it on?\n   Yes.\n6b. Is it off,\n    or broken?\n   No.\n7. Why?\n   So.\n"
    assert pairs(text) == [("Is it on?", "Yes."), ("Is it off, or broken?", "No."), ("Why?", "So.")]


def test_numbers_may_begin_again_in_each_section() -> None:
    text = """Bread
=====

1. Is it rye?

Yes.

2. Is it fresh?

See:

1. the date
2. the crust

Cake
====

1. Is it sweet?

Very.

2. Is it sold out?

Never.
"""
    assert pairs(text) == [
        ("Is it rye?", "Yes."),
        ("Is it fresh?", "See:\n\n1. the date\n2. the crust"),
        ("Is it sweet?", "Very."),
        ("Is it sold out?", "Never."),
    ]
    assert [entry.headings for entry in entries(text)] == [("Bread",), ("Bread",), ("Cake",), ("Cake",)]


def test_what_does_not_ask_counts_from_one_below_the_title_of_a_section() -> None:
    text = "Oven FAQ\n\n"
    for part in ("Heat", "Door"):
        text += f"Part: {part}\n\n1. Is it {part}?\n\nYes:\n\n1. Look.\n2. Wait.\n\n2. Why {part}?\n\nSo.\n\n"
    text += "Part: Signs\n\n1. Explain E1.\n\nIt is cold.\n\n2. Explain E2.\n\nIt is hot.\n\n"
    text += "Part: Cake\n\n1. Is it sweet?\n\nIt has:\n\n1. Sugar.\n\n2. Eggs.\n\n3. Milk.\n\n2. Is it good?\n\nYes.\n"
    assert [(*entry.headings, entry.fields["question"]) for entry in entries(text)] == [
        ("Part: Heat", "Is it Heat?"),
        ("Part: Heat", "Why Heat?"),
        ("Part: Door", "Is it Door?"),
        ("Part: Door", "Why Door?"),
        ("Part: Signs", "Explain E1."),
        ("Part: Signs", "Explain E2."),
        ("Part: Cake", "Is it sweet?"),
        ("Part: Cake", "Is it good?"),
    ]
    assert pairs(text)[1] == ("Why Heat?", "So.")


def test_a_first_word_in_common_makes_no_titles_without_a_sign() -> None:
    text = "FAQ\n\nThe oven\n\n1. How hot is it?\n\nVery.\n\n2. How do I light it?\n\nThe steps are:\n\n1. Open it\n\n"
    text += "2. Light it\n\n3. How do I stop it?\n\nTurn it.\n\nThe cake\n\n1. How big is it?\n\nBig.\n\n"
    text += "2. How sweet is it?\n\nSweet.\n"
    assert pairs(text) == [
        ("How hot is it?", "Very."),
        ("How do I light it?", "The steps are:\n\n1. Open it\n\n2. Light it"),
        ("How do I stop it?", "Turn it.\n\nThe cake"),
        ("How big is it?", "Big."),
        ("How sweet is it?", "Sweet."),
    ]


def test_what_does_not_ask_is_no_item_where_the_next_question_goes_on_from_it() -> None:
    text = "FAQ\n\n1. Is it free?\n\nYes.\n\n2. How do I pay?\n\nSo:\n\n1. Go there.\n\n2. Pay.\n\n"
    text += "3. Lost cards\n\nTell us.\n\n4. Old cards\n\nCut them.\n\n5. Is that all?\n\nYes.\n"
    assert pairs(text) == [
        ("Is it free?", "Yes."),
        ("How do I pay?", "So:\n\n1. Go there.\n\n2. Pay."),
        ("Lost cards", "Tell us."),
        ("Old cards", "Cut them."),
        ("Is that all?", "Yes."),
    ]


def test_titles_with_signs_before_them_may_go_on_further_in() -> None:
    text = "Oven FAQ\n\n*** Is it hot?\n\nYes.\n\n*** I opened the door, and\n    it is cold.\n\nShut it.\n\n"
    text += "*** Why?\n\nSo.\n\n*** When?\n\nNow.\n"
    assert pairs(text) == [
        ("Is it hot?", "Yes."),
        ("I opened the door, and it is cold.", "Shut it."),
        ("Why?", "So."),
        ("When?", "Now."),
    ]
    assert pairs(text.replace("    it is", "it is"))[0] == (
        "Is it hot?",
        "Yes.\n\n*** I opened the door, and\nit is cold.\n\nShut it.",
    )


def test_an_empty_line_may_break_a_question() -> None:
    text = "FAQ\n\n1. Is it hot?\n\nYes.\n\n2. Why is the door of the oven still warm a whole hour after the end\n\n"
    text += (
        "of baking? Is it\nbroken?\n\nNo.\n\n3. The door of the oven is still warm a whole hour after the end of it\n\n"
    )
    text += "of course. That is so.\n"
    assert pairs(text) == [
        ("Is it hot?", "Yes."),
        ("Why is the door of the oven still warm a whole hour after the end of baking? Is it broken?", "No."),
        ("The door of the oven is still warm a whole hour after the end of it", "of course. That is so."),
    ]


def test_chapters_whose_number_has_no_sign_are_underlined_and_no_items_of_a_list() -> None:
    text = """The oven FAQ

1 Heat
******

This chapter is about heat.

1.1 How hot does it get?
========================

Try it:

  2. Turn the knob.

  3. Wait for as long as it
     takes.

  The light goes out.

2 Recipes
*********

They are in the book.

3 Cake
******

All about cake.

3.1 Why does it fall?
=====================

The door was open.

3.2 Which tin?
==============

12 inches are enough.
"""
    found = entries(text)
    answer = "Try it:\n\n  2. Turn the knob.\n\n  3. Wait for as long as it\n     takes.\n\n  The light goes out."
    assert [(entry.fields["question"], entry.fields["answer"]) for entry in found] == [
        ("How hot does it get?", answer),
        ("Recipes", "They are in the book."),
        ("Why does it fall?", "The door was open."),
        ("Which tin?", "12 inches are enough."),
    ]
    assert [entry.headings for entry in found] == [("Heat",), (), ("Cake",), ("Cake",)]


@pytest.mark.parametrize("gap", ["", "\n"])
def test_a_question_goes_on_in_what_it_quotes_below_a_colon(gap: str) -> None:
    text = "The oven FAQ\n\n1. Why is it off?\n\nIt is old.\n\n"
    text += "2. When I open the door of the old oven for the first time, early\n"
    text += f"   in a day, it stops with this message:\n{gap}     DOOR IS OPEN\n     - shut it\n\nShut the door.\n\n"
    text += "3. Sometimes I\n   get the message:\n   OFF\n\nTurn it on.\n\n"
    text += f"4. How do I get this:\n{gap}    a. bread\n    b. cake\n\nBake.\n\n5. What is like this:\n\n   A stove.\n"
    assert pairs(text) == [
        ("Why is it off?", "It is old."),
        (
            "When I open the door of the old oven for the first time, early in a day, it stops with this message: "
            "DOOR IS OPEN - shut it",
            "Shut the door.",
        ),
        ("Sometimes I get the message: OFF", "Turn it on."),
        ("How do I get this:", "    a. bread\n    b. cake\n\nBake."),
        ("What is like this:", "A stove."),
    ]


def test_a_remark_in_brackets_may_end_a_question() -> None:
    text = "NAME\n    FAQ\n\n" + "  Is it hot?\n    Yes.\n\n" * 2
    text += "  How do I bake in the one that has no sign on its door? (Old ovens)\n    Turn it on.\n\n    Then wait.\n"
    assert pairs(text)[-1] == (
        "How do I bake in the one that has no sign on its door? (Old ovens)",
        "Turn it on.\n\nThen wait.",
    )


def test_marks_of_answers_and_signs_around_titles_go() -> None:
    text = f"{'-' * 32}\n{'-' * 10} Oven FAQ {'-' * 12}\n{'-' * 32}\n\n"
    text += "1) Is it hot?\n\nA.   Yes.\n\n     Very.\n\n2) Why?\n\nA. So.\n\n3) Which?\n\nThese.\n"
    assert pairs(text) == [("Is it hot?", "Yes.\n\nVery."), ("Why?", "So."), ("Which?", "These.")]
    assert [entry.headings for entry in entries(text)] == [("Oven FAQ",)] * 3
    assert pairs(text.replace("A.   Yes", "Yes"))[1] == ("Why?", "A. So.")


def test_a_title_that_the_questions_below_it_go_on_from_has_no_answer_of_their_answers() -> None:
    text = "FAQ\n\n1. Heat\n\n1.1. Is it hot?\n\nYes.\n\n"
    text += "2. How do I...\n\n2.1. Bake\n\nUse heat.\n\n2.2. Boil\n\nUse a pot.\n"
    assert pairs(text) == [
        ("Is it hot?", "Yes."),
        ("How do I... \u203a Bake", "Use heat."),
        ("How do I... \u203a Boil", "Use a pot."),
    ]


def test_an_faq_with_sections_may_follow_one_without() -> None:
    text = "Oven FAQ\n********\n\n  1. Is it hot?\n\n     Yes.\n\n  2. It stays cold\n\n     Turn it on.\n\n"
    text += "  3. Why?\n\n     So.\n\nCake FAQ\n********\n\nCake FAQ\n1 Eggs\n  1.1 Which?\n  1.2 How many?\n\n"
    text += "1 Eggs\n******\n\n1.1 Which?\n==========\n\nThese.\n\n1.2 How many?\n=============\n\nTwo.\n"
    assert [(entry.headings, entry.fields["question"], entry.fields["answer"]) for entry in entries(text)] == [
        (("Oven FAQ",), "Is it hot?", "Yes."),
        (("Oven FAQ",), "It stays cold", "Turn it on."),
        (("Oven FAQ",), "Why?", "So."),
        (("Cake FAQ", "Eggs"), "Which?", "These."),
        (("Cake FAQ", "Eggs"), "How many?", "Two."),
    ]


def test_a_heading_in_an_answer_may_name_an_faq() -> None:
    text = "1. What is it?\n\nA tool.\n\nFAQ formats\n-----------\n\nThey are many.\n\n2. Why?\n\nSo.\n"
    assert pairs(text) == [
        ("What is it?", "A tool.\n\nFAQ formats\n-----------\n\nThey are many."),
        ("Why?", "So."),
    ]


def test_letters_of_a_choice_are_no_marks_of_answers() -> None:
    text = "FAQ\n\n1. Which colour is the sky?\n\nA. Blue\nB. Red\n\n2. Which colour is grass?\n\nA. Red\nB. Green\n"
    assert pairs(text) == [
        ("Which colour is the sky?", "A. Blue\nB. Red"),
        ("Which colour is grass?", "A. Red\nB. Green"),
    ]


def test_an_item_of_a_list_with_the_number_of_its_section_is_a_part_of_the_answer() -> None:
    text = (
        "FAQ\n\n1. Heat\n\n1.1. Is it hot?\n\nLook:\n\n1. At the sign. Or else at what\n   it says.\n\nThen wait.\n\n"
    )
    text += "1.2. Why?\n\nSo.\n\n2. Cake\n\n2.1. Is it sweet?\n\nYes.\n"
    found = entries(text)
    answer = "Look:\n\n1. At the sign. Or else at what\n   it says.\n\nThen wait."
    assert pairs(text) == [("Is it hot?", answer), ("Why?", "So."), ("Is it sweet?", "Yes.")]
    assert [entry.headings for entry in found] == [("Heat",), ("Heat",), ("Cake",)]


def test_a_line_above_each_question_ends_the_last_answer_too() -> None:
    text = "FAQ\n---\n\n1. How?\n\nSo.\n\n------\n\n2. Why?\n\nThus.\n\n------\n\n3. When?\n\nNow.\n\n------\n"
    text += "\nWritten by me.\n"
    assert pairs(text) == [("How?", "So."), ("Why?", "Thus."), ("When?", "Now.")]


def test_another_line_of_signs_than_that_above_each_question_ends_no_answer() -> None:
    text = "FAQ\n\n======\n1. How?\n\nSo:\n\n------\nheat = 1\n------\n\nWait.\n\n======\n2. Why?\n\nThus.\n\n"
    text += "======\n3. When?\n\nNow:\n\n------\n\nor later.\n\n======\n\nWritten by me.\n"
    answers = ["So:\n\n------\nheat = 1\n------\n\nWait.", "Thus.", "Now:\n\n------\n\nor later."]
    assert [answer for _, answer in pairs(text)] == answers


def test_questions_without_numbers_are_underlined_or_further_out() -> None:
    underlined = "FAQ\n===\n\nHow do I bake?\n--------------\nWith heat.\n\nWhy is that?\n------------\nIt is so.\n"
    assert pairs(underlined) == [("How do I bake?", "With heat."), ("Why is that?", "It is so.")]
    out = "NAME\n    The FAQ\n\nHeat\n  How hot?\n    Very.\n\n      Really?\n\n"
    out += "  Why is it?\n    So:\n\n$ bake\n\n    That's it.\n\n"
    out += "  For how long,\n  and when?\n    An hour.\n\nAUTHOR\n    Me.\n"
    assert pairs(out) == [
        ("How hot?", "Very.\n\n  Really?"),
        ("Why is it?", "    So:\n\n$ bake\n\n    That's it."),
        ("For how long, and when?", "An hour."),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "The tool\n\n1. Install\n\n   Run make.\n\n2. Run\n\n   Type tool.\n",
        "1. Scope\n\n1.1 Terms\n\nNone.\n\n1.2 Versions\n\nAll.\n",
        "Changes\n\n1.2.1 Fixed a bug\n1.2.0 New\n\n1.1 Why not?\n",
        "p. Fixed it.\nq. Changed that.\n\na. One.\n",
    ],
)
def test_a_text_with_numbers_that_asks_nothing_has_no_entries(text: str) -> None:
    [problem] = entries(text)
    assert isinstance(problem, Problem)


@pytest.mark.slow
@pytest.mark.parametrize(
    "piece",
    [
        "1. x\n",
        "1. x?\n\n",
        "1.1 x\n1. y\n",
        "x?\n  y\n",
        "x\n===\n",
        "1. this:\n  x\n",
        "1. ?(",
        "(1) ",
        "1.1.1 x?\n\ny\n",
        "== x ==\n\n",
    ],
)
def test_long_texts_take_no_time_that_grows_with_a_power(piece: str) -> None:
    start = time.process_time()
    entries(f"=== x ===\n\n{piece * 30_000}")
    assert time.process_time() - start < 30


@pytest.mark.parametrize("question", ["?", "Was this helpful?"])
def test_what_asks_nothing_that_is_answered_is_no_question(question):
    [found] = entries(f"{question}\n    Some answer here.\n\n" * 4)
    assert isinstance(found, Problem)


def test_lists_in_answers_win_against_no_questions_further_out() -> None:
    text = "FAQ\n\n1. How do I load paper?\n\n   Do this:\n\n   1. Open the tray.\n\n   2. Push it in.\n\n"
    text += "2. It does not print. What can I do?\n\n   Check these:\n\n   1. Is the cable in?\n\n"
    text += "   2. Is there paper?\n\n   3. Is there ink?\n\n3. Is it free?\n\n   Yes.\n"
    assert [question for question, _ in pairs(text)] == [
        "How do I load paper?",
        "It does not print. What can I do?",
        "Is it free?",
    ]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How do I install it? Run this:", "     make\n     make install\n\n   That is all."),
        ("How do I print this:", "    print()\n\nUse the menu."),
    ],
)
def test_what_is_to_be_done_below_a_colon_is_the_answer(question: str, answer: str) -> None:
    [first, _] = pairs(f"FAQ\n\n1. {question}\n\n{answer}\n\n2. Is it fast?\n\n   Yes.\n")
    assert first[0] == question
    assert "print()" in first[1] or "make install" in first[1]


def test_an_underlined_sentence_is_a_title_among_others() -> None:
    text = """Ink FAQ
=======

How do I start?
---------------

Press the button.

Some pages are missing.
-----------------------

Check the tray.

A line of text.
---------------------
{}
May I refill?
-------------

No.
"""
    found = pairs(text.format("\nAnd one more.\n"))
    assert [question for question, _ in found] == ["How do I start?", "Some pages are missing.", "May I refill?"]
    assert "A line of text." in found[1][1]


def test_the_border_of_a_table_is_no_underline() -> None:
    table = "====== ======\nModel  Inks\n====== ======\nA      1, 2\nB      3\n====== ======"
    above = "=========\nInk: FAQ\n=========\n\nHow do I start?\n===============\n\nPress it.\n\n"
    text = f"{above}Which inks fit?\n===============\n\n{table}\n\nNo others.\n\nMay I refill?\n=============\n\nNo.\n"
    assert pairs(text) == [
        ("How do I start?", "Press it."),
        ("Which inks fit?", f"{table}\n\nNo others."),
        ("May I refill?", "No."),
    ]


def test_the_number_of_a_section_needs_no_sign_where_its_first_question_is_below() -> None:
    text = "The oven FAQ\n\n3 Heat\n\n3.1 Is it hot?\n\n   Yes.\n\n3.2 Why?\n\n   24 Volts\n\n\n4 Door\n\n-------\n\n"
    text += "4.1 Can I open it?\n\n   No.\n\n5 Small ovens\n\n   There are none.\n"
    found = entries(text)
    assert [(entry.headings, entry.fields["question"], entry.fields["answer"]) for entry in found] == [
        (("Heat",), "Is it hot?", "Yes."),
        (("Heat",), "Why?", "24 Volts"),
        (("Door",), "Can I open it?", "No."),
        ((), "Small ovens", "There are none."),
    ]


def test_signs_of_two_kinds_are_a_line_of_signs() -> None:
    text = "FAQ\n\n-=-=-=-\nHeat:\n-=-=-=-\n\n1.1 Is it hot?\n--------------\nYes.\n\n-=-=-=\nDoor:\n-=-=-=\n\n"
    text += "2.1 Is it shut?\n---------------\nNo.\n\n2.2 Why?\n--------\nSo.\n"
    assert pairs(text) == [("Is it hot?", "Yes."), ("Is it shut?", "No."), ("Why?", "So.")]
    assert [entry.headings for entry in entries(text)] == [("Heat",), ("Door",), ("Door",)]


def test_a_number_may_be_written_another_way_than_those_around_it() -> None:
    text = "FAQ\n\n1.1 Is it hot?\n\nYes.\n\n1.1a Why?\n\nSo.\n\n1.2. Is it shut?\n\nNo.\n\n"
    text += " 1.3 An open door\n\nShut it.\n\n1.4 Is it new?\n\nNo.\n\n   1.5. is old.\n\n2.1 Is it big?\n\nYes.\n"
    assert pairs(text) == [
        ("Is it hot?", "Yes."),
        ("Why?", "So."),
        ("Is it shut?", "No."),
        ("An open door", "Shut it."),
        ("Is it new?", "No.\n\n   1.5. is old."),
        ("Is it big?", "Yes."),
    ]


def test_a_missing_number_that_is_further_in_is_a_part_of_an_answer() -> None:
    text = "FAQ\n\n1.1 What does it need?\n\nAt least\n\n    1.2 GHz and\n    2 GB.\n\n1.3 Why?\n\nSo.\n"
    assert pairs(text) == [("What does it need?", "At least\n\n    1.2 GHz and\n    2 GB."), ("Why?", "So.")]


def test_a_number_out_of_order_is_a_question_if_it_asks() -> None:
    text = "FAQ\n\n3.1 Is it on?\n\nYes.\n\n3.2 Is it hot?\n\nNo.\n\n3.2.1 Why?\n\nSo.\n\n"
    text += "3.1.1 Is it new?\n\nNo.\n\n3.3 Is it big?\n\nYes.\n"
    assert pairs(text)[2:4] == [("Is it hot? \u203a Why?", "So."), ("Is it hot? \u203a Is it new?", "No.")]


def test_the_edge_of_a_table_is_no_line_of_signs() -> None:
    table = "0 1 2 3\n+-+-+-+\n|A| B |\n+-+-+-+"
    text = f"FAQ\n===\n\nWhat is it?\n-----------\n\nA word.\n\nBits\n----\n\n{table}\n\nWhy?\n----\n\nSo.\n"
    assert pairs(text) == [("What is it?", "A word."), ("Bits", table), ("Why?", "So.")]


@pytest.mark.parametrize("answer", ["So we made it.", "We made it. On\n\nit was put."])
def test_a_sentence_above_a_separator_is_a_part_of_the_answer(answer: str) -> None:
    rule = "-" * len(answer.rsplit("\n", 1)[-1])
    text = f"FAQ\n===\n\nIs it hot?\n----------\n\nYes.\n\nWhy?\n----\n\n{answer}\n{rule}\n"
    assert pairs(text) == [("Is it hot?", "Yes."), ("Why?", answer)]


def test_a_remark_in_brackets_above_a_line_of_signs_is_no_title() -> None:
    text = "FAQ\n\n**** Heat ****\n\n#1. Is it hot?\n\nYes.\n\n[The book says more. - Ed]\n"
    text += "==========================\n\n"
    text = (
        "FAQ\n\n**** Heat ****\n\n#1. Is it hot?\n\nYes.\n\n[The book says more. - Ed]\n==========================\n\n"
    )
    text += "#2. Why?\n\nSo.\n\n==========================\n\n#3. When?\n\nNow.\n"
    assert pairs(text) == [("Is it hot?", "Yes.\n\n[The book says more. - Ed]"), ("Why?", "So."), ("When?", "Now.")]
    assert [entry.headings for entry in entries(text)] == [("Heat",)] * 3


def test_contents_may_have_letters_below_numbers() -> None:
    text = "FAQ\n\n1. Heat\n\ta. Is it hot?\n\tb. It is cold!\n\n2. Door\n\ta. Is it shut?\n\n-----\n\n"
    text += "1a. Is it hot?\n\nYes.\n\n1b. It is cold!\n\nWait.\n\n2a. Is it shut?\n\nNo.\n\n2b. Why?\n\nSo.\n"
    assert pairs(text) == [("Is it hot?", "Yes."), ("It is cold!", "Wait."), ("Is it shut?", "No."), ("Why?", "So.")]
    # Where they do not come again, they are a part of the question.
    assert pairs("FAQ\n\n1. Which one is it:\n   a. hot?\n   b. cold?\n\nHot.\n\n2. Why?\n\nSo.\n") == [
        ("Which one is it: a. hot? b. cold?", "Hot."),
        ("Why?", "So."),
    ]


def test_what_does_not_ask_may_stand_before_the_first_question_that_is_further_out() -> None:
    text = "Oven\nFrequently asked questions\n\n   About ovens.\n\nHeat\n\n   It is cold\n           Wait.\n\n"
    text += "   It burns!\n\n           Stop.\n\n     -----\n\nDoor\n\n   It is shut\n           Open it.\n\n"
    text += "".join(f"   Is it {word}?\n           Yes.\n\n" for word in ("old", "big", "red"))
    assert [(*entry.headings, entry.fields["question"]) for entry in entries(text)] == [
        ("Heat", "It is cold"),
        ("Heat", "It burns!"),
        ("Door", "It is shut"),
        ("Door", "Is it old?"),
        ("Door", "Is it big?"),
        ("Door", "Is it red?"),
    ]


def test_a_version_is_no_number_and_a_beginning_of_questions_may_ask() -> None:
    text = "FAQ\n\nChapter 2: How does it differ from...?\n\nNot much.\n\n2.1: The old oven\n\n  It is hotter before\n"
    text += "3.1.4 but not after.\n\n2.2: Is it big?\n\nYes.\n\nChapter 3: Use\n\n3.1: Is it on?\n\nYes.\n\n"
    text += "3.1.1: Why?\n\nSo.\n\n3.1.2: When?\n\nNow.\n"
    assert pairs(text) == [
        ("How does it differ from...?", "Not much."),
        ("How does it differ from...? \u203a The old oven", "  It is hotter before\n3.1.4 but not after."),
        ("How does it differ from...? \u203a Is it big?", "Yes."),
        ("Is it on?", "Yes."),
        ("Is it on? \u203a Why?", "So."),
        ("Is it on? \u203a When?", "Now."),
    ]


def test_sections_of_a_wiki_are_headings() -> None:
    text = "FAQ\n\n==General==\n\n1. Is it hot?\n\nYes.\n\n==Doors==\n\n2. Is it shut?\n\nNo, a == b.\n"
    assert [(entry.fields["answer"], entry.headings) for entry in entries(text)] == [
        ("Yes.", ("General",)),
        ("No, a == b.", ("Doors",)),
    ]


@pytest.mark.parametrize(
    ("line", "below"),
    [
        ("2. Time that support takes to answer a request of a paying customer", "24 hours on workdays."),
        ("2. Number of users", "10 by default. Want more?"),
    ],
)
def test_an_answer_may_begin_with_a_number(line: str, below: str) -> None:
    text = f"FAQ\n\n1. Is it hot?\n   Yes.\n\n{line}\n   {below}\n   Buy more.\n\n3. Is it shut?\n   No.\n"
    assert entries(text)[1].fields["question"] == line[3:]


def test_signs_around_a_title_make_a_section_only_above_a_number() -> None:
    text = "FAQ\n\n1. How do I mark a title?\n\nSo:\n\n==Title==\n\n2. Is it hot?\n\nYes.\n"
    assert len(entries(text)) == 2
    asked = "".join(f"Is it {word}?\n\n    Yes.\n\n" for word in ("hot", "shut"))
    assert len(entries(f"FAQ\n\n==Heat==\n\n{asked}==Doors==\n\n{asked.replace('Is', 'Was')}")) == 4


def test_chapters_may_stand_further_in_than_their_questions() -> None:
    text = "FAQ\n\n   1. Heat\n\n1.1 Is it hot?\n\nYes.\n\n1.2 Is it cold?\n\nNo.\n\n   2. Doors\n\n2.1 Is it shut?\n\n"
    text += "No.\n\n   3. Credits\n\nAlice made it.\n"
    assert [entry.fields["answer"] for entry in entries(text)][:3] == ["Yes.", "No.", "No."]


def test_a_question_may_go_on_with_a_number_in_its_next_line() -> None:
    text = "FAQ\n\n1.1\tWhy does it complain of comments under HP-UX\n\t11 header files?\n\n\tSo.\n\n"
    text += "1.2\tIs it slow?\n\n\tYes.\n\n1.3 Is it hot?\n  1. Look.\n  2. Feel.\n"
    assert [(entry.fields["question"], entry.fields["answer"]) for entry in entries(text)] == [
        ("Why does it complain of comments under HP-UX 11 header files?", "So."),
        ("Is it slow?", "Yes."),
        ("Is it hot?", "1. Look.\n2. Feel."),
    ]


WORDPRESS = """=== Forms ===
Tags: forms

Makes forms.

== Description ==

It makes them.

== Frequently Asked Questions ==

= Does it work? =

Yes.

= The form is empty =

Fill it.

== Changelog ==

= 1.2 =
* Why? Because.
"""


def test_titles_with_fewer_signs_are_below_others_where_the_first_line_has_most() -> None:
    found = entries(WORDPRESS)
    assert [(item.fields["question"], item.fields["answer"]) for item in found] == [
        ("Does it work?", "Yes."),
        ("The form is empty", "Fill it."),
    ]
    assert {item.headings for item in found} == {("Forms", "Frequently Asked Questions")}
    # In AsciiDoc the first has least.
    asciidoc = WORDPRESS.replace("=== Forms ===\nTags: forms", "= Forms FAQ").replace("= Does", "=== Does")
    assert ("Does it work?", "Yes.") in pairs(asciidoc)


@pytest.mark.parametrize(("title", "is_read"), [("Frequently Asked Questions", True), ("About us", False)])
def test_an_faq_may_have_one_question(title: str, is_read: bool) -> None:
    text = f"{title}\n{'-' * len(title)}\n\nWhy use it?\n===========\n\nIt works.\n"
    found = entries(text)
    if is_read:
        assert pairs(text) == [("Why use it?", "It works.")]
    else:
        assert [type(item) for item in found] == [Problem]


def test_titles_with_signs_at_both_ends_need_no_empty_line_below() -> None:
    text = "x: y\n\n====== FAQ ======\n\n===== Is it hot? =====\nYes.\n\n===== It is slow =====\nWait.\n"
    found = entries(text)
    assert [(item.fields["question"], item.fields["answer"], item.headings) for item in found] == [
        ("Is it hot?", "Yes.", ("FAQ",)),
        ("It is slow", "Wait.", ("FAQ",)),
    ]


def test_titles_at_both_ends_need_no_empty_line_above_where_there_are_three() -> None:
    text = (
        "=== Tool ===\n== FAQ ==\n\n= Is it hot? =\nYes.\n= It is slow =\nWait.\n= Is it far? =\nNo.\n"
        "== Changelog ==\n= 1.0 =\nNew.\n"
    )
    assert pairs(text) == [("Is it hot?", "Yes."), ("It is slow", "Wait."), ("Is it far?", "No.")]


def test_numbers_may_be_written_otherwise_from_a_chapter_on() -> None:
    text = "The FAQ\n\n1. Heat\n\n"
    text += "".join(f" 1.{n} Is it {word}?\n\n Yes, {word}.\n\n" for n, word in enumerate(("hot", "warm"), 1))
    text += "2. Cold\n\n" + "".join(f" 2.{n}.  Is it {word}?\n\n No.\n\n" for n, word in enumerate(("cool", "icy"), 1))
    assert [question for question, _ in pairs(text)] == [
        "Is it hot?",
        "Is it warm?",
        "Is it cool?",
        "Is it icy?",
    ]


def test_code_above_a_line_that_parts_questions_is_no_title() -> None:
    rule = "-" * 30
    answers = [
        "Yes.\n",
        "Run:\n\nbake(cake, hot, for_an_hour);",
        "No.\n",
        "Perhaps.\n",
        "Always.\n",
        "Run:\n\ncool(oven, at_once);",
        "No.\n",
    ]
    parts = [f"Question 1.{n}.  Is it {n}?\n\n{answer}\n{rule}\n" for n, answer in enumerate(answers, 1)]
    found = pairs(f"The oven FAQ\n\n{rule}\n\n" + "\n".join(parts))
    assert [answer for _, answer in found] == [answer.strip() for answer in answers]


def test_versions_in_an_answer_are_no_questions() -> None:
    text = "The FAQ\n\n" + "".join(f"1.{n}. Is it {n}?\n\nYes.\n\n" for n in (1, 2))
    text += "1.3. Which versions are there?\n\nThese:\n\n2.6 or newer\n\n2.7 or newer\n"
    assert pairs(text)[-1] == ("Which versions are there?", "These:\n\n2.6 or newer\n\n2.7 or newer")


def test_pairs_in_an_answer_leave_underlined_questions() -> None:
    text = "The FAQ\n=======\n\n" + "".join(f"Is it {word}?\n---------\n\nYes.\n\n" for word in ("hot", "new", "big"))
    text += "Q: Is it safe?\nWe say yes.\n\nQ: Is it heavy?\nWe say no.\n"
    assert [question for question, _ in pairs(text)] == ["Is it hot?", "Is it new?", "Is it big?"]


def test_numbers_that_end_in_one_column_have_one_indent() -> None:
    asked = [f"{f'1.{number})':>7} How hot is part {number}?\n\n     It is warm." for number in range(1, 13)]
    asked[7] = asked[7].replace("How hot is part 8?", "It is hot.")
    asked[10] = asked[10].replace("How hot is part 11?", "It is cold.")
    found = pairs("1) The oven\n\n" + "\n\n".join(asked))
    assert [question for question, _ in found[7:]] == [
        "It is hot.",
        "How hot is part 9?",
        "How hot is part 10?",
        "It is cold.",
        "How hot is part 12?",
    ]
    assert {answer for _, answer in found} == {"It is warm."}


@pytest.mark.parametrize("line", ["[ please read OVEN.FAQ first ]", "For more, see OVEN.FAQ", "Read FAQ.txt, too"])
def test_a_line_about_another_file_is_no_title_of_an_faq(line: str) -> None:
    parts = "1 Parts\n=======\n\n1.1 Door\n--------\n\nIt opens.\n\n1.2 Fan\n-------\n\nIt turns.\n"
    reference = "The oven's reference\n\n{}\n\n" + parts
    assert isinstance(entries(reference.format(line))[0], Problem)
    assert pairs(reference.format("The oven's FAQ")) == [("Door", "It opens."), ("Fan", "It turns.")]


def test_a_title_in_a_line_of_signs_ends_the_last_answer() -> None:
    end = "-----[ The end ]------------\n"
    assert pairs(f"1. Is it hot?\n\nYes.\n\n2. Is it cold?\n\nNo.\n\n{end}")[-1] == ("Is it cold?", "No.")


def test_a_line_of_the_contents_may_be_worded_in_another_way() -> None:
    contents = ["1. Is it hot?", "2. How do I clean it?", "3. Is it cold?", "4. The door is stuck", "5. Is it far?"]
    asked = [*contents]
    asked[1], asked[3] = "2. How do I get the oven clean?", "4. What if the door is stuck?"
    below = "".join(f"{question}\n\nIt is told in part {number}.\n\n" for number, question in enumerate(asked))
    for between in ("\n", "\n\n"):
        found = pairs("Our FAQ\n\n" + between.join(contents) + f"\n\n{below}")
        assert [question for question, _ in found] == [question[3:] for question in asked]
    # One whose number does not come again may have its answer there.
    found = pairs("Our FAQ\n\n" + "\n".join([*contents, "6. Is it near?"]) + f"\n\nYes.\n\n{below}")
    assert ("Is it near?", "Yes.") in found


def test_titles_of_an_outline_are_sections_above_those_with_more_stars() -> None:
    text = (
        "Oven FAQ\n========\n\n* Heat\n\n** It is cold.\n\nWait.\n\n* turn it\n* open it\n\n** Is it hot?\n\nYes.\n\n"
    )
    text += "* Light\n\n** Is it dark?\n\nNo.\n"
    assert [(item.fields["question"], item.fields["answer"], item.headings) for item in entries(text)] == [
        ("It is cold.", "Wait.\n\n* turn it\n* open it", ("Heat",)),
        ("Is it hot?", "Yes.", ("Heat",)),
        ("Is it dark?", "No.", ("Light",)),
    ]


def test_stars_around_titles_rank_them() -> None:
    text = (
        '*** FAQ of the oven ***\n\n*** Heat ***\n\n**** "Error: cold"\n\nWait.\n\n**** What is heat ****\n\nThis.\n\n'
    )
    text += "*** Light ***\n\n**** In the dark ****\n\nSwitch it on.\n"
    assert [(item.fields["question"], item.fields["answer"], item.headings) for item in entries(text)] == [
        ('"Error: cold"', "Wait.", ("Heat",)),
        ("What is heat", "This.", ("Heat",)),
        ("In the dark", "Switch it on.", ("Light",)),
    ]


def test_chapters_without_sections_are_questions_if_they_ask() -> None:
    text = "FAQ\n\n1. Is it hot?\n\nYes.\n\n1.1 And now?\n\nNo.\n\n2. Is it dry?\n\nYes.\n\n"
    text += (
        "3. Is it new?\n\nNo:\n\n1. Is it clean?\n2. Is it whole?\n\n4. Is it old?\n\nYes.\n\n4.1 How old?\n\nVery.\n"
    )
    text = text.replace("No. Is it\n\n2. wet?\n", "No.\n")
    assert [item.fields["question"] for item in entries(text)] == [
        "Is it hot?",
        "Is it hot? \u203a And now?",
        "Is it dry?",
        "Is it new?",
        "Is it old?",
        "Is it old? \u203a How old?",
    ]


def test_the_first_question_may_stand_in_another_column() -> None:
    text = "FAQ\n\n 1) Is it hot?\n\n    Yes.\n\n  2) Is it cold?\n\n    No.\n\n  3) Is it old?\n\n    So.\n"
    assert [item.fields["answer"] for item in entries(text)] == ["Yes.", "No.", "So."]


def test_letters_behind_a_dot_number_the_questions_of_a_section() -> None:
    text = "1. Is this it?\n\nYes.\n\n2. Heat\n\n2.a Is it hot?\n\nYes.\n\n2.b. Is it cold?\n\nNo.\n\n"
    text += "3. Is it old?\n\nSo.\n"
    assert [(item.fields["question"], item.headings) for item in entries(text)] == [
        ("Is this it?", ()),
        ("Is it hot?", ("Heat",)),
        ("Is it cold?", ("Heat",)),
        ("Is it old?", ()),
    ]


def test_chapters_of_docbook_are_headings() -> None:
    space = "\N{NO-BREAK SPACE}"
    text = f"Oven FAQ\n\nChapter{space}1.{space}Heat\n\n1.1. Is it hot?\n\nYes.\n\n1.2. Is it cold?\n\nNo.\n\n"
    text += f"Chapter{space}2.{space}Light\n\n2.1. Is it dark?\n\nNo.\n"
    assert [(item.fields["answer"], item.headings) for item in entries(text)] == [
        ("Yes.", ("Heat",)),
        ("No.", ("Heat",)),
        ("No.", ("Light",)),
    ]


def test_code_between_two_lines_of_signs_is_no_title() -> None:
    rule = "-" * 33
    text = "Oven - FAQ\n==========\n\nHow do I start it?\n------------------\n\nType:\n\n"
    text += f"{rule}\nroute add -net 224.0.0.0 dev eth2\n{rule}\n\nor wait.\n\n"
    text += "What does the light mean?\n-------------------------\n\nIt is hot.\n"
    assert pairs(text) == [
        ("How do I start it?", f"Type:\n\n{rule}\nroute add -net 224.0.0.0 dev eth2\n{rule}\n\nor wait."),
        ("What does the light mean?", "It is hot."),
    ]


def test_a_question_that_goes_on_below_its_first_word() -> None:
    text = "FAQ\n\nSubject: 4.1 Which one is the latest?\n\nThe third.\n\nSubject: 4.2 I have built it, how do I\n"
    text += "             test it, to be sure.\n\nYou cannot.\n\nSubject: 4.3 What else exists?\n\nNothing.\n"
    assert pairs(text)[1] == ("I have built it, how do I test it, to be sure.", "You cannot.")


def test_the_first_question_of_a_section_may_have_another_sign() -> None:
    parts = ["4.1 Is it hot?", "4.2 Is it new?", "5.1: Where can I find one", "5.2 Is it blue?"]
    text = "FAQ\n\n" + "".join(f"Subject: {part}\n\nYes.\n\n" for part in parts)
    assert [question for question, _ in pairs(text)] == [part.partition(" ")[2] for part in parts]


def test_a_question_at_the_edge_may_be_long_and_not_ask() -> None:
    told = "It could have been done with a spoon, a fork or some other tool."
    text = f"FAQ\n\nWho made it?\n\tMe.\n\nHow long?\n\tA year.\n\n{told}\n\tNo.\n\nCan I have it?\n\tYes.\n"
    assert (told, "No.") in pairs(text)


def test_an_answer_below_the_first_word_of_its_question_is_none_of_its_lines() -> None:
    text = "FAQ\n\n" + "".join(f"{n}.\tIs it {n}?\n\tIt is.\n\n\tIndeed.\n\n" for n in (1, 2, 3))
    assert pairs(text) == [(f"Is it {n}?", "It is.\n\nIndeed.") for n in (1, 2, 3)]


def test_titles_in_small_letters_between_lines_of_signs_are_no_code() -> None:
    rule = "-" * 20
    text = "".join(f"{rule}\nhow do i {verb} it?\n{rule}\nPress {verb}.\n\n" for verb in ("start", "stop", "sell"))
    assert pairs(text) == [(f"how do i {verb} it?", f"Press {verb}.") for verb in ("start", "stop", "sell")]


def test_a_question_of_two_sentences_on_two_lines() -> None:
    told = "I have installed the newest version of it and it does not start at all!"
    text = (
        f"FAQ\n\nWho made it?\n\tMe.\n\nHow long?\n\tA year.\n\n{told}\n  What can I do?\n\tWait.\n\nMay I?\n\tYes.\n"
    )
    assert (f"{told} What can I do?", "Wait.") in pairs(text)


CHINESE = """常见问题

1.1. 怎样借书\uff1f

    在前台。

1.2. 图书馆周末的开放时间和平时有什么不同\uff1f如果我周末不能来\uff0c应该怎么
    还书\uff1f

    看门口的牌子。

1.3. 我借的书丢了\uff0c但是我已经在别的书店里买到了一本完全一样的新书\uff0c可以
    用它代替吗

    可以。

1.4. 我能不能在家里通过图书馆的网站看到我现在借了哪些书\uff0c以及什么时候还
    \uff1f

    能。
"""


def test_a_question_of_chinese_goes_on_in_the_next_line_without_a_space() -> None:
    assert pairs(CHINESE) == [
        ("怎样借书\uff1f", "在前台。"),
        ("图书馆周末的开放时间和平时有什么不同\uff1f如果我周末不能来\uff0c应该怎么还书\uff1f", "看门口的牌子。"),
        ("我借的书丢了\uff0c但是我已经在别的书店里买到了一本完全一样的新书\uff0c可以用它代替吗", "可以。"),
        ("我能不能在家里通过图书馆的网站看到我现在借了哪些书\uff0c以及什么时候还\uff1f", "能。"),
    ]


@pytest.mark.parametrize(
    ("lines", "question"),
    [
        ("本を返す場\n    所はどこですか?", "本を返す場所はどこですか?"),
        ("本はどこで返せます\n    か?", "本はどこで返せますか?"),
        ("本の ISBN はどこに\n    ある\n    ?", "本の ISBN はどこにある?"),
        ("図書館の Web\n    サイトはどこですか?", "図書館の Web サイトはどこですか?"),
        ("책을 어디에\n    돌려주나요?", "책을 어디에 돌려주나요?"),
    ],
)
def test_only_between_words_of_chinese_or_japanese_is_no_space(lines: str, question: str) -> None:
    assert pairs(f"FAQ\n\n1. 本?\n\n    A.\n\n2. {lines}\n\n    B.\n")[1] == (question, "B.")
    assert pairs(f"FAQ\n\nQ: 本?\nA: A.\n\nQ: {lines}\nA: B.\n")[1] == (question, "B.")


def test_a_number_without_a_space_behind_it_counts_on_if_it_asks() -> None:
    text = "FAQ\n\n8. How do I bake?\n\nWith heat.\n\n9.Is it hot or\nis it cold?\n\nHot.\n\n10. Why?\n\nSo.\n"
    text += "\n11.When do\nI open it?\n\nNow.\n"
    assert pairs(text) == [
        ("How do I bake?", "With heat."),
        ("Is it hot or is it cold?", "Hot."),
        ("Why?", "So."),
        ("When do I open it?", "Now."),
    ]


@pytest.mark.parametrize("line", ["10.Open the door.", "10.5 kg?", "10.html is what?", "12.Is it hot?"])
def test_what_does_not_ask_or_count_on_is_no_question_without_a_space(line: str) -> None:
    text = f"FAQ\n\n9. How do I bake?\n\nSo:\n\n{line}\n\n11. Why?\n\nThus.\n"
    assert pairs(text) == [("How do I bake?", f"So:\n\n{line}"), ("Why?", "Thus.")]


@pytest.mark.parametrize("section", ["", "4."])
def test_a_number_that_comes_twice_is_of_two_questions_if_both_ask_and_the_next_counts_on(section: str) -> None:
    text = (
        f"FAQ\n\n{section}1. How hot?\n\nVery.\n\n{section}2. Is it cold?\n\nNo.\n\n{section}2. Is it dry?\n\nYes.\n\n"
    )
    expected = [("How hot?", "Very."), ("Is it cold?", "No."), ("Is it dry?", "Yes."), ("Is it far?", "So.")]
    assert pairs(f"{text}{section}3. Is it far?\n\nSo.\n") == expected


@pytest.mark.parametrize("items", ["2. Shut it.\n\nSoon.", "2. Is it shut?", "2. Is it shut?\n\n2. Or not?\n\nNo."])
def test_items_of_a_list_with_the_number_of_the_question_stay_in_its_answer(items: str) -> None:
    text = f"FAQ\n\n1. How hot?\n\nVery.\n\n2. Is it cold?\n\nNo:\n\n{items}\n\n3. Is it far?\n\nSo.\n"
    assert pairs(text)[1:] == [("Is it cold?", f"No:\n\n{items}"), ("Is it far?", "So.")]
