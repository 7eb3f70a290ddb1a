# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
One score of all that is known of a query's candidates: the model's logit is one signal among others.

==============  ======================================================================================================
signal          what it is
==============  ======================================================================================================
``model``       the model's log-odds that the candidate is right
``bm25``        its BM25 score, standardised within the query's candidates
``cosine``      its cosine with the query, standardised likewise
``words``       how well the words that it has meet the query's, by what each means there (`word_match.py`),
                standardised likewise
``coverage``    how much of the query it has: the share of the query's words, each weighed by how rare it is among the
                candidates
``length``      the logarithm of 1 + its words
``retriever``   the score that it came with, standardised likewise; 0 where it came without one
``nearest``     the highest cosine of the query with any candidate, by the package's encoder: the same for all, so it
                moves none, but tells how near the corpus comes to the question at all. What is missing to 0.2, where
                hardly any is right, counts six times
``candidates``  the logarithm of how many candidates there are, in thirties, from four to thirty; the same for all: the
                best of thirty stands out more from the others than the best of four, right or not
``constant``    1
==============  ======================================================================================================

The score is their weighted sum. Standardised, a score's scale does not matter, so one set of weights serves any
encoder and any BM25. Coverage tells what BM25's sum hides: whether the one rare word of the question is there. Long
entries are found too often by all the others, which the length makes up for. Of candidates with one text the first
alone counts where candidates are standardised or counted: copies of an answer would stand out less.

A word is compared by its first five letters: "install" finds "installation", without a stemmer of the language. Where a
script has no spaces between words, each character is one. The words that are in nearly all candidates tell nothing of
them and weigh nothing, as do stop words of English.

Hybrid retrieval of this package leaves BM25's score and the cosine in the metadata. Other candidates get both from
`candidate_scores.py`, and how much is left for their own score depends on what it is. One that goes up and down with
BM25 says little more than BM25 does. Any other may know what the package's small encoder does not, and weighs as much.

The weights were fitted by `python pipelines/experiments/signal_weights.py` to questions to FAQs (see the card of the
package's model); the last three also to questions that the corpus has no answer to. In `SCORED_WEIGHTS` the retriever's
score was then made four times as heavy, so that the best retrievers lose least. Candidates without scores were not
found by a retriever and are as long as they are: there the length weighs nothing. Those are sentences and short
answers; their weights were fitted to FAQs before long answers were read to their end.
"""

import unicodedata
from collections.abc import Mapping, Sequence
from typing import Final, Literal, TypeAlias

import numpy as np
import regex
from numpy.typing import NDArray

from answer_selection.indexing.idf import idf_of
from answer_selection.indexing.ranking_fields import BM25_SCORE, VECTOR_SCORE
from answer_selection.indexing.word_states import LONGEST
from haystack_integrations.components.rankers.answer_selection.mixing import ROUNDING, Scores, normalise
from haystack_integrations.components.rankers.answer_selection.models.collator import STOP_WORDS
from haystack_integrations.components.rankers.answer_selection.models.record import Record

Signal: TypeAlias = Literal[
    "model", "bm25", "cosine", "words", "coverage", "length", "retriever", "nearest", "candidates", "constant"
]

SIGNALS: Final[tuple[Signal, ...]] = (
    *("model", "bm25", "cosine", "words", "coverage", "length", "retriever", "nearest", "candidates", "constant"),
)
"""The signals, in the order of a row of `signals`."""

SCORES: Final = (BM25_SCORE, VECTOR_SCORE)
"""Where hybrid retrieval leaves its two scores in a candidate's metadata."""

WORD_SCORE: Final = "word_score"
"""Where `candidate_scores.py` leaves how well a candidate meets the query's words."""

OWN_COSINE: Final = "package_cosine"
"""Where it leaves a candidate's cosine by the package's encoder, whatever encoder the index has."""

HYBRID_WEIGHTS: Final[Mapping[Signal, float]] = {
    "model": 0.09,
    "bm25": 0.1,
    "cosine": 0.78,
    "words": 0.81,
    "coverage": 1.05,
    "length": -0.66,
    "retriever": 0.0,
    "nearest": 4.3,
    "candidates": -1.2,
    "constant": -2.5,
}
"""The weights where hybrid retrieval has left both of `SCORES`."""

SCORED_WEIGHTS: Final[Mapping[Signal, float]] = {
    "model": 0.07,
    "bm25": 0.08,
    "cosine": 0.68,
    "words": 0.81,
    "coverage": 0.57,
    "length": -0.49,
    "retriever": 0.41,
    "nearest": 4.7,
    "candidates": -1.5,
    "constant": -4.4,
}
"""The weights where candidates came with some retriever's score alone, such as the cosine by another encoder."""

BM25_WEIGHTS: Final[Mapping[Signal, float]] = {
    "model": 0.05,
    "bm25": 0.06,
    "cosine": 1.0,
    "words": 0.94,
    "coverage": 1.02,
    "length": -0.55,
    "retriever": 0.11,
    "nearest": 4.5,
    "candidates": -1.5,
    "constant": -4.4,
}
"""The weights where that score is BM25's."""

GIVEN_WEIGHTS: Final[Mapping[Signal, float]] = {
    "model": 0.04,
    "bm25": 0.15,
    "cosine": 0.78,
    "words": 0.57,
    "coverage": 2.08,
    "length": 0.0,
    "retriever": 0.0,
    "nearest": 3.1,
    "candidates": -1.0,
    "constant": -5.0,
}
"""The weights where candidates were given and not retrieved."""

UNREAD: Final = -2.0
"""
The logit at most of a candidate that a model does not read because the other signals put it far behind. To wrong
candidates that are a log-odd and more behind, the package's GSAMN gives -1.7 in the mean (the seventeen FAQs that the
weights were fitted to).
"""

_FAR: Final = 0.2
# What retrieval gives, unless the corpus has fewer entries. Neither fewer than four were measured, nor more.
_USUAL: Final = 30
_FEWEST: Final = 4
# With BM25 among the candidates: up to which a score is none of BM25's, and from which it is one for sure.
_CORRELATION: Final = (0.3, 0.6)
_PREFIX: Final = 5
_NO_SPACES: Final = r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]"
_WORD: Final = regex.compile(rf"(?V1){_NO_SPACES}|[\w--{_NO_SPACES}]+")
_STOP_WORDS: Final = frozenset(STOP_WORDS)


