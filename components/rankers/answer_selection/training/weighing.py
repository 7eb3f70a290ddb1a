# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""What is weighed beside a trained model, by validation lists: the retriever's score, all signals, or nothing."""

from pathlib import Path
from typing import TYPE_CHECKING, Final

from haystack_integrations.components.rankers.answer_selection.training.calibration import fit_scale
from haystack_integrations.components.rankers.answer_selection.training.dataset import CandidateFile, Floats
from haystack_integrations.components.rankers.answer_selection.training.device import component_device
from haystack_integrations.components.rankers.answer_selection.training.other_signals import OtherSignals
from haystack_integrations.components.rankers.answer_selection.training.scoring import score_lists
from haystack_integrations.components.rankers.answer_selection.training.settings import TrainingSettings
from haystack_integrations.components.rankers.answer_selection.training.training_result import Validation
from haystack_integrations.components.rankers.answer_selection.training.validation import (
    Measures,
    choose_weight,
    is_worse,
    measure,
    measure_retriever,
    normalised_scores,
)

if TYPE_CHECKING:
    from haystack_integrations.components.rankers.answer_selection.models.base import AnswerSelectionModel, Collator

RETRIEVER_WEIGHTS: Final = (0.0, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0)
"""Of the retriever's score: units of log-odds for one of its standard deviations, see `mixing.mix`."""
SIGNAL_WEIGHTS: Final = (None, 0.25, 0.5, 1.0, 2.0)
"""Of a logit among all signals; None is the weight of the package's own models."""


def calibrate(
    model: "AnswerSelectionModel",
    collator: "Collator",
    logits: Floats,
    file: CandidateFile,
    settings: TrainingSettings,
    others: OtherSignals | None,
) -> Validation:
    """
    Calibrate and measure a model; choose what is weighed beside it if that is allowed and can be done.

    :param model: the model; its configuration gets what was chosen, its logits their scale.
    :param collator: its collator.
    :param logits: what it makes of the lists' candidates, [n_pairs].
    :param file: the lists.
    :param settings: `metric`, `choose_retriever_weight` and `choose_signals` count.
    :param others: with them the model has read only what these put first, and stays one signal among them.
    :returns: what it reaches on the lists.
    """
    # The weight that it has among other signals is one for logits as they are.
    if others is None and (fitted := fit_scale(logits, file.labels)):
        model.scale_logits(*fitted)
        logits = fitted[0] * logits + fitted[1]
    weighing = _Weighing(model, collator, logits, file, settings, others)
    if weighing.retrieved is not None:
        weighing.weigh_retrieved()
    elif settings.choose_signals:
        weighing.weigh_given()
    weighing.keep_order_unless_it_gains()
    return weighing.validation()


def recalibrate(
    model: "AnswerSelectionModel", collator: "Collator", validation_lists: Path, settings: TrainingSettings
) -> Validation:
    """
    Calibrate a trained model on other lists; choose what is weighed beside it by them if that is allowed.

    :param model: the model; its weights stay, but for the scale of its logits.
    :param collator: its collator.
    :param validation_lists: candidate lists (JSON Lines).
    :param settings: how it was trained; `metric`, `choose_retriever_weight` and `choose_signals` count.
    :returns: what it reaches on the lists.
    """
    file = CandidateFile(validation_lists, collator.pair_length)
    logits = score_lists(model, collator, file, pairs_per_batch=model.pairs_at_once(settings.pairs_per_batch))
    return calibrate(model, collator, logits, file, settings, None)


