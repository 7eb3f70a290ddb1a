# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
import time
from io import BytesIO

import pytest

from answer_selection.indexing.formats.html import read as read_html
from answer_selection.indexing.formats.markdown import read as read_markdown
from answer_selection.indexing.formats.raw import Problem, RawEntry
from answer_selection.indexing.formats.text import read

TEXT = """The FAQ of the library

Q: How do I renew
   a book?
A: Online, or:

     $ renew BOOK
   with your card.

=====
Rooms
=====

Q2. Which rooms?

A2. A and B.
Question 3: When?
Answer: Now.
"""


def entries(text: str) -> list[RawEntry | Problem]:
    return list(read(BytesIO(text.encode())))


def pairs(text: str) -> list[tuple[str, str]]:
    return [(entry.fields["question"], entry.fields["answer"]) for entry in entries(text)]


def test_pairs_of_q_and_a() -> None:
    assert entries(TEXT) == [
        RawEntry(
            "line 3",
            {"question": "How do I renew a book?", "answer": "Online, or:\n\n  $ renew BOOK\nwith your card."},
        ),
        RawEntry("line 14", {"question": "Which rooms?", "answer": "A and B."}, ("Rooms",)),
        RawEntry("line 17", {"question": "When?", "answer": "Now."}, ("Rooms",)),
    ]


def test_an_answer_may_begin_on_the_line_of_its_question() -> None:
    [entry] = entries("Q1.2: How? A: So,\nand so.\n")
    assert entry.fields == {"question": "How?", "answer": "So,\nand so."}


def test_a_question_without_an_answer_is_named_and_the_next_is_read() -> None:
    assert entries("Q: How?\n\nQ: Why?\r\nA: Thus.\r\n") == [
        RawEntry("line 1", {"question": "How?", "answer": ""}),
        RawEntry("line 3", {"question": "Why?", "answer": "Thus."}),
    ]


def test_questions_one_below_the_other_have_one_answer() -> None:
    assert entries("Q: How?\nQ: In what\n   way?\nA: So.\n\nQ: Why?\nA: Thus.\n") == [
        RawEntry("line 1", {"question": "How?", "answer": "So."}),
        RawEntry("line 2", {"question": "In what way?", "answer": "So."}),
        RawEntry("line 6", {"question": "Why?", "answer": "Thus."}),
    ]


def test_questions_that_come_again_with_their_answers_are_a_table_of_contents() -> None:
    text = "Using it\n\nQ: How?\nQ: Why?\n\nQ: How?\n\nA: So.\n\nQ: Why?\n\nA: Thus.\n"
    assert [(entry.location, entry.fields["answer"]) for entry in entries(text)] == [
        ("line 6", "So."),
        ("line 10", "Thus."),
    ]


def test_a_table_of_contents_takes_no_answer_from_the_question_below_it() -> None:
    text = "Q1. It is cold.\nQ2. How do I\n   open it?\n------\nQ1. It is cold.\n\nA. Is it on?\n------\n"
    text += "Q2. How do I open it?\n\nA. Pull.\n"
    assert pairs(text) == [("It is cold.", "Is it on?"), ("How do I open it?", "Pull.")]
    assert pairs(text.replace("------\n", "", 1)) == pairs(text)


def test_a_question_without_its_mark_of_an_answer_takes_not_that_of_the_next() -> None:
    text = "Q1. How do I bake?\n\n   Use heat.\n\n     400 F\n\n------\nQ2. Is it hot?\n------\nA. Yes.\n\n"
    text += "Q3. Why?\n\nIt is.\n\nRooms\n-----\n\nQ4. When?\n\nA. Now.\n"
    assert pairs(text) == [
        ("How do I bake?", "Use heat.\n\n  400 F"),
        ("Is it hot?", "Yes."),
        ("Why?", "It is."),
        ("When?", "Now."),
    ]


def test_lines_of_signs_in_a_question_are_a_part_of_it() -> None:
    text = "Q: My printer shows:\n---\nno ink\n---\nA: Fill it.\n\nQ: Others?\nA: No.\n"
    assert pairs(text) == [("My printer shows: --- no ink ---", "Fill it."), ("Others?", "No.")]
    text = "Q: What is this?\nSize Name\n-----\na b\nA: Sizes.\n\nQ: Others?\nA: No.\n"
    assert pairs(text) == [("What is this? Size Name ----- a b", "Sizes."), ("Others?", "No.")]


