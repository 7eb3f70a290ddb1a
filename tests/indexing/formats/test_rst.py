# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
from io import BytesIO
from pathlib import Path

import pytest

from answer_selection.indexing.formats.raw import Problem, RawEntry
from answer_selection.indexing.formats.rst import read


def entries(text: str) -> list[RawEntry | Problem]:
    return list(read(BytesIO(text.encode())))


TEXT = """
FAQ
===

.. contents::

Build
-----

.. _building:

How do I *build* it?
~~~~~~~~~~~~~~~~~~~~

See :ref:`the guide <guide>`, :py:func:`~os.open` and `the site <https://x.org>`_.

.. code-block:: sh
   :emphasize-lines: 1

   make
       install

.. seealso:: Two things:

   - one
   - two

.. toctree::

   other

It fails
~~~~~~~~
+------+-----+
| item | fee |
+------+-----+

Why?
----
Thus.
"""


def test_titles_are_questions() -> None:
    build, fails, why = entries(TEXT)
    assert build == RawEntry(
        "line 12",
        {
            "question": "How do I build it?",
            "answer": "See the guide, open and the site (https://x.org).\n\nmake\n    install\n\nTwo things:\n"
            "\n- one\n- two",
            "anchor": "building",
        },
        ("FAQ", "Build"),
    )
    assert fails.fields == {"question": "It fails", "answer": "item | fee", "anchor": "it-fails"}
    assert (why.location, why.headings) == ("line 38", ("FAQ",))


