# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""What Markdown's front matter says of a page: its title, or a whole FAQ."""

import pytest
from haystack.dataclasses import ByteStream

from answer_selection.indexing.entries import Entry, iter_entries


def read(text: str) -> list[tuple[list[str], str | None, str]]:
    found = list(iter_entries(ByteStream(text.encode(), meta={"name": "help.md"})))
    assert all(isinstance(one, Entry) for one in found), found
    return [(one.meta.get("headings", []), one.question, one.answer) for one in found if isinstance(one, Entry)]


@pytest.mark.parametrize(
    "front",
    [
        "---\ntitle: 'How do I pay?'\ndate: 2026-01-02\n---",
        '+++\ntitle = "How do I pay?"\n+++',
        "---\nq: How do I pay?\n---",
    ],
)
def test_a_page_is_the_answer_to_its_title(front: str) -> None:
    assert read(f"{front}\n\nBy card.\n\nOr by **bank**.\n") == [([], "How do I pay?", "By card.\n\nOr by bank.")]


def test_the_title_stands_above_the_headings() -> None:
    text = "---\ntitle: Paying\n---\nBy card.\n\n## It fails\n\nAsk the bank.\n"
    assert read(text) == [([], "Paying", "By card."), (["Paying"], "It fails", "Ask the bank.")]


@pytest.mark.parametrize("heading", ["# Cards", "Cards\n=====", "<h1>Cards</h1>"])
def test_a_heading_of_its_rank_wins(heading: str) -> None:
    text = f"---\ntitle: A page\n---\n{heading}\n\n## How do I pay?\n\nBy card.\n"
    assert read(text) == [(["Cards"], "How do I pay?", "By card.")]


def test_questions_are_no_parts_of_a_title_that_asks() -> None:
    text = "---\ntitle: Is it safe? And what does it cost?\n---\n\n## Is it safe?\n\nYes.\n\n## The price\n\n$3.\n"
    assert read(text) == [([], "Is it safe?", "Yes."), ([], "The price", "$3.")]
    text = "---\ntitle: How do I pay?\n---\n\n## On Mondays\n\nBy card.\n"
    assert read(text)[-1] == ([], "How do I pay? \N{SINGLE RIGHT-POINTING ANGLE QUOTATION MARK} On Mondays", "By card.")


def test_its_entries_are_read_beside_those_of_the_page() -> None:
    text = """---
title: Cards
faqs:
  - question: How do I pay?
    answer: By <b>card</b>.
  - {q: 'Is it safe?', a: Yes., draft: no}
  - question: Not answered?
---

## How do I pay?

With a card.

## Where is my card?

In the mail.
"""
    assert read(text) == [
        ([], "How do I pay?", "By card."),
        ([], "Is it safe?", "Yes."),
        (["Cards"], "Where is my card?", "In the mail."),
    ]


@pytest.mark.parametrize("front", ["title: [", "- a list", "title: {{ page.title }}"])
def test_what_cannot_be_read_is_passed_over(front: str) -> None:
    assert read(f"---\n{front}\n---\n\n## How do I pay?\n\nBy card.\n")[-1] == ([], "How do I pay?", "By card.")


def test_toml_that_is_nested_too_deep_is_passed_over() -> None:
    front = f"a = {'[' * 5_000}{']' * 5_000}"
    assert read(f"+++\n{front}\n+++\n\n## How do I pay?\n\nBy card.\n") == [([], "How do I pay?", "By card.")]