def weights_of(*, hybrid: bool, retrieved: bool, model: float | None = None) -> tuple[Mapping[Signal, float], ...]:
    """
    Give each signal's weight.

    :param hybrid: Whether hybrid retrieval has left both of `SCORES`.
    :param retrieved: Whether the candidates came with a score.
    :param model: The weight of the model's logit; None is that of the package's model.
    :returns: The weights. Two sets where the score may be BM25's or another's: the first where it has nothing to do
        with BM25, the second where it is BM25's.
    """
    if not retrieved:
        sets: tuple[Mapping[Signal, float], ...] = (GIVEN_WEIGHTS,)
    else:
        sets = (HYBRID_WEIGHTS,) if hybrid else (SCORED_WEIGHTS, BM25_WEIGHTS)
    return sets if model is None else tuple({**weights, "model": model} for weights in sets)


def weighed(
    records: Sequence[Record],
    logits: Scores,
    retrieved: Scores,
    share: float = 1.0,
    model: float | None = None,
    *,
    hybrid: bool = True,
) -> NDArray[np.float64]:
    """
    Give what each signal adds to the log-odds of one query's candidates.

    :param records: The query with each candidate, [n] with n > 0, completed by `candidate_scores.py`.
    :param logits: The model's log-odds, [n].
    :param retrieved: The retriever's scores, [n]; NaN for a candidate that has none. If none has one, the candidates
        were given and not retrieved.
    :param share: How much the signals are listened to, from 0 to 1. The retriever's score alone has the rest: of a
        language that the model does not know, the other weights are not known either.
    :param model: The weight of the model's logit, as for `weights_of`.
    :param hybrid: Whether `SCORES` are those of hybrid retrieval, and not `candidate_scores.py`'s.
    :returns: A row a candidate, in the order of `SIGNALS`, [n, 10].
    :raises ValueError: If a score in the metadata is no finite number.
    """
    found = not np.isnan(retrieved).all()
    signals = signals_of(records, logits, retrieved)
    sets = [
        np.array([weights[name] for name in SIGNALS])
        for weights in weights_of(hybrid=hybrid, retrieved=found, model=model)
    ]
    bm25, standardised = (signals[:, SIGNALS.index(name)] for name in ("bm25", "retriever"))
    like_bm25 = _like_bm25(retrieved, standardised, bm25) if found else 0.0
    weights = (1 - like_bm25) * sets[0] + like_bm25 * sets[-1]
    added = share * weights * signals
    added[:, SIGNALS.index("retriever")] += (1 - share) * (standardised if found else bm25)
    return added


