# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Questions that are quoted, in Markdown and HTML."""

from io import BytesIO

import pytest

from answer_selection.indexing.formats import html, markdown
from answer_selection.indexing.formats.raw import RawEntry

OVEN = (
    "# Oven\n\nIt is one.\n\n## Parts\n\nA door.\n\n## FAQ\n\n> Why is it `hot`?\n\nIt is on.\n\nTurn it off.\n\n"
    "> I cannot open the door\n\n> [!NOTE]\n> Do not pull.\n\nWait.\n\n> It says 7. What is that?\n\n    on 7\n\n"
    "## More\n\nNo.\n"
)


def pairs(text: str, name: str = "README.md") -> list[tuple[str, str]]:
    found = markdown.read(BytesIO(text.encode()), name=name)
    return [(one.fields["question"], one.fields["answer"]) for one in found if isinstance(one, RawEntry)]


@pytest.mark.parametrize("name", ["README.md", "oven.md"])
def test_quotations_of_one_line_are_questions(name: str) -> None:
    assert pairs(OVEN, name) == [
        ("Why is it hot?", "It is on.\n\nTurn it off."),
        ("I cannot open the door", "Do not pull.\n\nWait."),
        ("It says 7. What is that?", "on 7"),
    ]


def test_quotations_of_a_page_are_questions_too() -> None:
    page = (
        "<title>FAQ</title><h1>FAQ</h1><h2>Heat</h2><blockquote><p>Why?</p></blockquote><p>It is on.</p>"
        "<blockquote>How hot?</blockquote>Very.<blockquote><p>No <em>heat</em></p></blockquote><p>Wait.</p>"
    )
    assert [(one.fields["question"], one.fields["answer"]) for one in html.read(BytesIO(page.encode()))] == [
        ("Why?", "It is on."),
        ("How hot?", "Very."),
        ("No heat", "Wait."),
    ]


def test_comments_behind_quotations_are_passed_over() -> None:
    remarked = OVEN.replace("> Why is it `hot`?\n", "> Why is it `hot`?\n\n<!-- new -->\n")
    assert pairs(remarked) == pairs(OVEN)


@pytest.mark.parametrize(
    ("some", "other"),
    [
        ("> I cannot open the door\n", "> The door is shut\n"),  # where half neither ask nor tell what is wrong
        ("\n\n    on 7\n", "\n"),  # where one has no answer
        ("> Why is it `hot`?\n\nIt is on.\n\n", ""),  # where there are two
        ("## FAQ", "## Help"),
        ("## FAQ", "## FAQ\n\n### Is it mine?"),
    ],
)
def test_other_quotations_are_none(some: str, other: str) -> None:
    text = OVEN.replace(some, other).replace("It says 7. What is that?", "It says 7" if "shut" in other else "Why 7?")
    assert not {question for question, _ in pairs(text)} & {"Why is it hot?", "Why 7?", "It says 7"}