def test_a_mark_of_an_answer_below_a_line_of_signs_is_not_lost() -> None:
    text = "Q: How?\nA1: Bake.\n---\nA2: Boil.\n---\n\nRooms\n---\nQ: Why?\nA: So.\n"
    assert pairs(text) == [("How?", "Bake.\n---\n\nBoil."), ("Why?", "So.")]


def test_an_answer_may_have_several_parts_with_marks() -> None:
    text = "Q) How?\nA) In two ways.\nA1) Bake\nit.\nA2) Boil it.\n\nQ) Why?\nA) So.\na. this\n A) that\n"
    assert pairs(text) == [("How?", "In two ways.\n\nBake\nit.\n\nBoil it."), ("Why?", "So.\na. this\n A) that")]


def test_questions_with_numbers_stand_between_pairs_where_contents_lead_to_them() -> None:
    text = "Oven FAQ\n\nQ: How?\n\nA: So:\n\n   1. Open it.\n   2. Shut it.\n\n"
    text += "the door\n\n1. It stays open.\n2. Why does the door\nclose?\n\n"
    text += "1. It stays open.\n\n   Push.\n\n2. Why does the door\n   close?\n\n   So.\n\nAbout cake\n\n"
    text += "Q: Which?\n\nA: This:\n\n   1. Open it.\n   2. Shut it.\n"
    answer = "1. Open it.\n2. Shut it."
    assert entries(text) == [
        RawEntry("line 3", {"question": "How?", "answer": f"So:\n\n{answer}"}),
        RawEntry("line 16", {"question": "It stays open.", "answer": "Push."}),
        RawEntry("line 20", {"question": "Why does the door close?", "answer": "So."}),
        RawEntry("line 27", {"question": "Which?", "answer": f"This:\n\n{answer}"}),
    ]
    chapters = "1. Doors\n2. Heat\n\n1. Doors\n\nThey are green.\n\nQ: Why?\nA: So.\n\n2. Heat\n\nThere is some.\n"
    assert [question for question, _ in pairs(chapters)] == ["Why?"]


def test_an_overview_and_its_steps_are_one_answer() -> None:
    answer = "Overview\n\n1. Stir well\n2. Heat up\n\nDetails:\n\n1. Stir well\n\n   Use a spoon.\n\n"
    answer += "2. Heat up\n\n   Use fire."
    assert pairs(f"Q: How do I mix?\nA: {answer}\n\nQ: Where?\nA: There.\n") == [
        ("How do I mix?", answer),
        ("Where?", "There."),
    ]


def test_answers_that_are_further_in_end_at_a_title_at_the_edge() -> None:
    text = "Q: How?\n\nA: So,\n   and so.\n\nAll about heat\n\nHeat is warm.\n\nQ: Why?\n\nA: Thus:\n\n   bake\n\n"
    text += "make cake\n\nQ: When?\n\nA: Now,\n   or then.\n\nAbout this text\n\nIt is short.\n"
    assert pairs(text) == [
        ("How?", "So,\nand so."),
        ("Why?", "Thus:\n\n   bake\n\nmake cake"),
        ("When?", "Now,\nor then."),
    ]
    at_the_edge = "Q: How?\nA: So,\nand so.\n\nThanks to Ann\n\nQ: Why?\nA: Thus.\n"
    assert pairs(at_the_edge) == [("How?", "So,\nand so.\n\nThanks to Ann"), ("Why?", "Thus.")]


@pytest.mark.parametrize(
    "below",
    [
        "Windows\n\n   Run setup.exe.\n\nLinux\n\n   Run make.",
        "Yours\n\n   Ann",
        "BEGIN\n\n   x = 1\n\nEND\n\n   So.",
        "Begin\n\nx = 1\n\nEnd",
        "BEGIN\n\nrun the oven\n\nEnd",
    ],
)
def test_answers_that_are_further_in_go_on_below_a_title_of_their_own(below: str) -> None:
    text = "Q: Why?\nA: So,\n   and so.\n\nQ: When?\nA: Now,\n   or then.\n\n"
    text += f"Q: How?\nA: It depends on\n   your system.\n\n{below}\n\nQ: Is it free?\nA: Yes, it\n   is.\n"
    assert pairs(text)[2] == ("How?", f"It depends on\n   your system.\n\n{below}")


