# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Word vectors for a vocabulary: random, trained on the corpus, of a sentence encoder, or from a text file of them."""

import gzip
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile
from typing import Literal, TextIO

import numpy as np
from numpy.typing import NDArray

from answer_selection.indexing.encoder import TextEncoder
from answer_selection.indexing.text.normalize import normalize, words

Matrix = NDArray[np.float32]
Method = Literal["word2vec", "fasttext"]


@dataclass(frozen=True, slots=True)
class WordVectors:
    """
    One vector a word.

    :param matrix: a row for every word of the vocabulary, in its order, [n_words x size].
    :param found: how many of the words the source knew; the others' vectors are random.
    """

    matrix: Matrix
    found: int


def random_vectors(n_words: int, size: int, *, seed: int, scale: float = 0.25) -> Matrix:
    """
    Vectors drawn uniformly from -scale to scale.

    :param n_words: how many.
    :param size: their dimension.
    :param seed: the same seed gives the same vectors.
    :param scale: 0.25 has about the variance of published vectors of 300 dimensions (Kim 2014, section 3.2).
    :returns: [n_words x size].
    """
    return np.random.default_rng(seed).uniform(-scale, scale, (n_words, size)).astype(np.float32)


def encoder_vectors(encoder: TextEncoder, vocabulary: Sequence[str], size: int) -> Matrix:
    """
    Vectors that a sentence encoder gives the words, each alone, in as many dimensions as are wanted.

    Words of one meaning are near to each other ("buy" and "purchase"), rare ones too. The vectors are the encoder's
    around their mean, on the directions in which they differ most, at unit length.

    :param encoder: the encoder.
    :param vocabulary: the words, at least as many as `size`.
    :param size: the dimension; no more than the encoder's.
    :returns: [n_words x size].
    :raises ValueError: if the encoder's vectors are smaller than `size`, or the words fewer.
    """
    vectors = encoder.encode(list(vocabulary)).astype(np.float64)
    if min(vectors.shape) < size:
        msg = (
            f"{len(vectors)} words with vectors of {vectors.shape[1]} numbers; expected at least {size} of both, since "
        )
        msg += f"word vectors are to have {size} numbers"
        raise ValueError(msg)
    vectors -= vectors.mean(axis=0)
    # Eigenvectors of the covariance, the greatest last.
    _, directions = np.linalg.eigh(vectors.T @ vectors)
    projected = vectors @ directions[:, -size:]
    lengths = np.linalg.norm(projected, axis=1, keepdims=True)
    return np.asarray(projected / np.maximum(lengths, np.finfo(np.float64).tiny), dtype=np.float32)


def _fill(vocabulary: Sequence[str], known: dict[str, Matrix], size: int, seed: int) -> WordVectors:
    """Put known vectors in the vocabulary's order; the rest are random, as large as the known ones are on average."""
    scale = 0.25
    if known:
        scale = float(np.sqrt(3 * np.mean([np.mean(np.square(vector)) for vector in known.values()])))
    matrix = random_vectors(len(vocabulary), size, seed=seed, scale=scale)
    for row, word in enumerate(vocabulary):
        if word in known:
            matrix[row] = known[word]
    return WordVectors(matrix, len(known))


class _Sentences:
    """
    Texts as gensim wants them: iterable many times, as lists of words.

    They are normalised and split once, into a file with a text a line; no word has white space in it.
    """

    def __init__(self, texts: Iterable[str], file: TextIO) -> None:
        self.file = file
        file.writelines(" ".join(words(normalize(text))) + "\n" for text in texts)

    def __iter__(self) -> Iterator[list[str]]:
        self.file.seek(0)
        return (line.split() for line in self.file)


