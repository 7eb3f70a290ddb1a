# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
Which weights a ranker gives its signals.

A few numbers are fitted to real questions: the listwise softmax of the weighted sum over each question's candidates.
An FAQ's say grows as the root of the number of its questions: neither the largest nor the many small ones decide alone.
Each FAQ is then ranked by weights that were fitted to the others alone.

    python pipelines/experiments/signal_weights.py INDEX=QUERIES … [--retrieval KIND] [--test INDEX=QUERIES]

`hybrid` retrieval leaves both scores. The others leave one alone, as a retriever of Haystack does: `bm25`, `vectors`
and `ranks`, the fused ranks of the two. Name `--retrieval` more than once for one set of weights for all of them.

How sure a score may be is fitted beside it, by the signals that are the same for all candidates: to the questions with
their entries (0.7 of all), to the same without them (0.15), and to questions to other FAQs (0.15). What the number of
candidates says is fitted last, to the same asked for 10 candidates and for 4. All this is printed for the fitted
weights and for the package's.

What is named after `--test` is ranked by the weights of all the others, and fits none. The same FAQ indexed with
another encoder is the same FAQ: name its folder alike, `one/python` and `other/python`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Final, NamedTuple

import numpy as np
import typer
from numpy.typing import NDArray
from rich.table import Table
from scipy.optimize import minimize

from answer_selection.indexing.corpus import Query, iter_queries
from answer_selection.indexing.stored_entries import entry_of
from answer_selection.indexing.text.answer_text import answer_text
from answer_selection.pipelines.commands.console import STDOUT, bar
from answer_selection.pipelines.commands.stores import Store, open_index
from answer_selection.pipelines.training.index_encoder import load_encoder_of
from haystack_integrations.components.rankers.answer_selection import AnswerRanker
from haystack_integrations.components.rankers.answer_selection.candidate_scores import CandidateScores
from haystack_integrations.components.rankers.answer_selection.mixing import retriever_scores
from haystack_integrations.components.rankers.answer_selection.models.record import Record
from haystack_integrations.components.rankers.answer_selection.signals import SIGNALS, signals_of, weights_of
from haystack_integrations.components.retrievers.tantivy import (
    TantivyBM25Retriever,
    TantivyEmbeddingRetriever,
    TantivyHybridRetriever,
)
from haystack_integrations.document_stores.tantivy import TantivyDocumentStore

DEPTHS: Final = (30, 10, 4)
"""How many candidates are asked for; the weights are fitted to the first number alone."""

MOST_QUESTIONS: Final = 750
"""Of an FAQ with more, every second, third … is asked."""

MOST_BYTES: Final = 2**28
"""Memory for the vectors of candidates."""

_PENALTY: Final = 0.002
# Those that candidates differ in. The others are `nearest`, `candidates` and `constant`.
_FITTED: Final = SIGNALS[:-3]
_UNKNOWN: Final = (np.nan,) * (len(SIGNALS) - len(_FITTED))
_FOREIGN: Final = 15
# How often an entry answers a question, none does any more, and none ever did.
_MIXTURE: Final = (0.7, 0.15, 0.15)

Rows = NDArray[np.float64]


class Retrieval(StrEnum):
    """What finds the candidates."""

    HYBRID = "hybrid"
    BM25 = "bm25"
    VECTORS = "vectors"
    RANKS = "ranks"


class Asked(NamedTuple):
    """
    A question's candidates.

    :param signals: A row each, in the retriever's order, [n, 10].
    :param right: Which answer it, [n].
    """

    signals: Rows
    right: NDArray[np.bool_]


