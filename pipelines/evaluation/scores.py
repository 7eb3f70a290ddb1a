# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""What one ranker reached, question by question, in a small file; and how it compares with another."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final, Self

import numpy as np
from answer_selection.pipelines.evaluation.metrics import evaluate_questions
from answer_selection.pipelines.evaluation.policies import Policy, QuestionCounts
from answer_selection.pipelines.evaluation.results import QuestionResult
from answer_selection.pipelines.evaluation.significance import Comparison, compare, shared_entry_clusters

METRICS: Final = ("MAP", "MRR", "P@1")


@dataclass(frozen=True, slots=True)
class Scores:
    """
    A ranker's values on the questions that count.

    :param policy: Which questions count.
    :param asked: How many there are in all.
    :param questions: The ids of those that count.
    :param clusters: Per question the number of its group, see `shared_entry_clusters`.
    :param values: By metric, one value a question.
    """

    policy: str
    asked: int
    questions: list[str]
    clusters: list[int]
    values: dict[str, list[float]]

    @classmethod
    def of(cls, results: Iterable[QuestionResult], policy: Policy) -> Self:
        """
        Measure the last stage of every result.

        :param results: What `run_pipeline` or `rank_candidates` yields.
        :param policy: Which questions count.
        :returns: The scores.
        :raises ValueError: If no question counts.
        """
        counts = QuestionCounts(policy)
        run, qrels, entries = {}, {}, []
        for result in results:
            if counts.add(result.relevance, closed=result.closed):
                ranking = list(result.stages.values())[-1]
                run[result.query_id] = list(zip(ranking.ids, ranking.scores, strict=True))
                qrels[result.query_id] = result.relevance
                entries.append(result.entries)
        if not qrels:
            msg = f"no question is left to evaluate: {counts}"
            raise ValueError(msg)
        by_question = evaluate_questions(run, qrels, METRICS)
        return cls(
            policy=str(policy),
            asked=counts.asked,
            questions=list(qrels),
            clusters=shared_entry_clusters(entries).tolist(),
            values={name: [by_question[query_id][name] for query_id in qrels] for name in METRICS},
        )

    def means(self) -> dict[str, float]:
        """
        Give the mean over the questions.

        :returns: By metric.
        """
        return {name: float(np.mean(values)) for name, values in self.values.items()}

    def save(self, path: Path) -> None:
        """
        Write the scores.

        :param path: The file; one that is there is replaced at once.
        """
        part = path.with_name(f"{path.name}.part")
        part.write_text(json.dumps(asdict(self)) + "\n", encoding="utf-8")
        part.replace(path)

    @classmethod
    def load(cls, path: Path) -> Self:
        """
        Read what `save` wrote.

        :param path: The file.
        :returns: The scores.
        """
        return cls(**json.loads(path.read_text(encoding="utf-8")))


def compare_scores(baseline: Sequence[Scores], others: Sequence[Scores]) -> Mapping[str, Comparison]:
    """
    Compare two rankers, each by its mean over its seeds, question by question.

    :param baseline: The first ranker's scores, one a seed.
    :param others: The second's.
    :returns: By metric, the second less the first.
    :raises ValueError: If they were asked different questions.
    """
    first = baseline[0]
    if any((one.policy, one.questions) != (first.policy, first.questions) for one in (*baseline, *others)):
        msg = "these are scores of different questions; expected the same ones in the same order"
        raise ValueError(msg)
    clusters = np.array(first.clusters, dtype=np.int64)
    return {
        name: compare(
            np.mean([one.values[name] for one in baseline], axis=0),
            np.mean([one.values[name] for one in others], axis=0),
            clusters,
        )
        for name in METRICS
    }
