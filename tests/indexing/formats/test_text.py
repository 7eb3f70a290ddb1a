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
        ("\n.. contents::\n", "", "Refill it."),
        ("", "\n.. _dry:\n", "Refill it."),
        ("", "", ":ref:`Refill <refill>` it."),
    ],
)
def test_text_with_marks_of_restructuredtext_is_that(marks: tuple[str, str, str]) -> None:
    first, second = entries(FAQ.format(*marks))
    assert (first.fields["question"], first.fields["answer"]) == ("How do I start?", "Press the button.")
    assert (second.fields["question"], second.fields["answer"]) == ("It is dry", "Refill it.")


@pytest.mark.parametrize(
    "marks",
    [
        ("\n... and more ...\n", "", "Refill it."),
        ("", "\n  .. note:: this is a mark of reStructuredText.\n", "Refill it."),
        ("", "", "Say :smile: and `this`."),
    ],
)
def test_other_text_is_read_as_it_stands(marks: tuple[str, str, str]) -> None:
    first, *_ = entries(FAQ.format(*marks))
    assert first.fields["question"] == "How do I *start*?"


def test_restructuredtext_without_titles_is_read_as_it_stands() -> None:
    [entry] = entries("Q: How?\nA: So, by *this*.\n\n.. note::\n")
    assert entry.fields["answer"] == "So, by *this*.\n\n.. note::"


@pytest.mark.parametrize(("title", "is_faq"), [("Handbook", False), ("Ink FAQ", True), ("Troubleshooting", True)])
def test_it_is_a_faq_if_it_says_so(title: str, is_faq: bool) -> None:
    text = f".. _top:\n\n{title}\n{'=' * len(title)}\n\nInstall\n-------\n\nUnpack it.\n\nWhy?\n----\n\nThus.\n"
    questions = [item.fields["question"] for item in entries(text)]
    assert questions == (["Install", "Why?"] if is_faq else ["Why?"])