class _Weighing:
    """
    The choice for one model, whose configuration its steps write.

    The parameters are those of :func:`calibrate`.
    """

    def __init__(
        self,
        model: "AnswerSelectionModel",
        collator: "Collator",
        logits: Floats,
        file: CandidateFile,
        settings: TrainingSettings,
        others: OtherSignals | None,
    ) -> None:
        self.config, self.collator, self.logits = model.config, collator, logits
        self.file, self.settings = file, settings
        self.stays = others is not None
        self._others = others
        weights = RETRIEVER_WEIGHTS if settings.choose_retriever_weight else (self.config.retriever_weight,)
        # The best weight of the retriever's score and what it reaches; None where candidates were not retrieved.
        self.retrieved = choose_weight(logits, file, weights, settings.metric)
        self.weight_is_chosen = settings.choose_retriever_weight and self.retrieved is not None
        self.retriever = measure_retriever(file)
        # What is measured of model and whatever is beside it; the log-odds by all signals, where these were tried.
        self.mixed: Measures | None = None
        self.by_signals: Floats | None = None

    @property
    def others(self) -> OtherSignals:
        """The other signals of the lists, made where they are asked for."""
        if self._others is None:
            device = component_device(use_cpu=self.settings.use_cpu)
            self._others = OtherSignals.of(self.file, self.collator, device)
        return self._others

    def reached(self, measures: Measures) -> float:
        """What decides."""
        return measures.by(self.settings.metric)

    def weigh_retrieved(self) -> None:
        """Choose between the retriever's score and all signals; without real queries, the model's own stay."""
        assert self.retrieved is not None
        weight, self.mixed = self.retrieved
        if self.weight_is_chosen:
            # It is for the retriever that these lists are of.
            self.config.retriever_weight = weight
        if not (self.weight_is_chosen or self.config.signals):
            return
        self.by_signals = self.others.with_model(self.logits, self.config.signal_weight)
        measures = measure(self.by_signals, self.file)
        gained = self.reached(measures) - self.reached(self.mixed)
        # Where the queries do not tell, it stays as the model had it.
        if self.weight_is_chosen and gained and not self.stays:
            self.config.signals = gained > 0
        if self.config.signals:
            self.mixed = measures

    def weigh_given(self) -> None:
        """
        Choose between the model alone and all signals, for candidates that are given and not retrieved.

        What was learned from such lists may say more than all signals do.
        """
        of_each = [measure(self.others.with_model(self.logits, weight), self.file) for weight in SIGNAL_WEIGHTS]
        best = max(range(len(of_each)), key=lambda place: self.reached(of_each[place]))
        self.config.signals = self.reached(of_each[best]) > self.reached(measure(self.logits, self.file))
        self.config.signal_weight = SIGNAL_WEIGHTS[best] if self.config.signals else None
        self.mixed = of_each[best] if self.config.signals else None

    def keep_order_unless_it_gains(self) -> None:
        """A ranker must not do worse than no ranker: what does not gain here is left out there."""
        self.config.retriever_order = False
        if not (self.weight_is_chosen or self.file.hybrid) or self.mixed is None or self.retriever is None:
            return
        # Against both searches an entry's own question tells as much, since the candidates' vectors are of their
        # answers alone. But it finds them so easily that only a loss speaks against what has gained elsewhere.
        if self.by_signals is not None and self.config.signals and not self.weight_is_chosen:
            gains = not is_worse(self.by_signals, self.file)
        else:
            gains = self.reached(self.mixed) > self.reached(self.retriever)
        if not gains:
            self.config.retriever_order = True
            fitted = fit_scale(normalised_scores(self.file), self.file.labels)
            self.config.retriever_weight = min(fitted[0], RETRIEVER_WEIGHTS[-1]) if fitted else 1.0

    def validation(self) -> Validation:
        """Say what was chosen, and what it reaches."""
        return Validation(
            lists=len(self.file),
            metric=self.settings.metric,
            model=measure(self.logits, self.file),
            retriever=self.retriever,
            mixed=self.mixed,
            retriever_weight=self.config.retriever_weight,
            weight_was_chosen=self.weight_is_chosen,
            signals=self.config.signals and self.mixed is not None,
            deployed=self.settings.choose_retriever_weight,
            hybrid=self.file.hybrid,
            keeps_order=self.config.retriever_order,
        )
