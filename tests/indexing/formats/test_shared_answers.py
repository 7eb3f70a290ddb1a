# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
from io import BytesIO

import pytest

from answer_selection.indexing.formats.html import read
from answer_selection.indexing.formats.raw import RawEntry

LAST = "<p>9. <b>Is it free?</b></p><p>Yes.</p>"


def fields(body: str) -> list[dict[str, object]]:
    found = read(BytesIO(f"<title>FAQ</title><h1>FAQ</h1>{body}{LAST}".encode()))
    return [one.fields for one in found if isinstance(one, RawEntry)]


def pairs(body: str) -> list[tuple[object, object]]:
    return [(one["question"], one["answer"]) for one in fields(body)]


@pytest.mark.parametrize(
    "lines",
    [
        "4a. <b>The lamp is dark</b>, or<br>4b. <b>Why is there no light?</b>",
        "4a. <b>The lamp is dark</b><br>4b. <b>Why is there no light?</b>",
        "4. <strong>The lamp is dark</strong>, or<br>5. <strong>Why is there no light?</strong>",
        "<b>The lamp is dark</b> oder<br>\n<b>Why is there no light?</b>",
        "<b>4a. The lamp is dark</b>, and<br><b>4b. Why is there no light?</b>",
    ],
)
def test_questions_in_lines_of_a_paragraph_have_one_answer(lines: str) -> None:
    answer = "Turn it on.\n\nOr buy a new one."
    assert pairs(f"<p>{lines}</p><p>Turn it on.</p><blockquote>Or buy a new one.</blockquote>") == [
        ("The lamp is dark", answer),
        ("Why is there no light?", answer),
        ("Is it free?", "Yes."),
    ]


def test_three_of_them_have_the_anchor_of_their_paragraph() -> None:
    lines = "<b>1a. It hums</b>,<br>1b. <b>It clicks</b>, or<br>1c. <b>It rings</b>"
    one, two, three, _ = fields(f"<a name=noise></a><p>{lines.replace('<b>1a. ', '1a. <b>')}</p><p>Let it.</p>")
    assert [one["question"], two["question"], three["question"]] == ["It hums", "It clicks", "It rings"]
    assert [one["anchor"], two["anchor"], three["anchor"]] == ["noise"] * 3
    assert [one["answer"], two["answer"], three["answer"]] == ["Let it."] * 3


@pytest.mark.parametrize("lines", ["<b>Red</b>, or<br><b>Green</b>", "Take <b>red</b>, or<br><b>Green</b>"])
def test_other_lines_in_bold_print_stay_in_their_answer(lines: str) -> None:
    (question, answer), _ = pairs(f"<p>1. <b>Which lamps are there?</b></p><p>These:</p><p>{lines}</p>")
    assert question == "Which lamps are there?"
    assert str(answer).endswith(", or\nGreen")


def test_what_has_the_same_number_without_a_letter_has_an_answer_of_its_own() -> None:
    found = pairs("<p>1. <b>Is it red?</b><br>1. <b>Is it green?</b></p><p>It is green.</p>")
    assert ("Is it red?", "It is green.") not in found


@pytest.mark.parametrize("second", ["<b><br></b>", "<b><img src=a.png></b>", "<b>!</b>", f"<b>{'Why? ' * 80}</b>"])
def test_bold_print_that_is_no_title_is_no_question_beside_another(second: str) -> None:
    found = pairs(f"<p><b>How?</b> or<br>{second}</p><p>So.</p><p><b>Why?</b></p><p>Because.</p>")
    assert "So." in str(dict(found)["How?"])
    assert dict(found)["Why?"] == "Because."
    assert len(found) == 3
