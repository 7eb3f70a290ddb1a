# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Words that may be misspelt, and words that one slip makes of others."""

import pytest

from answer_selection.indexing.text.misspelling import (
    doubtful_words,
    is_likely_slip,
    is_one_slip,
    long_words,
    respell,
)


@pytest.mark.parametrize(
    ("word", "other"),
    [
        ("libary", "library"),  # a letter is missing
        ("libbrary", "library"),  # one comes twice
        ("librrary", "library"),
        ("librery", "library"),  # another vowel
        ("librry", "library"),
        ("lirbary", "library"),  # two are swapped
        ("ilbrary", "library"),
        ("librayr", "library"),
        ("öffent", "öffnet"),
        ("bücherai", "bücherei"),
        ("библиатека", "библиотека"),
    ],
)
def test_a_likely_slip(word, other):
    assert is_likely_slip(word, other)
    assert is_one_slip(word, other)


@pytest.mark.parametrize(
    ("word", "other"),
    [
        ("libwary", "library"),  # another consonant
        ("libxrary", "library"),  # a letter too many that is no double
        ("backend", "backed"),
        ("subnet", "sublet"),
        ("lookup", "lockup"),
    ],
)
def test_a_slip_that_is_not_likely(word, other):
    assert is_one_slip(word, other)
    assert not is_likely_slip(word, other)


@pytest.mark.parametrize(
    ("word", "other"),
    [
        ("library", "library"),
        ("lbary", "library"),  # two letters are missing
        ("bibrary", "library"),  # nobody misses the first letter
        ("ibrary", "library"),
        ("codec", "coded"),  # another form
        ("books", "book"),
        ("book", "books"),
        ("opne", "open"),  # short
        ("cron", "corn"),
        ("renw", "renew"),
        ("tihs", "those"),
        ("", "a"),
    ],
)
def test_no_slip(word, other):
    assert not is_one_slip(word, other)
    assert not is_likely_slip(word, other)


def test_doubtful_words_are_unknown_ones_that_stand_alone():
    text = "Wher is teh libary, the LIBARY or liBary.py? libary_2 --libary a@libary x.libary Über-libary Libary libary"
    known = {"the", "is", "or", "a", "b", "c"}
    assert doubtful_words(text, known.__contains__) == ["libary", "Libary"]
    assert long_words(text) == ["libary", "LIBARY", "Libary"]
    code = "--path=libary $libary %libary% libary() `libary` <libary> {libary} libary:latest #libary libary==2.0"
    assert doubtful_words(code, known.__contains__) == []


def test_few_words_are_looked_at_and_none_that_is_very_long():
    words = ["".join(chr(ord("a") + int(digit)) for digit in f"{number:05}") for number in range(1000)]
    asked = []
    known = set(words[:1000:2])
    found = doubtful_words(" ".join(words), lambda word: asked.append(word) or word in known)
    assert found == words[1:32:2]
    assert asked == long_words(" ".join(words)) == words[:32]
    assert doubtful_words("x" * 10_000, lambda _: False) == []


def test_words_are_put_in_the_place_of_words_alone():
    assert respell("libary, libary.py, my-libary: libary!", {"libary": "library"}) == (
        "library, libary.py, my-libary: library!"
    )
