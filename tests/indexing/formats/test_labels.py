# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Headings that only number questions, in files of each format."""

from io import BytesIO

import pytest

from answer_selection.indexing.formats import html, markdown

MARKDOWN = """
## Q1
Does the oven work in a tent?

Answer: No, it needs a chimney.

## Q2
The display says

    E4: too hot

What do I do?

**Answer**:

Open the door.
"""
HTML = """<title>FAQ</title><h1>Oven</h1>
<h2 id="one">Question 1</h2><p>I want to bake bread.</p><p>How long does it take?</p><h3>Answer</h3><p>An hour.</p>
<h2>Question 2</h2><p>Is it <b>safe</b>?</p><h3>Answer</h3><p>Yes.</p><h4>At night</h4><p>Too.</p>"""


def pairs(found) -> list[tuple[str, str]]:
    return [(one.fields["question"], one.fields["answer"]) for one in found]


def test_the_first_paragraph_below_is_the_question() -> None:
    assert pairs(markdown.read(BytesIO(MARKDOWN.encode()))) == [
        ("Does the oven work in a tent?", "No, it needs a chimney."),
        ("The display says E4: too hot", "E4: too hot\n\nWhat do I do?\n\nOpen the door."),
    ]


def test_an_answer_may_have_a_heading_of_its_own() -> None:
    found = list(html.read(BytesIO(HTML.encode())))
    assert pairs(found) == [
        ("I want to bake bread.", "How long does it take?\n\nAn hour."),
        ("Is it safe?", "Yes.\n\nAt night\n\nToo."),
        ("Is it safe? \u203a At night", "Too."),
    ]
    assert found[0].fields["anchor"] == "one"


def test_one_without_answer_is_a_question_beside_others_if_it_asks() -> None:
    text = f"{MARKDOWN}\n## Q3\nIs it loud?\n\n## Q4\nIt is not for children.\n"
    assert pairs(markdown.read(BytesIO(text.encode())))[2:] == [("Is it loud?", ""), ("Q4", "It is not for children.")]


@pytest.mark.parametrize(
    "text",
    [
        "## Q1\nHow?\n\nAnswer: So.\n\n## Why?\nThus.",  # one alone may be the name of a thing
        "## Q1\nSales rose.\n\n## Q2\nSales fell.\n\n## Q3\nThey rose.",  # quarters of a year
        "## Q1\nA model.\n\n## Answer\nNone.\n\n## Q2\nA model.\n\n## Q3\nA model.\n\n## Q4\nA model.",
    ],
)
def test_other_headings_stay(text: str) -> None:
    assert pairs(markdown.read(BytesIO(text.encode())))[0][0] == "Q1"


def test_a_quiz_is_no_faq() -> None:
    page = HTML.replace("FAQ", "Quiz")
    assert all(isinstance(one, html.Problem) for one in html.read(BytesIO(page.encode())))
