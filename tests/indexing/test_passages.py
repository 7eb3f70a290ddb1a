# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Passages: their texts, how they are kept, and what they do to a cosine."""

from base64 import b64encode

import numpy as np
import pytest

from answer_selection.indexing.fusion import Fusion
from answer_selection.indexing.passages import (
    MOST_PASSAGES,
    PASSAGES_FIELD,
    best_cosines,
    pack,
    passage_texts,
    pieces,
    unpack,
    usable,
)

FINGERPRINT = "encoder-text"


def unit(*rows):
    vectors = np.array(rows, np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def meta(packed, fingerprint=FINGERPRINT):
    return {"embedding_fingerprint": fingerprint, PASSAGES_FIELD: packed}


def test_a_passage_is_the_question_with_a_sentence():
    assert passage_texts("How?", "First this. Then that.") == ["How? First this.", "How? Then that."]
    assert passage_texts(None, "First this. Then that.") == ["First this.", "Then that."]


@pytest.mark.parametrize("answer", ["", "One sentence.", "No end"])
def test_one_sentence_has_none(answer):
    assert pieces(answer) == []


@pytest.mark.parametrize("number", [2, 16, 17, 31, 32, 100])
def test_many_sentences_are_joined_evenly(number):
    answer = [f"Sentence number {i}." for i in range(number)]
    found = pieces(" ".join(answer))
    assert " ".join(found) == " ".join(answer)
    assert len(found) == min(number, MOST_PASSAGES)
    sizes = {piece.count("Sentence") for piece in found}
    assert max(sizes) - min(sizes) <= 1


def test_they_come_back_as_they_were_kept():
    vectors = unit([1, 2, 3], [-4, 0, 1])
    np.testing.assert_allclose(unpack(meta(pack(FINGERPRINT, vectors, "x")), 3), vectors, atol=5e-4)
    assert unpack({"embedding_fingerprint": FINGERPRINT}, 3) is None


def encoded(*numbers) -> str:
    return b64encode(np.array(numbers, "<f2").tobytes()).decode()


@pytest.mark.parametrize(
    ("stored", "told"),
    [
        (f"other-text:{encoded(1, 0)}", r"another encoder or text \(other-text\) than the embedding \(encoder-text\)"),
        (f"encoder-other:{encoded(1, 0)}", "another encoder or text"),
        (f"{FINGERPRINT}:{encoded(1, 0, 1)}", "has 6 bytes, expected 1 to 16 vectors of 2 numbers"),
        (f"{FINGERPRINT}:{encoded(1, 0)[:-1]}", "no base64"),
        (f"{FINGERPRINT}:{encoded(1, 0)}?", "no base64"),
        (f"{FINGERPRINT}:", "has 0 bytes"),
        (f"{FINGERPRINT}:{encoded(*[1] * 34)}", "has 68 bytes"),
        (f"{FINGERPRINT}:{encoded(1, np.nan)}", "NaN or infinity"),
        (f"{FINGERPRINT}:{encoded(1, np.inf)}", "NaN or infinity"),
        (FINGERPRINT, "no string of a fingerprint, a colon and base64"),
        (5, "no string"),
        ([1.0], "no string"),
    ],
)
def test_what_is_wrong_is_told_and_of_no_use(stored, told):
    with pytest.raises(ValueError, match=told):
        unpack(meta(stored), 2)
    assert usable(meta(stored), 2) is None


def test_passages_without_an_embeddings_fingerprint_are_of_no_use():
    assert usable({PASSAGES_FIELD: pack(FINGERPRINT, unit([1, 0]), "x")}, 2) is None


def test_numbers_that_are_none_are_not_kept():
    with pytest.raises(ValueError, match="a vector of a passage of document 'x' holds NaN or infinity"):
        pack(FINGERPRINT, np.array([[1.0, np.nan]]), "document 'x'")


def test_the_best_of_each():
    query = np.array([1.0, 0.0])
    found = best_cosines([("a", unit([0, 1], [1, 0])), ("b", unit([1, 1])), ("c", unit([-1, 0], [0, -1]))], query)
    assert found == {"a": 1.0, "b": pytest.approx(0.5**0.5), "c": 0.0}
    assert best_cosines([], query) == {}


def test_the_mean_of_an_entrys_cosine_and_the_best_of_its_passages_is_what_counts():
    best = Fusion(weight=10.0).best(
        {"a": 1.0, "b": 1.0, "none": 1.0}, {"a": 0.4, "b": 0.5}, 5,
        other_bm25={}, other_cosines={}, passages={"a": 0.8, "none": 0.9},
    )  # fmt: skip
    assert {one.id: one.vector_score for one in best} == {"a": pytest.approx(0.6), "b": 0.5, "none": None}
    assert [one.id for one in best] == ["a", "none", "b"]
    assert best[0].score == pytest.approx(1 + 10 * 0.6)
