# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
One score of all that is known of a query's candidates: the model's logit is one signal among others.

=============  =======================================================================================================
signal         what it is
=============  =======================================================================================================
``model``      the model's log-odds that the candidate is right
``bm25``       its BM25 score, standardised within the query's candidates; where there is no other, the retriever's
``cosine``     its cosine with the query, standardised likewise; 0 where vectors were not searched
``coverage``   how much of the query it has: the share of the query's words, each weighed by how rare it is among the
               candidates
``length``     the logarithm of 1 + its words
``constant``   1
=============  =======================================================================================================

The score is their weighted sum. Standardised, a score's scale does not matter, so one set of weights serves any
encoder and any BM25. Coverage tells what BM25's sum hides: whether the one rare word of the question is there. Long
entries are found too often by all the others, which the length makes up for.

A word is compared by its first five letters: "install" finds "installation", without a stemmer of the language. Where a
script has no spaces between words, each character is one. The words that are in nearly all candidates tell nothing of
them and weigh nothing, as do stop words of English.

The weights were fitted by `python pipelines/experiments/signal_weights.py` to questions to five FAQs (see the card of
the package's model), over the package's encoder and all-MiniLM-L6-v2. Candidates that were given and not found by a
retriever (see `given_candidates.py`) are as long as they are: there the length weighs nothing.
"""

import unicodedata
from collections.abc import Mapping, Sequence
from typing import Final, Literal, TypeAlias

import numpy as np
import regex
from numpy.typing import NDArray

from answer_selection.indexing.fusion import has_cosine
from haystack_integrations.components.rankers.answer_selection.mixing import Scores, normalise
from haystack_integrations.components.rankers.answer_selection.models.collator import STOP_WORDS
from haystack_integrations.components.rankers.answer_selection.models.record import Record

Signal: TypeAlias = Literal["model", "bm25", "cosine", "coverage", "length", "constant"]

SIGNALS: Final[tuple[Signal, ...]] = ("model", "bm25", "cosine", "coverage", "length", "constant")
"""The signals, in the order of a row of `signals`."""

SCORES: Final = ("bm25_score", "vector_score")
"""Where hybrid retrieval leaves its two scores in a candidate's metadata."""

HYBRID_WEIGHTS: Final[Mapping[Signal, float]] = {
    "model": 0.14,
    "bm25": 0.14,
    "cosine": 0.71,
    "coverage": 2.23,
    "length": -0.39,
    "constant": 0.29,
}
"""The weights where vectors are searched beside BM25."""

BM25_WEIGHTS: Final[Mapping[Signal, float]] = {
    "model": 0.26,
    "bm25": 0.17,
    "cosine": 0.00,
    "coverage": 1.35,
    "length": -0.27,
    "constant": 1.50,
}
"""The weights where BM25 alone is searched."""

GIVEN_WEIGHTS: Final[Mapping[Signal, float]] = {**HYBRID_WEIGHTS, "length": 0.0, "constant": -1.69}
"""The weights where candidates were given and not retrieved."""

LONGEST: Final = 50_000
"""Characters of a text that are looked at, at every query: a whole book would take a tenth of a second."""

_PREFIX: Final = 5
_NO_SPACES: Final = r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]"
_WORD: Final = regex.compile(rf"(?V1){_NO_SPACES}|[\w--{_NO_SPACES}]+")
_STOP_WORDS: Final = frozenset(STOP_WORDS)


def weights_of(*, hybrid: bool, retrieved: bool = True, model: float | None = None) -> Mapping[Signal, float]:
    """
    Give each signal's weight.

    :param hybrid: Whether vectors are searched beside BM25.
    :param retrieved: Whether the candidates are what a search gave.
    :param model: The weight of the model's logit; None is that of the package's model.
    :returns: The weights.
    """
    weights = (HYBRID_WEIGHTS if hybrid else BM25_WEIGHTS) if retrieved else GIVEN_WEIGHTS
    return weights if model is None else {**weights, "model": model}


def log_odds(
    records: Sequence[Record], logits: Scores, retrieved: Scores, share: float = 1.0, model: float | None = None
) -> Scores:
    """
    Weigh all signals of one query's candidates.

    :param records: The query with each candidate, [n] with n > 0; the keys of `SCORES` in their metadata are what
        hybrid retrieval knows.
    :param logits: The model's log-odds, [n].
    :param retrieved: The retriever's scores, [n]; NaN for a candidate that has none. If none has one, the candidates
        were given and not retrieved.
    :param share: How much the signals are listened to, from 0 to 1. The retriever's score alone has the rest: of a
        language that the model does not know, the other weights are not known either.
    :param model: The weight of the model's logit, as for `weights_of`.
    :returns: Log-odds that each candidate is right, [n].
    :raises ValueError: If a score in the metadata is no finite number.
    """
    found = not np.isnan(retrieved).all()
    hybrid = any(has_cosine(record.meta) for record in records)
    weights = weights_of(hybrid=hybrid, retrieved=found, model=model)
    signals = signals_of(records, logits, retrieved)
    order = normalise(retrieved) if found else signals[:, SIGNALS.index("bm25")]
    return np.asarray(share * signals @ np.array([weights[name] for name in SIGNALS]) + (1 - share) * order)


def signals_of(records: Sequence[Record], logits: Scores, retrieved: Scores) -> NDArray[np.float64]:
    """
    Give what is known of one query's candidates.

    The parameters, and what is raised, are those of `log_odds`.

    :returns: A row a candidate, in the order of `SIGNALS`, [n, 6].
    """
    words = [_words(record.answer[:LONGEST]) for record in records]
    # None becomes NaN.
    bm25, cosines = (np.array([record.retrieved(key) for record in records], np.float64) for key in SCORES)
    return np.stack(
        [
            logits,
            normalise(retrieved if np.isnan(bm25).all() else bm25),
            normalise(cosines),
            _coverage(records[0].query, [frozenset(each) for each in words]),
            np.log1p([len(each) for each in words]),
            np.ones(len(records)),
        ],
        axis=1,
    )


def _words(text: str) -> list[str]:
    return [word[:_PREFIX] for word in _whole_words(text)]


def _whole_words(text: str) -> list[str]:
    # Composed: a letter with an accent is one, however it was typed.
    return list(_WORD.findall(unicodedata.normalize("NFC", text.lower())))


def _coverage(query: str, candidates: Sequence[frozenset[str]]) -> Scores:
    """The share of the query's words that each candidate has, weighed by BM25's idf among the candidates, [n]."""
    words = _whole_words(query)
    asked = {word[:_PREFIX] for word in words if word not in _STOP_WORDS} or {word[:_PREFIX] for word in words}
    # Sorted: a sum of floats depends on its order, and a set's is another in each process.
    has = np.array([[word in each for word in sorted(asked)] for each in candidates], np.float64)
    found = has.sum(axis=0)
    idf = np.log1p((len(candidates) - found + 0.5) / (found + 0.5))
    return np.asarray(has @ idf / idf.sum()) if asked else np.zeros(len(candidates))
