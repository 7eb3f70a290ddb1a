# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Misspelt words of a question are read as its candidates spell them, and right ones are left alone."""

import random
import string

import pytest

from haystack_integrations.components.rankers.answer_selection import AnswerRanker
from haystack_integrations.components.rankers.answer_selection.encoders.word_reader import WordReader
from haystack_integrations.components.rankers.answer_selection.respelling import respelt

ANSWERS = [
    "The library opens at ten.",
    "An account at the library, or a scanner.",
    "Open the ACCOUNT page: piece by piece.",
]
KNOWN = frozenset("the where is my how do open in return a of and price pages station".split())


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("where is the libary", "where is the library"),  # one letter is missing
        ("where is the libxrary?", "where is the library?"),  # one too many
        ("where is the libwary", "where is the library"),  # another
        ("where is the lirbary", "where is the library"),  # two swapped
        ("ilbrary", "library"),  # at the first letter, only a swap
        ("Acount and scaner", "account and scanner"),
        ("libary and libary", "library and library"),
        ("a peice", "a piece"),
        ("the libary's lybrory", "the library's lybrory"),  # two slips are too many
    ],
)
def test_one_slip_is_mended(query, expected):
    assert respelt(query, ANSWERS, KNOWN) == expected


@pytest.mark.parametrize(
    "query",
    [
        "",
        "where is the library",
        "the bibrary",  # at the first letter
        "my accounts",  # another form of the word
        "the price of a station",  # known, whatever the candidates have
        "opne",  # short
        "pieca",
        "wibrary account",
        "the liBrary of LIBARY",  # names
        "libary.py libary_2 --libary /libary libary@work x.libary libary-2",  # no words
        "10 l1brary",
        "図書館はどこですか",
    ],
)
def test_all_else_stays_as_it_is(query):
    assert respelt(query, ANSWERS, KNOWN) == query


def test_of_several_words_one_with_the_same_letters_is_taken_then_the_most_frequent():
    answers = ["hosts of a coast", "the coats", "coats and boats", "coasts"]
    assert respelt("caots", answers, frozenset()) == "coats"
    assert respelt("coahts", [*answers, "coasts"], frozenset()) == "coasts"
    # Equals in both: the first in the alphabet, in every process.
    assert respelt("coaxt", ["coant", "coast"], frozenset()) == "coant"


def test_every_single_slip_inside_of_a_word_is_mended():
    generator = random.Random(0)
    for word in ("library", "membership", "overdue"):
        for _ in range(200):
            place, letter = generator.randrange(1, len(word) - 1), generator.choice(string.ascii_lowercase)
            begin, end = word[:place], word[place:]
            for slip in (begin + end[1:], begin + letter + end, begin + letter + end[1:], begin + end[1::-1] + end[2:]):
                assert respelt(slip, [f"Your {word} card."], frozenset()) == word


def test_few_words_are_looked_at():
    """So that a text of ten thousand unknown words takes no time."""
    query = " ".join(
        ["libary", *(f"{a}{b}{c}qqq" for a in "abcdefgh" for b in "abcdefgh" for c in "abcdefgh"), "acount"]
    )
    assert respelt(query, ANSWERS, KNOWN) == query.replace("libary", "library")


def test_the_reader_knows_english():
    known = WordReader.load().known_words
    assert {"library", "because", "account"} <= known
    assert not {"libary", "becuase", "acount"} & known


def test_the_ranker_reads_what_was_meant():
    """The answer has no word of the question as it was typed."""
    ranker = AnswerRanker()
    texts = ["Ask the caretaker for a new key.", "Every reservation is kept for a week.", "The lift is out of order."]
    right, wrong = (ranker.rank(query, texts) for query in ("reservation", "resrevation"))
    # The other two have nothing to do with it: which of them is second says nothing.
    assert wrong[0].index == right[0].index == 1
