# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Sentences of texts in several scripts, and of lists."""

import pytest

from answer_selection.indexing.text.sentences import sentences


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It opens at nine. Really? Yes!", ["It opens at nine.", "Really?", "Yes!"]),
        ('He said "go." Then he left (at last.) No.', ['He said "go."', "Then he left (at last.)", "No."]),
        ("It costs $3. Pay there.", ["It costs $3.", "Pay there."]),
        ("Wait\u2026 Then go.", ["Wait\u2026", "Then go."]),
        (
            "\u4ed6\u6765\u4e86\u3002\u4f60\u597d\u5417\uff1f\u597d\uff01",
            ["\u4ed6\u6765\u4e86\u3002", "\u4f60\u597d\u5417\uff1f", "\u597d\uff01"],
        ),
        (
            "\u092f\u0939 \u0939\u0948\u0964 \u0935\u0939 \u0939\u0948\u0964",
            ["\u092f\u0939 \u0939\u0948\u0964", "\u0935\u0939 \u0939\u0948\u0964"],
        ),
        (
            "\u0647\u0644 \u0647\u0630\u0627\u061f \u0646\u0639\u0645\u06d4 \u0644\u0627",
            ["\u0647\u0644 \u0647\u0630\u0627\u061f", "\u0646\u0639\u0645\u06d4", "\u0644\u0627"],
        ),
        ("\u00bfQu\u00e9 tal? Bien.", ["\u00bfQu\u00e9 tal?", "Bien."]),
    ],
)  # fmt: skip
def test_a_sentence_ends_where_its_script_says(text, expected):
    assert sentences(text) == expected


@pytest.mark.parametrize(
    "text",
    ["We close at 8 p.m. on weekdays.", "J. Doe wrote.", "Version 1.2 is at www.example.com/a.b", "One.Two", "Eh?no"],
)  # fmt: skip
def test_a_full_stop_inside_a_sentence_ends_none(text):
    assert sentences(text) == [text]


def test_a_line_is_a_sentence_and_a_lists_number_goes_with_its_item():
    assert sentences('To renew:\n\n1. Open it.\n2. Press\t"Renew"\n---\n') == [
        "To renew:", "1. Open it.", '2. Press "Renew" ---'
    ]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), [("", []), (" \n ", []), ("...", ["..."]), ("no end", ["no end"])])
def test_what_has_no_sentence(text, expected):
    assert sentences(text) == expected


@pytest.mark.parametrize("text", ["!" * 50_000 + "a", "a." + " " * 50_000 + "b", '."' * 20_000, "a. " * 20_000])
def test_no_text_takes_long(text):
    """A second look at every sign would take minutes."""
    assert "".join(sentences(text)).replace(" ", "") == text.replace(" ", "")
