# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""How long a sequence an encoder reads."""

from torch import nn

from haystack_integrations.components.rankers.answer_selection.models.bert import Bert


def positions(encoder: nn.Module) -> int | None:
    """
    Say how long a sequence may be.

    :param encoder: the encoder.
    :returns: how many tokens it has positions for; None where positions are relative.
    """
    for name, module in encoder.named_modules():
        if isinstance(module, Bert):
            return module.positions
        if name.endswith("position_embeddings") and isinstance(module, nn.Embedding):
            # RoBERTa and its like count from the padding's number on.
            return module.num_embeddings - (0 if module.padding_idx is None else module.padding_idx + 1)
    return None