def test_no_file_is_included_and_no_html_is_taken_over(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("secret", encoding="utf-8")
    directives = f"""Why?
====
Thus.

.. include:: {secret}
.. literalinclude:: {secret}
.. csv-table::
   :file: {secret}

.. raw:: html

   <details><summary>Q</summary>A</details>
.. raw:: html
   :file: {secret}

"""
    [entry] = entries(f"FAQ\n###\n\n{directives}")
    assert entry.fields == {"question": "Why?", "answer": "Thus.", "anchor": "why"}


def test_a_title_that_cannot_be_placed_is_named_and_the_others_are_read() -> None:
    text = "Who?\n====\nOne.\n\nWhat?\n-----\nTwo.\n\nHow?\n====\nThree.\n\nWhy?\n~~~~\nFour.\n\nIf?\n===\nFive.\n"
    problem, *others = entries(text)
    assert problem.location == "line 13"
    assert "Inconsistent title style" in problem.message
    assert "Why?" in problem.message
    assert [entry.fields["question"] for entry in others] == ["Who?", "Who? \u203a What?", "How?", "If?"]


def test_a_text_without_titles_is_a_problem_and_an_empty_one_is_not() -> None:
    message = "expected titles, which are the questions; found none"
    assert entries("Just text.\n") == [Problem("", None, message, nothing=True)]
    assert entries("\n") == []


def test_what_is_nested_too_deeply_is_named() -> None:
    deep = "\n\n".join("  " * depth + "- x" for depth in range(400))
    [problem] = entries(f"A?\n==\n\n{deep}\n")
    assert "nested too deeply" in problem.message


def test_definitions_of_q_and_a_are_pairs() -> None:
    [why, how] = entries("FAQ\n===\n\nQ\n  Why?\n\nA\n  Thus.\n\nQ\n  How?\n\nA\n  So.\n")
    assert why.fields == {"question": "Why?", "answer": "Thus."}
    assert how.fields == {"question": "How?", "answer": "So."}


def test_names_and_substitutions_are_shown_as_sphinx_shows_them() -> None:
    text = """Why does `!shelf` raise?
========================
Call `~shelf.Book.renew()` or :meth:`~shelf.Shelf.close`, not `~/bin` or `so`.
See |RENEW|_, |both|, |version|, ``|x|`` and :eq:`|y|`.

.. |RENEW| replace:: :sql:`RENEW
   BOOK`
.. |both| replace:: `!both()`
.. _RENEW: https://x.org/
"""
    [entry] = entries(text)
    assert entry.fields == {
        "question": "Why does shelf raise?",
        "answer": "Call renew() or close, not ~/bin or so. "
        "See RENEW BOOK (https://x.org/), both(), version, |x| and |y|.",
        "anchor": "why-does-shelf-raise",
    }


def test_a_long_line_ends_no_file() -> None:
    [entry] = entries(f"Why?\n====\n{'word ' * 3000}\n")
    assert entry.fields["answer"] == ("word " * 3000).strip()


def test_two_equal_titles_are_told_apart() -> None:
    text = "FAQ\n===\n\nHow?\n----\n\nSo.\n\nHow?\n----\n\nOr so.\n"
    assert [(item.fields["question"], item.location) for item in entries(text)] == [
        ("How?", "line 4"),
        ("How? (2)", "line 9"),
    ]


def test_symptom_and_solution_are_one_answer() -> None:
    text = "FAQ\n===\n\nNo print\n--------\n\nSymptom\n~~~~~~~\n\nA lamp.\n\nFix\n~~~\n\nWait.\n"
    assert [item.fields for item in entries(text)] == [
        {"question": "No print", "answer": "Symptom\n\nA lamp.\n\nFix\n\nWait.", "anchor": "no-print"}
    ]


@pytest.mark.parametrize("about", [":github_url: x\n:Author: Ink\n\nFAQ\n===\n", "FAQ\n===\n\n:Author: Ink\n:Web: x\n"])
def test_fields_that_a_file_begins_with_are_no_questions(about: str) -> None:
    text = f"{about}\n**Q: Is it slow?**\n\nA: No.\n"
    assert [item.fields for item in entries(text)] == [{"question": "Is it slow?", "answer": "No."}]


@pytest.mark.parametrize("above", ["", "FAQ\n===\n\nHot?\n----\n\nYes.\n\n"])
def test_fields_below_a_title_that_asks_are_its_answer(above: str) -> None:
    sign = "-" if above else "="
    found = entries(f"{above}Who?\n{sign * 4}\n\n:Author: Ann\n\nWhy?\n{sign * 4}\n\nSo.\n")
    assert [item.fields["answer"] for item in found][-2:] == ["Author:\n\nAnn", "So."]


@pytest.mark.parametrize("title", ["", "FAQ\n===\n\n"])
def test_fields_may_be_questions(title: str) -> None:
    [entry] = entries(f"{title}:Q: Is it slow?\n:A: No.\n")
    assert entry.fields == {"question": "Is it slow?", "answer": "No."}


def test_definitions_below_a_question_with_its_mark_are_its_answer() -> None:
    text = """FAQ
===

**Q**: Does it print?

  **A**: Yes.

**Q**: My code imports it. Why?

  **A**: It must not
    be imported.

**Q**: It says 3.3. I am confused!

  Short answer:
      Get a newer one.

  Long answer:
      It is old.
"""
    assert [(item.fields["question"], item.fields["answer"]) for item in entries(text)] == [
        ("Does it print?", "Yes."),
        ("My code imports it. Why?", "It must not\n\nbe imported."),
        ("It says 3.3. I am confused!", "Short answer:\n\nGet a newer one.\n\nLong answer:\n\nIt is old."),
    ]


ITEMS = "* It is dry\n\n  Refill it.\n\n* Dark paper\n\n  Turn it.\n"


@pytest.mark.parametrize("title", ["FAQ\n===\n", "FAQ\n===\n\nWhat we are asked.\n"])
def test_items_that_do_not_ask_are_questions_if_they_are_all_that_a_faq_has(title: str) -> None:
    assert [
        (item.fields["question"], item.fields["answer"], item.headings) for item in entries(f"{title}\n{ITEMS}")
    ] == [
        ("It is dry", "Refill it.", ("FAQ",)),
        ("Dark paper", "Turn it.", ("FAQ",)),
    ]


@pytest.mark.parametrize(
    "text",
    [
        f"Ink\n===\n\n{ITEMS}",
        f"FAQ\n===\n\nError 7\n-------\n\n{ITEMS}",
        f"FAQ\n===\n\nHow do I print?\n\n{ITEMS}",
        f"FAQ\n===\n\n{ITEMS}\n* One line\n",
        f"FAQ\n===\n\n{ITEMS.replace('Dark paper', 'It is dark. Or it is not')}",
        f"FAQ\n===\n\n**Q: It fails.**\n\nA: Look.\n\n{ITEMS}",
    ],
)
def test_items_of_other_lists_are_none(text: str) -> None:
    assert not any(item.fields["question"] == "It is dry" for item in entries(text) if isinstance(item, RawEntry))


def test_what_sphinx_design_opens_is_a_question() -> None:
    text = "FAQ\n===\n\n.. dropdown:: How do I pay?\n\n   Online.\n\n.. dropdown:: Is it far?\n   :open:\n\n   No.\n"
    found = [(item.fields["question"], item.fields["answer"]) for item in read(BytesIO(text.encode()))]
    assert found == [("How do I pay?", "Online."), ("Is it far?", "No.")]


def test_a_readme_has_the_questions_that_ask() -> None:
    text = "Tool\n====\n\nInstall\n-------\n\nRun it.\n\nHow do I map?\n-------------\n\nSo.\n"
    found = [item.fields["question"] for item in read(BytesIO(text.encode()), name="README.rst")]
    assert found == ["How do I map?"]


def test_rubrics_that_ask_are_questions():
    text = (
        "FAQ\n===\n\n.. rubric:: Is it *hot*?\n\nYes.\n\n.. rubric:: Notes\n\nNone.\n\n.. rubric:: Is it far?\n\nNo.\n"
    )
    found = [(entry.fields["question"], entry.fields["answer"]) for entry in entries(text)]
    assert found == [("Is it hot?", "Yes.\n\nNotes\n\nNone."), ("Is it far?", "No.")]


def test_a_definition_list_in_an_answer_leaves_the_numbered_questions() -> None:
    found = entries(
        "FAQ\n===\n\n1. It stops after a while.\n\n   Wait.\n\n2. Which programs are there?\n\n   Two:\n\n"
        "   oven.example\n      a program\n\n3. The door does not open\n\n   Pull.\n\n4. What is it?\n\n   An oven.\n"
    )
    assert [entry.fields["question"] for entry in found] == [
        "It stops after a while.",
        "Which programs are there?",
        "The door does not open",
        "What is it?",
    ]
    assert found[1].fields["answer"] == "Two:\n\noven.example\n\na program"


def test_references_that_lead_nowhere_have_no_marks() -> None:
    [entry] = entries(
        "FAQ\n===\n\nWhy?\n----\n\nSee `the guide`_, `that one <other page_>`__, [Li.2009]_ and typeguard_.\n"
    )
    assert entry.fields["answer"] == "See the guide, that one, [Li.2009] and typeguard."


@pytest.mark.parametrize(
    "line", [".. include:: heat.txt", ".. literalinclude:: heat.py\n   :lines: 1-7", ".. raw:: html\n\n   <hr>"]
)
def test_questions_whose_answers_are_included_do_not_share_the_next_one(line: str) -> None:
    text = "".join(f"{title}\n---------\n\n{line}\n\n" for title in ("Is it on?", "Is it new?"))
    text = f"FAQ\n===\n\n{text}Is it hot?\n----------\n\nYes.\n"
    found = [(item.fields["question"], item.fields["answer"]) for item in read(BytesIO(text.encode()))]
    assert found == [("Is it on?", ""), ("Is it new?", ""), ("Is it hot?", "Yes.")]
