# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""What a training run came to, and what is to be said of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from haystack_integrations.components.rankers.answer_selection.training.validation import Measures

FEWEST_QUESTIONS: Final = 30
"""With fewer validation questions chance would choose."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Validation:
    """
    How the kept model orders the validation lists, beside the retriever's own order.

    :param lists: how many lists.
    :param metric: the measure that decided, one of `validation.METRICS`.
    :param model: the model alone.
    :param retriever: the retriever's order, or None where the lists do not tell it.
    :param mixed: the model with the retriever's score mixed in, or with all signals. None where the lists have no
        scores, and the ranker uses the model alone.
    :param retriever_weight: the weight in the model's configuration, which `mixed` was measured with unless the ranker
        keeps the retriever's order or `signals` is True.
    :param weight_was_chosen: whether it was chosen on these lists (`mixed` then looks a little better than it is).
    :param signals: whether `mixed` is of all signals (see `signals.py`) instead of that weight.
    :param hybrid: whether the retriever searches by vectors beside BM25.
    :param keeps_order: whether the ranker keeps the retriever's order, because no weight was better than that.
    :param untrained: the package's ranker, which has learned nothing from these data. None where that was not measured.
    :param deployed: whether the lists are real queries with what the deployed retriever gives for them. If not, what
        the retriever reached says little of the search that a user will run.
    """

    lists: int
    metric: str
    model: Measures
    retriever: Measures | None
    mixed: Measures | None
    retriever_weight: float
    weight_was_chosen: bool
    deployed: bool
    signals: bool = False
    hybrid: bool = False
    keeps_order: bool = False
    untrained: Measures | None = None

    @property
    def beats_retriever(self) -> bool | None:
        """
        Whether the ranking as deployed is better than the retriever's order; None if that order is not known.

        As deployed, the retriever's score is mixed in with the configured weight, where the lists have scores.
        """
        if self.retriever is None:
            return None
        return (self.mixed or self.model).by(self.metric) > self.retriever.by(self.metric)

    @property
    def untrained_is_best(self) -> bool:
        """
        Whether the package's ranker is as good as this one as deployed, and as the retriever.

        Where it is no better than that, it still has gained on other FAQs.
        """
        if self.untrained is None:
            return False
        deployed = self.retriever if self.keeps_order and self.retriever else self.mixed or self.model
        untrained = self.untrained.by(self.metric)
        others = [deployed] if self.retriever is None else [deployed, self.retriever]
        return all(untrained >= each.by(self.metric) for each in others)

    def verdict(self) -> str:
        """Say plainly what came out: the advice, the figures, and what they do not tell."""
        retriever = "hybrid retrieval" if self.hybrid else "BM25"
        figures = [f"the model alone {self.model.by(self.metric):.4f}"]
        if self.retriever is not None:
            figures.insert(0, f"{retriever} {self.retriever.by(self.metric):.4f}")
        if self.mixed is not None and self.signals:
            figures.append(f"with all signals {self.mixed.by(self.metric):.4f}")
        elif self.mixed is not None and (self.keeps_order or self.retriever_weight):
            weight = "at best" if self.keeps_order else f"weight {self.retriever_weight:g}"
            figures.append(f"with the retriever's score mixed in ({weight}) {self.mixed.by(self.metric):.4f}")
        elif self.weight_was_chosen:
            figures.append("no more with the retriever's score mixed in")
        if self.untrained is not None:
            figures.append(f"the package's ranker without training {self.untrained.by(self.metric):.4f}")
        told = [f"{self.metric.upper()} on {self.lists} validation questions: {', '.join(figures)}."]
        if self.lists < FEWEST_QUESTIONS:
            told.append(f"So few questions tell little: name {FEWEST_QUESTIONS} or more by --validation.")
        if self.untrained_is_best:
            told.insert(0, "Keep the package's ranker: this model is no better than that here.")
        elif self.retriever is None:
            told.append(f"The lists do not give {retriever}'s order, so the two cannot be compared.")
        elif self.hybrid and self.signals and not (self.beats_retriever or self.deployed or self.keeps_order):
            told.insert(0, f"No clear difference to {retriever} here.")
            told.append("These are not your users' questions, so this tells little about those. The ranker reorders,")
            told.append(
                "as weighing all signals has gained on other FAQs. To know more, name real questions with their"
            )
            told.append("answers by --validation.")
        elif not self.beats_retriever:
            told.insert(0, f"Keep {retriever}: this model does not improve on it here.")
            if self.keeps_order:
                told.append(f"A ranker with it keeps {retriever}'s order.")
        else:
            told.insert(0, f"This model improves on {retriever} here.")
            if not self.deployed:
                told.append("These are not your users' questions, so this tells little about those.")
                told.append("To know more, name real questions with their answers by --validation.")
        return " ".join(told)


@dataclass(frozen=True, slots=True)
class TrainingResult:
    """
    What a run came to.

    :param folder: the model folder.
    :param steps: steps taken.
    :param best_step: the step whose weights were kept; 0 if those that the run started with were better than all.
    :param epochs: epochs taken, fractions included.
    :param start: the validation measures before the first step.
    :param validation: the kept model's, or None without validation lists.
    :param history: what was logged, step by step.
    :param retrieval: the parameters of the retriever that the model is for, where real queries chose them; None are the
        usual ones.
    """

    folder: Path
    steps: int
    best_step: int
    epochs: float
    start: Measures | None
    validation: Validation | None
    history: list[dict[str, float]]
    retrieval: Mapping[str, Any] | None = None

    def verdict(self) -> str | None:
        """Say plainly what came out; None without validation lists."""
        if self.validation is None:
            return None
        said = self.validation.verdict()
        if self.best_step:
            return said
        return f"{said} Training did not help: the model's weights are as they were at its start."
