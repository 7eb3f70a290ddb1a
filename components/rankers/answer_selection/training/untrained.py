# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""What the package's ranker reaches without training: a model that is trained should do better."""

from pathlib import Path

from haystack.utils import ComponentDevice

from haystack_integrations.components.rankers.answer_selection.models import registry
from haystack_integrations.components.rankers.answer_selection.models.model_folder import GSAMN
from haystack_integrations.components.rankers.answer_selection.training.dataset import CandidateFile
from haystack_integrations.components.rankers.answer_selection.training.device import component_device
from haystack_integrations.components.rankers.answer_selection.training.other_signals import OtherSignals
from haystack_integrations.components.rankers.answer_selection.training.scoring import score_lists
from haystack_integrations.components.rankers.answer_selection.training.validation import Measures, measure


def measure_untrained(lists: Path, *, use_cpu: bool) -> Measures:
    """
    Rank lists as `AnswerRanker` does when no model is named.

    :param lists: candidate lists (JSON Lines).
    :param use_cpu: use the CPU even where there is an accelerator.
    :returns: what that order reaches.
    """
    model, collator = registry.load(GSAMN, to_score=True)
    device = ComponentDevice.resolve_device(component_device(use_cpu=use_cpu))
    model.to(device.to_torch())
    file = CandidateFile(lists, collator.pair_length)
    others = OtherSignals.of(file, collator, device)
    chosen = others.worth_reading(file, model.config.rerank_top_k, model.config.rerank_margin)
    logits = score_lists(model, collator, file, chosen=chosen)
    return measure(others.with_model(logits, model.config.signal_weight), file)
