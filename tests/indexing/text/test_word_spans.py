# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
# ruff: noqa: RUF001 - the characters that look alike are what these tests are about
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from answer_selection.indexing.text.normalize import Normalization, normalize, words
from answer_selection.indexing.text.word_spans import word_spans


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        (" ?! ", []),
        ("When does it close?", ["When", "does", "it", "close"]),
        ("Levi's  don't\ncannot", ["Levi", "s", "do", "n't", "can", "not"]),
        ("levi 's do n't can not", ["levi", "s", "do", "n't", "can", "not"]),
        ("-LRB- afc -rrb- and\\/or -- x", ["afc", "and", "or", "x"]),
        ("the U.S and U.S. 9:30am", ["the", "U.S", "and", "U.S", "9:30am"]),
        ("$ 1,000 or 3.5 %", ["$", "1,000", "or", "3.5", "%"]),
        ("the ofﬁce\u00a0of\u200b the Ｆｕｌｌ", ["the", "ofﬁce", "of", "the", "Ｆｕｌｌ"]),
        ("Beyonce\u0301 Straße ΟΔΟΣ İstanbul", ["Beyonce\u0301", "Straße", "ΟΔΟΣ", "İstanbul"]),
        ("हिन्दी 東京", ["हिन्दी", "東", "京"]),
        ("a ½ cup — ㎏", ["a", "½", "½", "cup", "㎏"]),
    ],
)
def test_each_word_is_found_where_it_stands(text, expected):
    assert [text[start:end] for start, end in word_spans(text)] == expected


@given(st.text() | st.text(st.sampled_from("aé\u0301\u0327B'.,-rlb \\/½1`$ﬁ\u200b")))
def test_there_is_a_place_for_every_word_in_their_order(text):
    spans = word_spans(text)
    assert len(spans) == len(words(normalize(text)))
    assert all(0 <= start <= end <= len(text) for start, end in spans)
    assert all(one[0] <= next_one[0] and one[1] <= next_one[1] for one, next_one in pairwise(spans))


@given(st.text(st.characters(max_codepoint=126)))
def test_what_stands_there_is_the_word(text):
    for lowercase in (True, False):
        options = Normalization(lowercase=lowercase)
        for word, (start, end) in zip(words(normalize(text, options)), word_spans(text, options), strict=True):
            there, meant = ([c for c in written.lower() if c.isalnum()] for written in (text[start:end], word))
            assert there == meant