def ask(
    index: Path, questions: Sequence[Query], ranker: AnswerRanker, retrieval: Retrieval, depth: int = DEPTHS[0]
) -> list[Asked]:
    """
    Retrieve candidates for questions to an FAQ.

    :param index: Its index, with vectors unless BM25 alone is searched.
    :param questions: The questions.
    :param ranker: The ranker whose model is one signal.
    :param retrieval: What finds them.
    :param depth: How many are asked for.
    :returns: The candidates of each question that has any.
    """
    store = TantivyDocumentStore(path=index)
    vectors: Sequence[list[float] | None] = [None] * len(questions)
    if retrieval != Retrieval.BM25:
        encoder = load_encoder_of(open_index(Store.TANTIVY, str(index)))
        if encoder is None:
            msg = f"{index}: the index has no vectors; expected one that was made with an encoder, or --retrieval bm25"
            raise typer.BadParameter(msg)
        vectors = [[float(x) for x in vector] for vector in encoder.encode([one.query for one in questions])]
    by_words, by_vectors = TantivyBM25Retriever(document_store=store), TantivyEmbeddingRetriever(document_store=store)
    by_both = TantivyHybridRetriever(
        document_store=store, fusion="weighted" if retrieval == Retrieval.HYBRID else "reciprocal_rank"
    )
    scores = CandidateScores(None, MOST_BYTES)
    asked = []
    with bar(f"asking {index}", len(questions)) as progress:
        for number, (question, vector) in enumerate(zip(questions, vectors, strict=True)):
            if vector is None:
                found = by_words.run(query=question.query, top_k=depth)["documents"]
            elif retrieval == Retrieval.VECTORS:
                found = by_vectors.run(query_embedding=vector, top_k=depth)["documents"]
            else:
                found = by_both.run(query=question.query, query_embedding=vector, top_k=depth)["documents"]
            if found:
                records = [
                    Record(question.query, answer_text(one, ranker.meta_fields_to_embed, "\n"), {}, one.meta)
                    for one in found
                ]
                retrieved = np.full(len(found), np.nan)
                if retrieval != Retrieval.HYBRID:
                    records = [replace(one, meta={}) for one in records]
                    retrieved = retriever_scores(found)
                rows = signals_of(scores.complete(records)[0], ranker.score_pairs(records), retrieved)
                right = [entry_of(one) in question.relevant for one in found]
                asked.append(Asked(rows, np.array(right)))
            progress(number + 1)
    store.close()
    return asked


def fit(sets: Sequence[Sequence[Asked]]) -> Rows:
    """
    Fit the weights.

    :param sets: The questions to each FAQ.
    :returns: A weight a signal, but for the last three, which no order depends on, [7].
    """
    lists = [
        (asked.signals[:, : len(_FITTED)], asked.right / asked.right.sum(), share)
        for questions, share in zip(sets, _shares(sets), strict=True)
        for asked in questions
        if asked.right.any()
    ]

    # The penalty is of what a weight makes of its signal's spread: in which unit the signal is told does not matter.
    spread = np.mean([rows.std(axis=0) for rows, _, _ in lists], axis=0)

    def loss(weights: Rows) -> tuple[float, Rows]:
        scaled = weights * spread
        total, slope = _PENALTY * float(scaled @ scaled) * len(sets), 2 * _PENALTY * scaled * spread * len(sets)
        for rows, wanted, share in lists:
            scores = rows @ weights
            logs = scores - np.logaddexp.reduce(scores)
            total -= share * float(wanted @ logs)
            slope -= share * ((wanted - np.exp(logs)) @ rows)
        return total, slope

    return np.asarray(minimize(loss, np.zeros(len(_FITTED)), jac=True, method="L-BFGS-B").x)


def measure(questions: Sequence[Asked], weights: Rows | None) -> tuple[float, float]:
    """
    Rank candidates.

    :param questions: The questions.
    :param weights: The weights, [7]; None is the retriever's order.
    :returns: P@1 and MRR.
    """
    ranks = []
    for asked in questions:
        order = np.arange(len(asked.right))
        if weights is not None:
            order = np.argsort(-(asked.signals[:, : len(_FITTED)] @ weights), kind="stable")
        right = asked.right[order]
        ranks.append(1 / (1 + int(right.argmax())) if right.any() else 0.0)
    return float(np.mean([rank == 1 for rank in ranks])), float(np.mean(ranks))


def certainty(
    sets: Sequence[Sequence[Asked]],
    foreign: Sequence[Sequence[Asked]],
    weights: Rows,
    known: Sequence[float] = _UNKNOWN,
) -> Rows:
    """
    Fit what makes the best candidate's score the probability that it is right.

    :param sets: The questions to each FAQ.
    :param foreign: Questions to other FAQs, asked of each.
    :param weights: The weights, [7].
    :param known: What is known of the weights that are fitted, [3]; NaN where one is not known.
    :returns: The weights of the signals that are the same for all candidates, [3].
    """
    cases: list[tuple[float, bool, float]] = []
    same: list[Rows] = []
    for questions, others, share in zip(sets, foreign, _shares(sets), strict=True):
        # The other candidates keep their signals, as if they had been found beside the right one.
        without = [Asked(one.signals[~one.right], one.right[~one.right]) for one in questions]
        for kind, part in zip(_MIXTURE, (questions, without, others), strict=True):
            counted = [one for one in part if len(one.right)]
            for one in counted:
                scores = one.signals[:, : len(_FITTED)] @ weights
                right = bool(one.right[scores.argmax()])
                cases.append((scores.max(), right, share * kind * len(questions) / len(counted)))
                same.append(one.signals[0, len(_FITTED) :])
    x, y, w = np.array(cases).T
    rows, found = np.array(same), np.array(known)
    free = np.isnan(found)
    x = x + rows[:, ~free] @ found[~free]

    def loss(parameters: Rows) -> float:
        z = x + rows[:, free] @ parameters
        return float(w @ (np.logaddexp(0.0, z) - y * z))

    found[free] = minimize(loss, np.zeros(int(free.sum())), method="L-BFGS-B").x
    return found


