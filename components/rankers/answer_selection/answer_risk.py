# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""How sure a ranker is of its first answer, and from where on it may give one: what `answer_risk.json` holds."""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final, Self

import numpy as np

from answer_selection.indexing.whole_file import whole_file
from haystack_integrations.components.rankers.answer_selection.mixing import Scores, sigmoid

FILE: Final = "answer_risk.json"
"""The file in a model folder."""

COMMAND: Final = "answer-selection train MODEL --index INDEX --validation queries.jsonl --answer-risk RISK"
"""What writes it."""

_FORMAT: Final = 1
_LEAST_DOUBT: Final = 1e-12


def certainty(log_odds: Scores, texts: Sequence[str]) -> float:
    """
    How sure a ranking is that its first candidate is right.

    Each candidate has the odds o = p / (1 - p) to be right, whatever the others are. Given that at most one is right,
    the log-odds of the first are log(o_1 / (1 + sum over the others of o_i)). Candidates with one text are right
    together, so only the surest of them counts.

    :param log_odds: The log-odds of one query's candidates, log o, in any order, [n] with n > 0.
    :param texts: Their texts, [n].
    :returns: The log-odds that the candidate with the highest ones is right.
    """
    surest = np.sort(_surest(log_odds, texts))
    return float(surest[-1] - np.logaddexp.reduce(np.r_[0.0, surest[:-1]]))


def probabilities(log_odds: Scores, texts: Sequence[str]) -> Scores:
    """
    How sure a ranking is of each candidate, given that at most one text is right: o_i / (1 + sum of all o).

    :param log_odds: As for :func:`certainty`.
    :param texts: Likewise.
    :returns: The probabilities, in the order of the log-odds, [n]. Those of different texts are at most 1 together. The
        log-odds of the greatest are the ranking's certainty.
    """
    return np.asarray(np.exp(log_odds - np.logaddexp.reduce(np.r_[0.0, _surest(log_odds, texts)])))


def _surest(log_odds: Scores, texts: Sequence[str]) -> Scores:
    """The highest log-odds of each text."""
    found: dict[str, float] = {}
    for text, odds in zip(texts, log_odds.tolist(), strict=True):
        found[text] = max(odds, found.get(text, odds))
    return np.array(list(found.values()))


def log_odds_of(scores: Scores) -> Scores:
    """
    Read scores as the probabilities that candidates are right, whatever the others are.

    :param scores: Scores between 0 and 1, [n].
    :returns: Their log-odds, [n]; those of 0 and 1 are finite.
    """
    p = np.clip(scores, _LEAST_DOUBT, 1 - _LEAST_DOUBT)
    return np.asarray(np.log(p) - np.log1p(-p))


class AnswerRiskError(ValueError):
    """A model cannot hold a risk; the message says why, and which command makes what it lacks."""


@dataclass(frozen=True, slots=True)
class Threshold:
    """
    From where on answers are given for a risk.

    :param probability: The least probability of an answer that is given; None if no threshold holds the risk.
    :param answered: The share of the calibration's questions that get an answer.
    :param wrong: The share of wrong answers among those.
    """

    probability: float | None
    answered: float
    wrong: float | None


