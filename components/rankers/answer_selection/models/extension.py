# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Bringing what a model was trained to read to another corpus, with no labels: its words, their vectors, its idf."""

from collections.abc import Callable, Iterable
from copy import deepcopy
from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from torch import Tensor

from answer_selection.indexing.text.normalize import normalize, words
from haystack_integrations.components.rankers.answer_selection.models.collator import PAD, UNKNOWN, WordCollator, stem

Matrix = NDArray[np.float64]

WINDOW: Final = 5
"""Words on each side that are a word's context."""

_RIDGE: Final = 1.0


def extend(collator: WordCollator, vectors: Tensor, texts: Callable[[], Iterable[str]]) -> tuple[WordCollator, Tensor]:
    """
    Give a collator another corpus's words and idf, and these words vectors. The words that it has keep theirs.

    A new word's vector is induced from the contexts that it has in the new corpus (Khodak et al. 2018, "A La Carte
    Embedding", section 3): the linear map that best takes the known words' mean contexts to their vectors is applied to
    its own mean context.

    A word's idf becomes the lesser of its stem's old one and the new corpus's (counted over all its texts, and brought
    to the old one's scale by the largest values of both). A word is then telling only if both corpora find it so: a
    small FAQ is too small to show that "instead" is a common word, and the old corpus does not know that every second
    entry of this one is about a card.

    :param collator: the collator, which stays as it is.
    :param vectors: its words' vectors [n_known, n].
    :param texts: gives all texts of the new corpus, at each call anew.
    :returns: the new collator, and the vectors of all its words, the known ones first.
    """
    config = deepcopy(collator.config)
    fresh = WordCollator.build(deepcopy(config), texts())
    known = collator.vocabulary
    vocabulary = {word: row for row, word in enumerate(dict.fromkeys([*known, *fresh.vocabulary]))}

    new_idf = _idf(fresh, vocabulary)
    idf = np.minimum(new_idf * (collator.idf[UNKNOWN] / fresh.idf[UNKNOWN]), _idf(collator, vocabulary))

    extended = vectors.new_zeros((len(vocabulary), vectors.shape[1]))
    extended[: len(known)] = vectors
    if len(vocabulary) > len(known):
        normalization = config.rules
        # A large corpus has words that are not kept; they hold their place, as padding.
        read = ([vocabulary.get(word, PAD) for word in words(normalize(text, normalization))] for text in texts())
        induced = _induce(vectors.double().cpu().numpy(), len(vocabulary), read)
        extended[len(known) :] = torch.from_numpy(induced).to(vectors)

    tokenizer = Tokenizer(WordLevel(vocabulary, unk_token=known[UNKNOWN]))
    tokenizer.pre_tokenizer = fresh.tokenizer.pre_tokenizer
    config.vocab_size = len(vocabulary)
    return WordCollator(config, tokenizer, idf), extended


def _induce(vectors: Matrix, n_words: int, texts: Iterable[list[int]]) -> Matrix:
    """
    Induce vectors for the words beyond the known ones.

    :param vectors: the known words' vectors, [n_known, n].
    :param n_words: all words.
    :param texts: rows of words, text by text.
    :returns: vectors of the words from n_known on, [n_words - n_known, n].
    """
    n_known = len(vectors)
    context, count = np.zeros((n_words, vectors.shape[1])), np.zeros(n_words)
    table = np.vstack([vectors, np.zeros((n_words - n_known, vectors.shape[1]))])
    for rows in texts:
        if not rows:
            continue
        # The sum over a window is a difference of running sums; the word itself is taken out.
        sums = np.vstack([np.zeros(vectors.shape[1]), np.cumsum(table[rows], axis=0)])
        last = np.minimum(np.arange(len(rows)) + WINDOW + 1, len(rows))
        first = np.maximum(np.arange(len(rows)) - WINDOW, 0)
        around = sums[last] - sums[first] - table[rows]
        np.add.at(context, rows, around / np.maximum(last - first - 1, 1)[:, None])
        np.add.at(count, rows, 1)
    context /= np.maximum(count, 1)[:, None]
    # Known words that the corpus has often weigh more: their mean context is better known.
    known = np.flatnonzero(count[UNKNOWN + 1 : n_known]) + UNKNOWN + 1
    weights = np.log1p(count[known])[:, None]
    gram = (context[known] * weights).T @ context[known] + _RIDGE * np.eye(vectors.shape[1])
    induce = np.linalg.solve(gram, (context[known] * weights).T @ vectors[known])
    return np.asarray(context[n_known:] @ induce)


def _idf(collator: WordCollator, vocabulary: Iterable[str]) -> NDArray[np.float32]:
    """The idf that a collator gives words; to those whose stem it does not know that of an unknown word."""
    by_stem = {stem(w, collator.config.stemmer): idf for w, idf in zip(collator.vocabulary, collator.idf, strict=True)}
    found = [by_stem.get(stem(word, collator.config.stemmer), collator.idf[UNKNOWN]) for word in vocabulary]
    return np.array(found, dtype=np.float32)