def corpus_vectors(
    texts: Callable[[], Iterable[str]],
    vocabulary: Sequence[str],
    size: int,
    *,
    method: Method = "fasttext",
    epochs: int = 10,
    window: int = 5,
    min_count: int = 2,
    seed: int = 0,
) -> WordVectors:
    """
    Train skip-gram vectors on the corpus itself (Mikolov et al. 2013; Bojanowski et al. 2017).

    One worker thread, so that the same texts and seed give the same vectors.

    :param texts: gives the corpus's texts, which are normalised and split into words here, once.
    :param vocabulary: the words that get a row, in this order.
    :param size: the vectors' dimension.
    :param method: word2vec, or fasttext, which also knows words that it did not see often enough, by their parts.
    :param epochs: passes over the texts.
    :param window: the most words between a word and its context.
    :param min_count: words that are rarer than this get no vector of their own.
    :param seed: of the training and of the random vectors of words that stay unknown.
    :returns: the vectors.
    :raises ValueError: if the method is unknown, or no word is frequent enough.
    :raises ImportError: if gensim is not installed.
    """
    try:
        from gensim.models import FastText, Word2Vec
    except ImportError as error:
        msg = "word vectors of the corpus need gensim: pip install '.[train]'"
        raise ImportError(msg) from error
    if method not in ("word2vec", "fasttext"):
        msg = f"method is '{method}'; expected word2vec or fasttext"
        raise ValueError(msg)
    options = {"vector_size": size, "sg": 1, "window": window, "min_count": min_count, "seed": seed, "workers": 1}
    # fastText's two million buckets would be 2.4 GB at 300 dimensions; a corpus of an FAQ's kind has few n-grams.
    model = FastText(**options, bucket=200_000) if method == "fasttext" else Word2Vec(**options)
    with TemporaryFile("w+", encoding="utf-8", newline="\n") as file:
        sentences = _Sentences(texts(), file)
        model.build_vocab(corpus_iterable=sentences)
        if not len(model.wv):
            msg = f"the corpus has no word that occurs at least {min_count} times; word vectors cannot be trained on it"
            raise ValueError(msg)
        model.train(corpus_iterable=sentences, total_examples=model.corpus_count, epochs=epochs)
    # With fasttext `word in model.wv` is true of every word, but one without any known part is a vector of zeros.
    known = {word: np.asarray(model.wv[word], dtype=np.float32) for word in vocabulary if word in model.wv}
    return _fill(vocabulary, {word: vector for word, vector in known.items() if vector.any()}, size, seed)


def file_vectors(path: Path, vocabulary: Sequence[str], *, size: int | None = None, seed: int = 0) -> WordVectors:
    """
    Read the vocabulary's vectors from a text file of GloVe or word2vec.

    A line is a word and its numbers, parted by spaces. word2vec's first line, with the number of words and the
    dimension, may be there or not. The file may be gzipped. It is read as a stream: only the vocabulary's own vectors
    are held. Words are looked up as they are, else normalised (a file with upper case gives its first form).

    :param path: the file; ``.gz`` is unpacked.
    :param vocabulary: the words that get a row, in this order.
    :param size: the dimension that is expected; None takes the file's own.
    :param seed: of the random vectors of words that the file does not have.
    :returns: the vectors.
    :raises ValueError: naming file and line, if a line has another dimension or something that is not a number, or if
        the file has no vector.
    """
    path = Path(path)
    wanted = set(vocabulary)
    exact: dict[str, Matrix] = {}
    folded: dict[str, Matrix] = {}
    found_size = size
    with gzip.open(path, "rb") if path.suffix == ".gz" else path.open("rb") as file:
        for number, line in enumerate(file, start=1):
            parts = line.rstrip().split(b" ")
            if number == 1 and len(parts) == 2 and all(part.isdigit() for part in parts):
                found_size = _same_size(found_size, int(parts[1]), path, number)
                continue
            if not line.strip():
                continue
            if found_size is None:
                found_size = len(parts) - 1
            # Counted from the end: GloVe's largest file has words with spaces in them (". . .").
            if len(parts) <= found_size or (len(parts) > found_size + 1 and _is_number(parts[-found_size - 1])):
                _same_size(found_size, len(parts) - 1, path, number)
            word = b" ".join(parts[:-found_size]).decode("utf-8", errors="replace")
            # Most words of these files need no normalising but lower case, and there are millions of them.
            like = word.lower() if word.isascii() and word.isalnum() else normalize(word)
            if word not in wanted and like not in wanted:
                continue
            try:
                vector = np.array([float(part) for part in parts[-found_size:]], dtype=np.float32)
            except ValueError as error:
                msg = f"{path}, line {number}: {error}; expected a word and {found_size} numbers"
                raise ValueError(msg) from error
            if not np.isfinite(vector).all():
                msg = f"{path}, line {number}: a number is not finite; expected a word and {found_size} numbers"
                raise ValueError(msg)
            if word in wanted:
                exact.setdefault(word, vector)
            else:
                folded.setdefault(like, vector)
    if found_size is None:
        msg = f"{path}: no word vector in the file; expected a word and its numbers a line"
        raise ValueError(msg)
    return _fill(vocabulary, folded | exact, found_size, seed)


def _is_number(part: bytes) -> bool:
    try:
        float(part)
    except ValueError:
        return False
    return True


def _same_size(expected: int | None, size: int, path: Path, number: int) -> int:
    if expected is not None and size != expected:
        msg = f"{path}, line {number}: a vector of dimension {size}; expected {expected}"
        raise ValueError(msg)
    return size
