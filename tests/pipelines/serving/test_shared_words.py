# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The words that an answer shares with its question."""

from hypothesis import given
from hypothesis import strategies as st

from answer_selection.pipelines.serving.shared_words import shared_words


def marked(question, *texts, language="english"):
    return [[text for text, kind in parts if kind] for parts in shared_words(question, texts, language)]


def test_words_are_the_same_by_their_stems():
    assert marked("Where are my renewed cards?", "RENEW the card!") == [["RENEW", "card"]]
    assert marked("renewed cards", "renew the card", language=None) == [[]]
    assert marked("Bücher verlängern", "Das Buch verlängert", language="german") == [["Buch"]]
    assert marked("東京の本", "京都") == [["京"]]


def test_a_word_of_most_texts_is_common():
    texts = ["a lost card", "a new card", "a card", "a card for a child"]
    kinds = {text: kind for parts in shared_words("a lost card", texts, "english") for text, kind in parts if kind}
    assert kinds == {"a": "common", "card": "common", "lost": "shared"}
    # Of two texts none is in most.
    assert shared_words("card", ["card", "card"], None) == [[("card", "shared")]] * 2


@given(st.text(max_size=40), st.lists(st.text(max_size=40), max_size=5))
def test_the_parts_together_are_the_text(question, texts):
    assert ["".join(text for text, _ in parts) for parts in shared_words(question, texts, "english")] == texts
