# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
from io import BytesIO

import pytest

from answer_selection.indexing.formats.html import read
from answer_selection.indexing.formats.raw import RawEntry

PAGE = """<title>FAQ</title><h1>FAQ</h1>
<p>Q: Is the oven new?</p><p>A: Yes.</p>
<p>Q: Why is it cold?</p><p>A: There are some reasons.</p>
{}
<p>Q: Is it free?</p><p>A: No.</p>"""
PARTS = "<h3>Parts that may break:</h3><ul><li>The plug</li></ul><h3>The test</h3><p>Touch it.</p>"


def pairs(html: str) -> list[tuple[object, object]]:
    found = read(BytesIO(html.encode()))
    return [(one.fields["question"], one.fields["answer"]) for one in found if isinstance(one, RawEntry)]


def test_headings_without_questions_between_lines_with_q_are_in_the_answer_above() -> None:
    answer = "There are some reasons.\n\nParts that may break:\n\n- The plug\n\nThe test\n\nTouch it."
    assert pairs(PAGE.format(PARTS)) == [
        ("Is the oven new?", "Yes."),
        ("Why is it cold?", answer),
        ("Is it free?", "No."),
    ]


@pytest.mark.parametrize(
    "parts",
    [
        "<h3>Prices</h3>",
        # An introduction.
        "<h3>Prices</h3><p>All of them are in euros.</p>",
        # One of its rank is a section's name.
        f"{PARTS}<p>Q: Is it hot?</p><p>A: Yes.</p><h3>Prices</h3>",
        "<h3>Is it broken?</h3><p>No.</p>",
    ],
)
def test_a_heading_above_questions_or_one_that_asks_ends_the_answer(parts: str) -> None:
    found = pairs(PAGE.format(parts))
    assert ("Why is it cold?", "There are some reasons.") in found


def test_what_stands_behind_the_last_question_is_in_no_answer() -> None:
    foot = "<h3>About us</h3><p>We bake.</p>"
    assert ("Is it free?", "No.") in pairs(PAGE.format("") + foot)