def test_a_long_text_at_the_edge_below_a_title_ends_an_answer_that_is_further_in() -> None:
    text = "Q: Why?\nA: So,\n   and so.\n\nQ: How?\nA: In this\n   way.\n\nAbout the oven\n\n"
    text += "This section will tell you how hot the oven of this house can get, by\ndegrees:\n\n   250\n"
    assert pairs(text) == [("Why?", "So,\nand so."), ("How?", "In this\nway.")]


def test_only_marks_with_numbers_begin_further_parts_of_an_answer() -> None:
    text = "Q: Who?\nA: They said:\nA: We are staff.\n\nQ: Why?\nA: These:\n\nA: for apple\nB: for bread\n"
    assert pairs(text) == [
        ("Who?", "They said:\nA: We are staff."),
        ("Why?", "These:\n\nA: for apple\nB: for bread"),
    ]


def test_letters_of_a_list_are_no_questions() -> None:
    [problem] = entries("p. One.\nq. Two.\nr. Three.\n\na. Four.\n")
    assert isinstance(problem, Problem)


def test_answers_without_a_mark_begin_below_the_line_that_asks() -> None:
    assert entries("- Q: How,\n  and why?\nSo.\n\nThus.\n- Q: When?\n\n  Now.\n- Q: Where?\n") == [
        RawEntry("line 1", {"question": "How, and why?", "answer": "So.\n\nThus."}),
        RawEntry("line 6", {"question": "When?", "answer": "Now."}),
        RawEntry("line 9", {"question": "Where?", "answer": ""}),
    ]


def test_a_text_without_pairs_is_a_problem_and_an_empty_one_is_not() -> None:
    [problem] = entries("Just text.\nA: no question\n")
    assert "expected pairs of a line that begins with 'Q:'" in problem.message
    assert entries(" \n") == []


