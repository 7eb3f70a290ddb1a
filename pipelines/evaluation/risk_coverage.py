# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
How many questions could be answered at which risk, if only the surest answers were given.

The risk at a coverage is the share of wrong answers among those given; the area under the curve (AURC) is its mean over
all coverages (Geifman, Uziel and El-Yaniv 2019, "Bias-reduced uncertainty estimation for deep neural classifiers",
section 3).
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final, Self

import numpy as np

from answer_selection.pipelines.evaluation.reliability import Bin, calibration_error, reliability

RISKS: Final = (0.01, 0.05, 0.1)
"""The risks that a report names."""

_POINTS: Final = 100


@dataclass(frozen=True, slots=True)
class RiskCoverage:
    """
    The risk of first answers by how many questions are answered.

    :param questions: How many questions were asked.
    :param right: The share of right first answers.
    :param aurc: The area under the curve.
    :param coverage_at: The greatest coverage at each risk of `RISKS`, found on these very questions: a threshold for it
        would not hold on others.
    :param reliability: Bins of questions by the probability of their first answers; none if certainties are no
        probabilities.
    :param curve: Pairs of coverage and risk, the surest answers first, at most a hundred.
    """

    questions: int
    right: float
    aurc: float
    coverage_at: dict[float, float]
    reliability: tuple[Bin, ...]
    curve: tuple[tuple[float, float], ...]

    @property
    def ece(self) -> float | None:
        """The expected calibration error; None if certainties are no probabilities."""
        return calibration_error(self.reliability) if self.reliability else None

    @classmethod
    def of(cls, certain: Sequence[float | None], right: Sequence[bool], *, probabilities: bool) -> Self:
        """
        Measure how well certainty tells right answers from wrong ones.

        :param certain: How sure the first answer of each question is; None where there is none, which is right for no
            question. Equally sure answers are given together.
        :param right: Whether it is right.
        :param probabilities: Whether the certainties are probabilities.
        :returns: The measures.
        :raises ValueError: If there is no question.
        """
        if not certain:
            msg = "there is no question to measure the risk of its answer"
            raise ValueError(msg)
        correct = np.array(right, dtype=np.float64)
        sure = np.array([-np.inf if one is None else one for one in certain], dtype=np.float64)
        levels, places, sizes = np.unique(-sure, return_inverse=True, return_counts=True)
        wrong = np.bincount(places, weights=1 - correct)
        given = np.cumsum(sizes)
        risk, coverage = np.cumsum(wrong) / given, given / len(sure)
        # Within a level any order is as good: its wrong answers are spread evenly.
        spread = np.cumsum(np.repeat(wrong / sizes, sizes)) / np.arange(1, len(sure) + 1)
        shown = np.unique(np.linspace(0, len(levels) - 1, _POINTS).round().astype(int))
        return cls(
            questions=len(sure),
            right=float(correct.mean()),
            aurc=float(spread.mean()),
            coverage_at={one: float(coverage[risk <= one].max(initial=0.0)) for one in RISKS},
            # Where there is no answer, none is certain to be right.
            reliability=tuple(reliability(np.maximum(sure, 0.0), correct)) if probabilities else (),
            curve=tuple((round(float(coverage[place]), 4), round(float(risk[place]), 4)) for place in shown),
        )

    def to_dict(self) -> dict[str, Any]:
        """
        Give the measures as they stand in `results.json`.

        :returns: JSON's types only.
        """
        return {
            "questions": self.questions,
            "right": self.right,
            "aurc": self.aurc,
            "coverage_at_risk": {f"{risk:g}": coverage for risk, coverage in self.coverage_at.items()},
            "ece": self.ece,
            "reliability": [asdict(one) for one in self.reliability],
            "curve": [{"coverage": coverage, "risk": risk} for coverage, risk in self.curve],
        }
