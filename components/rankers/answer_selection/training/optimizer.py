# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The optimizer that settings describe, over what of a model is trained."""

from itertools import product
from typing import TYPE_CHECKING

import torch

from haystack_integrations.components.rankers.answer_selection.training.settings import TrainingSettings

if TYPE_CHECKING:
    from haystack_integrations.components.rankers.answer_selection.models.base import AnswerSelectionModel

# The GGSA paper's "RMSProp with momentum" has no number; this is the customary one.
_MOMENTUM = 0.9


def make_optimizer(model: "AnswerSelectionModel", settings: TrainingSettings) -> torch.optim.Optimizer:
    """
    Make the optimizer.

    :param model: the model; what of it requires a gradient is trained.
    :param settings: how to train.
    :returns: the optimizer, an encoder's own weights with their own learning rate, biases without decay.
    :raises ValueError: if nothing of the model is trained.
    """
    trained = [parameter for _, parameter in model.named_parameters() if parameter.requires_grad]
    if not trained:
        msg = "the model has no parameter that is trained"
        raise ValueError(msg)
    encoder = model.pretrained_encoder
    inside = set() if encoder is None else {id(parameter) for _, parameter in encoder.named_parameters()}
    rates = {True: settings.encoder_learning_rate or settings.learning_rate, False: settings.learning_rate}
    groups = [
        {
            "params": [p for p in trained if (id(p) in inside, p.ndim > 1) == (in_encoder, decayed)],
            "lr": rates[in_encoder],
            "weight_decay": settings.weight_decay if decayed else 0.0,
        }
        for in_encoder, decayed in product((False, True), (True, False))
    ]
    groups = [group for group in groups if group["params"]]
    if settings.optimizer == "rmsprop":
        return torch.optim.RMSprop(groups, lr=settings.learning_rate, momentum=_MOMENTUM)
    kind = torch.optim.AdamW if settings.optimizer == "adamw" else torch.optim.Adam
    return kind(groups, lr=settings.learning_rate)