def worth_reading(others: Scores, most: int | None, margin: float | None) -> list[int]:
    """
    Choose the candidates of one query that a model reads: those that its logit can still put first.

    :param others: What the other signals add to the log-odds of each, [n].
    :param most: How many at most; None is all.
    :param margin: How far behind the first they may be; None is as far as it gets.
    :returns: Their places, ascending.
    """
    first = np.argsort(-others, kind="stable")[:most]
    if margin is not None:
        first = first[others[first] >= others.max(initial=-np.inf) - margin]
    return sorted(first.tolist())


def same_text(text: str) -> str:
    """
    Bring a text into the form in which copies of it are equal.

    :param text: The text of a candidate.
    :returns: The same with single spaces.
    """
    return " ".join(text.split())


def leads(added: NDArray[np.float64], own: Scores | None = None) -> list[dict[str, float]]:
    """
    Say what puts each candidate ahead of the others.

    :param added: What `weighed` gave.
    :param own: What `own_question` adds, which is told as "question".
    :returns: By how much each signal, where candidates differ in it, puts a candidate above the mean of all, in
        log-odds, rounded to thousandths.
    """
    columns = added if own is None else np.column_stack([added, own])
    # Without the sign of a zero.
    above = (columns - columns.mean(axis=0)).round(3) + 0.0
    told = [
        (name, above[:, column].tolist())
        for column, name in enumerate((*SIGNALS, "question")[: above.shape[1]])
        if above[:, column].any()
    ]
    return [{name: values[place] for name, values in told} for place in range(len(added))]


def signals_of(records: Sequence[Record], logits: Scores, retrieved: Scores) -> NDArray[np.float64]:
    """
    Give what is known of one query's candidates.

    The parameters, and what is raised, are those of `weighed`.

    :returns: A row a candidate, in the order of `SIGNALS`, [n, 10].
    """
    words = [_words(record.answer[:LONGEST]) for record in records]
    # The others of one text tell nothing of how far a candidate stands out.
    texts = [same_text(record.answer) for record in records]
    first = {text: place for place, text in reversed(list(enumerate(texts)))}
    counted = np.array([first[text] == place for place, text in enumerate(texts)])
    number = int(counted.sum())
    # None becomes NaN.
    keys = (*SCORES, WORD_SCORE, OWN_COSINE)
    bm25, cosines, meant, near = (np.array([record.retrieved(key) for record in records], np.float64) for key in keys)
    return np.stack(
        [
            logits,
            normalise(bm25, counted),
            normalise(cosines, counted),
            normalise(meant, counted),
            _coverage(records[0].query, [frozenset(each) for each in words], counted),
            np.log1p([len(each) for each in words]),
            normalise(retrieved, counted),
            np.full(len(records), _nearness(near.max())),
            np.full(len(records), np.log(np.clip(number, _FEWEST, _USUAL) / _USUAL)),
            np.ones(len(records)),
        ],
        axis=1,
    )


def _like_bm25(retrieved: Scores, standardised: Scores, bm25: Scores) -> float:
    """How sure it is, from 0 to 1, that a retriever's scores are BM25's: by their range, and by their correlation."""
    # Cosines, and ranks that were fused, are at most 1.
    if np.nanmax(retrieved) <= 1 + ROUNDING:
        return 0.0
    none, whole = _CORRELATION
    correlation = float(np.mean(standardised * bm25))
    return min(1.0, max(0.0, (correlation - none) / (whole - none)))


def _nearness(cosine: float) -> float:
    return 0.0 if np.isnan(cosine) else cosine - 5 * max(0.0, _FAR - cosine)


def _words(text: str) -> list[str]:
    return [word[:_PREFIX] for word in _whole_words(text)]


def _whole_words(text: str) -> list[str]:
    # Composed: a letter with an accent is one, however it was typed.
    return list(_WORD.findall(unicodedata.normalize("NFC", text.lower())))


def _coverage(query: str, candidates: Sequence[frozenset[str]], counted: NDArray[np.bool_]) -> Scores:
    """The share of the query's words that each candidate has, weighed by BM25's idf among those that count, [n]."""
    words = _whole_words(query)
    asked = {word[:_PREFIX] for word in words if word not in _STOP_WORDS} or {word[:_PREFIX] for word in words}
    # Sorted: a sum of floats depends on its order, and a set's is another in each process.
    has = np.array([[word in each for word in sorted(asked)] for each in candidates], np.float64)
    found = has[counted].sum(axis=0)
    weights = idf_of(int(counted.sum()), found)
    return np.asarray(has @ weights / weights.sum()) if asked else np.zeros(len(candidates))
