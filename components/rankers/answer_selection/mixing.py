# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
How a retriever's score joins a model's.

Retrievers' scores have no common scale (BM25 is unbounded and grows with the query, cosine similarity is not), so they
are normalised within one query's candidates first. The mixture is made of log-odds, as in a logistic regression with
the two as its features: ``sigmoid(logit + weight * normalised)`` stays between 0 and 1, and at weight 0 it is the
model's own probability to the bit. Mixing the similarity of the query to an entry's question (which the retriever sees)
with the relevance of its answer (which the model sees) follows Sakata et al. 2019, "FAQ retrieval using query-question
similarity and BERT-based query-answer relevance", section 3.4.
"""

import math
from collections.abc import Sequence
from typing import Final

import numpy as np
from haystack import Document
from numpy.typing import NDArray

Scores = NDArray[np.float64]

ROUNDING: Final = 1e-6

KNOWN: Final = (0.5, 0.7)
"""From what share of known words a model is listened to at all, and from what share in full."""


def sigmoid(logits: Scores) -> Scores:
    """
    The logistic function, without overflow at either end.

    :param logits: Log-odds, [n].
    :returns: Probabilities, [n].
    """
    return np.asarray(np.exp(-np.logaddexp(0.0, -np.asarray(logits, dtype=np.float64))))


def retriever_scores(documents: Sequence[Document]) -> Scores:
    """
    The scores that documents came with.

    :param documents: One query's candidates.
    :returns: Their scores, [n]; NaN stands for a document that came without one.
    :raises ValueError: If a document's score is NaN or infinite.
    """
    scores = np.full(len(documents), np.nan)
    for index, document in enumerate(documents):
        if document.score is None:
            continue
        if not math.isfinite(document.score):
            msg = (
                f"document '{document.id}' came with the score {document.score}; "
                "expected a finite number, or None where there is no score"
            )
            raise ValueError(msg)
        scores[index] = document.score
    return scores


def normalise(scores: Scores, counted: NDArray[np.bool_] | None = None) -> Scores:
    """
    Brings one query's retriever scores to a common scale: zero mean, unit variance.

    A document without a score is put at the mean, so that it neither gains nor loses. Where the scores tell nothing
    (fewer than two of them, or all equal) the result is zero throughout.

    :param scores: The retriever's scores, [n], NaN where there is none.
    :param counted: Whose mean becomes zero and whose variance one, [n]; None is all.
    :returns: Normalised scores, [n], all finite.
    """
    known = ~np.isnan(scores)
    counted = known if counted is None else known & counted
    normalised = np.zeros(len(scores))
    largest = np.abs(scores[known]).max(initial=0.0)
    if largest == 0.0:
        return normalised
    # Divided by the largest first: squares of very large scores would overflow, those of very small ones vanish.
    values = scores[known] / largest
    of_all = scores[counted] / largest
    # Differences of single precision's rounding say nothing; without this they would be blown up to unit variance.
    if len(of_all) and np.ptp(of_all) > ROUNDING:
        normalised[known] = (values - of_all.mean()) / of_all.std()
    return normalised


def heard(known: float) -> float:
    """
    Tells how much a model is listened to that knows few of the words: the retriever's score decides then.

    The bounds (:data:`KNOWN`) were chosen on the bundled FAQ's validation half, with more and more of its words
    replaced by others that no model knows. Of half the words and fewer, no weight was better than BM25 alone.

    :param known: The share of the words of query and candidates that the model knows, from 0 to 1.
    :returns: A share from 0, not at all, to 1, in full.
    """
    least, enough = KNOWN
    return min(1.0, max(0.0, (known - least) / (enough - least)))


def step_back(logits: Scores, known: float) -> Scores:
    """
    Brings a model's log-odds nearer to each other where it knows few of the words, see :func:`heard`.

    :param logits: The model's log-odds of one query's candidates, [n].
    :param known: The share of the words of query and candidates that the model knows, from 0 to 1.
    :returns: Log-odds with the same mean, whose differences are smaller, down to none, [n].
    """
    share, mean = heard(known), logits.mean()
    return logits if share == 1.0 else np.asarray(mean + share * (logits - mean))


def mix(logits: Scores, scores: Scores, weight: float) -> Scores:
    """
    The final scores of one query's candidates.

    :param logits: The model's log-odds, [n].
    :param scores: The retriever's scores, [n], NaN where there is none.
    :param weight: How many units of log-odds one standard deviation of the retriever's score is worth; 0 leaves the
        model's own probability as it is.
    :returns: Scores between 0 and 1, [n].
    """
    if weight == 0.0:
        return sigmoid(logits)
    return sigmoid(logits + weight * normalise(scores))