@dataclass(frozen=True, slots=True)
class AnswerRisk:
    """
    A ranker's calibration: which probability its certainty means, and a threshold for each stated risk.

    :param scale: What the certainty is multiplied with.
    :param shift: What is added to that; the sum is the log-odds that the first answer is right.
    :param confidence: The probability that a threshold's risk holds, over draws of the calibration's questions.
    :param questions: How many questions it was calibrated on.
    :param without_answer: How many of these had no right answer among the candidates.
    :param ranking: What the ranker ranked by: the parameters that its scores depend on. Others void the calibration.
    :param thresholds: The threshold for each risk.
    :param retrieval: What found the candidates: the retriever's type and parameters, by name. Empty where a version
        that did not keep them calibrated it.
    """

    scale: float
    shift: float
    confidence: float
    questions: int
    without_answer: int
    ranking: Mapping[str, Any]
    thresholds: Mapping[float, Threshold]
    retrieval: Mapping[str, Any] = field(default_factory=dict)

    def probability(self, certain: float) -> float:
        """
        Give the probability that the first answer is right.

        :param certain: Its :func:`certainty`.
        :returns: The probability.
        """
        return float(sigmoid(np.array(self.scale * certain + self.shift)))

    def threshold(self, risk: float) -> float:
        """
        Give the least probability of an answer that is given.

        :param risk: The most that may be wrong of the answers given.
        :returns: The probability.
        :raises AnswerRiskError: If it was not calibrated for this risk, or no threshold holds it.
        """
        known = ", ".join(f"{one:g}" for one in self.thresholds) or "none"
        if risk not in self.thresholds:
            msg = f"the model was calibrated for the risks {known}, but answer_risk is {risk:g}; this calibrates one: "
            raise AnswerRiskError(msg + COMMAND)
        least = self.thresholds[risk].probability
        if least is None:
            msg = (
                f"no threshold keeps answer_risk {risk:g} with this model: on the {self.questions} questions of its "
                "calibration too many sure answers were wrong, or too few were sure. State a higher risk, or calibrate "
                f"on more questions: {COMMAND}"
            )
            raise AnswerRiskError(msg)
        return least

    def check_ranking(self, ranking: Mapping[str, Any]) -> None:
        """
        Make sure that a ranker ranks as it was calibrated.

        :param ranking: What its scores depend on, by name.
        :raises AnswerRiskError: If something is different; names it.
        """
        for name, value in ranking.items():
            _check_same(name, self.ranking.get(name), value)

    def check_retrieval(self, retrieval: Mapping[str, Any]) -> None:
        """
        Make sure that candidates are found as in the calibration.

        :param retrieval: What finds them, by name.
        :raises AnswerRiskError: If something is different; names it.
        """
        # Without `query_from` among them, questions were searched as they were typed.
        calibrated = {"query_from": None, **self.retrieval} if self.retrieval else {}
        for name, value in calibrated.items():
            _check_same(f"the retriever's {name}", value, retrieval.get(name))

    def save(self, folder: Path) -> Path:
        """
        Write the file into a model folder.

        :param folder: The folder.
        :returns: The file.
        """
        content = {"format_version": _FORMAT, **asdict(self)}
        content["thresholds"] = [{"risk": risk, **asdict(one)} for risk, one in self.thresholds.items()]
        path = folder / FILE
        with whole_file(path) as part:
            part.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")
        return path

    @classmethod
    def load(cls, folder: Path) -> Self | None:
        """
        Read the file of a model folder.

        :param folder: The folder.
        :returns: What it says; None if there is none.
        :raises AnswerRiskError: If it cannot be read.
        """
        path = folder / FILE
        if not path.is_file():
            return None
        try:
            content = json.loads(path.read_text(encoding="utf-8"))
            if (version := content.pop("format_version")) != _FORMAT:
                msg = f"the field format_version is {version!r}; this package reads {_FORMAT}"
                raise ValueError(msg)
            thresholds = {float(one.pop("risk")): Threshold(**one) for one in content.pop("thresholds")}
            read = cls(**content, thresholds=thresholds)
            if not all(math.isfinite(one) for one in (read.scale, read.shift)) or read.scale <= 0:
                msg = f"expected a finite scale above 0 and a finite shift, got {read.scale!r} and {read.shift!r}"
                raise ValueError(msg)
        except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
            msg = f"{path} cannot be read: {' '.join(str(error).split())}. This writes it anew: {COMMAND}"
            raise AnswerRiskError(msg) from error
        return read


def _check_same(name: str, calibrated: object, here: object) -> None:
    if calibrated != here:
        msg = (
            f"answer_risk holds for {name} = {calibrated!r}, as the model was calibrated, but here it is {here!r}; use "
            f"the same, or calibrate anew: {COMMAND}"
        )
        raise AnswerRiskError(msg)
