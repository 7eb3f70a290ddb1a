# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Test sets in YahooQA's manner, of any corpus."""

from collections.abc import Callable, Iterable
from pathlib import Path

from answer_selection.indexing.corpus import Query
from answer_selection.indexing.corpus_index import CorpusIndex
from answer_selection.indexing.negatives.mining import mine_as_planned
from answer_selection.indexing.negatives.plan import ANSWER_TEXT_ALONE, SamplingPlan
from answer_selection.indexing.negatives.report import MiningReport


def yahooqa_style(
    store: CorpusIndex,
    queries: Iterable[Query],
    *,
    output: Path,
    depth: int = 1000,
    negatives: int = 4,
    min_words: int = 5,
    max_words: int = 50,
    seed: int = 0,
    overwrite: bool = False,
    progress: Callable[[int], None] | None = None,
) -> MiningReport:
    """
    Write a test set in the manner of YahooQA (Tay et al. 2017): one relevant answer and four sampled negatives a query.

    Only questions and answers of 5 to 50 words take part. A query that is longer or shorter, has no relevant answer of
    that length, or finds too few negatives of that length is left out, so that every list has the same size. Of several
    relevant answers one is drawn. Everything else is as in :func:`.mining.mine`.

    :param store: as in :func:`.mining.mine`.
    :param queries: the queries with the ids of their relevant entries.
    :param output: where the candidate lists are written.
    :param depth: how many of the best answers to sample from.
    :param negatives: how many negatives each list has.
    :param min_words: the least number of words in a question or an answer.
    :param max_words: the largest number of words in a question or an answer.
    :param seed: the same seed gives the same lists, whatever the queries' order.
    :param overwrite: whether to start anew where there is something else under that name.
    :param progress: called with the number of queries done.
    :returns: what came out.
    :raises ValueError: as in :func:`.mining.mine`.
    :raises FileExistsError: as in :func:`.mining.mine`.
    """
    plan = SamplingPlan(
        "uniform",
        depth,
        negatives,
        0,
        seed,
        dict(ANSWER_TEXT_ALONE),
        min_words=min_words,
        max_words=max_words,
        one_positive=True,
        exact=True,
    )
    return mine_as_planned(store, queries, plan, Path(output), overwrite=overwrite, progress=progress)
