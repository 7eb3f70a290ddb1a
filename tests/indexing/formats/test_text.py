# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
from io import BytesIO

import pytest

from answer_selection.indexing.formats.raw import Problem, RawEntry
from answer_selection.indexing.formats.text import read


def entries(text: str) -> list[RawEntry | Problem]:
    return list(read(BytesIO(text.encode())))


FAQ = """========
Ink: FAQ
========
{0}
How do I *start*?
=================

Press the button.
{1}
It is dry
=========

{2}
"""


@pytest.mark.parametrize(
    "marks",
    [
        ("\n.. contents::\n", "\n.. _dry:\n", "Refill it."),
        ("\n.. _faq:\n", "", ":ref:`Refill <refill>` it."),
        ("", "", "Refill it.\n\n.. _Ink: https://example.org/\n.. _`the shop`: https://example.org/shop"),
        ("", "\n:doc:`x` :class:`y`\n", ":ref:`Refill <refill>` it."),
    ],
)
def test_text_with_marks_of_restructuredtext_is_that(marks: tuple[str, str, str]) -> None:
    first, second = entries(FAQ.format(*marks))
    assert first.fields["question"] == "How do I start?"
    assert first.fields["answer"] in ("Press the button.", "Press the button.\n\nx y")
    assert (second.fields["question"], second.fields["answer"]) == ("It is dry", "Refill it.")


@pytest.mark.parametrize(
    "marks",
    [
        ("\n... and more ...\n", "", "Refill it."),
        ("", "\n  .. note:: this is a mark of reStructuredText.\n", "Refill it."),
        ("", "", "Say :smile: and `this`."),
        ("", "\n.. _dry:\n", "One mark may be what the text is about."),
        ("", "", "Write :ref:`label`, or :ref:`text <label>`."),
    ],
)
def test_other_text_is_read_as_it_stands(marks: tuple[str, str, str]) -> None:
    first, *_ = entries(FAQ.format(*marks))
    assert first.fields["question"] == "How do I *start*?"


def test_restructuredtext_without_titles_is_read_as_it_stands() -> None:
    [entry] = entries("Q: How?\nA: So, by *this*.\n\n.. note::\n")
    assert entry.fields["answer"] == "So, by *this*.\n\n.. note::"


@pytest.mark.parametrize(("mark", "answer"), [("1. {}", ""), ("Q: {}", "A: ")])
def test_questions_that_are_numbered_or_marked_are_read_as_they_stand(mark: str, answer: str) -> None:
    title = "Ink FAQ\n=======\n\n.. note:: It is old.\n\n.. _ink:\n\nInk\n---\n\n"
    questions = "".join(
        f"{mark.replace('1', str(number)).format(word)}?\n{answer}Type\n   *ink*\n\n"
        for number, word in enumerate(("How", "Why", "When"), 1)
    )
    assert [entry.fields["answer"].split() for entry in entries(title + questions)] == [["Type", "*ink*"]] * 3


def test_what_has_no_questions_is_refused_as_a_text() -> None:
    [problem] = entries(".. _a:\n\nHandbook\n========\n\n.. note::\n\nInstall\n-------\n\nUnpack it.\n")
    assert isinstance(problem, Problem)
    assert "'Q:'" in problem.message


@pytest.mark.parametrize(
    ("title", "is_faq"),
    [
        ("Handbook", False),
        ("Ink FAQ", True),
        ("Troubleshooting", True),
        ("Known issues", False),
        ("Algorithms for problem solving", False),
    ],
)
def test_it_is_a_faq_if_it_says_so(title: str, is_faq: bool) -> None:
    top = ".. _top:\n\n.. contents::\n\n"
    text = f"{top}{title}\n{'=' * len(title)}\n\nInstall\n-------\n\nUnpack it.\n\nWhy?\n----\n\nThus.\n"
    questions = [item.fields["question"] for item in entries(text)]
    assert questions == (["Install", "Why?"] if is_faq else ["Why?"])


@pytest.mark.parametrize("head", ["<!DOCTYPE html>\n<html>", "\ufeff\n<HTML lang=en>", '<?xml version="1.0"?>\n<html>'])
def test_a_page_with_the_ending_of_a_text_is_read_as_a_page(head: str) -> None:
    page = f"{head}<title>FAQ</title><h1>FAQ</h1><h2>How hot?</h2><p>Very.</p><h2>Why?</h2><p>So.</p></html>"
    fields = [one.fields for one in entries(page) if isinstance(one, RawEntry)]
    assert [(one["question"], one["answer"]) for one in fields] == [("How hot?", "Very."), ("Why?", "So.")]


def test_a_text_about_pages_is_a_text() -> None:
    text = "Q: What is first?\nA: This:\n\n<html>\n\nQ: What is last?\nA: </html>\n"
    assert [one.fields["question"] for one in entries(text) if isinstance(one, RawEntry)] == [
        "What is first?",
        "What is last?",
    ]
