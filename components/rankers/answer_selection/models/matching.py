# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
How the words of a question and an answer match: per word as channels, per pair as features.

The four features of Severyn and Moschitti 2015 ("Learning to rank short text pairs with convolutional deep neural
networks", section 3.2.3: overlap and idf-weighted overlap, each over all words and over all but stop words) are what
the CTRN paper joins before its MLP. The others are the field's usual evidence for a match, which a small training set
is too small to teach a network from word vectors alone: BM25 (Robertson and Zaragoza 2009), shared bigrams, matches
close together, soft matches of word vectors (Mitra et al. 2016, dual embedding space), and the question's heaviest
words that the answer does not have.

The four count a word as often as its side has it. Their authors' program has sets: with Q and A the different words of
the sides, ``set_overlap`` is |Q ∩ A| / (|Q| + |A|), ``set_idf_overlap`` the idf of Q ∩ A, summed, over the same number.
``set_content_overlap`` and ``set_content_idf_overlap`` are these of content words. Equal texts have 1/2.

Everything is computed from word identities, batched, for all pairs at once; nothing asks the corpus.

Where nothing matches, or a side has no words, all but the lengths and what is missing are 0. Idf is an eighth of BM25's
(but in BM25 itself), which brings it near 1. A share is of idf: that of the words meant, over that of all words of
their side. A word's softest match is its greatest cosine with a word of the other side, at least 0. A shared bigram is
two neighbours whose stems are neighbours, in the same order, on the other side. An answer's telling words are its
content words whose stem the question has. An answer of mean length has 27 words.

=======================  ==============================================================================================
feature                  what it is
=======================  ==============================================================================================
``overlap``              words of both sides that the other side has, over all words of both
``idf_overlap``          the same, each word weighed by its idf
``content_overlap``      ``overlap`` of content words
``content_idf_overlap``  ``idf_overlap`` of content words
``exact_share``          share of the question's words that the answer has
``stem_share``           share of the question's words whose stem the answer has
``soft_share``           share of the question's words, each by its softest match
``bigram_share``         share of the question's words in a shared bigram
``heavy_stem_share``     ``stem_share`` weighed by the square of idf
``heavy_soft_share``     ``soft_share`` weighed by the square of idf
``heavy_bigram_share``   ``bigram_share`` weighed by the square of idf
``missing``              idf of the question's words whose stem the answer lacks, summed
``missing_first``        the greatest idf among those words
``missing_second``       the second greatest
``missing_third``        the third greatest
``matched_first``        the greatest idf among the question's words whose stem the answer has
``matched_second``       the second greatest
``matched_third``        the third greatest
``bm25``                 BM25 of the answer for the question, on stems, k1 = 1.2, b = 0.75, a 20th of it
``bm25_share``           the same BM25, not scaled, over the sum of the question's weights
``short_bm25``           BM25 with k1 = 0.5, b = 0.4 and idf to the power of 1.5, a 20th of it
``short_bm25_share``     the same, not scaled, over the sum of the question's weights
``window_share``         the most idf of telling words within 8 words of the answer, over the question's idf
``skip_bigrams``         telling words at most 3 places after another: the latter's idf over the distance, summed
``answer_share``         share of the answer's words whose stem the question has
``answer_soft_share``    share of the answer's words, each by its softest match
``answer_length``        the answer's words, the logarithm of their number
``question_length``      the question's words, the logarithm of their number
``first_match``          the mean place of telling words in the answer, counted from 0, a 20th of it
``soft_share_60``        share of the question's words whose softest match is above 0.6
``soft_share_70``        the same above 0.7
``soft_share_80``        the same above 0.8
``cosine``               the cosine of the question's vector and the entry's, as retrieval gave it; 0 if it gave none
``retrieved_bm25``       the logarithm of 1 + the entry's BM25 score, as retrieval gave it; 0 if it gave none
=======================  ==============================================================================================
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import torch
from torch import Tensor
from torch.nn import functional

from answer_selection.indexing.ranking_fields import BM25_SCORE, VECTOR_SCORE

PAPER_FEATURES: Final = ("overlap", "idf_overlap", "content_overlap", "content_idf_overlap")
"""The four of the CTRN paper's TrecQA setting."""

SET_FEATURES: Final = ("set_overlap", "set_idf_overlap", "set_content_overlap", "set_content_idf_overlap")
"""The same four over sets of words."""

PAIR_FEATURES: Final = (
    *PAPER_FEATURES,
    "exact_share",
    "stem_share",
    "soft_share",
    "bigram_share",
    "heavy_stem_share",
    "heavy_soft_share",
    "heavy_bigram_share",
    "missing",
    "missing_first",
    "missing_second",
    "missing_third",
    "matched_first",
    "matched_second",
    "matched_third",
    "bm25",
    "bm25_share",
    "short_bm25",
    "short_bm25_share",
    "window_share",
    "skip_bigrams",
    "answer_share",
    "answer_soft_share",
    "answer_length",
    "question_length",
    "first_match",
    "soft_share_60",
    "soft_share_70",
    "soft_share_80",
)
"""The features of a pair's texts that a linear model has by default, by the names that a configuration lists."""

RETRIEVAL_FEATURES: Final[Mapping[str, str]] = {"cosine": VECTOR_SCORE, "retrieved_bm25": BM25_SCORE}
"""Those of what retrieval said of a pair, and the key of the candidate's metadata that each is made of."""

CHANNELS: Final = 6
"""Channels a word: exact match, stem match, softest match, shared bigram, idf, idf of a stem match."""

# Idf of a word that a corpus of some thousands has once; brings idf and what is summed from it near 1.
_IDF_SCALE: Final = 8.0
_MEAN_LENGTH: Final = 27.0
_WINDOW: Final = 8
_SMALL: Final = 1e-3


@dataclass(frozen=True, slots=True)
class Words:
    """
    One side's words, each row one side of one pair.

    :param keys: what the word is, equal for equal words and 0 for padding, [n_pairs, L].
    :param stems: the same for its stem, [n_pairs, L].
    :param idf: its inverse document frequency, [n_pairs, L].
    :param content: whether it is a word of content and not a stop word, [n_pairs, L].
    :param vectors: its word vector at unit length (or zero), [n_pairs, L, n].
    """

    keys: Tensor
    stems: Tensor
    idf: Tensor
    content: Tensor
    vectors: Tensor


@dataclass(frozen=True, slots=True)
class Match:
    """
    The words of both sides against each other, and what is best for each word.

    Every tensor that names a side has a value a word of that side, [n_pairs, Lq] or [n_pairs, La], 0 for padding.
    """

    exact: Tensor
    stem: Tensor
    question_channels: Tensor
    answer_channels: Tensor
    question_idf: Tensor
    answer_idf: Tensor


def match(question: Words, answer: Words) -> Match:
    """
    Match the words of questions and answers.

    :param question: the questions' words.
    :param answer: the answers' words.
    :returns: the match matrices, [n_pairs, Lq, La], and the channels of both sides, [n_pairs, L, CHANNELS].
    """
    both = (question.keys != 0)[:, :, None] & (answer.keys != 0)[:, None, :]
    exact = ((question.keys[:, :, None] == answer.keys[:, None, :]) & both).to(question.idf.dtype)
    stem = ((question.stems[:, :, None] == answer.stems[:, None, :]) & both).to(question.idf.dtype)
    # Not below 0, which is what padding has: else a word's best match would depend on whether its pair is padded.
    soft = torch.where(both, question.vectors @ answer.vectors.transpose(1, 2), 0.0).clamp(min=0.0)
    # A match that goes on in the next word on both sides; both of its words get the flag.
    opens = torch.zeros_like(stem)
    opens[:, :-1, :-1] = stem[:, :-1, :-1] * stem[:, 1:, 1:]
    closes = torch.zeros_like(stem)
    closes[:, 1:, 1:] = opens[:, :-1, :-1]
    bigram = torch.maximum(opens, closes)

    def channels(words: Words, other_side: int) -> tuple[Tensor, Tensor]:
        idf = words.idf / _IDF_SCALE * (words.keys != 0)
        stemmed = stem.amax(other_side)
        best = [exact.amax(other_side), stemmed, soft.amax(other_side), bigram.amax(other_side)]
        return torch.stack([*best, idf, idf * stemmed], dim=-1), idf

    question_channels, question_idf = channels(question, 2)
    answer_channels, answer_idf = channels(answer, 1)
    return Match(exact, stem, question_channels, answer_channels, question_idf, answer_idf)


def pair_features(
    question: Words, answer: Words, matched: Match, retrieved: Mapping[str, Tensor], names: tuple[str, ...]
) -> Tensor:
    """
    Features of pairs.

    :param question: the questions' words.
    :param answer: the answers' words.
    :param matched: what :func:`match` made of them.
    :param retrieved: the values of those of :data:`RETRIEVAL_FEATURES` that are to be given, [n_pairs] each.
    :param names: the features to give, of :data:`PAIR_FEATURES`, :data:`SET_FEATURES` and :data:`RETRIEVAL_FEATURES`.
    :returns: their values, [n_pairs, len(names)].
    """
    of_texts = {**_paper_features(question, answer, matched), **_match_features(question, answer, matched)}
    if not set(names).isdisjoint(SET_FEATURES):
        of_texts |= _set_features(question, answer, matched)
    features = {**of_texts, **retrieved}
    return torch.stack([features[name] for name in names], dim=-1)


def _share(values: Tensor, weights: Tensor) -> Tensor:
    """The part of the weights that the values cover, [n_pairs]."""
    return (values * weights).sum(1) / weights.sum(1).clamp(min=_SMALL)


def _paper_features(question: Words, answer: Words, matched: Match) -> dict[str, Tensor]:
    """Overlap: words that both sides have, counted on both, over the words of both."""
    features = {}
    exact = [(question, matched.question_channels[..., 0]), (answer, matched.answer_channels[..., 0])]
    for prefix, content in (("", False), ("content_", True)):
        for name, weighted in (("overlap", False), ("idf_overlap", True)):
            hits, total = torch.zeros(()), torch.zeros(())
            for words, flags in exact:
                counted = (words.content if content else words.keys != 0).to(words.idf.dtype)
                weights = counted * words.idf if weighted else counted
                hits = hits + (flags * weights).sum(1)
                total = total + weights.sum(1)
            features[prefix + name] = hits / total.clamp(min=_SMALL)
    return features


def _set_features(question: Words, answer: Words, matched: Match) -> dict[str, Tensor]:
    """Overlap of sets: a word counts where its side has it first."""
    features = {}
    first = [_is_first(words) for words in (question, answer)]
    shared = matched.question_channels[..., 0] * first[0]
    for prefix, content in (("set_", False), ("set_content_", True)):
        counted = [
            flags * words.content if content else flags for flags, words in zip(first, (question, answer), strict=True)
        ]
        different = (counted[0].sum(1) + counted[1].sum(1)).clamp(min=1)
        hits = shared * counted[0]
        features[f"{prefix}overlap"] = hits.sum(1) / different
        features[f"{prefix}idf_overlap"] = (hits * matched.question_idf).sum(1) / different
    return features


def _is_first(words: Words) -> Tensor:
    """1 for a word that none before it equals, else 0, [n_pairs, L]."""
    alike = words.keys[:, :, None] == words.keys[:, None, :]
    return ((words.keys != 0) & ~alike.tril(-1).any(2)).to(words.idf.dtype)


def _match_features(question: Words, answer: Words, matched: Match) -> dict[str, Tensor]:
    exact, stem, soft, bigram = matched.question_channels[..., :4].unbind(-1)
    idf, answer_idf = matched.question_idf, matched.answer_idf
    answer_stem, answer_soft = matched.answer_channels[..., 1], matched.answer_channels[..., 2]
    answer_content = answer.content.to(idf.dtype)
    real = (answer.keys != 0).to(idf.dtype)
    answer_length, question_length = real.sum(1), (question.keys != 0).to(idf.dtype).sum(1)
    heavy = idf**2
    missing = (idf * (1 - stem)).sort(1, descending=True).values
    present = (idf * stem).sort(1, descending=True).values
    frequency = matched.stem.sum(2)
    features = {
        "exact_share": _share(exact, idf),
        "stem_share": _share(stem, idf),
        "soft_share": _share(soft, idf),
        "bigram_share": _share(bigram, idf),
        "heavy_stem_share": _share(stem, heavy),
        "heavy_soft_share": _share(soft, heavy),
        "heavy_bigram_share": _share(bigram, heavy),
        "missing": missing.sum(1),
        "answer_share": _share(answer_stem, answer_idf),
        "answer_soft_share": _share(answer_soft, answer_idf),
        "answer_length": answer_length.clamp(min=1).log(),
        "question_length": question_length.clamp(min=1).log(),
    }
    for place, name in enumerate(("first", "second", "third")):
        for kind, masses in (("missing", missing), ("matched", present)):
            features[f"{kind}_{name}"] = masses[:, place] if place < masses.shape[1] else torch.zeros_like(masses[:, 0])
    # The usual constants, and ones for single sentences, where length tells little and rare words tell more.
    for name, k1, b, power in (("bm25", 1.2, 0.75, 1.0), ("short_bm25", 0.5, 0.4, 1.5)):
        weights = (idf * _IDF_SCALE) ** power
        norm = k1 * (1 - b + b * answer_length / _MEAN_LENGTH)
        bm25 = (weights * frequency * (k1 + 1) / (frequency + norm[:, None])).sum(1)
        features[name] = bm25 / 20
        features[f"{name}_share"] = bm25 / weights.sum(1).clamp(min=_SMALL)
    for threshold in (60, 70, 80):
        features[f"soft_share_{threshold}"] = _share((soft > threshold / 100).to(idf.dtype), idf)
    present_in_answer = answer_stem * answer_content
    mass = present_in_answer * answer_idf
    windows = functional.pad(mass, (_WINDOW - 1, _WINDOW - 1)).unfold(1, _WINDOW, 1).sum(-1)
    features["window_share"] = windows.amax(1) / idf.sum(1).clamp(min=_SMALL)
    skips = torch.zeros_like(answer_length)
    for gap in (1, 2, 3):
        skips = skips + (mass[:, gap:] * present_in_answer[:, :-gap]).sum(1) / gap
    features["skip_bigrams"] = skips
    places = torch.arange(real.shape[1], device=real.device, dtype=idf.dtype)
    features["first_match"] = (present_in_answer * places).sum(1) / present_in_answer.sum(1).clamp(min=1) / 20
    return features
