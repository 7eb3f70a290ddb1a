# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The words that an answer shares with its question."""

from hypothesis import given
from hypothesis import strategies as st

from answer_selection.pipelines.serving.shared_words import shared_words


def marked(question, text, language="english"):
    [[parts]] = shared_words(question, [[text]], language)
    return [text for text, kind in parts if kind]


def test_words_are_the_same_by_their_stems():
    assert marked("Where are my renewed cards?", "RENEW the card!") == ["RENEW", "card"]
    assert marked("renewed cards", "renew the card", language=None) == []
    assert marked("Bücher verlängern", "Das Buch verlängert", language="german") == ["Buch"]
    assert marked("東京の本", "京都") == ["京"]


def test_a_word_of_many_entries_is_common():
    entries = [["A lost card?", "Come."], ["New?", "A card."], ["A child?", "Old cards."], ["When?", "At lunch."]]
    found = shared_words("a lost card", entries, "english")
    kinds = {text: kind for texts in found for parts in texts for text, kind in parts if kind}
    assert kinds == {"A": "common", "card": "common", "cards": "common", "lost": "shared"}
    # Of two entries none is in many.
    assert shared_words("card", [["card"], ["card"]], None) == [[[("card", "shared")]]] * 2


@given(st.text(max_size=40), st.lists(st.lists(st.text(max_size=40), max_size=2), max_size=5))
def test_the_parts_together_are_the_text(question, entries):
    found = shared_words(question, entries, "english")
    assert [["".join(text for text, _ in parts) for parts in texts] for texts in found] == entries
