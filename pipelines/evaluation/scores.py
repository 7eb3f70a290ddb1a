# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""A small file with the ranks of the right answers, question by question, and the comparison of two rankers."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from answer_selection.indexing.whole_file import whole_file
from answer_selection.pipelines.evaluation.policies import Policy, QuestionCounts
from answer_selection.pipelines.evaluation.results import QuestionResult
from answer_selection.pipelines.evaluation.significance import shared_entry_clusters
from answer_selection.pipelines.evaluation.two_way_bootstrap import SeedsComparison, compare_over_seeds

METRICS: Final = ("MAP", "MRR", "P@1")
_NOWHERE: Final = "-"


@dataclass(frozen=True, slots=True)
class Scores:
    """
    The ranks of the relevant candidates, of the questions that count. All metrics follow from them.

    :param policy: Which questions count.
    :param questions: The ids of those that count.
    :param clusters: Per question the number of its group, see `shared_entry_clusters`.
    :param relevant: Per question how many candidates are relevant, those that were not retrieved included.
    :param only_relevant: The ids of the questions that have no other candidates: every ranking of them is right.
    :param ranks: Per question the ranks of its relevant candidates, from 1, ascending and joined by commas; "-" if none
        was retrieved. The questions' are joined by spaces.
    """

    policy: str
    questions: list[str]
    clusters: list[int]
    relevant: list[int]
    only_relevant: list[str]
    ranks: str

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
        questions, entries, relevant, only_relevant, ranks = [], [], [], [], []
        for result in results:
            if counts.add(result.relevance, closed=result.closed):
                sought = set(result.relevant)
                ids = list(result.stages.values())[-1].ids
                found = [str(rank) for rank, candidate_id in enumerate(ids, 1) if candidate_id in sought]
                questions.append(result.query_id)
                entries.append(result.entries)
                relevant.append(len(sought))
                ranks.append(",".join(found) or _NOWHERE)
                if result.closed and len(sought) == len(result.relevance):
                    only_relevant.append(result.query_id)
        if not questions:
            msg = f"no question is left to evaluate: {counts}"
            raise ValueError(msg)
        clusters = shared_entry_clusters(entries).tolist()
        return cls(str(policy), questions, clusters, relevant, only_relevant, " ".join(ranks))

    @property
    def asked(self) -> str:
        """Tells the questions that count, and what is relevant to them, from any others."""
        return sha256(json.dumps(asdict(replace(self, ranks="")), sort_keys=True).encode()).hexdigest()

    def values(self) -> dict[str, NDArray[np.float64]]:
        """
        Give every question's value.

        :returns: By metric, [n_questions].
        """
        rows = [
            _metrics(() if one == _NOWHERE else tuple(map(int, one.split(","))), relevant)
            for one, relevant in zip(self.ranks.split(" "), self.relevant, strict=True)
        ]
        return dict(zip(METRICS, np.array(rows, dtype=np.float64).T, strict=True))

    def means(self, policy: Policy | None = None, *, begins: str = "") -> dict[str, float]:
        """
        Give the mean over the questions.

        :param policy: "with-both" leaves out the questions that have nothing but relevant candidates; None is the
            scores' own policy.
        :param begins: How the ids of the questions begin that count: InsuranceQA's two test sets are told apart by it.
        :returns: By metric; none if no question is left.
        """
        left_out = set(self.only_relevant) if policy is Policy.WITH_BOTH else set()
        counted = np.array([question not in left_out and question.startswith(begins) for question in self.questions])
        return {name: float(values[counted].mean()) for name, values in self.values().items() if counted.any()}

    def save(self, path: Path) -> None:
        """
        Write the scores.

        :param path: The file; one that is there is replaced at once.
        """
        with whole_file(path) as part:
            part.write_text(json.dumps(asdict(self)) + "\n", encoding="utf-8")

    @classmethod
    def load(cls, path: Path) -> Self:
        """
        Read what `save` wrote.

        :param path: The file.
        :returns: The scores.
        """
        return cls(**json.loads(path.read_text(encoding="utf-8")))


def _metrics(ranks: Sequence[int], relevant: int) -> tuple[float, float, float]:
    """A question's value by each of the metrics; they are `ir_measures`' AP, RR and P@1."""
    precision = sum(found / rank for found, rank in enumerate(ranks, 1))
    return precision / max(relevant, 1), 1 / ranks[0] if ranks else 0.0, float(1 in ranks)


def compare_scores(
    baseline: Sequence[Scores], others: Sequence[Scores], *, fixed: tuple[bool, bool] = (False, False)
) -> Mapping[str, SeedsComparison]:
    """
    Compare two rankers, each by its scores with several seeds.

    :param baseline: The first ranker's scores, one a seed.
    :param others: The second's.
    :param fixed: Of either whether any seed would give the same scores.
    :returns: By metric, the second less the first.
    :raises ValueError: If they were asked different questions.
    """
    first = baseline[0]
    if any(one.asked != first.asked for one in (*baseline, *others)):
        msg = "these are scores of different questions; expected the same ones in the same order"
        raise ValueError(msg)
    own, theirs = (np.stack([list(one.values().values()) for one in side], axis=1) for side in (others, baseline))
    compared = compare_over_seeds(theirs, own, np.array(first.clusters, dtype=np.int64), fixed=fixed)
    return dict(zip(METRICS, compared, strict=True))
