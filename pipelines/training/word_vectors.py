# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The word vectors that a recipe describes: of the corpus, of an encoder, of a file, or random."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from answer_selection.indexing.artifact import text_digest
from answer_selection.indexing.whole_file import whole_file
from answer_selection.pipelines.training.recipe import Vectors
from answer_selection.pipelines.training.texts import Texts
from haystack_integrations.components.rankers.answer_selection.encoders.sentence_encoder import SentenceEncoder
from haystack_integrations.components.rankers.answer_selection.training.vectors import (
    Matrix,
    corpus_vectors,
    encoder_vectors,
    file_vectors,
    random_vectors,
)


def make_word_vectors(
    wanted: Vectors, texts: Texts, vocabulary: Sequence[str], size: int, *, seed: int, cache: Path | None = None
) -> Matrix:
    """
    Make word vectors.

    :param wanted: Where they come from.
    :param texts: The texts to learn from, with "corpus".
    :param vocabulary: The words.
    :param size: Numbers a word.
    :param seed: Seed of all that is drawn.
    :param cache: Folder where those of a corpus are kept, for other models on the same texts.
    :returns: A row a word.
    """
    if wanted.source == "random":
        return random_vectors(len(vocabulary), size, seed=seed)
    if wanted.source == "corpus":
        return _corpus_vectors(wanted, texts, vocabulary, size, seed, cache)
    if wanted.source == "encoder":
        return encoder_vectors(SentenceEncoder.load(), vocabulary, size)
    return file_vectors(Path(wanted.source), vocabulary, size=size, seed=seed).matrix


def encoder_words() -> list[str]:
    """
    Give the words that a model with an encoder's word vectors knows beside those of its texts.

    :returns: The whole words of the encoder's vocabulary.
    """
    return SentenceEncoder.load().words


def _corpus_vectors(
    wanted: Vectors, texts: Texts, vocabulary: Sequence[str], size: int, seed: int, cache: Path | None
) -> Matrix:
    """Word vectors trained on the texts, or those that were trained on the same texts for the same words before."""
    kept = None
    if cache is not None:
        known = text_digest(texts(), repr((wanted, size, seed, list(vocabulary))).encode())
        kept = cache / f"{known}.npy"
        if kept.exists():
            matrix: Matrix = np.load(kept)
            return matrix
    matrix = corpus_vectors(
        texts,
        vocabulary,
        size,
        method=wanted.method,  # type: ignore[arg-type]
        epochs=wanted.epochs,
        window=wanted.window,
        seed=seed,
    ).matrix
    if kept is not None:
        kept.parent.mkdir(parents=True, exist_ok=True)
        # An open file: NumPy would append its ending to a name.
        with whole_file(kept) as part, part.open("wb") as file:
            np.save(file, matrix)
    return matrix