def _shares(sets: Sequence[Sequence[Asked]]) -> Rows:
    """What one question of each FAQ counts; over all questions they sum up to the number of FAQs."""
    counts = np.array([len(questions) for questions in sets], np.float64)
    return np.asarray(len(sets) / np.sqrt(counts) / np.sqrt(counts).sum())


def _questions(named: Sequence[str]) -> dict[Path, list[Query]]:
    """Give the questions to each index."""
    found = {}
    for index, _, queries in (one.partition("=") for one in named):
        questions = list(iter_queries(Path(queries)))
        found[Path(index)] = questions[:: max(1, -(-len(questions) // MOST_QUESTIONS))]
    return found


def _of_others(asked: Mapping[Path, Sequence[Query]], index: Path) -> list[Query]:
    """Give some questions to other FAQs, which this one has no answer to."""
    others = [replace(one, relevant=()) for path in asked if path.name != index.name for one in asked[path]]
    return others[:: max(1, -(-len(others) // _FOREIGN))]


def main(
    faqs: Annotated[list[str], typer.Argument(help="INDEX=QUERIES of each FAQ to fit to.")],
    retrieval: Annotated[list[Retrieval] | None, typer.Option(help="What finds the candidates: hybrid.")] = None,
    test: Annotated[list[str] | None, typer.Option(help="INDEX=QUERIES of an FAQ to measure only.")] = None,
) -> None:
    """Fit the weights of a ranker's signals."""
    ranker = AnswerRanker(meta_fields_to_embed=["question"])
    ranker.warm_up()
    kinds = retrieval or [Retrieval.HYBRID]

    def ask_all(of: Mapping[Path, Sequence[Query]], depths: Sequence[int] = DEPTHS[:1]) -> dict[Path, list[Asked]]:
        return {
            index: [one for kind in kinds for depth in depths for one in ask(index, of[index], ranker, kind, depth)]
            for index in of
        }

    questions_of = _questions(faqs)
    fitted, measured = ask_all(questions_of), ask_all(_questions(test or []))
    others_of = {index: _of_others(questions_of, index) for index in questions_of}
    foreign = ask_all(others_of)
    fewer, foreign_to_fewer = ask_all(questions_of, DEPTHS[1:]), ask_all(others_of, DEPTHS[1:])
    today = weights_of(hybrid=Retrieval.HYBRID in kinds, retrieved=True)[-1 if kinds == [Retrieval.BM25] else 0]
    shipped = np.array([today[name] for name in _FITTED])
    weights = fit(list(fitted.values()))
    table = Table("FAQ", "questions", "retrieval", "fitted to the others", "shipped weights")
    rows = []
    for index, questions in (fitted | measured).items():
        others = [each for path, each in fitted.items() if path.name != index.name]
        figures = [
            measure(questions, None),
            measure(questions, fit(others) if index in fitted and others else weights),
            measure(questions, shipped),
        ]
        rows.append(figures)
        table.add_row(str(index), str(len(questions)), *(f"{p1:.3f}, {mrr:.3f}" for p1, mrr in figures))
    means = np.mean(rows, axis=0)
    table.add_row("mean", "", *(f"{p1:.3f}, {mrr:.3f}" for p1, mrr in means))
    STDOUT.print(table)
    for title, found in (("fitted", weights), ("the package's", shipped)):
        near, _, constant = certainty(list(fitted.values()), list(foreign.values()), found, (np.nan, 0.0, np.nan))
        of_fewer = (near, np.nan, constant)
        STDOUT.print(f"weights, {title}:")
        values = [*found, *certainty(list(fewer.values()), list(foreign_to_fewer.values()), found, of_fewer)]
        for name, value in zip(SIGNALS, values, strict=True):
            STDOUT.print(f"  {name}: {value:.2f}")


if __name__ == "__main__":
    typer.run(main)