@pytest.mark.slow
def test_long_lists_of_contents_take_no_time_that_grows_with_a_power() -> None:
    number = 10_000
    start = time.process_time()
    entries("Q: a?\nA: b\n\n" + "1. aa\n2. bb\n\n" * number + "1. aa\n" + "\n" * 3 * number + "2. bb\n\ny\n")
    entries(
        "".join(f"1. How {i}?\n" for i in range(number))
        + "".join(f"{k}. Use\n\n{k}.1 How {i}?\n\n" for i in range(number // 300) for k in range(1, 300))
    )
    assert time.process_time() - start < 30


@pytest.mark.slow
@pytest.mark.parametrize(
    "line", ["Q: x", "Q: x\n\ny\n---", "Q: x\n---", "1. x\n2. x\n", "Q:", "A: x", " ", "-", "- - ", "Q1.1.1.1.1.1"]
)
def test_long_texts_take_no_time_that_grows_with_a_power(line: str) -> None:
    start = time.process_time()
    entries("Q: x\nA: y\n" + f"{line}\n" * 20_000 + line * 20_000)
    assert time.process_time() - start < 30


@pytest.mark.parametrize(
    "text", ["Q: How?\nA: So.\n\nQ: How?\nA: Or so.\n", "FAQ\n\n1. How?\n\nSo.\n\n2. How?\n\nOr so.\n"]
)
def test_two_equal_questions_are_told_apart(text: str) -> None:
    assert [item.fields["question"] for item in read(BytesIO(text.encode()))] == ["How?", "How? (2)"]


def test_underlined_titles_of_sections_are_headings_of_pairs() -> None:
    text = "The oven FAQ\n============\n\n1. Heat\n   ====\n\nQ. Is it hot?\nA. Yes.\n\nQ. Why?\nA. So.\n\n"
    text += "2. Door:\n   =====\n\nAll about it.\n\nQ. Is it shut?\nA. See:\n\n   a  b\n   ----\n   1  2\n"
    assert [(entry.headings, entry.fields["question"]) for entry in entries(text)] == [
        (("Heat",), "Is it hot?"),
        (("Heat",), "Why?"),
        (("Door",), "Is it shut?"),
    ]
    alone = "Oven\n====\n\nQ. Is it hot?\nA. Yes.\n\nQ. Why?\nA. So.\n"
    assert [entry.headings for entry in entries(alone)] == [(), ()]


@pytest.mark.parametrize(
    "shown",
    ["a   price\n---------", "    sum\n    ---", "[It was two. It is one.]\n------------------------", "No\n------"],
)
def test_what_an_answer_shows_above_a_line_of_signs_is_no_heading(shown: str) -> None:
    text = f"Heat\n----\n\nQ: Is it hot?\nA: Yes.\n\n{shown}\n\nQ: Why?\nA: So.\n\nDoor\n----\n\nQ: When?\nA: Now.\n"
    assert [entry.headings for entry in entries(text)] == [("Heat",), ("Heat",), ("Door",)]


def test_a_title_without_a_question_below_it_is_no_heading_of_those_further_below() -> None:
    text = "FAQ\n\nHeat\n----\n\nQ: Is it hot?\nA: It says:\n\nSum\n---\n\nand more.\n\nQ: Why?\nA: So.\n"
    assert [entry.headings for entry in entries(text)] == [("Heat",), ()]


def test_lines_of_signs_in_code_further_in_than_the_answer_end_nothing() -> None:
    text = "FAQ\n\nQ. What do I set?\nA. This:\n\n    #------#\n    HEAT=1\n    #------#\n\n   Then wait.\n\n"
    text += "Q. Is it hot?\nA. Yes.\n\n     Door\n     ====\n\nQ. Is it shut?\nA. No.\n"
    assert pairs(text) == [
        ("What do I set?", "This:\n\n #------#\n HEAT=1\n #------#\n\nThen wait."),
        ("Is it hot?", "Yes."),
        ("Is it shut?", "No."),
    ]


def test_lines_of_signs_as_far_in_as_the_answer_end_nothing_where_it_goes_on() -> None:
    text = "FAQ\n\nQ. What is lent?\nA. Ask the desk:\n\n   desk> show\n   =====\n   Lent: 2\n\n   Or ask us.\n\n"
    text += "Q. Is it hot?\nA. Yes.\n\n   Door\n   ====\n\nOf the shop.\n\nQ. Is it shut?\nA. No.\n"
    assert pairs(text) == [
        ("What is lent?", "Ask the desk:\n\ndesk> show\n=====\nLent: 2\n\nOr ask us."),
        ("Is it hot?", "Yes."),
        ("Is it shut?", "No."),
    ]


def test_letters_that_are_printed_twice_are_read_once() -> None:
    text = "FAQ\n\nQ: I\bIs\bs it _\bh_\bo_\bt?\nA: Y\bY\bYes.\n"
    assert pairs(text) == [("Is it hot?", "Yes.")]


def test_quotes_around_what_code_says_end_no_answer() -> None:
    text = 'FAQ\n\nQ: How do I say it?\nA: So:\n\n"""\nIt is hot.\n"""\n\nor not.\n\nQ: Is it hot?\nA: Yes.\n'
    assert pairs(text) == [("How do I say it?", 'So:\n\n"""\nIt is hot.\n"""\n\nor not.'), ("Is it hot?", "Yes.")]


@pytest.mark.parametrize(
    "signature", ["-- \nAda\nThe desk", "Kind regards,\nAda", "Best regards\nAda\n", "Sincerely,\n"]
)
def test_a_signature_at_the_end_is_no_part_of_the_last_answer(signature: str) -> None:
    text = "FAQ\n\nQ: Is it hot?\nA: Yes.\n\nQ: Is it shut?\nA: No.\n\n"
    assert pairs(text + signature) == [("Is it hot?", "Yes."), ("Is it shut?", "No.")]
    more = f"{text}{signature}\n\nQ: How do I end a letter?\nA: So.\n"
    assert pairs(more)[-1] == ("How do I end a letter?", "So.")


@pytest.mark.parametrize("rule", ["#------#", "---***---", "* - * - *", "=====#", "-=-=-"])
def test_a_line_of_several_signs_parts_pairs(rule: str) -> None:
    text = f"FAQ\n\nQ: Is it hot?\nA: Yes.\n\n{rule}\n\nNotes of the shop.\n\nQ: Is it shut?\nA: No.\n"
    assert pairs(text) == [("Is it hot?", "Yes."), ("Is it shut?", "No.")]


@pytest.mark.parametrize(
    "end",
    ["Close it like this:\n\nKind regards,\nYour name", "By mail:\n\n-- \nThe desk", "Regards\n\n3 Main St\n\nNotes."],
)
def test_what_an_answer_shows_of_a_letter_is_no_signature(end: str) -> None:
    text = f"FAQ\n\nQ: Is it hot?\nA: Yes.\n\nQ: How do I write?\nA: So.\n\n{end}"
    assert pairs(text)[1][1] == f"So.\n\n{end.replace('-- ', '--')}"


def test_a_question_without_a_question_mark_ends_at_an_empty_line() -> None:
    text = (
        "FAQ\n\nQ: How do I start?\nPress it.\n\nQ: It is hard\nto see.\n\nSet a colour.\n\nTwice.\n\n"
        "Q: Is it far?\n\nNo.\n"
    )
    assert pairs(text) == [
        ("How do I start?", "Press it."),
        ("It is hard to see.", "Set a colour.\n\nTwice."),
        ("Is it far?", "No."),
    ]


def test_a_sentence_behind_q_is_a_question_up_to_an_empty_line() -> None:
    text = "FAQ\n\nQ1. How?\n\nSo.\n\nQ2. It is slow.\n\nHow slow is it?\n\nWait.\n\nQ3. Why?\n\nBecause.\n"
    html = "".join(f"<p>{part}</p>" for part in text.split("\n\n"))
    expected = [("How?", "So."), ("It is slow.", "How slow is it?\n\nWait."), ("Why?", "Because.")]
    assert pairs(text) == expected
    found = read_html(BytesIO(f"<title>FAQ</title><h1>FAQ</h1>{html}".encode()))
    assert [(item.fields["question"], item.fields["answer"]) for item in found] == expected


@pytest.mark.parametrize(
    "section",
    [
        "Q1: faster start\n\n- a cache\n\nQ2: plugins\n\n- an API",
        "Q: heat in joules\nm: mass in kilograms",
        "Q. Smith runs the lab.\nP. Jones helps.",
        "Q1. Describe a cell.\n\n(5 marks)",
    ],
)
def test_lines_with_q_that_ask_nothing_are_text(section: str) -> None:
    found = read_markdown(BytesIO(f"# Notes\n## About\n{section}\n".encode()))
    assert [item.fields["question"] for item in found] == ["About"]


def test_a_title_of_a_wiki_ends_the_last_pair() -> None:
    text = (
        "=== Tool ===\n\n== FAQ ==\n\nQ: Is it hot?\nA: Yes.\n\n== Use ==\n\nQ: How?\nA: So.\n\n"
        "== Changelog ==\n\n= 2.0 =\n* new\n"
    )
    found = entries(text)
    assert [(item.fields["question"], item.fields["answer"], item.headings) for item in found] == [
        ("Is it hot?", "Yes.", ()),
        ("How?", "So.", ("Use",)),
    ]


@pytest.mark.parametrize("title", ["\t-=   Heat   =-", "--- Heat ---", "~* Heat *~", "-Heat-----------"])
def test_a_title_between_signs_ends_the_answer_above_a_question(title: str) -> None:
    other = title.replace("Heat", "Door")
    content = f"FAQ\n\n{other}\n\nQ: Is it shut?\nA: It says:\n\n--- No ---\n\n{title}\n\n\nQ: Is it hot?\nA: Yes.\n"
    found = [one for one in entries(content) if isinstance(one, RawEntry)]
    assert [(one.fields["answer"], one.headings) for one in found] == [
        ("It says:\n\n--- No ---", ("Door",)),
        ("Yes.", ("Heat",)),
    ]


@pytest.mark.parametrize("line", ["--- cut here ---", "-- The editors --"])
def test_a_single_line_between_signs_belongs_to_its_answer(line: str) -> None:
    found = list(entries(f"FAQ\n\nQ: Is it shut?\nA: No.\n\n{line}\n\nQ: Is it hot?\nA: Yes.\n"))
    assert [(one.fields["answer"], one.headings) for one in found] == [(f"No.\n\n{line}", ()), ("Yes.", ())]


def test_steps_with_a_letter_after_their_number_stay_in_the_answer() -> None:
    steps = "2.a. Take the wheel.\n\n2.b. Turn it.\n\n2.c. Let go."
    text = (
        f"FAQ\n\n1. What is it?\n\nA boat.\n\n2. How do I steer?\n\nDo this:\n\n{steps}\n\n3. Where is it?\n\nHere.\n"
    )
    found = [(one.fields["question"], one.fields["answer"]) for one in entries(text)]
    assert found == [
        ("What is it?", "A boat."),
        ("How do I steer?", f"Do this:\n\n{steps}"),
        ("Where is it?", "Here."),
    ]


def test_the_first_title_of_an_faq_is_an_entry_if_it_does_not_say_what_the_text_is() -> None:
    titles = "\n\n".join(f"{title}\n{'=' * len(title)}\n\nAbout it." for title in ("Hours", "Fees", "Dogs"))
    found = list(read(BytesIO(f"The Boat Club\n\n{titles}\n".encode()), name="FAQ.txt"))
    assert [(one.fields["question"], one.headings) for one in found] == [("Hours", ()), ("Fees", ()), ("Dogs", ())]


def test_in_a_text_that_is_called_faq_numbers_need_not_ask() -> None:
    content = b'*** 1. I get the error "cold".\n\nWait.\n\n*** 2. It is dark.\n\n1. Open it.\n2. Shut it.\n\n'
    content += b"*** 3. How do I clean it?\n\nWith water.\n"
    found = list(read(BytesIO(content), name="FAQ"))
    assert [one.fields["question"] for one in found if isinstance(one, RawEntry)] == [
        'I get the error "cold".',
        "It is dark.",
        "How do I clean it?",
    ]


@pytest.mark.parametrize("title", ["Troubleshooting\n===============", "Trouble-shooting tips\n----------------"])
def test_titles_of_a_text_on_troubles_need_not_ask(title: str) -> None:
    rule = title[-1] * 10
    content = f"{title}\n\nThe oven is cold\n{rule}\n\nWait.\n\nThe door is open\n{rule}\n\nShut it.\n\n"
    content += f"It is dark\n{rule}\n\nWait.\n"
    assert [question for question, _ in pairs(content)] == ["The oven is cold", "The door is open", "It is dark"]


def test_numbers_of_a_text_on_troubles_need_not_ask() -> None:
    content = (
        "TROUBLESHOOTING\n\n1) HOW DO I TELL?\n\n   So.\n\n2) IT IS OFF\n\n   Wait.\n\n3) IT IS DARK\n\n   Wait.\n"
    )
    assert pairs(content) == [("HOW DO I TELL?", "So."), ("IT IS OFF", "Wait."), ("IT IS DARK", "Wait.")]


def test_problems_and_solutions_are_pairs_where_nothing_else_is() -> None:
    content = (
        "Problem:\n  The oven\n  is cold.\nSolution:\n  Wait.\n---\nProblem\n  It is dark\nSolution\n  1) Open it.\n"
    )
    assert pairs(content) == [("The oven is cold.", "Wait."), ("It is dark", "1) Open it.")]
    content = "PROBLEM: It is cold.\nCause: It is off.\nFIX: Turn it on.\n\nPROBLEM: It is wet.\nFIX: Wipe it.\n"
    assert pairs(content) == [("It is cold.", "Cause: It is off.\nFIX: Turn it on."), ("It is wet.", "Wipe it.")]
    for other in ("Problem: one\nSolution: it\n", "Problem: one\nProblem: two\nSolution: it\nSolution: no\n"):
        assert all(isinstance(item, Problem) for item in entries(other))
    content = "FAQ\n\n1. Is it hot?\n\nProblem: so\nSolution: so\n\n2. Is it cold?\n\nProblem: so\nSolution: so\n"
    assert [question for question, _ in pairs(content)] == ["Is it hot?", "Is it cold?"]


def test_dots_above_a_question_end_an_answer() -> None:
    content = "Q: Is it hot?\nA: It says:\n\n.....\n\nand more:\n...\n\n. . . .\n\n"
    content += "Q: Is it cold?\nA: No:\n...\n\nQ: Dry?\nA: So."
    assert pairs(content) == [
        ("Is it hot?", "It says:\n\n.....\n\nand more:\n..."),
        ("Is it cold?", "No:\n..."),
        ("Dry?", "So."),
    ]


def test_lines_of_signs_around_what_an_answer_quotes_do_not_end_it() -> None:
    rule = "=" * 20
    quoted = f"Write this into\nthe file:\n{rule}\nheat = 200\n{rule}\nThen open the door."
    content = f"Q: How hot?\nA: {quoted}\n\n{rule}\nQ: How cold?\nA: Very:\n{rule}\nQ: How dry?\nA: So.\n"
    assert pairs(content) == [("How hot?", quoted), ("How cold?", "Very:"), ("How dry?", "So.")]


def test_a_version_at_the_end_is_no_part_of_the_last_answer() -> None:
    text = "Q: Is it hot?\nA: It is.\n\nQ: Is it far?\nA: No.\n\n$Id: FAQ,v 1.6 2002/11/25 21:54:19 Exp $\n"
    assert pairs(text) == [("Is it hot?", "It is."), ("Is it far?", "No.")]


def test_a_question_without_a_may_have_its_answer_right_below() -> None:
    text = "Oven FAQ\n\nQ: Is it hot?\nA: Yes.\n\nQ: The door is open, what\n   can I do?\n   Close it.\n   Gently.\n\n"
    text += "Q: Why?\nA: So.\n"
    assert pairs(text) == [
        ("Is it hot?", "Yes."),
        ("The door is open, what can I do?", "Close it.\nGently."),
        ("Why?", "So."),
    ]


def test_questions_of_two_lines_without_any_a_are_whole() -> None:
    text = "Oven FAQ\n\nQ: How does it know when\n   to stop?\n\n   By time.\n\nQ: Is it hot?\n\n   Yes.\n\n"
    text += "Q: Is it new?\n\n   No.\n\nQ: My oven does not stop, please\n   help!\n\n   Wait.\n\n   It does.\n"
    assert pairs(text) == [
        ("How does it know when to stop?", "By time."),
        ("Is it hot?", "Yes."),
        ("Is it new?", "No."),
        ("My oven does not stop, please help!", "Wait.\n\nIt does."),
    ]


def test_a_cry_for_help_goes_on_in_the_question_below() -> None:
    text = "FAQ\n\nQ: Help! It burns!\n\n   What can I do?\n\n   Call us.\n\nQ: Is it hot?\n\n   Yes.\n"
    assert pairs(text)[0] == ("Help! It burns! What can I do?", "Call us.")


@pytest.mark.parametrize("word", ["question)", "question.", "answer)", "answer."])
def test_a_word_at_the_start_of_a_line_is_no_mark_in_a_sentence(word: str) -> None:
    text = f"Q: How hot is it?\nA: It depends (see the next\n   {word} there are two ways.\n\nQ: Why?\nA: So.\n"
    assert pairs(text) == [
        ("How hot is it?", f"It depends (see the next\n{word} there are two ways."),
        ("Why?", "So."),
    ]


def test_a_mark_without_a_space_behind_it() -> None:
    text = "Q. How?\nA. So.\n\nQ.Why does it differ?\nA.Nobody knows.\n\nQ. When?\nA. A.D. 79.\n"
    assert pairs(text) == [("How?", "So."), ("Why does it differ?", "Nobody knows."), ("When?", "A.D. 79.")]


def test_pairs_that_are_quoted() -> None:
    text = "FAQ\n\n> Q: Can I use it?\n>> A: Yes.\n>> It is free.\n\n> Q: What if I lose it?\n>> A: Ask us.\n"
    assert pairs(text) == [("Can I use it?", "Yes.\nIt is free."), ("What if I lose it?", "Ask us.")]


def test_a_list_right_below_a_question_begins_its_answer() -> None:
    text = "Q: Which rules are there?\n1. Be kind.\n2. Be quiet.\n\nBoth hold always.\n\nQ: Why?\nA: So.\n"
    assert pairs(text) == [
        ("Which rules are there?", "1. Be kind.\n2. Be quiet.\n\nBoth hold always."),
        ("Why?", "So."),
    ]


def test_the_head_of_a_table_in_an_answer_is_no_title() -> None:
    text = "Q: How large?\nA: See\nthis table.\n\nSize      Total\n---------------\n 35%      1380\n\nQ: Why?\nA: So.\n"
    assert pairs(text) == [
        ("How large?", "See\nthis table.\n\nSize      Total\n---------------\n 35%      1380"),
        ("Why?", "So."),
    ]


def test_pairs_that_an_answer_quotes_stay_in_it() -> None:
    text = "FAQ\n\n1. How do I write?\n\nLike this:\n\n> Q: What is it?\n> A: A thing.\n\n> Q: Is it hot?\n> A: Yes.\n"
    text += "\n2. Is it free?\n\nYes.\n\n3. Is it new?\n\nNo.\n"
    assert [question for question, _ in pairs(text)] == ["How do I write?", "Is it free?", "Is it new?"]


def test_a_line_of_signs_between_pairs_is_in_none() -> None:
    text = "Q:  What is it?\nA:  It is a thing.  It heats.\n------------------\nQ:  Is it hot?\nA:  Yes.\n"
    assert pairs(text) == [("What is it?", "It is a thing.  It heats."), ("Is it hot?", "Yes.")]


def test_initials_are_no_marks() -> None:
    text = "Q: Who found it?\nA: It was found by J.Adams,\nQ.Miller and others.\nIt is old.\n\nQ: Why?\nA: So.\n"
    assert pairs(text) == [
        ("Who found it?", "It was found by J.Adams,\nQ.Miller and others.\nIt is old."),
        ("Why?", "So."),
    ]
    text = "FAQ\n\nQ: Who found it?\nMiller did.\n\nHe was lucky.\n\nQ: Where?\nHere.\n\nA.Smith: Ovens, 1999.\n"
    assert pairs(text)[0] == ("Who found it?", "Miller did.\n\nHe was lucky.")


FENCED = "Write this:\n\n------\nheat = 1\n------\n\nThen wait."


def test_lines_of_signs_in_an_answer_do_not_end_it_where_others_part_pairs() -> None:
    text = f"FAQ\n\nQ: How hot?\nA: {FENCED}\n\n======\n\nQ: How cold?\nA: So:\n\n------\n\nVery.\n\n======\n\n"
    text += "Q: How dry?\nA: Dry.\n\n------\n\nWritten by me.\n"
    assert pairs(text) == [("How hot?", FENCED), ("How cold?", "So:\n\n------\n\nVery."), ("How dry?", "Dry.")]


@pytest.mark.parametrize("title", ["Door\n====", "====\nDoor\n====", "====\nDoor\nThis is of doors.", "====\nDOOR"])
def test_a_title_above_the_line_that_parts_pairs_is_in_no_answer(title: str) -> None:
    text = "FAQ\n\n----\nQ: How hot?\nA: Very.\n\n----\nQ: How cold?\nA: No.\n\n" + title
    text += "\n\n----\nQ: Is it shut?\nA: Yes.\n\n----\nQ: Is it far?\nA: No.\n"
    assert [pair[1] for pair in pairs(text)] == ["Very.", "No.", "Yes.", "No."]


def test_a_title_further_in_than_the_mark_and_above_its_text_is_in_the_answer() -> None:
    text = "FAQ\n\nQ1: How hot?\nA1: Very.\n\nQ2: How do I bake?\nA2: In two ways.\n\n   With heat\n   =========\n\n"
    text += "     Open the door.\n\n   With steam\n   ==========\n     Shut it.\n\nQ3: Is it far?\nA3: No.\n"
    steps = "With heat\n=========\n\n  Open the door.\n\nWith steam\n==========\n  Shut it."
    assert pairs(text) == [
        ("How hot?", "Very."),
        ("How do I bake?", f"In two ways.\n\n{steps}"),
        ("Is it far?", "No."),
    ]


def test_a_title_further_in_ends_an_answer_if_its_text_is_not() -> None:
    text = "FAQ\n\nQ1: How hot?\nA1: Very.\n\n   Door\n   ====\n\nOf the shop.\n\nQ2: Is it far?\nA2: No.\n"
    assert pairs(text) == [("How hot?", "Very."), ("Is it far?", "No.")]


def test_a_question_without_any_sign_at_its_end_ends_at_the_empty_line_below_it() -> None:
    text = "FAQ\n\nQ. Is it hot?\n\nYes.\n\nQ. How do I open the door\n\nPull it\n\nat the top.\n\nTwice.\n\n"
    text += "Q. It smells of gas\n\nShut it.\n\nDoes it still?\n\nCall us.\n\nQ. Is it far?\n\nNo.\n"
    assert pairs(text) == [
        ("Is it hot?", "Yes."),
        ("How do I open the door", "Pull it\n\nat the top.\n\nTwice."),
        ("It smells of gas", "Shut it.\n\nDoes it still?\n\nCall us."),
        ("Is it far?", "No."),
    ]


@pytest.mark.parametrize("footer", ["--\nAda <ada@example.org>", "--EOF", "# vi: tw=70 ai", "Last updated: 5 May 2010"])
def test_a_footer_is_no_part_of_the_last_answer(footer: str) -> None:
    text = f"FAQ\n\nQ: Is it hot?\nA: Yes.\n\nQ: Is it shut?\nA: No,\n   it is not.\n\n{footer}\n"
    assert pairs(text) == [("Is it hot?", "Yes."), ("Is it shut?", "No,\nit is not.")]


def test_what_the_last_answer_quotes_below_a_colon_and_an_empty_line_does_not_end_it() -> None:
    text = f"FAQ\n\nQ: How cold?\nA: So:\n\n------\n\nQ: How hot?\nA: {FENCED}\n\n------\n\nWritten by me.\n"
    assert pairs(text) == [("How cold?", "So:"), ("How hot?", FENCED)]
