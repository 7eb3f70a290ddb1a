# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The counts of a mining run."""

from collections.abc import Sequence
from dataclasses import dataclass

from answer_selection.indexing.negatives.plan import SamplingPlan


@dataclass(frozen=True, slots=True)
class MiningReport:
    """
    What came out.

    :param queries: how many queries there were.
    :param lists: how many lists were written.
    :param candidates: how many candidates these hold.
    :param short: lists with fewer negatives than were asked for: the search found no more admissible answers.
    :param left_out: queries without a list: no relevant entry or no admissible negative (or, YahooQA-style, too few
        or no positive of the right length).
    """

    queries: int
    lists: int
    candidates: int
    short: int
    left_out: int


class Counts:
    """
    Counts along with the lists.

    :param plan: how they are sampled.
    """

    def __init__(self, plan: SamplingPlan) -> None:
        self.plan = plan
        self.queries = self.lists = self.candidates = self.short = 0

    def add(self, labels: Sequence[int] | None) -> None:
        """
        Count a query.

        :param labels: the labels of its list; None if it has none.
        """
        self.queries += 1
        if labels is not None:
            self.lists += 1
            self.candidates += len(labels)
            self.short += self.plan.mode != "retrieved" and labels.count(0) < self.plan.negatives

    def report(self) -> MiningReport:
        """
        Sum up.

        :returns: what came out.
        """
        return MiningReport(self.queries, self.lists, self.candidates, self.short, self.queries - self.lists)
