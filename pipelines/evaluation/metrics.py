# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""P@1, MRR, MAP and recall@k, computed by `ir_measures` from rankings whose order is already decided."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import ir_measures

Run = Mapping[str, Sequence[tuple[str, float | None]]]
"""Per query id the ranking, best first: pairs of candidate id and score."""

Qrels = Mapping[str, Mapping[str, int]]
"""Per query id the relevance of candidates: above 0 is relevant. A candidate that is not named is not relevant."""

DEFAULT_METRICS = ("P@1", "MRR", "MAP", "recall@10", "recall@30", "recall@100")


@dataclass(frozen=True, slots=True)
class Metric:
    """
    A metric: how it is named as a mean, how it is named for one question, and who computes it.

    :param name: The mean over questions, as in a table: "MRR".
    :param question_name: The same for one question, as in a per-question file: "reciprocal_rank".
    :param measure: The measure of `ir_measures`.
    """

    name: str
    question_name: str
    measure: Any

    @classmethod
    def parse(cls, name: str) -> "Metric":
        """
        Finds a metric by its name.

        :param name: "MRR", "MAP", "P@k" or "recall@k" with k > 0.
        :returns: The metric.
        :raises ValueError: If there is no such metric.
        """
        if name == "MRR":
            return cls(name, "reciprocal_rank", ir_measures.RR)
        if name == "MAP":
            return cls(name, "average_precision", ir_measures.AP)
        match = re.fullmatch(r"(P|recall)@([1-9][0-9]*)", name)
        if match is None:
            msg = f"unknown metric {name!r}: expected MRR, MAP, P@k or recall@k, such as 'recall@10'"
            raise ValueError(msg)
        kind, cutoff = match.group(1), int(match.group(2))
        return cls(name, name, (ir_measures.P if kind == "P" else ir_measures.R) @ cutoff)


def rank_scores(ids: Sequence[str]) -> dict[str, float]:
    """
    Scores that say nothing but the rank: n for the first of n, 1 for the last.

    `trec_eval`, which `ir_measures` calls, sorts by score, then by descending document id, and it keeps scores in
    32 bits. A ranker's own scores, with their ties and near ties, would so be evaluated in another order than the
    one the user gets. Whole numbers, each smaller than the one before it, leave only one order.

    :param ids: Candidate ids, best first.
    :returns: The score of each id.
    :raises ValueError: If an id occurs twice.
    """
    scores = {candidate_id: float(len(ids) - rank) for rank, candidate_id in enumerate(ids)}
    if len(scores) < len(ids):
        twice = next(candidate_id for rank, candidate_id in enumerate(ids) if candidate_id in ids[:rank])
        msg = f"candidate {twice!r} is ranked twice"
        raise ValueError(msg)
    return scores


def evaluate_questions(run: Run, qrels: Qrels, metrics: Iterable[str] = DEFAULT_METRICS) -> dict[str, dict[str, float]]:
    """
    Computes metrics for every question on its own.

    :param run: Rankings, best first. Their order counts, not their scores: equal scores are no ties.
    :param qrels: The questions to evaluate and what is relevant to them. A question without a ranking gets 0, as does
        one without a relevant candidate; rankings of other questions are ignored. Recall and average precision are
        taken over all relevant candidates, those that were not retrieved included.
    :param metrics: Names of metrics, see `Metric.parse`.
    :returns: Per query id, in the order of `qrels`, the value of each metric by the metric's name.
    :raises ValueError: If a metric is unknown or a candidate is ranked twice for a question.
    """
    parsed = [Metric.parse(name) for name in metrics]
    scored = {}
    for query_id in qrels:
        try:
            scored[query_id] = rank_scores([candidate_id for candidate_id, _ in run.get(query_id, ())])
        except ValueError as error:
            msg = f"query {query_id!r}: {error}"
            raise ValueError(msg) from None
    evaluator = ir_measures.evaluator([metric.measure for metric in parsed], {key: dict(qrels[key]) for key in qrels})
    values = {(result.query_id, result.measure): float(result.value) for result in evaluator.iter_calc(scored)}
    return {query_id: {metric.name: values[query_id, metric.measure] for metric in parsed} for query_id in qrels}
