# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
import gzip
from pathlib import Path

import numpy as np
import pytest

from answer_selection.pipelines.index_time.encoders import DEFAULT_ENCODER, load_encoder
from haystack_integrations.components.rankers.answer_selection.training.vectors import (
    corpus_vectors,
    encoder_vectors,
    file_vectors,
    random_vectors,
)

VOCABULARY = ["[PAD]", "cat", "dog", "isle"]
GLOVE = "cat 1 2 3\nIsle 0 0 1\n. . . 9 9 9\ndog -1 0.5 1e-2\nunused 7 7 7\n"


@pytest.mark.parametrize("header", ["", "5 3\n"])
@pytest.mark.parametrize("packed", [False, True])
def test_file(tmp_path: Path, header: str, packed: bool) -> None:
    path = tmp_path / ("vectors.txt.gz" if packed else "vectors.txt")
    content = (header + GLOVE).encode()
    path.write_bytes(gzip.compress(content) if packed else content)
    vectors = file_vectors(path, VOCABULARY, size=3)
    assert vectors.matrix.dtype == np.float32
    assert vectors.matrix[1:].tolist() == [[1, 2, 3], [-1, 0.5, pytest.approx(0.01)], [0, 0, 1]]
    assert np.abs(vectors.matrix[0]).max() > 0, "an unknown word's vector is random"
    assert vectors.found == 3
    assert file_vectors(path, VOCABULARY).matrix.tolist() == vectors.matrix.tolist()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("cat 1 2 3\ndog 1 2\n", "line 2: a vector of dimension 2; expected 3"),
        ("cat 1 2 3\ndog 1 2 3 4\n", "line 2: a vector of dimension 4; expected 3"),
        ("2 4\ncat 1 2 3 4\n", "line 1: a vector of dimension 4; expected 3"),
        ("cat 1 2 3\ndog 1 x 3\n", "line 2: .*'x'; expected a word and 3 numbers"),
        ("cat 1 2 nan\n", "line 1: a number is not finite"),
    ],
)
def test_broken_file(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "vectors.txt"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(ValueError, match=rf"vectors\.txt, {message}"):
        file_vectors(path, VOCABULARY, size=3)


def test_empty_file(tmp_path: Path) -> None:
    (tmp_path / "vectors.txt").write_text("", encoding="utf-8")
    with pytest.raises(ValueError, match="no word vector in the file"):
        file_vectors(tmp_path / "vectors.txt", VOCABULARY)


def test_random() -> None:
    first = random_vectors(50, 4, seed=1)
    assert first.shape == (50, 4)
    assert (first == random_vectors(50, 4, seed=1)).all()
    assert (first != random_vectors(50, 4, seed=2)).any()
    assert len(np.unique(first, axis=0)) == 50


def texts() -> list[str]:
    animals = [f"The {a} eats {f} every day." for a in ("cat", "dog", "fox") for f in ("meat", "fish", "food")] * 20
    return animals + [f"An {a} is a piece of {b} land!" for a in ("isle", "islet") for b in ("dry", "far")] * 20


@pytest.mark.parametrize("method", ["word2vec", "fasttext"])
def test_corpus(method: str) -> None:
    vocabulary = ["cat", "dog", "isle", "qqqq"]
    vectors = corpus_vectors(texts, vocabulary, 16, method=method, epochs=30)
    again = corpus_vectors(texts, vocabulary, 16, method=method, epochs=30)
    assert (vectors.matrix == again.matrix).all(), "the same texts and seed give the same vectors"
    unit = vectors.matrix / np.linalg.norm(vectors.matrix, axis=1, keepdims=True)
    assert unit[0] @ unit[1] > unit[0] @ unit[2] + 0.1
    assert vectors.found == (3 if method == "word2vec" else 4)


def test_corpus_without_words() -> None:
    with pytest.raises(ValueError, match="no word that occurs at least 2 times"):
        corpus_vectors(lambda: ["one", "two"], ["one"], 4)


class TestEncoderVectors:
    WORDS = (
        "<pad>",
        "<unk>",
        "buy",
        "purchase",
        "river",
        "stream",
        "doctor",
        "physician",
        "large",
        "huge",
        "begin",
        "start",
    )

    @pytest.fixture
    def encoder(self):
        return load_encoder(DEFAULT_ENCODER)

    def test_words_of_one_meaning_are_nearest(self, encoder):
        vectors = encoder_vectors(encoder, self.WORDS, 10)
        assert vectors.shape == (12, 10)
        assert vectors.dtype == np.float32
        assert np.linalg.norm(vectors, axis=1) == pytest.approx(1.0, abs=1e-5)
        cosines = vectors @ vectors.T
        np.fill_diagonal(cosines, -1)
        for place in range(2, 12, 2):
            assert cosines[place].argmax() == place + 1
            assert cosines[place + 1].argmax() == place

    def test_they_are_the_encoders_around_their_mean_in_all_directions(self, encoder):
        raw = encoder.encode(self.WORDS)
        raw = raw - raw.mean(axis=0)
        raw /= np.linalg.norm(raw, axis=1, keepdims=True)
        # Twelve words around their mean differ in eleven directions.
        vectors = encoder_vectors(encoder, self.WORDS, 11)
        assert vectors @ vectors.T == pytest.approx(raw @ raw.T, abs=1e-4)

    def test_more_numbers_than_words_or_directions(self, encoder):
        with pytest.raises(ValueError, match="12 words with vectors of 384 numbers; expected at least 13 of both"):
            encoder_vectors(encoder, self.WORDS, 13)
